/* dist/master_remote.c - the other tasks of a session: GetStatus, CreateWorkerSession and
 * DeleteWorkerSession.
 */
#include "dist/master_remote.h"

#include <stdio.h>

#include "base/log.h"
#include "dist/fanout.h"
#include "graph/device_name.h"
#include "wire/messages.h"

enum { CLOSE_TIMEOUT_MS = 10000 };

/* ---- choosing tasks ------------------------------------------------------------------------- */

static weir_status parse_device(weir_str text, weir_device_name *out)
{
    WEIR_MESSAGE_ARENA(arena);
    return weir_device_name_parse(weir_arena_strndup(&arena, text.at, text.length), out);
}

/* ConfigProto.device_filters: a task takes part if one of them matches, or if there are none. */
static weir_status match_filters(weir_strs filters, const char *task, bool *out)
{
    weir_device_name name, filter;
    WEIR_TRY(weir_device_name_parse(task, &name));
    bool matches = !filters.count;
    for (size_t i = 0; i < filters.count; i++) {
        WEIR_TRY(parse_device(filters.at[i], &filter));
        matches |= weir_device_name_matches(&filter, &name);
    }
    *out = matches;
    return WEIR_OK;
}

static weir_status pick_tasks(weir_master_remote *remote, const weir_msg_config_proto *config)
{
    remote->tasks = WEIR_NEW_ARRAY(const weir_task *, remote->cluster->task_count);
    for (int i = 0; i < remote->cluster->task_count; i++) {
        bool matches = false;
        if (i != remote->cluster->own)
            WEIR_TRY(
                match_filters(config->device_filters, remote->cluster->tasks[i].name, &matches));
        if (matches)
            remote->tasks[remote->task_count++] = &remote->cluster->tasks[i];
    }
    return WEIR_OK;
}

/* ConfigProto.operation_timeout_in_ms, less a margin: the answer, which lists the missing tasks,
 * must arrive before the client times out. */
static int64_t time_limit(const weir_msg_config_proto *config)
{
    int64_t ms = config->operation_timeout_in_ms;
    return ms <= 0 ? 0 : ms > 5000 ? ms - 500 : ms - ms / 10;
}

/* ---- devices -------------------------------------------------------------------------------- */

/* A task's device under this cluster's name of the task. */
static weir_status name_device(const weir_task *task, weir_str name, char **out)
{
    weir_device_name device;
    WEIR_TRY_NOTE(parse_device(name, &device), " (a device of %s)", task->name);
    if (!*device.type || device.id < 0)
        return weir_error(WEIR_INTERNAL, "%s has a device without a full name: '%.*s'", task->name,
                          WEIR_STR_ARG(name));
    weir_buf full = {0};
    weir_buf_addf(&full, "%s/device:%s:%d", task->name, device.type, device.id);
    *out = weir_buf_take(&full);
    return WEIR_OK;
}

static weir_status add_device(weir_master_remote *remote, const weir_task *task,
                              const weir_msg_device_attributes *attributes)
{
    char *name = NULL;
    WEIR_TRY(name_device(task, attributes->name, &name));
    weir_device_info device = {
        .name = name,
        .type = weir_strndup(attributes->device_type.at, attributes->device_type.length),
        .memory_bytes = attributes->memory_limit,
        .incarnation = attributes->incarnation};
    remote->devices =
        weir_realloc(remote->devices, sizeof device * (size_t)(remote->device_count + 1));
    remote->devices[remote->device_count++] = device;
    return WEIR_OK;
}

static weir_status read_status(weir_master_remote *remote, const weir_task *task, weir_str answer)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_get_status_response response;
    WEIR_TRY_NOTE(weir_answer_parsed(weir_msg_get_status_response_read(answer, &arena, &response),
                                     "GetStatus"),
                  " (from %s)", task->name);
    for (size_t i = 0; i < response.device_attributes.count; i++)
        WEIR_TRY(add_device(remote, task, &response.device_attributes.at[i]));
    return WEIR_OK;
}

/* The error with the tasks that did not answer in time, or before the client cancelled. */
static weir_status missing(const weir_fan_call *calls, int count, const weir_master_ask *ask)
{
    weir_code code = WEIR_CODE_OK;
    WEIR_BUF(names);
    for (int i = 0; i < count; i++) {
        weir_code failed = weir_status_code(calls[i].status);
        if (failed != WEIR_DEADLINE_EXCEEDED && failed != WEIR_CANCELLED)
            continue;
        if (code != WEIR_DEADLINE_EXCEEDED)
            code = failed;
        weir_buf_addf(&names, "%s%s (%s)", names.length ? ", " : "", calls[i].task->name,
                      calls[i].task->address);
    }
    if (!names.length)
        return WEIR_OK;
    weir_status gave_up = ask->cancel ? weir_cancel_status(ask->cancel) : WEIR_OK;
    if (gave_up)
        code = weir_status_code(gave_up);
    weir_status_free(gave_up);
    return weir_error(code, "%s: there was no answer from %s", ask->what, names.at);
}

static weir_status ask_for_devices(weir_master_remote *remote, const weir_master_ask *ask)
{
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, remote->task_count);
    for (int i = 0; i < remote->task_count; i++)
        calls[i].task = remote->tasks[i];
    weir_fan_options options = {.path = "/tensorflow.WorkerService/GetStatus",
                                .timeout_ms = time_limit(ask->config),
                                .wait_for_ready = true,
                                .repeatable = true,
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

/* ---- life cycle ------------------------------------------------------------------------------ */

weir_status weir_master_remote_create(const weir_master_ask *ask, weir_master_remote **out_remote)
{
    weir_master_remote *remote = WEIR_NEW(weir_master_remote);
    remote->server = ask->server;
    remote->cluster = weir_cluster_retain(ask->cluster);
    remote->propagated = ask->cluster != ask->server->cluster;
    weir_msg_config_proto_write(ask->config, &remote->config);
    weir_status status = pick_tasks(remote, ask->config);
    if (!status && remote->task_count)
        status = ask_for_devices(remote, ask);
    if (status || remote->cluster->task_count < 2) {
        weir_master_remote_destroy(remote);
        remote = NULL;
    } else {
        weir_master_remote_init(remote);
        weir_task_calls_init(&remote->calls, remote->cluster, remote->handle);
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

static void put_create(const weir_master_remote *remote, const weir_task *task, bool isolated,
                       weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_cluster_def cluster = weir_cluster_describe(remote->cluster, &arena);
    weir_msg_server_def server_def = {.cluster = remote->propagated ? &cluster : NULL,
                                      .job_name = weir_str_of(task->job),
                                      .task_index = task->index,
                                      .protocol = WEIR_STR("grpc")};
    weir_msg_create_worker_session_request request = {
        .session_handle = weir_str_of(remote->handle),
        .server_def = &server_def,
        .isolate_session_state = isolated,
        .master_task = weir_str_of(weir_cluster_self(remote->cluster)->name),
        .master_incarnation = (int64_t)remote->server->incarnation};
    weir_msg_create_worker_session_request_write(&request, out);
}

static const char delete_session[] = "/tensorflow.WorkerService/DeleteWorkerSession";

static void put_delete(const weir_master_remote *remote, weir_buf *out)
{
    weir_msg_delete_worker_session_request_write(
        &(weir_msg_delete_worker_session_request){.session_handle = weir_str_of(remote->handle)},
        out);
}

static void abandoned(void *arg, weir_status status, weir_rpc_message *answer)
{
    weir_status_free(status); /* as good as nothing was opened there */
    weir_rpc_message_fini(answer);
    weir_cluster_release(arg);
}

/* Some tasks may have opened the session, which another one did not. Does not wait for them. */
static void abandon(const weir_master_remote *remote)
{
    for (int i = 0; i < remote->task_count; i++) {
        weir_rpc_message request = {0};
        put_delete(remote, &request.head);
        weir_channel_call call = {.path = delete_session,
                                  .request = &request,
                                  .timeout_ms = CLOSE_TIMEOUT_MS,
                                  .done = abandoned,
                                  .arg = weir_cluster_retain(remote->cluster)};
        weir_channel_start(remote->tasks[i]->channel, &call);
    }
}

weir_status weir_master_remote_open(weir_master_remote *remote, const char *handle, bool isolated,
                                    weir_cancel *cancel)
{
    snprintf(remote->handle, sizeof remote->handle, "%s", handle);
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, remote->task_count);
    for (int i = 0; i < remote->task_count; i++) {
        calls[i].task = remote->tasks[i];
        put_create(remote, remote->tasks[i], isolated, &calls[i].request.head);
    }
    weir_fan_options options = {.path = "/tensorflow.WorkerService/CreateWorkerSession",
                                .cancel = cancel};
    weir_fan_out(calls, remote->task_count, &options);
    weir_status status = weir_fan_end(calls, remote->task_count);
    weir_free(calls);
    if (status)
        abandon(remote);
    return status;
}

void weir_master_remote_close(weir_master_remote *remote)
{
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, remote->task_count);
    for (int i = 0; i < remote->task_count; i++) {
        calls[i].task = remote->tasks[i];
        put_delete(remote, &calls[i].request.head);
    }
    weir_fan_options options = {.path = delete_session, .timeout_ms = CLOSE_TIMEOUT_MS};
    weir_fan_out(calls, remote->task_count, &options);
    weir_status status = weir_fan_end(calls, remote->task_count);
    if (status)
        weir_log(WEIR_LOG_INFO, "closing session %s: %s", remote->handle,
                 weir_status_message(status));
    weir_status_free(status);
    weir_free(calls);
}
