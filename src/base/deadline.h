/* base/deadline.h - the deadline of the request that this thread works for.
 *
 * Work before a step runs (inlining functions, folding constants, passes) has no step that could be
 * cancelled: it checks the deadline here, between pieces of work whose number a client chooses.
 */
#ifndef WEIR_BASE_DEADLINE_H
#define WEIR_BASE_DEADLINE_H

#include "base/cancel.h"

typedef struct weir_deadline {
    int64_t until_ns;    /* 0: none */
    weir_cancel *cancel; /* null: none */
    const struct weir_deadline *outer;
} weir_deadline;

/* A deadline on this thread from begin to end: |timeout_ms| (0: none) from now, or when |cancel|
 * (may be null) is fired. Deadlines nest; all of them apply. */
void weir_deadline_begin(weir_deadline *deadline, int64_t timeout_ms, weir_cancel *cancel);
void weir_deadline_end(weir_deadline *deadline);
/* This thread's, for another thread that works on its behalf until the deadline ends. */
extern _Thread_local const weir_deadline *weir_deadline_innermost;
bool weir_deadline_passed(const weir_deadline *innermost);
/* DEADLINE_EXCEEDED, or the reason of the cancellation. Cheap. */
WEIR_CHECKED weir_status weir_deadline_check(void);

#endif
