/* dist/master_ready.c - waiting for the chief. */
#include "dist/master_ready.h"

#include "base/clock.h"
#include "base/log.h"
#include "tensor/tstring.h"

enum {
    FIRST_PAUSE_MS = 5,
    MAX_PAUSE_MS = 50,
    FIRST_LOG_MS = 2000,
    MAX_WAIT_MS = 28000, /* the client would sleep for 30 s */
};

/* ---- the query ------------------------------------------------------------------------------ */

typedef struct graph_search {
    WEIR_VEC(weir_node *) queue;
    weir_map seen;          /* a node's address -> itself */
    bool reads_initialized; /* found a test whether a variable is initialised */
    bool has_effects;       /* found a node with an effect or a state of its own */
} graph_search;

static void visit(graph_search *search, weir_node *node)
{
    weir_str key = {(const char *)&node, sizeof node};
    if (weir_map_get(&search->seen, key))
        return;
    weir_map_put(&search->seen, key, node);
    weir_vec_push(&search->queue, node);
    if (weir_node_is(node, "IsVariableInitialized") || weir_node_is(node, "VarIsInitializedOp"))
        search->reads_initialized = true;
    else if (weir_node_is(node, "Variable") || weir_node_is(node, "VariableV2") ||
             weir_node_is(node, "VarHandleOp"))
        return;
    else if (node->function || node->site.def->flags & WEIR_STATEFUL)
        search->has_effects = true;
}

static bool is_readiness_fetch(weir_node *fetched)
{
    graph_search search = {0};
    visit(&search, fetched);
    while (search.queue.count && !search.has_effects) {
        weir_node *node = search.queue.at[--search.queue.count];
        for (int i = 0; i < node->site.in_count; i++)
            visit(&search, node->in[i].node);
        for (size_t i = 0; i < node->controls.count; i++)
            visit(&search, node->controls.at[i]);
    }
    weir_vec_fini(&search.queue);
    weir_map_fini(&search.seen);
    return search.reads_initialized && !search.has_effects;
}

bool weir_master_is_readiness_query(const weir_server *server, master_session *session,
                                    const weir_request *request)
{
    const weir_cluster *cluster = session->cluster;
    if (!session->remote || !session->remote->task_count || !cluster || cluster->own < 0 ||
        cluster->tasks[cluster->own].index == 0)
        return false;
    if (request->fetch_count != 1 || request->feed_count || request->target_count ||
        weir_edge_dtype(request->fetches[0]) != WEIR_STRING)
        return false;
    weir_mutex_lock(&session->graph_lock);
    bool reads_initialized = is_readiness_fetch(request->fetches[0].node);
    weir_mutex_unlock(&session->graph_lock);
    return reads_initialized;
}

/* ---- the wait ------------------------------------------------------------------------------- */

static void log_waiting(const weir_tensor *names, int64_t count)
{
    weir_str name = weir_tstring_get((const weir_tstring *)names->data);
    weir_log(WEIR_LOG_WARNING, "waiting for the chief to initialise the model: %.*s%s",
             WEIR_STR_ARG(name), count > 1 ? " and more" : "");
}

static void pause_ms(int64_t ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

weir_status weir_master_run_until_ready(master_session *session, const weir_request *request,
                                        int64_t timeout_ms, weir_tensor *fetched)
{
    int64_t limit_ms =
        timeout_ms > 0 && timeout_ms / 2 < MAX_WAIT_MS ? timeout_ms / 2 : MAX_WAIT_MS;
    int64_t start = weir_now_ns(), ms = FIRST_PAUSE_MS;
    for (bool said = false;;) {
        WEIR_TRY(weir_session_run(session->session, request, fetched));
        int64_t names = weir_tensor_count(fetched), waited = (weir_now_ns() - start) / 1000000;
        if (!names || waited + ms > limit_ms ||
            (request->cancel && weir_cancel_fired(request->cancel)))
            return WEIR_OK;
        if (!said && waited > FIRST_LOG_MS) {
            log_waiting(fetched, names);
            said = true;
        }
        weir_tensor_release(fetched);
        pause_ms(ms);
        ms = 2 * ms < MAX_PAUSE_MS ? 2 * ms : MAX_PAUSE_MS;
    }
}
