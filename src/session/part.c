/* session/part.c - parts of graphs: from a GraphDef that was placed and cut to a plan.
 *
 * A part is a session without a graph of its own: it has the threads, the functions and the
 * resources that a plan needs. Every part has its own functions, because what a name means is up to
 * the graph that it came with.
 */
#include "session/part.h"

#include "exec/stats.h"
#include "session/session_impl.h"

struct weir_registered {
    weir_ref ref;
    weir_local_session *s;
    weir_graph *none; /* the session's graph: empty */
    weir_mutex lock;
    weir_plan *plan;
};

static void destroy(weir_ref *ref)
{
    weir_registered *p = (weir_registered *)ref;
    weir_plan_release(p->plan);
    weir_session_destroy(p->s ? &p->s->base : NULL);
    weir_graph_destroy(p->none);
    weir_mutex_fini(&p->lock);
    weir_free(p);
}

static const weir_device_info *device_of(const weir_local_session *s, const char *name)
{
    for (int i = 0; i < s->devices.count; i++)
        if (strcmp(s->devices.at[i].name, name) == 0)
            return &s->devices.at[i];
    return NULL;
}

static weir_status check_devices(const weir_local_session *s, const weir_graph *g)
{
    for (size_t i = 0; i < g->nodes.count; i++) {
        const weir_node *n = g->nodes.at[i];
        if (n->removed)
            continue;
        if (!*n->requested_device)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Node %s has no device: a registered graph must be placed",
                              n->site.name);
        if (!device_of(s, n->requested_device))
            return weir_error(WEIR_INVALID_ARGUMENT, "%s unknown device.", n->requested_device);
    }
    return WEIR_OK;
}

static weir_status make_plan(weir_registered *p, weir_str graph_def, bool plain)
{
    weir_graph *g = weir_graph_create(p->none->registry);
    weir_status s = weir_graph_import(g, graph_def, NULL, NULL);
    if (!s)
        s = check_devices(p->s, g);
    if (s) {
        weir_graph_destroy(g);
        return s;
    }
    weir_local_add_library(p->s, g);
    WEIR_TRY(weir_local_make_plan(&(plan_source){.s = p->s, .g = g, .plain = plain}, &p->plan));
    if (weir_plan_arg_count(p->plan) || weir_plan_ret_count(p->plan))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "a registered graph takes its values by _Recv and gives them by _Send, "
                          "not by _Arg and _Retval");
    return WEIR_OK;
}

weir_status weir_registered_create(const weir_registered_options *o, weir_registered **out_graph)
{
    weir_registered *p = WEIR_NEW(weir_registered);
    weir_ref_init(&p->ref, destroy);
    weir_mutex_init(&p->lock);
    p->none = weir_graph_create(weir_catalogue());
    weir_session_options session = {.config = o->config,
                                    .task = o->task,
                                    .device_count = o->device_count,
                                    .resources = o->resources,
                                    .own = o->own,
                                    .collectives = o->collectives};
    weir_session *made;
    weir_status s = weir_session_create(p->none, &p->lock, &session, &made);
    if (!s) {
        p->s = weir_local_of(made);
        p->s->placed = true;
        s = make_plan(p, o->graph_def, false);
        if (weir_local_may_prepare_plainly(p->s, s))
            s = weir_local_prepared_plainly(s, make_plan(p, o->graph_def, true));
    }
    if (s) {
        weir_registered_release(p);
        return s;
    }
    *out_graph = p;
    return WEIR_OK;
}

weir_registered *weir_registered_retain(weir_registered *p)
{
    weir_ref_retain(&p->ref);
    return p;
}

void weir_registered_release(weir_registered *p)
{
    weir_ref_release((weir_ref *)p);
}

static weir_run run_of(weir_local_session *s, const weir_registered_step *q)
{
    return (weir_run){.step_id = q->id,
                      .resources = s->resources,
                      .collectives = s->collectives,
                      .step_resources = weir_resources_create("__per_step", s->devices.at[0].name),
                      .rendezvous = q->rendezvous,
                      .cancel = q->cancel,
                      .par = s->par,
                      .runner = &weir_local_function_runner,
                      .runner_arg = s,
                      .collector = q->metadata ? weir_collector_create() : NULL,
                      .far = true};
}

static void end_run(weir_local_session *s, const weir_registered_step *q, weir_run *run)
{
    if (run->collector) {
        weir_run_metadata *metadata = q->metadata;
        weir_msg_run_metadata *part = WEIR_ARENA_NEW(&metadata->arena, weir_msg_run_metadata);
        part->step_stats =
            weir_collector_stats(run->collector, s->devices.at[0].name, &metadata->arena);
        weir_vec_push(&metadata->parts, part);
    }
    weir_collector_destroy(run->collector);
    weir_resources_release(run->step_resources);
}

weir_status weir_registered_run(weir_registered *p, const weir_registered_step *q)
{
    weir_run run = run_of(p->s, q);
    weir_step_spec spec = {.plan = p->plan, .run = &run, .max_runners = p->s->runners};
    weir_status st = weir_step_run(&spec);
    end_run(p->s, q, &run);
    return st;
}

bool weir_registered_brief(const weir_registered *p)
{
    return weir_plan_brief(p->plan);
}

/* A step that nobody waits for. */
typedef struct started {
    weir_registered *p; /* retained */
    const weir_registered_step *q;
    weir_run run;
    int64_t token; /* of stop */
    void (*done)(void *arg, weir_status s);
    void *arg;
} started;

/* Whoever waits for a value is told; other waits follow the cancellation themselves. */
static void stop(void *arg)
{
    started *t = arg;
    weir_rendezvous *r = t->run.rendezvous;
    r->abort(r, weir_cancel_status(t->run.cancel));
}

static void step_over(void *arg, weir_status s)
{
    started *t = arg;
    if (t->token)
        weir_cancel_remove(t->run.cancel, t->token);
    end_run(t->p->s, t->q, &t->run);
    t->done(t->arg, s);
    weir_registered_release(t->p);
    weir_free(t);
}

void weir_registered_start(weir_registered *p, const weir_registered_step *q,
                           void (*done)(void *arg, weir_status s), void *arg)
{
    started *t = WEIR_NEW(started);
    *t = (started){weir_registered_retain(p), q, run_of(p->s, q), 0, done, arg};
    t->token = weir_cancel_add(q->cancel, stop, t);
    if (!t->token)
        stop(t);
    weir_step_spec spec = {.plan = p->plan, .run = &t->run, .max_runners = p->s->runners};
    weir_step_start(&spec, step_over, t);
}

weir_strs weir_registered_graphs(const weir_registered *p, weir_arena *arena)
{
    return weir_device_graphs(weir_plan_graph(p->plan), &p->s->devices, arena);
}
