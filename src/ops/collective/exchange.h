/* ops/collective/exchange.h - one member's execution of a collective op: joins its group, and sends
 * buffers to and receives them from other members.
 *
 * It is fully asynchronous: no thread blocks. An exchange ends when no transfer is pending: no
 * receive in progress, and no sent buffer that was not taken. The first error cancels the step and
 * its pending transfers. The op then ends without waiting for sent buffers, since a member that is
 * paused may keep one for ever; their memory is freed when they are released. An exchange that
 * takes long watches the other members (watch.h).
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
    /* Called when the group is complete; starts the algorithm. */
    void (*run)(weir_exchange *exchange);
    void (*destroy)(weir_exchange *exchange); /* frees the algorithm's state and the exchange */
    weir_tensor out;                          /* the result; owned */
    /* Set when |run| is called: */
    weir_group *group;
    int rank, source; /* source: of a broadcast */
    weir_buf key;     /* prefix of the buffers' keys */
    /* Private: */
    weir_cancel *cancel; /* cancels joining */
    int64_t timer;
    atomic_bool joined;
    atomic_int *given; /* by rank: buffers that the member has not taken yet */
    weir_mutex lock;
    int holds WEIR_GUARDED_BY(lock);          /* callbacks to come, ... */
    int gifts WEIR_GUARDED_BY(lock);          /* ... and those among them for sent buffers */
    bool left WEIR_GUARDED_BY(lock);          /* the op has ended; only gifts are pending */
    weir_status status WEIR_GUARDED_BY(lock); /* the first error */
    int64_t look WEIR_GUARDED_BY(lock);       /* timer of the next check by |watch| */
    struct weir_watch *watch;                 /* null: not started yet */
};

/* Joins the group. |exchange| is zeroed except for its first fields; out may be empty. */
void weir_exchange_start(weir_exchange *exchange);
/* Fails a call before it starts an exchange. */
void weir_exchange_refuse(weir_exchange *exchange, weir_status status);

/* Retains the exchange for a later callback. */
void weir_exchange_hold(weir_exchange *exchange);
void weir_exchange_let_go(weir_exchange *exchange);
bool weir_exchange_try_hold(weir_exchange *exchange); /* false: it is ending */

/* Ends the exchange and its step with |status| (takes ownership); the caller holds the exchange. */
void weir_exchange_fail(weir_exchange *exchange, weir_status status);
/* The same; it may still be joining. */
void weir_exchange_stop(weir_exchange *exchange, weir_status status);
/* Whether the exchange still needs the member: the group is incomplete, or the member has not taken
 * a buffer sent to it. */
bool weir_exchange_needs(const weir_exchange *exchange, int rank);

/* Sends |count| elements at |data|, part of x->out, to member |to|. |key| ends the buffer's key.
 * |then| (may be null) is called when the data was taken, or never will be, unless the op has ended
 * with an error; until then it must not be changed. */
void weir_exchange_give(weir_exchange *exchange, int to, const char *key, void *data, int64_t count,
                        void (*then)(void *arg), void *arg);
/* Receives |count| elements from member |from|; |done| gets them unless the exchange failed. A
 * buffer from a member of the same task must not be kept: the sender waits for its release. */
void weir_exchange_take(weir_exchange *x, int from, const char *key, int64_t count,
                        void (*done)(weir_exchange *exchange, void *arg, const weir_tensor *tensor),
                        void *arg);

#endif
