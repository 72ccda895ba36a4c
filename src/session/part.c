/* session/part.c - graph partitions: from a placed and partitioned GraphDef to a plan.
 *
 * A partition is a session without a graph of its own: it has the threads, the functions and the
 * resources that a plan needs. Every partition has its own functions, because their names are
 * defined by the graph that it came with.
 */
#include "session/part.h"

#include "exec/stats.h"
#include "session/session_impl.h"
#include "wire/messages.h"

struct weir_registered {
    weir_ref ref;
    weir_local_session *s;
    weir_graph *none; /* the session's empty graph */
    weir_mutex lock;
    weir_plan *plan;
};

static void destroy(weir_ref *ref)
{
    weir_registered *registered = (weir_registered *)ref;
    weir_plan_release(registered->plan);
    weir_session_destroy(registered->s ? &registered->s->base : NULL);
    weir_graph_destroy(registered->none);
    weir_mutex_fini(&registered->lock);
    weir_free(registered);
}

static const weir_device_info *device_of(const weir_local_session *session, const char *name)
{
    for (int i = 0; i < session->devices.count; i++)
        if (strcmp(session->devices.at[i].name, name) == 0)
            return &session->devices.at[i];
    return NULL;
}

static weir_status check_devices(const weir_local_session *session, const weir_graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const weir_node *node = graph->nodes.at[i];
        if (node->removed)
            continue;
        if (!*node->requested_device)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Node %s has no device: a registered graph must be placed",
                              node->site.name);
        if (!device_of(session, node->requested_device))
            return weir_error(WEIR_INVALID_ARGUMENT, "%s unknown device.", node->requested_device);
    }
    return WEIR_OK;
}

static weir_status make_plan(weir_registered *registered, weir_str graph_def, bool plain)
{
    weir_graph *graph = weir_graph_create(registered->none->registry);
    weir_status status = weir_graph_import(graph, graph_def, NULL, NULL);
    if (!status)
        status = check_devices(registered->s, graph);
    if (status) {
        weir_graph_destroy(graph);
        return status;
    }
    weir_local_add_library(registered->s, graph);
    WEIR_TRY(weir_local_make_plan(&(plan_source){.s = registered->s, .g = graph, .plain = plain},
                                  &registered->plan));
    if (!weir_plan_arg_count(registered->plan) && !weir_plan_ret_count(registered->plan))
        return WEIR_OK;
    weir_plan_release(registered->plan);
    registered->plan = NULL;
    return weir_error(
        WEIR_INVALID_ARGUMENT,
        "a registered graph takes its values by _Recv and gives them by _Send, not by "
        "_Arg and _Retval");
}

weir_status weir_registered_create(const weir_registered_options *options,
                                   weir_registered **out_graph)
{
    weir_registered *registered = WEIR_NEW(weir_registered);
    weir_ref_init(&registered->ref, destroy);
    weir_mutex_init(&registered->lock);
    registered->none = weir_graph_create(weir_catalogue());
    weir_session_options session = {.config = options->config,
                                    .task = options->task,
                                    .devices = options->devices,
                                    .resources = options->resources,
                                    .own = options->own,
                                    .calls = options->calls,
                                    .collectives = options->collectives};
    weir_session *made;
    weir_status status = weir_session_create(registered->none, &registered->lock, &session, &made);
    if (!status) {
        registered->s = weir_local_of(made);
        registered->s->placed = true;
        status = make_plan(registered, options->graph_def, false);
        if (weir_local_may_prepare_plainly(registered->s, status))
            status = weir_local_prepared_plainly(status,
                                                 make_plan(registered, options->graph_def, true));
    }
    if (status) {
        weir_registered_release(registered);
        return status;
    }
    *out_graph = registered;
    return WEIR_OK;
}

weir_registered *weir_registered_retain(weir_registered *registered)
{
    weir_ref_retain(&registered->ref);
    return registered;
}

void weir_registered_release(weir_registered *registered)
{
    weir_ref_release((weir_ref *)registered);
}

static weir_run run_of(weir_local_session *session, const weir_registered_step *step)
{
    return (weir_run){.step_id = step->id,
                      .resources = session->resources,
                      .collectives = session->collectives,
                      .step_resources =
                          weir_resources_create("__per_step", session->devices.at[0].name),
                      .rendezvous = step->rendezvous,
                      .cancel = step->cancel,
                      .par = session->par,
                      .runner = &weir_local_function_runner,
                      .runner_arg = session,
                      .collector = step->metadata ? weir_collector_create() : NULL,
                      .master = step->master,
                      .far = true};
}

static void end_run(weir_local_session *session, const weir_registered_step *step, weir_run *run)
{
    if (run->collector) {
        weir_run_metadata *metadata = step->metadata;
        weir_msg_run_metadata *part = WEIR_ARENA_NEW(&metadata->arena, weir_msg_run_metadata);
        part->step_stats =
            weir_collector_stats(run->collector, session->devices.at[0].name, &metadata->arena);
        weir_vec_push(&metadata->parts, part);
    }
    weir_collector_destroy(run->collector);
    weir_resources_release(run->step_resources);
}

weir_status weir_registered_run(weir_registered *registered, const weir_registered_step *step)
{
    weir_run run = run_of(registered->s, step);
    weir_step_spec spec = {.plan = registered->plan,
                           .run = &run,
                           .max_runners = registered->s->runners,
                           .counted = true};
    weir_status st = weir_step_run(&spec);
    end_run(registered->s, step, &run);
    return st;
}

bool weir_registered_brief(const weir_registered *registered)
{
    return weir_plan_brief(registered->plan);
}

/* A step without a blocked thread. */
typedef struct started {
    weir_registered *p; /* retained */
    const weir_registered_step *q;
    weir_run run;
    int64_t token; /* of stop */
    void (*done)(void *arg, weir_status status);
    void *arg;
} started;

/* Aborts waits for values; other waits check the cancellation themselves. */
static void stop(void *arg)
{
    started *started = arg;
    weir_rendezvous *rendezvous = started->run.rendezvous;
    rendezvous->abort(rendezvous, weir_cancel_status(started->run.cancel));
}

static void step_over(void *arg, weir_status status)
{
    started *started = arg;
    if (started->token)
        weir_cancel_remove(started->run.cancel, started->token);
    end_run(started->p->s, started->q, &started->run);
    started->done(started->arg, status);
    weir_registered_release(started->p);
    weir_free(started);
}

void weir_registered_start(weir_registered *registered, const weir_registered_step *step,
                           void (*done)(void *arg, weir_status s), void *arg)
{
    started *new_started = WEIR_NEW(started);
    *new_started = (started){
        weir_registered_retain(registered), step, run_of(registered->s, step), 0, done, arg};
    new_started->token = weir_cancel_add(step->cancel, stop, new_started);
    if (!new_started->token)
        stop(new_started);
    weir_step_spec spec = {.plan = registered->plan,
                           .run = &new_started->run,
                           .max_runners = registered->s->runners,
                           .counted = true};
    weir_step_start(&spec, step_over, new_started);
}

weir_strs weir_registered_graphs(const weir_registered *registered, weir_arena *arena)
{
    return weir_device_graphs(weir_plan_graph(registered->plan), &registered->s->devices, arena);
}
