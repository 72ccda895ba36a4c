/* base/deadline.h - until when this thread may work for a request.
 *
 * What is done before a step runs (functions opened up, constants folded, passes) has no step to be
 * cancelled by: it asks here, between pieces of work whose number a client chooses.
 */
#ifndef WEIR_BASE_DEADLINE_H
#define WEIR_BASE_DEADLINE_H

#include "base/cancel.h"

typedef struct weir_deadline {
    int64_t until_ns;    /* 0: none */
    weir_cancel *cancel; /* null: none */
    const struct weir_deadline *outer;
} weir_deadline;

/* From begin to end, on this thread: |timeout_ms| (0: any time) from now, or until |cancel| (may be
 * null) is fired. Deadlines nest; each of them counts. */
void weir_deadline_begin(weir_deadline *deadline, int64_t timeout_ms, weir_cancel *cancel);
void weir_deadline_end(weir_deadline *deadline);
/* Those of this thread, for another one that works for it until they end. */
extern _Thread_local const weir_deadline *weir_deadline_innermost;
bool weir_deadline_passed(const weir_deadline *innermost);
/* DEADLINE_EXCEEDED, or why the work was cancelled. Cheap. */
WEIR_CHECKED weir_status weir_deadline_check(void);

#endif
