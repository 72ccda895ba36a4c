/* net/loop_impl.h - the thread that serves an epoll, and its replacement when it is blocked.
 *
 * Callbacks of a serving thread should be short, and nearly always are; but a step that was short a
 * thousand times may be long or block the next time. So callbacks are bracketed by weir_loop_call
 * and weir_loop_back. One thread of the process (the watchdog) checks every few milliseconds
 * whether a loop's thread is still in the same callback. If so, it starts a new serving thread; the
 * old one continues the callback, learns from weir_loop_back that it was replaced, and must not
 * touch the serving thread's data any more.
 */
#ifndef WEIR_NET_LOOP_IMPL_H
#define WEIR_NET_LOOP_IMPL_H

#include <limits.h>
#include <stdatomic.h>

#include "base/mutex.h"
#include "base/status.h"

typedef struct weir_loop weir_loop;

/* A present or former serving thread. */
typedef struct weir_turn {
    weir_loop *loop;
    struct weir_turn *before; /* the one it is to replace; null: it is the first */
    unsigned long held_up;    /* that one's pulse at the time */
    atomic_ulong pulse;       /* odd: in a callback; different for each. WEIR_TURN_LOST: replaced */
} weir_turn;

#define WEIR_TURN_LOST ULONG_MAX

struct weir_loop {
    void (*run)(void *arg); /* serves until the loop ends or this thread is replaced */
    void *arg;
    weir_loop *next;     /* list of watched loops; under the watchdog's lock, as are: */
    weir_turn *current;  /* the serving one; null: none any more */
    weir_turn *coming;   /* its replacement that is being started; null: none */
    unsigned long pulse; /* of the current one at the watchdog's last check, ... */
    int64_t since_ns;    /* ... and since when */
    weir_mutex lock;
    weir_cond left;
    int threads WEIR_GUARDED_BY(lock); /* serving or blocked ones */
};

/* RESOURCE_EXHAUSTED when no thread can be started. */
WEIR_CHECKED weir_status weir_loop_start(weir_loop *loop, void (*run)(void *), void *arg);
/* Waits until |run| has returned on every thread. */
void weir_loop_join(weir_loop *loop);

extern _Thread_local weir_turn *weir_this_turn; /* null: not a loop's thread */

/* Whether this thread is still the serving one; always true outside of loops. */
static inline bool weir_loop_mine(void)
{
    weir_turn *turn = weir_this_turn;
    return !turn || atomic_load_explicit(&turn->pulse, memory_order_acquire) != WEIR_TURN_LOST;
}

/* Before a callback that may take long. Not while this thread holds a lock or changes data of the
 * serving thread. */
void weir_loop_call(void);
/* After the callback. False: this thread was replaced. */
static inline bool weir_loop_back(void)
{
    weir_turn *turn = weir_this_turn;
    if (!turn)
        return true;
    unsigned long pulse = atomic_load_explicit(&turn->pulse, memory_order_relaxed);
    return pulse != WEIR_TURN_LOST &&
           atomic_compare_exchange_strong(&turn->pulse, &pulse, pulse + 1);
}

#endif
