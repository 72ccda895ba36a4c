/* cli/watch/doctor_impl.h - what the files of weir doctor share. */
#ifndef WEIR_CLI_WATCH_DOCTOR_IMPL_H
#define WEIR_CLI_WATCH_DOCTOR_IMPL_H

#include "base/str.h"
#include "command/output.h"

typedef struct findings {
    weir_output *output; /* null: rows are lines of the agent's protocol, on standard output */
    const char *host;    /* whose they are; null: this one's */
    bool by_host;        /* rows say whose they are */
    int bad;
} findings;

/* One row; |verdict| is "ok", "warning" or "bad". */
void doctor_find(findings *found, const char *what, const char *verdict, const char *format, ...)
    WEIR_PRINTF(4, 5);
void doctor_check_here(findings *found); /* this host alone */

/* Hosts that |ssh| (null: ssh) reaches: each looks at itself, and all at each other. Appends rows,
 * and then a table of the bandwidth between them. */
void doctor_check_hosts(findings *found, const char *ssh, char *const *hosts, size_t count);
/* The other end of that, on |host|: rows, then orders from standard input until it ends.
 *
 *   row CHECK\tVERDICT\tFOUND      of this host
 *   version TEXT
 *   port N                         where others may measure
 *   clock              -> clock US          microseconds of the epoch
 *   get HOST PORT      -> link RATE TRIP MTU   bytes a second, seconds, bytes; or "failed TEXT"
 */
int doctor_answer(const char *host);

#endif
