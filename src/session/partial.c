/* session/partial.c - partial runs: one step that several calls feed and fetch.
 *
 * The step starts at setup and waits for its arguments; each run feeds some and waits for results.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/room.h"
#include "session/session_impl.h"

typedef void (*arg_done)(void *arg, weir_status status, weir_tensor tensor);

typedef struct port {
    bool used;          /* fed, or fetched */
    bool have, dead;    /* of a result: it is available */
    weir_tensor tensor; /* fed before it was requested, or produced and not fetched yet */
    arg_done waiting;   /* requested before it was fed */
    void *arg;
} port;

typedef struct partial {
    weir_ref ref; /* held by the session's map, and by each call in progress */
    weir_local_session *s;
    prepared *p;
    weir_edge *feeds, *fetches;
    step_context context;
    weir_cancel *cancel;  /* the step's; retained: a call may begin when the step has ended */
    size_t held;          /* bytes in base/room.h, estimated */
    int64_t cancel_token; /* of stop_waiting */
    weir_mutex lock;
    weir_cond changed;
    port *args WEIR_GUARDED_BY(lock), *rets WEIR_GUARDED_BY(lock);
    bool over WEIR_GUARDED_BY(lock); /* the step ended */
    weir_status status WEIR_GUARDED_BY(lock);
} partial;

static void destroy(weir_ref *ref)
{
    partial *this_partial = (partial *)ref;
    for (int i = 0; i < this_partial->p->feed_count; i++)
        weir_tensor_release(&this_partial->args[i].tensor);
    for (int i = 0; i < this_partial->p->fetch_count; i++)
        weir_tensor_release(&this_partial->rets[i].tensor);
    weir_free(this_partial->args);
    weir_free(this_partial->rets);
    weir_free(this_partial->feeds);
    weir_free(this_partial->fetches);
    weir_status_free(this_partial->status);
    weir_cond_fini(&this_partial->changed);
    weir_mutex_fini(&this_partial->lock);
    weir_room_drop(&this_partial->held);
    weir_cancel_release(this_partial->cancel);
    weir_free(this_partial);
}

/* Fails the nodes that wait for a feed. */
static void refuse_args(partial *partial)
{
    weir_ref_retain(&partial->ref); /* the last failure may end the step */
    for (int i = 0; i < partial->p->feed_count; i++) {
        weir_mutex_lock(&partial->lock);
        arg_done waiting = partial->args[i].waiting;
        void *waiting_arg = partial->args[i].arg;
        partial->args[i].waiting = NULL;
        weir_mutex_unlock(&partial->lock);
        if (waiting)
            waiting(waiting_arg, weir_cancel_status(partial->cancel), (weir_tensor){0});
    }
    weir_ref_release(&partial->ref);
}

/* The step is cancelled: ends the waits for feeds, and for values of other devices and tasks. Any
 * of them may end the step. */
static void stop_waiting(void *arg)
{
    partial *partial = arg;
    weir_rendezvous *rendezvous = partial->context.run.rendezvous;
    weir_ref_retain(&partial->ref);
    weir_ref_retain(&rendezvous->ref);
    refuse_args(partial);
    rendezvous->abort(rendezvous, weir_cancel_status(partial->cancel));
    weir_rendezvous_release(rendezvous);
    weir_ref_release(&partial->ref);
}

static void ask(void *ctx, int index, arg_done done, void *arg)
{
    partial *partial = ctx;
    weir_mutex_lock(&partial->lock);
    port *port = &partial->args[index];
    weir_tensor tensor = port->tensor;
    bool have = port->have;
    if (have) {
        port->tensor = (weir_tensor){0};
    } else {
        port->waiting = done;
        port->arg = arg;
    }
    weir_mutex_unlock(&partial->lock);
    if (have)
        done(arg, WEIR_OK, tensor);
    else if (weir_cancel_fired(partial->cancel))
        refuse_args(partial); /* stop_waiting may have missed this one */
}

static void produce(void *ctx, int index, weir_tensor tensor, bool dead)
{
    partial *partial = ctx;
    weir_mutex_lock(&partial->lock);
    partial->rets[index].tensor = tensor;
    partial->rets[index].have = true;
    partial->rets[index].dead = dead;
    weir_cond_broadcast(&partial->changed);
    weir_mutex_unlock(&partial->lock);
}

static void partitions_over(void *arg, weir_status status)
{
    partial *partial = arg;
    weir_local_session *session = partial->s;
    step_context context = partial->context;
    weir_cancel_remove(context.run.cancel, partial->cancel_token);
    weir_mutex_lock(&partial->lock);
    partial->over = true;
    partial->status = status;
    weir_cond_broadcast(&partial->changed);
    weir_mutex_unlock(&partial->lock);
    weir_ref_release(&partial->ref);
    weir_step_context_end(session, &context); /* the session may be freed from here on */
}

static void step_over(void *arg, weir_status status)
{
    partial *partial = arg;
    weir_step_context_finish_remote(&partial->context, status, NULL, partitions_over, partial);
}

static partial *new_partial(weir_local_session *session, prepared *prepared,
                            const weir_request *request)
{
    partial *made = WEIR_NEW(partial);
    weir_ref_init(&made->ref, destroy);
    weir_mutex_init(&made->lock);
    weir_cond_init(&made->changed);
    made->s = session;
    made->p = prepared;
    made->args = WEIR_NEW_ARRAY(port, prepared->feed_count);
    made->rets = WEIR_NEW_ARRAY(port, prepared->fetch_count);
    made->feeds = WEIR_NEW_ARRAY(weir_edge, prepared->feed_count);
    made->fetches = WEIR_NEW_ARRAY(weir_edge, prepared->fetch_count);
    for (int i = 0; i < prepared->feed_count; i++)
        made->feeds[i] = request->feeds[i];
    for (int i = 0; i < prepared->fetch_count; i++)
        made->fetches[i] = request->fetches[i];
    return made;
}

/* Adds the run to the session's map under a new handle, which the caller owns. */
static char *keep_partial(weir_local_session *session, partial *partial)
{
    char handle[32];
    weir_mutex_lock(&session->lock);
    snprintf(handle, sizeof handle, "partial_%" PRId64, session->next_partial++);
    weir_map_put(&session->partial_runs, weir_str_of(handle), partial);
    weir_mutex_unlock(&session->lock);
    return weir_strdup(handle);
}

static void start_partial(partial *partial)
{
    weir_step_ports ports = {ask, produce, partial};
    weir_step_spec spec = {.plan = partial->p->plan,
                           .run = &partial->context.run,
                           .max_runners = partial->s->runners,
                           .counted = true,
                           .ports = &ports};
    weir_ref_retain(&partial->ref); /* the step's */
    weir_step_context_start_remote(partial->p, &partial->context, false);
    partial->cancel_token = weir_cancel_add(partial->cancel, stop_waiting, partial);
    weir_step_start(&spec, step_over, partial);
}

weir_status weir_local_partial_setup(weir_session *session, const weir_request *request,
                                     char **out_handle)
{
    weir_local_session *local = weir_local_of(session);
    prepared *prepared;
    WEIR_TRY(weir_local_prepare(local, request, PLAN_PARTIAL, &prepared));
    size_t held = 0;
    WEIR_TRY(weir_room_hold(&held, sizeof(partial) + prepared->held / 2, "a partial run"));
    partial *partial = new_partial(local, prepared, request);
    partial->held = held;
    weir_status status =
        weir_step_context_begin(local, request->options, NULL, NULL, &partial->context);
    if (status) {
        weir_ref_release(&partial->ref);
        return status;
    }
    partial->cancel = weir_cancel_retain(partial->context.run.cancel);
    *out_handle = keep_partial(local, partial);
    start_partial(partial);
    return WEIR_OK;
}

static int find(const weir_edge *list, int count, weir_edge edge)
{
    for (int i = 0; i < count; i++)
        if (list[i].node == edge.node && list[i].index == edge.index)
            return i;
    return -1;
}

static weir_status feed(partial *partial, weir_edge edge, const weir_tensor *tensor)
{
    int i = find(partial->feeds, partial->p->feed_count, edge);
    if (i < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The feed %s:%d was not specified in partial_run_setup.",
                          edge.node ? edge.node->site.name : "?", edge.index);
    if (tensor->dtype != partial->p->feed_types[i])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The value fed for tensor '%s' has type %s, but the "
                          "tensor has type %s",
                          partial->p->feed_names[i], weir_dtype_name(tensor->dtype),
                          weir_dtype_name(partial->p->feed_types[i]));
    weir_mutex_lock(&partial->lock);
    port *port = &partial->args[i];
    bool again = port->used;
    arg_done waiting = port->waiting;
    void *arg = port->arg;
    if (!again) {
        port->used = true;
        port->waiting = NULL;
        port->have = !waiting;
        if (!waiting)
            port->tensor = weir_tensor_share(tensor);
    }
    weir_mutex_unlock(&partial->lock);
    if (again)
        return weir_error(WEIR_INVALID_ARGUMENT, "The feed %s has already been fed.",
                          partial->p->feed_names[i]);
    if (waiting)
        waiting(arg, WEIR_OK, weir_tensor_share(tensor));
    return WEIR_OK;
}

/* Waits for a result. */
static weir_status fetch(partial *r, weir_edge edge, weir_tensor *out) WEIR_REQUIRES(r->lock)
{
    int i = find(r->fetches, r->p->fetch_count, edge);
    if (i < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The fetch %s:%d was not specified in "
                          "partial_run_setup.",
                          edge.node ? edge.node->site.name : "?", edge.index);
    port *port = &r->rets[i];
    while (!port->used && !port->have && !r->over)
        weir_cond_wait(&r->changed, &r->lock);
    if (port->used) /* before, or by another call meanwhile */
        return weir_error(WEIR_INVALID_ARGUMENT, "The fetch %s has already been fetched.",
                          r->p->fetch_names[i]);
    if (!port->have)
        return r->status ? weir_status_copy(r->status)
                         : weir_error(WEIR_INVALID_ARGUMENT, "'%s' was not computed",
                                      r->p->fetch_names[i]);
    if (port->dead)
        return weir_error(WEIR_INVALID_ARGUMENT, "The tensor returned for %s was not valid.",
                          r->p->fetch_names[i]);
    port->used = true;
    *out = port->tensor;
    port->tensor = (weir_tensor){0};
    return WEIR_OK;
}

static bool all_used(const partial *partial)
{
    for (int i = 0; i < partial->p->feed_count; i++)
        if (!partial->args[i].used)
            return false;
    for (int i = 0; i < partial->p->fetch_count; i++)
        if (!partial->rets[i].used)
            return false;
    return true;
}

/* Fetches that depend on missing feeds would block forever: they are rejected. */
static weir_status check_feeds_came(partial *partial, weir_edge fetch)
{
    WEIR_VEC(weir_node *) queue = {0};
    weir_map seen = {0};
    weir_status status = WEIR_OK;
    weir_mutex_lock(partial->s->base.graph_lock);
    weir_mutex_lock(&partial->lock);
    weir_edge edge = fetch;
    int i = find(partial->feeds, partial->p->feed_count, edge);
    if (i < 0)
        weir_vec_push(&queue, edge.node);
    while (queue.count && !status) {
        weir_node *node = queue.at[--queue.count];
        if (weir_map_put(&seen, (weir_str){(const char *)&node, sizeof node}, node))
            continue;
        for (int k = 0; k < node->site.in_count && !status; k++) {
            i = find(partial->feeds, partial->p->feed_count, node->in[k]);
            if (i >= 0 && !partial->args[i].used)
                status = weir_error(WEIR_INVALID_ARGUMENT,
                                    "Fetch %s:%d can't be computed from the feeds that "
                                    "have been fed so far: %s is missing.",
                                    fetch.node->site.name, fetch.index, partial->p->feed_names[i]);
            else if (i < 0)
                weir_vec_push(&queue, node->in[k].node);
        }
        for (size_t k = 0; k < node->controls.count; k++)
            weir_vec_push(&queue, node->controls.at[k]);
    }
    weir_mutex_unlock(&partial->lock);
    weir_mutex_unlock(partial->s->base.graph_lock);
    weir_map_fini(&seen);
    weir_vec_fini(&queue);
    return status;
}

static weir_status run_some(partial *partial, const weir_request *request, weir_tensor *out)
{
    for (int i = 0; i < request->feed_count; i++)
        WEIR_TRY(feed(partial, request->feeds[i], &request->feed_values[i]));
    for (int i = 0; i < request->fetch_count; i++)
        WEIR_TRY(check_feeds_came(partial, request->fetches[i]));
    weir_status status = WEIR_OK;
    weir_mutex_lock(&partial->lock);
    for (int i = 0; i < request->fetch_count && !status; i++)
        status = fetch(partial, request->fetches[i], &out[i]);
    weir_mutex_unlock(&partial->lock);
    return status;
}

weir_status weir_local_partial_run(weir_session *session, const char *handle,
                                   const weir_request *request, weir_tensor *out_fetched)
{
    weir_local_session *local_session = weir_local_of(session);
    weir_mutex_lock(&local_session->lock);
    partial *this_partial = weir_map_get(&local_session->partial_runs, weir_str_of(handle));
    if (this_partial)
        weir_ref_retain(&this_partial->ref);
    weir_mutex_unlock(&local_session->lock);
    if (!this_partial)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Must run 'setup' before performing partial runs! (no "
                          "partial run has the handle '%s')",
                          handle);
    for (int i = 0; i < request->fetch_count; i++)
        out_fetched[i] = (weir_tensor){0};
    weir_following follow; /* cancelling a call that waits cancels the step */
    weir_follow_begin(&follow, request->cancel, this_partial->cancel);
    weir_status st = run_some(this_partial, request, out_fetched);
    weir_follow_end(&follow);
    for (int i = 0; st && i < request->fetch_count; i++)
        weir_tensor_release(&out_fetched[i]);
    weir_mutex_lock(&this_partial->lock);
    bool finished = all_used(this_partial);
    weir_mutex_unlock(&this_partial->lock);
    if (finished) {
        weir_mutex_lock(&local_session->lock);
        partial *listed = weir_map_remove(&local_session->partial_runs, weir_str_of(handle));
        weir_mutex_unlock(&local_session->lock);
        weir_ref_release((weir_ref *)listed);
    }
    weir_ref_release(&this_partial->ref);
    return st;
}

/* The session is closed: every partial run was cancelled and ended. */
void weir_local_free_partial_runs(weir_local_session *session)
{
    size_t at = 0;
    void *r;
    while (weir_map_next(&session->partial_runs, &at, NULL, &r))
        weir_ref_release(r);
    weir_map_fini(&session->partial_runs);
}
