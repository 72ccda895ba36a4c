/* lab/bench/task.c - weir bench task: a parameter server, or a worker that logs its steps.
 *
 * TF_CONFIG gives the task; an inherited descriptor is the step log.
 */
#include "lab/bench/task.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "capi/status.h"
#include "lab/bench/tensorflow.h"
#include "lab/sample/step_log.h"
#include "train/job.h"
#include "weir/data.h"
#include "weir/models.h"

typedef struct task_args {
    const char *model, *data, *tensorflow;
    long batch, size, classes, bytes, cut, steps, aggregate, log, straggle_every, test;
    double rate, straggle_ms;
    int update;
} task_args;

typedef struct task {
    const task_args *a;
    const weir_model *model;
    weir_model_options options;
    weir_job *job;
    weir_trainer *trainer;
    weir_model_graph train, judge;
    weir_data *data;
    weir_step_log *log;
    TF_Status *status;
} task;

static bool ok(const task *task)
{
    return TF_GetCode(task->status) == TF_OK;
}

/* ---- data ------------------------------------------------------------------------------------ */

static weir_data *open_data(task *task, const char *split)
{
    weir_model_input in;
    weir_model_input_with(task->model, &task->options, &in);
    if (!in.type)
        return NULL;
    weir_data_options options = {
        .source = task->a->data,
        .split = split,
        .batch = in.batch,
        .shuffle = split == NULL,
        .epochs = split ? 1 : 0,
        .shard = split ? 0 : weir_job_worker(task->job),
        .shards = split ? 1 : weir_job_workers(task->job),
        .seed = split ? 0 : (uint64_t)weir_job_worker(task->job),
        .whole_batches = split == NULL,
        .type = in.type,
        .rank = in.rank,
        .label_type = in.label_type,
        .classes = in.classes,
    };
    for (int i = 0; i < in.rank; i++)
        options.dims[i] = in.dims[i];
    return weir_data_open(&options, task->status);
}

/* Sets the values to feed; the caller owns them. */
static bool next_batch(task *task, weir_data *from, TF_Tensor *values[2])
{
    values[0] = values[1] = NULL;
    return !from || weir_data_next(from, &values[0], &values[1], task->status);
}

static void delete_batch(TF_Tensor *values[2])
{
    for (int i = 0; i < 2; i++)
        if (values[i])
            TF_DeleteTensor(values[i]);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Delays the slow worker of the experiment that needs one. */
static void straggle(const task *task, int64_t step)
{
    const task_args *args = task->a;
    bool slow = weir_job_worker(task->job) == weir_job_workers(task->job) - 1;
    if (!(args->straggle_ms > 0) || !slow || step % args->straggle_every)
        return;
    int64_t ns = (int64_t)(args->straggle_ms * 1e6);
    nanosleep(&(struct timespec){ns / 1000000000, ns % 1000000000}, NULL);
}

static double scalar(TF_Tensor *value)
{
    double number =
        value && TF_TensorType(value) == TF_FLOAT && TF_TensorByteSize(value) >= sizeof(float)
            ? (double)*(const float *)TF_TensorData(value)
            : NAN;
    if (value)
        TF_DeleteTensor(value);
    return number;
}

static bool step(task *task, int64_t number)
{
    TF_Tensor *values[2], *loss = NULL;
    bool fetch = task->train.loss.oper != NULL;
    if (!next_batch(task, task->data, values))
        return false;
    weir_step_io io = {.feeds = task->train.feeds,
                       .feed_values = values,
                       .feed_count = task->train.feed_count,
                       .fetches = &task->train.loss,
                       .fetched = &loss,
                       .fetch_count = fetch};
    weir_step_record record = {.begin_ns = weir_now_ns()};
    straggle(task, number);
    bool ran = weir_trainer_step(task->trainer, &io, task->status);
    record.end_ns = weir_now_ns();
    record.at = weir_trainer_at(task->trainer);
    record.loss = scalar(loss);
    if (ran)
        weir_step_log_add(task->log, &record);
    delete_batch(values);
    return ran;
}

/* ---- the test -------------------------------------------------------------------------------- */

/* Evaluates one test batch: returns its size, and adds to the sums. */
static int64_t judge_batch(task *task, TF_Tensor *values[2], double sums[2])
{
    TF_Output fetches[2] = {task->judge.accuracy, task->judge.loss};
    TF_Tensor *fetched[2] = {NULL, NULL};
    int64_t count = TF_Dim(values[0], 0);
    TF_SessionRun(weir_trainer_session(task->trainer), NULL, task->judge.feeds, values,
                  task->judge.feed_count, fetches, fetched, 2, NULL, 0, NULL, task->status);
    if (!ok(task))
        return 0;
    for (int i = 0; i < 2; i++)
        sums[i] += scalar(fetched[i]) * (double)count;
    return count;
}

/* The chief evaluates the model after training. */
static void judge(task *task)
{
    TF_Tensor *values[2];
    double sums[2] = {0, 0};
    int64_t seen = 0;
    weir_step_log_set(task->log, TASK_ACCURACY, -1);
    if (!task->judge.accuracy.oper || !weir_job_is_chief(task->job))
        return;
    weir_data *data = open_data(task, "test");
    while (data && seen < task->a->test && next_batch(task, data, values)) {
        int64_t count = judge_batch(task, values, sums);
        delete_batch(values);
        if (!count)
            break;
        seen += count;
    }
    weir_data_close(data);
    if (!seen || !ok(task))
        return;
    weir_step_log_set(task->log, TASK_ACCURACY, sums[0] / (double)seen);
    weir_step_log_set(task->log, TASK_TEST_LOSS, sums[1] / (double)seen);
}

/* ---- entry point ----------------------------------------------------------------------------- */

static void build(task *task)
{
    weir_model_build(task->model, task->trainer, &task->options, &task->train);
    if (task->a->test <= 0)
        return;
    weir_model_options options = task->options;
    options.evaluate = true;
    options.batch = -1;
    weir_model_build(task->model, task->trainer, &options, &task->judge);
}

/* Otherwise async workers that start early would do the steps of late ones. */
static void wait_for_others(const task *task)
{
    while (weir_step_log_get(task->log, TASK_GO) == 0)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static void make_trainer(task *task)
{
    const task_args *args = task->a;
    task->options = (weir_model_options){.batch = (int)args->batch,
                                         .size = (int)args->size,
                                         .classes = args->classes,
                                         .bytes = args->bytes,
                                         .rate = args->rate};
    task->trainer = weir_trainer_new(
        &(weir_trainer_options){.job = task->job,
                                .update = (weir_update)args->update,
                                .replicas_to_aggregate = (int)args->aggregate,
                                .balance = args->cut ? WEIR_GREEDY : WEIR_ROUND_ROBIN,
                                .cut_bytes = args->cut,
                                .last_step = args->steps,
                                .give_up_seconds = 120});
    build(task);
    task->data = open_data(task, NULL);
}

/* Executes the interpreter in place of this process; returns only on failure. */
static void work_on_tensorflow(task *task)
{
    const task_args *args = task->a;
    bool slow = weir_job_worker(task->job) == weir_job_workers(task->job) - 1;
    make_trainer(task);
    if (ok(task))
        weir_capi_end(task->status,
                      bench_tensorflow_run(
                          args->tensorflow,
                          &(bench_tensorflow_work){.trainer = task->trainer,
                                                   .graph = &task->train,
                                                   .data = task->data,
                                                   .steps = args->steps,
                                                   .straggle_every = args->straggle_every,
                                                   .straggle_ms = slow ? args->straggle_ms : 0,
                                                   .log = (int)args->log}));
    weir_data_close(task->data);
    weir_trainer_delete(task->trainer);
}

static void work(task *task)
{
    make_trainer(task);
    if (ok(task))
        weir_trainer_start(task->trainer, task->status);
    weir_step_log_set(task->log, TASK_READY_NS, (double)weir_now_ns());
    if (ok(task))
        wait_for_others(task);
    for (int64_t i = 0; ok(task) && step(task, i); i++)
        ;
    if (ok(task))
        judge(task);
    TF_Status *stopped = TF_NewStatus();
    weir_trainer_stop(task->trainer, stopped);
    if (ok(task))
        TF_SetStatus(task->status, TF_GetCode(stopped), TF_Message(stopped));
    TF_DeleteStatus(stopped);
    weir_data_close(task->data);
    weir_trainer_delete(task->trainer);
}

static void serve_or_work(task *task)
{
    weir_task_flags none = {WEIR_NO_TASK_FLAGS};
    const char *tensorflow = task->a->tensorflow;
    if (weir_capi_end(task->status, weir_job_from_flags(&none, &task->job)) && !tensorflow)
        weir_job_start(task->job, task->status);
    if (!ok(task))
        return;
    if (tensorflow && weir_job_is_ps(task->job))
        weir_capi_end(task->status, bench_tensorflow_serve(tensorflow));
    else if (tensorflow)
        work_on_tensorflow(task);
    else if (weir_job_is_ps(task->job))
        weir_job_serve(task->job, task->status);
    else
        work(task);
}

static int run_task(void *args, int argc, char **argv)
{
    task task = {.a = args, .status = TF_NewStatus()};
    task.model = weir_model_find(task.a->model);
    if (!task.model)
        return weir_cli_fail("'weir bench --list' names the models.", "there is no model '%s'",
                             task.a->model);
    weir_status result = weir_step_log_open((int)task.a->log, &task.log);
    if (result)
        return weir_cli_fail_status(NULL, result);
    serve_or_work(&task);
    int status = ok(&task) ? WEIR_EXIT_OK : weir_cli_fail(NULL, "%s", TF_Message(task.status));
    weir_job_delete(task.job);
    weir_step_log_destroy(task.log);
    TF_DeleteStatus(task.status);
    return status;
}

static const weir_option options[] = {
    {"model", 0, "NAME", "what is trained", WEIR_TEXT(task_args, model)},
    {"data", 0, "DIR", "on what", WEIR_TEXT(task_args, data)},
    {"batch", 0, "N", "examples in a step", WEIR_INDEX(task_args, batch)},
    {"size", 0, "N", "side of the images", WEIR_INDEX(task_args, size)},
    {"classes", 0, "N", "classes", WEIR_INDEX(task_args, classes)},
    {"bytes", 0, "N", "parameters of the null model", WEIR_INDEX(task_args, bytes), WEIR_LONG},
    {"steps", 0, "N", "global steps", WEIR_INDEX(task_args, steps), WEIR_LONG},
    {"rate", 0, "X", "of learning", WEIR_REAL(task_args, rate)},
    {"update", 0, "HOW", "of the parameters", WEIR_CHOICE(task_args, update, "async|sync")},
    {"aggregate", 0, "N", "gradients in an update", WEIR_INDEX(task_args, aggregate)},
    {"log", 0, "FD", "where steps are noted", WEIR_INDEX(task_args, log)},
    {"straggle", 0, "MS", "delay of the last worker", WEIR_REAL(task_args, straggle_ms)},
    {"cut", 0, "N", "bytes above which variables are partitioned", WEIR_INDEX(task_args, cut)},
    {"straggle-every", 0, "N", "in each so many'th step", WEIR_NUMBER(task_args, straggle_every)},
    {"tensorflow", 0, "PYTHON", "on this interpreter's TensorFlow",
     WEIR_TEXT(task_args, tensorflow)},
    {"test", 0, "N", "examples of the test at the end", WEIR_INDEX(task_args, test), WEIR_LONG},
};

const weir_command bench_command_task = {
    .name = "task",
    .summary = "one task of an experiment",
    .about = "What experiments start; TF_CONFIG says which task it is.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(task_args, .model = "logreg", .data = "synthetic", .straggle_every = 1),
    .hidden = true,
    .run = run_task,
};
