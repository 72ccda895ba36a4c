/* dist/in_process.c - a session on a server in this process: its steps bypass the network.
 *
 * The session is created, extended and closed through the server's port, like any client's. Its
 * steps run in the server's own session: a step's feeds, fetches and targets are looked up in the
 * server's graph on first use, and stored as a callable. If the server has ended the session, it is
 * unbound; from then on calls to the server's port report the cause.
 */
#include "dist/client_impl.h"
#include "dist/master_impl.h"
#include "dist/options.h"
#include "dist/own_servers.h"

/* The server's session, and the steps resolved in it. Held by the calls in progress. */
typedef struct bound_session {
    weir_ref ref;
    master_session *master; /* retained */
    weir_mutex lock;
    weir_map steps WEIR_GUARDED_BY(lock); /* feeds, fetches, targets -> own_step */
} bound_session;

/* A step on the server's graph. */
typedef struct own_step {
    weir_callable *callable; /* null: nothing to run */
    known_fetch *known;      /* by fetch */
    int asked;               /* fetches that the step has to compute */
} own_step;

/* ---- the server's session -------------------------------------------------------------------- */

static void free_step(own_step *step)
{
    weir_status_free(weir_callable_release(step->callable)); /* of a local session: cannot fail */
    weir_free(step->known);
    weir_free(step);
}

static void destroy_bound(weir_ref *ref)
{
    bound_session *bound = (bound_session *)ref;
    size_t at = 0;
    void *step;
    while (weir_map_next(&bound->steps, &at, NULL, &step))
        free_step(step);
    weir_map_fini(&bound->steps);
    weir_ref_release(&bound->master->ref);
    weir_mutex_fini(&bound->lock);
    weir_free(bound);
}

static bound_session *bind_session(const weir_grpc_session *session)
{
    master_session *master = weir_own_servers_find(session->target, session->handle);
    if (!master)
        return NULL;
    bound_session *bound = WEIR_NEW(bound_session);
    weir_ref_init(&bound->ref, destroy_bound);
    weir_mutex_init(&bound->lock);
    bound->master = master;
    return bound;
}

void weir_in_process_unbind(weir_grpc_session *session)
{
    weir_mutex_lock(&session->bound_lock);
    bound_session *bound = session->bound;
    session->bound = NULL;
    weir_mutex_unlock(&session->bound_lock);
    weir_ref_release((weir_ref *)bound);
}

/* Retained; null if the server, or its session, has ended. */
static bound_session *find_bound(weir_grpc_session *session)
{
    weir_mutex_lock(&session->bound_lock);
    if (!session->bound)
        session->bound = bind_session(session);
    bound_session *bound = session->bound;
    if (bound)
        weir_ref_retain(&bound->ref);
    weir_mutex_unlock(&session->bound_lock);
    if (!bound || !weir_session_is_closed(bound->master->session))
        return bound;
    weir_ref_release(&bound->ref);
    weir_in_process_unbind(session);
    return NULL;
}

/* ---- requests over the server's graph -------------------------------------------------------- */

typedef struct translated_request {
    weir_request request;
    weir_edge *edges; /* feeds, then fetches to compute */
    weir_node **targets;
} translated_request;

static weir_status find_node(const weir_graph *graph, const weir_node *like, weir_node **out_node)
{
    *out_node = weir_graph_find(graph, weir_str_of(like->site.name));
    return *out_node
               ? WEIR_OK
               : weir_error(WEIR_NOT_FOUND, "FetchOutputs node %s: not found", like->site.name);
}

static weir_status find_edge(const weir_graph *graph, weir_edge like, weir_edge *out_edge)
{
    out_edge->index = like.index;
    return find_node(graph, like.node, &out_edge->node);
}

static bool is_asked(const known_fetch *known)
{
    return known->feed < 0 && known->fetch < 0;
}

static weir_status find_all(const weir_graph *graph, const weir_request *from,
                            const known_fetch *known, translated_request *to)
{
    int asked = 0;
    weir_edge *fetches = to->edges + from->feed_count;
    for (int i = 0; i < from->feed_count; i++)
        WEIR_TRY(find_edge(graph, from->feeds[i], &to->edges[i]));
    for (int i = 0; i < from->fetch_count; i++)
        if (is_asked(&known[i]))
            WEIR_TRY(find_edge(graph, from->fetches[i], &fetches[asked++]));
    for (int i = 0; i < from->target_count; i++)
        WEIR_TRY(find_node(graph, from->targets[i], &to->targets[i]));
    to->request = *from;
    to->request.feeds = to->edges;
    to->request.fetches = fetches;
    to->request.fetch_count = asked;
    to->request.targets = to->targets;
    return WEIR_OK;
}

static weir_status translate(master_session *master, const weir_request *from,
                             const known_fetch *known, translated_request *to)
{
    to->edges = WEIR_NEW_ARRAY(weir_edge, from->feed_count + from->fetch_count);
    to->targets = WEIR_NEW_ARRAY(weir_node *, from->target_count);
    weir_mutex_lock(&master->graph_lock);
    weir_status status = find_all(master->graph, from, known, to);
    weir_mutex_unlock(&master->graph_lock);
    return status;
}

static void translated_fini(translated_request *translated)
{
    weir_free(translated->edges);
    weir_free(translated->targets);
}

static known_fetch *find_known(const weir_request *request)
{
    known_fetch *known = WEIR_NEW_ARRAY(known_fetch, request->fetch_count);
    for (int i = 0; i < request->fetch_count; i++)
        known[i] = weir_request_known_fetch(request, i);
    return known;
}

static int count_asked(const known_fetch *known, int count)
{
    int asked = 0;
    for (int i = 0; i < count; i++)
        asked += is_asked(&known[i]);
    return asked;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void add_edges(weir_buf *key, const weir_edge *edges, int count)
{
    weir_buf_add(key, &count, sizeof count);
    for (int i = 0; i < count; i++) {
        weir_buf_add(key, &edges[i].node, sizeof edges[i].node);
        weir_buf_add(key, &edges[i].index, sizeof edges[i].index);
    }
}

static void make_key(const weir_request *request, weir_buf *key)
{
    weir_buf_addc(key, request->repeat ? '+' : '=');
    add_edges(key, request->feeds, request->feed_count);
    add_edges(key, request->fetches, request->fetch_count);
    if (request->target_count)
        weir_buf_add(key, request->targets,
                     sizeof *request->targets * (size_t)request->target_count);
}

/* The step's options are given per call. */
static weir_status make_step(bound_session *bound, const weir_request *request, own_step **out_step)
{
    translated_request translated = {0};
    own_step *step = WEIR_NEW(own_step);
    step->known = find_known(request);
    step->asked = count_asked(step->known, request->fetch_count);
    weir_status status = WEIR_OK;
    if (step->asked || request->target_count) {
        status = translate(bound->master, request, step->known, &translated);
        translated.request.options = NULL;
        if (!status)
            status = weir_session_make_callable(bound->master->session, &translated.request,
                                                &step->callable);
    }
    translated_fini(&translated);
    if (status)
        free_step(step);
    else
        *out_step = step;
    return status;
}

static own_step *look_up(bound_session *bound, weir_str key)
{
    weir_mutex_lock(&bound->lock);
    own_step *step = weir_map_get(&bound->steps, key);
    weir_mutex_unlock(&bound->lock);
    return step;
}

static weir_status find_step(bound_session *bound, const weir_request *request, own_step **out_step)
{
    WEIR_BUF(key);
    make_key(request, &key);
    *out_step = look_up(bound, weir_view(&key));
    if (*out_step)
        return WEIR_OK;
    WEIR_TRY(make_step(bound, request, out_step));
    weir_mutex_lock(&bound->lock);
    own_step *other = weir_map_get(&bound->steps, weir_view(&key));
    if (!other)
        weir_map_put(&bound->steps, weir_view(&key), *out_step);
    weir_mutex_unlock(&bound->lock);
    if (other) { /* another thread was first */
        free_step(*out_step);
        *out_step = other;
    }
    return WEIR_OK;
}

/* Moves the |asked| fetches at the front of |out| to their positions, and fills in known ones. */
static void spread(const weir_request *request, const known_fetch *known, int asked,
                   weir_tensor *out)
{
    for (int i = request->fetch_count - 1; i >= 0; i--)
        if (is_asked(&known[i]))
            out[i] = out[--asked];
    for (int i = 0; i < request->fetch_count; i++)
        if (known[i].feed >= 0)
            out[i] = weir_tensor_share(&request->feed_values[known[i].feed]);
        else if (known[i].fetch >= 0)
            out[i] = weir_tensor_share(&out[known[i].fetch]);
}

static weir_status run_found(weir_grpc_session *session, const own_step *step,
                             const weir_request *request, weir_tensor *out_fetched)
{
    weir_request call = *request;
    call.cancel = request->cancel ? request->cancel : session->cancel;
    if (step->callable)
        WEIR_TRY(weir_callable_run(step->callable, &call, out_fetched));
    spread(request, step->known, step->asked, out_fetched);
    return WEIR_OK;
}

static weir_status run_bound(weir_grpc_session *session, bound_session *bound,
                             const weir_request *request, weir_tensor *out_fetched)
{
    own_step *step;
    WEIR_TRY(find_step(bound, request, &step));
    return run_found(session, step, request, out_fetched);
}

static weir_status run(weir_session *session, const weir_request *request, weir_tensor *out_fetched)
{
    weir_grpc_session *grpc_session = weir_grpc_of(session);
    WEIR_TRY(weir_grpc_session_extend_within(grpc_session, weir_request_timeout(request)));
    bound_session *bound = find_bound(grpc_session);
    if (!bound)
        return weir_grpc_run(session, request, out_fetched);
    weir_status status = run_bound(grpc_session, bound, request, out_fetched);
    weir_ref_release(&bound->ref);
    return status;
}

/* ---- callables ------------------------------------------------------------------------------- */

typedef struct own_callable {
    weir_callable base;
    bound_session *bound; /* retained; null: |by_network| */
    own_step *step;       /* of |bound| */
    weir_callable *by_network;
    int fetch_count;
    weir_run_options options; /* for calls without options */
} own_callable;

static weir_status find_callable(weir_session *session, const weir_request *request,
                                 own_callable *callable)
{
    WEIR_TRY(weir_grpc_extend(session));
    callable->bound = find_bound(weir_grpc_of(session));
    return callable->bound ? find_step(callable->bound, request, &callable->step)
                           : weir_grpc_make_callable(session, request, &callable->by_network);
}

static weir_status release_callable(weir_callable *callable)
{
    own_callable *c = (own_callable *)callable;
    weir_status status = c->by_network ? weir_grpc_release_callable(c->by_network) : WEIR_OK;
    weir_ref_release((weir_ref *)c->bound);
    weir_free(c);
    return status;
}

static weir_status make_callable(weir_session *session, const weir_request *request,
                                 weir_callable **out_callable)
{
    own_callable *callable = WEIR_NEW(own_callable);
    callable->base.session = session;
    callable->fetch_count = request->fetch_count;
    if (request->options)
        callable->options = *request->options;
    callable->options.message = NULL;
    weir_status status = find_callable(session, request, callable);
    if (status)
        weir_status_free(release_callable(&callable->base));
    else
        *out_callable = &callable->base;
    return status;
}

static weir_status run_callable(weir_callable *callable, const weir_request *call,
                                weir_tensor *out_fetched)
{
    own_callable *c = (own_callable *)callable;
    if (c->by_network)
        return weir_grpc_run_callable(c->by_network, call, out_fetched);
    if (weir_session_is_closed(c->bound->master->session))
        return weir_error(WEIR_ABORTED, "Session %s is not found.", c->bound->master->handle);
    weir_request request = *call;
    request.fetch_count = c->fetch_count;
    if (!request.options)
        request.options = &c->options;
    return run_found(weir_grpc_of(callable->session), c->step, &request, out_fetched);
}

/* ---- partial runs ---------------------------------------------------------------------------- */

static weir_status partial_run_bound(weir_grpc_session *session, bound_session *bound,
                                     const char *handle, const weir_request *request,
                                     weir_tensor *out_fetched)
{
    translated_request translated = {0};
    known_fetch *known = find_known(request);
    weir_status status = translate(bound->master, request, known, &translated);
    translated.request.cancel = request->cancel ? request->cancel : session->cancel;
    if (!status)
        status = weir_session_partial_run(bound->master->session, handle, &translated.request,
                                          out_fetched);
    if (!status)
        spread(request, known, translated.request.fetch_count, out_fetched);
    translated_fini(&translated);
    weir_free(known);
    return status;
}

static weir_status partial_run(weir_session *session, const char *handle,
                               const weir_request *request, weir_tensor *out_fetched)
{
    weir_grpc_session *grpc_session = weir_grpc_of(session);
    WEIR_TRY(weir_grpc_extend(session));
    bound_session *bound = find_bound(grpc_session);
    if (!bound)
        return weir_grpc_partial_run(session, handle, request, out_fetched);
    weir_status status = partial_run_bound(grpc_session, bound, handle, request, out_fetched);
    weir_ref_release(&bound->ref);
    return status;
}

const weir_session_fns weir_in_process_fns = {
    .destroy = weir_grpc_destroy,
    .close = weir_grpc_close,
    .extend = weir_grpc_extend,
    .run = run,
    .partial_setup = weir_grpc_partial_setup,
    .partial_run = partial_run,
    .make_callable = make_callable,
    .run_callable = run_callable,
    .release_callable = release_callable,
    .list_devices = weir_grpc_list_devices,
};
