/* cli/watch/trace_events.c - complete steps, tracks, gaps and arrows. */
#include "cli/watch/trace_events.h"

#include <inttypes.h>
#include <stdlib.h>

/* Start of track numbers that are not threads: steps, and waiting ops. */
enum { STEP_TRACKS = 1000000000, WAIT_TRACKS = 1500000000 };

/* ---- reading ------------------------------------------------------------------------------------
 */

static void take_text(weir_json *json, char **to)
{
    WEIR_BUF(text);
    weir_json_string(json, &text);
    weir_free(*to);
    *to = weir_strndup(text.at ? text.at : "", text.length);
}

/* Microseconds with a fraction, to the nanosecond. */
static void take_time(weir_json *json, int64_t *to)
{
    double whole;
    weir_json_peek(json);
    const char *from = json->at;
    if (!weir_json_real(json, &whole))
        return;
    int digits = -1; /* after the decimal point */
    *to = 0;
    for (; from < json->at && digits < 3; from++)
        if (*from == '.')
            digits = 0;
        else if (*from >= '0' && *from <= '9' && !__builtin_mul_overflow(*to, 10, to)) {
            *to += *from - '0';
            digits += digits >= 0;
        } else
            break;
    for (digits = digits < 0 ? 0 : digits; digits < 3; digits++)
        if (__builtin_mul_overflow(*to, 10, to))
            *to = 0;
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
        else if (weir_str_is(weir_view(&key), "ready"))
            take_time(json, &event->ready);
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
            take_time(json, &event.at);
        else if (weir_str_is(name, "dur"))
            take_time(json, &event.took);
        else if (weir_str_is(name, "args"))
            read_arguments(json, &event);
        else
            weir_json_skip(json);
        key.length = 0;
    }
    return event;
}

weir_status trace_events_add(trace_events *events, weir_str body, const char *job, int index,
                             int pid, int64_t ahead)
{
    WEIR_BUF(task);
    WEIR_BUF(key);
    weir_buf_addf(&task, "/job:%s/replica:0/task:%d", job, index);
    weir_map_put(&events->tasks, weir_view(&task), events);
    weir_json json = weir_json_reader(body);
    bool more = weir_json_open(&json, '{');
    while (more && weir_json_key(&json, &key)) {
        bool wanted = weir_str_is(weir_view(&key), "events");
        bool items = wanted && weir_json_open(&json, '[');
        while (items && weir_json_item(&json)) {
            trace_event event = read_event(&json);
            event.pid = pid;
            event.at -= ahead;
            event.ready -= event.ready > 0 ? ahead : 0;
            weir_vec_push(&events->at, event);
        }
        if (!wanted)
            weir_json_skip(&json);
        key.length = 0;
    }
    return weir_json_end(&json) ? WEIR_OK : weir_json_error(&json);
}

void trace_events_fini(trace_events *events)
{
    for (size_t i = 0; i < events->at.count; i++) {
        trace_event *event = &events->at.at[i];
        weir_free(event->name);
        weir_free(event->category);
        weir_free(event->node);
        weir_free(event->edge);
        weir_free(event->step_id);
    }
    weir_vec_fini(&events->at);
    weir_map_fini(&events->tasks);
}

/* ---- edges --------------------------------------------------------------------------------------
 */

static bool is_step(const trace_event *event)
{
    return event->category && strcmp(event->category, "step") == 0;
}

static bool is_op(const trace_event *event)
{
    return event->category && strcmp(event->category, "op") == 0;
}

static bool has_edge(const trace_event *event)
{
    return event->edge && event->step_id && !event->left_out;
}

static bool is_send(const trace_event *event)
{
    return event->name && strstr(event->name, "Send") != NULL;
}

static bool is_receive(const trace_event *event)
{
    return has_edge(event) && !is_send(event);
}

static void put_key(const trace_event *event, weir_buf *out)
{
    out->length = 0;
    weir_buf_addf(out, "%s;%s", event->edge, event->step_id);
}

/* Sends, or receives, indexed by edge and step. */
static weir_map ends_of(const trace_events *events, bool sends)
{
    weir_map ends = {0};
    WEIR_BUF(key);
    for (size_t i = 0; i < events->at.count; i++) {
        trace_event *event = &events->at.at[i];
        if (!has_edge(event) || is_send(event) != sends)
            continue;
        put_key(event, &key);
        weir_map_put(&ends, weir_view(&key), event);
    }
    return ends;
}

/* Whether the task at the other end of an edge, "sender;receiver;tensor", was traced. */
static bool other_is_traced(const trace_events *events, const trace_event *event)
{
    const char *device = is_send(event) ? strchr(event->edge, ';') : event->edge;
    device = is_send(event) && device ? device + 1 : device;
    const char *end = device ? strstr(device, "/device:") : NULL;
    return end && weir_map_get(&events->tasks, (weir_str){device, (size_t)(end - device)});
}

/* Tracing starts and ends at slightly different steps of the tasks: steps with an unmatched end of
 * an edge are dropped everywhere. */
static void leave_out_incomplete(trace_events *events)
{
    weir_map ends[2] = {ends_of(events, false), ends_of(events, true)}, incomplete = {0};
    WEIR_BUF(key);
    for (size_t i = 0; i < events->at.count; i++) {
        const trace_event *event = &events->at.at[i];
        if (!has_edge(event))
            continue;
        put_key(event, &key);
        if (!weir_map_get(&ends[!is_send(event)], weir_view(&key)) &&
            other_is_traced(events, event))
            weir_map_put(&incomplete, weir_str_of(event->step_id), events);
    }
    for (size_t i = 0; i < events->at.count; i++) {
        trace_event *event = &events->at.at[i];
        event->left_out =
            event->step_id && weir_map_get(&incomplete, weir_str_of(event->step_id)) != NULL;
    }
    weir_map_fini(&incomplete);
    weir_map_fini(&ends[0]);
    weir_map_fini(&ends[1]);
}

/* ---- tracks -------------------------------------------------------------------------------------
 */

/* Sorts by task and start; of two with the same start, the longer one encloses the other. */
static int by_begin(const void *a, const void *b)
{
    const trace_event *first = a, *second = b;
    if (first->pid != second->pid)
        return first->pid < second->pid ? -1 : 1;
    if (first->at != second->at)
        return first->at < second->at ? -1 : 1;
    return first->took > second->took ? -1 : first->took < second->took;
}

static void sort(trace_events *events)
{
    if (events->at.count)
        qsort(events->at.at, events->at.count, sizeof *events->at.at, by_begin);
}

/* A track: end times of the open events. */
typedef struct track {
    int pid;
    double tid;
    WEIR_VEC(int64_t) open;
} track;
typedef WEIR_VEC(track) tracks;

/* Whether |event| fits beside a track's open events, or nested if allowed; then opens it. */
static bool fits(track *track, const trace_event *event, bool within)
{
    int64_t end = event->at + event->took;
    while (track->open.count && track->open.at[track->open.count - 1] <= event->at)
        track->open.count--;
    if (track->open.count && (!within || track->open.at[track->open.count - 1] < end))
        return false;
    weir_vec_push(&track->open, end);
    return true;
}

static track *track_of(tracks *tracks, int pid, double tid)
{
    for (size_t i = 0; i < tracks->count; i++)
        if (tracks->at[i].pid == pid && tracks->at[i].tid == tid)
            return &tracks->at[i];
    weir_vec_push(tracks, (track){.pid = pid, .tid = tid});
    return &tracks->at[tracks->count - 1];
}

/* Concurrent steps are on different tracks, and so are receives, which occupy no thread and are the
 * targets of arrows. Other events that overlap on their thread are waits. */
static void choose_track(tracks *tracks, trace_event *event)
{
    bool alone = is_step(event) || is_receive(event);
    if (!alone && fits(track_of(tracks, event->pid, event->tid), event, true))
        return;
    event->tid = is_step(event) ? STEP_TRACKS : WAIT_TRACKS;
    while (!fits(track_of(tracks, event->pid, event->tid), event, false))
        event->tid++;
}

/* Assigns tracks to steps, or to ops. Events of a step itself have the step's track. */
static void choose_tracks(trace_events *events, bool steps)
{
    tracks all = {0};
    for (size_t i = 0; i < events->at.count; i++) {
        trace_event *event = &events->at.at[i];
        if (!event->left_out && is_step(event) == steps && (steps || is_op(event)))
            choose_track(&all, event);
    }
    for (size_t i = 0; i < all.count; i++)
        weir_vec_fini(&all.at[i].open);
    weir_vec_fini(&all);
}

/* ---- gaps ---------------------------------------------------------------------------------------
 */

typedef WEIR_VEC(trace_event) gaps;

static void add_gap(gaps *gaps, const trace_event *step, const char *name, int64_t from, int64_t to)
{
    if (to > from)
        weir_vec_push(gaps, (trace_event){.name = weir_strdup(name),
                                          .category = weir_strdup(name),
                                          .step_id = weir_strdup(step->step_id),
                                          .pid = step->pid,
                                          .tid = step->tid,
                                          .at = from,
                                          .took = to - from,
                                          .plan = step->plan});
}

static bool is_of(const trace_event *event, const trace_event *step)
{
    return !is_step(event) && event->step_id && strcmp(event->step_id, step->step_id) == 0;
}

/* The earliest time at which one of the step's ops from event |next| on was ready; |otherwise|:
 * none was ready before that. */
static int64_t ready_since(const trace_events *events, const trace_event *step, size_t next,
                           int64_t otherwise)
{
    int64_t end = step->at + step->took, since = otherwise;
    for (size_t i = next; i < events->at.count; i++) {
        const trace_event *event = &events->at.at[i];
        if (event->pid != step->pid || event->at >= end)
            break;
        if (is_of(event, step) && event->ready > 0 && event->ready < since)
            since = event->ready;
    }
    return since;
}

/* Between |from| and |to|, where event |next| starts, no op of the step ran or waited: if one was
 * ready it is scheduling time, otherwise unexplained. */
static void explain_gap(trace_events *events, const trace_event *step, int64_t from, int64_t to,
                        size_t next, gaps *gaps)
{
    if (to <= from)
        return;
    int64_t since = ready_since(events, step, next, to);
    since = since > from ? since : from;
    events->unexplained_ns += since - from;
    add_gap(gaps, step, "unexplained", from, since);
    add_gap(gaps, step, "scheduling", since, to);
}

/* Finds a step's times in which none of its ops ran or waited. Events are sorted. */
static void find_gaps(trace_events *events, size_t at, gaps *gaps)
{
    const trace_event *step = &events->at.at[at];
    int64_t end = step->at + step->took, covered = step->at;
    events->step_ns += step->took;
    size_t i = at + 1;
    for (; i < events->at.count; i++) {
        trace_event *event = &events->at.at[i];
        if (event->pid != step->pid || event->at >= end)
            break;
        if (!is_of(event, step))
            continue;
        if (!is_op(event))
            event->tid = step->tid; /* the executor's own time */
        explain_gap(events, step, covered, event->at, i, gaps);
        int64_t event_end = event->at + event->took;
        covered = event_end > covered ? event_end : covered;
    }
    explain_gap(events, step, covered, end, i, gaps);
}

static void add_gaps(trace_events *events)
{
    gaps gaps = {0};
    for (size_t i = 0; i < events->at.count; i++)
        if (is_step(&events->at.at[i]) && events->at.at[i].step_id && !events->at.at[i].left_out)
            find_gaps(events, i, &gaps);
    for (size_t i = 0; i < gaps.count; i++)
        weir_vec_push(&events->at, gaps.at[i]);
    weir_vec_fini(&gaps);
    sort(events);
}

/* ---- writing ------------------------------------------------------------------------------------
 */

static void put_text(weir_buf *out, const char *key, const char *text)
{
    weir_buf_addf(out, ",\"%s\":", key);
    weir_json_put_string(out, weir_str_of(text ? text : ""));
}

static void put_event(const trace_event *event, weir_buf *out)
{
    weir_buf_addf(out, "{\"ph\":\"X\",\"pid\":%d,\"tid\":%.0f,", event->pid, event->tid);
    weir_buf_addf(out, "\"ts\":%" PRId64 ".%03d,\"dur\":%" PRId64 ".%03d", event->at / 1000,
                  (int)(event->at % 1000), event->took / 1000, (int)(event->took % 1000));
    put_text(out, "name", event->name);
    put_text(out, "cat", event->category);
    weir_buf_addf(out, ",\"args\":{\"plan\":%.0f", event->plan);
    put_text(out, "node", event->node);
    put_text(out, "step_id", event->step_id);
    if (event->edge)
        put_text(out, "edge", event->edge);
    weir_buf_adds(out, "}},\n");
}

/* Names tracks that are not threads. */
static void put_track_names(const trace_events *events, weir_buf *out)
{
    weir_map named = {0};
    WEIR_BUF(key);
    for (size_t i = 0; i < events->at.count; i++) {
        const trace_event *event = &events->at.at[i];
        key.length = 0;
        weir_buf_addf(&key, "%d;%.0f", event->pid, event->tid);
        if (event->left_out || event->tid < STEP_TRACKS || weir_map_get(&named, weir_view(&key)))
            continue;
        weir_map_put(&named, weir_view(&key), (void *)event);
        weir_buf_addf(out,
                      "{\"ph\":\"M\",\"pid\":%d,\"tid\":%.0f,\"name\":\"thread_name\",\"args\":{"
                      "\"name\":\"%s\"}},\n",
                      event->pid, event->tid, event->tid < WAIT_TRACKS ? "steps" : "waiting ops");
    }
    weir_map_fini(&named);
}

static void put_arrow_end(const trace_event *event, int id, bool first, weir_buf *out)
{
    /* Viewers attach it to the event open at that time: the last instant of an op is before its
     * end. */
    int64_t at = first ? event->at : event->at + (event->took > 0 ? event->took - 1 : 0);
    weir_buf_addf(out,
                  "{\"ph\":\"%s\",%s\"cat\":\"edge\",\"name\":\"tensor\",\"id\":%d,\"pid\":%d,"
                  "\"tid\":%.0f,\"ts\":%" PRId64 ".%03d},\n",
                  first ? "s" : "f", first ? "" : "\"bp\":\"e\",", id, event->pid, event->tid,
                  at / 1000, (int)(at % 1000));
}

/* From the start of each send to the end of its receive, which may precede the send's end. */
static void put_arrows(trace_events *events, weir_buf *out)
{
    weir_map sends = ends_of(events, true);
    WEIR_BUF(key);
    for (size_t i = 0; i < events->at.count; i++) {
        const trace_event *event = &events->at.at[i];
        if (!is_receive(event))
            continue;
        put_key(event, &key);
        const trace_event *from = weir_map_get(&sends, weir_view(&key));
        if (!from)
            continue;
        events->arrows++;
        put_arrow_end(from, events->arrows, true, out);
        put_arrow_end(event, events->arrows, false, out);
    }
    weir_map_fini(&sends);
}

int64_t trace_events_set_zero(trace_events *events, int64_t before)
{
    int64_t zero = INT64_MAX;
    for (size_t i = 0; i < events->at.count; i++)
        zero = events->at.at[i].at < zero ? events->at.at[i].at : zero;
    zero = events->at.count ? zero - before : 0;
    for (size_t i = 0; i < events->at.count; i++) {
        trace_event *event = &events->at.at[i];
        event->at -= zero;
        event->ready -= event->ready > 0 ? zero : 0;
    }
    return zero;
}

void trace_events_put(trace_events *events, weir_buf *out)
{
    leave_out_incomplete(events);
    sort(events);
    choose_tracks(events, true);
    choose_tracks(events, false);
    add_gaps(events);
    put_track_names(events, out);
    for (size_t i = 0; i < events->at.count; i++) {
        if (events->at.at[i].left_out)
            continue;
        put_event(&events->at.at[i], out);
        events->steps += is_step(&events->at.at[i]);
    }
    put_arrows(events, out);
}
