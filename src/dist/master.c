/* dist/master.c - MasterService: sessions of remote clients.
 *
 * Each handler reads its request, finds the session, and answers. A step runs on the handler's own
 * thread, so a client may keep any number of steps waiting.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dist/master_impl.h"

/* ---- sessions ------------------------------------------------------------------------------- */

static void destroy_session(weir_ref *ref)
{
    master_session *m = (master_session *)ref;
    weir_session_destroy(m->session);
    weir_graph_destroy(m->graph);
    for (size_t i = 0; i < m->callables.count; i++)
        weir_master_free_callable(m->callables.at[i]);
    weir_vec_fini(&m->callables);
    pthread_mutex_destroy(&m->graph_lock);
    pthread_mutex_destroy(&m->lock);
    weir_free(m);
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

/* ConfigProto.isolate_session_state: the session shares nothing with the task's others. */
static bool isolated(weir_str config)
{
    bool yes = false;
    weir_pb r = weir_pb_reader(config);
    while (weir_pb_next(&r))
        if (r.field == 15 && r.type == WEIR_PB_VARINT)
            yes = r.value != 0;
    return yes;
}

static weir_status new_session(weir_server *s, weir_str graph, weir_str config,
                               master_session **out)
{
    master_session *m = WEIR_NEW(master_session);
    weir_ref_init(&m->ref, destroy_session);
    pthread_mutex_init(&m->graph_lock, NULL);
    pthread_mutex_init(&m->lock, NULL);
    m->graph = weir_graph_create(weir_catalogue());
    weir_status st = weir_graph_import(m->graph, graph, NULL, NULL);
    weir_session_options o = {
        .config = config, .task = s->task, .resources = isolated(config) ? NULL : s->resources};
    if (!st)
        st = weir_session_create(m->graph, &m->graph_lock, &o, &m->session);
    if (st) {
        weir_ref_release(&m->ref);
        return st;
    }
    *out = m;
    return WEIR_OK;
}

static weir_status weir_master_create_session(weir_server *s, weir_str request, weir_buf *out)
{
    weir_str graph = {0}, config = {0};
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            graph = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            config = r.bytes;
    }
    master_session *m = NULL;
    WEIR_TRY(new_session(s, graph, config, &m));
    pthread_mutex_lock(&s->lock);
    snprintf(m->handle, sizeof m->handle, "%016" PRIx64, s->incarnation ^ ++s->next_session);
    weir_map_put(&s->sessions, weir_str_of(m->handle), m);
    pthread_mutex_unlock(&s->lock);
    weir_pb_put_str(out, 1, m->handle);
    return WEIR_OK;
}

static weir_status weir_master_extend_session(weir_server *s, weir_str request, weir_buf *out)
{
    weir_str handle = {0}, graph = {0};
    int64_t version = 0;
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            handle = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            graph = r.bytes;
        else if (r.field == 3)
            version = weir_pb_int(&r);
    }
    master_session *m;
    WEIR_TRY(weir_master_find_session(s, handle, &m));
    pthread_mutex_lock(&m->graph_lock);
    weir_status st = WEIR_OK;
    if (version != m->version)
        st = weir_error(WEIR_ABORTED,
                        "Current version is %" PRId64 " but caller expected %" PRId64 ".",
                        m->version, version);
    if (!st)
        st = weir_graph_import(m->graph, graph, &(weir_import){.extend = true}, NULL);
    if (!st)
        weir_pb_put_varint(out, 4, (uint64_t)++m->version);
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

static weir_status weir_master_close_session(weir_server *s, weir_str request, weir_buf *out)
{
    weir_str handle = weir_master_handle_of(request);
    pthread_mutex_lock(&s->lock);
    master_session *m = weir_map_remove(&s->sessions, handle);
    pthread_mutex_unlock(&s->lock);
    if (!m)
        return weir_error(WEIR_ABORTED,
                          "Session %.*s is not found. Possibly, this master has restarted.",
                          WEIR_STR_ARG(handle));
    weir_status st = weir_session_close(m->session);
    weir_ref_release(&m->ref);
    return st;
}

void weir_master_close_all(weir_server *s)
{
    pthread_mutex_lock(&s->lock);
    weir_map all = s->sessions;
    s->sessions = (weir_map){0};
    pthread_mutex_unlock(&s->lock);
    size_t at = 0;
    void *m;
    while (weir_map_next(&all, &at, NULL, &m)) {
        weir_status_free(weir_session_close(((master_session *)m)->session));
        weir_ref_release(m);
    }
    weir_map_fini(&all);
}

static weir_status weir_master_reset(weir_server *s, weir_str request, weir_buf *out)
{
    WEIR_VEC(weir_str) containers = {0};
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            weir_vec_push(&containers, r.bytes);
    weir_master_close_all(s);
    weir_resources_clear(s->resources, containers.at, containers.count);
    weir_vec_fini(&containers);
    return WEIR_OK;
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

static weir_status weir_master_list_devices(weir_server *s, weir_str request, weir_buf *out)
{
    weir_str handle = weir_master_handle_of(request);
    if (!handle.length) {
        char name[128];
        snprintf(name, sizeof name, "%s/device:CPU:0", s->task);
        put_device(out, 1, &(weir_device_info){name, "CPU", 268435456, s->incarnation});
        return WEIR_OK;
    }
    master_session *m;
    weir_status st = weir_master_find_session(s, handle, &m);
    if (st) {
        weir_status_free(st);
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Session %.*s is not found. Possibly, this master has "
                          "restarted.",
                          WEIR_STR_ARG(handle));
    }
    for (int i = 0; i < weir_session_device_count(m->session); i++) {
        weir_device_info d = weir_session_device(m->session, i);
        put_device(out, 1, &d);
    }
    weir_ref_release(&m->ref);
    return WEIR_OK;
}

/* ---- the table ------------------------------------------------------------------------------ */

void weir_master_answer(weir_rpc *call, weir_status s, weir_buf *out)
{
    if (!s) {
        weir_rpc_reply(call, out);
        return;
    }
    weir_buf_fini(out);
    weir_rpc_fail(call, s);
}

#define HANDLER(name)                                                                              \
    static void handle_##name(weir_rpc *call, void *ctx)                                           \
    {                                                                                              \
        weir_buf out = {0};                                                                        \
        weir_status s = weir_master_##name(ctx, weir_rpc_request(call), &out);                     \
        weir_master_answer(call, s, &out);                                                         \
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
    {"/tensorflow.MasterService/RunStep", weir_master_run_step},
    {"/tensorflow.MasterService/CloseSession", handle_close_session},
    {"/tensorflow.MasterService/ListDevices", handle_list_devices},
    {"/tensorflow.MasterService/Reset", handle_reset},
    {"/tensorflow.MasterService/MakeCallable", handle_make_callable},
    {"/tensorflow.MasterService/RunCallable", weir_master_run_callable},
    {"/tensorflow.MasterService/ReleaseCallable", handle_release_callable},
};
const size_t weir_master_method_count = sizeof weir_master_methods / sizeof *weir_master_methods;
