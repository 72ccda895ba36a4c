/* session/step.c - steps of a session in this process: contexts, time limits, metadata. */
#include "base/clock.h"
#include "base/timer.h"
#include "base/word.h"
#include "exec/stats.h"
#include "session/session_impl.h"
#include "wire/messages.h"

/* ---- steps ---------------------------------------------------------------------------------- */

static void time_is_up(void *arg)
{
    weir_cancel_fire(arg, weir_error(WEIR_DEADLINE_EXCEEDED, "Timed out waiting for notification"));
}

static void stop_following(step_spare *spare)
{
    weir_follow_end(&spare->follow);
    weir_cancel_release(spare->follow.caller);
    spare->follow.caller = NULL;
}

void weir_step_spare_free(step_spare *spare)
{
    if (!spare)
        return;
    stop_following(spare);
    weir_cancel_release(spare->cancel);
    weir_resources_release(spare->step_resources);
    weir_free(spare);
}

static weir_resources *new_step_resources(const weir_local_session *session)
{
    return weir_resources_create("__per_step", session->devices.at[0].name);
}

/* What an earlier step left, or a new one. Another step may use it, and it may have been fired
 * since: with the session, or by the earlier step's caller, which is not this one's business. */
static step_spare *take_spare(const weir_local_session *session, step_spare_slot *slot,
                              weir_cancel *caller)
{
    step_spare *spare = atomic_exchange(slot, NULL);
    if (spare && spare->follow.caller != caller)
        stop_following(spare);
    if (spare && !weir_cancel_fired(spare->cancel))
        return spare;
    weir_step_spare_free(spare);
    spare = WEIR_NEW(step_spare);
    spare->cancel = weir_cancel_create(session->cancel);
    spare->step_resources = new_step_resources(session);
    return spare;
}

/* Passes it on, unless the step has left something behind or somebody still refers to it. */
static void give_spare(step_spare *spare, step_spare_slot *slot)
{
    bool again = weir_cancel_idle(spare->cancel) && weir_resources_idle(spare->step_resources);
    weir_step_spare_free(again ? atomic_exchange(slot, spare) : spare);
}

static void begin_state(const weir_local_session *session, step_spare_slot *slot,
                        weir_cancel *caller, step_context *context)
{
    step_spare *spare = slot ? take_spare(session, slot, caller) : NULL;
    context->slot = slot;
    context->spare = spare;
    context->run.cancel = spare ? spare->cancel : weir_cancel_create(session->cancel);
    context->run.step_resources = spare ? spare->step_resources : new_step_resources(session);
}

static void end_state(step_context *context)
{
    if (context->spare) {
        give_spare(context->spare, context->slot);
    } else {
        weir_resources_release(context->run.step_resources);
        weir_cancel_release(context->run.cancel);
    }
}

weir_status weir_step_context_begin(weir_local_session *session, const weir_run_options *options,
                                    step_spare_slot *slot, weir_cancel *caller,
                                    step_context *context)
{
    *context = (step_context){0};
    if (options)
        context->options = *options;
    context->options.message = NULL;
    weir_mutex_lock(&session->lock);
    bool closed = session->closed;
    if (!closed)
        session->steps++;
    int64_t id = session->next_step_id++;
    weir_mutex_unlock(&session->lock);
    if (closed)
        return weir_error(WEIR_CANCELLED, "Session has been closed.");
    context->run = (weir_run){.step_id = id,
                              .resources = session->resources,
                              .collectives = session->collectives,
                              .par = session->par,
                              .runner = &weir_local_function_runner,
                              .runner_arg = session};
    begin_state(session, slot, caller, context);
    context->timeout_ms =
        context->options.timeout_ms > 0 ? context->options.timeout_ms : session->config.timeout_ms;
    if (context->timeout_ms > 0)
        context->timer =
            weir_timer_add(weir_after_ms(context->timeout_ms), time_is_up, context->run.cancel);
    return WEIR_OK;
}

void weir_step_context_end(weir_local_session *session, step_context *context)
{
    if (context->timer)
        weir_timer_remove(context->timer);
    weir_collector_destroy(context->run.collector);
    weir_rendezvous_release(context->run.rendezvous);
    end_state(context);
    weir_mutex_lock(&session->lock);
    if (--session->steps == 0)
        weir_cond_broadcast(&session->idle);
    weir_mutex_unlock(&session->lock);
}

static weir_status check_feeds(const prepared *prepared, const weir_request *request)
{
    for (int i = 0; i < request->feed_count; i++) {
        const weir_tensor *tensor = &request->feed_values[i];
        if (tensor->dtype != prepared->feed_types[i])
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "The value fed for tensor '%s' has type %s, but the tensor has type %s",
                prepared->feed_names[i], weir_dtype_name(tensor->dtype),
                weir_dtype_name(prepared->feed_types[i]));
    }
    return WEIR_OK;
}

/* True when every fed value has the shape that the plan expects. */
static bool shapes_fit(const prepared *prepared, const weir_request *request)
{
    for (int i = 0; i < request->feed_count; i++)
        if (!weir_shape_compatible(&request->feed_values[i].shape, &prepared->feed_shapes[i]))
            return false;
    return true;
}

static weir_status check_fetched(const prepared *prepared, weir_tensor *fetched)
{
    int dead = -1;
    for (int i = 0; i < prepared->fetch_count; i++)
        if (!fetched[i].buffer)
            dead = i;
    if (dead < 0)
        return WEIR_OK;
    for (int i = 0; i < prepared->fetch_count; i++)
        weir_tensor_release(&fetched[i]);
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Retval[%d] does not have value: '%s' was not computed in "
                      "this step (it is on a branch that was not taken)",
                      dead, prepared->fetch_names[dead]);
}

/* True for steps that report costs: every so many of one plan. */
static bool counts_costs(const weir_local_session *session, prepared *prepared)
{
    int64_t every = session->config.cost_every;
    if (every <= 0)
        return false;
    int64_t step = atomic_fetch_add(&prepared->steps, 1) + 1 - session->config.cost_after;
    return step % every == 0;
}

static void add_metadata(weir_local_session *session, const prepared *prepared,
                         const step_context *context, bool costs, weir_run_metadata *out)
{
    bool traced = context->run.collector && context->options.trace_level > 0;
    if (!costs && !traced && !context->options.partition_graphs)
        return;
    weir_msg_run_metadata *part = WEIR_ARENA_NEW(&out->arena, weir_msg_run_metadata);
    const weir_graph *graph = weir_plan_graph(prepared->plan);
    if (costs)
        part->cost_graph = weir_cost_graph(graph, context->run.collector, &out->arena);
    if (traced)
        part->step_stats =
            weir_collector_stats(context->run.collector, session->devices.at[0].name, &out->arena);
    if (context->options.partition_graphs)
        part->partition_graphs = weir_device_graphs(graph, &session->devices, &out->arena);
    weir_vec_push(&out->parts, part);
}

void weir_step_context_start_remote(const prepared *prepared, step_context *context,
                                    bool wants_metadata)
{
    if (!prepared->registered) {
        context->run.rendezvous = weir_rendezvous_create();
        return;
    }
    weir_remote_ask ask = {.stats = wants_metadata && context->options.trace_level > 0,
                           .partition_graphs = wants_metadata && context->options.partition_graphs,
                           .step_id = context->graph_key ? context->run.step_id : 0,
                           .graph_key = context->graph_key};
    context->remote = prepared->remote;
    context->run.far = true;
    context->remote_step = prepared->remote->start(prepared->registered, &context->run, ask);
}

void weir_step_context_finish_remote(step_context *context, weir_status own,
                                     weir_run_metadata *metadata,
                                     void (*done)(void *arg, weir_status s), void *arg)
{
    if (context->remote_step)
        context->remote->finish(context->remote_step, own, metadata, done, arg);
    else
        done(arg, own);
}

/* ---- one step ------------------------------------------------------------------------------- */

/* A running step. */
typedef struct session_step {
    weir_local_session *session;
    const weir_request *request;
    prepared *prepared;
    weir_tensor *fetched;
    step_context context;
    weir_following follow; /* unless the context has a spare, which then follows the caller */
    step_spare_slot *slot; /* of the callable; null: none */
    bool waits;            /* the caller blocks, for a short step */
    bool costs;            /* are reported */
    int64_t token;         /* of abort_waits */
    void (*done)(void *arg, weir_status status);
    void *arg;
} session_step;

/* Steps with collective ops have one id, common to all masters. */
static weir_status number_step(const prepared *prepared, step_context *context)
{
    if (!prepared->graph_key || !prepared->registered)
        return WEIR_OK;
    context->graph_key =
        context->options.graph_key ? context->options.graph_key : prepared->graph_key;
    return prepared->remote->next_step(prepared->remote, context->graph_key, context->run.cancel,
                                       &context->run.step_id);
}

/* From now on the caller's cancellation cancels the step. A callable's caller is often the same
 * one, so that following it goes on between steps. */
static void follow_caller(session_step *step)
{
    weir_cancel *caller = step->request->cancel, *own = step->context.run.cancel;
    step_spare *spare = step->context.spare;
    if (!spare)
        weir_follow_begin(&step->follow, caller, own);
    else if (caller && !spare->follow.caller)
        weir_follow_begin(&spare->follow, weir_cancel_retain(caller), own);
}

static weir_status begin_step(session_step *step)
{
    const weir_request *request = step->request;
    for (int i = 0; i < request->fetch_count; i++)
        step->fetched[i] = (weir_tensor){0};
    WEIR_TRY(check_feeds(step->prepared, request));
    WEIR_TRY(weir_step_context_begin(step->session, request->options, step->slot, request->cancel,
                                     &step->context));
    weir_status status = number_step(step->prepared, &step->context);
    if (status) {
        weir_step_context_end(step->session, &step->context);
        return status;
    }
    step->costs = request->metadata && counts_costs(step->session, step->prepared);
    if (step->costs || (request->metadata && step->context.options.trace_level > 0))
        step->context.run.collector = weir_collector_create();
    if (step->waits)
        step->prepared->remote->cork();
    weir_step_context_start_remote(step->prepared, &step->context, request->metadata != NULL);
    follow_caller(step);
    return WEIR_OK;
}

static weir_step_spec spec_of(session_step *step)
{
    return (weir_step_spec){
        .plan = step->prepared->plan,
        .run = &step->context.run,
        .args = step->request->feed_values,
        .rets = step->fetched,
        .max_runners = step->context.options.inter_op_pool < 0 ? 1 : step->session->runners,
        .counted = true};
}

/* Every partition has ended with |st| (taken over); returns the status for the caller. */
static weir_status end_step(session_step *step, weir_status st)
{
    const weir_request *request = step->request;
    weir_follow_end(&step->follow);
    if (!st && request->metadata)
        add_metadata(step->session, step->prepared, &step->context, step->costs, request->metadata);
    weir_step_context_end(step->session, &step->context);
    for (int i = 0; st && i < request->fetch_count; i++)
        weir_tensor_release(&step->fetched[i]);
    WEIR_TRY(st);
    return check_fetched(step->prepared, step->fetched);
}

/* ---- short steps: the thread that delivers an input runs the nodes that need it ------------- */

static void partitions_ended(void *arg, weir_status st)
{
    session_step *step = arg;
    if (step->token)
        weir_cancel_remove(step->context.run.cancel, step->token);
    step->done(step->arg, end_step(step, st));
}

static void own_partition_ended(void *arg, weir_status st)
{
    session_step *step = arg;
    weir_step_context_finish_remote(&step->context, st, step->request->metadata, partitions_ended,
                                    step);
}

/* Aborts waits for values; other waits check the cancellation themselves. */
static void abort_waits(void *arg)
{
    weir_run *run = &((session_step *)arg)->context.run;
    run->rendezvous->abort(run->rendezvous, weir_cancel_status(run->cancel));
}

static void start_short(session_step *step)
{
    step->token = weir_cancel_add(step->context.run.cancel, abort_waits, step);
    if (!step->token)
        abort_waits(step);
    weir_step_spec spec = spec_of(step);
    weir_step_start(&spec, own_partition_ended, step);
}

/* ---- synchronous steps ---------------------------------------------------------------------- */

typedef struct ending {
    atomic_int over;
    weir_status status; /* written before |over| */
} ending;

static void ended(void *arg, weir_status status)
{
    ending *ending = arg;
    ending->status = status;
    atomic_store(&ending->over, 1);
    weir_word_wake(&ending->over);
}

/* The caller's thread runs the own partition, and waits for the others. */
static weir_status run_whole(session_step *step)
{
    weir_step_spec spec = spec_of(step);
    ending ending = {0};
    weir_status own = weir_step_run(&spec);
    if (!step->context.remote_step)
        return end_step(step, own);
    weir_step_context_finish_remote(&step->context, own, step->request->metadata, ended, &ending);
    step->prepared->remote->wait(step->prepared->registered, &ending.over);
    return end_step(step, ending.status);
}

static weir_status run_short(session_step *step)
{
    ending ending = {0};
    step->done = ended;
    step->arg = &ending;
    start_short(step);
    step->prepared->remote->wait(step->prepared->registered, &ending.over);
    return ending.status;
}

/* ---- steps repeated until one fails --------------------------------------------------------- */

typedef struct repeated {
    session_step *step;
    ending ending;
} repeated;

/* A run has ended: starts the next one on this thread. */
static void run_again(void *arg, weir_status status)
{
    repeated *repeated = arg;
    bool goes_on = !status && weir_plan_brief(repeated->step->prepared->plan);
    if (goes_on)
        status = begin_step(repeated->step);
    if (goes_on && !status)
        start_short(repeated->step);
    else
        ended(&repeated->ending, status);
}

/* Returns when a run fails, or its plan is no longer short. Meanwhile this thread sleeps and runs
 * no nodes, so that no step has to wait for it. */
static weir_status run_repeatedly(session_step *step)
{
    repeated repeated = {.step = step};
    step->done = run_again;
    step->arg = &repeated;
    start_short(step);
    weir_word_wait(&repeated.ending.over, 0);
    return repeated.ending.status;
}

static weir_status run_step(session_step *step)
{
    bool is_short = step->prepared->registered && weir_plan_brief(step->prepared->plan);
    bool repeats = is_short && step->request->repeat && !step->request->fetch_count &&
                   !step->request->metadata &&
                   !step->prepared->graph_key; /* its step id may block */
    step->waits = is_short && !repeats;
    WEIR_TRY(begin_step(step));
    return repeats ? run_repeatedly(step) : is_short ? run_short(step) : run_whole(step);
}

static weir_status closed(void)
{
    return weir_error(WEIR_CANCELLED, "Session has been closed.");
}

weir_status weir_local_run(weir_session *session, const weir_request *request,
                           weir_tensor *out_fetched)
{
    if (weir_session_is_closed(session))
        return closed();
    weir_local_session *local_session = weir_local_of(session);
    session_step step = {.session = local_session, .request = request, .fetched = out_fetched};
    WEIR_TRY(weir_local_prepare(local_session, request, PLAN_EXACT, &step.prepared));
    if (!shapes_fit(step.prepared, request))
        WEIR_TRY(weir_local_prepare(local_session, request, PLAN_LOOSE, &step.prepared));
    return run_step(&step);
}

/* ---- callables ------------------------------------------------------------------------------ */

typedef struct local_callable {
    weir_callable base;
    weir_request request;     /* with its own arrays */
    weir_run_options options; /* the request's */
    prepared *exact;
    step_spare_slot spare;
    _Atomic(prepared *) loose; /* for shapes that differ from the graph's; null until needed */
} local_callable;

static void *copy_of(const void *array, int count, size_t bytes)
{
    void *copy = weir_alloc(bytes * (size_t)count);
    if (count)
        memcpy(copy, array, bytes * (size_t)count);
    return copy;
}

static void copy_request(const weir_request *request, local_callable *callable)
{
    if (request->options)
        callable->options = *request->options;
    callable->options.message = NULL;
    callable->request = (weir_request){
        .feeds = copy_of(request->feeds, request->feed_count, sizeof *request->feeds),
        .feed_count = request->feed_count,
        .fetches = copy_of(request->fetches, request->fetch_count, sizeof *request->fetches),
        .fetch_count = request->fetch_count,
        .targets = copy_of(request->targets, request->target_count, sizeof *request->targets),
        .target_count = request->target_count,
        .options = &callable->options,
        .repeat = request->repeat,
    };
}

weir_status weir_local_make_callable(weir_session *session, const weir_request *request,
                                     weir_callable **out_callable)
{
    prepared *exact;
    if (weir_session_is_closed(session))
        return closed();
    WEIR_TRY(weir_local_prepare(weir_local_of(session), request, PLAN_EXACT, &exact));
    local_callable *callable = WEIR_NEW(local_callable);
    callable->base.session = session;
    callable->exact = exact;
    copy_request(request, callable);
    *out_callable = &callable->base;
    return WEIR_OK;
}

static weir_status pick_plan(local_callable *callable, const weir_request *request,
                             prepared **out_prepared)
{
    prepared *prepared =
        shapes_fit(callable->exact, request) ? callable->exact : atomic_load(&callable->loose);
    if (!prepared) {
        if (weir_session_is_closed(callable->base.session))
            return closed();
        WEIR_TRY(weir_local_prepare(weir_local_of(callable->base.session), request, PLAN_LOOSE,
                                    &prepared));
        atomic_store(&callable->loose, prepared);
    }
    *out_prepared = prepared;
    return WEIR_OK;
}

weir_status weir_local_run_callable(weir_callable *callable, const weir_request *call,
                                    weir_tensor *out_fetched)
{
    local_callable *c = (local_callable *)callable;
    if (call->feed_count != c->request.feed_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected %d feeds, but got %d",
                          c->request.feed_count, call->feed_count);
    weir_request request = c->request;
    request.feed_values = call->feed_values;
    if (call->options)
        request.options = call->options;
    request.metadata = call->metadata;
    request.cancel = call->cancel;
    session_step step = {.session = weir_local_of(callable->session),
                         .request = &request,
                         .fetched = out_fetched,
                         .slot = &c->spare};
    WEIR_TRY(pick_plan(c, &request, &step.prepared));
    return run_step(&step);
}

weir_status weir_local_release_callable(weir_callable *callable)
{
    local_callable *c = (local_callable *)callable;
    weir_step_spare_free(atomic_load(&c->spare));
    weir_free((weir_edge *)c->request.feeds);
    weir_free((weir_edge *)c->request.fetches);
    weir_free((weir_node **)c->request.targets);
    weir_free(c);
    return WEIR_OK;
}

/* ---- asynchronous steps --------------------------------------------------------------------- */

typedef struct started {
    session_step step;
    void (*done)(void *arg, weir_status status);
    void *arg;
} started;

static void started_ended(void *arg, weir_status status)
{
    started *started = arg;
    void (*done)(void *, weir_status) = started->done;
    void *done_arg = started->arg;
    weir_free(started);
    done(done_arg, status);
}

bool weir_session_start_step(weir_session *session, const weir_request *request,
                             weir_tensor *out_fetched, void (*done)(void *arg, weir_status s),
                             void *arg)
{
    weir_local_session *local_session = weir_local_of(session);
    prepared *prepared = weir_local_find_plan(local_session, request, PLAN_EXACT);
    if (prepared && !shapes_fit(prepared, request))
        prepared = weir_local_find_plan(local_session, request, PLAN_LOOSE);
    if (!prepared || prepared->graph_key || !weir_plan_brief(prepared->plan))
        return false;
    started *new_started = WEIR_NEW(started);
    new_started->step = (session_step){.session = local_session,
                                       .request = request,
                                       .prepared = prepared,
                                       .fetched = out_fetched,
                                       .done = started_ended,
                                       .arg = new_started};
    new_started->done = done;
    new_started->arg = arg;
    weir_status st = begin_step(&new_started->step);
    if (st)
        started_ended(new_started, st);
    else
        start_short(&new_started->step);
    return true;
}
