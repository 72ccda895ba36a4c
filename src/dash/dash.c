/* dash/dash.c - the paths of a task's site. */
#include "dash/dash.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "dash/board.h"
#include "dash/dash_impl.h"
#include "exec/observed.h"
#include "observe/account.h"
#include "observe/host.h"
#include "observe/marks.h"
#include "observe/trace.h"

void dash_json(weir_http_reply *reply)
{
    reply->type = "application/json";
}

int64_t dash_number(const weir_http_request *request, const char *name, int64_t otherwise)
{
    WEIR_BUF(value);
    if (!weir_http_query(request->query, name, &value) || !value.length)
        return otherwise;
    char *end;
    int64_t number = strtoll(value.at, &end, 10);
    return *end ? otherwise : number;
}

/* ---- short answers ------------------------------------------------------------------------------
 */

static void get_health(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    weir_buf_adds(&reply->body, "ok\n");
}

static void get_clock(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    weir_buf_addf(&reply->body, "{\"now_us\":%" PRId64 "}", weir_wall_us());
    dash_json(reply);
}

static void get_waits(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    weir_account_live(&reply->body);
    dash_json(reply);
}

static void get_plans(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    weir_plans_list(&reply->body);
    dash_json(reply);
}

static void get_graph(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    enum { MOST = 5000 };
    WEIR_BUF(search);
    weir_http_query(request->query, "search", &search);
    int64_t most = dash_number(request, "most", 500);
    if (weir_plans_nodes((int)dash_number(request, "plan", 0), weir_view(&search),
                         (int)(most < MOST ? most : MOST), &reply->body)) {
        dash_json(reply);
        return;
    }
    reply->status = 404;
    weir_buf_adds(&reply->body, "there is no such plan\n");
}

/* Waits for the next steps, and returns their events. */
static void get_trace(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    enum { MOST_MS = 50000 };
    int64_t steps = dash_number(request, "steps", 10), ms = dash_number(request, "ms", 10000);
    steps = steps < 1 ? 1 : steps > WEIR_TRACE_STEPS ? WEIR_TRACE_STEPS : steps;
    WEIR_BUF(events);
    weir_trace_next((int)steps);
    int taken = weir_trace_take((int)steps,
                                (int)(ms < 1         ? 1
                                      : ms > MOST_MS ? MOST_MS
                                                     : ms),
                                &events);
    if (events.length)
        events.length--; /* the last comma */
    weir_buf_addf(&reply->body, "{\"steps\":%d,\"events\":[%.*s]}", taken, (int)events.length,
                  events.length ? events.at : "");
    dash_json(reply);
}

static void get_stream(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    reply->type = "text/event-stream";
    reply->stream = true;
    weir_buf_adds(&reply->body, "retry: 2000\n\n");
}

/* ---- the table ----------------------------------------------------------------------------------
 */

static const struct {
    const char *path;
    dash_handler *handle;
} paths[] = {
    {"/healthz", get_health},
    {"/readyz", get_health},
    {"/metrics", dash_get_metrics},
    {"/api/task", dash_get_task},
    {"/api/cluster", dash_get_cluster},
    {"/api/steps", dash_get_steps},
    {"/api/host", dash_get_host},
    {"/api/marks", dash_get_marks},
    {"/api/log", dash_get_log},
    {"/api/waits", get_waits},
    {"/api/plans", get_plans},
    {"/api/graph", get_graph},
    {"/api/resources", dash_get_resources},
    {"/api/trace", get_trace},
    {"/api/clock", get_clock},
    {"/api/stream", get_stream},
};

static bool begins(weir_str path, const char *prefix)
{
    size_t length = strlen(prefix);
    return path.length > length && memcmp(path.at, prefix, length) == 0;
}

static void answer(void *ctx, const weir_http_request *request, weir_http_reply *reply)
{
    weir_dash *dash = ctx;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (weir_str_is(request->path, paths[i].path)) {
            paths[i].handle(dash, request, reply);
            return;
        }
    if (begins(request->path, "/api/tasks/")) {
        dash_get_of_task(dash, request, reply);
    } else if (!weir_board_answer(request, reply) && !weir_dash_asset(request->path, reply)) {
        reply->status = 404;
        weir_buf_adds(&reply->body, "there is nothing under this path; / is the page\n");
    }
}

static void next(void *ctx, int64_t *cursor, weir_buf *out)
{
    dash_put_event(ctx, cursor, out);
}

/* ---- the site -----------------------------------------------------------------------------------
 */

weir_dash *weir_dash_create(const weir_dash_options *options)
{
    weir_dash *dash = WEIR_NEW(weir_dash);
    dash->site = (weir_http_site){answer, next, dash};
    dash->tasks = WEIR_NEW_ARRAY(dash_task, options->task_count);
    dash->task_count = options->task_count;
    dash->own = options->own;
    dash->start_us = weir_wall_us();
    dash->resources = options->resources ? weir_resources_retain(options->resources) : NULL;
    for (int i = 0; i < options->task_count; i++) {
        const weir_dash_task *task = &options->tasks[i];
        dash->tasks[i] =
            (dash_task){weir_strdup(task->job), weir_strdup(task->address), task->index};
    }
    weir_host_start();
    weir_lines_keep();
    return dash;
}

void weir_dash_destroy(weir_dash *dash)
{
    if (!dash)
        return;
    for (int i = 0; i < dash->task_count; i++) {
        weir_free(dash->tasks[i].job);
        weir_free(dash->tasks[i].address);
    }
    weir_free(dash->tasks);
    weir_free(atomic_load(&dash->listens));
    weir_resources_release(dash->resources);
    weir_free(dash);
}

void weir_dash_listens(weir_dash *dash, const char *address)
{
    atomic_store(&dash->listens, weir_strdup(address));
}

const weir_http_site *weir_dash_site(const weir_dash *dash)
{
    return &dash->site;
}
