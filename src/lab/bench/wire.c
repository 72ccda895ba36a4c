/* lab/bench/wire.c - weir bench wire: transfers between tasks compared with plain sockets.
 *
 * One parameter server and workers, each a process of this program. They alternate between a step
 * of Weir and the same exchange over plain sockets between the same processes. All workers run
 * concurrently; the first measures from the start of all to the end of all, and prints.
 *
 * The steps do no arithmetic: a round trip sends a number to the server and receives one. A null
 * step fetches parameters, and for each received one sends a value of the same size, which becomes
 * the new parameter. One element is modified first, because unchanged values would not be sent
 * again.
 */
#include "lab/bench/wire.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "capi/status.h"
#include "command/progress.h"
#include "lab/bench/group.h"
#include "proc/sockets.h"
#include "train/job.h"
#include "weir/ops/state.h"

enum {
    MOST_SIZES = 16,
    MOST_WORKERS = GROUP_MOST_TASKS - 1,
    PIECES = 16,              /* parameters of a null step, ... */
    PIECES_FROM = 1 << 16,    /* ... if it has that many bytes */
    WARM_UP = 3,              /* batches */
    FEWEST_ROUNDS = 5,        /* batches that are measured */
    MOST_ROUNDS = 41,         /* likewise */
    MOVED_BYTES = 2000000000, /* bytes moved by all rounds of a size together, approximately */
    SMALL_BATCH = 200,        /* steps per batch, ... */
    BATCH_BYTES = 4000000,    /* ... which moves at most this many bytes, or is one step */
};

typedef struct wire_args {
    const char *bytes, *transports;
    long workers, rounds, port;
    int format;
} wire_args;

/* ---- measured steps -------------------------------------------------------------------------- */

typedef struct wire_step {
    int64_t bytes; /* 0: a round trip */
    TF_Operation *init, *step;
    double *weir_ms, *socket_ms;
    long rounds, batch;
} wire_step;

typedef struct worker {
    const wire_args *a;
    int rank;
    weir_job *job;
    TF_Graph *graph;
    weir_builder *b;
    char device[64];
    TF_Session *session;
    wire_plain *plain;
    wire_step steps[MOST_SIZES + 1];
    int count;
    TF_Status *status;
} worker;

static bool ok(const worker *worker)
{
    return TF_GetCode(worker->status) == TF_OK;
}

static void must(worker *worker, bool done)
{
    if (!done && ok(worker))
        TF_SetStatus(worker->status, TF_UNAVAILABLE, "the plain connection was lost");
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* A variable on |device|, and in |init| the node that initialises it. */
static TF_Output variable(worker *worker, const char *device, const char *name, int64_t count,
                          TF_Operation **init)
{
    weir_builder *b = worker->b;
    const weir_dims dims = {1, &count};
    int64_t one = 1;
    weir_build_push_device(b, device);
    TF_Output ref = weir_variable_v2(b, name, &dims, TF_FLOAT,
                                     &(weir_variable_v2_options){.shared_name = name});
    TF_Output shape = weir_build_const(b, "shape", TF_INT32, 1, &one, &(int32_t){(int32_t)count});
    TF_Output filled =
        weir_build_op(b, "Fill", "filled", WEIR_INPUTS(shape, weir_build_float(b, "number", 1)));
    *init = weir_assign(b, "init", ref, filled, NULL).oper;
    weir_build_pop_device(b);
    return ref;
}

static void build_round_trip(worker *worker, wire_step *step)
{
    weir_builder *b = worker->b;
    TF_Output number = variable(worker, worker->device, "ball", 1, &step->init);
    weir_build_push_device(b, "/job:ps/task:0");
    TF_Output there = weir_build_op(b, "Neg", "there", WEIR_INPUTS(number));
    weir_build_pop_device(b);
    weir_build_push_device(b, worker->device);
    step->step = weir_build_op(b, "Neg", "back", WEIR_INPUTS(there)).oper;
    weir_build_pop_device(b);
}

/* One parameter: fetches the server's, then sends this worker's. */
static TF_Operation *build_piece(worker *worker, int size, int i, int64_t count,
                                 TF_Operation **out_init)
{
    char name[48], mine[48];
    weir_builder *b = worker->b;
    int64_t one = 1;
    TF_Operation *inits[2];
    snprintf(name, sizeof name, "parameter_%d_%d", size, i);
    snprintf(mine, sizeof mine, "update_%d_%d", size, i);
    TF_Output parameter = variable(worker, "/job:ps/task:0", name, count, &inits[0]);
    TF_Output update = variable(worker, worker->device, mine, count, &inits[1]);
    weir_build_push_device(b, worker->device);
    TF_Output at = weir_build_const(b, "at", TF_INT32, 1, &one, &(int32_t){0});
    TF_Output length = weir_build_const(b, "length", TF_INT32, 1, &one, &(int32_t){1});
    TF_Output come = weir_build_op(b, "Slice", "come", WEIR_INPUTS(parameter, at, length));
    weir_build_push_control(b, come.oper);
    TF_Output changed = weir_build_op(b, "ScatterUpdate", "changed",
                                      WEIR_INPUTS(update, at, weir_build_float(b, "number", 2)));
    TF_Output leave = weir_build_op(b, "Identity", "leave", WEIR_INPUTS(changed));
    weir_build_pop_control(b);
    *out_init = weir_build_group(b, "init", inits, 2);
    weir_build_pop_device(b);
    weir_build_push_device(b, "/job:ps/task:0");
    TF_Operation *kept = weir_assign(b, "keep", parameter, leave, NULL).oper;
    weir_build_pop_device(b);
    return kept;
}

static void build_null(worker *worker, wire_step *step, int size)
{
    TF_Operation *kept[PIECES], *inits[PIECES];
    int pieces = step->bytes >= PIECES_FROM ? PIECES : 1;
    int64_t count = step->bytes / (int64_t)sizeof(float) / pieces;
    for (int i = 0; i < pieces; i++)
        kept[i] = build_piece(worker, size, i, count, &inits[i]);
    weir_build_push_device(worker->b, worker->device);
    step->init = weir_build_group(worker->b, "inits", inits, pieces);
    step->step = weir_build_group(worker->b, "step", kept, pieces);
    weir_build_pop_device(worker->b);
}

static void plan(worker *worker, wire_step *step, int64_t bytes)
{
    long rounds = bytes ? (long)(MOVED_BYTES / (2 * bytes)) : MOST_ROUNDS;
    long batch = bytes ? (long)(BATCH_BYTES / (2 * bytes)) : SMALL_BATCH;
    rounds = rounds < FEWEST_ROUNDS ? FEWEST_ROUNDS : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    *step = (wire_step){.bytes = bytes,
                        .rounds = worker->a->rounds > 0 ? worker->a->rounds : rounds,
                        .batch = batch < 1             ? 1
                                 : batch > SMALL_BATCH ? SMALL_BATCH
                                                       : batch};
    step->weir_ms = WEIR_NEW_ARRAY(double, step->rounds);
    step->socket_ms = WEIR_NEW_ARRAY(double, step->rounds);
}

static void build(worker *worker)
{
    int64_t bytes[MOST_SIZES];
    int sizes = bench_read_sizes(worker->a->bytes, sizeof(float), MOST_SIZES, bytes);
    worker->graph = TF_NewGraph();
    worker->b = weir_build_new(worker->graph);
    snprintf(worker->device, sizeof worker->device, "/job:worker/task:%d", worker->rank);
    worker->count = 1 + sizes;
    for (int i = 0; i < worker->count; i++) {
        wire_step *step = &worker->steps[i];
        plan(worker, step, i ? bytes[i - 1] : 0);
        if (step->bytes)
            build_null(worker, step, i);
        else
            build_round_trip(worker, step);
    }
    const TF_Status *built = weir_build_status(worker->b);
    TF_SetStatus(worker->status, TF_GetCode(built), TF_Message(built));
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void run(worker *worker, TF_Operation *op)
{
    if (ok(worker))
        TF_SessionRun(worker->session, NULL, NULL, NULL, 0, NULL, NULL, 0,
                      (const TF_Operation *const *)&op, 1, NULL, worker->status);
}

static void run_weir(worker *worker, const wire_step *step)
{
    run(worker, step->step);
}

static void run_plain(worker *worker, const wire_step *step)
{
    must(worker, step->bytes ? wire_plain_null(worker->plain, step->bytes)
                             : wire_plain_ping(worker->plain));
}

static void meet(worker *worker)
{
    if (worker->a->workers > 1 && ok(worker))
        must(worker, wire_plain_meet(worker->plain));
}

/* The milliseconds per step, when all workers run a batch of steps. */
static double run_batch(worker *worker, const wire_step *step,
                        void (*run_one)(struct worker *, const wire_step *))
{
    meet(worker);
    int64_t begin = weir_now_ns();
    for (long i = 0; i < step->batch && ok(worker); i++)
        run_one(worker, step);
    meet(worker);
    return (double)(weir_now_ns() - begin) / 1e6 / (double)step->batch;
}

static void measure(worker *worker, wire_step *step)
{
    run(worker, step->init);
    for (int i = 0; i < WARM_UP; i++) {
        run_batch(worker, step, run_weir);
        run_batch(worker, step, run_plain);
    }
    for (long i = 0; i < step->rounds; i++) {
        step->weir_ms[i] = run_batch(worker, step, run_weir);
        step->socket_ms[i] = run_batch(worker, step, run_plain);
    }
}

static void print_steps(const worker *worker)
{
    wire_times times[MOST_SIZES + 1];
    for (int i = 0; i < worker->count; i++) {
        const wire_step *step = &worker->steps[i];
        times[i] = (wire_times){.step = step->bytes ? "null" : "round_trip",
                                .bytes = step->bytes ? step->bytes : 4,
                                .workers = worker->a->workers,
                                .transports = worker->a->transports,
                                .weir_ms = step->weir_ms,
                                .socket_ms = step->socket_ms,
                                .rounds = (size_t)step->rounds};
    }
    wire_print(worker->a->format, times, worker->count);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static void open_session(worker *worker)
{
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_SetTarget(options, weir_job_target(worker->job));
    worker->session = TF_NewSession(worker->graph, options, worker->status);
    TF_DeleteSessionOptions(options);
}

static void work(worker *worker)
{
    worker->plain = wire_plain_connect((int)worker->a->port);
    must(worker, worker->plain != NULL);
    if (ok(worker))
        build(worker);
    if (ok(worker))
        open_session(worker);
    if (worker->rank == 0)
        weir_progress_begin("bench wire", worker->count, "steps and sizes");
    for (int i = 0; i < worker->count && ok(worker); i++) {
        measure(worker, &worker->steps[i]);
        weir_progress_add(1);
    }
    weir_progress_drop();
    if (ok(worker) && worker->rank == 0)
        print_steps(worker);
    meet(worker);
}

static void serve(worker *worker)
{
    weir_status status = wire_plain_serve((int)worker->a->port, worker->a->workers);
    if (weir_capi_end(worker->status, status))
        weir_job_serve(worker->job, worker->status);
}

static void fini(worker *worker)
{
    TF_Status *ignored = TF_NewStatus();
    if (worker->session)
        TF_DeleteSession(worker->session, ignored);
    TF_DeleteStatus(ignored);
    for (int i = 0; i < worker->count; i++) {
        weir_free(worker->steps[i].weir_ms);
        weir_free(worker->steps[i].socket_ms);
    }
    wire_plain_close(worker->plain);
    weir_build_delete(worker->b);
    if (worker->graph)
        TF_DeleteGraph(worker->graph);
    weir_job_delete(worker->job);
    TF_DeleteStatus(worker->status);
}

static int run_task(const wire_args *args)
{
    worker worker = {.a = args, .status = TF_NewStatus()};
    weir_task_flags none = {WEIR_NO_TASK_FLAGS};
    if (weir_capi_end(worker.status, weir_job_from_flags(&none, &worker.job)))
        weir_job_start(worker.job, worker.status);
    if (ok(&worker) && weir_job_is_ps(worker.job)) {
        serve(&worker);
    } else if (ok(&worker)) {
        worker.rank = weir_job_worker(worker.job);
        work(&worker);
    }
    int code = ok(&worker) ? WEIR_EXIT_OK : weir_cli_fail(NULL, "%s", TF_Message(worker.status));
    fini(&worker);
    return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run_all(const wire_args *args)
{
    static const char *const formats[] = {"table", "json", "csv"};
    char workers[24], rounds[24], port[24];
    int free_port = 0, held = -1;
    weir_status status = run_free_port("127.0.0.1", &free_port, &held);
    if (status)
        return weir_cli_fail_status(NULL, status);
    close(held);
    snprintf(port, sizeof port, "%d", free_port);
    snprintf(workers, sizeof workers, "%ld", args->workers);
    snprintf(rounds, sizeof rounds, "%ld", args->rounds > 0 ? args->rounds : 0);
    const char *words[] = {"bench",
                           "wire",
                           "--port",
                           port,
                           "--workers",
                           workers,
                           "--bytes",
                           args->bytes,
                           "--output",
                           formats[args->format],
                           "--transports",
                           args->transports,
                           args->rounds > 0 ? "--rounds" : NULL,
                           rounds,
                           NULL};
    return bench_group_run(&(bench_group){
        .servers = 1, .workers = args->workers, .transports = args->transports, .words = words});
}

static int run_wire(void *args_, int argc, char **argv)
{
    const wire_args *args = args_;
    int64_t sizes[MOST_SIZES];
    if (args->workers < 1 || args->workers > MOST_WORKERS)
        return weir_cli_misuse("bench wire", "--workers is 1 to %d", MOST_WORKERS);
    if (!bench_read_sizes(args->bytes, sizeof(float), MOST_SIZES, sizes))
        return weir_cli_misuse("bench wire", "--bytes is a list such as 1000,1000000, not '%s'",
                               args->bytes);
    return args->port ? run_task(args) : run_all(args);
}

static const weir_option options[] = {
#define AT(kind, field) WEIR_##kind(wire_args, field)
    {"workers", 'n', "N", "number of processes that exchange values with one server",
     AT(NUMBER, workers)},
    {"bytes", 'b', "N,...", "bytes of parameters in null steps", AT(TEXT, bytes)},
    {"rounds", 0, "N", "measured batches of each step (depends on the size)", AT(NUMBER, rounds)},
    {"transports", 0, "LIST", "transports of the tasks: shm,ucx,grpc", AT(TEXT, transports)},
    {"port", 0, "N", "of the plain server: a task of another weir bench wire", AT(NUMBER, port),
     .hidden = true},
    {"output", 'o', "FORMAT", "output format", WEIR_CHOICE(wire_args, format, "table|json|csv")},
#undef AT
};

const weir_command bench_command_wire = {
    .name = "wire",
    .summary = "compare transfers between tasks with plain sockets",
    .about =
        "Runs steps that only transfer values between a parameter server and workers on this "
        "machine, alternating with a plain socket program that transfers the same bytes between "
        "the same processes, and prints both times: a round trip of 4 bytes, and null steps, "
        "which fetch parameters and send the same number of bytes back. The default is TCP, as "
        "between hosts.\n\n"
        "  weir bench wire --bytes 1000000 --rounds 5\n"
        "  weir bench wire --workers 4 --bytes 1000000,100000000  # a minute",
    WEIR_OPTIONS(options),
    WEIR_ARGS(wire_args, .workers = 1, .bytes = "1000000,10000000,100000000", .transports = "grpc"),
    .run = run_wire,
};
