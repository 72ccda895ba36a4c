/* dist/master_run.c - MasterService: steps, partial runs and callables of a session. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/room.h"
#include "dist/ids.h"
#include "dist/kept_answers.h"
#include "dist/master_impl.h"
#include "dist/master_ready.h"
#include "dist/named_tensor.h"
#include "dist/options.h"
#include "observe/tally.h"
#include "tensor/proto.h"

/* A known request id is a retry of a request that may have run. */
static weir_status check_new(weir_server *server, int64_t id, const char *what)
{
    return weir_seen_ids_add(server->seen, id)
               ? WEIR_OK
               : weir_error(WEIR_ABORTED, "The same %s (Master) request was received twice.", what);
}

static const char run_step_method[] = "RunStep", run_callable_method[] = "RunCallable";

/* False: a retry, and |call| gets the first answer. */
static bool is_first(master_session *session, weir_kept_key key, weir_rpc *call)
{
    return !session->kept || !key.id || weir_kept_answers_begin(session->kept, key, call);
}

/* Takes over the status and the message. */
static void answer_first(master_session *session, weir_kept_key key, weir_rpc *call,
                         weir_status status, weir_buf *message)
{
    if (session && session->kept && key.id)
        weir_kept_answers_end(session->kept, key, call, status, message);
    else
        weir_rpc_answer(call, status, message);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* A step whose names are resolved to edges and nodes of the session's graph. */
typedef struct resolved_step {
    master_session *session; /* retained; null: not found yet */
    WEIR_VEC(weir_edge) feeds;
    WEIR_VEC(weir_tensor) values;
    WEIR_VEC(weir_edge) fetches;
    WEIR_VEC(weir_str) fetch_names;
    WEIR_VEC(weir_node *) targets;
} resolved_step;

static void free_step(resolved_step *step)
{
    for (size_t i = 0; i < step->values.count; i++)
        weir_tensor_release(&step->values.at[i]);
    weir_vec_fini(&step->feeds);
    weir_vec_fini(&step->values);
    weir_vec_fini(&step->fetches);
    weir_vec_fini(&step->fetch_names);
    weir_vec_fini(&step->targets);
    weir_ref_release((weir_ref *)step->session);
}

/* "node:2"; what does not end with digits is the name of a node, of which output 0 is meant. The
 * index is too large where the number does not fit. */
static void split_name(weir_str name, weir_str *out_op, int *out_index)
{
    enum { LARGE = 100000000 };
    const char *colon = name.length ? memrchr(name.at, ':', name.length) : NULL;
    const char *end = name.at + name.length;
    int index = 0;
    *out_op = name;
    *out_index = 0;
    if (!colon || colon + 1 == end)
        return;
    for (const char *cursor = colon + 1; cursor < end; cursor++) {
        if (*cursor < '0' || *cursor > '9')
            return;
        index = index < LARGE ? index * 10 + (*cursor - '0') : index;
    }
    *out_op = (weir_str){name.at, (size_t)(colon - name.at)};
    *out_index = index;
}

static weir_status find_edge(master_session *session, weir_str name, const char *what,
                             weir_edge *out)
{
    weir_str op;
    int index;
    split_name(name, &op, &index);
    weir_mutex_lock(&session->graph_lock);
    weir_node *node = weir_graph_find(session->graph, op);
    int outputs = node ? node->site.out_count : 0;
    weir_mutex_unlock(&session->graph_lock);
    if (!node)
        return weir_error(WEIR_NOT_FOUND, "%s node %.*s: not found", what, WEIR_STR_ARG(name));
    if (index >= outputs)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s %.*s: output index too large, must be < %d",
                          what, WEIR_STR_ARG(name), outputs);
    *out = (weir_edge){node, index};
    return WEIR_OK;
}

static weir_status add_feeds(resolved_step *step, weir_strs names)
{
    for (size_t i = 0; i < names.count; i++) {
        weir_edge edge;
        WEIR_TRY(find_edge(step->session, names.at[i], "FeedInputs", &edge));
        weir_vec_push(&step->feeds, edge);
    }
    return WEIR_OK;
}

enum { FEW_FETCHES = 32 }; /* compared one by one */

/* |many|: the names so far, if there may be more than a few. */
static bool is_fetched(const resolved_step *step, weir_map *many, weir_str name)
{
    if (many)
        return weir_map_put(many, name, (void *)step) != NULL;
    for (size_t i = 0; i < step->fetch_names.count; i++)
        if (weir_str_eq(step->fetch_names.at[i], name))
            return true;
    return false;
}

/* A duplicate name is answered once. */
static weir_status add_fetches(resolved_step *step, weir_strs names)
{
    weir_map many = {0};
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < names.count && !status; i++) {
        weir_edge edge;
        if (is_fetched(step, names.count > FEW_FETCHES ? &many : NULL, names.at[i]))
            continue;
        status = find_edge(step->session, names.at[i], "FetchOutputs", &edge);
        if (status)
            break;
        weir_vec_push(&step->fetches, edge);
        weir_vec_push(&step->fetch_names, names.at[i]);
    }
    weir_map_fini(&many);
    return status;
}

static weir_status add_targets(resolved_step *step, weir_strs names)
{
    for (size_t i = 0; i < names.count; i++) {
        weir_mutex_lock(&step->session->graph_lock);
        weir_node *node = weir_graph_find(step->session->graph, names.at[i]);
        weir_mutex_unlock(&step->session->graph_lock);
        if (!node)
            return weir_error(WEIR_NOT_FOUND, "PruneForTargets: Some target nodes not found: %.*s",
                              WEIR_STR_ARG(names.at[i]));
        weir_vec_push(&step->targets, node);
    }
    return WEIR_OK;
}

static weir_status add_value(resolved_step *step, weir_str proto)
{
    weir_tensor tensor;
    WEIR_TRY(weir_tensor_parse(proto, &tensor));
    weir_vec_push(&step->values, tensor);
    return WEIR_OK;
}

static weir_status add_values(resolved_step *step, weir_msgs_named_tensor_proto feeds)
{
    for (size_t i = 0; i < feeds.count; i++) {
        weir_str name = feeds.at[i].name;
        WEIR_TRY(add_feeds(step, (weir_strs){&name, 1}));
        WEIR_TRY_NOTE(add_value(step, feeds.at[i].tensor), " (fed for %.*s)", WEIR_STR_ARG(name));
    }
    return WEIR_OK;
}

static weir_request request_of(const resolved_step *step, const weir_run_options *options,
                               weir_run_metadata *metadata)
{
    return (weir_request){.feeds = step->feeds.at,
                          .feed_values = step->values.at,
                          .feed_count = (int)step->feeds.count,
                          .fetches = step->fetches.at,
                          .fetch_count = (int)step->fetches.count,
                          .targets = step->targets.at,
                          .target_count = (int)step->targets.count,
                          .options = options,
                          .metadata = metadata};
}

/* Appends the fetched tensors, and releases them. */
static weir_status put_fetched(const resolved_step *step, weir_tensor *fetched, weir_buf *out)
{
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < step->fetches.count; i++) {
        if (!status)
            status = weir_named_tensor_put(out, WEIR_FIELD_run_step_response_tensor,
                                           step->fetch_names.at[i], &fetched[i]);
        weir_tensor_release(&fetched[i]);
    }
    return status;
}

/* One RunStep. */
typedef struct run_call {
    weir_rpc *call;
    weir_server *server;
    weir_msg_run_step_request request;
    resolved_step step;
    weir_tensor *fetched;
    weir_run_options options;
    weir_run_metadata metadata;
    weir_request run;
    weir_detached detached; /* if answers are cached */
    int64_t start_ns;
    weir_arena arena; /* the request's */
    _Alignas(16) char room[512];
} run_call;

static run_call *new_call(weir_rpc *rpc, weir_server *server)
{
    run_call *call = WEIR_NEW(run_call);
    call->call = rpc;
    call->server = server;
    call->start_ns = weir_now_ns();
    call->arena = (weir_arena){.next = call->room, .end = call->room + sizeof call->room};
    return call;
}

static void free_call(run_call *call)
{
    weir_free(call->fetched);
    weir_detached_end(&call->detached);
    free_step(&call->step);
    weir_run_metadata_fini(&call->metadata);
    weir_arena_fini(&call->arena);
    weir_free(call);
}

/* Resolves the names of the request. */
static weir_status resolve(run_call *call)
{
    const weir_msg_run_step_request *request = &call->request;
    WEIR_TRY(check_new(call->server, request->request_id, "RunStep"));
    WEIR_TRY(add_values(&call->step, request->feed));
    WEIR_TRY(add_fetches(&call->step, request->fetch));
    WEIR_TRY(add_targets(&call->step, request->target));
    if (request->options)
        call->options = weir_run_options_of(request->options);
    call->fetched = WEIR_NEW_ARRAY(weir_tensor, call->step.fetches.count);
    call->run = request_of(&call->step, &call->options, &call->metadata);
    call->run.cancel = call->step.session->kept ? weir_detached_begin(&call->detached, call->call)
                                                : weir_rpc_cancel(call->call);
    return WEIR_OK;
}

/* Replaces the error of the cancelled op by the cause of the cancellation. */
static weir_status name_close(weir_session *session, weir_status status)
{
    if (weir_status_code(status) != WEIR_CANCELLED || !weir_session_is_closed(session))
        return status;
    weir_status_free(status);
    return weir_error(WEIR_CANCELLED,
                      "Step was cancelled by an explicit call to `Session::Close()`.");
}

/* Writes an error into the message, for clients that request this. */
static weir_status put_error(bool errors_in_body, weir_status status, weir_buf *out)
{
    if (!status || !errors_in_body)
        return status;
    weir_msg_run_step_response response = {.status_code = (int32_t)weir_status_code(status),
                                           .status_error_message =
                                               weir_str_of(weir_status_message(status))};
    out->length = 0;
    weir_msg_run_step_response_write(&response, out);
    weir_status_free(status);
    return WEIR_OK;
}

static void put_metadata(const weir_run_metadata *metadata, weir_buf *out)
{
    size_t mark = weir_message_open(out, WEIR_FIELD_run_step_response_metadata);
    weir_run_metadata_write(metadata, out);
    weir_message_close(out, mark);
}

/* The examples of a step, estimated from its feeds: the largest number of rows that have elements.
 * The number of empty rows is the client's, and may be any. */
static int64_t count_rows(const resolved_step *step)
{
    int64_t most = 0;
    for (size_t i = 0; i < step->values.count; i++) {
        const weir_shape *shape = &step->values.at[i].shape;
        if (shape->rank > 0 && shape->dims[0] > most && weir_shape_count(shape) > 0)
            most = shape->dims[0];
    }
    return most;
}

/* Answers with |status| and frees the call. */
static void step_over(void *arg, weir_status status)
{
    run_call *call = arg;
    weir_rpc *rpc = call->call;
    master_session *session = call->step.session;
    weir_kept_key key = {run_step_method, call->request.request_id};
    bool errors_in_body = call->request.store_errors_in_response_body;
    weir_buf out = {0};
    if (session)
        status = name_close(session->session, status);
    if (!status)
        status = put_fetched(&call->step, call->fetched, &out);
    if (!status)
        weir_tally_step(call->start_ns, count_rows(&call->step));
    if (!status && !call->request.partial_run_handle.length)
        put_metadata(&call->metadata, &out);
    call->step.session = NULL;
    free_call(call); /* before the answer: the step must have ended when the client knows */
    status = put_error(errors_in_body, status, &out);
    answer_first(session, key, rpc, status, &out);
    weir_ref_release((weir_ref *)session);
}

/* On a thread that may block. */
static void run_blocking(void *arg)
{
    run_call *call = arg;
    master_session *session = call->step.session;
    weir_str partial = call->request.partial_run_handle;
    weir_status status;
    if (partial.length) {
        char handle[64];
        snprintf(handle, sizeof handle, "%.*s", WEIR_STR_ARG(partial));
        status = weir_session_partial_run(session->session, handle, &call->run, call->fetched);
    } else if (weir_master_is_readiness_query(call->server, session, &call->run)) {
        status = weir_master_run_until_ready(session, &call->run, weir_rpc_timeout_ms(call->call),
                                             call->fetched);
    } else {
        status = weir_session_run(session->session, &call->run, call->fetched);
    }
    step_over(call, status);
}

static void resolve_and_run(void *arg)
{
    run_call *call = arg;
    weir_status status = resolve(call);
    if (status)
        step_over(call, status);
    else
        run_blocking(call);
}

/* False: the step must run on a thread that may block. */
static bool start_step(run_call *call)
{
    return !call->request.partial_run_handle.length &&
           !weir_master_is_readiness_query(call->server, call->step.session, &call->run) &&
           weir_session_start_step(call->step.session->session, &call->run, call->fetched,
                                   step_over, call);
}

enum { MAX_INLINE_BYTES = 1 << 20 }; /* larger requests are not copied on the I/O thread */

void weir_master_run_step(weir_rpc *rpc, void *ctx)
{
    run_call *call = new_call(rpc, ctx);
    weir_str bytes = weir_rpc_request(rpc);
    weir_status status =
        weir_rpc_parsed(weir_msg_run_step_request_read(bytes, &call->arena, &call->request));
    void (*rest)(void *) = resolve_and_run;
    if (!status)
        status = weir_master_find_session(call->server, call->request.session_handle,
                                          weir_rpc_peer(rpc), &call->step.session);
    weir_kept_key key = {run_step_method, call->request.request_id};
    if (!status && !is_first(call->step.session, key, rpc)) {
        free_call(call);
        return;
    }
    if (!status && bytes.length <= MAX_INLINE_BYTES) {
        status = resolve(call);
        if (!status && start_step(call))
            return;
        rest = run_blocking;
    }
    if (!status)
        status = weir_rpc_continue(rpc, rest, call);
    if (status)
        step_over(call, status);
}

static weir_status set_up(resolved_step *step, const weir_msg_partial_run_setup_request *request,
                          weir_buf *out)
{
    WEIR_TRY(add_feeds(step, request->feed));
    WEIR_TRY(add_fetches(step, request->fetch));
    WEIR_TRY(add_targets(step, request->target));
    weir_request run = request_of(step, NULL, NULL);
    char *handle = NULL;
    WEIR_TRY(weir_session_partial_setup(step->session->session, &run, &handle));
    weir_msg_partial_run_setup_response_write(
        &(weir_msg_partial_run_setup_response){.partial_run_handle = weir_str_of(handle)}, out);
    weir_free(handle);
    return WEIR_OK;
}

weir_status weir_master_partial_setup(weir_server *server, weir_str bytes, weir_peer *peer,
                                      weir_cancel *cancel, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_partial_run_setup_request request;
    resolved_step step = {0};
    WEIR_TRY(weir_rpc_parsed(weir_msg_partial_run_setup_request_read(bytes, &arena, &request)));
    WEIR_TRY(weir_master_find_session(server, request.session_handle, peer, &step.session));
    weir_status status = check_new(server, request.request_id, "PartialRunSetup");
    if (!status)
        status = set_up(&step, &request, out);
    free_step(&step);
    return status;
}

/* ---- callables ------------------------------------------------------------------------------ */

static void destroy_callable(weir_ref *ref)
{
    callable *this_callable = (callable *)ref;
    weir_free(this_callable->feeds);
    weir_free(this_callable->fetches);
    weir_free(this_callable->targets);
    weir_room_drop(&this_callable->held);
    weir_free(this_callable);
}

/* Takes over the step's lists. */
static void keep_callable(resolved_step *step, callable *made, weir_buf *out)
{
    made->feeds = step->feeds.at;
    made->feed_count = (int)step->feeds.count;
    made->fetches = step->fetches.at;
    made->fetch_count = (int)step->fetches.count;
    made->targets = step->targets.at;
    made->target_count = (int)step->targets.count;
    step->feeds.at = step->fetches.at = NULL;
    step->targets.at = NULL;
    master_session *session = step->session;
    weir_mutex_lock(&session->lock);
    weir_msg_make_callable_response response = {.handle = (int64_t)session->callables.count};
    weir_vec_push(&session->callables, made);
    weir_mutex_unlock(&session->lock);
    weir_msg_make_callable_response_write(&response, out);
}

static weir_status make_callable(resolved_step *step, const weir_msg_callable_options *options,
                                 weir_buf *out)
{
    if (options->tensor_connection.count)
        return weir_error(WEIR_UNIMPLEMENTED, "callables with tensor connections");
    WEIR_TRY(add_feeds(step, options->feed));
    WEIR_TRY(add_fetches(step, options->fetch));
    WEIR_TRY(add_targets(step, options->target));
    size_t held = 0, names = options->feed.count + options->fetch.count + options->target.count;
    WEIR_TRY(weir_room_hold(&held, sizeof(callable) + names * sizeof(weir_edge), "a callable"));
    callable *made = WEIR_NEW(callable);
    weir_ref_init(&made->ref, destroy_callable);
    made->held = held;
    if (options->run_options)
        made->options = weir_run_options_of(options->run_options);
    made->options.message = NULL; /* freed with the request */
    keep_callable(step, made, out);
    return WEIR_OK;
}

weir_status weir_master_make_callable(weir_server *server, weir_str bytes, weir_peer *peer,
                                      weir_cancel *cancel, weir_buf *out)
{
    static const weir_msg_callable_options no_options;
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_make_callable_request request;
    resolved_step step = {0};
    WEIR_TRY(weir_rpc_parsed(weir_msg_make_callable_request_read(bytes, &arena, &request)));
    WEIR_TRY(weir_master_find_session(server, request.session_handle, peer, &step.session));
    weir_status status = make_callable(&step, request.options ? request.options : &no_options, out);
    free_step(&step);
    return status;
}

/* Retained; null: there is none. |take|: the session forgets it. */
static callable *find_callable(master_session *session, int64_t handle, bool take)
{
    weir_mutex_lock(&session->lock);
    bool known = handle >= 0 && handle < (int64_t)session->callables.count;
    callable *found = known ? session->callables.at[handle] : NULL;
    if (found && take)
        session->callables.at[handle] = NULL;
    else if (found)
        weir_ref_retain(&found->ref);
    weir_mutex_unlock(&session->lock);
    return found;
}

static weir_status put_results(const weir_tensor *fetched, int count, weir_buf *out)
{
    for (int i = 0; i < count; i++) {
        size_t mark = weir_message_open(out, WEIR_FIELD_run_callable_response_fetch);
        weir_status status = weir_tensor_encode(&fetched[i], out);
        weir_message_close(out, mark);
        WEIR_TRY(status);
    }
    return WEIR_OK;
}

static weir_status call_callable(resolved_step *step, const callable *called, weir_cancel *cancel,
                                 weir_buf *out)
{
    if ((int)step->values.count != called->feed_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected %d feed tensors, but got %zu",
                          called->feed_count, step->values.count);
    weir_tensor *fetched = WEIR_NEW_ARRAY(weir_tensor, called->fetch_count);
    weir_request run = {.feeds = called->feeds,
                        .feed_values = step->values.at,
                        .feed_count = called->feed_count,
                        .fetches = called->fetches,
                        .fetch_count = called->fetch_count,
                        .targets = called->targets,
                        .target_count = called->target_count,
                        .options = &called->options,
                        .cancel = cancel};
    weir_status status = weir_session_run(step->session->session, &run, fetched);
    if (!status)
        status = put_results(fetched, called->fetch_count, out);
    for (int i = 0; i < called->fetch_count; i++)
        weir_tensor_release(&fetched[i]);
    weir_free(fetched);
    return status;
}

static weir_status run_callable(weir_server *server, resolved_step *step,
                                const weir_msg_run_callable_request *request, weir_cancel *cancel,
                                weir_buf *out)
{
    WEIR_TRY(check_new(server, request->request_id, "RunCallable"));
    for (size_t i = 0; i < request->feed.count; i++)
        WEIR_TRY(add_value(step, request->feed.at[i]));
    callable *called = find_callable(step->session, request->handle, false);
    if (!called)
        return weir_error(WEIR_INVALID_ARGUMENT, "No such callable handle: %" PRId64,
                          request->handle);
    weir_status status = call_callable(step, called, cancel, out);
    weir_ref_release(&called->ref);
    return status;
}

void weir_master_run_callable(weir_rpc *call, void *ctx)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_run_callable_request request;
    resolved_step step = {0};
    weir_buf out = {0};
    weir_detached detached = {0};
    weir_status status = weir_rpc_parsed(
        weir_msg_run_callable_request_read(weir_rpc_request(call), &arena, &request));
    if (!status)
        status = weir_master_find_session(ctx, request.session_handle, weir_rpc_peer(call),
                                          &step.session);
    if (status) {
        weir_rpc_fail(call, status);
        return;
    }
    master_session *session = step.session;
    weir_kept_key key = {run_callable_method, request.request_id};
    weir_ref_retain(&session->ref);
    bool first = is_first(session, key, call);
    if (first) {
        weir_cancel *cancel =
            session->kept ? weir_detached_begin(&detached, call) : weir_rpc_cancel(call);
        status = run_callable(ctx, &step, &request, cancel, &out);
        weir_detached_end(&detached);
    }
    free_step(&step);
    if (first)
        answer_first(session, key, call, status, &out);
    weir_ref_release(&session->ref);
}

/* Calls in progress end as they would have. */
weir_status weir_master_release_callable(weir_server *server, weir_str bytes, weir_peer *peer,
                                         weir_cancel *cancel, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_release_callable_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_release_callable_request_read(bytes, &arena, &request)));
    master_session *session;
    WEIR_TRY(weir_master_find_session(server, request.session_handle, peer, &session));
    callable *released = find_callable(session, request.handle, true);
    weir_ref_release((weir_ref *)released);
    weir_ref_release(&session->ref);
    return WEIR_OK; /* also of an unknown one, as TensorFlow's */
}
