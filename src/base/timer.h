/* base/timer.h - timers with callbacks, on one thread that starts with the first timer. */
#ifndef WEIR_BASE_TIMER_H
#define WEIR_BASE_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Starts that thread now. RESOURCE_EXHAUSTED when it cannot be started. */
WEIR_CHECKED weir_status weir_timer_start(void);
/* Calls fn(arg) once |at_ns| (of weir_now_ns) has passed. Returns a token. */
int64_t weir_timer_add(int64_t at_ns, void (*fn)(void *arg), void *arg);
/* After this, fn is not running (unless fn itself calls this) and will not run. True when it had
 * not run. */
bool weir_timer_remove(int64_t token);

#endif
