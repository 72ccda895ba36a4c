/* dash/cluster.c - the whole cluster as seen by one task, by requests to the others. */
#include <stdlib.h>

#include "base/mem.h"
#include "dash/dash_impl.h"
#include "dash/peers.h"
#include "wire/json.h"

enum { ASK_MS = 1000, LONG_MS = 60000 };

/* A task that did not answer. */
static void put_absent(const dash_task *task, const char *problem, weir_buf *out)
{
    weir_buf_adds(out, "{\"job\":");
    weir_json_put_string(out, weir_str_of(task->job));
    weir_buf_addf(out, ",\"index\":%d,\"address\":", task->index);
    weir_json_put_string(out, weir_str_of(task->address));
    weir_buf_adds(out, ",\"state\":\"absent\",\"problem\":");
    weir_json_put_string(out, weir_str_of(problem ? problem : "it shows nothing"));
    weir_buf_addc(out, '}');
}

void dash_get_cluster(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    weir_peer_get *gets = WEIR_NEW_ARRAY(weir_peer_get, dash->task_count);
    size_t asked = 0;
    for (int i = 0; i < dash->task_count; i++)
        if (i != dash->own)
            gets[asked++] = (weir_peer_get){.address = dash->tasks[i].address, .path = "/api/task"};
    weir_peers_get(gets, asked, ASK_MS);
    weir_buf *out = &reply->body;
    weir_buf_adds(out, "{\"tasks\":[");
    for (int i = 0, next = 0; i < dash->task_count; i++) {
        if (i)
            weir_buf_addc(out, ',');
        weir_peer_get *get = i == dash->own ? NULL : &gets[next++];
        if (!get)
            dash_put_task(dash, out);
        else if (get->status == 200)
            weir_buf_add(out, get->body.at, get->body.length);
        else
            put_absent(&dash->tasks[i], get->problem, out);
    }
    weir_buf_addf(out, "],\"own\":%d}", dash->own);
    for (size_t i = 0; i < asked; i++)
        weir_buf_fini(&gets[i].body);
    weir_free(gets);
    dash_json(reply);
}

/* The task of a path "JOB/INDEX/REST"; -1: none. Sets |out_rest|. */
static int find_task(const weir_dash *dash, weir_str path, weir_str *out_rest)
{
    for (int i = 0; i < dash->task_count; i++) {
        WEIR_BUF(prefix);
        weir_buf_addf(&prefix, "%s/%d/", dash->tasks[i].job, dash->tasks[i].index);
        if (path.length > prefix.length && memcmp(path.at, prefix.at, prefix.length) == 0) {
            *out_rest = (weir_str){path.at + prefix.length, path.length - prefix.length};
            return i;
        }
    }
    return -1;
}

/* Answered directly: a task may not be reachable by its own address, which may have no port yet. */
static void answer_own(weir_dash *dash, weir_str rest, const weir_http_request *request,
                       weir_http_reply *reply)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "/api/%.*s", WEIR_STR_ARG(rest));
    weir_http_request own = *request;
    own.path = weir_view(&path);
    dash->site.answer(dash, &own, reply);
}

void dash_get_of_task(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    size_t prefix = strlen("/api/tasks/");
    weir_str rest, path = {request->path.at + prefix, request->path.length - prefix};
    int task = find_task(dash, path, &rest);
    bool nested = rest.length >= 5 && memcmp(rest.at, "tasks", 5) == 0;
    if (task < 0 || nested) {
        reply->status = 404;
        weir_buf_adds(&reply->body, "there is no such task\n");
        return;
    }
    if (task == dash->own) {
        answer_own(dash, rest, request, reply);
        return;
    }
    WEIR_BUF(target);
    weir_buf_addf(&target, "/api/%.*s%s%.*s", WEIR_STR_ARG(rest), request->query.length ? "?" : "",
                  WEIR_STR_ARG(request->query));
    weir_peer_get get = {.address = dash->tasks[task].address, .path = target.at};
    weir_peers_get(&get, 1, LONG_MS);
    reply->status = get.status ? get.status : 502;
    reply->body = get.body;
    if (get.problem)
        weir_buf_addf(&reply->body, "%s\n", get.problem);
    else if (weir_str_is(rest, "image"))
        reply->type = "image/png";
    else
        dash_json(reply);
}
