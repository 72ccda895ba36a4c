/* base/quiet.h - writes whose failure is reported by errno and never by a signal.
 *
 * A write to a pipe without a reader raises SIGPIPE, and one beyond the file size limit SIGXFSZ;
 * either terminates the process by default. A library cannot change its program's signal handlers,
 * so it blocks both signals on its own thread while it writes.
 */
#ifndef WEIR_BASE_QUIET_H
#define WEIR_BASE_QUIET_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct weir_quiet {
    sigset_t mask;    /* the thread's signal mask before */
    sigset_t pending; /* signals that were pending before, and stay pending */
} weir_quiet;

void weir_quiet_begin(weir_quiet *quiet);
void weir_quiet_end(weir_quiet *quiet); /* discards signals raised in between; keeps errno */

/* Prints |length| bytes to a standard stream and flushes it. If the stream is a pipe with a slow
 * reader, it waits until the thread's op is stopped (base/stop.h); other threads' prints go on.
 * Output that cannot be written is dropped; the next print is attempted again. */
void weir_print(FILE *stream, const char *bytes, size_t length);
/* The same for a few bytes, without blocking: false when there is no room for them. */
bool weir_print_now(FILE *stream, const char *bytes, size_t length);

#endif
