/* dist/master_run.c - MasterService: steps, partial runs and callables of a session. */
#include <inttypes.h>
#include <stdio.h>

#include "base/blocking.h"
#include "dist/ids.h"
#include "dist/master_impl.h"
#include "dist/master_ready.h"
#include "dist/options.h"
#include "tensor/proto.h"

/* A request id that came before means that the client tries again what may have been done. */
static weir_status check_new(weir_server *server, int64_t id, const char *what)
{
    return weir_seen_ids_add(server->seen, id)
               ? WEIR_OK
               : weir_error(WEIR_ABORTED, "The same %s (Master) request was received twice.", what);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* A request being read: names become edges and nodes of the session's graph. */
typedef struct step_reader {
    master_session *m;
    WEIR_VEC(weir_edge) feeds;
    WEIR_VEC(weir_tensor) values;
    WEIR_VEC(weir_edge) fetches;
    WEIR_VEC(weir_str) fetch_names;
    WEIR_VEC(weir_node *) targets;
} step_reader;

static void free_reading(step_reader *reading)
{
    for (size_t i = 0; i < reading->values.count; i++)
        weir_tensor_release(&reading->values.at[i]);
    weir_vec_fini(&reading->feeds);
    weir_vec_fini(&reading->values);
    weir_vec_fini(&reading->fetches);
    weir_vec_fini(&reading->fetch_names);
    weir_vec_fini(&reading->targets);
}

static weir_status find_edge(master_session *session, weir_str name, const char *what,
                             weir_edge *out)
{
    const char *colon = memrchr(name.at, ':', name.length);
    weir_str op = {name.at, colon ? (size_t)(colon - name.at) : name.length};
    int index = 0;
    for (const char *cursor = colon ? colon + 1 : name.at + name.length;
         cursor < name.at + name.length; cursor++)
        index = index < 100000000 ? index * 10 + (*cursor - '0') : index;
    weir_mutex_lock(&session->graph_lock);
    weir_node *node = weir_graph_find(session->graph, op);
    int outputs = node ? node->site.out_count : 0;
    weir_mutex_unlock(&session->graph_lock);
    if (!node)
        return weir_error(WEIR_NOT_FOUND, "%s node %.*s: not found", what, WEIR_STR_ARG(name));
    if (index < 0 || index >= outputs)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s %.*s: output index too large, must be < %d",
                          what, WEIR_STR_ARG(name), outputs);
    *out = (weir_edge){node, index};
    return WEIR_OK;
}

static weir_status add_feed(step_reader *reading, weir_str name)
{
    weir_edge edge;
    WEIR_TRY(find_edge(reading->m, name, "FeedInputs", &edge));
    weir_vec_push(&reading->feeds, edge);
    return WEIR_OK;
}

static weir_status add_fetch(step_reader *reading, weir_str name)
{
    for (size_t i = 0; i < reading->fetch_names.count; i++)
        if (weir_str_eq(reading->fetch_names.at[i], name))
            return WEIR_OK; /* answered once */
    weir_edge edge;
    WEIR_TRY(find_edge(reading->m, name, "FetchOutputs", &edge));
    weir_vec_push(&reading->fetches, edge);
    weir_vec_push(&reading->fetch_names, name);
    return WEIR_OK;
}

static weir_status add_target(step_reader *reading, weir_str name)
{
    weir_mutex_lock(&reading->m->graph_lock);
    weir_node *node = weir_graph_find(reading->m->graph, name);
    weir_mutex_unlock(&reading->m->graph_lock);
    if (!node)
        return weir_error(WEIR_NOT_FOUND, "PruneForTargets: Some target nodes not found: %.*s",
                          WEIR_STR_ARG(name));
    weir_vec_push(&reading->targets, node);
    return WEIR_OK;
}

static weir_status add_value(step_reader *reading, weir_str proto)
{
    weir_tensor tensor;
    WEIR_TRY(weir_tensor_parse(proto, &tensor));
    weir_vec_push(&reading->values, tensor);
    return WEIR_OK;
}

static weir_status add_named_feed(step_reader *reading, weir_str named)
{
    weir_str name = {0}, tensor = {0};
    weir_pb reader = weir_pb_reader(named);
    while (weir_pb_next(&reader)) {
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            name = reader.bytes;
        else if (reader.field == 2 && reader.type == WEIR_PB_LEN)
            tensor = reader.bytes;
    }
    WEIR_TRY(add_feed(reading, name));
    WEIR_TRY_NOTE(add_value(reading, tensor), " (fed for %.*s)", WEIR_STR_ARG(name));
    return WEIR_OK;
}

static weir_request request_of(const step_reader *reading, const weir_run_options *options,
                               weir_run_metadata *metadata)
{
    return (weir_request){.feeds = reading->feeds.at,
                          .feed_values = reading->values.at,
                          .feed_count = (int)reading->feeds.count,
                          .fetches = reading->fetches.at,
                          .fetch_count = (int)reading->fetches.count,
                          .targets = reading->targets.at,
                          .target_count = (int)reading->targets.count,
                          .options = options,
                          .metadata = metadata};
}

static weir_status put_fetched(const step_reader *reading, weir_tensor *fetched, weir_buf *out)
{
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < reading->fetches.count; i++) {
        size_t mark = weir_pb_begin(out, 1);
        weir_pb_put_bytes(out, 1, reading->fetch_names.at[i].at, reading->fetch_names.at[i].length);
        size_t inner = weir_pb_begin(out, 2);
        if (!status)
            status = weir_tensor_encode(&fetched[i], out);
        weir_pb_end(out, inner);
        weir_pb_end(out, mark);
        weir_tensor_release(&fetched[i]);
    }
    return status;
}

static void put_metadata(const weir_run_metadata *metadata, weir_buf *out)
{
    size_t mark = weir_message_open(out, WEIR_FIELD_run_step_response_metadata);
    weir_run_metadata_write(metadata, out);
    weir_message_close(out, mark);
}

/* One RunStep. */
typedef struct run_call {
    weir_rpc *call;
    weir_server *server;
    weir_str handle, options, partial; /* of the request */
    bool errors_in_body;
    int64_t id;
    step_reader q;
    weir_tensor *fetched;
    weir_run_options run_options;
    weir_run_metadata metadata; /* its arena has the options, too */
    weir_request run;
} run_call;

static void read_header(run_call *call)
{
    weir_pb reader = weir_pb_reader(weir_rpc_request(call->call));
    while (weir_pb_next(&reader)) {
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            call->handle = reader.bytes;
        else if (reader.field == 5 && reader.type == WEIR_PB_LEN)
            call->options = reader.bytes;
        else if (reader.field == 6 && reader.type == WEIR_PB_LEN)
            call->partial = reader.bytes;
        else if (reader.field == 7)
            call->errors_in_body = reader.value != 0;
        else if (reader.field == 8)
            call->id = weir_pb_int(&reader);
    }
}

static weir_status read_fields(step_reader *reading, weir_str request)
{
    weir_pb reader = weir_pb_reader(request);
    while (weir_pb_next(&reader)) {
        if (reader.type != WEIR_PB_LEN)
            continue;
        if (reader.field == 2)
            WEIR_TRY(add_named_feed(reading, reader.bytes));
        else if (reader.field == 3)
            WEIR_TRY(add_fetch(reading, reader.bytes));
        else if (reader.field == 4)
            WEIR_TRY(add_target(reading, reader.bytes));
    }
    return weir_pb_ok(&reader) ? WEIR_OK : weir_error(WEIR_INTERNAL, "Unable to parse request");
}

static weir_status read_step(run_call *call)
{
    WEIR_TRY(check_new(call->server, call->id, "RunStep"));
    WEIR_TRY(weir_master_find_session(call->server, call->handle, &call->q.m));
    WEIR_TRY(read_fields(&call->q, weir_rpc_request(call->call)));
    call->fetched = WEIR_NEW_ARRAY(weir_tensor, call->q.fetches.count);
    if (call->options.length)
        WEIR_TRY(weir_run_options_read(call->options, &call->metadata.arena, &call->run_options));
    call->run = request_of(&call->q, &call->run_options, &call->metadata);
    call->run.cancel = weir_rpc_cancel(call->call);
    return WEIR_OK;
}

/* Whatever the op that was stopped said of it, the client is told who stopped it. */
static weir_status told_of_close(weir_session *session, weir_status status)
{
    if (weir_status_code(status) != WEIR_CANCELLED || !weir_session_is_closed(session))
        return status;
    weir_status_free(status);
    return weir_error(WEIR_CANCELLED,
                      "Step was cancelled by an explicit call to `Session::Close()`.");
}

static void put_answer(weir_rpc *call, bool errors_in_body, weir_status status, weir_buf *out)
{
    if (status && !errors_in_body) {
        weir_buf_fini(out);
        weir_rpc_fail(call, status);
        return;
    }
    if (status) {
        out->length = 0;
        weir_pb_put_varint(out, 3, weir_status_code(status));
        weir_pb_put_str(out, 4, weir_status_message(status));
        weir_status_free(status);
    }
    weir_rpc_reply(call, out);
}

/* Answers as |status| says and frees the call. */
static void step_over(void *arg, weir_status status)
{
    run_call *call = arg;
    weir_buf out = {0};
    if (call->q.m)
        status = told_of_close(call->q.m->session, status);
    if (!status)
        status = put_fetched(&call->q, call->fetched, &out);
    if (!status && !call->partial.length)
        put_metadata(&call->metadata, &out);
    free_reading(&call->q);
    weir_ref_release((weir_ref *)call->q.m);
    weir_run_metadata_fini(&call->metadata);
    weir_free(call->fetched);
    put_answer(call->call, call->errors_in_body, status, &out);
    weir_free(call);
}

/* On a thread that may wait. */
static void run_at_length(void *arg)
{
    run_call *call = arg;
    master_session *session = call->q.m;
    weir_status status;
    if (call->partial.length) {
        char handle[64];
        snprintf(handle, sizeof handle, "%.*s", WEIR_STR_ARG(call->partial));
        status = weir_session_partial_run(session->session, handle, &call->run, call->fetched);
    } else if (weir_master_is_readiness_query(call->server, session, &call->run)) {
        status = weir_master_run_until_ready(session, &call->run, weir_rpc_timeout_ms(call->call),
                                             call->fetched);
    } else {
        status = weir_session_run(session->session, &call->run, call->fetched);
    }
    step_over(call, status);
}

static void read_and_run(void *arg)
{
    run_call *call = arg;
    weir_status status = read_step(call);
    if (status)
        step_over(call, status);
    else
        run_at_length(call);
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
    weir_status status = read_step(c);
    if (status)
        step_over(c, status);
    else if (c->partial.length || weir_master_is_readiness_query(c->server, c->q.m, &c->run) ||
             !weir_session_start_step(c->q.m->session, &c->run, c->fetched, step_over, c))
        weir_blocking_submit(run_at_length, c);
}

weir_status weir_master_partial_setup(weir_server *server, weir_str request, weir_cancel *cancel,
                                      weir_buf *out)
{
    step_reader reading = {0};
    WEIR_TRY(weir_master_find_session(server, weir_master_handle_of(request), &reading.m));
    weir_status st = WEIR_OK;
    weir_pb reader = weir_pb_reader(request);
    while (!st && weir_pb_next(&reader)) {
        if (reader.field == 2 && reader.type == WEIR_PB_LEN)
            st = add_feed(&reading, reader.bytes);
        else if (reader.field == 3 && reader.type == WEIR_PB_LEN)
            st = add_fetch(&reading, reader.bytes);
        else if (reader.field == 4 && reader.type == WEIR_PB_LEN)
            st = add_target(&reading, reader.bytes);
        else if (reader.field == 5)
            st = check_new(server, weir_pb_int(&reader), "PartialRunSetup");
    }
    weir_request run = request_of(&reading, NULL, NULL);
    char *handle = NULL;
    if (!st)
        st = weir_session_partial_setup(reading.m->session, &run, &handle);
    if (!st)
        weir_pb_put_str(out, 1, handle);
    weir_free(handle);
    free_reading(&reading);
    weir_ref_release(&reading.m->ref);
    return st;
}

/* ---- callables ------------------------------------------------------------------------------ */

void weir_master_free_callable(callable *callable)
{
    if (!callable)
        return;
    weir_free(callable->feeds);
    weir_free(callable->fetches);
    weir_free(callable->targets);
    weir_free(callable);
}

static weir_status read_callable(step_reader *reading, weir_str options,
                                 weir_run_options *run_options)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_pb reader = weir_pb_reader(options);
    while (weir_pb_next(&reader)) {
        if (reader.type != WEIR_PB_LEN)
            continue;
        if (reader.field == 1)
            WEIR_TRY(add_feed(reading, reader.bytes));
        else if (reader.field == 2)
            WEIR_TRY(add_fetch(reading, reader.bytes));
        else if (reader.field == 3)
            WEIR_TRY(add_target(reading, reader.bytes));
        else if (reader.field == 4)
            WEIR_TRY(weir_run_options_read(reader.bytes, &arena, run_options));
        else if (reader.field == 5)
            return weir_error(WEIR_UNIMPLEMENTED, "callables with tensor connections");
    }
    run_options->message = NULL;
    return WEIR_OK;
}

weir_status weir_master_make_callable(weir_server *server, weir_str request, weir_cancel *cancel,
                                      weir_buf *out)
{
    step_reader reading = {0};
    WEIR_TRY(weir_master_find_session(server, weir_master_handle_of(request), &reading.m));
    weir_str options = {0};
    weir_pb reader = weir_pb_reader(request);
    while (weir_pb_next(&reader))
        if (reader.field == 2 && reader.type == WEIR_PB_LEN)
            options = reader.bytes;
    callable *new_callable = WEIR_NEW(callable);
    weir_status st = read_callable(&reading, options, &new_callable->options);
    if (st) {
        weir_master_free_callable(new_callable);
    } else {
        new_callable->feeds = reading.feeds.at;
        new_callable->feed_count = (int)reading.feeds.count;
        new_callable->fetches = reading.fetches.at;
        new_callable->fetch_count = (int)reading.fetches.count;
        new_callable->targets = reading.targets.at;
        new_callable->target_count = (int)reading.targets.count;
        reading.feeds.at = reading.fetches.at = NULL;
        reading.targets.at = NULL;
        weir_mutex_lock(&reading.m->lock);
        weir_pb_put_varint_nz(out, 1, reading.m->callables.count);
        weir_vec_push(&reading.m->callables, new_callable);
        weir_mutex_unlock(&reading.m->lock);
    }
    free_reading(&reading);
    weir_ref_release(&reading.m->ref);
    return st;
}

static callable *find_callable(master_session *session, int64_t handle)
{
    weir_mutex_lock(&session->lock);
    callable *callable = handle >= 0 && handle < (int64_t)session->callables.count
                             ? session->callables.at[handle]
                             : NULL;
    weir_mutex_unlock(&session->lock);
    return callable;
}

static weir_status call_callable(step_reader *reading, const callable *callable,
                                 weir_cancel *cancel, weir_buf *out)
{
    if ((int)reading->values.count != callable->feed_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected %d feed tensors, but got %zu",
                          callable->feed_count, reading->values.count);
    weir_tensor *fetched = WEIR_NEW_ARRAY(weir_tensor, callable->fetch_count);
    weir_request run = {.feeds = callable->feeds,
                        .feed_values = reading->values.at,
                        .feed_count = callable->feed_count,
                        .fetches = callable->fetches,
                        .fetch_count = callable->fetch_count,
                        .targets = callable->targets,
                        .target_count = callable->target_count,
                        .options = &callable->options,
                        .cancel = cancel};
    weir_status status = weir_session_run(reading->m->session, &run, fetched);
    for (int i = 0; !status && i < callable->fetch_count; i++) {
        size_t mark = weir_pb_begin(out, 1);
        status = weir_tensor_encode(&fetched[i], out);
        weir_pb_end(out, mark);
    }
    for (int i = 0; i < callable->fetch_count; i++)
        weir_tensor_release(&fetched[i]);
    weir_free(fetched);
    return status;
}

static weir_status run_callable(weir_server *server, weir_str request, weir_cancel *cancel,
                                weir_buf *out)
{
    step_reader reading = {0};
    WEIR_TRY(weir_master_find_session(server, weir_master_handle_of(request), &reading.m));
    int64_t handle = 0;
    weir_status st = WEIR_OK;
    weir_pb reader = weir_pb_reader(request);
    while (!st && weir_pb_next(&reader)) {
        if (reader.field == 2 && reader.type == WEIR_PB_VARINT)
            handle = weir_pb_int(&reader);
        else if (reader.field == 3 && reader.type == WEIR_PB_LEN)
            st = add_value(&reading, reader.bytes);
        else if (reader.field == 4)
            st = check_new(server, weir_pb_int(&reader), "RunCallable");
    }
    callable *callable = find_callable(reading.m, handle);
    if (!st && !callable)
        st = weir_error(WEIR_INVALID_ARGUMENT, "No such callable handle: %" PRId64, handle);
    if (!st)
        st = call_callable(&reading, callable, cancel, out);
    free_reading(&reading);
    weir_ref_release(&reading.m->ref);
    return st;
}

weir_status weir_master_release_callable(weir_server *server, weir_str request, weir_cancel *cancel,
                                         weir_buf *out)
{
    master_session *session;
    WEIR_TRY(weir_master_find_session(server, weir_master_handle_of(request),
                                      &session)); /* callables go with their session */
    weir_ref_release(&session->ref);
    return WEIR_OK;
}

void weir_master_run_callable(weir_rpc *call, void *ctx)
{
    weir_buf out = {0};
    weir_status status = run_callable(ctx, weir_rpc_request(call), weir_rpc_cancel(call), &out);
    weir_rpc_answer(call, status, &out);
}
