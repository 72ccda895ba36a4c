/* lab/bench/allreduce.c - weir bench allreduce: the time of a collective sum over processes.
 *
 * Every member is this program again, with a server of its own and its place in TF_CONFIG. All run
 * the same sums in the same order; the first measures, checks a value and prints.
 */
#include "lab/bench/allreduce.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "capi/status.h"
#include "proc/sockets.h"
#include "proc/spawn.h"
#include "train/job.h"
#include "weir/ops/collective.h"
#include "weir/ops/state.h"

enum {
    MOST_MEMBERS = 64,
    MOST_SIZES = 16,
    WARM_UP = 3,
    FEWEST_ROUNDS = 7,
    MOST_ROUNDS = 1000,
    MOST_RINGS = 16,
    RING_BYTES = 4 << 20,    /* of a chunk, as a trainer cuts them */
    MOVED_BYTES = 400000000, /* by all rounds of a size together, about */
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

/* "1000,1000000": how many there are; 0: it is no such list. */
static int read_sizes(const char *text, int64_t *out)
{
    int count = 0;
    for (char *end; *text && count < MOST_SIZES; text = *end == ',' ? end + 1 : end) {
        out[count] = strtoll(text, &end, 10);
        if (end == text || out[count] < (int64_t)sizeof(float) || (*end && *end != ','))
            return 0;
        count++;
    }
    return *text ? 0 : count;
}

static int rings_of(const member *member, const sum *sum)
{
    int64_t rings = sum->bytes / member->a->members / RING_BYTES;
    return rings < 1 ? 1 : rings > MOST_RINGS ? MOST_RINGS : (int)rings;
}

/* Every member has the number of its rank and one more in each element of a variable. */
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
    static const int64_t rings[MOST_RINGS] = {0};
    TF_Output result =
        weir_collective_reduce(builder, "sum", variable, member->a->members, 1, i + 1, "Add", "Id",
                               rings, rings_of(member, sum), NULL);
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

/* What the sum must be: 1 + 2 + ... of all members. */
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
    member->count = read_sizes(member->a->bytes, bytes);
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
    for (int i = 0; i < member->count; i++)
        measure(member, &member->sums[i]);
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

/* ---- all of them ------------------------------------------------------------------------------
 */

static weir_status choose_hosts(long members, weir_buf *out)
{
    int held[MOST_MEMBERS], count = 0;
    weir_status status = WEIR_OK;
    while (count < members && !status) {
        int port = 0;
        status = run_free_port("127.0.0.1", &port, &held[count]);
        if (!status)
            weir_buf_addf(out, "%s\"127.0.0.1:%d\"", count++ ? ", " : "", port);
    }
    while (count)
        close(held[--count]);
    return status;
}

static void become_member(const allreduce_args *args, const char *hosts, int rank)
{
    char members[24], rounds[24];
    static const char *const formats[] = {"table", "json", "csv"};
    WEIR_BUF(config);
    weir_buf_addf(&config,
                  "{\"cluster\": {\"worker\": [%s]}, \"task\": {\"type\": \"worker\", "
                  "\"index\": %d}}",
                  hosts, rank);
    setenv("TF_CONFIG", config.at, 1);
    setenv("WEIR_TRANSPORTS", args->transports, 1);
    snprintf(members, sizeof members, "%ld", args->members);
    snprintf(rounds, sizeof rounds, "%ld", args->rounds > 0 ? args->rounds : 0);
    const char *words[] = {"weir",
                           "bench",
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
    execv(run_binary(), (char *const *)words);
    fprintf(stderr, "weir: cannot run %s: %s\n", run_binary(), strerror(errno));
    _exit(127);
}

/* Waits for all; the first failure counts, and ends the others. */
static int wait_for_all(const pid_t *members, long count)
{
    int code = WEIR_EXIT_OK;
    for (long left = count; left > 0; left--) {
        int status;
        if (waitpid(-1, &status, 0) < 0)
            break;
        int ended = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        if (!ended || code)
            continue;
        code = ended;
        for (long i = 0; i < count; i++)
            kill(members[i], SIGTERM);
    }
    return code;
}

static int run_all(const allreduce_args *args)
{
    pid_t members[MOST_MEMBERS];
    WEIR_BUF(hosts);
    weir_status status = choose_hosts(args->members, &hosts);
    if (status)
        return weir_cli_fail_status(NULL, status);
    for (long i = 0; i < args->members; i++) {
        members[i] = fork();
        if (members[i] == 0)
            become_member(args, hosts.at, (int)i);
    }
    return wait_for_all(members, args->members);
}

static int run_allreduce(void *args_, int argc, char **argv)
{
    const allreduce_args *args = args_;
    int64_t sizes[MOST_SIZES];
    if (args->members < 1 || args->members > MOST_MEMBERS)
        return weir_cli_misuse("bench allreduce", "--members is 1 to %d", MOST_MEMBERS);
    if (!read_sizes(args->bytes, sizes))
        return weir_cli_misuse("bench allreduce",
                               "--bytes is a list such as 1000,1000000, not '%s'", args->bytes);
    return args->part ? run_member(args) : run_all(args);
}

static const weir_option options[] = {
#define AT(kind, field) WEIR_##kind(allreduce_args, field)
    {"members", 'n', "N", "processes that sum", AT(NUMBER, members)},
    {"bytes", 'b', "N,...", "sizes of what is summed", AT(TEXT, bytes)},
    {"rounds", 0, "N", "sums of each size (by size)", AT(NUMBER, rounds)},
    {"transports", 0, "LIST", "transports of the members: shm,ucx,grpc", AT(TEXT, transports)},
    {"part", 0, NULL, "a member of another weir bench allreduce", AT(FLAG, part), .hidden = true},
    {"output", 'o', "FORMAT", "how to print",
     WEIR_CHOICE(allreduce_args, format, "table|json|csv")},
#undef AT
};

const weir_command bench_command_allreduce = {
    .name = "allreduce",
    .summary = "time sums over several processes",
    .about =
        "Runs collective sums of floats over processes on this machine, each with a server of "
        "its own, and prints the time of one, as a training step has it. Other transports than "
        "shared memory show what hosts would do.\n"
        "\n"
        "  weir bench allreduce --members 2 --bytes 1000,1000000\n"
        "  weir bench allreduce --members 4 --bytes 100000000 --transports grpc  # seconds",
    WEIR_OPTIONS(options),
    WEIR_ARGS(allreduce_args, .members = 2, .bytes = "1000,1000000,100000000",
              .transports = "shm,grpc"),
    .run = run_allreduce,
};
