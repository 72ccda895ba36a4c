/* observe/trace.h - on-demand traces of a few steps: requests, and events.
 *
 * Events are Chrome's, as JSON objects followed by commas. Thread-safe.
 */
#ifndef WEIR_OBSERVE_TRACE_H
#define WEIR_OBSERVE_TRACE_H

#include "base/str.h"

enum { WEIR_TRACE_STEPS = 1000 }; /* maximum, at once */

/* Traces the next |steps| steps; earlier events are dropped. */
void weir_trace_next(int steps);
bool weir_trace_wanted(void);          /* true once for each of them */
void weir_trace_keep(weir_str events); /* of one step */
/* Waits until the events of |steps| steps are available, at most |timeout_ms|, and appends them;
 * returns the number of steps. */
int weir_trace_take(int steps, int timeout_ms, weir_buf *out);

#endif
