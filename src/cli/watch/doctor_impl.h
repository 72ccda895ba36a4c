/* cli/watch/doctor_impl.h - shared by the files of weir doctor. */
#ifndef WEIR_CLI_WATCH_DOCTOR_IMPL_H
#define WEIR_CLI_WATCH_DOCTOR_IMPL_H

#include "base/str.h"
#include "command/output.h"

typedef struct findings {
    weir_output *output; /* null: print rows in the agent's protocol to standard output */
    const char *host;    /* the host of the rows; null: this one */
    bool by_host;        /* rows include the host */
    int bad;
} findings;

/* Adds a row; |verdict| is "ok", "warning" or "bad". */
void doctor_find(findings *found, const char *what, const char *verdict, const char *format, ...)
    WEIR_PRINTF(4, 5);
void doctor_check_here(findings *found); /* this host only */

/* Hosts reachable by |ssh| (null: ssh): each checks itself and the links to all others. Appends
 * rows, and then a table of the bandwidth between them. */
void doctor_check_hosts(findings *found, const char *ssh, char *const *hosts, size_t count);
/* The agent on |host|: prints rows, then executes commands from standard input until EOF.
 *
 *   row CHECK\tVERDICT\tFOUND      of this host
 *   version TEXT
 *   port N                         for measurements by others
 *   clock              -> clock US          microseconds of the epoch
 *   get HOST PORT      -> link RATE TRIP MTU   bytes a second, seconds, bytes; or "failed TEXT"
 */
int doctor_answer(const char *host);

#endif
