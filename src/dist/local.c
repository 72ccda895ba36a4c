/* dist/local.c - steps of a client in the server's own process. */
#include "dist/local.h"

#include "dist/master_impl.h"

enum { FEW = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static WEIR_VEC(weir_server *) servers; /* under lock */

void weir_local_add(weir_server *s)
{
    pthread_mutex_lock(&lock);
    weir_vec_push(&servers, s);
    pthread_mutex_unlock(&lock);
}

void weir_local_remove(weir_server *s)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < servers.count; i++)
        if (servers.at[i] == s)
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

static weir_status find_node(const weir_graph *g, const weir_node *like, weir_node **out)
{
    *out = weir_graph_find(g, weir_str_of(like->site.name));
    return *out ? WEIR_OK
                : weir_error(WEIR_NOT_FOUND, "FetchOutputs node %s: not found", like->site.name);
}

static weir_status find_all(const weir_graph *g, const weir_request *q, translated *t)
{
    for (int i = 0; i < q->feed_count; i++) {
        WEIR_TRY(find_node(g, q->feeds[i].node, &t->edges[i].node));
        t->edges[i].index = q->feeds[i].index;
    }
    weir_edge *fetches = t->edges + q->feed_count;
    for (int i = 0; i < q->fetch_count; i++) {
        WEIR_TRY(find_node(g, q->fetches[i].node, &fetches[i].node));
        fetches[i].index = q->fetches[i].index;
    }
    for (int i = 0; i < q->target_count; i++)
        WEIR_TRY(find_node(g, q->targets[i], &t->nodes[i]));
    return WEIR_OK;
}

static weir_status translate(master_session *m, const weir_request *q, translated *t)
{
    int edges = q->feed_count + q->fetch_count;
    t->edges = edges <= 2 * FEW ? t->few_edges : WEIR_NEW_ARRAY(weir_edge, edges);
    t->nodes = q->target_count <= FEW ? t->few_nodes : WEIR_NEW_ARRAY(weir_node *, q->target_count);
    pthread_mutex_lock(&m->graph_lock);
    weir_status s = find_all(m->graph, q, t);
    pthread_mutex_unlock(&m->graph_lock);
    t->request = *q;
    t->request.feeds = t->edges;
    t->request.fetches = t->edges + q->feed_count;
    t->request.targets = t->nodes;
    return s;
}

static void end(translated *t)
{
    if (t->edges != t->few_edges)
        weir_free(t->edges);
    if (t->nodes != t->few_nodes)
        weir_free(t->nodes);
}

bool weir_local_run(const char *target, const char *handle, const char *partial,
                    const weir_request *request, weir_tensor *out_fetched, weir_status *out_status)
{
    master_session *m = NULL;
    translated t;
    if (!find(target, handle, &m, out_status))
        return false;
    if (!m)
        return true;
    weir_status s = translate(m, request, &t);
    if (!s)
        s = partial ? weir_session_partial_run(m->session, partial, &t.request, out_fetched)
                    : weir_session_run(m->session, &t.request, out_fetched);
    end(&t);
    weir_ref_release(&m->ref);
    *out_status = s;
    return true;
}
