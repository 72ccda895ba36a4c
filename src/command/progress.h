/* command/progress.h - how far a long piece of work is.
 *
 * On a terminal a bar with rate and time to go, redrawn ten times a second at most and fitted to
 * the window; elsewhere a line every few seconds. It is written to standard error, so that what the
 * command prints can be piped. There is one bar at a time. Functions are thread-safe.
 */
#ifndef WEIR_COMMAND_PROGRESS_H
#define WEIR_COMMAND_PROGRESS_H

#include <stdint.h>

#include "base/status.h"

/* |total| 0: not known, and there is no time to go. |unit| is "steps". Both names are copied. */
void weir_progress_begin(const char *what, int64_t total, const char *unit);
void weir_progress_add(int64_t done);
/* So much was done before the beginning: it is no part of the rate. */
void weir_progress_skip(int64_t done);
/* What is shown behind the numbers from now on, such as "loss 0.31". */
void weir_progress_note(const char *fmt, ...) WEIR_PRINTF(1, 2);
/* Prints a line to standard output, above the bar. */
void weir_progress_print(const char *fmt, ...) WEIR_PRINTF(1, 2);
/* Takes the bar off the screen, before anything else is printed; the next add draws it again. */
void weir_progress_erase(void);
/* Ends it without a word. */
void weir_progress_drop(void);
/* The bar gives way to a closing line, "train: 2000 steps in 0:12, 165 steps/s, loss 0.31". */
void weir_progress_end(void);

#endif
