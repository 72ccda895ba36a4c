/* command/progress.h - a progress bar.
 *
 * On a terminal a bar with rate and time left, redrawn at most ten times a second and fitted to the
 * window; elsewhere a line every few seconds. It is written to standard error, so that the
 * command's output can be piped. There is one bar at a time. Functions are thread-safe.
 */
#ifndef WEIR_COMMAND_PROGRESS_H
#define WEIR_COMMAND_PROGRESS_H

#include <stdint.h>

#include "base/status.h"

/* |total| 0: not known, so no time left is shown. |unit| is "steps". Both names are copied. */
void weir_progress_begin(const char *what, int64_t total, const char *unit);
void weir_progress_add(int64_t done);
/* So much was done before the start: it does not count for the rate. */
void weir_progress_skip(int64_t done);
/* Text after the numbers from now on, such as "loss 0.31". */
void weir_progress_note(const char *fmt, ...) WEIR_PRINTF(1, 2);
/* Prints a line to standard output, above the bar. */
void weir_progress_print(const char *fmt, ...) WEIR_PRINTF(1, 2);
/* Erases the bar, before other output; the next add draws it again. */
void weir_progress_erase(void);
/* Ends it without a closing line. */
void weir_progress_drop(void);
/* Replaces the bar by a closing line, "train: 2000 steps in 0:12, 165 steps/s, loss 0.31". */
void weir_progress_end(void);

#endif
