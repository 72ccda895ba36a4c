/* ops/collective/exchange.c - joining, giving, taking, ending. */
#include "ops/collective/exchange.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/timer.h"

/* ---- ending --------------------------------------------------------------------------------- */

static void end(weir_exchange *x)
{
    weir_call *call = x->call;
    weir_status s = x->status;
    if (x->timer)
        weir_timer_remove(x->timer);
    if (s)
        weir_tensor_release(&x->out);
    else
        weir_call_set(call, 0, x->out);
    weir_group_release(x->group);
    weir_cancel_release(x->cancel);
    weir_buf_fini(&x->key);
    weir_mutex_fini(&x->lock);
    x->destroy(x);
    weir_call_finish(call, s);
}

void weir_exchange_hold(weir_exchange *x)
{
    atomic_fetch_add(&x->out_count, 1);
}

void weir_exchange_let_go(weir_exchange *x)
{
    if (atomic_fetch_sub(&x->out_count, 1) == 1)
        end(x);
}

/* Keeps the first error, and stops the step. Takes |s|; the caller holds the exchange. */
static void fail(weir_exchange *x, weir_status s)
{
    weir_rendezvous *r = x->call->run->rendezvous;
    weir_mutex_lock(&x->lock);
    bool first = !x->status;
    if (first)
        x->status = weir_status_copy(s);
    weir_mutex_unlock(&x->lock);
    if (first)
        r->abort(r, s);
    else
        weir_status_free(s);
}

static bool failed(weir_exchange *x)
{
    weir_mutex_lock(&x->lock);
    bool has = x->status != NULL;
    weir_mutex_unlock(&x->lock);
    return has;
}

void weir_exchange_refuse(weir_exchange *x, weir_status s)
{
    weir_call *call = x->call;
    weir_tensor_release(&x->out);
    x->destroy(x);
    weir_call_finish(call, s);
}

/* ---- buffers -------------------------------------------------------------------------------- */

static void full_key(const weir_exchange *x, const char *key, weir_buf *out)
{
    weir_buf_add(out, x->key.at, x->key.length);
    weir_buf_adds(out, key);
}

/* A buffer that was given. */
typedef struct gift {
    weir_exchange *x; /* held */
    void (*then)(void *arg);
    void *arg;
} gift;

static void was_taken(void *data, size_t bytes, void *arg)
{
    gift *g = arg;
    weir_exchange *x = g->x;
    if (g->then)
        g->then(g->arg);
    weir_free(g);
    weir_exchange_let_go(x);
}

void weir_exchange_give(weir_exchange *x, const char *key, void *data, int64_t count,
                        void (*then)(void *arg), void *arg)
{
    weir_rendezvous *r = x->call->run->rendezvous;
    WEIR_BUF(whole);
    full_key(x, key, &whole);
    gift *g = WEIR_NEW(gift);
    *g = (gift){x, then, arg};
    weir_exchange_hold(x); /* until it is taken ... */
    weir_exchange_hold(x); /* ... and for this function */
    weir_tensor t = {.buffer = weir_buffer_wrap(data, (size_t)count * weir_dtype_size(x->out.dtype),
                                                was_taken, g),
                     .data = data,
                     .dtype = x->out.dtype,
                     .shape = {.rank = 1, .dims = {count}}};
    weir_status s = r->send(r, weir_view(&whole), t, false);
    if (s)
        fail(x, s);
    weir_exchange_let_go(x);
}

/* A buffer that was asked for. */
typedef struct taking {
    weir_exchange *x; /* held */
    int64_t count;
    void (*done)(weir_exchange *x, void *arg, const weir_tensor *t);
    void *arg;
} taking;

static void came(void *arg, weir_status s, weir_tensor t, bool dead)
{
    taking *k = arg;
    weir_exchange *x = k->x;
    if (!s && weir_tensor_count(&t) != k->count)
        s = weir_error(WEIR_INTERNAL,
                       "Tensor Size Mismatch: a member of group %" PRId32 " gave %" PRId64
                       " elements, expected: %" PRId64,
                       x->what.group_key, weir_tensor_count(&t), k->count);
    if (s)
        fail(x, s);
    else if (!failed(x))
        k->done(x, k->arg, &t);
    weir_tensor_release(&t);
    weir_free(k);
    weir_exchange_let_go(x);
}

void weir_exchange_take(weir_exchange *x, int from, const char *key, int64_t count,
                        void (*done)(weir_exchange *x, void *arg, const weir_tensor *t), void *arg)
{
    weir_run *run = x->call->run;
    WEIR_BUF(whole);
    full_key(x, key, &whole);
    taking *k = WEIR_NEW(taking);
    *k = (taking){x, count, done, arg};
    weir_exchange_hold(x);
    run->collectives->recv(run->collectives, run->step_id, run->rendezvous,
                           &x->group->members[from], weir_view(&whole), x->out.dtype, count, came,
                           k);
}

/* ---- beginning ------------------------------------------------------------------------------ */

static void joined(void *arg, weir_status s, weir_group *group, int rank, int source)
{
    weir_exchange *x = arg;
    if (s) {
        fail(x, s);
    } else {
        atomic_store(&x->joined, true);
        x->group = group;
        x->rank = rank;
        x->source = source;
        if (!failed(x))
            x->run(x);
    }
    weir_exchange_let_go(x);
}

/* On the timers' thread. */
static void time_is_up(void *arg)
{
    weir_exchange *x = arg;
    const char *text = atomic_load(&x->joined)
                           ? "Collective has timed out during execution."
                           : "Collective has timed out waiting for other workers.";
    weir_exchange_hold(x);
    weir_cancel_fire(x->cancel, weir_error(WEIR_DEADLINE_EXCEEDED, "%s", text));
    fail(x, weir_error(WEIR_DEADLINE_EXCEEDED, "%s", text));
    weir_exchange_let_go(x);
}

void weir_exchange_start(weir_exchange *x)
{
    weir_call *call = x->call;
    weir_collectives *c = call->run->collectives;
    if (!c || !call->run->rendezvous) {
        weir_exchange_refuse(
            x, weir_error(WEIR_INTERNAL,
                          "Failed to get CollectiveExecutor from OpKernelContext for Op %s",
                          call->site->name));
        return;
    }
    weir_buf_addf(&x->key, "%" PRId32 ":%" PRId32 ":%" PRIu64 ":%" PRId64 ":", x->what.group_key,
                  x->what.instance_key, call->frame_id, call->iteration);
    weir_mutex_init(&x->lock);
    x->cancel = weir_cancel_create(call->run->cancel);
    atomic_init(&x->out_count, 2); /* joining, and this function */
    if (x->timeout_s > 0)
        x->timer =
            weir_timer_add(weir_now_ns() + (int64_t)((double)x->timeout_s * 1e9), time_is_up, x);
    c->join(c, &x->what, x->cancel, joined, x);
    weir_exchange_let_go(x);
}
