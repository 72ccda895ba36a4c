/* train_cluster.c - logistic regression over a cluster: parameter servers and workers in one
 * program.
 *
 *   train_cluster --job_name ps --task_index 0 --ps_hosts h:2220 --worker_hosts h:2221,h:2222 &
 *   train_cluster --job_name worker --task_index 0 --ps_hosts h:2220 --worker_hosts h:2221,h:2222 &
 *   train_cluster --job_name worker --task_index 1 --ps_hosts h:2220 --worker_hosts h:2221,h:2222
 *
 * The cluster may also come from --cluster FILE.json or TF_CONFIG; without any the program trains
 * alone. Options:
 *
 *   --mode async|sync|backup   how updates are made (backup: all workers but one)     async
 *   --steps N                  training ends at this global step                      1000
 *   --batch N, --rate X        pictures per step, learning rate                       100, 0.01
 *   --checkpoints DIR          save there, and go on from what is there
 *   --save_steps N             a checkpoint after so many steps
 *   --partitions N             cut the weights into so many pieces
 *   --greedy                   place variables by size, not in turn
 *   --target grpc://host:port  use a server that runs already for this task
 *   --data FILE                batch * 784 floats, then batch int32 labels; made up otherwise
 *
 * A worker prints one line of JSON at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "weir/train.h"

enum { PIXELS = 784, CLASSES = 10 };

typedef struct settings {
    const char *mode, *checkpoints, *target, *data;
    long steps, batch, save_steps, partitions;
    double rate;
    bool greedy;
} settings;

typedef struct model {
    TF_Output pixels, labels, loss;
} model;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- the command line ----------------------------------------------------------------------- */

static bool read_settings(int argc, char **argv, settings *s)
{
    *s = (settings){.mode = "async", .steps = 1000, .batch = 100, .rate = 0.01};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(name, "--greedy") == 0) {
            s->greedy = true;
            continue;
        }
        if (strcmp(name, "--mode") == 0)
            s->mode = value;
        else if (strcmp(name, "--steps") == 0)
            s->steps = atol(value);
        else if (strcmp(name, "--batch") == 0)
            s->batch = atol(value);
        else if (strcmp(name, "--rate") == 0)
            s->rate = atof(value);
        else if (strcmp(name, "--checkpoints") == 0)
            s->checkpoints = value;
        else if (strcmp(name, "--save_steps") == 0)
            s->save_steps = atol(value);
        else if (strcmp(name, "--partitions") == 0)
            s->partitions = atol(value);
        else if (strcmp(name, "--target") == 0)
            s->target = value;
        else if (strcmp(name, "--data") == 0)
            s->data = value;
        else
            return false;
        i++;
    }
    return s->batch > 0 && s->steps > 0;
}

/* ---- the model ------------------------------------------------------------------------------ */

static TF_Output mean(weir_builder *b, const char *name, TF_Output x)
{
    const int64_t one = 1;
    TF_Output axis = weir_build_const(b, "axis", TF_INT32, 1, &one, &(int32_t){0});
    return weir_build_op(b, "Mean", name, WEIR_INPUTS(x, axis));
}

static model build(weir_trainer *t, const settings *s)
{
    weir_builder *b = weir_trainer_builder(t);
    const int64_t x_dims[] = {s->batch, PIXELS}, w_dims[] = {PIXELS, CLASSES}, b_dims[] = {CLASSES};
    model m = {.pixels = weir_build_placeholder(b, "x", TF_FLOAT, 2, x_dims),
               .labels = weir_build_placeholder(b, "y", TF_INT32, 1, x_dims)};
    TF_Output weights = weir_trainer_variable(
        t, &(weir_variable_options){.name = "w",
                                    .rank = 2,
                                    .dims = w_dims,
                                    .initial = {WEIR_NORMAL, .b = 1, .seed = 1},
                                    .partitions = (int)s->partitions});
    TF_Output bias = weir_trainer_variable(
        t,
        &(weir_variable_options){
            .name = "b", .rank = 1, .dims = b_dims, .initial = {WEIR_NORMAL, .b = 1, .seed = 2}});
    TF_Output product = weir_build_op(b, "MatMul", "MatMul", WEIR_INPUTS(m.pixels, weights));
    TF_Output logits = weir_build_op(b, "AddV2", "logits", WEIR_INPUTS(product, bias));
    TF_Output losses = weir_build_op(b, "SparseSoftmaxCrossEntropyWithLogits", "losses",
                                     WEIR_INPUTS(logits, m.labels));
    m.loss = mean(b, "loss", losses);
    weir_trainer_minimize(t, m.loss,
                          &(weir_optimizer){WEIR_GRADIENT_DESCENT, .rate = (float)s->rate});
    return m;
}

/* ---- the data ------------------------------------------------------------------------------- */

/* Pictures of noise, with labels that a straight line can find. */
static void make_up(const settings *s, unsigned seed, float *x, int32_t *y)
{
    for (long i = 0; i < s->batch; i++) {
        y[i] = (int32_t)((seed + (unsigned)i) % CLASSES);
        for (int k = 0; k < PIXELS; k++) {
            seed = seed * 1664525u + 1013904223u;
            x[i * PIXELS + k] = (float)(seed >> 8) / (1 << 24) + (k % CLASSES == y[i] ? 0.5f : 0);
        }
    }
}

static bool load(const settings *s, TF_Tensor *x, TF_Tensor *y)
{
    FILE *f = fopen(s->data, "rb");
    bool ok = f && fread(TF_TensorData(x), TF_TensorByteSize(x), 1, f) == 1 &&
              fread(TF_TensorData(y), TF_TensorByteSize(y), 1, f) == 1;
    if (f)
        fclose(f);
    return ok;
}

/* ---- training ------------------------------------------------------------------------------- */

static int fail(const TF_Status *status, const char *doing)
{
    fprintf(stderr, "train_cluster: %s: %s\n", doing, TF_Message(status));
    return 1;
}

static weir_trainer_options options_of(const settings *s, weir_job *job)
{
    int workers = weir_job_workers(job);
    bool backup = strcmp(s->mode, "backup") == 0;
    return (weir_trainer_options){
        .job = job,
        .update = backup || strcmp(s->mode, "sync") == 0 ? WEIR_SYNC : WEIR_ASYNC,
        .replicas_to_aggregate = backup && workers > 1 ? workers - 1 : 0,
        .balance = s->greedy ? WEIR_GREEDY : WEIR_ROUND_ROBIN,
        .checkpoint_dir = s->checkpoints,
        .save_steps = s->save_steps,
        .last_step = s->steps,
    };
}

static int train(weir_trainer *t, const model *m, weir_job *job, TF_Tensor *const feeds[2],
                 double began, TF_Status *status)
{
    weir_trainer_start(t, status);
    if (TF_GetCode(status) != TF_OK)
        return fail(status, "starting");
    TF_Output inputs[] = {m->pixels, m->labels};
    TF_Tensor *loss = NULL;
    weir_step_io io = {inputs, feeds, 2, &m->loss, &loss, 1, false};
    double started = now(), first = 0, last = 0;
    long own = 0;
    for (; weir_trainer_step(t, &io, status); own++) {
        last = *(float *)TF_TensorData(loss);
        first = own ? first : last;
        TF_DeleteTensor(loss);
    }
    double ended = now();
    if (TF_GetCode(status) != TF_OK)
        return fail(status, "training");
    long long at = weir_trainer_at(t);
    weir_trainer_stop(t, status);
    if (TF_GetCode(status) != TF_OK)
        return fail(status, "ending");
    printf("{\"task\": %d, \"start_s\": %.3f, \"train_s\": %.3f, \"own_steps\": %ld, "
           "\"global_step\": %lld, \"first_loss\": %.6f, \"last_loss\": %.6f, \"stop_s\": %.3f}\n",
           weir_job_worker(job), started - began, ended - started, own, at, first, last,
           now() - ended);
    return 0;
}

static int work(weir_job *job, const settings *s, TF_Status *status)
{
    double began = now();
    const int64_t dims[] = {s->batch, PIXELS};
    size_t count = (size_t)s->batch;
    TF_Tensor *feeds[] = {
        TF_AllocateTensor(TF_FLOAT, dims, 2, count * PIXELS * sizeof(float)),
        TF_AllocateTensor(TF_INT32, dims, 1, count * sizeof(int32_t)),
    };
    if (!s->data)
        make_up(s, (unsigned)weir_job_worker(job) + 1, TF_TensorData(feeds[0]),
                TF_TensorData(feeds[1]));
    else if (!load(s, feeds[0], feeds[1]))
        return fprintf(stderr, "train_cluster: cannot read %s\n", s->data), 1;
    weir_trainer_options options = options_of(s, job);
    weir_trainer *t = weir_trainer_new(&options);
    model m = build(t, s);
    int result = train(t, &m, job, feeds, began, status);
    weir_trainer_delete(t);
    TF_DeleteTensor(feeds[0]);
    TF_DeleteTensor(feeds[1]);
    return result;
}

static int run(weir_job *job, const settings *s, TF_Status *status)
{
    if (s->target)
        weir_job_set_target(job, s->target);
    else
        weir_job_start(job, status);
    if (TF_GetCode(status) != TF_OK)
        return fail(status, "starting the server");
    if (!weir_job_is_ps(job))
        return work(job, s, status);
    weir_job_serve(job, status);
    return TF_GetCode(status) == TF_OK ? 0 : fail(status, "serving");
}

int main(int argc, char **argv)
{
    settings s;
    TF_Status *status = TF_NewStatus();
    weir_job *job = weir_job_from_args(&argc, argv, status);
    if (!job)
        return fail(status, "the cluster");
    if (!read_settings(argc, argv, &s))
        return fprintf(stderr, "train_cluster: the options are at the top of train_cluster.c\n"), 2;
    int result = run(job, &s, status);
    weir_job_delete(job);
    TF_DeleteStatus(status);
    return result;
}
