/* net/loop_impl.h - the thread that serves an epoll, and who takes its place when it is held up.
 *
 * What a serving thread calls back should be short, and nearly always is; but a step that was short
 * a thousand times may be long or block the next time. So callbacks stand between weir_loop_call
 * and weir_loop_back. One thread of the process (the watchdog) looks every few milliseconds whether
 * a loop's thread is still in the same callback. If so, a new thread serves from then on; the old
 * one goes on with the callback, learns from weir_loop_back that it lost its turn, and from then on
 * touches nothing that belongs to the serving thread.
 */
#ifndef WEIR_NET_LOOP_IMPL_H
#define WEIR_NET_LOOP_IMPL_H

#include <limits.h>
#include <stdatomic.h>

#include "base/mutex.h"
#include "base/status.h"

typedef struct weir_loop weir_loop;

/* A thread that serves, or did. */
typedef struct weir_turn {
    weir_loop *loop;
    struct weir_turn *before; /* whom it is to replace; null: it is the first */
    unsigned long held_up;    /* that one's pulse, then */
    atomic_ulong pulse; /* odd: in a callback; each has another. WEIR_TURN_LOST: not any more */
} weir_turn;

#define WEIR_TURN_LOST ULONG_MAX

struct weir_loop {
    void (*run)(void *arg); /* serves until it is over, or not this thread's turn any more */
    void *arg;
    weir_loop *next;     /* among those that are watched; under the watchdog's lock, as are: */
    weir_turn *current;  /* who serves; null: nobody, any more */
    weir_turn *coming;   /* who is being started to replace it; null: nobody */
    unsigned long pulse; /* of the current one, when the watchdog looked last, ... */
    int64_t since_ns;    /* ... and since when it is that */
    weir_mutex lock;
    weir_cond left;
    int threads WEIR_GUARDED_BY(lock); /* that serve, or are held up */
};

/* RESOURCE_EXHAUSTED when no thread can be started. */
WEIR_CHECKED weir_status weir_loop_start(weir_loop *loop, void (*run)(void *), void *arg);
/* Waits until |run| has returned on every thread. */
void weir_loop_join(weir_loop *loop);

extern _Thread_local weir_turn *weir_this_turn; /* null: not a thread of a loop */

/* Whether this thread still serves; threads that no loop started always do. */
static inline bool weir_loop_mine(void)
{
    weir_turn *turn = weir_this_turn;
    return !turn || atomic_load_explicit(&turn->pulse, memory_order_acquire) != WEIR_TURN_LOST;
}

/* A callback follows, which may take long. Not while this thread holds a lock or is changing what
 * belongs to the serving thread. */
void weir_loop_call(void);
/* It returned. False: another thread serves by now. */
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
