/* capi/fixed_step.c - weir/embed.h: steps that are run many times.
 *
 * A session in this process makes a callable of the step on its first run: later runs find their
 * plan without a lookup. Other sessions get the request each time.
 */
#include "capi/capi_impl.h"
#include "weir/embed.h"

struct weir_fixed_step {
    weir_session *session;
    weir_request request; /* with its own arrays, and no values */
    weir_edge *edges;     /* of feeds and fetches */
    weir_node **targets;
    _Atomic(weir_callable *) callable; /* null: none yet, or not of a session in this process */
};

/* ---- life ------------------------------------------------------------------------------------ */

static weir_status take_edges(const TF_Output *outputs, int count, weir_edge *edges)
{
    for (int i = 0; i < count; i++) {
        WEIR_TRY(weir_capi_check_output(outputs[i]));
        edges[i] = weir_capi_edge(outputs[i]);
    }
    return WEIR_OK;
}

static weir_status take_targets(const TF_Operation *const *targets, int count, weir_node **nodes)
{
    for (int i = 0; i < count; i++) {
        if (!targets[i])
            return weir_error(WEIR_INVALID_ARGUMENT, "Target operation %d is null", i);
        nodes[i] = weir_capi_node(targets[i]);
    }
    return WEIR_OK;
}

weir_fixed_step *weir_fixed_step_new(TF_Session *session, const TF_Output *inputs, int ninputs,
                                     const TF_Output *outputs, int noutputs,
                                     const TF_Operation *const *target_opers, int ntargets,
                                     TF_Status *status)
{
    static const weir_run_options defaults;
    weir_fixed_step *step = WEIR_NEW(weir_fixed_step);
    step->session = session->session;
    step->edges = WEIR_NEW_ARRAY(weir_edge, ninputs + noutputs);
    step->targets = WEIR_NEW_ARRAY(weir_node *, ntargets);
    step->request = (weir_request){.feeds = step->edges,
                                   .feed_count = ninputs,
                                   .fetches = step->edges + ninputs,
                                   .fetch_count = noutputs,
                                   .targets = step->targets,
                                   .target_count = ntargets,
                                   .options = &defaults};
    weir_status st = noutputs || ntargets
                         ? take_edges(inputs, ninputs, step->edges)
                         : weir_error(WEIR_INVALID_ARGUMENT,
                                      "Must specify at least one target to fetch or execute.");
    if (!st)
        st = take_edges(outputs, noutputs, step->edges + ninputs);
    if (!st)
        st = take_targets(target_opers, ntargets, step->targets);
    if (weir_capi_end(status, st))
        return step;
    weir_fixed_step_delete(step);
    return NULL;
}

void weir_fixed_step_delete(weir_fixed_step *step)
{
    if (!step)
        return;
    weir_status_free(weir_callable_release(atomic_load(&step->callable))); /* cannot fail */
    weir_free(step->targets);
    weir_free(step->edges);
    weir_free(step);
}

/* ---- feeds ----------------------------------------------------------------------------------- */

static weir_status take_feed(const weir_fed *fed, int i, weir_tensor *out)
{
    if (fed->tensor)
        return weir_capi_feed(fed->tensor, out);
    return weir_capi_lend(fed, out)
               ? WEIR_OK
               : weir_error(WEIR_INVALID_ARGUMENT, "The memory of feed %d is not a tensor", i);
}

static weir_status take_feeds(const weir_fed *feeds, int count, weir_tensor *values, int *out_taken)
{
    for (; *out_taken < count; ++*out_taken)
        WEIR_TRY(take_feed(&feeds[*out_taken], *out_taken, &values[*out_taken]));
    return WEIR_OK;
}

static void nobody(void *data, size_t bytes, void *arg)
{
}

/* The caller has its memory back at once if nobody else holds it, as after most steps: it is spared
 * a callback. */
static void give_back(weir_fed *fed, weir_tensor *value)
{
    weir_buffer *buffer = value->buffer;
    bool lent = !fed->tensor && buffer->lent;
    fed->returned = !lent || weir_ref_unique(&buffer->ref);
    if (lent && fed->returned)
        buffer->release = nobody;
    weir_tensor_release(value);
}

static void give_all_back(weir_fed *feeds, int count, weir_tensor *values, int taken)
{
    for (int i = 0; i < taken; i++)
        give_back(&feeds[i], &values[i]);
    for (int i = taken; i < count; i++)
        feeds[i].returned = 1;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static weir_status find_callable(weir_fixed_step *step, const weir_request *request,
                                 weir_callable **out_callable)
{
    weir_callable *callable = atomic_load_explicit(&step->callable, memory_order_acquire);
    if (!callable) {
        weir_callable *first = NULL;
        WEIR_TRY(weir_session_make_callable(step->session, request, &callable));
        if (!atomic_compare_exchange_strong(&step->callable, &first, callable)) {
            weir_status_free(weir_callable_release(callable)); /* another thread was first */
            callable = first;
        }
    }
    *out_callable = callable;
    return WEIR_OK;
}

static weir_status run(weir_fixed_step *step, const weir_request *request, weir_tensor *out)
{
    weir_callable *callable;
    if (!weir_session_is_local(step->session))
        return weir_session_run(step->session, request, out);
    WEIR_TRY(find_callable(step, request, &callable));
    return weir_callable_run(callable, request, out);
}

static weir_status run_with(weir_fixed_step *step, weir_fed *feeds, weir_tensor *values,
                            weir_tensor *out)
{
    int taken = 0;
    weir_request request = step->request;
    weir_status st = take_feeds(feeds, request.feed_count, values, &taken);
    if (!st) {
        request.feed_values = values;
        request.cancel = weir_capi_interrupt();
        st = run(step, &request, out);
        weir_cancel_release(request.cancel);
    }
    give_all_back(feeds, request.feed_count, values, taken);
    return st;
}

/* Most steps have few feeds and fetches: these need no allocation. */
enum { FEW = 16 };

void weir_fixed_step_run(weir_fixed_step *step, weir_fed *feeds, TF_Tensor **output_values,
                         TF_Status *status)
{
    int count = step->request.feed_count, fetches = step->request.fetch_count;
    weir_tensor few[FEW];
    weir_tensor *values =
        count + fetches <= FEW ? few : WEIR_NEW_ARRAY(weir_tensor, count + fetches);
    bool ok = weir_capi_end(status, run_with(step, feeds, values, values + count));
    for (int i = 0; i < fetches; i++)
        output_values[i] = ok ? weir_capi_tensor(values[count + i]) : NULL;
    if (values != few)
        weir_free(values);
}
