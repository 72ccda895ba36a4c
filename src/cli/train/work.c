/* cli/train/work.c - one task: a worker's steps, or a parameter server's wait. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/train/work_impl.h"

enum {
    TELL_MS = 100,   /* between two events of steps */
    PATIENCE_S = 20, /* of a task in a cluster that was asked to end */
};

/* ---- telling ----------------------------------------------------------------------------------
 */

double work_seconds(const work *w)
{
    int64_t until = w->ended_ns ? w->ended_ns : weir_now_ns();
    return w->started_ns ? (double)(until - w->started_ns - w->paused_ns) / 1e9 : 0;
}

void work_tell(work *w, train_event *e)
{
    e->worker = w->worker;
    e->step = w->t ? weir_trainer_at(w->t) : 0;
    e->last_step = w->plan.last_step;
    e->epoch = w->plan.epoch_steps > 0 ? (double)e->step / w->plan.epoch_steps : 0;
    e->seconds = work_seconds(w);
    e->steps = w->steps;
    w->listener->tell(w->listener->arg, e);
}

void work_note(work *w, const char *fmt, ...)
{
    train_event e = {.kind = TRAIN_NOTE};
    va_list args;
    va_start(args, fmt);
    vsnprintf(e.text, sizeof e.text, fmt, args);
    va_end(args);
    work_tell(w, &e);
}

int work_fail(const work *w, const char *what, const char *cure)
{
    return weir_cli_fail(cure, "%s: %s", what, TF_Message(w->status));
}

static void tell_start(work *w)
{
    train_event e = {.kind = TRAIN_START, .pid = getpid()};
    WEIR_BUF(text);
    weir_buf_addf(&text, "%s on %s; ", w->o->model, w->data ? weir_data_about(w->data) : "no data");
    train_plan_about(&w->plan, &text);
    snprintf(e.text, sizeof e.text, "%s", text.at);
    work_tell(w, &e);
}

/* The mean of the last losses. */
static double recent_loss(const work *w)
{
    int count = w->steps < LAST_LOSSES ? (int)w->steps : LAST_LOSSES;
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += w->last_losses[i];
    return count ? sum / count : NAN;
}

static void tell_steps(work *w)
{
    int64_t now = weir_now_ns();
    double seconds = (double)(now - w->told_ns) / 1e9;
    train_event e = {
        .kind = TRAIN_STEP,
        .loss = w->told_loss / (double)w->told_steps,
        .examples_per_s = seconds > 0 ? (double)(w->examples - w->told_examples) / seconds : 0,
        .examples = w->examples,
        .first_loss = w->first_loss,
    };
    w->told_ns = now;
    w->told_examples = w->examples;
    w->told_loss = 0;
    w->told_steps = 0;
    work_tell(w, &e);
    work_events_step(w, &e);
}

static void tell_done(work *w)
{
    double seconds = work_seconds(w);
    train_event e = {
        .kind = TRAIN_DONE,
        .loss = recent_loss(w),
        .examples_per_s = seconds > 0 ? (double)w->examples / seconds : 0,
        .examples = w->examples,
        .first_loss = w->steps ? w->first_loss : NAN,
        .interrupted = work_signal() != 0,
    };
    work_tell(w, &e);
}

/* ---- hooks ------------------------------------------------------------------------------------
 */

static void on_session(void *arg, weir_trainer *t)
{
    work *w = arg;
    if (w->sessions++ > 0)
        work_note(w, "a task was lost; going on from step %lld", (long long)weir_trainer_at(t));
}

static void on_saved(void *arg, weir_trainer *t, const char *checkpoint)
{
    work *w = arg;
    (void)t;
    train_event e = {.kind = TRAIN_SAVED};
    snprintf(e.text, sizeof e.text, "%s", checkpoint);
    work_tell(w, &e);
}

/* ---- making -----------------------------------------------------------------------------------
 */

/* A null model eats nothing. */
static bool eats(const work *w)
{
    return w->plan.input.type != 0;
}

static int open_data(work *w)
{
    if (!eats(w)) {
        train_plan_length(w->o, -1, &w->plan);
        return WEIR_EXIT_OK;
    }
    weir_data_options o = {
        .source = w->plan.data,
        .batch = w->plan.batch,
        .shuffle = true,
        .seed = (uint64_t)w->o->seed,
        .shard = w->worker,
        .shards = w->workers,
        .augment = w->o->augment,
        .whole_batches = true,
        .type = w->plan.input.type,
        .rank = w->plan.input.rank,
        .label_type = w->plan.input.label_type,
        .classes = w->plan.input.classes,
    };
    memcpy(o.dims, w->plan.input.dims, sizeof o.dims);
    w->data = weir_data_open(&o, w->status);
    if (!w->data)
        return work_fail(
            w, "cannot read the data",
            "--data takes a folder such as MNIST's (train-images-idx3-ubyte.gz ...), "
            "or 'synthetic';\n  docs/reference/data.md lists the kinds. Fashion-MNIST: apt-get "
            "install dataset-fashion-mnist.");
    train_plan_length(w->o, weir_data_examples(w->data), &w->plan);
    return WEIR_EXIT_OK;
}

static void build(work *w)
{
    const train_options *o = w->o;
    weir_hook hook = {.arg = w, .session_made = on_session, .saved = on_saved};
    weir_trainer_options options = {
        .job = w->job,
        .update = o->mode == TRAIN_ASYNC ? WEIR_ASYNC : WEIR_SYNC,
        .replicas_to_aggregate = o->mode == TRAIN_ASYNC ? 0 : w->plan.gradients,
        .checkpoint_dir = o->dir,
        .save_steps = o->save_steps > 0 ? o->save_steps : 0,
        .save_seconds = o->save_seconds,
        .keep = (int)o->keep,
        .last_step = w->plan.last_step,
        .hooks = &hook,
        .hook_count = 1,
    };
    w->t = weir_trainer_new(&options);
    train_plan_schedule(&w->plan, w->t);
    weir_model_options m = w->plan.build;
    m.optimizer = &w->plan.optimizer;
    weir_model_build(w->plan.model, w->t, &m, &w->graph);
    m.evaluate = true;
    m.batch = -1;
    w->tests = w->chief && eats(w) && w->plan.eval != TRAIN_EVAL_NEVER;
    if (w->tests || (w->chief && o->export_dir))
        weir_model_build(w->plan.model, w->t, &m, &w->test_graph);
}

static int start(work *w)
{
    build(w);
    weir_trainer_start(w->t, w->status);
    if (TF_GetCode(w->status) != TF_OK)
        return work_fail(w, "training does not start",
                         w->o->resume ? "Is the checkpoint that of the same model and optimiser?"
                                      : NULL);
    if (weir_trainer_at(w->t) > 0 && w->chief)
        work_note(w, "resumed at step %lld", (long long)weir_trainer_at(w->t));
    return work_events_open(w);
}

/* ---- the steps --------------------------------------------------------------------------------
 */

static void plan_next_test(work *w)
{
    int64_t at = weir_trainer_at(w->t);
    w->next_test = 0;
    if (!w->tests)
        return;
    if (w->plan.eval == TRAIN_EVAL_STEPS)
        w->next_test = (at / w->plan.eval_steps + 1) * w->plan.eval_steps;
    if (w->plan.eval == TRAIN_EVAL_EPOCH && w->plan.epoch_steps > 0)
        w->next_test = (int64_t)ceil((floor((double)at / w->plan.epoch_steps + 1e-9) + 1) *
                                     w->plan.epoch_steps);
}

static int account(work *w, TF_Tensor *loss_tensor)
{
    double loss = loss_tensor ? (double)*(const float *)TF_TensorData(loss_tensor) : 0;
    TF_DeleteTensor(loss_tensor);
    if (!isfinite(loss))
        return weir_cli_fail("A lower --rate often helps.", "the loss is %g at step %lld", loss,
                             (long long)weir_trainer_at(w->t));
    if (!w->steps)
        w->first_loss = loss;
    w->last_losses[w->steps % LAST_LOSSES] = loss;
    w->steps++;
    w->examples += w->plan.batch;
    w->told_loss += loss;
    w->told_steps++;
    int64_t at = weir_trainer_at(w->t);
    bool due = w->o->log_steps > 0
                   ? w->steps % w->o->log_steps == 0
                   : weir_now_ns() - w->told_ns >= TELL_MS * 1000000LL || w->steps == 1;
    if (due || at >= w->plan.last_step)
        tell_steps(w);
    return WEIR_EXIT_OK;
}

static void wait_as_straggler(const work *w)
{
    if (w->plan.straggler == w->worker)
        nanosleep(
            &(struct timespec){w->plan.straggle_ms / 1000, w->plan.straggle_ms % 1000 * 1000000L},
            NULL);
}

/* One batch and one step; *out_more is false at the end of training. */
static int step(work *w, bool *out_more)
{
    TF_Tensor *fed[2] = {NULL, NULL}, *loss = NULL;
    bool labels = w->plan.input.label_type != 0, has_loss = w->graph.loss.oper;
    *out_more = !eats(w) || weir_data_next(w->data, &fed[0], labels ? &fed[1] : NULL, w->status);
    if (!*out_more)
        return TF_GetCode(w->status) == TF_OK ? WEIR_EXIT_OK
                                              : work_fail(w, "the data cannot be read", NULL);
    wait_as_straggler(w);
    weir_step_io io = {.feeds = w->graph.feeds,
                       .feed_values = fed,
                       .feed_count = w->graph.feed_count,
                       .fetches = &w->graph.loss,
                       .fetched = &loss,
                       .fetch_count = has_loss};
    *out_more = weir_trainer_step(w->t, &io, w->status);
    for (int i = 0; i < 2; i++)
        if (fed[i])
            TF_DeleteTensor(fed[i]);
    if (*out_more)
        return account(w, loss);
    return TF_GetCode(w->status) == TF_OK ? WEIR_EXIT_OK : work_fail(w, "a step failed", NULL);
}

static int train(work *w)
{
    bool more = true;
    int status = WEIR_EXIT_OK;
    work_catch_signals(w->job ? PATIENCE_S : 0); /* until now there was nothing to save */
    w->started_ns = w->told_ns = weir_now_ns();
    plan_next_test(w);
    tell_start(w);
    while (more && !status && !work_signal()) {
        status = step(w, &more);
        int64_t at = weir_trainer_at(w->t);
        if (status || !w->next_test || at < w->next_test || at >= w->plan.last_step)
            continue;
        status = work_test(w);
        plan_next_test(w);
    }
    w->ended_ns = weir_now_ns();
    return status;
}

/* ---- the end ----------------------------------------------------------------------------------
 */

static int finish(work *w)
{
    int status = WEIR_EXIT_OK;
    bool interrupted = work_signal() != 0;
    if (w->tests && !interrupted && w->tested_step != weir_trainer_at(w->t))
        status = work_test(w);
    if (!status && !interrupted)
        status = work_export(w);
    weir_trainer_stop(w->t, w->status);
    if (!status && TF_GetCode(w->status) != TF_OK)
        status = work_fail(w, "the end of training failed",
                           w->o->dir ? "Is there room for the checkpoint?" : NULL);
    work_events_close(w);
    tell_done(w);
    return status;
}

static int work_all(work *w)
{
    int status = open_data(w);
    if (!status)
        status = start(w);
    if (!status)
        status = train(w);
    if (!status)
        status = finish(w);
    if (!status && work_signal())
        status = 128 + work_signal();
    return status;
}

static int serve(work *w)
{
    weir_job_serve(w->job, w->status);
    return TF_GetCode(w->status) == TF_OK ? WEIR_EXIT_OK : work_fail(w, "serving failed", NULL);
}

static int start_job(work *w)
{
    if (!w->job)
        return WEIR_EXIT_OK;
    weir_job_start(w->job, w->status);
    return TF_GetCode(w->status) == TF_OK
               ? WEIR_EXIT_OK
               : work_fail(w, "the task's server does not start",
                           "Is its port taken? 'ss -ltnp' shows by whom.");
}

int train_work(const train_options *o, weir_job *job, const train_listener *listener)
{
    work w = {.o = o,
              .job = job,
              .listener = listener,
              .tested_step = -1,
              .chief = true,
              .workers = 1,
              .status = TF_NewStatus()};
    bool ps = job && weir_job_is_ps(job);
    if (job) {
        w.workers = weir_job_workers(job);
        w.worker = ps ? 0 : weir_job_worker(job);
        w.chief = weir_job_is_chief(job);
    }
    int status = train_plan_make(o, w.workers, &w.plan);
    if (!status)
        status = start_job(&w);
    if (!status)
        status = ps ? serve(&w) : work_all(&w);
    weir_trainer_delete(w.t);
    weir_data_close(w.data);
    TF_DeleteStatus(w.status);
    return status;
}
