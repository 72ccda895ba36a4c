/* dist/master.c - MasterService: sessions of remote clients.
 *
 * Each handler reads its request, finds the session, and answers. A step runs on the handler's own
 * thread, so a client may keep any number of steps waiting.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dist/fanout.h"
#include "dist/ids.h"
#include "dist/master_impl.h"
#include "dist/options.h"

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
        weir_master_free_callable(session->callables.at[i]);
    weir_vec_fini(&session->callables);
    weir_mutex_fini(&session->graph_lock);
    weir_mutex_fini(&session->lock);
    weir_free(session);
}

/* Stops its steps, ends it on the other tasks too, and lets go of it. */
static void end_session(master_session *session)
{
    weir_status_free(weir_session_close(session->session)); /* cannot fail */
    if (session->remote)
        weir_master_remote_close(session->remote);
    weir_ref_release(&session->ref);
}

weir_status weir_master_find_session(weir_server *server, weir_str handle, master_session **out)
{
    weir_mutex_lock(&server->lock);
    master_session *session = weir_map_get(&server->sessions, handle);
    if (session)
        weir_ref_retain(&session->ref);
    weir_mutex_unlock(&server->lock);
    if (!session)
        return weir_error(WEIR_ABORTED, "Session %.*s is not found.", WEIR_STR_ARG(handle));
    *out = session;
    return WEIR_OK;
}

/* What a master reads of a ConfigProto itself. */
typedef struct master_config {
    weir_str cluster_def; /* the client's own idea of the cluster; empty: none */
    bool isolated;        /* the session shares no state with others */
    bool shared;          /* though the client gave the cluster, it does */
    bool own_threads;
} master_config;

static master_config read_config(weir_str config)
{
    enum {
        THREADS = 9,
        THREAD_POOL = 12,
        CLUSTER = 14,
        ISOLATE = 15,
        EXPERIMENTAL = 16,
        SHARE = 8
    };
    master_config master_config = {0};
    weir_pb reader = weir_pb_reader(config);
    while (weir_pb_next(&reader)) {
        if (reader.field == ISOLATE && reader.type == WEIR_PB_VARINT)
            master_config.isolated = reader.value != 0;
        else if (reader.field == THREADS && reader.type == WEIR_PB_VARINT)
            master_config.own_threads |= reader.value != 0;
        else if (reader.field == THREAD_POOL && reader.type == WEIR_PB_LEN)
            master_config.own_threads = true;
        else if (reader.field == CLUSTER && reader.type == WEIR_PB_LEN)
            master_config.cluster_def = reader.bytes;
        else if (reader.field == EXPERIMENTAL && reader.type == WEIR_PB_LEN)
            for (weir_pb entry = weir_pb_reader(reader.bytes); weir_pb_next(&entry);)
                master_config.shared |= entry.field == SHARE && entry.value != 0;
    }
    return master_config;
}

typedef struct session_creation {
    weir_server *s;
    weir_str graph, target;
    weir_buf config; /* the server's defaults, the client's wishes, and the server's word again */
    master_config read;
    weir_cancel *cancel;
} session_creation;

static void read_creation(weir_str request, session_creation *creating)
{
    enum { GRAPH = 1, CONFIG = 2, TARGET = 3 };
    weir_str config = {0};
    weir_pb reader = weir_pb_reader(request);
    while (weir_pb_next(&reader)) {
        if (reader.field == GRAPH && reader.type == WEIR_PB_LEN)
            creating->graph = reader.bytes;
        else if (reader.field == CONFIG && reader.type == WEIR_PB_LEN)
            config = reader.bytes;
        else if (reader.field == TARGET && reader.type == WEIR_PB_LEN)
            creating->target = reader.bytes;
    }
    weir_buf_add(&creating->config, creating->s->config.at, creating->s->config.length);
    weir_buf_add(&creating->config, config.at, config.length);
    weir_buf_add(&creating->config, creating->s->config.at, creating->s->config.length);
    creating->read = read_config(weir_view(&creating->config));
}

/* The cluster that the client gave; the own task is the one at the address that it called. */
static weir_status propagated(const session_creation *creating, weir_cluster *cluster)
{
    WEIR_TRY(weir_cluster_add_def(cluster, creating->read.cluster_def));
    const char *slashes = memmem(creating->target.at, creating->target.length, "://", 3);
    const char *at = slashes ? slashes + 3 : creating->target.at;
    weir_str address = {at, (size_t)(creating->target.at + creating->target.length - at)};
    const weir_task *own = NULL;
    for (int i = 0; i < cluster->task_count; i++) {
        const weir_task *task = &cluster->tasks[i];
        if (!weir_str_is(address, task->address))
            continue;
        if (own)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Found multiple matching tasks that correspond to the master. Master "
                              "target: '%.*s'",
                              WEIR_STR_ARG(creating->target));
        own = task;
    }
    const weir_task *boot = weir_cluster_self(creating->s->cluster);
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

static weir_status pick_cluster(const session_creation *creating, master_session *session)
{
    if (!creating->read.cluster_def.length) {
        session->cluster = weir_cluster_retain(creating->s->cluster);
        return WEIR_OK;
    }
    session->cluster = weir_cluster_create();
    return propagated(creating, session->cluster);
}

static weir_resources *pick_resources(const session_creation *creating,
                                      const master_session *session)
{
    bool given = session->cluster != creating->s->cluster;
    if (!(given ? !creating->read.shared : creating->read.isolated))
        return weir_resources_retain(creating->s->resources);
    weir_buf device = {0};
    weir_buf_addf(&device, "%s/device:CPU:0", weir_cluster_self(session->cluster)->name);
    weir_resources *resources =
        weir_resources_create(weir_cluster_self(session->cluster)->job, device.at);
    weir_buf_fini(&device);
    return resources;
}

static weir_status open_session(const session_creation *creating, master_session *session)
{
    weir_str config = {creating->config.at, creating->config.length};
    weir_master_ask ask = {.server = creating->s,
                           .cluster = session->cluster,
                           .config = config,
                           .cancel = creating->cancel,
                           .what = "CreateSession"};
    WEIR_TRY(weir_master_remote_create(&ask, &session->remote));
    session->resources = pick_resources(creating, session);
    uint64_t incarnations[creating->s->devices.count];
    for (int i = 0; i < creating->s->devices.count; i++)
        incarnations[i] = creating->s->devices.at[i].incarnation;
    weir_session_config read;
    WEIR_TRY(weir_session_config_read(config, &read));
    weir_session_options options = {.config = &read,
                                    .task = weir_cluster_self(session->cluster)->name,
                                    .resources = session->resources,
                                    .incarnations = incarnations,
                                    .device_count = creating->s->devices.count,
                                    .remote = session->remote ? &session->remote->base : NULL,
                                    .collectives =
                                        weir_task_collectives_base(creating->s->collectives)};
    WEIR_TRY(
        weir_session_create(session->graph, &session->graph_lock, &options, &session->session));
    WEIR_TRY(weir_session_place_graph(session->session));
    return session->remote ? weir_master_remote_open(session->remote, session->handle,
                                                     session->resources != creating->s->resources,
                                                     creating->cancel)
                           : WEIR_OK;
}

static weir_status new_session(const session_creation *creating, master_session **out)
{
    if (creating->read.own_threads)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Distributed session does not support session thread pool options.");
    master_session *session = WEIR_NEW(master_session);
    weir_ref_init(&session->ref, destroy_session);
    weir_mutex_init(&session->graph_lock);
    weir_mutex_init(&session->lock);
    snprintf(session->handle, sizeof session->handle, "%016" PRIx64, weir_new_id());
    session->graph = weir_graph_create(weir_catalogue());
    weir_status st = weir_graph_import(session->graph, creating->graph,
                                       &(weir_import){.any_shapes = true}, NULL);
    if (!st)
        st = pick_cluster(creating, session);
    if (!st)
        st = open_session(creating, session);
    if (st)
        weir_ref_release(&session->ref);
    else
        *out = session;
    return st;
}

static weir_status weir_master_create_session(weir_server *server, weir_str request,
                                              weir_cancel *cancel, weir_buf *out)
{
    session_creation creating = {.s = server, .cancel = cancel};
    read_creation(request, &creating);
    master_session *session = NULL;
    weir_status st = new_session(&creating, &session);
    weir_buf_fini(&creating.config);
    WEIR_TRY(st);
    weir_mutex_lock(&server->lock);
    bool late = server->ending; /* nobody would close it */
    if (!late)
        weir_map_put(&server->sessions, weir_str_of(session->handle), session);
    weir_mutex_unlock(&server->lock);
    if (late) {
        end_session(session);
        return weir_error(WEIR_UNAVAILABLE, "%s is ending", server->task);
    }
    weir_pb_put_str(out, 1, session->handle);
    return WEIR_OK;
}

/* All or nothing: nodes that cannot be placed are not in the graph. graph_lock is held. */
static weir_status extend(master_session *session, weir_str graph, int64_t version)
{
    if (version != session->version)
        return weir_error(WEIR_ABORTED,
                          "Current version is %" PRId64 " but caller expected %" PRId64 ".",
                          session->version, version);
    size_t before = session->graph->nodes.count;
    WEIR_TRY(weir_graph_import(session->graph, graph,
                               &(weir_import){.extend = true, .any_shapes = true}, NULL));
    weir_status st = weir_session_place_graph(session->session);
    if (st)
        weir_graph_truncate(session->graph, before);
    else
        session->version++;
    return st;
}

static weir_status weir_master_extend_session(weir_server *server, weir_str request,
                                              weir_cancel *cancel, weir_buf *out)
{
    enum { HANDLE = 1, GRAPH = 2, VERSION = 3, NEW_VERSION = 4 };
    weir_str handle = {0}, graph = {0};
    int64_t version = 0;
    weir_pb reader = weir_pb_reader(request);
    while (weir_pb_next(&reader)) {
        if (reader.field == HANDLE && reader.type == WEIR_PB_LEN)
            handle = reader.bytes;
        else if (reader.field == GRAPH && reader.type == WEIR_PB_LEN)
            graph = reader.bytes;
        else if (reader.field == VERSION)
            version = weir_pb_int(&reader);
    }
    master_session *session;
    WEIR_TRY(weir_master_find_session(server, handle, &session));
    weir_mutex_lock(&session->graph_lock);
    weir_status st = extend(session, graph, version);
    if (!st)
        weir_pb_put_varint(out, NEW_VERSION, (uint64_t)session->version);
    weir_mutex_unlock(&session->graph_lock);
    weir_ref_release(&session->ref);
    return st;
}

weir_str weir_master_handle_of(weir_str request)
{
    weir_pb reader = weir_pb_reader(request);
    while (weir_pb_next(&reader))
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            return reader.bytes;
    return (weir_str){0};
}

static weir_status weir_master_close_session(weir_server *server, weir_str request,
                                             weir_cancel *cancel, weir_buf *out)
{
    weir_str handle = weir_master_handle_of(request);
    weir_mutex_lock(&server->lock);
    master_session *session = weir_map_remove(&server->sessions, handle);
    weir_mutex_unlock(&server->lock);
    if (!session)
        return weir_error(WEIR_ABORTED,
                          "Session %.*s is not found. Possibly, this master has restarted.",
                          WEIR_STR_ARG(handle));
    end_session(session);
    return WEIR_OK;
}

void weir_master_close_all(weir_server *server)
{
    weir_mutex_lock(&server->lock);
    weir_map all = server->sessions;
    server->sessions = (weir_map){0};
    weir_mutex_unlock(&server->lock);
    size_t at = 0;
    void *m;
    while (weir_map_next(&all, &at, NULL, &m))
        end_session(m);
    weir_map_fini(&all);
}

/* CleanupAll, with the same containers, on every other task of the cluster. */
static weir_status clean_others(weir_server *server, weir_str request, weir_cancel *cancel)
{
    int count = 0;
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, server->cluster->task_count);
    for (int i = 0; i < server->cluster->task_count; i++) {
        if (i == server->cluster->own)
            continue;
        calls[count].task = &server->cluster->tasks[i]; /* the message is the request's own */
        weir_buf_add(&calls[count++].request.head, request.at, request.length);
    }
    weir_fan_options options = {.path = "/tensorflow.WorkerService/CleanupAll",
                                .wait_for_ready = true,
                                .cancel = cancel,
                                .waiting = "Reset"};
    weir_fan_out(calls, count, &options);
    weir_status st = weir_fan_end(calls, count);
    weir_free(calls);
    return st;
}

static weir_status weir_master_reset(weir_server *server, weir_str request, weir_cancel *cancel,
                                     weir_buf *out)
{
    WEIR_VEC(weir_str) containers = {0};
    weir_pb reader = weir_pb_reader(request);
    while (weir_pb_next(&reader))
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            weir_vec_push(&containers, reader.bytes);
    weir_master_close_all(server);
    weir_resources_clear(server->resources, containers.at, containers.count);
    weir_vec_fini(&containers);
    return clean_others(server, request, cancel);
}

static void put_device(weir_buf *out, uint32_t field, const weir_device_info *info)
{
    size_t mark = weir_pb_begin(out, field);
    weir_pb_put_str(out, 1, info->name);
    weir_pb_put_str(out, 2, info->type);
    weir_pb_put_varint(out, 4, (uint64_t)info->memory_bytes);
    weir_pb_put_bytes(out, 5, "", 0);
    weir_pb_put_i64(out, 6, info->incarnation);
    weir_pb_put_varint(out, 8, (uint64_t)-1);
    weir_pb_end(out, mark);
}

/* Without a session: the own devices, and apart from them those of everybody else. */
static weir_status list_all(weir_server *server, weir_cancel *cancel, weir_buf *out)
{
    enum { LOCAL = 1, REMOTE = 2 };
    for (int i = 0; i < server->devices.count; i++)
        put_device(out, LOCAL, &server->devices.at[i]);
    weir_master_ask ask = {
        .server = server, .cluster = server->cluster, .cancel = cancel, .what = "ListDevices"};
    weir_master_remote *remote = NULL;
    WEIR_TRY(weir_master_remote_create(&ask, &remote));
    for (int i = 0; remote && i < remote->device_count; i++)
        put_device(out, REMOTE, &remote->devices[i]);
    weir_master_remote_destroy(remote);
    return WEIR_OK;
}

static weir_status weir_master_list_devices(weir_server *server, weir_str request,
                                            weir_cancel *cancel, weir_buf *out)
{
    weir_str handle = weir_master_handle_of(request);
    if (!handle.length)
        return list_all(server, cancel, out);
    master_session *session;
    weir_status st = weir_master_find_session(server, handle, &session);
    if (st) {
        weir_status_free(st);
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Session %.*s is not found. Possibly, this master has "
                          "restarted.",
                          WEIR_STR_ARG(handle));
    }
    weir_devices devices = {0};
    st = weir_session_list_devices(session->session, &devices);
    for (int i = 0; i < devices.count; i++)
        put_device(out, 1, &devices.at[i]);
    weir_devices_fini(&devices);
    weir_ref_release(&session->ref);
    return st;
}

/* ---- the table ------------------------------------------------------------------------------ */

#define HANDLER(name)                                                                              \
    static void handle_##name(weir_rpc *call, void *ctx)                                           \
    {                                                                                              \
        weir_buf out = {0};                                                                        \
        weir_status s =                                                                            \
            weir_master_##name(ctx, weir_rpc_request(call), weir_rpc_cancel(call), &out);          \
        weir_rpc_answer(call, s, &out);                                                            \
    }
HANDLER(create_session)
HANDLER(extend_session)
HANDLER(close_session)
HANDLER(reset)
HANDLER(list_devices)
HANDLER(partial_setup)
HANDLER(make_callable)
HANDLER(release_callable)

const weir_rpc_method weir_master_methods[] = {
    {"/tensorflow.MasterService/CreateSession", handle_create_session},
    {"/tensorflow.MasterService/ExtendSession", handle_extend_session},
    {"/tensorflow.MasterService/PartialRunSetup", handle_partial_setup},
    {"/tensorflow.MasterService/RunStep", weir_master_run_step, .quick = true},
    {"/tensorflow.MasterService/CloseSession", handle_close_session},
    {"/tensorflow.MasterService/ListDevices", handle_list_devices},
    {"/tensorflow.MasterService/Reset", handle_reset},
    {"/tensorflow.MasterService/MakeCallable", handle_make_callable},
    {"/tensorflow.MasterService/RunCallable", weir_master_run_callable},
    {"/tensorflow.MasterService/ReleaseCallable", handle_release_callable},
};
const size_t weir_master_method_count = sizeof weir_master_methods / sizeof *weir_master_methods;
