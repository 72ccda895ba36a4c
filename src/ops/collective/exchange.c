/* ops/collective/exchange.c - join, send, receive, completion. */
#include "ops/collective/exchange.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/timer.h"
#include "ops/collective/watch.h"

#define FIRST_LOOK_NS INT64_C(250000000) /* until the first check of the other members, ... */
#define LOOK_NS INT64_C(1000000000)      /* ... and between two */

/* ---- completion ------------------------------------------------------------------------------ */

/* The timers and the watch do not call any more. */
static void stop_checks(weir_exchange *exchange)
{
    if (exchange->timer)
        weir_timer_remove(exchange->timer);
    if (exchange->look)
        weir_timer_remove(exchange->look);
    weir_watch_stop(exchange->watch);
    weir_cancel_release(exchange->cancel);
}

static void free_exchange(weir_exchange *exchange)
{
    weir_group_release(exchange->group);
    weir_free(exchange->given);
    weir_buf_fini(&exchange->key);
    weir_mutex_fini(&exchange->lock);
    weir_tensor_release(&exchange->out);
    exchange->destroy(exchange);
}

/* No callback is to come. */
static void end(weir_exchange *exchange)
{
    weir_call *call = exchange->call;
    weir_status status = exchange->status;
    stop_checks(exchange);
    if (!status) {
        weir_call_set(call, 0, exchange->out);
        exchange->out = (weir_tensor){0};
    }
    free_exchange(exchange);
    weir_call_finish(call, status);
}

/* The op has failed, and only members that have not released a buffer are waited for. */
static void leave(weir_exchange *exchange)
{
    weir_status status = exchange->status;
    exchange->status = WEIR_OK;
    stop_checks(exchange);
    weir_call_finish(exchange->call, status);
}

void weir_exchange_hold(weir_exchange *exchange)
{
    weir_mutex_lock(&exchange->lock);
    exchange->holds++;
    weir_mutex_unlock(&exchange->lock);
}

/* False: it was the last hold. */
static bool drop_hold(weir_exchange *exchange, bool *out_left, bool *out_leaves)
{
    weir_mutex_lock(&exchange->lock);
    *out_left = exchange->left;
    bool held = --exchange->holds > 0;
    *out_leaves = held && !exchange->left && exchange->status && exchange->holds == exchange->gifts;
    if (*out_leaves) {
        exchange->left = true;
        exchange->holds++; /* until it has left */
    }
    weir_mutex_unlock(&exchange->lock);
    return held;
}

void weir_exchange_let_go(weir_exchange *exchange)
{
    bool left, leaves;
    bool held = drop_hold(exchange, &left, &leaves);
    if (leaves) {
        leave(exchange);
        held = drop_hold(exchange, &left, &leaves);
    }
    if (!held && left)
        free_exchange(exchange);
    else if (!held)
        end(exchange);
}

bool weir_exchange_try_hold(weir_exchange *exchange)
{
    weir_mutex_lock(&exchange->lock);
    bool can = exchange->holds && !exchange->left;
    exchange->holds += can;
    weir_mutex_unlock(&exchange->lock);
    return can;
}

/* Records the first error, and cancels the step. */
void weir_exchange_fail(weir_exchange *exchange, weir_status status)
{
    weir_rendezvous *rendezvous = exchange->call->run->rendezvous;
    weir_mutex_lock(&exchange->lock);
    bool first = !exchange->status;
    if (first)
        exchange->status = weir_status_copy(status);
    weir_mutex_unlock(&exchange->lock);
    if (first)
        rendezvous->abort(rendezvous, status);
    else
        weir_status_free(status);
}

static bool failed(weir_exchange *exchange)
{
    weir_mutex_lock(&exchange->lock);
    bool has = exchange->status != NULL;
    weir_mutex_unlock(&exchange->lock);
    return has;
}

void weir_exchange_stop(weir_exchange *exchange, weir_status status)
{
    weir_status why = weir_status_copy(status);
    weir_exchange_fail(exchange, status); /* first: the pending join is cancelled */
    weir_cancel_fire(exchange->cancel, why);
}

bool weir_exchange_needs(const weir_exchange *exchange, int rank)
{
    return !atomic_load(&exchange->joined) || atomic_load(&exchange->given[rank]);
}

void weir_exchange_refuse(weir_exchange *exchange, weir_status status)
{
    weir_call *call = exchange->call;
    weir_tensor_release(&exchange->out);
    exchange->destroy(exchange);
    weir_call_finish(call, status);
}

/* ---- buffers -------------------------------------------------------------------------------- */

static void full_key(const weir_exchange *exchange, const char *key, weir_buf *out)
{
    weir_buf_add(out, exchange->key.at, exchange->key.length);
    weir_buf_adds(out, key);
}

/* A sent buffer. */
typedef struct gift {
    weir_exchange *x; /* held */
    int to;
    void (*then)(void *arg);
    void *arg;
} gift;

static void was_taken(void *data, size_t bytes, void *arg)
{
    gift *gift = arg;
    weir_exchange *exchange = gift->x;
    weir_mutex_lock(&exchange->lock);
    exchange->gifts--; /* from here on it does not leave without this callback */
    bool left = exchange->left;
    weir_mutex_unlock(&exchange->lock);
    atomic_fetch_sub(&exchange->given[gift->to], 1);
    if (gift->then && !left)
        gift->then(gift->arg);
    weir_free(gift);
    weir_exchange_let_go(exchange);
}

void weir_exchange_give(weir_exchange *exchange, int to, const char *key, void *data, int64_t count,
                        void (*then)(void *arg), void *arg)
{
    weir_rendezvous *rendezvous = exchange->call->run->rendezvous;
    WEIR_BUF(whole);
    full_key(exchange, key, &whole);
    gift *new_gift = WEIR_NEW(gift);
    *new_gift = (gift){exchange, to, then, arg};
    atomic_fetch_add(&exchange->given[to], 1);
    weir_mutex_lock(&exchange->lock);
    exchange->gifts++;
    exchange->holds += 2; /* until it is taken, and for this function */
    weir_mutex_unlock(&exchange->lock);
    weir_tensor tensor = {
        .buffer = weir_buffer_wrap(data, (size_t)count * weir_dtype_size(exchange->out.dtype),
                                   was_taken, new_gift),
        .data = data,
        .dtype = exchange->out.dtype,
        .shape = {.rank = 1, .dims = {count}}};
    weir_status status = rendezvous->send(rendezvous, weir_view(&whole), tensor, false);
    if (status)
        weir_exchange_fail(exchange, status);
    weir_exchange_let_go(exchange);
}

/* A pending receive. */
typedef struct taking {
    weir_exchange *x; /* held */
    int64_t count;
    void (*done)(weir_exchange *exchange, void *arg, const weir_tensor *tensor);
    void *arg;
} taking;

/* The value may have been sent by another op, of this task or of another. */
static weir_status check_value(const taking *taking, const weir_tensor *tensor)
{
    weir_dtype dtype = taking->x->out.dtype;
    if (tensor->dtype == dtype && weir_tensor_count(tensor) == taking->count)
        return WEIR_OK;
    return weir_error(WEIR_INTERNAL,
                      "Tensor Size Mismatch: a member of group %" PRId32 " gave %" PRId64
                      " elements of %s, expected: %" PRId64 " of %s",
                      taking->x->what.group_key, weir_tensor_count(tensor),
                      weir_dtype_name(tensor->dtype), taking->count, weir_dtype_name(dtype));
}

static void came(void *arg, weir_status status, weir_tensor tensor, bool dead)
{
    taking *taking = arg;
    weir_exchange *exchange = taking->x;
    if (!status)
        status = check_value(taking, &tensor);
    if (status)
        weir_exchange_fail(exchange, status);
    else if (!failed(exchange))
        taking->done(exchange, taking->arg, &tensor);
    weir_tensor_release(&tensor);
    weir_free(taking);
    weir_exchange_let_go(exchange);
}

void weir_exchange_take(weir_exchange *x, int from, const char *key, int64_t count,
                        void (*done)(weir_exchange *x, void *arg, const weir_tensor *t), void *arg)
{
    weir_run *run = x->call->run;
    WEIR_BUF(whole);
    full_key(x, key, &whole);
    taking *new_taking = WEIR_NEW(taking);
    *new_taking = (taking){x, count, done, arg};
    weir_exchange_hold(x);
    run->collectives->recv(run->collectives, run->step_id, run->rendezvous,
                           &x->group->members[from], weir_view(&whole), x->out.dtype, count, came,
                           new_taking);
}

/* ---- start ----------------------------------------------------------------------------------- */

/* A group comes from a leader, which may be another task: it has to be the one that the op was
 * prepared for. Takes over the status. */
static weir_status check_group(const weir_exchange *exchange, weir_status status,
                               const weir_group *group, int rank, int source)
{
    const weir_collective *what = &exchange->what;
    int least = what->type == WEIR_COLLECTIVE_BROADCAST ? 0 : -1; /* -1: no source */
    WEIR_TRY(status);
    if (group->size == what->group_size && rank >= 0 && rank < group->size && source >= least &&
        source < group->size)
        return WEIR_OK;
    return weir_error(WEIR_INTERNAL,
                      "group %" PRId32 " of %d members, with rank %d and source %d, is not the "
                      "group of %" PRId32 " members that %s joined",
                      what->group_key, group->size, rank, source, what->group_size, what->name);
}

static void joined(void *arg, weir_status status, weir_group *group, int rank, int source)
{
    weir_exchange *exchange = arg;
    status = check_group(exchange, status, group, rank, source);
    if (status) {
        weir_group_release(group);
        weir_exchange_fail(exchange, status);
    } else {
        exchange->given = WEIR_NEW_ARRAY(atomic_int, group->size);
        atomic_store(&exchange->joined, true);
        exchange->group = group;
        exchange->rank = rank;
        exchange->source = source;
        if (!failed(exchange))
            exchange->run(exchange);
    }
    weir_exchange_let_go(exchange);
}

/* On the timer thread. */
static void time_is_up(void *arg)
{
    weir_exchange *exchange = arg;
    const char *text = atomic_load(&exchange->joined)
                           ? "Collective has timed out during execution."
                           : "Collective has timed out waiting for other workers.";
    if (!weir_exchange_try_hold(exchange))
        return;
    weir_exchange_stop(exchange, weir_error(WEIR_DEADLINE_EXCEEDED, "%s", text));
    weir_exchange_let_go(exchange);
}

static void look(void *arg);

static void look_later(weir_exchange *exchange, int64_t ns)
{
    weir_mutex_lock(&exchange->lock);
    exchange->look = weir_timer_add(weir_now_ns() + ns, look, exchange);
    weir_mutex_unlock(&exchange->lock);
}

/* On the timer thread. */
static void look(void *arg)
{
    weir_exchange *exchange = arg;
    if (!weir_exchange_try_hold(exchange))
        return;
    if (!exchange->watch)
        exchange->watch = weir_watch_create(exchange);
    weir_watch_look(exchange->watch, exchange);
    look_later(exchange, LOOK_NS);
    weir_exchange_let_go(exchange);
}

void weir_exchange_start(weir_exchange *exchange)
{
    weir_call *call = exchange->call;
    weir_collectives *collectives = call->run->collectives;
    if (!collectives || !call->run->rendezvous) {
        weir_exchange_refuse(
            exchange, weir_error(WEIR_INTERNAL,
                                 "Failed to get CollectiveExecutor from OpKernelContext for Op %s",
                                 call->site->name));
        return;
    }
    weir_buf_addf(&exchange->key, "%" PRId32 ":%" PRId32 ":%" PRIu64 ":%" PRId64,
                  exchange->what.group_key, exchange->what.instance_key, call->frame_id,
                  call->iteration);
    weir_mutex_init(&exchange->lock);
    exchange->cancel = weir_cancel_create(call->run->cancel);
    exchange->holds = 2; /* the join, and this function */
    if (exchange->timeout_s > 0)
        exchange->timer = weir_timer_add(
            weir_now_ns() + (int64_t)((double)exchange->timeout_s * 1e9), time_is_up, exchange);
    if (collectives->find)
        look_later(exchange, FIRST_LOOK_NS);
    collectives->join(collectives, &exchange->what, exchange->cancel, joined, exchange);
    weir_exchange_let_go(exchange);
}
