/* dist/master.c - MasterService: sessions of remote clients.
 *
 * Each handler reads its request, finds the session, and answers. A step runs on the handler's own
 * thread, so a client may keep any number of steps waiting.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "dist/server_impl.h"
#include "tensor/proto.h"

/* ---- sessions ------------------------------------------------------------------------------- */

static void free_callable(callable *c)
{
    if (!c)
        return;
    weir_free(c->feeds);
    weir_free(c->fetches);
    weir_free(c->targets);
    weir_buf_fini(&c->run_options);
    weir_free(c);
}

static void destroy_session(weir_ref *ref)
{
    master_session *m = (master_session *)ref;
    weir_session_destroy(m->session);
    weir_graph_destroy(m->graph);
    for (size_t i = 0; i < m->callables.count; i++)
        free_callable(m->callables.at[i]);
    weir_vec_fini(&m->callables);
    pthread_mutex_destroy(&m->graph_lock);
    pthread_mutex_destroy(&m->lock);
    weir_free(m);
}

static weir_status find_session(weir_server *s, weir_str handle, master_session **out)
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

/* A request id that came before means that the client tries again what may have been done. */
static weir_status check_new(weir_server *s, int64_t id, const char *what)
{
    if (!id)
        return WEIR_OK;
    bool seen = false;
    pthread_mutex_lock(&s->lock);
    size_t n = s->seen_count < REMEMBERED_REQUESTS ? s->seen_count : REMEMBERED_REQUESTS;
    for (size_t i = 0; i < n && !seen; i++)
        seen = s->seen[i] == id;
    if (!seen)
        s->seen[s->seen_count++ % REMEMBERED_REQUESTS] = id;
    pthread_mutex_unlock(&s->lock);
    return seen ? weir_error(WEIR_ABORTED, "The same %s (Master) request was received twice.", what)
                : WEIR_OK;
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

static weir_status create_session(weir_server *s, weir_str request, weir_buf *out)
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

static weir_status extend_session(weir_server *s, weir_str request, weir_buf *out)
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
    WEIR_TRY(find_session(s, handle, &m));
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

static weir_str handle_of(weir_str request)
{
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r))
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            return r.bytes;
    return (weir_str){0};
}

static weir_status close_session(weir_server *s, weir_str request, weir_buf *out)
{
    weir_str handle = handle_of(request);
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

static weir_status reset(weir_server *s, weir_str request, weir_buf *out)
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

static weir_status list_devices(weir_server *s, weir_str request, weir_buf *out)
{
    weir_str handle = handle_of(request);
    if (!handle.length) {
        char name[128];
        snprintf(name, sizeof name, "%s/device:CPU:0", s->task);
        put_device(out, 1, &(weir_device_info){name, "CPU", 268435456, s->incarnation});
        return WEIR_OK;
    }
    master_session *m;
    weir_status st = find_session(s, handle, &m);
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

/* ---- steps ---------------------------------------------------------------------------------- */

/* A request being read: names become edges and nodes of the session's graph. */
typedef struct reading {
    master_session *m;
    WEIR_VEC(weir_edge) feeds;
    WEIR_VEC(weir_tensor) values;
    WEIR_VEC(weir_edge) fetches;
    WEIR_VEC(weir_str) fetch_names;
    WEIR_VEC(weir_node *) targets;
} reading;

static void free_reading(reading *q)
{
    for (size_t i = 0; i < q->values.count; i++)
        weir_tensor_release(&q->values.at[i]);
    weir_vec_fini(&q->feeds);
    weir_vec_fini(&q->values);
    weir_vec_fini(&q->fetches);
    weir_vec_fini(&q->fetch_names);
    weir_vec_fini(&q->targets);
}

static weir_status find_edge(master_session *m, weir_str name, const char *what, weir_edge *out)
{
    const char *colon = memrchr(name.at, ':', name.length);
    weir_str op = {name.at, colon ? (size_t)(colon - name.at) : name.length};
    int index = 0;
    for (const char *p = colon ? colon + 1 : name.at + name.length; p < name.at + name.length; p++)
        index = index < 100000000 ? index * 10 + (*p - '0') : index;
    pthread_mutex_lock(&m->graph_lock);
    weir_node *n = weir_graph_find(m->graph, op);
    int outputs = n ? n->site.out_count : 0;
    pthread_mutex_unlock(&m->graph_lock);
    if (!n)
        return weir_error(WEIR_NOT_FOUND, "%s node %.*s: not found", what, WEIR_STR_ARG(name));
    if (index < 0 || index >= outputs)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s %.*s: output index too large, must be < %d",
                          what, WEIR_STR_ARG(name), outputs);
    *out = (weir_edge){n, index};
    return WEIR_OK;
}

static weir_status add_feed(reading *q, weir_str name)
{
    weir_edge e;
    WEIR_TRY(find_edge(q->m, name, "FeedInputs", &e));
    weir_vec_push(&q->feeds, e);
    return WEIR_OK;
}

static weir_status add_fetch(reading *q, weir_str name)
{
    for (size_t i = 0; i < q->fetch_names.count; i++)
        if (weir_str_eq(q->fetch_names.at[i], name))
            return WEIR_OK; /* answered once */
    weir_edge e;
    WEIR_TRY(find_edge(q->m, name, "FetchOutputs", &e));
    weir_vec_push(&q->fetches, e);
    weir_vec_push(&q->fetch_names, name);
    return WEIR_OK;
}

static weir_status add_target(reading *q, weir_str name)
{
    pthread_mutex_lock(&q->m->graph_lock);
    weir_node *n = weir_graph_find(q->m->graph, name);
    pthread_mutex_unlock(&q->m->graph_lock);
    if (!n)
        return weir_error(WEIR_NOT_FOUND, "PruneForTargets: Some target nodes not found: %.*s",
                          WEIR_STR_ARG(name));
    weir_vec_push(&q->targets, n);
    return WEIR_OK;
}

static weir_status add_value(reading *q, weir_str proto)
{
    weir_tensor t;
    WEIR_TRY(weir_tensor_parse(proto, &t));
    weir_vec_push(&q->values, t);
    return WEIR_OK;
}

static weir_status add_named_feed(reading *q, weir_str named)
{
    weir_str name = {0}, tensor = {0};
    weir_pb r = weir_pb_reader(named);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            name = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            tensor = r.bytes;
    }
    WEIR_TRY(add_feed(q, name));
    WEIR_TRY_NOTE(add_value(q, tensor), " (fed for %.*s)", WEIR_STR_ARG(name));
    return WEIR_OK;
}

static weir_request request_of(const reading *q, weir_str options, weir_buf *metadata)
{
    return (weir_request){.feeds = q->feeds.at,
                          .feed_values = q->values.at,
                          .feed_count = (int)q->feeds.count,
                          .fetches = q->fetches.at,
                          .fetch_count = (int)q->fetches.count,
                          .targets = q->targets.at,
                          .target_count = (int)q->targets.count,
                          .run_options = options,
                          .run_metadata = metadata};
}

static weir_status put_fetched(const reading *q, weir_tensor *fetched, weir_buf *out)
{
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < q->fetches.count; i++) {
        size_t mark = weir_pb_begin(out, 1);
        weir_pb_put_bytes(out, 1, q->fetch_names.at[i].at, q->fetch_names.at[i].length);
        size_t inner = weir_pb_begin(out, 2);
        if (!s)
            s = weir_tensor_encode(&fetched[i], out);
        weir_pb_end(out, inner);
        weir_pb_end(out, mark);
        weir_tensor_release(&fetched[i]);
    }
    return s;
}

typedef struct step_request {
    weir_str handle, options, partial;
    bool errors_in_body;
    int64_t id;
} step_request;

static weir_status read_step(reading *q, weir_str request)
{
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r)) {
        if (r.type != WEIR_PB_LEN)
            continue;
        if (r.field == 2)
            WEIR_TRY(add_named_feed(q, r.bytes));
        else if (r.field == 3)
            WEIR_TRY(add_fetch(q, r.bytes));
        else if (r.field == 4)
            WEIR_TRY(add_target(q, r.bytes));
    }
    return weir_pb_ok(&r) ? WEIR_OK : weir_error(WEIR_INTERNAL, "Unable to parse request");
}

static weir_status execute(reading *q, const step_request *h, weir_cancel *cancel, weir_buf *out)
{
    weir_tensor *fetched = WEIR_NEW_ARRAY(weir_tensor, q->fetches.count);
    weir_buf metadata = {0};
    weir_request run = request_of(q, h->options, &metadata);
    run.cancel = cancel;
    weir_status s;
    if (h->partial.length) {
        char handle[64];
        snprintf(handle, sizeof handle, "%.*s", WEIR_STR_ARG(h->partial));
        s = weir_session_partial_run(q->m->session, handle, &run, fetched);
    } else {
        s = weir_session_run(q->m->session, &run, fetched);
    }
    if (!s)
        s = put_fetched(q, fetched, out);
    if (!s && !h->partial.length)
        weir_pb_put_bytes(out, 2, metadata.at, metadata.length);
    weir_buf_fini(&metadata);
    weir_free(fetched);
    return s;
}

static weir_status run_step(weir_server *s, weir_str request, const step_request *h,
                            weir_cancel *cancel, weir_buf *out)
{
    WEIR_TRY(check_new(s, h->id, "RunStep"));
    reading q = {0};
    WEIR_TRY(find_session(s, h->handle, &q.m));
    weir_status st = read_step(&q, request);
    if (!st)
        st = execute(&q, h, cancel, out);
    free_reading(&q);
    weir_ref_release(&q.m->ref);
    return st;
}

static void handle_run_step(weir_rpc *call, void *ctx)
{
    weir_str request = weir_rpc_request(call);
    step_request h = {0};
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            h.handle = r.bytes;
        else if (r.field == 5 && r.type == WEIR_PB_LEN)
            h.options = r.bytes;
        else if (r.field == 6 && r.type == WEIR_PB_LEN)
            h.partial = r.bytes;
        else if (r.field == 7)
            h.errors_in_body = r.value != 0;
        else if (r.field == 8)
            h.id = weir_pb_int(&r);
    }
    weir_buf out = {0};
    weir_status s = run_step(ctx, request, &h, weir_rpc_cancel(call), &out);
    if (s && !h.errors_in_body) {
        weir_buf_fini(&out);
        weir_rpc_fail(call, s);
        return;
    }
    if (s) {
        out.length = 0;
        weir_pb_put_varint(&out, 3, weir_status_code(s));
        weir_pb_put_str(&out, 4, weir_status_message(s));
        weir_status_free(s);
    }
    weir_rpc_reply(call, &out);
}

static weir_status partial_setup(weir_server *s, weir_str request, weir_buf *out)
{
    reading q = {0};
    WEIR_TRY(find_session(s, handle_of(request), &q.m));
    weir_status st = WEIR_OK;
    weir_pb r = weir_pb_reader(request);
    while (!st && weir_pb_next(&r)) {
        if (r.field == 2 && r.type == WEIR_PB_LEN)
            st = add_feed(&q, r.bytes);
        else if (r.field == 3 && r.type == WEIR_PB_LEN)
            st = add_fetch(&q, r.bytes);
        else if (r.field == 4 && r.type == WEIR_PB_LEN)
            st = add_target(&q, r.bytes);
        else if (r.field == 5)
            st = check_new(s, weir_pb_int(&r), "PartialRunSetup");
    }
    weir_request run = request_of(&q, (weir_str){0}, NULL);
    char *handle = NULL;
    if (!st)
        st = weir_session_partial_setup(q.m->session, &run, &handle);
    if (!st)
        weir_pb_put_str(out, 1, handle);
    weir_free(handle);
    free_reading(&q);
    weir_ref_release(&q.m->ref);
    return st;
}

/* ---- callables ------------------------------------------------------------------------------ */

static weir_status read_callable(reading *q, weir_str options, weir_buf *run_options)
{
    weir_pb r = weir_pb_reader(options);
    while (weir_pb_next(&r)) {
        if (r.type != WEIR_PB_LEN)
            continue;
        if (r.field == 1)
            WEIR_TRY(add_feed(q, r.bytes));
        else if (r.field == 2)
            WEIR_TRY(add_fetch(q, r.bytes));
        else if (r.field == 3)
            WEIR_TRY(add_target(q, r.bytes));
        else if (r.field == 4)
            weir_buf_add(run_options, r.bytes.at, r.bytes.length);
        else if (r.field == 5)
            return weir_error(WEIR_UNIMPLEMENTED, "callables with tensor connections");
    }
    return WEIR_OK;
}

static weir_status make_callable(weir_server *s, weir_str request, weir_buf *out)
{
    reading q = {0};
    WEIR_TRY(find_session(s, handle_of(request), &q.m));
    weir_str options = {0};
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r))
        if (r.field == 2 && r.type == WEIR_PB_LEN)
            options = r.bytes;
    callable *c = WEIR_NEW(callable);
    weir_status st = read_callable(&q, options, &c->run_options);
    if (st) {
        free_callable(c);
    } else {
        c->feeds = q.feeds.at;
        c->feed_count = (int)q.feeds.count;
        c->fetches = q.fetches.at;
        c->fetch_count = (int)q.fetches.count;
        c->targets = q.targets.at;
        c->target_count = (int)q.targets.count;
        q.feeds.at = q.fetches.at = NULL;
        q.targets.at = NULL;
        pthread_mutex_lock(&q.m->lock);
        weir_pb_put_varint_nz(out, 1, q.m->callables.count);
        weir_vec_push(&q.m->callables, c);
        pthread_mutex_unlock(&q.m->lock);
    }
    free_reading(&q);
    weir_ref_release(&q.m->ref);
    return st;
}

static callable *find_callable(master_session *m, int64_t handle)
{
    pthread_mutex_lock(&m->lock);
    callable *c =
        handle >= 0 && handle < (int64_t)m->callables.count ? m->callables.at[handle] : NULL;
    pthread_mutex_unlock(&m->lock);
    return c;
}

static weir_status call_callable(reading *q, const callable *c, weir_cancel *cancel, weir_buf *out)
{
    if ((int)q->values.count != c->feed_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected %d feed tensors, but got %zu",
                          c->feed_count, q->values.count);
    weir_tensor *fetched = WEIR_NEW_ARRAY(weir_tensor, c->fetch_count);
    weir_request run = {.feeds = c->feeds,
                        .feed_values = q->values.at,
                        .feed_count = c->feed_count,
                        .fetches = c->fetches,
                        .fetch_count = c->fetch_count,
                        .targets = c->targets,
                        .target_count = c->target_count,
                        .run_options = {c->run_options.at, c->run_options.length},
                        .cancel = cancel};
    weir_status s = weir_session_run(q->m->session, &run, fetched);
    for (int i = 0; !s && i < c->fetch_count; i++) {
        size_t mark = weir_pb_begin(out, 1);
        s = weir_tensor_encode(&fetched[i], out);
        weir_pb_end(out, mark);
    }
    for (int i = 0; i < c->fetch_count; i++)
        weir_tensor_release(&fetched[i]);
    weir_free(fetched);
    return s;
}

static weir_status run_callable(weir_server *s, weir_str request, weir_cancel *cancel,
                                weir_buf *out)
{
    reading q = {0};
    WEIR_TRY(find_session(s, handle_of(request), &q.m));
    int64_t handle = 0;
    weir_status st = WEIR_OK;
    weir_pb r = weir_pb_reader(request);
    while (!st && weir_pb_next(&r)) {
        if (r.field == 2 && r.type == WEIR_PB_VARINT)
            handle = weir_pb_int(&r);
        else if (r.field == 3 && r.type == WEIR_PB_LEN)
            st = add_value(&q, r.bytes);
        else if (r.field == 4)
            st = check_new(s, weir_pb_int(&r), "RunCallable");
    }
    callable *c = find_callable(q.m, handle);
    if (!st && !c)
        st = weir_error(WEIR_INVALID_ARGUMENT, "No such callable handle: %" PRId64, handle);
    if (!st)
        st = call_callable(&q, c, cancel, out);
    free_reading(&q);
    weir_ref_release(&q.m->ref);
    return st;
}

static weir_status release_callable(weir_server *s, weir_str request, weir_buf *out)
{
    master_session *m;
    WEIR_TRY(find_session(s, handle_of(request), &m)); /* callables go with their session */
    weir_ref_release(&m->ref);
    return WEIR_OK;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void finish(weir_rpc *call, weir_status s, weir_buf *out)
{
    if (!s) {
        weir_rpc_reply(call, out);
        return;
    }
    weir_buf_fini(out);
    weir_rpc_fail(call, s);
}

static void handle_run_callable(weir_rpc *call, void *ctx)
{
    weir_buf out = {0};
    weir_status s = run_callable(ctx, weir_rpc_request(call), weir_rpc_cancel(call), &out);
    finish(call, s, &out);
}

#define HANDLER(name)                                                                              \
    static void handle_##name(weir_rpc *call, void *ctx)                                           \
    {                                                                                              \
        weir_buf out = {0};                                                                        \
        weir_status s = name(ctx, weir_rpc_request(call), &out);                                   \
        finish(call, s, &out);                                                                     \
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
    {"/tensorflow.MasterService/RunStep", handle_run_step},
    {"/tensorflow.MasterService/CloseSession", handle_close_session},
    {"/tensorflow.MasterService/ListDevices", handle_list_devices},
    {"/tensorflow.MasterService/Reset", handle_reset},
    {"/tensorflow.MasterService/MakeCallable", handle_make_callable},
    {"/tensorflow.MasterService/RunCallable", handle_run_callable},
    {"/tensorflow.MasterService/ReleaseCallable", handle_release_callable},
};
const size_t weir_master_method_count = sizeof weir_master_methods / sizeof *weir_master_methods;
