/* proc/lines.h - a descriptor read line by line. */
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

/* Takes |fd| over. A last line without a newline counts; an endless one comes in pieces. */
void run_lines_open(run_lines *lines, run_loop *loop, int fd);
void run_lines_feed(run_lines *lines, weir_str bytes); /* as if they had been read */
void run_lines_drain(run_lines *lines);                /* what is there now, without waiting */
void run_lines_close(run_lines *lines);                /* takes a zeroed one; calls nothing */

/* Writes all of it, blocking when it must; gives up when the reader is gone. */
void run_write(int fd, const weir_buf *text);

/* Backslashes and newlines so that |text| is one line, and back. */
void run_escape(weir_buf *out, const char *text);
char *run_unescape(weir_str line); /* the caller's */

#endif
