/* session/session.c - sessions and their steps. */
#include "session/session.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/env.h"
#include "base/timer.h"
#include "base/word.h"
#include "exec/stats.h"
#include "session/session_impl.h"
#include "wire/pb.h"

enum { DEVICE_MEMORY = 268435456 };

/* ---- making and ending ---------------------------------------------------------------------- */

static void make_devices(weir_session *s, const weir_session_options *o)
{
    s->task = weir_strdup(o && o->task ? o->task : "/job:localhost/replica:0/task:0");
    s->remote = o ? o->remote : NULL;
    s->device_count = o && o->device_count > 0 ? o->device_count : s->config.cpu_devices;
    s->devices = WEIR_NEW_ARRAY(device, s->device_count);
    uint64_t seed = (uint64_t)weir_now_ns();
    for (int i = 0; i < s->device_count; i++) {
        snprintf(s->devices[i].name, sizeof s->devices[i].name, "%s/device:CPU:%d", s->task, i);
        s->devices[i].incarnation =
            o && o->incarnations ? o->incarnations[i] : weir_hash_bytes(&i, sizeof i, seed) | 1;
    }
}

static void make_threads(weir_session *s)
{
    int cpus = weir_env_get()->threads > 0 ? weir_env_get()->threads : weir_cpu_count();
    int intra = s->config.intra_threads > 0 ? s->config.intra_threads : cpus;
    int inter = s->config.inter_threads > 0 ? s->config.inter_threads : cpus;
    if (s->config.per_session_threads)
        s->own_pool = weir_pool_create((intra > inter ? intra : inter) - 1);
    weir_pool *pool = s->own_pool ? s->own_pool : weir_pool_shared();
    s->par = (weir_par){pool, intra < cpus || s->own_pool ? intra : cpus};
    s->runners = s->config.inter_threads < 0 ? 1 : inter < cpus || s->own_pool ? inter : cpus;
}

weir_status weir_session_create(weir_graph *graph, pthread_mutex_t *graph_lock,
                                const weir_session_options *options, weir_session **out_session)
{
    weir_config config;
    WEIR_TRY(weir_config_parse(options ? options->config : (weir_str){0}, &config));
    const char *target = options && options->target ? options->target : "";
    if (*target && strcmp(target, "local") != 0)
        return weir_error(WEIR_NOT_FOUND,
                          "No session factory registered for the given session options: "
                          "{target: \"%s\"}. Sessions run in this process (target \"\").",
                          target);
    weir_session *s = WEIR_NEW(weir_session);
    s->graph = graph;
    s->graph_lock = graph_lock;
    s->config = config;
    make_devices(s, options);
    make_threads(s);
    s->resources = options && options->resources
                       ? weir_resources_retain(options->resources)
                       : weir_resources_create("localhost", s->devices[0].name);
    s->own = options && options->own ? weir_resources_retain(options->own)
                                     : weir_resources_create("", s->devices[0].name);
    s->collectives = options ? options->collectives : NULL;
    if (s->collectives)
        weir_ref_retain(&s->collectives->ref);
    else
        s->collectives = weir_collectives_create();
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->idle, NULL);
    static atomic_llong sessions;
    s->id = atomic_fetch_add(&sessions, 1) + 1;
    s->library = weir_graph_create(graph->registry);
    s->cancel = weir_cancel_create(NULL);
    s->next_step_id = 1;
    *out_session = s;
    return WEIR_OK;
}

weir_status weir_session_close(weir_session *s)
{
    pthread_mutex_lock(&s->lock);
    bool first = !s->closed;
    s->closed = true;
    pthread_mutex_unlock(&s->lock);
    if (first)
        weir_cancel_fire(s->cancel, weir_error(WEIR_CANCELLED, "Session has been closed."));
    pthread_mutex_lock(&s->lock);
    while (s->steps)
        pthread_cond_wait(&s->idle, &s->lock);
    pthread_mutex_unlock(&s->lock);
    return WEIR_OK;
}

bool weir_session_is_closed(weir_session *s)
{
    pthread_mutex_lock(&s->lock);
    bool closed = s->closed;
    pthread_mutex_unlock(&s->lock);
    return closed;
}

void weir_session_destroy(weir_session *s)
{
    if (!s)
        return;
    weir_status_free(weir_session_close(s));
    weir_session_free_partial_runs(s);
    for (size_t i = 0; i < s->plan_list.count; i++)
        weir_prepared_free(s->plan_list.at[i]);
    weir_vec_fini(&s->plan_list);
    weir_map_fini(&s->plans);
    weir_session_free_functions(s);
    weir_session_free_libraries(s);
    weir_graph_destroy(s->library);
    weir_resources_release(s->own);
    weir_ref_release(&s->collectives->ref);
    weir_resources_release(s->resources);
    weir_cancel_release(s->cancel);
    weir_pool_destroy(s->own_pool);
    weir_free(s->devices);
    weir_free(s->task);
    pthread_cond_destroy(&s->idle);
    pthread_mutex_destroy(&s->lock);
    weir_free(s);
}

int weir_session_device_count(const weir_session *s)
{
    return s->device_count + (s->remote ? s->remote->device_count : 0);
}

weir_device_info weir_session_device(const weir_session *s, int i)
{
    if (i >= s->device_count)
        return s->remote->devices[i - s->device_count];
    return (weir_device_info){s->devices[i].name, "CPU", DEVICE_MEMORY, s->devices[i].incarnation};
}

void weir_session_reset(weir_session *s, const weir_str *containers, size_t count)
{
    weir_resources_clear(s->resources, containers, count);
}

/* ---- steps ---------------------------------------------------------------------------------- */

static void time_is_up(void *arg)
{
    weir_cancel_fire(arg, weir_error(WEIR_DEADLINE_EXCEEDED, "Timed out waiting for notification"));
}

weir_status weir_session_begin(weir_session *s, weir_str run_options, step_context *c)
{
    *c = (step_context){0};
    WEIR_TRY(weir_run_options_parse(run_options, &c->options));
    pthread_mutex_lock(&s->lock);
    bool closed = s->closed;
    if (!closed)
        s->steps++;
    int64_t id = s->next_step_id++;
    pthread_mutex_unlock(&s->lock);
    if (closed)
        return weir_error(WEIR_CANCELLED, "Session has been closed.");
    c->run = (weir_run){.step_id = id,
                        .resources = s->resources,
                        .collectives = s->collectives,
                        .par = s->par,
                        .runner = &weir_session_runner,
                        .runner_arg = s};
    c->run.cancel = weir_cancel_create(s->cancel);
    c->run.step_resources = weir_resources_create("__per_step", s->devices[0].name);
    c->timeout_ms = c->options.timeout_ms > 0 ? c->options.timeout_ms : s->config.timeout_ms;
    if (c->timeout_ms > 0)
        c->timer =
            weir_timer_add(weir_now_ns() + c->timeout_ms * 1000000, time_is_up, c->run.cancel);
    return WEIR_OK;
}

void weir_session_end(weir_session *s, step_context *c)
{
    if (c->timer)
        weir_timer_remove(c->timer);
    weir_collector_destroy(c->run.collector);
    weir_rendezvous_release(c->run.rendezvous);
    weir_resources_release(c->run.step_resources);
    weir_cancel_release(c->run.cancel);
    pthread_mutex_lock(&s->lock);
    if (--s->steps == 0)
        pthread_cond_broadcast(&s->idle);
    pthread_mutex_unlock(&s->lock);
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
static bool counts_costs(const weir_session *s, prepared *p)
{
    int64_t every = s->config.cost_every;
    if (every <= 0)
        return false;
    int64_t step = atomic_fetch_add(&p->steps, 1) + 1 - s->config.cost_after;
    return step % every == 0;
}

static void write_metadata(weir_session *s, const prepared *p, const step_context *c, bool costs,
                           weir_buf *out)
{
    if (costs) {
        size_t mark = weir_pb_begin(out, 2);
        weir_cost_export(weir_plan_graph(p->plan), c->run.collector, out);
        weir_pb_end(out, mark);
    }
    if (c->run.collector && c->options.trace_level > 0) {
        size_t mark = weir_pb_begin(out, 1);
        weir_collector_export(c->run.collector, s->devices[0].name, out);
        weir_pb_end(out, mark);
    }
    for (int i = 0; c->options.partition_graphs && i < s->device_count; i++) {
        weir_buf part = {0};
        if (weir_graph_export_device(weir_plan_graph(p->plan), s->devices[i].name, &part))
            weir_pb_put_bytes(out, 3, part.at, part.length);
        weir_buf_fini(&part);
    }
}

void weir_session_start_remote(const prepared *p, step_context *c, bool wants_metadata)
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

void weir_session_finish_remote(step_context *c, weir_status own, weir_buf *run_metadata,
                                void (*done)(void *arg, weir_status s), void *arg)
{
    if (c->remote_step)
        c->remote->finish(c->remote_step, own, run_metadata, done, arg);
    else
        done(arg, own);
}

/* ---- one step ------------------------------------------------------------------------------- */

/* A step while it runs. */
typedef struct session_step {
    weir_session *s;
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
    WEIR_TRY(weir_session_begin(t->s, q->run_options, &t->c));
    weir_status s = number_step(t->p, &t->c);
    if (s) {
        weir_session_end(t->s, &t->c);
        return s;
    }
    t->costs = q->run_metadata && counts_costs(t->s, t->p);
    if (t->costs || (q->run_metadata && t->c.options.trace_level > 0))
        t->c.run.collector = weir_collector_create();
    if (t->waits)
        t->p->remote->cork();
    weir_session_start_remote(t->p, &t->c, q->run_metadata != NULL);
    weir_follow_begin(&t->follow, q->cancel, t->c.run.cancel);
    return WEIR_OK;
}

static weir_step_spec spec_of(session_step *t)
{
    return (weir_step_spec){.plan = t->p->plan,
                            .run = &t->c.run,
                            .args = t->q->feed_values,
                            .rets = t->fetched,
                            .max_runners = t->s->runners};
}

/* Every part has ended as |st| says (taken over); gives what the caller is told. */
static weir_status end_step(session_step *t, weir_status st)
{
    const weir_request *q = t->q;
    weir_follow_end(&t->follow);
    if (!st && q->run_metadata)
        write_metadata(t->s, t->p, &t->c, t->costs, q->run_metadata);
    weir_session_end(t->s, &t->c);
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
    weir_session_finish_remote(&t->c, st, t->q->run_metadata, parts_ended, t);
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
    weir_session_finish_remote(&t->c, own, t->q->run_metadata, ended, &e);
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
    bool repeats = brief && t->q->repeat && !t->q->fetch_count && !t->q->run_metadata &&
                   !t->p->graph_key; /* whose next number may have to be waited for */
    t->waits = brief && !repeats;
    WEIR_TRY(begin_step(t));
    return repeats ? run_repeatedly(t) : brief ? run_briefly(t) : run_whole(t);
}

weir_status weir_session_run(weir_session *s, const weir_request *q, weir_tensor *out_fetched)
{
    if (weir_session_is_closed(s))
        return weir_error(WEIR_CANCELLED, "Session has been closed.");
    session_step t = {.s = s, .q = q, .fetched = out_fetched};
    WEIR_TRY(weir_session_prepare(s, q, PLAN_EXACT, &t.p));
    if (!shapes_fit(t.p, q))
        WEIR_TRY(weir_session_prepare(s, q, PLAN_LOOSE, &t.p));
    return run_step(&t);
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

bool weir_session_start(weir_session *s, const weir_request *q, weir_tensor *out_fetched,
                        void (*done)(void *arg, weir_status s), void *arg)
{
    prepared *p = weir_session_find_plan(s, q, PLAN_EXACT);
    if (p && !shapes_fit(p, q))
        p = weir_session_find_plan(s, q, PLAN_LOOSE);
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
