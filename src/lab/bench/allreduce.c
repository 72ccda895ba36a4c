/* lab/bench/allreduce.c - weir bench allreduce: the time of a collective sum over processes.
 *
 * Every member is a process of this program, with its own server and its task in TF_CONFIG. All run
 * the same sums in the same order; the first measures, checks a value and prints.
 */
#include "lab/bench/allreduce.h"

#include <stdio.h>

#include "base/clock.h"
#include "capi/status.h"
#include "command/progress.h"
#include "lab/bench/group.h"
#include "train/job.h"
#include "weir/ops/collective.h"
#include "weir/ops/state.h"

enum {
    MOST_MEMBERS = GROUP_MOST_TASKS,
    MOST_SIZES = 16,
    WARM_UP = 3,
    FEWEST_ROUNDS = 7,
    MOST_ROUNDS = 1000,
    MOVED_BYTES = 400000000, /* bytes moved by all rounds of a size together, approximately */
};

typedef struct allreduce_args {
    const char *bytes, *transports;
    long members, rounds;
    bool part;
    int format;
} allreduce_args;

/* ---- one member ------------------------------------------------------------------------------ */

typedef struct sum {
    int64_t bytes;
    TF_Operation *init, *step;
    TF_Output last; /* an element of the result */
    double *ms;
    long rounds;
} sum;

typedef struct member {
    const allreduce_args *a;
    int rank;
    weir_job *job;
    TF_Graph *graph;
    weir_builder *b;
    TF_Session *session;
    sum sums[MOST_SIZES];
    int count;
    TF_Status *status;
} member;

static bool ok(const member *member)
{
    return TF_GetCode(member->status) == TF_OK;
}

static int read_sizes(const allreduce_args *args, int64_t *out)
{
    return bench_read_sizes(args->bytes, sizeof(float), MOST_SIZES, out);
}

/* Every member's variable is filled with its rank plus one. */
static void build_sum(member *member, int i)
{
    sum *sum = &member->sums[i];
    weir_builder *builder = member->b;
    int64_t count = sum->bytes / (int64_t)sizeof(float), one = 1;
    const weir_dims dims = {1, &count};
    TF_Output variable = weir_variable_v2(builder, "value", &dims, TF_FLOAT, NULL);
    TF_Output shape =
        weir_build_const(builder, "shape", TF_INT32, 1, &one, &(int32_t){(int32_t)count});
    TF_Output number = weir_build_float(builder, "number", (float)(member->rank + 1));
    TF_Output filled = weir_build_op(builder, "Fill", "filled", WEIR_INPUTS(shape, number));
    sum->init = weir_build_op(builder, "Assign", "init", WEIR_INPUTS(variable, filled)).oper;
    static const int64_t offset; /* let the op choose its rings */
    TF_Output result = weir_collective_reduce(builder, "sum", variable, member->a->members, 1,
                                              i + 1, "Add", "Id", &offset, 1, NULL);
    TF_Output at =
        weir_build_const(builder, "at", TF_INT32, 1, &one, &(int32_t){(int32_t)count - 1});
    TF_Output size = weir_build_const(builder, "size", TF_INT32, 1, &one, &(int32_t){1});
    sum->last = weir_build_op(builder, "Slice", "last", WEIR_INPUTS(result, at, size));
    sum->step = result.oper;
}

static void run(member *member, TF_Operation *op)
{
    if (ok(member))
        TF_SessionRun(member->session, NULL, NULL, NULL, 0, NULL, NULL, 0,
                      (const TF_Operation *const *)&op, 1, NULL, member->status);
}

/* The expected sum: 1 + 2 + ... over all members. */
static void check_sum(member *member, const sum *sum)
{
    TF_Tensor *value = NULL;
    long members = member->a->members;
    float want = (float)(members * (members + 1)) / 2;
    if (ok(member))
        TF_SessionRun(member->session, NULL, NULL, NULL, 0, &sum->last, &value, 1, NULL, 0, NULL,
                      member->status);
    if (!value)
        return;
    float got = *(const float *)TF_TensorData(value);
    TF_DeleteTensor(value);
    if (got != want) {
        char text[80];
        snprintf(text, sizeof text, "the sum is %g, not %g", (double)got, (double)want);
        TF_SetStatus(member->status, TF_INTERNAL, text);
    }
}

static void measure(member *member, sum *sum)
{
    check_sum(member, sum);
    for (int i = 0; i < WARM_UP; i++)
        run(member, sum->step);
    for (long i = 0; i < sum->rounds; i++) {
        int64_t begin = weir_now_ns();
        run(member, sum->step);
        sum->ms[i] = (double)(weir_now_ns() - begin) / 1e6;
    }
}

static void print_sums(const member *member)
{
    allreduce_times times[MOST_SIZES];
    for (int i = 0; i < member->count; i++)
        times[i] =
            (allreduce_times){member->a->members, member->sums[i].bytes, member->a->transports,
                              member->sums[i].ms, (size_t)member->sums[i].rounds};
    allreduce_print(member->a->format, times, member->count);
}

static void open_session(member *member)
{
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_SetTarget(options, weir_job_target(member->job));
    member->session = TF_NewSession(member->graph, options, member->status);
    TF_DeleteSessionOptions(options);
}

static long rounds_of(const allreduce_args *args, int64_t bytes)
{
    long rounds = args->rounds > 0 ? args->rounds : (long)(MOVED_BYTES / bytes);
    return rounds < FEWEST_ROUNDS && args->rounds <= 0 ? FEWEST_ROUNDS
           : rounds > MOST_ROUNDS                      ? MOST_ROUNDS
                                                       : rounds;
}

static void build(member *member)
{
    char device[64];
    int64_t bytes[MOST_SIZES];
    member->graph = TF_NewGraph();
    member->b = weir_build_new(member->graph);
    member->count = read_sizes(member->a, bytes);
    snprintf(device, sizeof device, "/job:worker/task:%d", member->rank);
    weir_build_push_device(member->b, device);
    for (int i = 0; i < member->count; i++) {
        sum *sum = &member->sums[i];
        sum->bytes = bytes[i];
        sum->rounds = rounds_of(member->a, bytes[i]);
        sum->ms = WEIR_NEW_ARRAY(double, sum->rounds);
        build_sum(member, i);
    }
    weir_build_pop_device(member->b);
    const TF_Status *built = weir_build_status(member->b);
    TF_SetStatus(member->status, TF_GetCode(built), TF_Message(built));
}

static void work(member *member)
{
    build(member);
    if (ok(member))
        open_session(member);
    for (int i = 0; i < member->count; i++)
        run(member, member->sums[i].init);
    if (member->rank == 0)
        weir_progress_begin("bench allreduce", member->count, "sizes");
    for (int i = 0; i < member->count; i++) {
        measure(member, &member->sums[i]);
        weir_progress_add(1);
    }
    weir_progress_drop();
    if (ok(member) && member->rank == 0)
        print_sums(member);
}

static void fini(member *member)
{
    TF_Status *ignored = TF_NewStatus();
    if (member->session)
        TF_DeleteSession(member->session, ignored);
    TF_DeleteStatus(ignored);
    for (int i = 0; i < member->count; i++)
        weir_free(member->sums[i].ms);
    weir_build_delete(member->b);
    if (member->graph)
        TF_DeleteGraph(member->graph);
    weir_job_delete(member->job);
    TF_DeleteStatus(member->status);
}

static int run_member(const allreduce_args *args)
{
    member member = {.a = args, .status = TF_NewStatus()};
    weir_task_flags none = {WEIR_NO_TASK_FLAGS};
    if (weir_capi_end(member.status, weir_job_from_flags(&none, &member.job)))
        weir_job_start(member.job, member.status);
    if (ok(&member)) {
        member.rank = weir_job_worker(member.job);
        work(&member);
    }
    int code = ok(&member) ? WEIR_EXIT_OK : weir_cli_fail(NULL, "%s", TF_Message(member.status));
    fini(&member);
    return code;
}

/* ---- all members ----------------------------------------------------------------------------- */

static int run_all(const allreduce_args *args)
{
    static const char *const formats[] = {"table", "json", "csv"};
    char members[24], rounds[24];
    snprintf(members, sizeof members, "%ld", args->members);
    snprintf(rounds, sizeof rounds, "%ld", args->rounds > 0 ? args->rounds : 0);
    const char *words[] = {"bench",
                           "allreduce",
                           "--part",
                           "--members",
                           members,
                           "--bytes",
                           args->bytes,
                           "--output",
                           formats[args->format],
                           "--transports",
                           args->transports,
                           args->rounds > 0 ? "--rounds" : NULL,
                           rounds,
                           NULL};
    return bench_group_run(
        &(bench_group){.workers = args->members, .transports = args->transports, .words = words});
}

static int run_allreduce(void *args_, int argc, char **argv)
{
    const allreduce_args *args = args_;
    int64_t sizes[MOST_SIZES];
    if (args->members < 1 || args->members > MOST_MEMBERS)
        return weir_cli_misuse("bench allreduce", "--members is 1 to %d", MOST_MEMBERS);
    if (!read_sizes(args, sizes))
        return weir_cli_misuse("bench allreduce",
                               "--bytes is a list such as 1000,1000000, not '%s'", args->bytes);
    return args->part ? run_member(args) : run_all(args);
}

static const weir_option options[] = {
#define AT(kind, field) WEIR_##kind(allreduce_args, field)
    {"members", 'n', "N", "number of processes", AT(NUMBER, members)},
    {"bytes", 'b', "N,...", "sizes to sum", AT(TEXT, bytes)},
    {"rounds", 0, "N", "sums per size (depends on the size)", AT(NUMBER, rounds)},
    {"transports", 0, "LIST", "transports of the members: shm,ucx,grpc", AT(TEXT, transports)},
    {"part", 0, NULL, "a member of another weir bench allreduce", AT(FLAG, part), .hidden = true},
    {"output", 'o', "FORMAT", "output format",
     WEIR_CHOICE(allreduce_args, format, "table|json|csv")},
#undef AT
};

const weir_command bench_command_allreduce = {
    .name = "allreduce",
    .summary = "measure all-reduce over several processes",
    .about = "Runs collective sums of floats over processes on this machine, each with its own "
             "server, and prints the time per sum as in a training step. Transports other than "
             "shared memory show what to expect between hosts.\n\n"
             "  weir bench allreduce --members 2 --bytes 1000,1000000\n"
             "  weir bench allreduce --members 4 --bytes 100000000 --transports grpc  # seconds",
    WEIR_OPTIONS(options),
    WEIR_ARGS(allreduce_args, .members = 2, .bytes = "1000,1000000,100000000",
              .transports = "shm,grpc"),
    .run = run_allreduce,
};
