/* capi/session.c - TF_Session: steps, whole and in parts. */
#include "capi/capi_impl.h"
#include "dist/client.h"
#include "tensorflow/c/c_api_experimental.h"

/* Every session of the process, for TF_Reset. */
static weir_mutex all_lock = WEIR_MUTEX_INIT;
static TF_Session *all WEIR_GUARDED_BY(all_lock);

static void link_session(TF_Session *s)
{
    weir_mutex_lock(&all_lock);
    s->next = all;
    if (all)
        all->prev = s;
    all = s;
    weir_mutex_unlock(&all_lock);
}

static void unlink_session(TF_Session *s)
{
    weir_mutex_lock(&all_lock);
    if (s->prev)
        s->prev->next = s->next;
    else
        all = s->next;
    if (s->next)
        s->next->prev = s->prev;
    weir_mutex_unlock(&all_lock);
}

/* ---- life ------------------------------------------------------------------------------------ */

weir_status weir_capi_session_create(TF_Graph *graph, const TF_SessionOptions *opts,
                                     TF_Session **out_session)
{
    weir_session *made;
    WEIR_TRY(weir_session_open(graph->graph, &graph->lock, opts ? opts->target : "",
                               opts ? weir_view(&opts->config) : (weir_str){0}, &made));
    TF_Session *s = WEIR_NEW(TF_Session);
    s->session = made;
    s->graph = graph;
    weir_ref_retain(&graph->ref);
    link_session(s);
    *out_session = s;
    return WEIR_OK;
}

void weir_capi_session_delete(TF_Session *s)
{
    if (!s)
        return;
    unlink_session(s);
    weir_session_destroy(s->session);
    weir_capi_graph_release(s->graph);
    weir_free(s);
}

TF_Session *TF_NewSession(TF_Graph *graph, const TF_SessionOptions *opts, TF_Status *status)
{
    TF_Session *s = NULL;
    return weir_capi_end(status, weir_capi_session_create(graph, opts, &s)) ? s : NULL;
}

weir_session *weir_capi_session(const TF_Session *s)
{
    return s->session;
}

/* Runs take what is new in the graph by themselves. */
void TF_ExtendSession(TF_Session *s, TF_Status *status)
{
    weir_capi_end(status, weir_session_extend(s->session));
}

void TF_CloseSession(TF_Session *s, TF_Status *status)
{
    weir_capi_end(status, weir_session_close(s->session));
}

void TF_DeleteSession(TF_Session *s, TF_Status *status)
{
    weir_capi_session_delete(s);
    weir_capi_end(status, WEIR_OK);
}

static void reset_all(const weir_str *containers, size_t count)
{
    weir_mutex_lock(&all_lock);
    for (TF_Session *s = all; s; s = s->next)
        weir_session_clear_containers(s->session, containers, count);
    weir_mutex_unlock(&all_lock);
}

void TF_Reset(const TF_SessionOptions *opt, const char **containers, int ncontainers,
              TF_Status *status)
{
    weir_str *names = WEIR_NEW_ARRAY(weir_str, ncontainers > 0 ? ncontainers : 0);
    for (int i = 0; i < ncontainers; i++)
        names[i] = weir_str_of(containers[i]);
    size_t count = ncontainers > 0 ? (size_t)ncontainers : 0;
    weir_status s = WEIR_OK;
    if (opt && weir_grpc_session_serves(opt->target))
        s = weir_grpc_session_reset(opt->target, weir_view(&opt->config), names, count);
    else
        reset_all(names, count);
    weir_free(names);
    weir_capi_end(status, s);
}

/* ---- one call -------------------------------------------------------------------------------- */

/* Most calls have few feeds and fetches: they fit here, and nothing is allocated for them. */
enum { FEW = 16 };

typedef struct call {
    weir_request request;
    weir_edge edges[2 * FEW];
    weir_tensor values[FEW], fetched[FEW];
    weir_edge *feeds, *fetches; /* |edges|, or allocated */
    weir_tensor *feed_values, *out;
    int owned_feeds; /* how many of feed_values hold a reference */
} call;

static void prepare(call *c, int feeds, int fetches)
{
    bool small = feeds <= FEW && fetches <= FEW;
    c->request = (weir_request){0};
    c->owned_feeds = 0;
    c->feeds = small ? c->edges : WEIR_NEW_ARRAY(weir_edge, feeds + fetches);
    c->fetches = c->feeds + feeds;
    c->feed_values = small ? c->values : WEIR_NEW_ARRAY(weir_tensor, feeds);
    c->out = small ? c->fetched : WEIR_NEW_ARRAY(weir_tensor, fetches);
}

static void finish(call *c)
{
    for (int i = 0; i < c->owned_feeds; i++)
        weir_tensor_release(&c->feed_values[i]);
    if (c->feeds == c->edges)
        return;
    weir_free(c->feeds);
    weir_free(c->feed_values);
    weir_free(c->out);
}

/* Strings that a client made may go when the call returns, but a step may keep what it is fed. */
static weir_status take_feed(call *c, int i, const TF_Tensor *t)
{
    if (!t)
        return weir_error(WEIR_INVALID_ARGUMENT, "The value of feed %d is null", i);
    bool clients = t->t.dtype == WEIR_STRING && t->t.buffer && !t->t.buffer->fini;
    if (clients)
        WEIR_TRY(weir_tensor_clone(&t->t, &c->feed_values[i]));
    else
        c->feed_values[i] = weir_tensor_share(&t->t);
    c->owned_feeds++;
    return WEIR_OK;
}

/* |values| may be null, when a partial run is set up. */
static weir_status describe(call *c, const TF_Output *inputs, TF_Tensor *const *values, int ninputs,
                            const TF_Output *outputs, int noutputs,
                            const TF_Operation *const *targets, int ntargets)
{
    for (int i = 0; i < ninputs; i++) {
        WEIR_TRY(weir_capi_check_output(inputs[i]));
        c->feeds[i] = weir_capi_edge(inputs[i]);
        if (values)
            WEIR_TRY(take_feed(c, i, values[i]));
    }
    for (int i = 0; i < noutputs; i++) {
        WEIR_TRY(weir_capi_check_output(outputs[i]));
        c->fetches[i] = weir_capi_edge(outputs[i]);
    }
    for (int i = 0; i < ntargets; i++)
        if (!targets[i])
            return weir_error(WEIR_INVALID_ARGUMENT, "Target operation %d is null", i);
    c->request.feeds = c->feeds;
    c->request.feed_values = c->feed_values;
    c->request.feed_count = ninputs;
    c->request.fetches = c->fetches;
    c->request.fetch_count = noutputs;
    c->request.targets = (weir_node *const *)targets;
    c->request.target_count = ntargets;
    return WEIR_OK;
}

static void give(call *c, TF_Tensor **output_values, int noutputs)
{
    for (int i = 0; i < noutputs; i++)
        output_values[i] = weir_capi_tensor(c->out[i]);
}

static void no_outputs(TF_Tensor **output_values, int noutputs)
{
    for (int i = 0; i < noutputs; i++)
        output_values[i] = NULL;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static weir_status run(TF_Session *session, call *c, const TF_Buffer *run_options,
                       TF_Buffer *run_metadata)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_run_options options;
    weir_run_metadata metadata = {0};
    if (!c->request.fetch_count && !c->request.target_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Must specify at least one target to fetch or execute.");
    if (run_metadata && run_metadata->data)
        return weir_error(WEIR_INVALID_ARGUMENT, "Passing non-empty run_metadata is invalid.");
    WEIR_TRY(weir_capi_run_options(run_options, &arena, &options));
    c->request.options = &options;
    c->request.metadata = run_metadata ? &metadata : NULL;
    weir_status s = weir_session_run(session->session, &c->request, c->out);
    if (!s && run_metadata)
        s = weir_capi_fill_metadata(run_metadata, &metadata);
    weir_run_metadata_fini(&metadata);
    return s;
}

void TF_SessionRun(TF_Session *session, const TF_Buffer *run_options, const TF_Output *inputs,
                   TF_Tensor *const *input_values, int ninputs, const TF_Output *outputs,
                   TF_Tensor **output_values, int noutputs, const TF_Operation *const *target_opers,
                   int ntargets, TF_Buffer *run_metadata, TF_Status *status)
{
    call c;
    no_outputs(output_values, noutputs);
    prepare(&c, ninputs, noutputs);
    weir_status s =
        describe(&c, inputs, input_values, ninputs, outputs, noutputs, target_opers, ntargets);
    if (weir_capi_end(status, s ? s : run(session, &c, run_options, run_metadata)))
        give(&c, output_values, noutputs);
    finish(&c);
}

void TF_SessionPRunSetup(TF_Session *session, const TF_Output *inputs, int ninputs,
                         const TF_Output *outputs, int noutputs,
                         const TF_Operation *const *target_opers, int ntargets, const char **handle,
                         TF_Status *status)
{
    call c;
    char *made = NULL;
    *handle = NULL;
    prepare(&c, ninputs, noutputs);
    weir_status s = describe(&c, inputs, NULL, ninputs, outputs, noutputs, target_opers, ntargets);
    if (!s)
        s = weir_session_partial_setup(session->session, &c.request, &made);
    if (weir_capi_end(status, s))
        *handle = made;
    finish(&c);
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
    call c;
    no_outputs(output_values, noutputs);
    prepare(&c, ninputs, noutputs);
    weir_status s =
        describe(&c, inputs, input_values, ninputs, outputs, noutputs, target_opers, ntargets);
    if (!s)
        s = weir_session_partial_run(session->session, handle, &c.request, c.out);
    if (weir_capi_end(status, s))
        give(&c, output_values, noutputs);
    finish(&c);
}

/* ---- devices --------------------------------------------------------------------------------- */

TF_DeviceList *TF_SessionListDevices(TF_Session *session, TF_Status *status)
{
    TF_DeviceList *list = NULL;
    weir_capi_end(status, weir_capi_list_devices(session, &list));
    return list;
}
