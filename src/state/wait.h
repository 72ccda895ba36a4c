/* state/wait.h - asynchronous calls that wait for a shared object.
 *
 * An object that calls can wait for has a wait point: its lock, and the pending calls. A
 * call supplies a function that attempts the operation under the lock. It is tried at the
 * start and again whenever the object has changed; if its step is cancelled, the call ends
 * with CANCELLED. Calls of one lane complete in FIFO order; lanes are independent.
 * Thread-safe.
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

/* Attempts it, with the lock held. True: done, with this status (outputs set on success). */
typedef bool (*weir_wait_try)(weir_call *call, void *object, weir_status *out_status);

typedef struct weir_wait {
    weir_wait_point *point;
    weir_resource *object; /* retained while the call waits */
    weir_wait_try attempt;
    int lane;              /* 0 to 31; WEIR_NO_LANE: unordered */
    const char *cancelled; /* message of a cancelled call */
} weir_wait;

enum { WEIR_NO_LANE = -1 };

void weir_wait_init(weir_wait_point *point);
void weir_wait_fini(weir_wait_point *point); /* no call may be pending */
/* Attempts, or waits. The call is finished eventually; |call| may be invalid when this returns. */
void weir_wait_start(const weir_wait *wait, weir_call *call);
/* The object has changed: retries pending calls. Without the lock. */
void weir_wait_changed(weir_wait_point *point);

#endif
