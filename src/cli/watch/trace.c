/* cli/watch/trace.c - weir trace: the next steps of every task in one file of Chrome's format. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/watch/cluster.h"
#include "command/command.h"
#include "dash/peers.h"
#include "io/deflate.h"
#include "io/file.h"
#include "wire/json.h"

enum { CLOCK_ROUNDS = 8, CLOCK_MS = 2000 };

typedef struct trace_args {
    long steps;
    double seconds;
    const char *file;
} trace_args;

/* One end of an edge between tasks. */
typedef struct trace_end {
    char *edge; /* devices, tensor and step */
    int pid;
    double tid, at;
    bool is_send;
} trace_end;

typedef struct trace_making {
    weir_buf out;
    WEIR_VEC(trace_end) ends;
    int steps, arrows;
} trace_making;

/* ---- clocks -------------------------------------------------------------------------------------
 */

/* How far a task's clock is ahead of ours, in microseconds. The exchange that took least time says
 * it best; what is within its error is no difference. */
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

/* ---- events -------------------------------------------------------------------------------------
 */

typedef struct trace_event {
    char *name, *category, *node, *edge, *step_id;
    double tid, at, took, plan;
} trace_event;

static void take_text(weir_json *json, char **to)
{
    WEIR_BUF(text);
    weir_json_string(json, &text);
    weir_free(*to);
    *to = weir_strndup(text.at ? text.at : "", text.length);
}

static void read_arguments(weir_json *json, trace_event *event)
{
    WEIR_BUF(key);
    bool more = weir_json_open(json, '{');
    while (more && weir_json_key(json, &key)) {
        if (weir_str_is(weir_view(&key), "node"))
            take_text(json, &event->node);
        else if (weir_str_is(weir_view(&key), "edge"))
            take_text(json, &event->edge);
        else if (weir_str_is(weir_view(&key), "step_id"))
            take_text(json, &event->step_id);
        else if (weir_str_is(weir_view(&key), "plan"))
            weir_json_real(json, &event->plan);
        else
            weir_json_skip(json);
        key.length = 0;
    }
}

static trace_event read_event(weir_json *json)
{
    trace_event event = {0};
    WEIR_BUF(key);
    bool more = weir_json_open(json, '{');
    while (more && weir_json_key(json, &key)) {
        weir_str name = weir_view(&key);
        if (weir_str_is(name, "name"))
            take_text(json, &event.name);
        else if (weir_str_is(name, "cat"))
            take_text(json, &event.category);
        else if (weir_str_is(name, "tid"))
            weir_json_real(json, &event.tid);
        else if (weir_str_is(name, "ts"))
            weir_json_real(json, &event.at);
        else if (weir_str_is(name, "dur"))
            weir_json_real(json, &event.took);
        else if (weir_str_is(name, "args"))
            read_arguments(json, &event);
        else
            weir_json_skip(json);
        key.length = 0;
    }
    return event;
}

static void event_fini(trace_event *event)
{
    weir_free(event->name);
    weir_free(event->category);
    weir_free(event->node);
    weir_free(event->edge);
    weir_free(event->step_id);
}

static void put_text(weir_buf *out, const char *key, const char *text)
{
    weir_buf_addf(out, ",\"%s\":", key);
    weir_json_put_string(out, weir_str_of(text ? text : ""));
}

static void put_event(trace_making *making, const trace_event *event, int pid)
{
    weir_buf *out = &making->out;
    weir_buf_addf(out, "{\"ph\":\"X\",\"pid\":%d,\"tid\":%.0f,\"ts\":%.3f,\"dur\":%.3f", pid,
                  event->tid, event->at, event->took);
    put_text(out, "name", event->name);
    put_text(out, "cat", event->category);
    weir_buf_addf(out, ",\"args\":{\"plan\":%.0f", event->plan);
    put_text(out, "node", event->node);
    put_text(out, "step_id", event->step_id);
    if (event->edge)
        put_text(out, "edge", event->edge);
    weir_buf_adds(out, "}},\n");
}

static void note_end(trace_making *making, const trace_event *event, int pid)
{
    WEIR_BUF(edge);
    bool is_send = event->name && strstr(event->name, "Send") != NULL;
    weir_buf_addf(&edge, "%s;%s", event->edge, event->step_id);
    weir_vec_push(&making->ends, (trace_end){weir_buf_take(&edge), pid, event->tid,
                                             event->at + event->took, is_send});
}

static weir_status add_events(trace_making *making, weir_json *json, int pid, double ahead)
{
    bool items = weir_json_open(json, '[');
    while (items && weir_json_item(json)) {
        trace_event event = read_event(json);
        event.at -= ahead;
        put_event(making, &event, pid);
        if (event.edge && event.step_id)
            note_end(making, &event, pid);
        making->steps += event.category && strcmp(event.category, "step") == 0;
        event_fini(&event);
    }
    return WEIR_OK;
}

static weir_status add_task(trace_making *making, weir_str body, int pid, double ahead)
{
    weir_json json = weir_json_reader(body);
    WEIR_BUF(key);
    bool more = weir_json_open(&json, '{');
    while (more && weir_json_key(&json, &key)) {
        if (weir_str_is(weir_view(&key), "events"))
            WEIR_TRY(add_events(making, &json, pid, ahead));
        else
            weir_json_skip(&json);
        key.length = 0;
    }
    return weir_json_end(&json) ? WEIR_OK : weir_json_error(&json);
}

/* ---- arrows -------------------------------------------------------------------------------------
 */

static void put_arrow_end(trace_making *making, const trace_end *end, int id, bool first)
{
    weir_buf_addf(&making->out,
                  "{\"ph\":\"%s\",%s\"cat\":\"edge\",\"name\":\"tensor\",\"id\":%d,\"pid\":%d,"
                  "\"tid\":%.0f,\"ts\":%.3f},\n",
                  first ? "s" : "f", first ? "" : "\"bp\":\"e\",", id, end->pid, end->tid, end->at);
}

/* From the end of each send to the end of its receive. */
static void put_arrows(trace_making *making)
{
    weir_map sends = {0};
    for (size_t i = 0; i < making->ends.count; i++)
        if (making->ends.at[i].is_send)
            weir_map_put(&sends, weir_str_of(making->ends.at[i].edge), &making->ends.at[i]);
    for (size_t i = 0; i < making->ends.count; i++) {
        const trace_end *end = &making->ends.at[i];
        const trace_end *from = end->is_send ? NULL : weir_map_get(&sends, weir_str_of(end->edge));
        if (!from)
            continue;
        making->arrows++;
        put_arrow_end(making, from, making->arrows, true);
        put_arrow_end(making, end, making->arrows, false);
    }
    weir_map_fini(&sends);
}

/* ---- host counters ------------------------------------------------------------------------------
 */

/* Memory and processor time of a task from its samples: [number, us, ..., own cpu, own memory, ...]
 */
static void put_counters(trace_making *making, weir_str body, int pid, double ahead)
{
    const char *at = body.length ? memmem(body.at, body.length, "\"samples\":[", 11) : NULL;
    double before_cpu = NAN, before_us = NAN, value[13];
    for (at = at ? strchr(at + 11, '[') : NULL; at; at = strchr(at + 1, '[')) {
        if (sscanf(at, "[%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &value[0], &value[1],
                   &value[2], &value[3], &value[4], &value[5], &value[6], &value[7], &value[8],
                   &value[9], &value[10]) != 11)
            break;
        if (value[1] > before_us)
            weir_buf_addf(
                &making->out,
                "{\"ph\":\"C\",\"pid\":%d,\"tid\":0,\"ts\":%.0f,\"name\":\"task\",\"args\":{"
                "\"processors\":%.3f,\"memory MB\":%.1f}},\n",
                pid, value[1] - ahead, (value[9] - before_cpu) / ((value[1] - before_us) * 1e-6),
                value[10] * 1e-6);
        before_us = value[1];
        before_cpu = value[9];
    }
}

/* ---- the command --------------------------------------------------------------------------------
 */

static weir_status make(trace_making *making, const watch_cluster *cluster, const trace_args *args)
{
    size_t count = cluster->tasks.count;
    WEIR_BUF(path);
    weir_buf_addf(&path, "/api/trace?steps=%ld&ms=%.0f", args->steps, args->seconds * 1000);
    weir_peer_get *gets = WEIR_NEW_ARRAY(weir_peer_get, 2 * count + 1), *hosts = gets + count;
    double *ahead = WEIR_NEW_ARRAY(double, count + 1);
    for (size_t i = 0; i < count; i++) {
        const watch_task *task = &cluster->tasks.at[i];
        ahead[i] = task->up ? clock_ahead(task->address) : 0;
        gets[i] = (weir_peer_get){.address = task->address, .path = path.at};
        hosts[i] = (weir_peer_get){.address = task->address, .path = "/api/host?most=200"};
    }
    weir_peers_get(gets, count, (int)(args->seconds * 1000) + 5000);
    weir_peers_get(hosts, count, CLOCK_MS);
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < count; i++) {
        const watch_task *task = &cluster->tasks.at[i];
        weir_buf_addf(&making->out,
                      "{\"ph\":\"M\",\"pid\":%zu,\"tid\":0,\"name\":\"process_name\",\"args\":{"
                      "\"name\":\"%s:%d\"}},\n",
                      i, task->job, task->index);
        if (gets[i].status == 200 && !status)
            status = add_task(making, weir_view(&gets[i].body), (int)i, ahead[i]);
        if (hosts[i].status == 200)
            put_counters(making, weir_view(&hosts[i].body), (int)i, ahead[i]);
        weir_buf_fini(&gets[i].body);
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
    put_arrows(making);
    making->out.length -= 2; /* the last comma */
    weir_buf_adds(&making->out, "\n]}\n");
    return write_file(args->file, weir_view(&making->out));
}

static int trace(void *args, int argc, char **argv)
{
    trace_making making = {0};
    const trace_args *a = args;
    weir_status status = trace_cluster(argc ? argv[0] : NULL, a, &making);
    for (size_t i = 0; i < making.ends.count; i++)
        weir_free(making.ends.at[i].edge);
    weir_vec_fini(&making.ends);
    weir_buf_fini(&making.out);
    if (status)
        return weir_cli_fail_status(
            "Give the address of a task of a live cluster: weir trace HOST:PORT.", status);
    printf("%s: %d steps, %d arrows; open it in chrome://tracing or ui.perfetto.dev\n", a->file,
           making.steps, making.arrows);
    return making.steps ? WEIR_EXIT_OK
                        : weir_cli_fail("Nothing ran meanwhile; --seconds waits longer.",
                                        "no step was traced");
}

static const weir_option options[] = {
    {"steps", 'n', "N", "steps of each task", WEIR_NUMBER(trace_args, steps)},
    {"seconds", 0, "S", "wait so long for them at most", WEIR_REAL(trace_args, seconds)},
    {"out", 'o', "FILE", "where to; packed when it ends in .gz", WEIR_TEXT(trace_args, file),
     .hint = WEIR_HINT_FILE},
};

const weir_command weir_command_trace = {
    .name = "trace",
    .summary = "trace the next steps of a live cluster",
    .words = "[ADDRESS]",
    .most = 1,
    .about =
        "Writes the next steps of every task of the cluster that the task at ADDRESS (default: "
        "localhost:2222) belongs to into one file of Chrome's trace format: ops by task and "
        "thread, an arrow from each send to its receive, processors and memory beside. Clocks "
        "of different hosts are aligned.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(trace_args, .steps = 10, .seconds = 10, .file = "trace.json"),
    .run = trace,
};
