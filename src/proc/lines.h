/* proc/lines.h - reads a descriptor line by line. */
#ifndef WEIR_PROC_LINES_H
#define WEIR_PROC_LINES_H

#include "base/str.h"
#include "proc/loop.h"

typedef struct run_lines {
    run_loop *loop;
    int fd; /* -1: at its end, or not open */
    weir_buf held;
    void (*line)(void *arg, weir_str line); /* without its newline */
    void (*ended)(void *arg);               /* may be null; called once, with |fd| closed */
    void *arg;
} run_lines;

/* Takes |fd| over. A last line without a newline is included; overlong lines are split. */
void run_lines_open(run_lines *lines, run_loop *loop, int fd);
void run_lines_feed(run_lines *lines, weir_str bytes); /* as if they had been read */
void run_lines_drain(run_lines *lines);                /* reads available bytes, non-blocking */
void run_lines_close(run_lines *lines);                /* takes a zeroed one; calls nothing */

/* Writes all of it, blocking if necessary; gives up when the reader has closed. */
void run_write(int fd, const weir_buf *text);
/* errno of the first failed run_write to standard output; 0: none. */
int run_write_failure(void);

/* Escapes backslashes and newlines so that |text| is one line, and the reverse. */
void run_escape(weir_buf *out, const char *text);
char *run_unescape(weir_str line); /* the caller frees it */

#endif
