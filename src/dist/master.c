/* dist/master.c - MasterService: sessions of remote clients.
 *
 * Each handler parses its request, finds the session, and answers.
 */
#include <inttypes.h>

#include "dist/fanout.h"
#include "dist/kept_answers.h"
#include "dist/master_impl.h"
#include "net/limits.h"
#include "observe/marks.h"

/* ---- sessions ------------------------------------------------------------------------------- */

static void destroy_session(weir_ref *ref)
{
    master_session *session = (master_session *)ref;
    weir_session_destroy(session->session);
    weir_master_remote_destroy(session->remote);
    weir_cluster_release(session->cluster);
    weir_resources_release(session->resources);
    weir_graph_destroy(session->graph);
    for (size_t i = 0; i < session->callables.count; i++)
        weir_ref_release((weir_ref *)session->callables.at[i]);
    weir_vec_fini(&session->callables);
    weir_kept_answers_destroy(session->kept);
    weir_mutex_fini(&session->graph_lock);
    weir_mutex_fini(&session->lock);
    weir_free(session);
}

/* A session's own resources are destroyed when it is closed, not when the last thread that uses it
 * releases it: an iterator may lock a file that the client's next session needs. */
static void drop_own_resources(master_session *session)
{
    if (session->owns_resources)
        weir_resources_clear(session->resources, NULL, 0);
}

/* Cancels its steps, ends it on the other tasks too, and releases it. */
void weir_master_end_session(master_session *session)
{
    weir_status_free(weir_session_close(session->session)); /* cannot fail */
    drop_own_resources(session);
    if (session->remote) {
        weir_worker_close_own(session->remote->server->worker, session->handle);
        weir_master_remote_close(session->remote);
    }
    weir_ref_release(&session->ref);
}

typedef struct session_creation {
    weir_server *server;
    weir_msg_create_session_request request;
    weir_msg_config_proto config; /* merged: the server's, the client's, and again the server's */
    const weir_msg_cluster_def *cluster_def; /* the client's; null: none */
    weir_cancel *cancel;
} session_creation;

/* The server's config is also merged last, so that its settings apply to every session. */
static weir_status read_creation(weir_str bytes, weir_arena *arena, weir_buf *merged,
                                 session_creation *creation)
{
    const weir_buf *defaults = &creation->server->config;
    WEIR_TRY(
        weir_rpc_parsed(weir_msg_create_session_request_read(bytes, arena, &creation->request)));
    const weir_msg_config_proto *wishes = creation->request.config;
    weir_buf_add(merged, defaults->at, defaults->length);
    if (wishes)
        weir_msg_config_proto_write(wishes, merged);
    weir_buf_add(merged, defaults->at, defaults->length);
    if (wishes && wishes->cluster_def && wishes->cluster_def->job.count)
        creation->cluster_def = wishes->cluster_def;
    return weir_msg_config_proto_read(weir_view(merged), arena, &creation->config);
}

/* The task of |cluster| at |address|; null: none. */
static weir_status find_address(const weir_cluster *cluster, weir_str target, weir_str address,
                                const weir_task **out)
{
    const weir_task *found = NULL;
    for (int i = 0; i < cluster->task_count; i++) {
        const weir_task *task = &cluster->tasks[i];
        if (!weir_str_is(address, task->address))
            continue;
        if (found)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Found multiple matching tasks that correspond to the master. Master "
                              "target: '%.*s'",
                              WEIR_STR_ARG(target));
        found = task;
    }
    *out = found;
    return WEIR_OK;
}

/* The cluster that the client sent; the own task is the one whose address it called. */
static weir_status propagate(const session_creation *creation, weir_cluster *cluster)
{
    weir_str target = creation->request.target;
    const char *slashes = target.length ? memmem(target.at, target.length, "://", 3) : NULL;
    size_t skip = slashes ? (size_t)(slashes - target.at) + 3 : 0;
    weir_str address = {target.at + skip, target.length - skip};
    const weir_task *own, *boot = weir_cluster_self(creation->server->cluster);
    WEIR_TRY(weir_cluster_add_def(cluster, creation->cluster_def));
    WEIR_TRY(find_address(cluster, target, address, &own));
    if (own && own->index == boot->index && strcmp(own->job, boot->job) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The ClusterSpec names the job and task index to be the same names that "
                          "were provided when the server booted. This is currently not allowed. "
                          "Job: %s, task index: %d",
                          own->job, own->index);
    if (!own)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "No task of the given cluster has the address that was called, '%.*s'",
                          WEIR_STR_ARG(address));
    char *job = weir_strdup(own->job);
    weir_status status = weir_cluster_seal(cluster, job, own->index);
    weir_free(job);
    return status;
}

static weir_status pick_cluster(const session_creation *creation, master_session *session)
{
    if (!creation->cluster_def) {
        session->cluster = weir_cluster_retain(creation->server->cluster);
        return WEIR_OK;
    }
    session->cluster = weir_cluster_create();
    return propagate(creation, session->cluster);
}

/* Whether the session has variables of its own. By default only with a cluster from the
 * client. */
static bool is_isolated(const session_creation *creation)
{
    const weir_msg_config_proto *config = &creation->config;
    const weir_msg_config_proto_experimental *experimental = config->experimental;
    return creation->cluster_def
               ? !experimental || !experimental->share_session_state_in_clusterspec_propagation
               : config->isolate_session_state;
}

static weir_resources *pick_resources(const session_creation *creation,
                                      const master_session *session)
{
    if (!is_isolated(creation))
        return weir_resources_retain(creation->server->resources);
    const weir_cluster *cluster = session->cluster;
    const weir_task *own = &cluster->tasks[cluster->own]; /* a master's cluster has its own task */
    WEIR_BUF(device);
    weir_buf_adds(&device, own->name);
    weir_buf_adds(&device, "/device:CPU:0");
    return weir_resources_create(own->job, device.at);
}

static weir_status open_session(const session_creation *creation, master_session *session)
{
    weir_master_ask ask = {.server = creation->server,
                           .cluster = session->cluster,
                           .config = &creation->config,
                           .cancel = creation->cancel,
                           .what = "CreateSession"};
    WEIR_TRY(weir_master_remote_create(&ask, &session->remote));
    session->resources = pick_resources(creation, session);
    session->owns_resources = session->resources != creation->server->resources;
    weir_session_config config = weir_session_config_of(&creation->config);
    weir_session_options options = {.config = &config,
                                    .task = weir_cluster_self(session->cluster)->name,
                                    .resources = session->resources,
                                    .devices = &creation->server->devices,
                                    .remote = session->remote ? &session->remote->base : NULL,
                                    .calls = session->remote ? &session->remote->calls.base : NULL,
                                    .collectives =
                                        weir_task_collectives_base(creation->server->collectives)};
    WEIR_TRY(
        weir_session_create(session->graph, &session->graph_lock, &options, &session->session));
    WEIR_TRY(weir_session_place_graph(session->session));
    if (!session->remote)
        return WEIR_OK;
    WEIR_TRY(weir_master_remote_open(session->remote, session->handle, session->owns_resources,
                                     creation->cancel));
    weir_worker_open_own(creation->server->worker, session->handle, session->cluster,
                         session->resources);
    return WEIR_OK;
}

static weir_status new_session(const session_creation *creation, master_session **out)
{
    const weir_msg_config_proto *config = &creation->config;
    if (config->use_per_session_threads || config->session_inter_op_thread_pool.count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Distributed session does not support session thread pool options.");
    master_session *session = WEIR_NEW(master_session);
    weir_ref_init(&session->ref, destroy_session);
    weir_mutex_init(&session->graph_lock);
    weir_mutex_init(&session->lock);
    weir_master_new_handle(session->handle);
    if (weir_limits_get()->kept_answer_mib)
        session->kept = weir_kept_answers_create((size_t)weir_limits_get()->kept_answer_mib << 20);
    session->graph = weir_graph_create(weir_catalogue());
    weir_status status = weir_graph_import(session->graph, creation->request.graph_def,
                                           &(weir_import){.any_shapes = true}, NULL);
    if (!status)
        status = pick_cluster(creation, session);
    if (!status)
        status = open_session(creation, session);
    if (status)
        weir_ref_release(&session->ref);
    else
        *out = session;
    return status;
}

static weir_status create_session(weir_server *server, weir_str bytes, weir_peer *peer,
                                  weir_cancel *cancel, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(merged);
    session_creation creation = {.server = server, .cancel = cancel};
    master_session *session = NULL;
    WEIR_TRY(read_creation(bytes, &arena, &merged, &creation));
    WEIR_TRY(new_session(&creation, &session));
    weir_status status = weir_master_list_session(server, session, peer);
    if (status) {
        weir_master_end_session(session);
        return status;
    }
    weir_mark_add("session", "a client opened a session"); /* handles are secret */
    weir_msg_create_session_response_write(
        &(weir_msg_create_session_response){.session_handle = weir_str_of(session->handle)}, out);
    return WEIR_OK;
}

/* All or nothing: adds no nodes if one cannot be placed. graph_lock is held. */
static weir_status extend(master_session *session, weir_str graph, int64_t version)
{
    if (version != session->version)
        return weir_error(WEIR_ABORTED,
                          "Current version is %" PRId64 " but caller expected %" PRId64 ".",
                          session->version, version);
    size_t before = session->graph->nodes.count;
    WEIR_TRY(weir_graph_import(session->graph, graph,
                               &(weir_import){.extend = true, .any_shapes = true}, NULL));
    weir_status status = weir_session_place_graph(session->session);
    if (status)
        weir_graph_truncate(session->graph, before);
    else
        session->version++;
    return status;
}

static weir_status extend_session(weir_server *server, weir_str bytes, weir_peer *peer,
                                  weir_cancel *cancel, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_extend_session_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_extend_session_request_read(bytes, &arena, &request)));
    master_session *session;
    WEIR_TRY(weir_master_find_session(server, request.session_handle, peer, &session));
    weir_mutex_lock(&session->graph_lock);
    weir_status status = extend(session, request.graph_def, request.current_graph_version);
    weir_msg_extend_session_response response = {.new_graph_version = session->version};
    weir_mutex_unlock(&session->graph_lock);
    weir_ref_release(&session->ref);
    weir_msg_extend_session_response_write(&response, out);
    return status;
}

static weir_status close_session(weir_server *server, weir_str bytes, weir_peer *peer,
                                 weir_cancel *cancel, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_close_session_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_close_session_request_read(bytes, &arena, &request)));
    master_session *session = weir_master_unlist_session(server, request.session_handle, peer);
    if (!session)
        return weir_error(WEIR_ABORTED,
                          "Session %.*s is not found. Possibly, this master has restarted.",
                          WEIR_STR_ARG(request.session_handle));
    weir_mark_add("session", "a client closed its session");
    weir_master_end_session(session);
    return WEIR_OK;
}

/* Calls CleanupAll, with the same containers, on every other task of the cluster. */
static weir_status clean_others(weir_server *server, weir_strs containers, weir_cancel *cancel)
{
    int count = 0;
    weir_msg_cleanup_all_request request = {.container = containers};
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, server->cluster->task_count);
    for (int i = 0; i < server->cluster->task_count; i++) {
        if (i == server->cluster->own)
            continue;
        calls[count].task = &server->cluster->tasks[i];
        weir_msg_cleanup_all_request_write(&request, &calls[count++].request.head);
    }
    weir_fan_options options = {.path = "/tensorflow.WorkerService/CleanupAll",
                                .wait_for_ready = true,
                                .repeatable = true,
                                .cancel = cancel,
                                .waiting = "Reset"};
    weir_fan_out(calls, count, &options);
    weir_status status = weir_fan_end(calls, count);
    weir_free(calls);
    return status;
}

static weir_status reset(weir_server *server, weir_str bytes, weir_peer *peer, weir_cancel *cancel,
                         weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_reset_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_reset_request_read(bytes, &arena, &request)));
    WEIR_TRY(weir_master_check_reset(server, peer));
    weir_master_close_all(server);
    weir_resources_clear(server->resources, request.container.at, request.container.count);
    return clean_others(server, request.container, cancel);
}

/* Without a session: the own devices, then those of all other tasks. */
static weir_status list_all(weir_server *server, weir_cancel *cancel, weir_buf *out)
{
    static const weir_msg_config_proto defaults;
    WEIR_MESSAGE_ARENA(arena);
    weir_master_ask ask = {.server = server,
                           .cluster = server->cluster,
                           .config = &defaults,
                           .cancel = cancel,
                           .what = "ListDevices"};
    weir_master_remote *remote = NULL;
    WEIR_TRY(weir_master_remote_create(&ask, &remote));
    weir_msg_list_devices_response response = {
        .local_device = weir_devices_describe(server->devices.at, server->devices.count, &arena)};
    if (remote)
        response.remote_device =
            weir_devices_describe(remote->devices, remote->device_count, &arena);
    weir_msg_list_devices_response_write(&response, out);
    weir_master_remote_destroy(remote);
    return WEIR_OK;
}

static weir_status list_devices(weir_server *server, weir_str bytes, weir_peer *peer,
                                weir_cancel *cancel, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_list_devices_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_list_devices_request_read(bytes, &arena, &request)));
    if (!request.session_handle.length)
        return list_all(server, cancel, out);
    master_session *session;
    weir_status status = weir_master_find_session(server, request.session_handle, peer, &session);
    if (status) {
        weir_status_free(status);
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Session %.*s is not found. Possibly, this master has restarted.",
                          WEIR_STR_ARG(request.session_handle));
    }
    weir_devices devices = {0};
    status = weir_session_list_devices(session->session, &devices);
    weir_msg_list_devices_response response = {
        .local_device = weir_devices_describe(devices.at, devices.count, &arena)};
    weir_msg_list_devices_response_write(&response, out);
    weir_devices_fini(&devices);
    weir_ref_release(&session->ref);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Wire name, function, and whether it may end blocked calls; each parses its request from bytes and
 * appends its response. */
#define METHODS(M)                                                                                 \
    M(CreateSession, create_session, false)                                                        \
    M(ExtendSession, extend_session, false)                                                        \
    M(PartialRunSetup, weir_master_partial_setup, false)                                           \
    M(CloseSession, close_session, true)                                                           \
    M(ListDevices, list_devices, false)                                                            \
    M(Reset, reset, true)                                                                          \
    M(MakeCallable, weir_master_make_callable, false)                                              \
    M(ReleaseCallable, weir_master_release_callable, false)

#define HANDLER(name, function, is_urgent)                                                         \
    static void handle_##name(weir_rpc *call, void *ctx)                                           \
    {                                                                                              \
        weir_buf out = {0};                                                                        \
        weir_status status = function(ctx, weir_rpc_request(call), weir_rpc_peer(call),            \
                                      weir_rpc_cancel(call), &out);                                \
        weir_rpc_answer(call, status, &out);                                                       \
    }
METHODS(HANDLER)

#define ROW(name, function, is_urgent)                                                             \
    {"/tensorflow.MasterService/" #name, handle_##name, .urgent = is_urgent},
const weir_rpc_method weir_master_methods[] = {
    METHODS(ROW) /* those below answer themselves, possibly later */
    {"/tensorflow.MasterService/RunCallable", weir_master_run_callable},
    {"/tensorflow.MasterService/RunStep", weir_master_run_step, .quick = true},
};
const size_t weir_master_method_count = sizeof weir_master_methods / sizeof *weir_master_methods;
