/* capi/session.c - TF_Session: steps and partial runs. */
#include "capi/capi_impl.h"
#include "dist/client.h"
#include "tensorflow/c/c_api_experimental.h"
#include "wire/messages.h"

/* Every session of the process, for TF_Reset. */
static weir_mutex all_lock = WEIR_MUTEX_INIT;
static TF_Session *all WEIR_GUARDED_BY(all_lock);

static void link_session(TF_Session *session)
{
    weir_mutex_lock(&all_lock);
    session->next = all;
    if (all)
        all->prev = session;
    all = session;
    weir_mutex_unlock(&all_lock);
}

static void unlink_session(TF_Session *session)
{
    weir_mutex_lock(&all_lock);
    if (session->prev)
        session->prev->next = session->next;
    else
        all = session->next;
    if (session->next)
        session->next->prev = session->prev;
    weir_mutex_unlock(&all_lock);
}

bool weir_capi_session_saw(const TF_Graph *graph, const weir_node *node)
{
    bool saw = false;
    weir_mutex_lock(&all_lock);
    for (TF_Session *session = all; session && !saw; session = session->next)
        saw = session->graph == graph && (size_t)node->id < session->session->seen;
    weir_mutex_unlock(&all_lock);
    return saw;
}

/* ---- life ------------------------------------------------------------------------------------ */

weir_status weir_capi_session_create(TF_Graph *graph, const TF_SessionOptions *opts,
                                     TF_Session **out_session)
{
    weir_session *made;
    WEIR_TRY(weir_session_open(graph->graph, &graph->lock, opts ? opts->target : "",
                               opts ? weir_view(&opts->config) : (weir_str){0}, &made));
    TF_Session *session = WEIR_NEW(TF_Session);
    session->session = made;
    session->graph = graph;
    weir_ref_retain(&graph->ref);
    link_session(session);
    *out_session = session;
    return WEIR_OK;
}

void weir_capi_session_delete(TF_Session *session)
{
    if (!session)
        return;
    unlink_session(session);
    weir_session_destroy(session->session);
    weir_capi_graph_release(session->graph);
    weir_free(session);
}

TF_Session *TF_NewSession(TF_Graph *graph, const TF_SessionOptions *opts, TF_Status *status)
{
    TF_Session *session = NULL;
    return weir_capi_end(status, weir_capi_session_create(graph, opts, &session)) ? session : NULL;
}

weir_session *weir_capi_session(const TF_Session *session)
{
    return session->session;
}

/* Runs pick up additions to the graph themselves. */
void TF_ExtendSession(TF_Session *session, TF_Status *status)
{
    weir_capi_end(status, weir_session_extend(session->session));
}

void TF_CloseSession(TF_Session *session, TF_Status *status)
{
    weir_capi_end(status, weir_session_close(session->session));
}

void TF_DeleteSession(TF_Session *session, TF_Status *status)
{
    weir_capi_session_delete(session);
    weir_capi_end(status, WEIR_OK);
}

static void reset_all(const weir_str *containers, size_t count)
{
    weir_mutex_lock(&all_lock);
    for (TF_Session *session = all; session; session = session->next)
        weir_session_clear_containers(session->session, containers, count);
    weir_mutex_unlock(&all_lock);
}

void TF_Reset(const TF_SessionOptions *opt, const char **containers, int ncontainers,
              TF_Status *status)
{
    weir_str *names = WEIR_NEW_ARRAY(weir_str, ncontainers > 0 ? ncontainers : 0);
    for (int i = 0; i < ncontainers; i++)
        names[i] = weir_str_of(containers[i]);
    size_t count = ncontainers > 0 ? (size_t)ncontainers : 0;
    weir_status result = WEIR_OK;
    if (opt && weir_grpc_session_serves(opt->target))
        result = weir_grpc_session_reset(opt->target, weir_view(&opt->config), names, count);
    else
        reset_all(names, count);
    weir_free(names);
    weir_capi_end(status, result);
}

/* ---- one call -------------------------------------------------------------------------------- */

/* Most calls have few feeds and fetches: these fit here without an allocation. */
enum { FEW = 16 };

typedef struct call {
    weir_request request;
    weir_edge edges[2 * FEW];
    weir_tensor values[FEW], fetched[FEW];
    weir_edge *feeds, *fetches; /* |edges|, or allocated */
    weir_tensor *feed_values, *out;
    int owned_feeds; /* how many of feed_values hold a reference */
} call;

static void prepare(call *call, int feeds, int fetches)
{
    bool small = feeds <= FEW && fetches <= FEW;
    call->request = (weir_request){0};
    call->owned_feeds = 0;
    call->feeds = small ? call->edges : WEIR_NEW_ARRAY(weir_edge, feeds + fetches);
    call->fetches = call->feeds + feeds;
    call->feed_values = small ? call->values : WEIR_NEW_ARRAY(weir_tensor, feeds);
    call->out = small ? call->fetched : WEIR_NEW_ARRAY(weir_tensor, fetches);
}

static void finish(call *call)
{
    for (int i = 0; i < call->owned_feeds; i++)
        weir_tensor_release(&call->feed_values[i]);
    if (call->feeds == call->edges)
        return;
    weir_free(call->feeds);
    weir_free(call->feed_values);
    weir_free(call->out);
}

weir_status weir_capi_feed(const TF_Tensor *tensor, weir_tensor *out)
{
    bool clients = tensor->t.dtype == WEIR_STRING && tensor->t.buffer && !tensor->t.buffer->fini;
    if (clients)
        return weir_tensor_clone(&tensor->t, out);
    *out = weir_tensor_share(&tensor->t);
    return WEIR_OK;
}

static weir_status take_feed(call *call, int i, const TF_Tensor *tensor)
{
    if (!tensor)
        return weir_error(WEIR_INVALID_ARGUMENT, "The value of feed %d is null", i);
    WEIR_TRY(weir_capi_feed(tensor, &call->feed_values[i]));
    call->owned_feeds++;
    return WEIR_OK;
}

/* |values| may be null, for the setup of a partial run. */
static weir_status describe(call *call, const TF_Output *inputs, TF_Tensor *const *values,
                            int ninputs, const TF_Output *outputs, int noutputs,
                            const TF_Operation *const *targets, int ntargets)
{
    for (int i = 0; i < ninputs; i++) {
        WEIR_TRY(weir_capi_check_output(inputs[i]));
        call->feeds[i] = weir_capi_edge(inputs[i]);
        if (values)
            WEIR_TRY(take_feed(call, i, values[i]));
    }
    for (int i = 0; i < noutputs; i++) {
        WEIR_TRY(weir_capi_check_output(outputs[i]));
        call->fetches[i] = weir_capi_edge(outputs[i]);
    }
    for (int i = 0; i < ntargets; i++)
        if (!targets[i])
            return weir_error(WEIR_INVALID_ARGUMENT, "Target operation %d is null", i);
    call->request.feeds = call->feeds;
    call->request.feed_values = call->feed_values;
    call->request.feed_count = ninputs;
    call->request.fetches = call->fetches;
    call->request.fetch_count = noutputs;
    call->request.targets = (weir_node *const *)targets;
    call->request.target_count = ntargets;
    return WEIR_OK;
}

static void give(call *call, TF_Tensor **output_values, int noutputs)
{
    for (int i = 0; i < noutputs; i++)
        output_values[i] = weir_capi_tensor(call->out[i]);
}

static void no_outputs(TF_Tensor **output_values, int noutputs)
{
    for (int i = 0; i < noutputs; i++)
        output_values[i] = NULL;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static weir_status run(TF_Session *session, call *call, const TF_Buffer *run_options,
                       TF_Buffer *run_metadata)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_run_options options;
    weir_run_metadata metadata = {0};
    if (!call->request.fetch_count && !call->request.target_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Must specify at least one target to fetch or execute.");
    if (run_metadata && run_metadata->data)
        return weir_error(WEIR_INVALID_ARGUMENT, "Passing non-empty run_metadata is invalid.");
    WEIR_TRY(weir_capi_run_options(run_options, &arena, &options));
    call->request.options = &options;
    call->request.metadata = run_metadata ? &metadata : NULL;
    call->request.cancel = weir_capi_interrupt();
    weir_status status = weir_session_run(session->session, &call->request, call->out);
    weir_cancel_release(call->request.cancel);
    if (!status && run_metadata)
        status = weir_capi_fill_metadata(run_metadata, &metadata);
    weir_run_metadata_fini(&metadata);
    return status;
}

void TF_SessionRun(TF_Session *session, const TF_Buffer *run_options, const TF_Output *inputs,
                   TF_Tensor *const *input_values, int ninputs, const TF_Output *outputs,
                   TF_Tensor **output_values, int noutputs, const TF_Operation *const *target_opers,
                   int ntargets, TF_Buffer *run_metadata, TF_Status *status)
{
    call call;
    no_outputs(output_values, noutputs);
    prepare(&call, ninputs, noutputs);
    weir_status result =
        describe(&call, inputs, input_values, ninputs, outputs, noutputs, target_opers, ntargets);
    if (weir_capi_end(status, result ? result : run(session, &call, run_options, run_metadata)))
        give(&call, output_values, noutputs);
    finish(&call);
}

void TF_SessionPRunSetup(TF_Session *session, const TF_Output *inputs, int ninputs,
                         const TF_Output *outputs, int noutputs,
                         const TF_Operation *const *target_opers, int ntargets, const char **handle,
                         TF_Status *status)
{
    call call;
    char *made = NULL;
    *handle = NULL;
    prepare(&call, ninputs, noutputs);
    weir_status result =
        describe(&call, inputs, NULL, ninputs, outputs, noutputs, target_opers, ntargets);
    if (!result)
        result = weir_session_partial_setup(session->session, &call.request, &made);
    if (weir_capi_end(status, result))
        *handle = made;
    finish(&call);
}

void TF_DeletePRunHandle(const char *handle)
{
    weir_free((char *)handle);
}

void TF_SessionPRun(TF_Session *session, const char *handle, const TF_Output *inputs,
                    TF_Tensor *const *input_values, int ninputs, const TF_Output *outputs,
                    TF_Tensor **output_values, int noutputs,
                    const TF_Operation *const *target_opers, int ntargets, TF_Status *status)
{
    call call;
    no_outputs(output_values, noutputs);
    prepare(&call, ninputs, noutputs);
    weir_status result =
        describe(&call, inputs, input_values, ninputs, outputs, noutputs, target_opers, ntargets);
    if (!result)
        result = weir_session_partial_run(session->session, handle, &call.request, call.out);
    if (weir_capi_end(status, result))
        give(&call, output_values, noutputs);
    finish(&call);
}

/* ---- devices --------------------------------------------------------------------------------- */

TF_DeviceList *TF_SessionListDevices(TF_Session *session, TF_Status *status)
{
    TF_DeviceList *list = NULL;
    weir_capi_end(status, weir_capi_list_devices(session, &list));
    return list;
}
