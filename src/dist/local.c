/* dist/local.c - steps of a client in the server's own process. */
#include "dist/local.h"

#include "dist/master_impl.h"

enum { FEW = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static WEIR_VEC(weir_server *) servers; /* under lock */

void weir_local_add(weir_server *server)
{
    pthread_mutex_lock(&lock);
    weir_vec_push(&servers, server);
    pthread_mutex_unlock(&lock);
}

void weir_local_remove(weir_server *server)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < servers.count; i++)
        if (servers.at[i] == server)
            servers.at[i--] = servers.at[--servers.count];
    if (!servers.count)
        weir_vec_fini(&servers);
    pthread_mutex_unlock(&lock);
}

/* The session, retained. The lock keeps the server until then; the session needs it no longer. */
static bool find(const char *target, const char *handle, master_session **out,
                 weir_status *out_status)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < servers.count && !found; i++)
        if (strcmp(weir_server_target(servers.at[i]), target) == 0) {
            found = true;
            *out_status = weir_master_find_session(servers.at[i], weir_str_of(handle), out);
        }
    pthread_mutex_unlock(&lock);
    return found;
}

/* ---- nodes of the master's graph ------------------------------------------------------------ */

/* A request over the master's graph. */
typedef struct translated {
    weir_request request;
    weir_edge few_edges[2 * FEW], *edges; /* feeds, then fetches */
    weir_node *few_nodes[FEW], **nodes;   /* targets */
} translated;

static weir_status find_node(const weir_graph *graph, const weir_node *like, weir_node **out)
{
    *out = weir_graph_find(graph, weir_str_of(like->site.name));
    return *out ? WEIR_OK
                : weir_error(WEIR_NOT_FOUND, "FetchOutputs node %s: not found", like->site.name);
}

static weir_status find_all(const weir_graph *graph, const weir_request *request,
                            translated *translated)
{
    for (int i = 0; i < request->feed_count; i++) {
        WEIR_TRY(find_node(graph, request->feeds[i].node, &translated->edges[i].node));
        translated->edges[i].index = request->feeds[i].index;
    }
    weir_edge *fetches = translated->edges + request->feed_count;
    for (int i = 0; i < request->fetch_count; i++) {
        WEIR_TRY(find_node(graph, request->fetches[i].node, &fetches[i].node));
        fetches[i].index = request->fetches[i].index;
    }
    for (int i = 0; i < request->target_count; i++)
        WEIR_TRY(find_node(graph, request->targets[i], &translated->nodes[i]));
    return WEIR_OK;
}

static weir_status translate(master_session *session, const weir_request *request,
                             translated *translated)
{
    int edges = request->feed_count + request->fetch_count;
    translated->edges = edges <= 2 * FEW ? translated->few_edges : WEIR_NEW_ARRAY(weir_edge, edges);
    translated->nodes = request->target_count <= FEW
                            ? translated->few_nodes
                            : WEIR_NEW_ARRAY(weir_node *, request->target_count);
    pthread_mutex_lock(&session->graph_lock);
    weir_status status = find_all(session->graph, request, translated);
    pthread_mutex_unlock(&session->graph_lock);
    translated->request = *request;
    translated->request.feeds = translated->edges;
    translated->request.fetches = translated->edges + request->feed_count;
    translated->request.targets = translated->nodes;
    return status;
}

static void end(translated *translated)
{
    if (translated->edges != translated->few_edges)
        weir_free(translated->edges);
    if (translated->nodes != translated->few_nodes)
        weir_free(translated->nodes);
}

bool weir_local_run(const char *target, const char *handle, const char *partial,
                    const weir_request *request, weir_tensor *out_fetched, weir_status *out_status)
{
    master_session *session = NULL;
    translated translated;
    if (!find(target, handle, &session, out_status))
        return false;
    if (!session)
        return true;
    weir_status status = translate(session, request, &translated);
    if (!status)
        status = partial ? weir_session_partial_run(session->session, partial, &translated.request,
                                                    out_fetched)
                         : weir_session_run(session->session, &translated.request, out_fetched);
    end(&translated);
    weir_ref_release(&session->ref);
    *out_status = status;
    return true;
}
