/* base/quiet.h - writes whose failure is reported by errno and never by a signal.
 *
 * A write to a pipe that nobody reads raises SIGPIPE, and one beyond the limit on the size of files
 * SIGXFSZ; either ends a process that did nothing wrong. A library cannot change what its program
 * does about signals, so it holds them back on its own thread while it writes.
 */
#ifndef WEIR_BASE_QUIET_H
#define WEIR_BASE_QUIET_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct weir_quiet {
    sigset_t mask;    /* the thread's, before */
    sigset_t pending; /* what others had sent by then, and stays */
} weir_quiet;

void weir_quiet_begin(weir_quiet *quiet);
void weir_quiet_end(weir_quiet *quiet); /* drops what was raised in between; keeps errno */

/* Prints |length| bytes to a standard stream and flushes it. Where the stream is a pipe whose
 * reader is slow, it waits until what the thread works for is stopped (base/stop.h); other threads'
 * prints go on. What cannot be written is lost, and the next print is tried again. */
void weir_print(FILE *stream, const char *bytes, size_t length);
/* The same for a few bytes, without waiting: false when there is no room for them. */
bool weir_print_now(FILE *stream, const char *bytes, size_t length);

#endif
