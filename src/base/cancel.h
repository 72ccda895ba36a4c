/* base/cancel.h - the one way to stop a step: waiting code registers a callback that wakes it.
 *
 * A weir_cancel is shared (retain/release by its ref). Thread-safe.
 */
#ifndef WEIR_BASE_CANCEL_H
#define WEIR_BASE_CANCEL_H

#include "base/ref.h"
#include "base/status.h"

typedef struct weir_cancel weir_cancel;

weir_cancel *
weir_cancel_create(weir_cancel *parent);       /* may be null; its cancellation cancels this, too */
void weir_cancel_release(weir_cancel *cancel); /* takes null */
weir_cancel *weir_cancel_retain(weir_cancel *cancel);

/* Calls every registered callback once, on this thread. Takes |why| (never null); the first wins.
 */
void weir_cancel_fire(weir_cancel *cancel, weir_status why);
bool weir_cancel_fired(const weir_cancel *cancel);
/* A copy of the reason, or success when not cancelled. */
weir_status weir_cancel_status(weir_cancel *cancel);

/* Registers fn(arg) and returns its token (> 0), or 0 when already cancelled: then fn is not and
 * will not be called. */
int64_t weir_cancel_add(weir_cancel *cancel, void (*fn)(void *arg), void *arg);
/* True: fn was not and will not be called. False: it was called, or another thread is calling it;
 * then this waits until it returns, unless this thread is the caller. */
bool weir_cancel_remove(weir_cancel *cancel, int64_t token);

/* Whether it is as if new: not fired, without callbacks, and the caller has the only reference. Its
 * parent may still fire it afterwards. */
bool weir_cancel_idle(weir_cancel *cancel);

/* Between begin and end, cancelling |caller| (may be null) cancels |step| with the same reason. The
 * struct must not move in between. */
typedef struct weir_following {
    weir_cancel *caller, *step;
    int64_t token;
} weir_following;
void weir_follow_begin(weir_following *following, weir_cancel *caller, weir_cancel *step);
void weir_follow_end(weir_following *following);

#endif
