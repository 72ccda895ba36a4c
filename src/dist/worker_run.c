/* dist/worker_run.c - RunGraph: one step of a registered graph.
 *
 * A step runs on a thread of its own, unless it is known to be brief: then it runs on the thread
 * that moves bytes, and on those that bring its values. A partial run, whose values come and go by
 * several calls, has its thread until the last of them.
 */
#include <inttypes.h>

#include "base/blocking.h"
#include "dist/worker_impl.h"
#include "tensor/proto.h"

typedef struct run_request {
    weir_str session, graph;
    int64_t step_id, request_id;
    bool opened, errors_in_body, is_partial, is_last, timeline, partition_graphs;
    WEIR_VEC(weir_str) sends;     /* NamedTensorProto */
    WEIR_VEC(weir_str) recv_keys; /* in the order they are answered */
} run_request;

/* ---- reading -------------------------------------------------------------------------------- */

static void read_options(run_request *request, weir_str options)
{
    enum { COSTS = 1, TIMELINE = 3, PARTITION_GRAPHS = 4 };
    weir_pb reader = weir_pb_reader(options);
    while (weir_pb_next(&reader)) {
        request->timeline |= (reader.field == TIMELINE || reader.field == COSTS) && reader.value;
        request->partition_graphs |= reader.field == PARTITION_GRAPHS && reader.value;
    }
}

static void read_text(run_request *request, const weir_pb *reader)
{
    if (reader->field == 1)
        request->graph = reader->bytes;
    else if (reader->field == 3)
        weir_vec_push(&request->sends, reader->bytes);
    else if (reader->field == 4)
        weir_vec_push(&request->recv_keys, reader->bytes);
    else if (reader->field == 5)
        read_options(request, reader->bytes);
    else if (reader->field == 8)
        request->session = reader->bytes;
}

static void read_number(run_request *request, const weir_pb *reader)
{
    if (reader->field == 2)
        request->step_id = weir_pb_int(reader);
    else if (reader->field == 6)
        request->is_partial = reader->value != 0;
    else if (reader->field == 7)
        request->is_last = reader->value != 0;
    else if (reader->field == 9)
        request->errors_in_body = reader->value != 0;
    else if (reader->field == 10)
        request->opened = reader->value != 0;
    else if (reader->field == 11)
        request->request_id = weir_pb_int(reader);
}

static weir_status read_request(weir_str bytes, run_request *request)
{
    weir_pb reader = weir_pb_reader(bytes);
    while (weir_pb_next(&reader)) {
        if (reader.type == WEIR_PB_LEN)
            read_text(request, &reader);
        else if (reader.type == WEIR_PB_VARINT)
            read_number(request, &reader);
    }
    return weir_pb_ok(&reader) ? WEIR_OK : weir_worker_unparseable();
}

/* ---- values that come with the call and go with its answer ---------------------------------- */

static weir_status send_one(weir_rendezvous *rendezvous, weir_str named)
{
    weir_str key = {"", 0}, proto = {"", 0};
    weir_pb pb = weir_pb_reader(named);
    while (weir_pb_next(&pb)) {
        if (pb.field == 1 && pb.type == WEIR_PB_LEN)
            key = pb.bytes;
        else if (pb.field == 2 && pb.type == WEIR_PB_LEN)
            proto = pb.bytes;
    }
    weir_parsed_key parsed;
    WEIR_TRY(weir_rendezvous_parse(key, &parsed));
    weir_tensor tensor;
    WEIR_TRY_NOTE(weir_tensor_parse(proto, &tensor), " (sent for %.*s)", WEIR_STR_ARG(key));
    return rendezvous->send(rendezvous, key, tensor, false);
}

static weir_status send_all(weir_rendezvous *rendezvous, const run_request *request)
{
    for (size_t i = 0; i < request->sends.count; i++)
        WEIR_TRY(send_one(rendezvous, request->sends.at[i]));
    return WEIR_OK;
}

/* The values of |recv_keys|, as they come. */
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
                            const run_request *request)
{
    weir_mutex_init(&gather->lock);
    weir_cond_init(&gather->all);
    gather->pending = gather->count = request->recv_keys.count;
    gather->at = WEIR_NEW_ARRAY(struct gathered, gather->count);
    for (size_t i = 0; i < gather->count; i++) {
        gather->at[i] = (struct gathered){.to = gather, .key = request->recv_keys.at[i]};
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
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < gather->count && !status; i++) {
        size_t mark = weir_pb_begin(out, 1);
        weir_pb_put_bytes(out, 1, gather->at[i].key.at, gather->at[i].key.length);
        size_t inner = weir_pb_begin(out, 2);
        status = weir_tensor_encode(&gather->at[i].tensor, out);
        weir_pb_end(out, inner);
        weir_pb_end(out, mark);
    }
    return status;
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

/* What a step has while it runs here. */
typedef struct step_run {
    worker_session *s;
    weir_registered *graph;
    int64_t id;
    weir_cancel *cancel; /* the session's child; stops the step */
    weir_rendezvous *rendezvous;
} step_run;

static void begin_step(step_run *run, worker_session *session, weir_registered *graph, int64_t id)
{
    weir_steps *steps = session->w->o.steps;
    *run = (step_run){
        .s = session, .graph = graph, .id = id, .cancel = weir_cancel_create(session->cancel)};
    run->rendezvous = weir_steps_join(steps, id, session->cluster, run->cancel);
    weir_steps_own(steps, id, session);
}

static void value_came(weir_ref *rendezvous, weir_str key, weir_rpc_message *message)
{
    weir_steps_deliver((weir_rendezvous *)rendezvous, key, message);
}

/* A master that can takes and gives its own part's values by the call itself. */
static weir_status link_master(step_run *run, weir_rpc *call)
{
    if (!weir_rpc_is_stream(call))
        return WEIR_OK;
    weir_str name = weir_str_of(run->s->master_task);
    const weir_task *task = run->s->cluster ? weir_cluster_find(run->s->cluster, name) : NULL;
    if (!task)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the master of session %s, \"%s\", is no task of the cluster",
                          run->s->handle, run->s->master_task);
    weir_steps_link(run->rendezvous, task, NULL, call);
    weir_rpc_listen_to(call, value_came, &run->rendezvous->ref);
    return WEIR_OK;
}

/* Tells a master that reads it that nothing is left of the step here, if so. */
static void put_clean(const step_run *run, weir_rpc *call, weir_buf *out)
{
    if (weir_rpc_is_stream(call) && weir_steps_retire(run->rendezvous))
        weir_pb_put_varint(out, RUN_GRAPH_CLEAN, 1);
}

static void end_step(step_run *run)
{
    weir_rendezvous_release(run->rendezvous);
    weir_cancel_release(run->cancel);
    if (weir_cancel_fired(run->s->cancel)) /* who ended the session may have missed this step */
        weir_steps_cleanup(run->s->w->o.steps, run->id);
}

static void put_stats(const weir_run_metadata *metadata, weir_buf *out)
{
    size_t mark = weir_message_open(out, WEIR_FIELD_run_graph_response_step_stats);
    for (size_t i = 0; i < metadata->parts.count; i++)
        weir_msg_step_stats_write(metadata->parts.at[i]->step_stats, out);
    weir_message_close(out, mark);
}

static void put_recorded(const step_run *run, const run_request *request,
                         weir_run_metadata *metadata, weir_buf *out)
{
    if (request->timeline)
        put_stats(metadata, out);
    weir_pb_put_bytes(out, 3, "", 0); /* an empty cost graph, as TensorFlow's workers answer */
    if (!request->partition_graphs)
        return;
    weir_strs graphs = weir_registered_graphs(run->graph, &metadata->arena);
    for (size_t i = 0; i < graphs.count; i++)
        weir_message_put_bytes(out, WEIR_FIELD_run_graph_response_partition_graph, graphs.at[i]);
}

/* Runs with the call's values; |gather| gets those that the answer wants. */
static weir_status run_with(step_run *run, const run_request *request, value_gather *gather,
                            weir_buf *out)
{
    weir_status status = send_all(run->rendezvous, request);
    weir_run_metadata metadata = {0};
    weir_registered_step step = {.id = run->id,
                                 .rendezvous = run->rendezvous,
                                 .cancel = run->cancel,
                                 .metadata = request->timeline ? &metadata : NULL};
    if (!status)
        status = weir_registered_run(run->graph, &step);
    if (!status && !all_gathered(gather))
        status =
            weir_error(WEIR_INVALID_ARGUMENT, "the graph sends nothing under some of its %zu keys",
                       request->recv_keys.count);
    if (status)
        run->rendezvous->abort(run->rendezvous, weir_status_copy(status));
    weir_status got = wait_gathered(gather);
    if (!status)
        status = got;
    else
        weir_status_free(got);
    if (!status)
        status = put_gathered(gather, out);
    if (!status)
        put_recorded(run, request, &metadata, out);
    weir_run_metadata_fini(&metadata);
    return status;
}

static weir_status run_whole(step_run *run, const run_request *request, weir_rpc *call,
                             weir_buf *out)
{
    value_gather gather = {0};
    weir_following following;
    weir_follow_begin(&following, weir_rpc_cancel(call), run->cancel);
    start_gathering(&gather, run->rendezvous, request);
    weir_status st = run_with(run, request, &gather, out);
    weir_follow_end(&following);
    end_gathering(&gather);
    if (!st)
        put_clean(run, call, out);
    return st;
}

/* ---- partial runs --------------------------------------------------------------------------- */

/* A step that several calls feed and read. Shared: the session's map, the thread that runs it,
 * calls in progress. */
typedef struct partial_run {
    weir_ref ref;
    step_run step; /* session and graph are retained */
    weir_mutex lock;
    weir_cond over;
    bool ended WEIR_GUARDED_BY(lock);
    weir_status status WEIR_GUARDED_BY(lock);
} partial_run;

static void destroy_partial(weir_ref *ref)
{
    partial_run *run = (partial_run *)ref;
    weir_status_free(run->status);
    weir_registered_release(run->step.graph);
    weir_rendezvous_release(run->step.rendezvous);
    weir_cancel_release(run->step.cancel);
    weir_cond_fini(&run->over);
    weir_mutex_fini(&run->lock);
    weir_free(run);
}

static void run_partial(void *arg)
{
    partial_run *run = arg;
    worker_session *session = run->step.s;
    weir_registered_step step = {
        .id = run->step.id, .rendezvous = run->step.rendezvous, .cancel = run->step.cancel};
    weir_status st = weir_registered_run(run->step.graph, &step);
    if (weir_cancel_fired(session->cancel))
        weir_steps_cleanup(session->w->o.steps, run->step.id);
    weir_mutex_lock(&run->lock);
    run->ended = true;
    run->status = st;
    weir_cond_broadcast(&run->over);
    weir_mutex_unlock(&run->lock);
    weir_ref_release(&run->ref);
    weir_ref_release(&session->ref);
}

static weir_str step_key(const int64_t *id)
{
    return (weir_str){(const char *)id, sizeof *id};
}

/* The partial run of a step, started by its first call. Retained for the caller. */
static partial_run *find_partial(worker_session *session, weir_registered *graph, int64_t id)
{
    weir_mutex_lock(&session->lock);
    partial_run *run = weir_map_get(&session->partial, step_key(&id));
    bool fresh = !run;
    if (fresh) {
        run = WEIR_NEW(partial_run);
        weir_ref_init(&run->ref, destroy_partial); /* the map's */
        weir_mutex_init(&run->lock);
        weir_cond_init(&run->over);
        begin_step(&run->step, session, weir_registered_retain(graph), id);
        weir_map_put(&session->partial, step_key(&id), run);
    }
    weir_ref_retain(&run->ref);
    weir_mutex_unlock(&session->lock);
    if (fresh) {
        weir_ref_retain(&run->ref);     /* the thread's, ... */
        weir_ref_retain(&session->ref); /* ... with the session */
        weir_blocking_submit(run_partial, run);
    }
    return run;
}

void weir_worker_free_partial(worker_session *session)
{
    size_t at = 0;
    void *ptr;
    while (weir_map_next(&session->partial, &at, NULL, &ptr))
        weir_ref_release(ptr);
    weir_map_fini(&session->partial);
}

/* The last call of a partial run has the whole step's status. */
static weir_status finish_partial(partial_run *run)
{
    worker_session *session = run->step.s;
    weir_mutex_lock(&run->lock);
    while (!run->ended)
        weir_cond_wait(&run->over, &run->lock);
    weir_status st = weir_status_copy(run->status);
    weir_mutex_unlock(&run->lock);
    weir_mutex_lock(&session->lock);
    partial_run *kept = weir_map_get(&session->partial, step_key(&run->step.id));
    if (kept == run)
        weir_map_remove(&session->partial, step_key(&run->step.id));
    weir_mutex_unlock(&session->lock);
    if (kept == run)
        weir_ref_release(&run->ref);
    return st;
}

static weir_status run_partially(worker_session *session, weir_registered *graph,
                                 const run_request *request, weir_cancel *cancel, weir_buf *out)
{
    partial_run *run = find_partial(session, graph, request->step_id);
    weir_following following;
    weir_follow_begin(&following, cancel, run->step.cancel);
    value_gather gather = {0};
    start_gathering(&gather, run->step.rendezvous, request);
    weir_status st = send_all(run->step.rendezvous, request);
    if (st)
        weir_cancel_fire(run->step.cancel, weir_status_copy(st)); /* who waits for the value, too */
    weir_status got = wait_gathered(&gather);
    if (!st)
        st = got;
    else
        weir_status_free(got);
    if (!st)
        st = put_gathered(&gather, out);
    if (!st && request->is_last)
        st = finish_partial(run);
    weir_follow_end(&following);
    end_gathering(&gather);
    weir_ref_release(&run->ref);
    return st;
}

/* ---- short steps ---------------------------------------------------------------------------- */

/* A step that is sooner run than handed to a thread. */
typedef struct short_run {
    weir_rpc *call;
    step_run step; /* session and graph are retained */
    weir_registered_step how;
    weir_following follow;
    bool errors_in_body;
} short_run;

static void answer(weir_rpc *call, weir_status status, bool errors_in_body, weir_buf *out)
{
    if (status && (!errors_in_body || weir_status_is(status, WEIR_PEER_RESTARTED))) {
        weir_buf_fini(out);
        weir_rpc_fail(call, status);
        return;
    }
    if (status) {
        out->length = 0;
        weir_pb_put_varint(out, 5, weir_status_code(status));
        weir_pb_put_str(out, 6, weir_status_message(status));
        weir_status_free(status);
    }
    weir_rpc_reply(call, out);
}

static void short_over(void *arg, weir_status status)
{
    short_run *run = arg;
    weir_buf out = {0};
    if (!status) {
        weir_pb_put_bytes(&out, 3, "", 0);
        put_clean(&run->step, run->call, &out);
    }
    weir_follow_end(&run->follow);
    end_step(&run->step);
    weir_registered_release(run->step.graph);
    weir_ref_release(&run->step.s->ref);
    answer(run->call, status, run->errors_in_body, &out);
    weir_free(run);
}

/* Takes over the step, with the references to its session and graph. */
static void run_short(weir_rpc *call, const step_run *step, const run_request *request)
{
    short_run *run = WEIR_NEW(short_run);
    run->call = call;
    run->errors_in_body = request->errors_in_body;
    run->step = *step;
    run->how = (weir_registered_step){
        .id = request->step_id, .rendezvous = run->step.rendezvous, .cancel = run->step.cancel};
    weir_follow_begin(&run->follow, weir_rpc_cancel(call), run->step.cancel);
    weir_registered_start(run->step.graph, &run->how, short_over, run);
}

static bool is_plain(const run_request *request)
{
    return !request->is_partial && !request->timeline && !request->partition_graphs &&
           !request->sends.count && !request->recv_keys.count;
}

/* ---- the method ----------------------------------------------------------------------------- */

/* What a call is about. */
typedef struct run_call {
    weir_rpc *call;
    worker_session *s;
    weir_registered *graph;
    run_request q;
    step_run step; /* begun unless the run is a partial one */
} run_call;

static weir_status find(weir_worker *worker, run_call *call)
{
    WEIR_TRY(read_request(weir_rpc_request(call->call), &call->q));
    WEIR_TRY(weir_worker_check_new(worker, call->q.request_id, "RunGraph (Worker)"));
    WEIR_TRY(weir_worker_find_session(worker, call->q.session, call->q.opened, &call->s));
    WEIR_TRY(weir_worker_find_graph(call->s, call->q.graph, &call->graph));
    if (call->q.is_partial)
        return WEIR_OK;
    begin_step(&call->step, call->s, call->graph, call->q.step_id);
    return link_master(&call->step, call->call);
}

static void end_call(run_call *call)
{
    if (call->step.rendezvous)
        end_step(&call->step);
    weir_vec_fini(&call->q.sends);
    weir_vec_fini(&call->q.recv_keys);
    weir_registered_release(call->graph);
    weir_ref_release((weir_ref *)call->s);
    weir_free(call);
}

/* On a thread that may wait. */
static void run_at_length(void *arg)
{
    run_call *run_call = arg;
    weir_rpc *call = run_call->call;
    weir_buf out = {0};
    weir_status status =
        run_call->q.is_partial
            ? run_partially(run_call->s, run_call->graph, &run_call->q, weir_rpc_cancel(call), &out)
            : run_whole(&run_call->step, &run_call->q, call, &out);
    bool errors_in_body = run_call->q.errors_in_body;
    end_call(run_call);
    answer(call, status, errors_in_body, &out);
}

void weir_worker_run_graph(weir_rpc *call, void *ctx)
{
    run_call *c = WEIR_NEW(run_call);
    c->call = call;
    c->q = (run_request){.session = {"", 0}, .graph = {"", 0}};
    weir_status status = find(weir_worker_of_server(ctx), c);
    if (status) {
        weir_buf none = {0};
        bool errors_in_body = c->q.errors_in_body;
        end_call(c);
        answer(call, status, errors_in_body, &none);
    } else if (is_plain(&c->q) && weir_registered_brief(c->graph)) {
        run_short(call, &c->step, &c->q);
        c->s = NULL;
        c->graph = NULL;
        c->step = (step_run){0};
        end_call(c);
    } else {
        weir_blocking_submit(run_at_length, c);
    }
}
