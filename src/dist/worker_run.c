/* dist/worker_run.c - RunGraph: one step of a registered graph.
 *
 * A step runs on a thread of its own, unless it is known to be short: then it runs on the I/O
 * thread and on those that deliver its inputs. A partial run, whose values are fed and fetched by
 * several calls, keeps its thread until the last of them.
 */
#include <inttypes.h>

#include "base/blocking.h"
#include "dist/named_tensor.h"
#include "dist/worker_impl.h"
#include "net/limits.h"
#include "tensor/proto.h"

static bool wants_timeline(const weir_msg_run_graph_request *request)
{
    const weir_msg_executor_opts *options = request->exec_opts;
    return options && (options->record_timeline || options->record_costs);
}

static bool wants_partition_graphs(const weir_msg_run_graph_request *request)
{
    return request->exec_opts && request->exec_opts->record_partition_graphs;
}

/* ---- values in the request and in the response ------------------------------------------------
 */

static weir_status send_all(weir_rendezvous *rendezvous, const weir_msg_run_graph_request *request)
{
    for (size_t i = 0; i < request->send.count; i++) {
        const weir_msg_named_tensor_proto *named = &request->send.at[i];
        weir_parsed_key parsed;
        WEIR_TRY(weir_rendezvous_parse(named->name, &parsed));
        weir_tensor tensor;
        WEIR_TRY_NOTE(weir_tensor_parse(named->tensor, &tensor), " (sent for %.*s)",
                      WEIR_STR_ARG(named->name));
        WEIR_TRY(rendezvous->send(rendezvous, named->name, tensor, false));
    }
    return WEIR_OK;
}

/* Collects the values of a request's recv_key. */
typedef struct value_gather {
    weir_mutex lock;
    weir_cond all;
    size_t pending WEIR_GUARDED_BY(lock);
    weir_status status WEIR_GUARDED_BY(lock); /* the first error */
    struct gathered {
        struct value_gather *to;
        weir_str key;
        weir_tensor tensor;
    } * at;
    size_t count;
} value_gather;

static void gathered_one(void *arg, weir_status status, weir_tensor tensor, bool dead)
{
    struct gathered *one = arg;
    value_gather *gather = one->to;
    if (!status && dead)
        status = weir_error(WEIR_INVALID_ARGUMENT, "The tensor returned for %.*s was not valid.",
                            WEIR_STR_ARG(one->key));
    weir_mutex_lock(&gather->lock);
    one->tensor = tensor;
    if (!gather->status)
        gather->status = status;
    else
        weir_status_free(status);
    if (--gather->pending == 0)
        weir_cond_signal(&gather->all);
    weir_mutex_unlock(&gather->lock);
}

static void start_gathering(value_gather *gather, weir_rendezvous *rendezvous,
                            const weir_msg_run_graph_request *request)
{
    weir_mutex_init(&gather->lock);
    weir_cond_init(&gather->all);
    gather->pending = gather->count = request->recv_key.count;
    gather->at = WEIR_NEW_ARRAY(struct gathered, gather->count);
    for (size_t i = 0; i < gather->count; i++) {
        gather->at[i] = (struct gathered){.to = gather, .key = request->recv_key.at[i]};
        rendezvous->recv(rendezvous, gather->at[i].key, gathered_one, &gather->at[i]);
    }
}

static weir_status wait_gathered(value_gather *gather)
{
    weir_mutex_lock(&gather->lock);
    while (gather->pending)
        weir_cond_wait(&gather->all, &gather->lock);
    weir_status status = gather->status;
    gather->status = WEIR_OK;
    weir_mutex_unlock(&gather->lock);
    return status;
}

static bool all_gathered(value_gather *gather)
{
    weir_mutex_lock(&gather->lock);
    bool all = gather->pending == 0;
    weir_mutex_unlock(&gather->lock);
    return all;
}

static weir_status put_gathered(const value_gather *gather, weir_buf *out)
{
    for (size_t i = 0; i < gather->count; i++)
        WEIR_TRY(weir_named_tensor_put(out, WEIR_FIELD_run_graph_response_recv, gather->at[i].key,
                                       &gather->at[i].tensor));
    return WEIR_OK;
}

static void end_gathering(value_gather *gather)
{
    for (size_t i = 0; i < gather->count; i++)
        weir_tensor_release(&gather->at[i].tensor);
    weir_status_free(gather->status);
    weir_free(gather->at);
    weir_cond_fini(&gather->all);
    weir_mutex_fini(&gather->lock);
}

/* ---- a step --------------------------------------------------------------------------------- */

/* The state of a step that runs here. */
typedef struct step_run {
    worker_session *session;
    weir_registered *graph;
    int64_t id;
    weir_cancel *cancel; /* the session's child; stops the step */
    weir_rendezvous *rendezvous;
} step_run;

static void begin_step(step_run *run, worker_session *session, weir_registered *graph, int64_t id)
{
    weir_steps *steps = session->worker->options.steps;
    *run = (step_run){.session = session,
                      .graph = graph,
                      .id = id,
                      .cancel = weir_cancel_create(session->cancel)};
    run->rendezvous = weir_steps_join(steps, id, session->cluster, run->cancel);
    weir_steps_own(steps, id, session);
}

static void value_came(weir_ref *rendezvous, weir_str key, weir_rpc_message *message)
{
    weir_steps_deliver((weir_rendezvous *)rendezvous, key, message);
}

/* Values between this participant and the master's own use the call, if it is a stream. */
static weir_status link_master(step_run *run, weir_rpc *call)
{
    if (!weir_rpc_is_stream(call))
        return WEIR_OK;
    weir_str name = weir_str_of(run->session->master_task);
    const weir_task *task =
        run->session->cluster ? weir_cluster_find(run->session->cluster, name) : NULL;
    if (!task)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the master of session %s, \"%s\", is no task of the cluster",
                          run->session->handle, run->session->master_task);
    weir_steps_expect_links(run->rendezvous, 1);
    weir_steps_link(run->rendezvous, task, NULL, call);
    weir_rpc_listen_to(call, value_came, &run->rendezvous->ref);
    return WEIR_OK;
}

/* Appends the response of a successful step. It tells a Weir master whether the step left any state
 * here; if not, CleanupGraph is not needed. */
static void put_response(const step_run *run, weir_rpc *call, weir_buf *out)
{
    static const weir_msg_cost_graph_def
        no_costs; /* present, but empty, as with TensorFlow's workers */
    weir_msg_run_graph_response response = {.cost_graph = &no_costs,
                                            .clean = weir_rpc_is_stream(call) &&
                                                     weir_steps_retire(run->rendezvous)};
    weir_msg_run_graph_response_write(&response, out);
}

/* Appends the data that the request wants recorded. */
static void put_recorded(const step_run *run, const weir_msg_run_graph_request *request,
                         weir_run_metadata *metadata, weir_buf *out)
{
    if (wants_timeline(request)) {
        size_t mark = weir_message_open(out, WEIR_FIELD_run_graph_response_step_stats);
        for (size_t i = 0; i < metadata->parts.count; i++)
            weir_msg_step_stats_write(metadata->parts.at[i]->step_stats, out);
        weir_message_close(out, mark);
    }
    weir_strs graphs = {0};
    if (wants_partition_graphs(request))
        graphs = weir_registered_graphs(run->graph, &metadata->arena);
    for (size_t i = 0; i < graphs.count; i++)
        weir_message_put_bytes(out, WEIR_FIELD_run_graph_response_partition_graph, graphs.at[i]);
}

static void end_step(step_run *run)
{
    weir_rendezvous_release(run->rendezvous);
    weir_cancel_release(run->cancel);
    if (weir_cancel_fired(run->session->cancel)) /* the session's end may have missed this step */
        weir_steps_cleanup(run->session->worker->options.steps, run->id);
}

/* Runs with the request's values; |gather| collects those for the response. */
static weir_status run_with(step_run *run, const weir_msg_run_graph_request *request,
                            value_gather *gather, weir_run_metadata *metadata)
{
    WEIR_TRY(send_all(run->rendezvous, request));
    weir_registered_step step = {.id = run->id,
                                 .rendezvous = run->rendezvous,
                                 .cancel = run->cancel,
                                 .metadata = wants_timeline(request) ? metadata : NULL,
                                 .master = run->session->master_task};
    WEIR_TRY(weir_registered_run(run->graph, &step));
    return all_gathered(gather)
               ? WEIR_OK
               : weir_error(WEIR_INVALID_ARGUMENT,
                            "the graph sends nothing under some of its %zu keys", gather->count);
}

/* The first of two errors; frees the second. */
static weir_status first_error(weir_status first, weir_status second)
{
    if (!first)
        return second;
    weir_status_free(second);
    return first;
}

static weir_status run_whole(step_run *run, const weir_msg_run_graph_request *request,
                             weir_rpc *call, weir_buf *out)
{
    value_gather gather = {0};
    weir_run_metadata metadata = {0};
    weir_following following;
    weir_follow_begin(&following, weir_rpc_cancel(call), run->cancel);
    start_gathering(&gather, run->rendezvous, request);
    weir_status status = run_with(run, request, &gather, &metadata);
    if (status)
        run->rendezvous->abort(run->rendezvous, weir_status_copy(status));
    status = first_error(status, wait_gathered(&gather));
    if (!status)
        status = put_gathered(&gather, out);
    weir_follow_end(&following);
    end_gathering(&gather);
    if (!status) {
        put_recorded(run, request, &metadata, out);
        put_response(run, call, out);
    }
    weir_run_metadata_fini(&metadata);
    return status;
}

/* ---- partial runs --------------------------------------------------------------------------- */

/* A step that several calls feed and fetch. Held by the session's map, the thread that runs it,
 * calls in progress. */
typedef struct partial_run {
    weir_ref ref;
    step_run step; /* session and graph are retained */
    weir_mutex lock;
    weir_cond over;
    bool ended WEIR_GUARDED_BY(lock);
    WEIR_VEC(value_gather *) gathers WEIR_GUARDED_BY(lock); /* of calls that wait for values */
    weir_status status WEIR_GUARDED_BY(lock);
} partial_run;

static void destroy_partial(weir_ref *ref)
{
    partial_run *run = (partial_run *)ref;
    weir_status_free(run->status);
    weir_registered_release(run->step.graph);
    weir_rendezvous_release(run->step.rendezvous);
    weir_cancel_release(run->step.cancel);
    weir_vec_fini(&run->gathers);
    weir_cond_fini(&run->over);
    weir_mutex_fini(&run->lock);
    weir_free(run);
}

/* The run has ended: what it has not sent will not come. */
static void forget_missing(const step_run *step, value_gather *gather)
{
    for (size_t i = 0; i < gather->count; i++)
        weir_steps_forget(step->session->worker->options.steps, step->id, gather->at[i].key,
                          &gather->at[i], gathered_one,
                          weir_error(WEIR_INVALID_ARGUMENT, "the graph sends nothing under %.*s",
                                     WEIR_STR_ARG(gather->at[i].key)));
}

/* Waits for the values of one call, at most until the run has ended. */
static weir_status wait_partially(partial_run *run, value_gather *gather)
{
    weir_mutex_lock(&run->lock);
    bool ended = run->ended;
    if (!ended)
        weir_vec_push(&run->gathers, gather);
    weir_mutex_unlock(&run->lock);
    if (ended)
        forget_missing(&run->step, gather);
    weir_status status = wait_gathered(gather);
    weir_mutex_lock(&run->lock);
    for (size_t i = 0; i < run->gathers.count; i++)
        if (run->gathers.at[i] == gather)
            run->gathers.at[i--] = run->gathers.at[--run->gathers.count];
    weir_mutex_unlock(&run->lock);
    return status;
}

/* A thread of a partial run begins (1) or ends (-1); the worker is not destroyed in between. */
static void count_partial_thread(weir_worker *worker, int change)
{
    weir_mutex_lock(&worker->lock);
    worker->partial_threads += change;
    if (!worker->partial_threads)
        weir_cond_signal(&worker->no_threads);
    weir_mutex_unlock(&worker->lock);
}

static void run_partial(void *arg)
{
    partial_run *run = arg;
    worker_session *session = run->step.session;
    weir_worker *worker = session->worker;
    weir_registered_step step = {.id = run->step.id,
                                 .rendezvous = run->step.rendezvous,
                                 .cancel = run->step.cancel,
                                 .master = session->master_task};
    weir_status status = weir_registered_run(run->step.graph, &step);
    if (weir_cancel_fired(session->cancel))
        weir_steps_cleanup(worker->options.steps, run->step.id);
    weir_cancel_fire(run->step.cancel, weir_error(WEIR_CANCELLED, "the partial run has ended"));
    weir_mutex_lock(&run->lock);
    run->ended = true;
    run->status = status;
    for (size_t i = 0; i < run->gathers.count; i++)
        forget_missing(&run->step, run->gathers.at[i]);
    weir_cond_broadcast(&run->over);
    weir_mutex_unlock(&run->lock);
    weir_ref_release(&run->ref);
    weir_ref_release(&session->ref);
    count_partial_thread(worker, -1);
}

static weir_str step_key(const int64_t *id)
{
    return (weir_str){(const char *)id, sizeof *id};
}

static partial_run *new_partial(worker_session *session, weir_registered *graph, int64_t id)
{
    partial_run *run = WEIR_NEW(partial_run);
    weir_ref_init(&run->ref, destroy_partial); /* the map's */
    weir_mutex_init(&run->lock);
    weir_cond_init(&run->over);
    begin_step(&run->step, session, weir_registered_retain(graph), id);
    return run;
}

/* Each has a thread until it ends, and calls need threads, too. */
static weir_status check_partial_runs(weir_worker *worker)
{
    int64_t most = weir_limits_get()->threads / 2;
    if (atomic_load(&worker->partial_runs) < most)
        return WEIR_OK;
    return weir_error(WEIR_RESOURCE_EXHAUSTED,
                      "the task has %" PRId64 " partial runs (half of the limit: threads)", most);
}

/* The partial run of a step, started by its first call. Retained for the caller. */
static weir_status find_partial(worker_session *session, weir_registered *graph, int64_t id,
                                partial_run **out_run)
{
    weir_mutex_lock(&session->lock);
    partial_run *run = weir_map_get(&session->partial, step_key(&id));
    weir_status status = run ? WEIR_OK : check_partial_runs(session->worker);
    bool fresh = !run && !status;
    if (fresh) {
        run = new_partial(session, graph, id);
        atomic_fetch_add(&session->worker->partial_runs, 1);
        weir_map_put(&session->partial, step_key(&id), run);
    }
    if (run)
        weir_ref_retain(&run->ref);
    weir_mutex_unlock(&session->lock);
    if (fresh) {
        weir_ref_retain(&run->ref);     /* the thread's, ... */
        weir_ref_retain(&session->ref); /* ... with the session */
        count_partial_thread(session->worker, 1);
        weir_blocking_submit(run_partial, run);
    }
    *out_run = run;
    return status;
}

void weir_worker_free_partial(worker_session *session)
{
    size_t at = 0;
    void *ptr;
    atomic_fetch_sub(&session->worker->partial_runs, (long long)session->partial.count);
    while (weir_map_next(&session->partial, &at, NULL, &ptr))
        weir_ref_release(ptr);
    weir_map_fini(&session->partial);
}

/* The session forgets the partial run of a step; |run|: if it is this one; null: any. */
static void drop_partial(worker_session *session, int64_t id, const partial_run *run)
{
    weir_mutex_lock(&session->lock);
    partial_run *kept = weir_map_get(&session->partial, step_key(&id));
    bool drops = kept && (!run || kept == run);
    if (drops)
        weir_map_remove(&session->partial, step_key(&id));
    weir_mutex_unlock(&session->lock);
    if (!drops)
        return;
    atomic_fetch_sub(&session->worker->partial_runs, 1);
    weir_ref_release(&kept->ref);
}

void weir_worker_forget_partial(worker_session *session, int64_t id)
{
    drop_partial(session, id, NULL);
}

/* The last call of a partial run has the whole step's status. */
static weir_status finish_partial(partial_run *run)
{
    weir_mutex_lock(&run->lock);
    while (!run->ended)
        weir_cond_wait(&run->over, &run->lock);
    weir_status status = weir_status_copy(run->status);
    weir_mutex_unlock(&run->lock);
    drop_partial(run->step.session, run->step.id, run);
    return status;
}

static weir_status run_partially(worker_session *session, weir_registered *graph,
                                 const weir_msg_run_graph_request *request, weir_cancel *cancel,
                                 weir_buf *out)
{
    partial_run *run;
    WEIR_TRY(find_partial(session, graph, request->step_id, &run));
    weir_following following;
    weir_follow_begin(&following, cancel, run->step.cancel);
    value_gather gather = {0};
    start_gathering(&gather, run->step.rendezvous, request);
    weir_status status = send_all(run->step.rendezvous, request);
    if (status)
        weir_cancel_fire(run->step.cancel,
                         weir_status_copy(status)); /* fails those that wait for the value */
    status = first_error(status, wait_partially(run, &gather));
    if (!status)
        status = put_gathered(&gather, out);
    if (!status && request->is_last_partial_run)
        status = finish_partial(run);
    weir_follow_end(&following);
    end_gathering(&gather);
    weir_ref_release(&run->ref);
    return status;
}

/* ---- short steps ---------------------------------------------------------------------------- */

/* A step that runs faster than it could be passed to a thread. */
typedef struct short_run {
    weir_rpc *call;
    step_run step; /* session and graph are retained */
    weir_registered_step how;
    weir_following follow;
    bool errors_in_body;
} short_run;

static void answer(weir_rpc *call, weir_status status, bool errors_in_body, weir_buf *out)
{
    if (!status || !errors_in_body || weir_status_is(status, WEIR_PEER_RESTARTED)) {
        weir_rpc_answer(call, status, out);
        return;
    }
    weir_str message = weir_str_of(weir_status_message(status));
    weir_msg_run_graph_response response = {.status_code = (int32_t)weir_status_code(status),
                                            .status_error_message = message};
    out->length = 0;
    weir_msg_run_graph_response_write(&response, out);
    weir_status_free(status);
    weir_rpc_reply(call, out);
}

static void short_over(void *arg, weir_status status)
{
    short_run *run = arg;
    weir_buf out = {0};
    if (!status)
        put_response(&run->step, run->call, &out);
    weir_follow_end(&run->follow);
    end_step(&run->step);
    weir_registered_release(run->step.graph);
    weir_ref_release(&run->step.session->ref);
    answer(run->call, status, run->errors_in_body, &out);
    weir_free(run);
}

/* Takes over the step, with the references to its session and graph. */
static void run_short(weir_rpc *call, const step_run *step,
                      const weir_msg_run_graph_request *request)
{
    short_run *run = WEIR_NEW(short_run);
    run->call = call;
    run->errors_in_body = request->store_errors_in_response_body;
    run->step = *step;
    run->how = (weir_registered_step){.id = request->step_id,
                                      .rendezvous = run->step.rendezvous,
                                      .cancel = run->step.cancel,
                                      .master = run->step.session->master_task};
    weir_follow_begin(&run->follow, weir_rpc_cancel(call), run->step.cancel);
    weir_registered_start(run->step.graph, &run->how, short_over, run);
}

static bool is_plain(const weir_msg_run_graph_request *request)
{
    return !request->is_partial && !request->send.count && !request->recv_key.count &&
           !wants_timeline(request) && !wants_partition_graphs(request);
}

/* ---- the method ----------------------------------------------------------------------------- */

typedef struct run_call {
    weir_rpc *call;
    worker_session *session;
    weir_registered *graph;
    step_run step; /* begun unless it is a partial run */
    weir_msg_run_graph_request request;
    weir_arena arena; /* the request's */
    _Alignas(16) char room[256];
} run_call;

static run_call *new_call(weir_rpc *rpc)
{
    run_call *call = WEIR_NEW(run_call);
    call->call = rpc;
    call->arena = (weir_arena){.next = call->room, .end = call->room + sizeof call->room};
    return call;
}

static void free_call(run_call *call)
{
    if (call->step.rendezvous)
        end_step(&call->step);
    weir_registered_release(call->graph);
    weir_ref_release((weir_ref *)call->session);
    weir_arena_fini(&call->arena);
    weir_free(call);
}

static weir_status prepare(weir_worker *worker, run_call *call)
{
    weir_msg_run_graph_request *request = &call->request;
    WEIR_TRY(weir_rpc_parsed(
        weir_msg_run_graph_request_read(weir_rpc_request(call->call), &call->arena, request)));
    WEIR_TRY(weir_worker_check_new(worker, request->request_id, "RunGraph (Worker)"));
    WEIR_TRY(weir_worker_find_session(worker, request->session_handle,
                                      request->create_worker_session_called, &call->session));
    WEIR_TRY(weir_worker_find_graph(call->session, request->graph_handle, &call->graph));
    if (request->is_partial)
        return WEIR_OK;
    begin_step(&call->step, call->session, call->graph, request->step_id);
    return link_master(&call->step, call->call);
}

static void finish_call(run_call *call, weir_status status, weir_buf *out)
{
    weir_rpc *rpc = call->call;
    bool errors_in_body = call->request.store_errors_in_response_body;
    free_call(call); /* before the answer: the step must have ended when the master knows */
    answer(rpc, status, errors_in_body, out);
}

/* On a thread that may block. */
static void run_blocking(void *arg)
{
    run_call *call = arg;
    const weir_msg_run_graph_request *request = &call->request;
    weir_buf out = {0};
    weir_status status = request->is_partial ? run_partially(call->session, call->graph, request,
                                                             weir_rpc_cancel(call->call), &out)
                                             : run_whole(&call->step, request, call->call, &out);
    finish_call(call, status, &out);
}

void weir_worker_run_graph(weir_rpc *rpc, void *ctx)
{
    run_call *call = new_call(rpc);
    weir_status status = prepare(weir_worker_of_server(ctx), call);
    if (!status && is_plain(&call->request) && weir_registered_brief(call->graph)) {
        run_short(rpc, &call->step, &call->request);
        call->session = NULL;
        call->graph = NULL;
        call->step = (step_run){0};
        free_call(call);
        return;
    }
    if (!status)
        status = weir_rpc_continue(rpc, run_blocking, call);
    if (status)
        finish_call(call, status, &(weir_buf){0});
}
