/* dist/master_run.c - MasterService: steps, partial runs and callables of a session. */
#include <inttypes.h>
#include <stdio.h>

#include "base/blocking.h"
#include "dist/ids.h"
#include "dist/master_impl.h"
#include "dist/master_ready.h"
#include "tensor/proto.h"

/* A request id that came before means that the client tries again what may have been done. */
static weir_status check_new(weir_server *s, int64_t id, const char *what)
{
    return weir_seen_ids_add(s->seen, id)
               ? WEIR_OK
               : weir_error(WEIR_ABORTED, "The same %s (Master) request was received twice.", what);
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

/* One RunStep. */
typedef struct run_call {
    weir_rpc *call;
    weir_server *server;
    weir_str handle, options, partial; /* of the request */
    bool errors_in_body;
    int64_t id;
    reading q;
    weir_tensor *fetched;
    weir_buf metadata;
    weir_request run;
} run_call;

static void read_header(run_call *c)
{
    weir_pb r = weir_pb_reader(weir_rpc_request(c->call));
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            c->handle = r.bytes;
        else if (r.field == 5 && r.type == WEIR_PB_LEN)
            c->options = r.bytes;
        else if (r.field == 6 && r.type == WEIR_PB_LEN)
            c->partial = r.bytes;
        else if (r.field == 7)
            c->errors_in_body = r.value != 0;
        else if (r.field == 8)
            c->id = weir_pb_int(&r);
    }
}

static weir_status read_fields(reading *q, weir_str request)
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

static weir_status read_step(run_call *c)
{
    WEIR_TRY(check_new(c->server, c->id, "RunStep"));
    WEIR_TRY(weir_master_find_session(c->server, c->handle, &c->q.m));
    WEIR_TRY(read_fields(&c->q, weir_rpc_request(c->call)));
    c->fetched = WEIR_NEW_ARRAY(weir_tensor, c->q.fetches.count);
    c->run = request_of(&c->q, c->options, &c->metadata);
    c->run.cancel = weir_rpc_cancel(c->call);
    return WEIR_OK;
}

/* Whatever the op that was stopped said of it, the client is told who stopped it. */
static weir_status told_of_close(weir_session *session, weir_status s)
{
    if (weir_status_code(s) != WEIR_CANCELLED || !weir_session_is_closed(session))
        return s;
    weir_status_free(s);
    return weir_error(WEIR_CANCELLED,
                      "Step was cancelled by an explicit call to `Session::Close()`.");
}

static void put_answer(weir_rpc *call, bool errors_in_body, weir_status s, weir_buf *out)
{
    if (s && !errors_in_body) {
        weir_buf_fini(out);
        weir_rpc_fail(call, s);
        return;
    }
    if (s) {
        out->length = 0;
        weir_pb_put_varint(out, 3, weir_status_code(s));
        weir_pb_put_str(out, 4, weir_status_message(s));
        weir_status_free(s);
    }
    weir_rpc_reply(call, out);
}

/* Answers as |s| says and frees the call. */
static void step_over(void *arg, weir_status s)
{
    run_call *c = arg;
    weir_buf out = {0};
    if (c->q.m)
        s = told_of_close(c->q.m->session, s);
    if (!s)
        s = put_fetched(&c->q, c->fetched, &out);
    if (!s && !c->partial.length)
        weir_pb_put_bytes(&out, 2, c->metadata.at, c->metadata.length);
    free_reading(&c->q);
    weir_ref_release((weir_ref *)c->q.m);
    weir_buf_fini(&c->metadata);
    weir_free(c->fetched);
    put_answer(c->call, c->errors_in_body, s, &out);
    weir_free(c);
}

/* On a thread that may wait. */
static void run_at_length(void *arg)
{
    run_call *c = arg;
    master_session *m = c->q.m;
    weir_status s;
    if (c->partial.length) {
        char handle[64];
        snprintf(handle, sizeof handle, "%.*s", WEIR_STR_ARG(c->partial));
        s = weir_session_partial_run(m->session, handle, &c->run, c->fetched);
    } else if (weir_master_is_readiness_query(c->server, m, &c->run)) {
        s = weir_master_run_until_ready(m, &c->run, weir_rpc_timeout_ms(c->call), c->fetched);
    } else {
        s = weir_session_run(m->session, &c->run, c->fetched);
    }
    step_over(c, s);
}

static void read_and_run(void *arg)
{
    run_call *c = arg;
    weir_status s = read_step(c);
    if (s)
        step_over(c, s);
    else
        run_at_length(c);
}

enum { QUICKLY_READ = 1 << 20 }; /* bytes that do not keep the I/O thread for long */

void weir_master_run_step(weir_rpc *call, void *ctx)
{
    run_call *c = WEIR_NEW(run_call);
    c->call = call;
    c->server = ctx;
    read_header(c);
    if (weir_rpc_request(call).length > QUICKLY_READ) {
        weir_blocking_submit(read_and_run, c);
        return;
    }
    weir_status s = read_step(c);
    if (s)
        step_over(c, s);
    else if (c->partial.length || weir_master_is_readiness_query(c->server, c->q.m, &c->run) ||
             !weir_session_start(c->q.m->session, &c->run, c->fetched, step_over, c))
        weir_blocking_submit(run_at_length, c);
}

weir_status weir_master_partial_setup(weir_server *s, weir_str request, weir_cancel *cancel,
                                      weir_buf *out)
{
    reading q = {0};
    WEIR_TRY(weir_master_find_session(s, weir_master_handle_of(request), &q.m));
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

void weir_master_free_callable(callable *c)
{
    if (!c)
        return;
    weir_free(c->feeds);
    weir_free(c->fetches);
    weir_free(c->targets);
    weir_buf_fini(&c->run_options);
    weir_free(c);
}

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

weir_status weir_master_make_callable(weir_server *s, weir_str request, weir_cancel *cancel,
                                      weir_buf *out)
{
    reading q = {0};
    WEIR_TRY(weir_master_find_session(s, weir_master_handle_of(request), &q.m));
    weir_str options = {0};
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r))
        if (r.field == 2 && r.type == WEIR_PB_LEN)
            options = r.bytes;
    callable *c = WEIR_NEW(callable);
    weir_status st = read_callable(&q, options, &c->run_options);
    if (st) {
        weir_master_free_callable(c);
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
    WEIR_TRY(weir_master_find_session(s, weir_master_handle_of(request), &q.m));
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

weir_status weir_master_release_callable(weir_server *s, weir_str request, weir_cancel *cancel,
                                         weir_buf *out)
{
    master_session *m;
    WEIR_TRY(weir_master_find_session(s, weir_master_handle_of(request),
                                      &m)); /* callables go with their session */
    weir_ref_release(&m->ref);
    return WEIR_OK;
}

void weir_master_run_callable(weir_rpc *call, void *ctx)
{
    weir_buf out = {0};
    weir_status s = run_callable(ctx, weir_rpc_request(call), weir_rpc_cancel(call), &out);
    weir_rpc_answer(call, s, &out);
}
