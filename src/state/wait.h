/* state/wait.h - asynchronous calls that wait until a shared object lets them go on.
 *
 * An object that calls can wait for has a wait point: its lock, and the calls that could not go on
 * yet. A call comes with a function that tries, under the lock, to do what the call is for. It is
 * tried when the call comes and again whenever the object has changed; when its step is cancelled
 * it ends with CANCELLED. Calls of one lane go in the order of coming; lanes do not wait for each
 * other. Thread-safe.
 */
#ifndef WEIR_STATE_WAIT_H
#define WEIR_STATE_WAIT_H

#include "base/mutex.h"
#include "op/op.h"

typedef struct weir_waiter weir_waiter;

typedef struct weir_wait_point {
    weir_mutex lock;
    weir_waiter *first WEIR_GUARDED_BY(lock), **last WEIR_GUARDED_BY(lock);
} weir_wait_point;

/* Tries, with the lock held. True: done, with this status (outputs set when it is success). */
typedef bool (*weir_wait_try)(weir_call *call, void *object, weir_status *out_status);

typedef struct weir_wait {
    weir_wait_point *point;
    weir_resource *object; /* retained while the call waits */
    weir_wait_try attempt;
    int lane;              /* 0 to 31; WEIR_NO_LANE: waits behind nobody */
    const char *cancelled; /* what a cancelled call says */
} weir_wait;

enum { WEIR_NO_LANE = -1 };

void weir_wait_init(weir_wait_point *point);
void weir_wait_fini(weir_wait_point *point); /* nobody may wait any more */
/* Tries, or waits. The call is finished in time; it may be gone when this returns. */
void weir_wait_start(const weir_wait *wait, weir_call *call);
/* The object has changed: lets go on who can. Without the lock. */
void weir_wait_changed(weir_wait_point *point);

#endif
