/* observe/trace.h - a few steps traced while everything runs: who wants them, and their events.
 *
 * Events are Chrome's, as JSON objects with a comma behind each. Thread-safe.
 */
#ifndef WEIR_OBSERVE_TRACE_H
#define WEIR_OBSERVE_TRACE_H

#include "base/str.h"

enum { WEIR_TRACE_STEPS = 1000 }; /* at most, at once */

/* The next |steps| steps are traced; what earlier ones left is dropped. */
void weir_trace_next(int steps);
bool weir_trace_wanted(void);          /* true once for each of them */
void weir_trace_keep(weir_str events); /* of one step */
/* Waits until the events of |steps| steps are there, or for |timeout_ms|, and appends them; gives
 * of how many steps. */
int weir_trace_take(int steps, int timeout_ms, weir_buf *out);

#endif
