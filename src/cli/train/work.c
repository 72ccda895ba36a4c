/* cli/train/work.c - one task: a worker's steps, or a parameter server's wait. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/train/work_impl.h"
#include "dist/wire_choice.h"
#include "train/balance.h"
#include "train/job.h"
#include "weir/checkpoint.h"

enum {
    TELL_MS = 100,   /* interval of step events */
    PATIENCE_S = 20, /* time-out of a cluster task after SIGINT or SIGTERM */
    FOLLOW_S = 3,    /* after that, how long a worker continues for the chief */
};

/* ---- events ---------------------------------------------------------------------------------- */

double work_seconds(const work *work)
{
    int64_t until = work->ended_ns ? work->ended_ns : weir_now_ns();
    return work->started_ns ? (double)(until - work->started_ns - work->paused_ns) / 1e9 : 0;
}

void work_tell(work *work, train_event *event)
{
    event->worker = work->worker;
    event->step = work->t ? weir_trainer_at(work->t) : 0;
    event->last_step = work->plan.last_step;
    event->epoch = work->plan.epoch_steps > 0 ? (double)event->step / work->plan.epoch_steps : 0;
    event->seconds = work_seconds(work);
    event->steps = work->steps;
    work->listener->tell(work->listener->arg, event);
}

void work_note(work *work, const char *fmt, ...)
{
    train_event event = {.kind = TRAIN_NOTE};
    va_list args;
    va_start(args, fmt);
    vsnprintf(event.text, sizeof event.text, fmt, args);
    va_end(args);
    work_tell(work, &event);
}

/* Advice for resources that a machine lacks, whatever requested them. */
static const char *cure_of(const TF_Status *status, const char *cure)
{
    static const struct {
        const char *sign, *cure;
    } lacks[] = {
        {"No space left on device", "Free some space on that disk, or give a folder on another; "
                                    "--resume goes on from the last "
                                    "checkpoint."},
        {"OOM", "A smaller --batch takes less memory."},
    };
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (strstr(TF_Message(status), lacks[i].sign))
            return lacks[i].cure;
    return cure;
}

/* Whether a task that is restarted fails in the same way. Before the first step that holds for
 * files and settings that are wrong; later ones may be those of a lost task or a damaged message.
 */
static bool is_permanent(const work *work)
{
    static const TF_Code codes[] = {TF_INVALID_ARGUMENT, TF_NOT_FOUND,     TF_PERMISSION_DENIED,
                                    TF_OUT_OF_RANGE,     TF_UNIMPLEMENTED, TF_DATA_LOSS};
    bool listed = false;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        listed |= TF_GetCode(work->status) == codes[i];
    return listed && !work->steps;
}

int work_fail(work *work, const char *what, const char *cure)
{
    if (work->o->part && is_permanent(work))
        work_tell(work, &(train_event){.kind = TRAIN_PERMANENT});
    return weir_cli_fail(cure_of(work->status, cure), "%s: %s", what, TF_Message(work->status));
}

static void tell_start(work *work)
{
    train_event event = {.kind = TRAIN_START, .pid = getpid()};
    WEIR_BUF(text);
    weir_buf_addf(&text, "%s on %s; ", work->o->model,
                  work->data ? weir_data_about(work->data) : "no data");
    train_plan_about(&work->plan, &text);
    snprintf(event.text, sizeof event.text, "%s", text.at);
    work_tell(work, &event);
}

/* The mean of the last losses. */
static double recent_loss(const work *work)
{
    int count = work->steps < LAST_LOSSES ? (int)work->steps : LAST_LOSSES;
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += work->last_losses[i];
    return count ? sum / count : NAN;
}

static void tell_steps(work *work)
{
    int64_t now = weir_now_ns();
    double seconds = (double)(now - work->told_ns) / 1e9;
    train_event event = {
        .kind = TRAIN_STEP,
        .loss = work->told_loss / (double)work->told_steps,
        .examples_per_s =
            seconds > 0 ? (double)(work->examples - work->told_examples) / seconds : 0,
        .examples = work->examples,
        .first_loss = work->first_loss,
    };
    work->told_ns = now;
    work->told_examples = work->examples;
    work->told_loss = 0;
    work->told_steps = 0;
    work_tell(work, &event);
    work_events_step(work, &event);
}

static void tell_done(work *work)
{
    double seconds = work_seconds(work);
    train_event event = {
        .kind = TRAIN_DONE,
        .loss = recent_loss(work),
        .examples_per_s = seconds > 0 ? (double)work->examples / seconds : 0,
        .examples = work->examples,
        .first_loss = work->steps ? work->first_loss : NAN,
        .interrupted = work_signal() != 0,
    };
    work_tell(work, &event);
}

/* ---- hooks ----------------------------------------------------------------------------------- */

static void on_session(void *arg, weir_trainer *trainer)
{
    work *work = arg;
    if (work->sessions++ > 0)
        work_note(work, "a task was lost; going on from step %lld",
                  (long long)weir_trainer_at(trainer));
}

static void on_saved(void *arg, weir_trainer *trainer, const char *checkpoint)
{
    work *work = arg;
    (void)trainer;
    train_event event = {.kind = TRAIN_SAVED};
    snprintf(event.text, sizeof event.text, "%s", checkpoint);
    work_tell(work, &event);
}

/* ---- creation -------------------------------------------------------------------------------- */

/* A null model has no inputs. */
static bool has_input(const work *work)
{
    return work->plan.input.type != 0;
}

static int open_data(work *work)
{
    if (!has_input(work)) {
        train_plan_length(work->o, -1, &work->plan);
        return WEIR_EXIT_OK;
    }
    weir_data_options options = {
        .source = work->plan.data,
        .batch = work->plan.batch,
        .shuffle = true,
        .seed = (uint64_t)work->o->seed,
        .shard = work->worker,
        .shards = work->workers,
        .augment = work->o->augment,
        .whole_batches = true,
        .type = work->plan.input.type,
        .rank = work->plan.input.rank,
        .label_type = work->plan.input.label_type,
        .classes = work->plan.input.classes,
    };
    memcpy(options.dims, work->plan.input.dims, sizeof options.dims);
    work->data = weir_data_open(&options, work->status);
    if (!work->data)
        return work_fail(work, "cannot read the data",
                         "--data takes a folder such as MNIST's (train-images-idx3-ubyte.gz ...), "
                         "'digits' or 'synthetic';\n  docs/reference/data.md lists the kinds. "
                         "Fashion-MNIST: apt-get "
                         "install dataset-fashion-mnist.");
    train_plan_length(work->o, weir_data_examples(work->data), &work->plan);
    work->tests = work->chief && work->plan.eval != TRAIN_EVAL_NEVER;
    return work->tests ? work_test_check(work) : WEIR_EXIT_OK;
}

static weir_update update_of(const train_options *options)
{
    static const weir_update updates[] = {[TRAIN_ASYNC] = WEIR_ASYNC,
                                          [TRAIN_SYNC] = WEIR_SYNC,
                                          [TRAIN_BACKUP] = WEIR_SYNC,
                                          [TRAIN_ALLREDUCE] = WEIR_ALLREDUCE};
    return updates[options->mode];
}

static void build(work *work)
{
    const train_options *train_options = work->o;
    weir_hook hook = {.arg = work, .session_made = on_session, .saved = on_saved};
    weir_trainer_options options = {
        .job = work->job,
        .update = update_of(train_options),
        .replicas_to_aggregate = train_options->mode == TRAIN_ASYNC ? 0 : work->plan.gradients,
        .balance = train_options->balance ? WEIR_GREEDY : WEIR_ROUND_ROBIN,
        .cut_bytes = train_options->cut,
        .checkpoint_dir = train_options->dir,
        .save_steps = train_options->save_steps > 0 ? train_options->save_steps : 0,
        .save_seconds = train_options->save_seconds,
        .keep = (int)train_options->keep,
        .last_step = work->plan.last_step,
        .hooks = &hook,
        .hook_count = 1,
    };
    work->t = weir_trainer_new(&options);
    train_plan_schedule(&work->plan, work->t);
    weir_model_options model_options = work->plan.build;
    model_options.optimizer = &work->plan.optimizer;
    weir_model_build(work->plan.model, work->t, &model_options, &work->graph);
    model_options.evaluate = true;
    model_options.batch = -1;
    if (work->tests || (work->chief && train_options->export_dir))
        weir_model_build(work->plan.model, work->t, &model_options, &work->test_graph);
}

/* Whether the chief resumes from a checkpoint. A step above 0 alone may come from other workers
 * that started before its first poll. */
static bool has_checkpoint(const work *work)
{
    if (!work->chief || !work->o->dir)
        return false;
    TF_Status *ignored = TF_NewStatus();
    TF_Buffer *latest = weir_checkpoint_latest(work->o->dir, ignored);
    bool has = latest != NULL;
    if (latest)
        TF_DeleteBuffer(latest);
    TF_DeleteStatus(ignored);
    return has;
}

static int start(work *work)
{
    bool resumes = has_checkpoint(work);
    static const char cure[] =
        "Is the checkpoint that of the same model and optimiser? If it is damaged, name an older "
        "one\n  as model_checkpoint_path in the file 'checkpoint' of --dir.";
    build(work);
    weir_trainer_start(work->t, work->status);
    if (TF_GetCode(work->status) != TF_OK)
        return work_fail(work, "training does not start", work->o->resume ? cure : NULL);
    WEIR_BUF(balance);
    if (work->chief && weir_trainer_balance(work->t, &balance))
        work_note(work, "%s", balance.at);
    if (resumes)
        work_note(work, "resumed at step %lld", (long long)weir_trainer_at(work->t));
    return work_events_open(work);
}

/* ---- the steps ------------------------------------------------------------------------------- */

static void plan_next_test(work *work)
{
    int64_t at = weir_trainer_at(work->t);
    work->next_test = 0;
    if (!work->tests)
        return;
    if (work->plan.eval == TRAIN_EVAL_STEPS)
        work->next_test = (at / work->plan.eval_steps + 1) * work->plan.eval_steps;
    if (work->plan.eval == TRAIN_EVAL_EPOCH && work->plan.epoch_steps > 0)
        work->next_test = (int64_t)ceil((floor((double)at / work->plan.epoch_steps + 1e-9) + 1) *
                                        work->plan.epoch_steps);
}

static int account(work *work, TF_Tensor *loss_tensor)
{
    double loss = loss_tensor ? (double)*(const float *)TF_TensorData(loss_tensor) : 0;
    TF_DeleteTensor(loss_tensor);
    if (!isfinite(loss))
        return weir_cli_fail("A lower --rate often helps.", "the loss is %s at step %lld",
                             isnan(loss) ? "nan"
                             : loss > 0  ? "inf"
                                         : "-inf",
                             (long long)weir_trainer_at(work->t));
    if (!work->steps)
        work->first_loss = loss;
    work->last_losses[work->steps % LAST_LOSSES] = loss;
    work->steps++;
    work->examples += work->plan.batch;
    work->told_loss += loss;
    work->told_steps++;
    int64_t at = weir_trainer_at(work->t);
    bool due = work->o->log_steps > 0
                   ? work->steps % work->o->log_steps == 0
                   : weir_now_ns() - work->told_ns >= TELL_MS * 1000000LL || work->steps == 1;
    if (due || at >= work->plan.last_step)
        tell_steps(work);
    return WEIR_EXIT_OK;
}

static void wait_as_straggler(const work *work)
{
    if (work->plan.straggler == work->worker)
        nanosleep(&(struct timespec){work->plan.straggle_ms / 1000,
                                     work->plan.straggle_ms % 1000 * 1000000L},
                  NULL);
}

/* Runs one batch and one step; *out_more is false at the end of training. */
static int step(work *work, bool *out_more)
{
    TF_Tensor *fed[2] = {NULL, NULL}, *loss = NULL;
    bool labels = work->plan.input.label_type != 0, has_loss = work->graph.loss.oper;
    *out_more = !has_input(work) ||
                weir_data_next(work->data, &fed[0], labels ? &fed[1] : NULL, work->status);
    if (!*out_more)
        return TF_GetCode(work->status) == TF_OK ? WEIR_EXIT_OK
                                                 : work_fail(work, "the data cannot be read", NULL);
    wait_as_straggler(work);
    weir_step_io io = {.feeds = work->graph.feeds,
                       .feed_values = fed,
                       .feed_count = work->graph.feed_count,
                       .fetches = &work->graph.loss,
                       .fetched = &loss,
                       .fetch_count = has_loss};
    work_wait_begin(work);
    *out_more = weir_trainer_step(work->t, &io, work->status);
    work_wait_end(work);
    for (int i = 0; i < 2; i++)
        if (fed[i])
            TF_DeleteTensor(fed[i]);
    if (*out_more)
        return account(work, loss);
    return TF_GetCode(work->status) == TF_OK ? WEIR_EXIT_OK
                                             : work_fail(work, "a step failed", NULL);
}

/* With all-reduce, a worker that ended alone would be missing for the others: it votes to end,
 * and the trainer ends them all after the same step. In synchronous steps the chief's last one
 * needs the others' gradients: they continue until it has closed the token queue, or a time-out
 * expires. */
static bool must_end(work *work)
{
    train_mode mode = work->o->mode;
    if (!work_signal() || work->workers == 1 || mode == TRAIN_ASYNC)
        return work_signal() != 0;
    if (mode == TRAIN_ALLREDUCE) {
        weir_trainer_ask_stop(work->t);
        return false;
    }
    return work->chief || work_signal_age_s() > FOLLOW_S;
}

static int train(work *work)
{
    bool more = true;
    int status = WEIR_EXIT_OK;
    work_catch_signals(work->job ? PATIENCE_S : 0); /* there was nothing to save before */
    work->started_ns = work->told_ns = weir_now_ns();
    plan_next_test(work);
    tell_start(work);
    while (more && !status && !must_end(work)) {
        status = step(work, &more);
        int64_t at = weir_trainer_at(work->t);
        if (status || !work->next_test || at < work->next_test || at >= work->plan.last_step)
            continue;
        status = work_test(work);
        plan_next_test(work);
    }
    work->ended_ns = weir_now_ns();
    if (status && work->told_steps)
        tell_steps(work); /* progress so far */
    return status;
}

/* ---- the end --------------------------------------------------------------------------------- */

static int finish(work *work)
{
    int status = WEIR_EXIT_OK;
    bool interrupted = work_signal() != 0;
    if (work->tests && !interrupted && work->tested_step != weir_trainer_at(work->t))
        status = work_test(work);
    if (!status && !interrupted)
        status = work_export(work);
    else if (work->o->export_dir && work->chief)
        work_note(work, "no SavedModel was written to %s: the training did not come to its end",
                  work->o->export_dir);
    weir_trainer_stop(work->t, work->status);
    if (!status && TF_GetCode(work->status) != TF_OK)
        status = work_fail(work, "the end of training failed",
                           work->o->dir ? "Is there room for the checkpoint?" : NULL);
    work_events_close(work);
    tell_done(work);
    return status;
}

static int work_all(work *work)
{
    int status = open_data(work);
    if (!status)
        status = start(work);
    if (!status)
        status = train(work);
    if (!status)
        status = finish(work);
    if (!status && work_signal())
        status = 128 + work_signal();
    return status;
}

static int serve(work *work)
{
    weir_job_serve(work->job, work->status);
    return TF_GetCode(work->status) == TF_OK ? WEIR_EXIT_OK
                                             : work_fail(work, "serving failed", NULL);
}

/* With --start-timeout, waits until every task has responded before the first step. */
static int wait_for_tasks(work *work)
{
    if (!work->o->start_timeout)
        return WEIR_EXIT_OK;
    weir_status status = weir_job_wait(work->job, 1000 * work->o->start_timeout);
    return status ? (weir_cli_fail_status(
                         "Start that task, or mend its address in the cluster, and try again.",
                         status),
                     WEIR_EXIT_TRY_AGAIN)
                  : WEIR_EXIT_OK;
}

static int start_job(work *work)
{
    if (!work->job)
        return WEIR_EXIT_OK;
    weir_job_start(work->job, work->status);
    return TF_GetCode(work->status) == TF_OK
               ? wait_for_tasks(work)
               : work_fail(work, "the task's server does not start",
                           "Is its port taken? 'ss -ltnp' shows by whom.");
}

/* --wire-dtype; the environment's if it is not given. */
static int choose_wire(const train_options *options)
{
    static const char *const names[] = {"float32", "bfloat16", "float16"};
    weir_status status = options->wire ? weir_wire_type_set(names[options->wire]) : WEIR_OK;
    return status ? weir_cli_fail_status(NULL, status) : WEIR_EXIT_OK;
}

int train_work(const train_options *options, weir_job *job, const train_listener *listener)
{
    work work = {.o = options,
                 .job = job,
                 .listener = listener,
                 .tested_step = -1,
                 .chief = true,
                 .workers = 1,
                 .wait = {.lock = WEIR_MUTEX_INIT},
                 .status = TF_NewStatus()};
    bool ps = job && weir_job_is_ps(job);
    if (job) {
        work.workers = weir_job_workers(job);
        work.worker = ps ? 0 : weir_job_worker(job);
        work.chief = weir_job_is_chief(job);
    }
    int status = train_plan_make(options, work.workers, &work.plan);
    if (!status)
        status = choose_wire(options);
    if (!status)
        status = start_job(&work);
    if (!status)
        status = ps ? serve(&work) : work_all(&work);
    weir_trainer_delete(work.t);
    weir_data_close(work.data);
    TF_DeleteStatus(work.status);
    return status;
}
