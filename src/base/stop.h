/* base/stop.h - loops within an op that end when its step does.
 *
 * The sizes of a few tensors can make an op work for hours. Loops that may be long ask here now and
 * then, and leave the rest undone; what they have computed is then thrown away. Loops whose results
 * lead other code, such as indices, do not ask.
 */
#ifndef WEIR_BASE_STOP_H
#define WEIR_BASE_STOP_H

#include <stdatomic.h>

#include "base/deadline.h"

typedef struct weir_stop {
    const weir_cancel *cancel;     /* may be null */
    const weir_deadline *deadline; /* of the thread that runs the op, whoever else works for it */
    atomic_bool seen;              /* somebody has left work undone */
    atomic_bool no_room;           /* base/room.h refused some memory */
    struct weir_stop *outer;
} weir_stop;

extern _Thread_local weir_stop *weir_stop_innermost; /* for the functions below */

/* Around one op. From begin to end, what this thread does is no longer wanted when |cancel| is
 * fired or a deadline that it had at the begin (base/deadline.h) has passed. The end tells whether
 * anything was left undone. */
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
/* That of this thread, for others that work for it; null: none. */
static inline weir_stop *weir_stop_current(void)
{
    return weir_stop_innermost;
}
/* This thread works for |stop| (may be null) from now on. Returns whom it worked for. */
weir_stop *weir_stop_work_for(weir_stop *stop);

/* True when the caller is to leave the rest undone, after which the op ends with an error. It takes
 * tens of nanoseconds. */
bool weir_stopped(void);

#endif
