/* base/stop.h - loops within an op that end early when its step does.
 *
 * The values of a few tensors can make an op run for hours. Loops that may be long check here now
 * and then, and return early; their partial results are discarded. Loops whose results control
 * other code, such as indices, do not check.
 */
#ifndef WEIR_BASE_STOP_H
#define WEIR_BASE_STOP_H

#include <stdatomic.h>

#include "base/deadline.h"

typedef struct weir_stop {
    const weir_cancel *cancel;     /* may be null */
    const weir_deadline *deadline; /* of the thread that runs the op, also on its helpers */
    atomic_bool seen;              /* some work was skipped */
    atomic_bool no_room;           /* base/room.h refused an allocation */
    struct weir_stop *outer;
} weir_stop;

extern _Thread_local weir_stop *weir_stop_innermost; /* for the functions below */

/* Around one op. Between begin and end this thread's work is to stop when |cancel| is fired or a
 * deadline that was set at the begin (base/deadline.h) has passed. The end tells whether any work
 * was skipped. */
static inline void weir_stop_begin(weir_stop *stop, const weir_cancel *cancel)
{
    stop->cancel = cancel;
    stop->deadline = weir_deadline_innermost;
    atomic_init(&stop->seen, false);
    atomic_init(&stop->no_room, false);
    stop->outer = weir_stop_innermost;
    weir_stop_innermost = stop;
}
static inline bool weir_stop_end(weir_stop *stop)
{
    weir_stop_innermost = stop->outer;
    return atomic_load_explicit(&stop->seen, memory_order_relaxed);
}
/* This thread's, for threads that work on its behalf; null: none. */
static inline weir_stop *weir_stop_current(void)
{
    return weir_stop_innermost;
}
/* This thread works for |stop| (may be null) from now on. Returns the previous one. */
weir_stop *weir_stop_work_for(weir_stop *stop);

/* True when the caller is to return early, after which the op ends with an error. It takes tens of
 * nanoseconds. */
bool weir_stopped(void);

#endif
