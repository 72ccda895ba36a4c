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

/* ---- the question --------------------------------------------------------------------------- */

typedef struct search {
    WEIR_VEC(weir_node *) queue;
    weir_map seen;          /* a node's address -> itself */
    bool reads_initialized; /* found what tells whether a variable is initialised */
    bool has_effects;       /* found something with an effect or a state of its own */
} search;

static void visit(search *l, weir_node *n)
{
    weir_str key = {(const char *)&n, sizeof n};
    if (weir_map_get(&l->seen, key))
        return;
    weir_map_put(&l->seen, key, n);
    weir_vec_push(&l->queue, n);
    if (weir_node_is(n, "IsVariableInitialized") || weir_node_is(n, "VarIsInitializedOp"))
        l->reads_initialized = true;
    else if (weir_node_is(n, "Variable") || weir_node_is(n, "VariableV2") ||
             weir_node_is(n, "VarHandleOp"))
        return;
    else if (n->function || n->site.def->flags & WEIR_STATEFUL)
        l->has_effects = true;
}

static bool is_readiness_fetch(weir_node *fetched)
{
    search l = {0};
    visit(&l, fetched);
    while (l.queue.count && !l.has_effects) {
        weir_node *n = l.queue.at[--l.queue.count];
        for (int i = 0; i < n->site.in_count; i++)
            visit(&l, n->in[i].node);
        for (size_t i = 0; i < n->controls.count; i++)
            visit(&l, n->controls.at[i]);
    }
    weir_vec_fini(&l.queue);
    weir_map_fini(&l.seen);
    return l.reads_initialized && !l.has_effects;
}

bool weir_master_is_readiness_query(const weir_server *s, master_session *m, const weir_request *q)
{
    const weir_cluster *c = m->cluster;
    if (!m->remote || !m->remote->task_count || !c || c->own < 0 || c->tasks[c->own].index == 0)
        return false;
    if (q->fetch_count != 1 || q->feed_count || q->target_count ||
        weir_edge_dtype(q->fetches[0]) != WEIR_STRING)
        return false;
    pthread_mutex_lock(&m->graph_lock);
    bool reads_initialized = is_readiness_fetch(q->fetches[0].node);
    pthread_mutex_unlock(&m->graph_lock);
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

weir_status weir_master_run_until_ready(master_session *m, const weir_request *q,
                                        int64_t timeout_ms, weir_tensor *fetched)
{
    int64_t limit_ms =
        timeout_ms > 0 && timeout_ms / 2 < MAX_WAIT_MS ? timeout_ms / 2 : MAX_WAIT_MS;
    int64_t start = weir_now_ns(), ms = FIRST_PAUSE_MS;
    for (bool said = false;;) {
        WEIR_TRY(weir_session_run(m->session, q, fetched));
        int64_t names = weir_tensor_count(fetched), waited = (weir_now_ns() - start) / 1000000;
        if (!names || waited + ms > limit_ms || (q->cancel && weir_cancel_fired(q->cancel)))
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
