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

static void read_options(run_request *q, weir_str options)
{
    enum { COSTS = 1, TIMELINE = 3, PARTITION_GRAPHS = 4 };
    weir_pb r = weir_pb_reader(options);
    while (weir_pb_next(&r)) {
        q->timeline |= (r.field == TIMELINE || r.field == COSTS) && r.value;
        q->partition_graphs |= r.field == PARTITION_GRAPHS && r.value;
    }
}

static void read_text(run_request *q, const weir_pb *r)
{
    if (r->field == 1)
        q->graph = r->bytes;
    else if (r->field == 3)
        weir_vec_push(&q->sends, r->bytes);
    else if (r->field == 4)
        weir_vec_push(&q->recv_keys, r->bytes);
    else if (r->field == 5)
        read_options(q, r->bytes);
    else if (r->field == 8)
        q->session = r->bytes;
}

static void read_number(run_request *q, const weir_pb *r)
{
    if (r->field == 2)
        q->step_id = weir_pb_int(r);
    else if (r->field == 6)
        q->is_partial = r->value != 0;
    else if (r->field == 7)
        q->is_last = r->value != 0;
    else if (r->field == 9)
        q->errors_in_body = r->value != 0;
    else if (r->field == 10)
        q->opened = r->value != 0;
    else if (r->field == 11)
        q->request_id = weir_pb_int(r);
}

static weir_status read_request(weir_str bytes, run_request *q)
{
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.type == WEIR_PB_LEN)
            read_text(q, &r);
        else if (r.type == WEIR_PB_VARINT)
            read_number(q, &r);
    }
    return weir_pb_ok(&r) ? WEIR_OK : weir_worker_unparseable();
}

/* ---- values that come with the call and go with its answer ---------------------------------- */

static weir_status send_one(weir_rendezvous *r, weir_str named)
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
    weir_tensor t;
    WEIR_TRY_NOTE(weir_tensor_parse(proto, &t), " (sent for %.*s)", WEIR_STR_ARG(key));
    return r->send(r, key, t, false);
}

static weir_status send_all(weir_rendezvous *r, const run_request *q)
{
    for (size_t i = 0; i < q->sends.count; i++)
        WEIR_TRY(send_one(r, q->sends.at[i]));
    return WEIR_OK;
}

/* The values of |recv_keys|, as they come. */
typedef struct gather {
    pthread_mutex_t lock;
    pthread_cond_t all;
    size_t pending;     /* under lock */
    weir_status status; /* under lock: the first error */
    struct gathered {
        struct gather *to;
        weir_str key;
        weir_tensor tensor;
    } * at;
    size_t count;
} gather;

static void gathered_one(void *arg, weir_status s, weir_tensor t, bool dead)
{
    struct gathered *one = arg;
    gather *g = one->to;
    if (!s && dead)
        s = weir_error(WEIR_INVALID_ARGUMENT, "The tensor returned for %.*s was not valid.",
                       WEIR_STR_ARG(one->key));
    pthread_mutex_lock(&g->lock);
    one->tensor = t;
    if (!g->status)
        g->status = s;
    else
        weir_status_free(s);
    if (--g->pending == 0)
        pthread_cond_signal(&g->all);
    pthread_mutex_unlock(&g->lock);
}

static void start_gathering(gather *g, weir_rendezvous *r, const run_request *q)
{
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->all, NULL);
    g->pending = g->count = q->recv_keys.count;
    g->at = WEIR_NEW_ARRAY(struct gathered, g->count);
    for (size_t i = 0; i < g->count; i++) {
        g->at[i] = (struct gathered){.to = g, .key = q->recv_keys.at[i]};
        r->recv(r, g->at[i].key, gathered_one, &g->at[i]);
    }
}

static weir_status wait_gathered(gather *g)
{
    pthread_mutex_lock(&g->lock);
    while (g->pending)
        pthread_cond_wait(&g->all, &g->lock);
    weir_status s = g->status;
    g->status = WEIR_OK;
    pthread_mutex_unlock(&g->lock);
    return s;
}

static bool all_gathered(gather *g)
{
    pthread_mutex_lock(&g->lock);
    bool all = g->pending == 0;
    pthread_mutex_unlock(&g->lock);
    return all;
}

static weir_status put_gathered(const gather *g, weir_buf *out)
{
    weir_status s = WEIR_OK;
    for (size_t i = 0; i < g->count && !s; i++) {
        size_t mark = weir_pb_begin(out, 1);
        weir_pb_put_bytes(out, 1, g->at[i].key.at, g->at[i].key.length);
        size_t inner = weir_pb_begin(out, 2);
        s = weir_tensor_encode(&g->at[i].tensor, out);
        weir_pb_end(out, inner);
        weir_pb_end(out, mark);
    }
    return s;
}

static void end_gathering(gather *g)
{
    for (size_t i = 0; i < g->count; i++)
        weir_tensor_release(&g->at[i].tensor);
    weir_status_free(g->status);
    weir_free(g->at);
    pthread_cond_destroy(&g->all);
    pthread_mutex_destroy(&g->lock);
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

static void begin_step(step_run *t, worker_session *s, weir_registered *graph, int64_t id)
{
    weir_steps *steps = s->w->o.steps;
    *t = (step_run){.s = s, .graph = graph, .id = id, .cancel = weir_cancel_create(s->cancel)};
    t->rendezvous = weir_steps_join(steps, id, s->cluster, t->cancel);
    weir_steps_own(steps, id, s);
}

static void value_came(weir_ref *rendezvous, weir_str key, weir_rpc_message *m)
{
    weir_steps_deliver((weir_rendezvous *)rendezvous, key, m);
}

/* A master that can takes and gives its own part's values by the call itself. */
static weir_status link_master(step_run *t, weir_rpc *call)
{
    if (!weir_rpc_is_stream(call))
        return WEIR_OK;
    weir_str name = weir_str_of(t->s->master_task);
    const weir_task *task = t->s->cluster ? weir_cluster_find(t->s->cluster, name) : NULL;
    if (!task)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "the master of session %s, \"%s\", is no task of the cluster",
                          t->s->handle, t->s->master_task);
    weir_steps_link(t->rendezvous, task, NULL, call);
    weir_rpc_on_message(call, value_came, &t->rendezvous->ref);
    return WEIR_OK;
}

/* Tells a master that reads it that nothing is left of the step here, if so. */
static void put_clean(const step_run *t, weir_rpc *call, weir_buf *out)
{
    if (weir_rpc_is_stream(call) && weir_steps_retire(t->rendezvous))
        weir_pb_put_varint(out, RUN_GRAPH_CLEAN, 1);
}

static void end_step(step_run *t)
{
    weir_rendezvous_release(t->rendezvous);
    weir_cancel_release(t->cancel);
    if (weir_cancel_fired(t->s->cancel)) /* who ended the session may have missed this step */
        weir_steps_cleanup(t->s->w->o.steps, t->id);
}

static void put_recorded(const step_run *t, const run_request *q, const weir_buf *stats,
                         weir_buf *out)
{
    if (q->timeline)
        weir_pb_put_bytes(out, 2, stats->at, stats->length);
    weir_pb_put_bytes(out, 3, "", 0); /* an empty cost graph, as TensorFlow's workers answer */
    if (q->partition_graphs)
        weir_registered_export(t->graph, 4, out);
}

/* Runs with the call's values; |g| gets those that the answer wants. */
static weir_status run_with(step_run *t, const run_request *q, gather *g, weir_buf *out)
{
    weir_status s = send_all(t->rendezvous, q);
    weir_buf stats = {0};
    weir_registered_step step = {.id = t->id,
                                 .rendezvous = t->rendezvous,
                                 .cancel = t->cancel,
                                 .stats = q->timeline ? &stats : NULL};
    if (!s)
        s = weir_registered_run(t->graph, &step);
    if (!s && !all_gathered(g))
        s = weir_error(WEIR_INVALID_ARGUMENT, "the graph sends nothing under some of its %zu keys",
                       q->recv_keys.count);
    if (s)
        t->rendezvous->abort(t->rendezvous, weir_status_copy(s));
    weir_status got = wait_gathered(g);
    if (!s)
        s = got;
    else
        weir_status_free(got);
    if (!s)
        s = put_gathered(g, out);
    if (!s)
        put_recorded(t, q, &stats, out);
    weir_buf_fini(&stats);
    return s;
}

static weir_status run_whole(step_run *t, const run_request *q, weir_rpc *call, weir_buf *out)
{
    gather g = {0};
    weir_following f;
    weir_follow_begin(&f, weir_rpc_cancel(call), t->cancel);
    start_gathering(&g, t->rendezvous, q);
    weir_status st = run_with(t, q, &g, out);
    weir_follow_end(&f);
    end_gathering(&g);
    if (!st)
        put_clean(t, call, out);
    return st;
}

/* ---- partial runs --------------------------------------------------------------------------- */

/* A step that several calls feed and read. Shared: the session's map, the thread that runs it,
 * calls in progress. */
typedef struct partial_run {
    weir_ref ref;
    step_run step; /* session and graph are retained */
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool ended;         /* under lock */
    weir_status status; /* under lock */
} partial_run;

static void destroy_partial(weir_ref *ref)
{
    partial_run *p = (partial_run *)ref;
    weir_status_free(p->status);
    weir_registered_release(p->step.graph);
    weir_rendezvous_release(p->step.rendezvous);
    weir_cancel_release(p->step.cancel);
    pthread_cond_destroy(&p->over);
    pthread_mutex_destroy(&p->lock);
    weir_free(p);
}

static void run_partial(void *arg)
{
    partial_run *p = arg;
    worker_session *s = p->step.s;
    weir_registered_step step = {
        .id = p->step.id, .rendezvous = p->step.rendezvous, .cancel = p->step.cancel};
    weir_status st = weir_registered_run(p->step.graph, &step);
    if (weir_cancel_fired(s->cancel))
        weir_steps_cleanup(s->w->o.steps, p->step.id);
    pthread_mutex_lock(&p->lock);
    p->ended = true;
    p->status = st;
    pthread_cond_broadcast(&p->over);
    pthread_mutex_unlock(&p->lock);
    weir_ref_release(&p->ref);
    weir_ref_release(&s->ref);
}

static weir_str step_key(const int64_t *id)
{
    return (weir_str){(const char *)id, sizeof *id};
}

/* The partial run of a step, started by its first call. Retained for the caller. */
static partial_run *find_partial(worker_session *s, weir_registered *graph, int64_t id)
{
    pthread_mutex_lock(&s->lock);
    partial_run *p = weir_map_get(&s->partial, step_key(&id));
    bool fresh = !p;
    if (fresh) {
        p = WEIR_NEW(partial_run);
        weir_ref_init(&p->ref, destroy_partial); /* the map's */
        pthread_mutex_init(&p->lock, NULL);
        pthread_cond_init(&p->over, NULL);
        begin_step(&p->step, s, weir_registered_retain(graph), id);
        weir_map_put(&s->partial, step_key(&id), p);
    }
    weir_ref_retain(&p->ref);
    pthread_mutex_unlock(&s->lock);
    if (fresh) {
        weir_ref_retain(&p->ref); /* the thread's, ... */
        weir_ref_retain(&s->ref); /* ... with the session */
        weir_blocking_submit(run_partial, p);
    }
    return p;
}

void weir_worker_free_partial(worker_session *s)
{
    size_t at = 0;
    void *p;
    while (weir_map_next(&s->partial, &at, NULL, &p))
        weir_ref_release(p);
    weir_map_fini(&s->partial);
}

/* The last call of a partial run has the whole step's status. */
static weir_status finish_partial(partial_run *p)
{
    worker_session *s = p->step.s;
    pthread_mutex_lock(&p->lock);
    while (!p->ended)
        pthread_cond_wait(&p->over, &p->lock);
    weir_status st = weir_status_copy(p->status);
    pthread_mutex_unlock(&p->lock);
    pthread_mutex_lock(&s->lock);
    partial_run *kept = weir_map_get(&s->partial, step_key(&p->step.id));
    if (kept == p)
        weir_map_remove(&s->partial, step_key(&p->step.id));
    pthread_mutex_unlock(&s->lock);
    if (kept == p)
        weir_ref_release(&p->ref);
    return st;
}

static weir_status run_partially(worker_session *s, weir_registered *graph, const run_request *q,
                                 weir_cancel *cancel, weir_buf *out)
{
    partial_run *p = find_partial(s, graph, q->step_id);
    weir_following f;
    weir_follow_begin(&f, cancel, p->step.cancel);
    gather g = {0};
    start_gathering(&g, p->step.rendezvous, q);
    weir_status st = send_all(p->step.rendezvous, q);
    if (st)
        weir_cancel_fire(p->step.cancel, weir_status_copy(st)); /* who waits for the value, too */
    weir_status got = wait_gathered(&g);
    if (!st)
        st = got;
    else
        weir_status_free(got);
    if (!st)
        st = put_gathered(&g, out);
    if (!st && q->is_last)
        st = finish_partial(p);
    weir_follow_end(&f);
    end_gathering(&g);
    weir_ref_release(&p->ref);
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

static void answer(weir_rpc *call, weir_status s, bool errors_in_body, weir_buf *out)
{
    if (s && (!errors_in_body || weir_status_is(s, WEIR_PEER_RESTARTED))) {
        weir_buf_fini(out);
        weir_rpc_fail(call, s);
        return;
    }
    if (s) {
        out->length = 0;
        weir_pb_put_varint(out, 5, weir_status_code(s));
        weir_pb_put_str(out, 6, weir_status_message(s));
        weir_status_free(s);
    }
    weir_rpc_reply(call, out);
}

static void short_over(void *arg, weir_status s)
{
    short_run *b = arg;
    weir_buf out = {0};
    if (!s) {
        weir_pb_put_bytes(&out, 3, "", 0);
        put_clean(&b->step, b->call, &out);
    }
    weir_follow_end(&b->follow);
    end_step(&b->step);
    weir_registered_release(b->step.graph);
    weir_ref_release(&b->step.s->ref);
    answer(b->call, s, b->errors_in_body, &out);
    weir_free(b);
}

/* Takes over the step, with the references to its session and graph. */
static void run_short(weir_rpc *call, const step_run *step, const run_request *q)
{
    short_run *b = WEIR_NEW(short_run);
    b->call = call;
    b->errors_in_body = q->errors_in_body;
    b->step = *step;
    b->how = (weir_registered_step){
        .id = q->step_id, .rendezvous = b->step.rendezvous, .cancel = b->step.cancel};
    weir_follow_begin(&b->follow, weir_rpc_cancel(call), b->step.cancel);
    weir_registered_start(b->step.graph, &b->how, short_over, b);
}

static bool is_plain(const run_request *q)
{
    return !q->is_partial && !q->timeline && !q->partition_graphs && !q->sends.count &&
           !q->recv_keys.count;
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

static weir_status find(weir_worker *w, run_call *c)
{
    WEIR_TRY(read_request(weir_rpc_request(c->call), &c->q));
    WEIR_TRY(weir_worker_check_new(w, c->q.request_id, "RunGraph (Worker)"));
    WEIR_TRY(weir_worker_find_session(w, c->q.session, c->q.opened, &c->s));
    WEIR_TRY(weir_worker_find_graph(c->s, c->q.graph, &c->graph));
    if (c->q.is_partial)
        return WEIR_OK;
    begin_step(&c->step, c->s, c->graph, c->q.step_id);
    return link_master(&c->step, c->call);
}

static void end_call(run_call *c)
{
    if (c->step.rendezvous)
        end_step(&c->step);
    weir_vec_fini(&c->q.sends);
    weir_vec_fini(&c->q.recv_keys);
    weir_registered_release(c->graph);
    weir_ref_release((weir_ref *)c->s);
    weir_free(c);
}

/* On a thread that may wait. */
static void run_at_length(void *arg)
{
    run_call *c = arg;
    weir_rpc *call = c->call;
    weir_buf out = {0};
    weir_status s = c->q.is_partial
                        ? run_partially(c->s, c->graph, &c->q, weir_rpc_cancel(call), &out)
                        : run_whole(&c->step, &c->q, call, &out);
    bool errors_in_body = c->q.errors_in_body;
    end_call(c);
    answer(call, s, errors_in_body, &out);
}

void weir_worker_run_graph(weir_rpc *call, void *ctx)
{
    run_call *c = WEIR_NEW(run_call);
    c->call = call;
    c->q = (run_request){.session = {"", 0}, .graph = {"", 0}};
    weir_status s = find(weir_worker_of_server(ctx), c);
    if (s) {
        weir_buf none = {0};
        bool errors_in_body = c->q.errors_in_body;
        end_call(c);
        answer(call, s, errors_in_body, &none);
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
