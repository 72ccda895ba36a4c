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

/* ---- sessions ------------------------------------------------------------------------------- */

static void destroy_session(weir_ref *ref)
{
    master_session *m = (master_session *)ref;
    weir_session_destroy(m->session);
    weir_master_remote_destroy(m->remote);
    weir_cluster_release(m->cluster);
    weir_resources_release(m->resources);
    weir_graph_destroy(m->graph);
    for (size_t i = 0; i < m->callables.count; i++)
        weir_master_free_callable(m->callables.at[i]);
    weir_vec_fini(&m->callables);
    pthread_mutex_destroy(&m->graph_lock);
    pthread_mutex_destroy(&m->lock);
    weir_free(m);
}

/* Stops its steps, ends it on the other tasks too, and lets go of it. */
static void end_session(master_session *m)
{
    weir_status_free(weir_session_close(m->session)); /* cannot fail */
    if (m->remote)
        weir_master_remote_close(m->remote);
    weir_ref_release(&m->ref);
}

weir_status weir_master_find_session(weir_server *s, weir_str handle, master_session **out)
{
    pthread_mutex_lock(&s->lock);
    master_session *m = weir_map_get(&s->sessions, handle);
    if (m)
        weir_ref_retain(&m->ref);
    pthread_mutex_unlock(&s->lock);
    if (!m)
        return weir_error(WEIR_ABORTED, "Session %.*s is not found.", WEIR_STR_ARG(handle));
    *out = m;
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
    master_config c = {0};
    weir_pb r = weir_pb_reader(config);
    while (weir_pb_next(&r)) {
        if (r.field == ISOLATE && r.type == WEIR_PB_VARINT)
            c.isolated = r.value != 0;
        else if (r.field == THREADS && r.type == WEIR_PB_VARINT)
            c.own_threads |= r.value != 0;
        else if (r.field == THREAD_POOL && r.type == WEIR_PB_LEN)
            c.own_threads = true;
        else if (r.field == CLUSTER && r.type == WEIR_PB_LEN)
            c.cluster_def = r.bytes;
        else if (r.field == EXPERIMENTAL && r.type == WEIR_PB_LEN)
            for (weir_pb e = weir_pb_reader(r.bytes); weir_pb_next(&e);)
                c.shared |= e.field == SHARE && e.value != 0;
    }
    return c;
}

typedef struct creating {
    weir_server *s;
    weir_str graph, target;
    weir_buf config; /* the server's defaults, the client's wishes, and the server's word again */
    master_config read;
    weir_cancel *cancel;
} creating;

static void read_creation(weir_str request, creating *c)
{
    enum { GRAPH = 1, CONFIG = 2, TARGET = 3 };
    weir_str config = {0};
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r)) {
        if (r.field == GRAPH && r.type == WEIR_PB_LEN)
            c->graph = r.bytes;
        else if (r.field == CONFIG && r.type == WEIR_PB_LEN)
            config = r.bytes;
        else if (r.field == TARGET && r.type == WEIR_PB_LEN)
            c->target = r.bytes;
    }
    weir_buf_add(&c->config, c->s->config.at, c->s->config.length);
    weir_buf_add(&c->config, config.at, config.length);
    weir_buf_add(&c->config, c->s->config.at, c->s->config.length);
    c->read = read_config((weir_str){c->config.at, c->config.length});
}

/* The cluster that the client gave; the own task is the one at the address that it called. */
static weir_status propagated(const creating *c, weir_cluster *cluster)
{
    WEIR_TRY(weir_cluster_add_def(cluster, c->read.cluster_def));
    const char *slashes = memmem(c->target.at, c->target.length, "://", 3);
    const char *at = slashes ? slashes + 3 : c->target.at;
    weir_str address = {at, (size_t)(c->target.at + c->target.length - at)};
    const weir_task *own = NULL;
    for (int i = 0; i < cluster->task_count; i++) {
        const weir_task *t = &cluster->tasks[i];
        if (!weir_str_is(address, t->address))
            continue;
        if (own)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Found multiple matching tasks that correspond to the master. Master "
                              "target: '%.*s'",
                              WEIR_STR_ARG(c->target));
        own = t;
    }
    const weir_task *boot = weir_cluster_self(c->s->cluster);
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
    weir_status s = weir_cluster_seal(cluster, job, own->index);
    weir_free(job);
    return s;
}

static weir_status pick_cluster(const creating *c, master_session *m)
{
    if (!c->read.cluster_def.length) {
        m->cluster = weir_cluster_retain(c->s->cluster);
        return WEIR_OK;
    }
    m->cluster = weir_cluster_create();
    return propagated(c, m->cluster);
}

static weir_resources *pick_resources(const creating *c, const master_session *m)
{
    bool given = m->cluster != c->s->cluster;
    if (!(given ? !c->read.shared : c->read.isolated))
        return weir_resources_retain(c->s->resources);
    weir_buf device = {0};
    weir_buf_addf(&device, "%s/device:CPU:0", weir_cluster_self(m->cluster)->name);
    weir_resources *r = weir_resources_create(weir_cluster_self(m->cluster)->job, device.at);
    weir_buf_fini(&device);
    return r;
}

static weir_status open_session(const creating *c, master_session *m)
{
    weir_str config = {c->config.at, c->config.length};
    weir_master_ask ask = {.server = c->s,
                           .cluster = m->cluster,
                           .config = config,
                           .cancel = c->cancel,
                           .what = "CreateSession"};
    WEIR_TRY(weir_master_remote_create(&ask, &m->remote));
    m->resources = pick_resources(c, m);
    uint64_t incarnations[c->s->devices.count];
    for (int i = 0; i < c->s->devices.count; i++)
        incarnations[i] = c->s->devices.at[i].incarnation;
    weir_session_options o = {.config = config,
                              .task = weir_cluster_self(m->cluster)->name,
                              .resources = m->resources,
                              .incarnations = incarnations,
                              .device_count = c->s->devices.count,
                              .remote = m->remote ? &m->remote->base : NULL,
                              .collectives = weir_task_collectives_base(c->s->collectives)};
    WEIR_TRY(weir_session_create(m->graph, &m->graph_lock, &o, &m->session));
    WEIR_TRY(weir_session_place_graph(m->session));
    return m->remote ? weir_master_remote_open(m->remote, m->handle,
                                               m->resources != c->s->resources, c->cancel)
                     : WEIR_OK;
}

static weir_status new_session(const creating *c, master_session **out)
{
    if (c->read.own_threads)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Distributed session does not support session thread pool options.");
    master_session *m = WEIR_NEW(master_session);
    weir_ref_init(&m->ref, destroy_session);
    pthread_mutex_init(&m->graph_lock, NULL);
    pthread_mutex_init(&m->lock, NULL);
    snprintf(m->handle, sizeof m->handle, "%016" PRIx64, weir_new_id());
    m->graph = weir_graph_create(weir_catalogue());
    weir_status st =
        weir_graph_import(m->graph, c->graph, &(weir_import){.any_shapes = true}, NULL);
    if (!st)
        st = pick_cluster(c, m);
    if (!st)
        st = open_session(c, m);
    if (st)
        weir_ref_release(&m->ref);
    else
        *out = m;
    return st;
}

static weir_status weir_master_create_session(weir_server *s, weir_str request, weir_cancel *cancel,
                                              weir_buf *out)
{
    creating c = {.s = s, .cancel = cancel};
    read_creation(request, &c);
    master_session *m = NULL;
    weir_status st = new_session(&c, &m);
    weir_buf_fini(&c.config);
    WEIR_TRY(st);
    pthread_mutex_lock(&s->lock);
    bool late = s->ending; /* nobody would close it */
    if (!late)
        weir_map_put(&s->sessions, weir_str_of(m->handle), m);
    pthread_mutex_unlock(&s->lock);
    if (late) {
        end_session(m);
        return weir_error(WEIR_UNAVAILABLE, "%s is ending", s->task);
    }
    weir_pb_put_str(out, 1, m->handle);
    return WEIR_OK;
}

/* All or nothing: nodes that cannot be placed are not in the graph. graph_lock is held. */
static weir_status extend(master_session *m, weir_str graph, int64_t version)
{
    if (version != m->version)
        return weir_error(WEIR_ABORTED,
                          "Current version is %" PRId64 " but caller expected %" PRId64 ".",
                          m->version, version);
    size_t before = m->graph->nodes.count;
    WEIR_TRY(weir_graph_import(m->graph, graph, &(weir_import){.extend = true, .any_shapes = true},
                               NULL));
    weir_status st = weir_session_place_graph(m->session);
    if (st)
        weir_graph_truncate(m->graph, before);
    else
        m->version++;
    return st;
}

static weir_status weir_master_extend_session(weir_server *s, weir_str request, weir_cancel *cancel,
                                              weir_buf *out)
{
    enum { HANDLE = 1, GRAPH = 2, VERSION = 3, NEW_VERSION = 4 };
    weir_str handle = {0}, graph = {0};
    int64_t version = 0;
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r)) {
        if (r.field == HANDLE && r.type == WEIR_PB_LEN)
            handle = r.bytes;
        else if (r.field == GRAPH && r.type == WEIR_PB_LEN)
            graph = r.bytes;
        else if (r.field == VERSION)
            version = weir_pb_int(&r);
    }
    master_session *m;
    WEIR_TRY(weir_master_find_session(s, handle, &m));
    pthread_mutex_lock(&m->graph_lock);
    weir_status st = extend(m, graph, version);
    if (!st)
        weir_pb_put_varint(out, NEW_VERSION, (uint64_t)m->version);
    pthread_mutex_unlock(&m->graph_lock);
    weir_ref_release(&m->ref);
    return st;
}

weir_str weir_master_handle_of(weir_str request)
{
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            return r.bytes;
    return (weir_str){0};
}

static weir_status weir_master_close_session(weir_server *s, weir_str request, weir_cancel *cancel,
                                             weir_buf *out)
{
    weir_str handle = weir_master_handle_of(request);
    pthread_mutex_lock(&s->lock);
    master_session *m = weir_map_remove(&s->sessions, handle);
    pthread_mutex_unlock(&s->lock);
    if (!m)
        return weir_error(WEIR_ABORTED,
                          "Session %.*s is not found. Possibly, this master has restarted.",
                          WEIR_STR_ARG(handle));
    end_session(m);
    return WEIR_OK;
}

void weir_master_close_all(weir_server *s)
{
    pthread_mutex_lock(&s->lock);
    weir_map all = s->sessions;
    s->sessions = (weir_map){0};
    pthread_mutex_unlock(&s->lock);
    size_t at = 0;
    void *m;
    while (weir_map_next(&all, &at, NULL, &m))
        end_session(m);
    weir_map_fini(&all);
}

/* CleanupAll, with the same containers, on every other task of the cluster. */
static weir_status clean_others(weir_server *s, weir_str request, weir_cancel *cancel)
{
    int count = 0;
    weir_fan_call *calls = WEIR_NEW_ARRAY(weir_fan_call, s->cluster->task_count);
    for (int i = 0; i < s->cluster->task_count; i++) {
        if (i == s->cluster->own)
            continue;
        calls[count].task = &s->cluster->tasks[i]; /* the message is the request's own */
        weir_buf_add(&calls[count++].request.head, request.at, request.length);
    }
    weir_fan_options o = {.path = "/tensorflow.WorkerService/CleanupAll",
                          .wait_for_ready = true,
                          .cancel = cancel,
                          .waiting = "Reset"};
    weir_fan_out(calls, count, &o);
    weir_status st = weir_fan_end(calls, count);
    weir_free(calls);
    return st;
}

static weir_status weir_master_reset(weir_server *s, weir_str request, weir_cancel *cancel,
                                     weir_buf *out)
{
    WEIR_VEC(weir_str) containers = {0};
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            weir_vec_push(&containers, r.bytes);
    weir_master_close_all(s);
    weir_resources_clear(s->resources, containers.at, containers.count);
    weir_vec_fini(&containers);
    return clean_others(s, request, cancel);
}

static void put_device(weir_buf *out, uint32_t field, const weir_device_info *d)
{
    size_t mark = weir_pb_begin(out, field);
    weir_pb_put_str(out, 1, d->name);
    weir_pb_put_str(out, 2, d->type);
    weir_pb_put_varint(out, 4, (uint64_t)d->memory_bytes);
    weir_pb_put_bytes(out, 5, "", 0);
    weir_pb_put_i64(out, 6, d->incarnation);
    weir_pb_put_varint(out, 8, (uint64_t)-1);
    weir_pb_end(out, mark);
}

/* Without a session: the own devices, and apart from them those of everybody else. */
static weir_status list_all(weir_server *s, weir_cancel *cancel, weir_buf *out)
{
    enum { LOCAL = 1, REMOTE = 2 };
    for (int i = 0; i < s->devices.count; i++)
        put_device(out, LOCAL, &s->devices.at[i]);
    weir_master_ask ask = {
        .server = s, .cluster = s->cluster, .cancel = cancel, .what = "ListDevices"};
    weir_master_remote *r = NULL;
    WEIR_TRY(weir_master_remote_create(&ask, &r));
    for (int i = 0; r && i < r->device_count; i++)
        put_device(out, REMOTE, &r->devices[i]);
    weir_master_remote_destroy(r);
    return WEIR_OK;
}

static weir_status weir_master_list_devices(weir_server *s, weir_str request, weir_cancel *cancel,
                                            weir_buf *out)
{
    weir_str handle = weir_master_handle_of(request);
    if (!handle.length)
        return list_all(s, cancel, out);
    master_session *m;
    weir_status st = weir_master_find_session(s, handle, &m);
    if (st) {
        weir_status_free(st);
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Session %.*s is not found. Possibly, this master has "
                          "restarted.",
                          WEIR_STR_ARG(handle));
    }
    weir_devices devices = {0};
    st = weir_session_list_devices(m->session, &devices);
    for (int i = 0; i < devices.count; i++)
        put_device(out, 1, &devices.at[i]);
    weir_devices_fini(&devices);
    weir_ref_release(&m->ref);
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
