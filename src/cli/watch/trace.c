/* cli/watch/trace.c - weir trace: the next steps of all tasks in one file of Chrome's format. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/watch/cluster.h"
#include "cli/watch/trace_events.h"
#include "command/command.h"
#include "dash/peers.h"
#include "io/deflate.h"
#include "io/file.h"
#include "wire/json.h"

enum { CLOCK_ROUNDS = 8, CLOCK_MS = 2000, BEFORE_US = 200000 };

typedef struct trace_args {
    long steps;
    double seconds;
    const char *file;
} trace_args;

typedef struct trace_making {
    weir_buf out;
    trace_events events;
    double zero_us; /* since the epoch */
} trace_making;

/* ---- clocks -------------------------------------------------------------------------------------
 */

/* The offset of a task's clock from ours, in microseconds, from the exchange with the shortest
 * round trip; offsets within its error count as 0. */
static double clock_ahead(const char *address)
{
    double best_trip = INFINITY, ahead = 0;
    double offset = (double)weir_wall_us() - (double)weir_now_ns() * 1e-3;
    for (int i = 0; i < CLOCK_ROUNDS; i++) {
        weir_peer_get get = {.address = address, .path = "/api/clock"};
        weir_peers_get(&get, 1, CLOCK_MS);
        const char *number = get.body.at ? strstr(get.body.at, ":") : NULL;
        double trip = (double)(get.first_ns - get.sent_ns) * 1e-3, there;
        if (get.status == 200 && number && sscanf(number + 1, "%lf", &there) == 1 &&
            trip < best_trip) {
            best_trip = trip;
            ahead = there - ((double)(get.first_ns + get.sent_ns) * 0.5e-3 + offset);
        }
        weir_buf_fini(&get.body);
    }
    return fabs(ahead) <= best_trip / 2 ? 0 : ahead;
}

/* ---- host counters ------------------------------------------------------------------------------
 */

/* Memory and CPU time of a task from its samples, [number, us, ..., own cpu, own memory, ...],
 * within the trace; its origin is at |zero| of the task's clock. */
static void put_counters(trace_making *making, weir_str body, int pid, double zero)
{
    const char *at = body.length ? memmem(body.at, body.length, "\"samples\":[", 11) : NULL;
    double before_cpu = NAN, before_us = NAN, value[13];
    for (at = at ? strchr(at + 11, '[') : NULL; at; at = strchr(at + 1, '[')) {
        if (sscanf(at, "[%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &value[0], &value[1],
                   &value[2], &value[3], &value[4], &value[5], &value[6], &value[7], &value[8],
                   &value[9], &value[10]) != 11)
            break;
        if (value[1] > before_us && value[1] >= zero)
            weir_buf_addf(
                &making->out,
                "{\"ph\":\"C\",\"pid\":%d,\"tid\":0,\"ts\":%.0f,\"name\":\"task\",\"args\":{"
                "\"processors\":%.3f,\"memory MB\":%.1f}},\n",
                pid, value[1] - zero, (value[9] - before_cpu) / ((value[1] - before_us) * 1e-6),
                value[10] * 1e-6);
        before_us = value[1];
        before_cpu = value[9];
    }
}

/* ---- the command --------------------------------------------------------------------------------
 */

static bool is_ps(const watch_task *task)
{
    return strcmp(task->job, "ps") == 0;
}

/* A parameter server participates in the steps of every worker. Traces a few more steps than
 * requested, because those at the edges are incomplete. */
static void put_paths(const watch_cluster *cluster, const trace_args *args, char paths[2][96])
{
    long workers = 0, steps = args->steps + 2;
    for (size_t i = 0; i < cluster->tasks.count; i++)
        workers += !is_ps(&cluster->tasks.at[i]);
    for (int i = 0; i < 2; i++)
        snprintf(paths[i], sizeof paths[i], "/api/trace?steps=%ld&ms=%.0f",
                 i ? 2 * steps * (workers ? workers : 1) : steps, args->seconds * 1000);
}

static weir_status make(trace_making *making, const watch_cluster *cluster, const trace_args *args)
{
    size_t count = cluster->tasks.count;
    char paths[2][96];
    put_paths(cluster, args, paths);
    weir_peer_get *gets = WEIR_NEW_ARRAY(weir_peer_get, 2 * count + 1), *hosts = gets + count;
    double *ahead = WEIR_NEW_ARRAY(double, count + 1);
    for (size_t i = 0; i < count; i++) {
        const watch_task *task = &cluster->tasks.at[i];
        ahead[i] = task->up ? clock_ahead(task->address) : 0;
        gets[i] = (weir_peer_get){.address = task->address, .path = paths[is_ps(task)]};
        hosts[i] = (weir_peer_get){.address = task->address, .path = "/api/host?most=200"};
    }
    weir_peers_get(gets, count, (int)(args->seconds * 1000) + 5000);
    weir_peers_get(hosts, count, CLOCK_MS);
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count; i++) {
        const watch_task *task = &cluster->tasks.at[i];
        weir_buf_addf(&making->out,
                      "{\"ph\":\"M\",\"pid\":%zu,\"tid\":0,\"name\":\"process_name\",\"args\":{"
                      "\"name\":\"%s:%d\"}},\n"
                      "{\"ph\":\"M\",\"pid\":%zu,\"tid\":0,\"name\":\"clock\",\"args\":{"
                      "\"ahead_us\":%.3f}},\n",
                      i, task->job, task->index, i, ahead[i]);
        if (gets[i].status == 200 && !status)
            status = trace_events_add(&making->events, weir_view(&gets[i].body), task->job,
                                      task->index, (int)i, (int64_t)(ahead[i] * 1e3));
        weir_buf_fini(&gets[i].body);
    }
    making->zero_us = (double)trace_events_set_zero(&making->events, BEFORE_US * 1000) * 1e-3;
    for (size_t i = 0; i < count; i++) {
        if (hosts[i].status == 200)
            put_counters(making, weir_view(&hosts[i].body), (int)i, making->zero_us + ahead[i]);
        weir_buf_fini(&hosts[i].body);
    }
    weir_free(gets);
    weir_free(ahead);
    return status;
}

static weir_status write_file(const char *path, weir_str text)
{
    size_t length = strlen(path);
    if (length < 3 || strcmp(path + length - 3, ".gz") != 0)
        return weir_file_write_all(path, text.at, text.length);
    WEIR_BUF(packed);
    WEIR_OWNED(weir_deflate) deflate = NULL;
    WEIR_TRY(weir_deflate_create(WEIR_PACKING_GZIP, -1, &deflate));
    WEIR_TRY(weir_deflate_run(deflate, text, WEIR_DEFLATE_FINISH, &packed));
    return weir_file_write_all(path, packed.at, packed.length);
}

static weir_status trace_cluster(const char *address, const trace_args *args, trace_making *making)
{
    watch_cluster cluster;
    WEIR_TRY(watch_cluster_get(address, &cluster));
    weir_buf_adds(&making->out, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
    weir_status status = make(making, &cluster, args);
    watch_cluster_fini(&cluster);
    WEIR_TRY(status);
    trace_events_put(&making->events, &making->out);
    making->out.length -= 2; /* the trailing comma */
    weir_buf_addf(&making->out, "\n],\"otherData\":{\"zero_us_since_1970\":\"%.0f\"}}\n",
                  making->zero_us);
    return WEIR_OK;
}

static int check_out(const char *file)
{
    weir_str dir = weir_path_dir(file);
    WEIR_FREED char *folder = dir.length ? weir_strndup(dir.at, dir.length) : weir_strdup(".");
    return weir_cli_check_folder("--out", folder);
}

static int trace(void *args, int argc, char **argv)
{
    trace_making making = {0};
    const trace_args *a = args;
    const char *cure = "Give the address of a task of a live cluster: weir trace HOST:PORT.";
    if (check_out(a->file) != WEIR_EXIT_OK) /* before the steps that are traced */
        return WEIR_EXIT_FAILED;
    weir_status status = trace_cluster(argc ? argv[0] : NULL, a, &making);
    if (!status) {
        cure = "Give --out a path that can be written.";
        status = write_file(a->file, weir_view(&making.out));
    }
    int steps = making.events.steps, arrows = making.events.arrows;
    double share =
        1 - (double)making.events.unexplained_ns / fmax(1, (double)making.events.step_ns);
    trace_events_fini(&making.events);
    weir_buf_fini(&making.out);
    if (status)
        return weir_cli_fail_status(cure, status);
    printf("%s: %d steps, %d arrows, %.1f %% of the steps' time explained; open it in "
           "chrome://tracing or ui.perfetto.dev\n",
           a->file, steps, arrows, steps ? 100 * share : 0);
    return steps ? WEIR_EXIT_OK
                 : weir_cli_fail("Nothing ran meanwhile; --seconds waits longer.",
                                 "no step was traced");
}

static const weir_option options[] = {
    {"steps", 'n', "N", "number of steps to trace in each task", WEIR_NUMBER(trace_args, steps)},
    {"seconds", 0, "S", "longest time to wait for the steps", WEIR_REAL(trace_args, seconds)},
    {"out", 'o', "FILE", "output file; compressed if its name ends in .gz",
     WEIR_TEXT(trace_args, file), .hint = WEIR_HINT_FILE},
};

const weir_command weir_command_trace = {
    .name = "trace",
    .summary = "trace the next steps of a running cluster",
    .words = "[ADDRESS]",
    .most = 1,
    .about = "Traces the next steps of every task in the cluster of the task at ADDRESS (default: "
             "localhost:2222) into one file in Chrome's trace format: ops by task and thread, an "
             "arrow from each send to its receive, CPU and memory. Clocks of different hosts are "
             "aligned.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(trace_args, .steps = 10, .seconds = 10, .file = "trace.json"),
    .run = trace,
};
