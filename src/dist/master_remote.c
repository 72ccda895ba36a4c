/* dist/master_remote.c - who takes part in a session: GetStatus, CreateWorkerSession and their end.
 */
#include "dist/master_remote.h"

#include <stdio.h>

#include "base/log.h"
#include "dist/fanout.h"
#include "graph/device_name.h"
#include "wire/pb.h"

enum { CLOSE_TIMEOUT_MS = 10000 };

/* ---- who takes part ------------------------------------------------------------------------- */

/* ConfigProto.device_filters: a task takes part when one of them fits it, or when there are none.
 */
static weir_status filters_let_in(weir_str config, const char *task, bool *out)
{
    enum { DEVICE_FILTERS = 4 };
    weir_device_name name, filter;
    WEIR_TRY(weir_device_name_parse(task, &name));
    bool any = false, in = false;
    weir_pb r = weir_pb_reader(config);
    while (weir_pb_next(&r)) {
        if (r.field != DEVICE_FILTERS || r.type != WEIR_PB_LEN)
            continue;
        char *text = weir_strndup(r.bytes.at, r.bytes.length);
        weir_status s = weir_device_name_parse(text, &filter);
        weir_free(text);
        WEIR_TRY(s);
        any = true;
        in |= weir_device_name_matches(&filter, &name);
    }
    *out = !any || in;
    return WEIR_OK;
}

static weir_status pick_tasks(weir_master_remote *r, weir_str config)
{
    r->tasks = WEIR_NEW_ARRAY(const weir_task *, r->cluster->task_count);
    for (int i = 0; i < r->cluster->task_count; i++) {
        bool in = false;
        if (i != r->cluster->own)
            WEIR_TRY(filters_let_in(config, r->cluster->tasks[i].name, &in));
        if (in)
            r->tasks[r->task_count++] = &r->cluster->tasks[i];
    }
    return WEIR_OK;
}

/* ConfigProto.operation_timeout_in_ms, less what an answer needs that is to come before the client
 * gives up by itself, without a cause. */
static int64_t time_limit(weir_str config)
{
    enum { OPERATION_TIMEOUT = 11 };
    int64_t ms = 0;
    weir_pb r = weir_pb_reader(config);
    while (weir_pb_next(&r))
        if (r.field == OPERATION_TIMEOUT && r.type == WEIR_PB_VARINT)
            ms = weir_pb_int(&r);
    return ms <= 0 ? 0 : ms > 5000 ? ms - 500 : ms - ms / 10;
}

/* ---- devices -------------------------------------------------------------------------------- */

/* The device of a task under the name that this cluster has for the task. */
static weir_status name_device(const weir_task *task, weir_str said, char **out)
{
    char *text = weir_strndup(said.at, said.length);
    weir_device_name n;
    weir_status s = weir_device_name_parse(text, &n);
    weir_free(text);
    WEIR_TRY_NOTE(s, " (a device of %s)", task->name);
    if (!*n.type || n.id < 0)
        return weir_error(WEIR_INTERNAL, "%s has a device without a full name: '%.*s'", task->name,
                          WEIR_STR_ARG(said));
    weir_buf name = {0};
    weir_buf_addf(&name, "%s/device:%s:%d", task->name, n.type, n.id);
    *out = weir_buf_take(&name);
    return WEIR_OK;
}

static weir_status add_device(weir_master_remote *r, const weir_task *task, weir_str attributes)
{
    enum { NAME = 1, TYPE = 2, MEMORY = 4, INCARNATION = 6 };
    weir_str name = {0}, type = {0};
    weir_device_info d = {0};
    weir_pb p = weir_pb_reader(attributes);
    while (weir_pb_next(&p)) {
        if (p.field == NAME && p.type == WEIR_PB_LEN)
            name = p.bytes;
        else if (p.field == TYPE && p.type == WEIR_PB_LEN)
            type = p.bytes;
        else if (p.field == MEMORY)
            d.memory_bytes = weir_pb_int(&p);
        else if (p.field == INCARNATION)
            d.incarnation = p.value;
    }
    char *full = NULL;
    WEIR_TRY(name_device(task, name, &full));
    d.name = full;
    d.type = weir_strndup(type.at, type.length);
    r->devices = weir_realloc(r->devices, sizeof d * (size_t)(r->device_count + 1));
    r->devices[r->device_count++] = d;
    return WEIR_OK;
}

static weir_status read_status(weir_master_remote *r, const weir_task *task, weir_str answer)
{
    weir_pb p = weir_pb_reader(answer);
    while (weir_pb_next(&p))
        if (p.field == 1 && p.type == WEIR_PB_LEN)
            WEIR_TRY(add_device(r, task, p.bytes));
    if (!weir_pb_ok(&p))
        return weir_error(WEIR_INTERNAL, "GetStatus of %s: unreadable answer", task->name);
    return WEIR_OK;
}

/* Who has not answered when the time was up, or when the client gave up waiting. */
static weir_status missing(const weir_fan_call *calls, int count, const weir_master_ask *ask)
{
    weir_code code = WEIR_CODE_OK;
    weir_buf names = {0};
    for (int i = 0; i < count; i++) {
        weir_code c = weir_status_code(calls[i].status);
        if (c != WEIR_DEADLINE_EXCEEDED && c != WEIR_CANCELLED)
            continue;
        if (code != WEIR_DEADLINE_EXCEEDED)
            code = c;
        weir_buf_addf(&names, "%s%s (%s)", names.length ? ", " : "", calls[i].task->name,
                      calls[i].task->address);
    }
    weir_status gave_up = ask->cancel ? weir_cancel_status(ask->cancel) : WEIR_OK;
    if (gave_up)
        code = weir_status_code(gave_up);
    weir_status_free(gave_up);
    weir_status s = WEIR_OK;
    if (names.length)
        s = weir_error(code, "%s: there was no answer from %s", ask->what, names.at);
    weir_buf_fini(&names);
    return s;
}

static weir_status ask_for_devices(weir_master_remote *r, const weir_master_ask *ask)
{
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, r->task_count);
    for (int i = 0; i < r->task_count; i++)
        calls[i].task = r->tasks[i];
    weir_fan_options o = {.path = "/tensorflow.WorkerService/GetStatus",
                          .timeout_ms = time_limit(ask->config),
                          .wait_for_ready = true,
                          .cancel = ask->cancel,
                          .waiting = ask->what};
    weir_fan_out(calls, r->task_count, &o);
    weir_status s = missing(calls, r->task_count, ask);
    for (int i = 0; i < r->task_count && !s; i++)
        if (!calls[i].status)
            s = read_status(r, r->tasks[i],
                            (weir_str){calls[i].answer.head.at, calls[i].answer.head.length});
    weir_status failed = weir_fan_end(calls, r->task_count);
    weir_free(calls);
    if (!s)
        return failed;
    weir_status_free(failed);
    return s;
}

/* ---- life ----------------------------------------------------------------------------------- */

weir_status weir_master_remote_create(const weir_master_ask *ask, weir_master_remote **out_remote)
{
    weir_master_remote *r = WEIR_NEW(weir_master_remote);
    r->server = ask->server;
    r->cluster = weir_cluster_retain(ask->cluster);
    r->propagated = ask->cluster != ask->server->cluster;
    weir_buf_add(&r->config, ask->config.at, ask->config.length);
    weir_status s = pick_tasks(r, ask->config);
    if (!s && r->task_count)
        s = ask_for_devices(r, ask);
    if (s || r->cluster->task_count < 2) {
        weir_master_remote_destroy(r);
        r = NULL;
    } else {
        weir_master_remote_init(r);
        r->base.devices = r->devices;
        r->base.device_count = r->device_count;
    }
    if (!s)
        *out_remote = r;
    return s;
}

void weir_master_remote_destroy(weir_master_remote *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->device_count; i++) {
        weir_free((char *)r->devices[i].name);
        weir_free((char *)r->devices[i].type);
    }
    weir_free(r->devices);
    weir_free(r->tasks);
    weir_buf_fini(&r->config);
    weir_cluster_release(r->cluster);
    weir_free(r);
}

/* ---- worker sessions ------------------------------------------------------------------------ */

static void put_server_def(const weir_master_remote *r, const weir_task *task, weir_buf *out)
{
    enum { SERVER_DEF = 2, CLUSTER = 1, JOB = 2, TASK = 3, PROTOCOL = 5 };
    size_t mark = weir_pb_begin(out, SERVER_DEF);
    if (r->propagated) {
        size_t cluster = weir_pb_begin(out, CLUSTER);
        weir_cluster_export(r->cluster, out);
        weir_pb_end(out, cluster);
    }
    weir_pb_put_str(out, JOB, task->job);
    weir_pb_put_varint_nz(out, TASK, (uint64_t)task->index);
    weir_pb_put_str(out, PROTOCOL, "grpc");
    weir_pb_end(out, mark);
}

weir_status weir_master_remote_open(weir_master_remote *r, const char *handle, bool isolated,
                                    weir_cancel *cancel)
{
    enum { HANDLE = 1, ISOLATE = 3, MASTER_TASK = 5, MASTER_INCARNATION = 6 };
    snprintf(r->handle, sizeof r->handle, "%s", handle);
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, r->task_count);
    for (int i = 0; i < r->task_count; i++) {
        calls[i].task = r->tasks[i];
        weir_buf *out = &calls[i].request.head;
        weir_pb_put_str(out, HANDLE, handle);
        put_server_def(r, r->tasks[i], out);
        weir_pb_put_varint_nz(out, ISOLATE, isolated);
        weir_pb_put_str(out, MASTER_TASK, weir_cluster_self(r->cluster)->name);
        weir_pb_put_varint(out, MASTER_INCARNATION, r->server->incarnation);
    }
    weir_fan_options o = {.path = "/tensorflow.WorkerService/CreateWorkerSession",
                          .cancel = cancel};
    weir_fan_out(calls, r->task_count, &o);
    weir_status s = weir_fan_end(calls, r->task_count);
    weir_free(calls);
    return s;
}

void weir_master_remote_close(weir_master_remote *r)
{
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, r->task_count);
    for (int i = 0; i < r->task_count; i++) {
        calls[i].task = r->tasks[i];
        weir_pb_put_str(&calls[i].request.head, 1, r->handle);
    }
    weir_fan_options o = {.path = "/tensorflow.WorkerService/DeleteWorkerSession",
                          .timeout_ms = CLOSE_TIMEOUT_MS};
    weir_fan_out(calls, r->task_count, &o);
    weir_status s = weir_fan_end(calls, r->task_count);
    if (s)
        weir_log(WEIR_LOG_INFO, "closing session %s: %s", r->handle, weir_status_message(s));
    weir_status_free(s);
    weir_free(calls);
}
