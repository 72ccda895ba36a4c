/* session/partial.c - partial runs: one step whose feeds come and fetches go by several calls.
 *
 * The step starts at setup and waits in its arguments; each run brings some and waits for results.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "session/session_impl.h"

typedef void (*arg_done)(void *arg, weir_status s, weir_tensor t);

typedef struct port {
    bool used;          /* fed, or handed out */
    bool have, dead;    /* of a result: it has come */
    weir_tensor tensor; /* fed before it was asked for, or produced and not fetched yet */
    arg_done waiting;   /* asked for before it was fed */
    void *arg;
} port;

typedef struct partial {
    weir_ref ref; /* the session's map, and each call in progress */
    weir_local_session *s;
    prepared *p;
    weir_edge *feeds, *fetches;
    step_context context;
    int64_t cancel_token; /* of stop_waiting */
    weir_mutex lock;
    weir_cond changed;
    port *args WEIR_GUARDED_BY(lock), *rets WEIR_GUARDED_BY(lock);
    bool over WEIR_GUARDED_BY(lock); /* the step ended */
    weir_status status WEIR_GUARDED_BY(lock);
} partial;

static void destroy(weir_ref *ref)
{
    partial *r = (partial *)ref;
    for (int i = 0; i < r->p->feed_count; i++)
        weir_tensor_release(&r->args[i].tensor);
    for (int i = 0; i < r->p->fetch_count; i++)
        weir_tensor_release(&r->rets[i].tensor);
    weir_free(r->args);
    weir_free(r->rets);
    weir_free(r->feeds);
    weir_free(r->fetches);
    weir_status_free(r->status);
    weir_cond_fini(&r->changed);
    weir_mutex_fini(&r->lock);
    weir_free(r);
}

/* Nobody will feed the rest: those who wait are told. */
static void stop_waiting(void *arg)
{
    partial *r = arg;
    weir_ref_retain(&r->ref); /* the last one told ends the step */
    for (int i = 0; i < r->p->feed_count; i++) {
        weir_mutex_lock(&r->lock);
        arg_done waiting = r->args[i].waiting;
        void *waiting_arg = r->args[i].arg;
        r->args[i].waiting = NULL;
        weir_mutex_unlock(&r->lock);
        if (waiting)
            waiting(waiting_arg, weir_cancel_status(r->context.run.cancel), (weir_tensor){0});
    }
    weir_ref_release(&r->ref);
}

static void ask(void *ctx, int index, arg_done done, void *arg)
{
    partial *r = ctx;
    weir_mutex_lock(&r->lock);
    port *a = &r->args[index];
    weir_tensor t = a->tensor;
    bool have = a->have;
    if (have) {
        a->tensor = (weir_tensor){0};
    } else {
        a->waiting = done;
        a->arg = arg;
    }
    weir_mutex_unlock(&r->lock);
    if (have)
        done(arg, WEIR_OK, t);
    else if (weir_cancel_fired(r->context.run.cancel))
        stop_waiting(r); /* it may have looked here before */
}

static void produce(void *ctx, int index, weir_tensor t, bool dead)
{
    partial *r = ctx;
    weir_mutex_lock(&r->lock);
    r->rets[index].tensor = t;
    r->rets[index].have = true;
    r->rets[index].dead = dead;
    weir_cond_broadcast(&r->changed);
    weir_mutex_unlock(&r->lock);
}

static void parts_over(void *arg, weir_status s)
{
    partial *r = arg;
    weir_local_session *session = r->s;
    step_context context = r->context;
    weir_cancel_remove(context.run.cancel, r->cancel_token);
    weir_mutex_lock(&r->lock);
    r->over = true;
    r->status = s;
    weir_cond_broadcast(&r->changed);
    weir_mutex_unlock(&r->lock);
    weir_ref_release(&r->ref);
    weir_step_context_end(session, &context); /* the session may be gone from here on */
}

static void step_over(void *arg, weir_status s)
{
    partial *r = arg;
    weir_step_context_finish_remote(&r->context, s, NULL, parts_over, r);
}

weir_status weir_local_partial_setup(weir_session *session, const weir_request *q,
                                     char **out_handle)
{
    weir_local_session *s = weir_local_of(session);
    prepared *p;
    WEIR_TRY(weir_local_prepare(s, q, PLAN_PARTIAL, &p));
    partial *r = WEIR_NEW(partial);
    weir_ref_init(&r->ref, destroy);
    weir_mutex_init(&r->lock);
    weir_cond_init(&r->changed);
    r->s = s;
    r->p = p;
    r->args = WEIR_NEW_ARRAY(port, p->feed_count);
    r->rets = WEIR_NEW_ARRAY(port, p->fetch_count);
    r->feeds = WEIR_NEW_ARRAY(weir_edge, p->feed_count);
    r->fetches = WEIR_NEW_ARRAY(weir_edge, p->fetch_count);
    for (int i = 0; i < p->feed_count; i++)
        r->feeds[i] = q->feeds[i];
    for (int i = 0; i < p->fetch_count; i++)
        r->fetches[i] = q->fetches[i];
    weir_status st = weir_step_context_begin(s, q->options, &r->context);
    if (st) {
        weir_ref_release(&r->ref);
        return st;
    }
    char handle[32];
    weir_mutex_lock(&s->lock);
    snprintf(handle, sizeof handle, "partial_%" PRId64, s->next_partial++);
    weir_map_put(&s->partial_runs, weir_str_of(handle), r);
    weir_mutex_unlock(&s->lock);
    *out_handle = weir_strdup(handle);
    weir_ref_retain(&r->ref); /* the step's */
    r->cancel_token = weir_cancel_add(r->context.run.cancel, stop_waiting, r);
    weir_step_context_start_remote(p, &r->context, false);
    weir_step_ports ports = {ask, produce, r};
    weir_step_spec spec = {
        .plan = p->plan, .run = &r->context.run, .max_runners = s->runners, .ports = &ports};
    weir_step_start(&spec, step_over, r);
    return WEIR_OK;
}

static int find(const weir_edge *list, int count, weir_edge e)
{
    for (int i = 0; i < count; i++)
        if (list[i].node == e.node && list[i].index == e.index)
            return i;
    return -1;
}

static weir_status feed(partial *r, weir_edge e, const weir_tensor *t)
{
    int i = find(r->feeds, r->p->feed_count, e);
    if (i < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The feed %s:%d was not specified in partial_run_setup.",
                          e.node ? e.node->site.name : "?", e.index);
    if (t->dtype != r->p->feed_types[i])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The value fed for tensor '%s' has type %s, but the "
                          "tensor has type %s",
                          r->p->feed_names[i], weir_dtype_name(t->dtype),
                          weir_dtype_name(r->p->feed_types[i]));
    weir_mutex_lock(&r->lock);
    port *a = &r->args[i];
    bool again = a->used;
    arg_done waiting = a->waiting;
    void *arg = a->arg;
    if (!again) {
        a->used = true;
        a->waiting = NULL;
        a->have = !waiting;
        if (!waiting)
            a->tensor = weir_tensor_share(t);
    }
    weir_mutex_unlock(&r->lock);
    if (again)
        return weir_error(WEIR_INVALID_ARGUMENT, "The feed %s has already been fed.",
                          r->p->feed_names[i]);
    if (waiting)
        waiting(arg, WEIR_OK, weir_tensor_share(t));
    return WEIR_OK;
}

/* Waits for a result. */
static weir_status fetch(partial *r, weir_edge e, weir_tensor *out) WEIR_REQUIRES(r->lock)
{
    int i = find(r->fetches, r->p->fetch_count, e);
    if (i < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The fetch %s:%d was not specified in "
                          "partial_run_setup.",
                          e.node ? e.node->site.name : "?", e.index);
    port *f = &r->rets[i];
    if (f->used)
        return weir_error(WEIR_INVALID_ARGUMENT, "The fetch %s has already been fetched.",
                          r->p->fetch_names[i]);
    while (!f->have && !r->over)
        weir_cond_wait(&r->changed, &r->lock);
    if (!f->have)
        return r->status ? weir_status_copy(r->status)
                         : weir_error(WEIR_INVALID_ARGUMENT, "'%s' was not computed",
                                      r->p->fetch_names[i]);
    if (f->dead)
        return weir_error(WEIR_INVALID_ARGUMENT, "The tensor returned for %s was not valid.",
                          r->p->fetch_names[i]);
    f->used = true;
    *out = f->tensor;
    f->tensor = (weir_tensor){0};
    return WEIR_OK;
}

static bool all_used(const partial *r)
{
    for (int i = 0; i < r->p->feed_count; i++)
        if (!r->args[i].used)
            return false;
    for (int i = 0; i < r->p->fetch_count; i++)
        if (!r->rets[i].used)
            return false;
    return true;
}

/* Fetches that need feeds which have not come would wait for ever: they are refused. */
static weir_status check_feeds_came(partial *r, weir_edge fetch)
{
    WEIR_VEC(weir_node *) queue = {0};
    weir_map seen = {0};
    weir_status s = WEIR_OK;
    weir_mutex_lock(r->s->base.graph_lock);
    weir_mutex_lock(&r->lock);
    weir_edge e = fetch;
    int i = find(r->feeds, r->p->feed_count, e);
    if (i < 0)
        weir_vec_push(&queue, e.node);
    while (queue.count && !s) {
        weir_node *n = queue.at[--queue.count];
        if (weir_map_put(&seen, (weir_str){(const char *)&n, sizeof n}, n))
            continue;
        for (int k = 0; k < n->site.in_count && !s; k++) {
            i = find(r->feeds, r->p->feed_count, n->in[k]);
            if (i >= 0 && !r->args[i].used)
                s = weir_error(WEIR_INVALID_ARGUMENT,
                               "Fetch %s:%d can't be computed from the feeds that "
                               "have been fed so far: %s is missing.",
                               fetch.node->site.name, fetch.index, r->p->feed_names[i]);
            else if (i < 0)
                weir_vec_push(&queue, n->in[k].node);
        }
        for (size_t k = 0; k < n->controls.count; k++)
            weir_vec_push(&queue, n->controls.at[k]);
    }
    weir_mutex_unlock(&r->lock);
    weir_mutex_unlock(r->s->base.graph_lock);
    weir_map_fini(&seen);
    weir_vec_fini(&queue);
    return s;
}

static weir_status run_some(partial *r, const weir_request *q, weir_tensor *out)
{
    for (int i = 0; i < q->feed_count; i++)
        WEIR_TRY(feed(r, q->feeds[i], &q->feed_values[i]));
    for (int i = 0; i < q->fetch_count; i++)
        WEIR_TRY(check_feeds_came(r, q->fetches[i]));
    weir_status s = WEIR_OK;
    weir_mutex_lock(&r->lock);
    for (int i = 0; i < q->fetch_count && !s; i++)
        s = fetch(r, q->fetches[i], &out[i]);
    weir_mutex_unlock(&r->lock);
    return s;
}

weir_status weir_local_partial_run(weir_session *session, const char *handle, const weir_request *q,
                                   weir_tensor *out_fetched)
{
    weir_local_session *s = weir_local_of(session);
    weir_mutex_lock(&s->lock);
    partial *r = weir_map_get(&s->partial_runs, weir_str_of(handle));
    if (r)
        weir_ref_retain(&r->ref);
    weir_mutex_unlock(&s->lock);
    if (!r)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Must run 'setup' before performing partial runs! (no "
                          "partial run has the handle '%s')",
                          handle);
    for (int i = 0; i < q->fetch_count; i++)
        out_fetched[i] = (weir_tensor){0};
    weir_status st = run_some(r, q, out_fetched);
    for (int i = 0; st && i < q->fetch_count; i++)
        weir_tensor_release(&out_fetched[i]);
    weir_mutex_lock(&r->lock);
    bool finished = all_used(r);
    weir_mutex_unlock(&r->lock);
    if (finished) {
        weir_mutex_lock(&s->lock);
        partial *listed = weir_map_remove(&s->partial_runs, weir_str_of(handle));
        weir_mutex_unlock(&s->lock);
        weir_ref_release((weir_ref *)listed);
    }
    weir_ref_release(&r->ref);
    return st;
}

/* The session is closed: every partial run was cancelled and ended. */
void weir_local_free_partial_runs(weir_local_session *s)
{
    size_t at = 0;
    void *r;
    while (weir_map_next(&s->partial_runs, &at, NULL, &r))
        weir_ref_release(r);
    weir_map_fini(&s->partial_runs);
}
