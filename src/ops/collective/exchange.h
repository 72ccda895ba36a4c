/* ops/collective/exchange.h - one member's run of a collective op: joining its group, giving
 * buffers to other members, taking theirs.
 *
 * Everything happens in callbacks; nobody waits on a thread. An exchange ends when nothing is out
 * any more: no buffer that was asked for, none that was given and not taken. The first error stops
 * the step, and so whatever is out. One that takes long watches the other members (watch.h).
 */
#ifndef WEIR_OPS_COLLECTIVE_EXCHANGE_H
#define WEIR_OPS_COLLECTIVE_EXCHANGE_H

#include "base/mutex.h"
#include "op/collective.h"
#include "op/op.h"

typedef struct weir_exchange weir_exchange;
struct weir_exchange {
    weir_call *call;
    weir_collective what;
    float timeout_s; /* 0: none */
    /* Called when the group is there; starts what there is to do. */
    void (*run)(weir_exchange *exchange);
    void (*destroy)(weir_exchange *exchange); /* frees what the algorithm has and the whole */
    weir_tensor out;                          /* the result; owned */
    /* Set when |run| is called: */
    weir_group *group;
    int rank, source; /* source: of a broadcast */
    weir_buf key;     /* what the keys of buffers begin with */
    /* Private: */
    weir_cancel *cancel; /* of joining */
    int64_t timer;
    atomic_int out_count;
    atomic_bool joined;
    atomic_int *given; /* by rank: buffers that the member has not taken yet */
    weir_mutex lock;
    weir_status status WEIR_GUARDED_BY(lock); /* the first error */
    int64_t look WEIR_GUARDED_BY(lock);       /* the timer of the next one at |watch| */
    struct weir_watch *watch;                 /* null: all goes fast */
};

/* Joins the group. |exchange| is zeroed but for its first fields, of which out may be empty. */
void weir_exchange_start(weir_exchange *exchange);
/* Ends a call that never got so far. */
void weir_exchange_refuse(weir_exchange *exchange, weir_status status);

/* Who goes on later holds the exchange until then. */
void weir_exchange_hold(weir_exchange *exchange);
void weir_exchange_let_go(weir_exchange *exchange);
bool weir_exchange_try_hold(weir_exchange *exchange); /* false: it is ending */

/* Ends the exchange and its step with |status|, which is taken; the caller holds the exchange. */
void weir_exchange_fail(weir_exchange *exchange, weir_status status);
/* The same while it may still be joining. */
void weir_exchange_stop(weir_exchange *exchange, weir_status status);
/* Whether the exchange cannot end without the member: not all have joined, or it was given a buffer
 * that it has not taken. */
bool weir_exchange_needs(const weir_exchange *exchange, int rank);

/* Puts |count| elements at |data|, part of x->out, where member |to| finds them. |key| ends the
 * buffer's key. |then| (may be null) is called when they were taken, or nobody will take them any
 * more; they must not be changed before. */
void weir_exchange_give(weir_exchange *exchange, int to, const char *key, void *data, int64_t count,
                        void (*then)(void *arg), void *arg);
/* Asks member |from| for |count| elements; |done| gets them unless the exchange failed. Those of a
 * member of the same task must not be kept: it waits for their release, as this one does. */
void weir_exchange_take(weir_exchange *x, int from, const char *key, int64_t count,
                        void (*done)(weir_exchange *exchange, void *arg, const weir_tensor *tensor),
                        void *arg);

#endif
