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
    weir_pb reader = weir_pb_reader(config);
    while (weir_pb_next(&reader)) {
        if (reader.field != DEVICE_FILTERS || reader.type != WEIR_PB_LEN)
            continue;
        char *text = weir_strndup(reader.bytes.at, reader.bytes.length);
        weir_status status = weir_device_name_parse(text, &filter);
        weir_free(text);
        WEIR_TRY(status);
        any = true;
        in |= weir_device_name_matches(&filter, &name);
    }
    *out = !any || in;
    return WEIR_OK;
}

static weir_status pick_tasks(weir_master_remote *remote, weir_str config)
{
    remote->tasks = WEIR_NEW_ARRAY(const weir_task *, remote->cluster->task_count);
    for (int i = 0; i < remote->cluster->task_count; i++) {
        bool in = false;
        if (i != remote->cluster->own)
            WEIR_TRY(filters_let_in(config, remote->cluster->tasks[i].name, &in));
        if (in)
            remote->tasks[remote->task_count++] = &remote->cluster->tasks[i];
    }
    return WEIR_OK;
}

/* ConfigProto.operation_timeout_in_ms, less what an answer needs that is to come before the client
 * gives up by itself, without a cause. */
static int64_t time_limit(weir_str config)
{
    enum { OPERATION_TIMEOUT = 11 };
    int64_t ms = 0;
    weir_pb reader = weir_pb_reader(config);
    while (weir_pb_next(&reader))
        if (reader.field == OPERATION_TIMEOUT && reader.type == WEIR_PB_VARINT)
            ms = weir_pb_int(&reader);
    return ms <= 0 ? 0 : ms > 5000 ? ms - 500 : ms - ms / 10;
}

/* ---- devices -------------------------------------------------------------------------------- */

/* The device of a task under the name that this cluster has for the task. */
static weir_status name_device(const weir_task *task, weir_str said, char **out)
{
    char *text = weir_strndup(said.at, said.length);
    weir_device_name device_name;
    weir_status status = weir_device_name_parse(text, &device_name);
    weir_free(text);
    WEIR_TRY_NOTE(status, " (a device of %s)", task->name);
    if (!*device_name.type || device_name.id < 0)
        return weir_error(WEIR_INTERNAL, "%s has a device without a full name: '%.*s'", task->name,
                          WEIR_STR_ARG(said));
    weir_buf name = {0};
    weir_buf_addf(&name, "%s/device:%s:%d", task->name, device_name.type, device_name.id);
    *out = weir_buf_take(&name);
    return WEIR_OK;
}

static weir_status add_device(weir_master_remote *remote, const weir_task *task,
                              weir_str attributes)
{
    enum { NAME = 1, TYPE = 2, MEMORY = 4, INCARNATION = 6 };
    weir_str name = {0}, type = {0};
    weir_device_info info = {0};
    weir_pb reader = weir_pb_reader(attributes);
    while (weir_pb_next(&reader)) {
        if (reader.field == NAME && reader.type == WEIR_PB_LEN)
            name = reader.bytes;
        else if (reader.field == TYPE && reader.type == WEIR_PB_LEN)
            type = reader.bytes;
        else if (reader.field == MEMORY)
            info.memory_bytes = weir_pb_int(&reader);
        else if (reader.field == INCARNATION)
            info.incarnation = reader.value;
    }
    char *full = NULL;
    WEIR_TRY(name_device(task, name, &full));
    info.name = full;
    info.type = weir_strndup(type.at, type.length);
    remote->devices =
        weir_realloc(remote->devices, sizeof info * (size_t)(remote->device_count + 1));
    remote->devices[remote->device_count++] = info;
    return WEIR_OK;
}

static weir_status read_status(weir_master_remote *remote, const weir_task *task, weir_str answer)
{
    weir_pb reader = weir_pb_reader(answer);
    while (weir_pb_next(&reader))
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            WEIR_TRY(add_device(remote, task, reader.bytes));
    if (!weir_pb_ok(&reader))
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
    weir_status status = WEIR_OK;
    if (names.length)
        status = weir_error(code, "%s: there was no answer from %s", ask->what, names.at);
    weir_buf_fini(&names);
    return status;
}

static weir_status ask_for_devices(weir_master_remote *remote, const weir_master_ask *ask)
{
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, remote->task_count);
    for (int i = 0; i < remote->task_count; i++)
        calls[i].task = remote->tasks[i];
    weir_fan_options options = {.path = "/tensorflow.WorkerService/GetStatus",
                                .timeout_ms = time_limit(ask->config),
                                .wait_for_ready = true,
                                .cancel = ask->cancel,
                                .waiting = ask->what};
    weir_fan_out(calls, remote->task_count, &options);
    weir_status status = missing(calls, remote->task_count, ask);
    for (int i = 0; i < remote->task_count && !status; i++)
        if (!calls[i].status)
            status = read_status(remote, remote->tasks[i], weir_view(&calls[i].answer.head));
    weir_status failed = weir_fan_end(calls, remote->task_count);
    weir_free(calls);
    if (!status)
        return failed;
    weir_status_free(failed);
    return status;
}

/* ---- life ----------------------------------------------------------------------------------- */

weir_status weir_master_remote_create(const weir_master_ask *ask, weir_master_remote **out_remote)
{
    weir_master_remote *remote = WEIR_NEW(weir_master_remote);
    remote->server = ask->server;
    remote->cluster = weir_cluster_retain(ask->cluster);
    remote->propagated = ask->cluster != ask->server->cluster;
    weir_buf_add(&remote->config, ask->config.at, ask->config.length);
    weir_status status = pick_tasks(remote, ask->config);
    if (!status && remote->task_count)
        status = ask_for_devices(remote, ask);
    if (status || remote->cluster->task_count < 2) {
        weir_master_remote_destroy(remote);
        remote = NULL;
    } else {
        weir_master_remote_init(remote);
        remote->base.devices = remote->devices;
        remote->base.device_count = remote->device_count;
    }
    if (!status)
        *out_remote = remote;
    return status;
}

void weir_master_remote_destroy(weir_master_remote *remote)
{
    if (!remote)
        return;
    for (int i = 0; i < remote->device_count; i++) {
        weir_free((char *)remote->devices[i].name);
        weir_free((char *)remote->devices[i].type);
    }
    weir_free(remote->devices);
    weir_free(remote->tasks);
    weir_buf_fini(&remote->config);
    weir_cluster_release(remote->cluster);
    weir_free(remote);
}

/* ---- worker sessions ------------------------------------------------------------------------ */

static void put_server_def(const weir_master_remote *remote, const weir_task *task, weir_buf *out)
{
    enum { SERVER_DEF = 2, CLUSTER = 1, JOB = 2, TASK = 3, PROTOCOL = 5 };
    size_t mark = weir_pb_begin(out, SERVER_DEF);
    if (remote->propagated) {
        size_t cluster = weir_pb_begin(out, CLUSTER);
        weir_cluster_export(remote->cluster, out);
        weir_pb_end(out, cluster);
    }
    weir_pb_put_str(out, JOB, task->job);
    weir_pb_put_varint_nz(out, TASK, (uint64_t)task->index);
    weir_pb_put_str(out, PROTOCOL, "grpc");
    weir_pb_end(out, mark);
}

weir_status weir_master_remote_open(weir_master_remote *remote, const char *handle, bool isolated,
                                    weir_cancel *cancel)
{
    enum { HANDLE = 1, ISOLATE = 3, MASTER_TASK = 5, MASTER_INCARNATION = 6 };
    snprintf(remote->handle, sizeof remote->handle, "%s", handle);
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, remote->task_count);
    for (int i = 0; i < remote->task_count; i++) {
        calls[i].task = remote->tasks[i];
        weir_buf *out = &calls[i].request.head;
        weir_pb_put_str(out, HANDLE, handle);
        put_server_def(remote, remote->tasks[i], out);
        weir_pb_put_varint_nz(out, ISOLATE, isolated);
        weir_pb_put_str(out, MASTER_TASK, weir_cluster_self(remote->cluster)->name);
        weir_pb_put_varint(out, MASTER_INCARNATION, remote->server->incarnation);
    }
    weir_fan_options options = {.path = "/tensorflow.WorkerService/CreateWorkerSession",
                                .cancel = cancel};
    weir_fan_out(calls, remote->task_count, &options);
    weir_status status = weir_fan_end(calls, remote->task_count);
    weir_free(calls);
    return status;
}

void weir_master_remote_close(weir_master_remote *remote)
{
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, remote->task_count);
    for (int i = 0; i < remote->task_count; i++) {
        calls[i].task = remote->tasks[i];
        weir_pb_put_str(&calls[i].request.head, 1, remote->handle);
    }
    weir_fan_options options = {.path = "/tensorflow.WorkerService/DeleteWorkerSession",
                                .timeout_ms = CLOSE_TIMEOUT_MS};
    weir_fan_out(calls, remote->task_count, &options);
    weir_status status = weir_fan_end(calls, remote->task_count);
    if (status)
        weir_log(WEIR_LOG_INFO, "closing session %s: %s", remote->handle,
                 weir_status_message(status));
    weir_status_free(status);
    weir_free(calls);
}
