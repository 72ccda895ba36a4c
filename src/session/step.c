/* session/step.c - the steps of a session of this process: contexts, time limits, metadata. */
#include "base/clock.h"
#include "base/timer.h"
#include "base/word.h"
#include "exec/stats.h"
#include "session/session_impl.h"

/* ---- steps ---------------------------------------------------------------------------------- */

static void time_is_up(void *arg)
{
    weir_cancel_fire(arg, weir_error(WEIR_DEADLINE_EXCEEDED, "Timed out waiting for notification"));
}

weir_status weir_step_context_begin(weir_local_session *s, const weir_run_options *options,
                                    step_context *c)
{
    *c = (step_context){0};
    if (options)
        c->options = *options;
    c->options.message = NULL;
    weir_mutex_lock(&s->lock);
    bool closed = s->closed;
    if (!closed)
        s->steps++;
    int64_t id = s->next_step_id++;
    weir_mutex_unlock(&s->lock);
    if (closed)
        return weir_error(WEIR_CANCELLED, "Session has been closed.");
    c->run = (weir_run){.step_id = id,
                        .resources = s->resources,
                        .collectives = s->collectives,
                        .par = s->par,
                        .runner = &weir_local_function_runner,
                        .runner_arg = s};
    c->run.cancel = weir_cancel_create(s->cancel);
    c->run.step_resources = weir_resources_create("__per_step", s->devices.at[0].name);
    c->timeout_ms = c->options.timeout_ms > 0 ? c->options.timeout_ms : s->config.timeout_ms;
    if (c->timeout_ms > 0)
        c->timer =
            weir_timer_add(weir_now_ns() + c->timeout_ms * 1000000, time_is_up, c->run.cancel);
    return WEIR_OK;
}

void weir_step_context_end(weir_local_session *s, step_context *c)
{
    if (c->timer)
        weir_timer_remove(c->timer);
    weir_collector_destroy(c->run.collector);
    weir_rendezvous_release(c->run.rendezvous);
    weir_resources_release(c->run.step_resources);
    weir_cancel_release(c->run.cancel);
    weir_mutex_lock(&s->lock);
    if (--s->steps == 0)
        weir_cond_broadcast(&s->idle);
    weir_mutex_unlock(&s->lock);
}

static weir_status check_feeds(const prepared *p, const weir_request *q)
{
    for (int i = 0; i < q->feed_count; i++) {
        const weir_tensor *t = &q->feed_values[i];
        if (t->dtype != p->feed_types[i])
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "The value fed for tensor '%s' has type %s, but the tensor has type %s",
                p->feed_names[i], weir_dtype_name(t->dtype), weir_dtype_name(p->feed_types[i]));
    }
    return WEIR_OK;
}

/* True when every fed value has the shape that the plan expects. */
static bool shapes_fit(const prepared *p, const weir_request *q)
{
    for (int i = 0; i < q->feed_count; i++)
        if (!weir_shape_compatible(&q->feed_values[i].shape, &p->feed_shapes[i]))
            return false;
    return true;
}

static weir_status check_fetched(const prepared *p, weir_tensor *fetched)
{
    int dead = -1;
    for (int i = 0; i < p->fetch_count; i++)
        if (!fetched[i].buffer)
            dead = i;
    if (dead < 0)
        return WEIR_OK;
    for (int i = 0; i < p->fetch_count; i++)
        weir_tensor_release(&fetched[i]);
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Retval[%d] does not have value: '%s' was not computed in "
                      "this step (it is on a branch that was not taken)",
                      dead, p->fetch_names[dead]);
}

/* True for the steps whose costs are told: every so many of one plan. */
static bool counts_costs(const weir_local_session *s, prepared *p)
{
    int64_t every = s->config.cost_every;
    if (every <= 0)
        return false;
    int64_t step = atomic_fetch_add(&p->steps, 1) + 1 - s->config.cost_after;
    return step % every == 0;
}

static void add_metadata(weir_local_session *s, const prepared *p, const step_context *c,
                         bool costs, weir_run_metadata *out)
{
    bool traced = c->run.collector && c->options.trace_level > 0;
    if (!costs && !traced && !c->options.partition_graphs)
        return;
    weir_msg_run_metadata *part = WEIR_ARENA_NEW(&out->arena, weir_msg_run_metadata);
    const weir_graph *graph = weir_plan_graph(p->plan);
    if (costs)
        part->cost_graph = weir_cost_graph(graph, c->run.collector, &out->arena);
    if (traced)
        part->step_stats =
            weir_collector_stats(c->run.collector, s->devices.at[0].name, &out->arena);
    if (c->options.partition_graphs)
        part->partition_graphs = weir_device_graphs(graph, &s->devices, &out->arena);
    weir_vec_push(&out->parts, part);
}

void weir_step_context_start_remote(const prepared *p, step_context *c, bool wants_metadata)
{
    if (!p->registered) {
        c->run.rendezvous = weir_rendezvous_create();
        return;
    }
    weir_remote_ask ask = {.stats = wants_metadata && c->options.trace_level > 0,
                           .partition_graphs = wants_metadata && c->options.partition_graphs,
                           .step_id = c->graph_key ? c->run.step_id : 0,
                           .graph_key = c->graph_key};
    c->remote = p->remote;
    c->run.far = true;
    c->remote_step = p->remote->start(p->registered, &c->run, ask);
}

void weir_step_context_finish_remote(step_context *c, weir_status own, weir_run_metadata *metadata,
                                     void (*done)(void *arg, weir_status s), void *arg)
{
    if (c->remote_step)
        c->remote->finish(c->remote_step, own, metadata, done, arg);
    else
        done(arg, own);
}

/* ---- one step ------------------------------------------------------------------------------- */

/* A step while it runs. */
typedef struct session_step {
    weir_local_session *s;
    const weir_request *q;
    prepared *p;
    weir_tensor *fetched;
    step_context c;
    weir_following follow;
    bool waits;    /* the caller, for a brief step */
    bool costs;    /* are told */
    int64_t token; /* of stop_brief */
    void (*done)(void *arg, weir_status s);
    void *arg;
} session_step;

/* Steps with collective ops have one id for all masters. */
static weir_status number_step(const prepared *p, step_context *c)
{
    if (!p->graph_key || !p->registered)
        return WEIR_OK;
    c->graph_key = c->options.graph_key ? c->options.graph_key : p->graph_key;
    return p->remote->next_step(p->remote, c->graph_key, c->run.cancel, &c->run.step_id);
}

static weir_status begin_step(session_step *t)
{
    const weir_request *q = t->q;
    for (int i = 0; i < q->fetch_count; i++)
        t->fetched[i] = (weir_tensor){0};
    WEIR_TRY(check_feeds(t->p, q));
    WEIR_TRY(weir_step_context_begin(t->s, q->options, &t->c));
    weir_status s = number_step(t->p, &t->c);
    if (s) {
        weir_step_context_end(t->s, &t->c);
        return s;
    }
    t->costs = q->metadata && counts_costs(t->s, t->p);
    if (t->costs || (q->metadata && t->c.options.trace_level > 0))
        t->c.run.collector = weir_collector_create();
    if (t->waits)
        t->p->remote->cork();
    weir_step_context_start_remote(t->p, &t->c, q->metadata != NULL);
    weir_follow_begin(&t->follow, q->cancel, t->c.run.cancel);
    return WEIR_OK;
}

static weir_step_spec spec_of(session_step *t)
{
    return (weir_step_spec){.plan = t->p->plan,
                            .run = &t->c.run,
                            .args = t->q->feed_values,
                            .rets = t->fetched,
                            .max_runners = t->c.options.inter_op_pool < 0 ? 1 : t->s->runners};
}

/* Every part has ended as |st| says (taken over); gives what the caller is told. */
static weir_status end_step(session_step *t, weir_status st)
{
    const weir_request *q = t->q;
    weir_follow_end(&t->follow);
    if (!st && q->metadata)
        add_metadata(t->s, t->p, &t->c, t->costs, q->metadata);
    weir_step_context_end(t->s, &t->c);
    for (int i = 0; st && i < q->fetch_count; i++)
        weir_tensor_release(&t->fetched[i]);
    WEIR_TRY(st);
    return check_fetched(t->p, t->fetched);
}

/* ---- brief steps: whoever brings a value runs what it sets off ------------------------------ */

static void parts_ended(void *arg, weir_status st)
{
    session_step *t = arg;
    if (t->token)
        weir_cancel_remove(t->c.run.cancel, t->token);
    t->done(t->arg, end_step(t, st));
}

static void own_part_ended(void *arg, weir_status st)
{
    session_step *t = arg;
    weir_step_context_finish_remote(&t->c, st, t->q->metadata, parts_ended, t);
}

/* Whoever waits for a value is told; other waits follow the cancellation themselves. */
static void stop_brief(void *arg)
{
    weir_run *run = &((session_step *)arg)->c.run;
    run->rendezvous->abort(run->rendezvous, weir_cancel_status(run->cancel));
}

static void start_brief(session_step *t)
{
    t->token = weir_cancel_add(t->c.run.cancel, stop_brief, t);
    if (!t->token)
        stop_brief(t);
    weir_step_spec spec = spec_of(t);
    weir_step_start(&spec, own_part_ended, t);
}

/* ---- steps that the caller waits for -------------------------------------------------------- */

typedef struct ending {
    atomic_int over;
    weir_status status; /* written before |over| */
} ending;

static void ended(void *arg, weir_status s)
{
    ending *e = arg;
    e->status = s;
    atomic_store(&e->over, 1);
    weir_word_wake(&e->over);
}

/* The caller's thread runs the own part, and waits for the others. */
static weir_status run_whole(session_step *t)
{
    weir_step_spec spec = spec_of(t);
    ending e = {0};
    weir_status own = weir_step_run(&spec);
    if (!t->c.remote_step)
        return end_step(t, own);
    weir_step_context_finish_remote(&t->c, own, t->q->metadata, ended, &e);
    t->p->remote->wait(t->p->registered, &e.over);
    return end_step(t, e.status);
}

static weir_status run_briefly(session_step *t)
{
    ending e = {0};
    t->done = ended;
    t->arg = &e;
    start_brief(t);
    t->p->remote->wait(t->p->registered, &e.over);
    return e.status;
}

/* ---- steps that are run until one fails ----------------------------------------------------- */

typedef struct repeated {
    session_step *step;
    ending ending;
} repeated;

/* A run has ended: the next one begins on the thread that saw it. */
static void run_again(void *arg, weir_status s)
{
    repeated *r = arg;
    bool goes_on = !s && weir_plan_brief(r->step->p->plan);
    if (goes_on)
        s = begin_step(r->step);
    if (goes_on && !s)
        start_brief(r->step);
    else
        ended(&r->ending, s);
}

/* Returns when a run fails, or turns out not to be brief. Nobody is to wait for this thread, which
 * sleeps meanwhile: it does not help. */
static weir_status run_repeatedly(session_step *t)
{
    repeated r = {.step = t};
    t->done = run_again;
    t->arg = &r;
    start_brief(t);
    weir_word_wait(&r.ending.over, 0);
    return r.ending.status;
}

static weir_status run_step(session_step *t)
{
    bool brief = t->p->registered && weir_plan_brief(t->p->plan);
    bool repeats = brief && t->q->repeat && !t->q->fetch_count && !t->q->metadata &&
                   !t->p->graph_key; /* whose next number may have to be waited for */
    t->waits = brief && !repeats;
    WEIR_TRY(begin_step(t));
    return repeats ? run_repeatedly(t) : brief ? run_briefly(t) : run_whole(t);
}

static weir_status closed(void)
{
    return weir_error(WEIR_CANCELLED, "Session has been closed.");
}

weir_status weir_local_run(weir_session *session, const weir_request *q, weir_tensor *out_fetched)
{
    if (weir_session_is_closed(session))
        return closed();
    weir_local_session *s = weir_local_of(session);
    session_step t = {.s = s, .q = q, .fetched = out_fetched};
    WEIR_TRY(weir_local_prepare(s, q, PLAN_EXACT, &t.p));
    if (!shapes_fit(t.p, q))
        WEIR_TRY(weir_local_prepare(s, q, PLAN_LOOSE, &t.p));
    return run_step(&t);
}

/* ---- steps that were described before ------------------------------------------------------- */

typedef struct local_callable {
    weir_callable base;
    weir_request request;     /* with arrays of its own */
    weir_run_options options; /* the request's */
    prepared *exact;
    _Atomic(prepared *) loose; /* for other shapes than the graph has; null until needed */
} local_callable;

static void *copy_of(const void *array, int count, size_t bytes)
{
    void *copy = weir_alloc(bytes * (size_t)count);
    if (count)
        memcpy(copy, array, bytes * (size_t)count);
    return copy;
}

static void copy_request(const weir_request *q, local_callable *c)
{
    if (q->options)
        c->options = *q->options;
    c->options.message = NULL;
    c->request = (weir_request){
        .feeds = copy_of(q->feeds, q->feed_count, sizeof *q->feeds),
        .feed_count = q->feed_count,
        .fetches = copy_of(q->fetches, q->fetch_count, sizeof *q->fetches),
        .fetch_count = q->fetch_count,
        .targets = copy_of(q->targets, q->target_count, sizeof *q->targets),
        .target_count = q->target_count,
        .options = &c->options,
        .repeat = q->repeat,
    };
}

weir_status weir_local_make_callable(weir_session *session, const weir_request *request,
                                     weir_callable **out_callable)
{
    prepared *exact;
    if (weir_session_is_closed(session))
        return closed();
    WEIR_TRY(weir_local_prepare(weir_local_of(session), request, PLAN_EXACT, &exact));
    local_callable *c = WEIR_NEW(local_callable);
    c->base.session = session;
    c->exact = exact;
    copy_request(request, c);
    *out_callable = &c->base;
    return WEIR_OK;
}

static weir_status pick_plan(local_callable *c, const weir_request *q, prepared **out_prepared)
{
    prepared *p = shapes_fit(c->exact, q) ? c->exact : atomic_load(&c->loose);
    if (!p) {
        WEIR_TRY(weir_local_prepare(weir_local_of(c->base.session), q, PLAN_LOOSE, &p));
        atomic_store(&c->loose, p);
    }
    *out_prepared = p;
    return WEIR_OK;
}

weir_status weir_local_run_callable(weir_callable *callable, const weir_request *call,
                                    weir_tensor *out_fetched)
{
    local_callable *c = (local_callable *)callable;
    if (call->feed_count != c->request.feed_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected %d feeds, but got %d",
                          c->request.feed_count, call->feed_count);
    if (weir_session_is_closed(callable->session))
        return closed();
    weir_request q = c->request;
    q.feed_values = call->feed_values;
    if (call->options)
        q.options = call->options;
    q.metadata = call->metadata;
    q.cancel = call->cancel;
    session_step t = {.s = weir_local_of(callable->session), .q = &q, .fetched = out_fetched};
    WEIR_TRY(pick_plan(c, &q, &t.p));
    return run_step(&t);
}

weir_status weir_local_release_callable(weir_callable *callable)
{
    local_callable *c = (local_callable *)callable;
    weir_free((weir_edge *)c->request.feeds);
    weir_free((weir_edge *)c->request.fetches);
    weir_free((weir_node **)c->request.targets);
    weir_free(c);
    return WEIR_OK;
}

/* ---- steps that nobody waits for ------------------------------------------------------------ */

typedef struct started {
    session_step step;
    void (*done)(void *arg, weir_status s);
    void *arg;
} started;

static void started_ended(void *arg, weir_status s)
{
    started *t = arg;
    void (*done)(void *, weir_status) = t->done;
    void *done_arg = t->arg;
    weir_free(t);
    done(done_arg, s);
}

bool weir_session_start_step(weir_session *session, const weir_request *q, weir_tensor *out_fetched,
                             void (*done)(void *arg, weir_status s), void *arg)
{
    weir_local_session *s = weir_local_of(session);
    prepared *p = weir_local_find_plan(s, q, PLAN_EXACT);
    if (p && !shapes_fit(p, q))
        p = weir_local_find_plan(s, q, PLAN_LOOSE);
    if (!p || p->graph_key || !weir_plan_brief(p->plan))
        return false;
    started *t = WEIR_NEW(started);
    t->step = (session_step){
        .s = s, .q = q, .p = p, .fetched = out_fetched, .done = started_ended, .arg = t};
    t->done = done;
    t->arg = arg;
    weir_status st = begin_step(&t->step);
    if (st)
        started_ended(t, st);
    else
        start_brief(&t->step);
    return true;
}
