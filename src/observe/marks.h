/* observe/marks.h - a task's events, and the last lines of its log.
 *
 * Both are ring buffers. Thread-safe.
 */
#ifndef WEIR_OBSERVE_MARKS_H
#define WEIR_OBSERVE_MARKS_H

#include "base/str.h"

enum { WEIR_MARKS_KEPT = 256, WEIR_LINES_KEPT = 256, WEIR_MARK_TEXT = 160 };

typedef struct weir_mark {
    int64_t number, ns;
    const char *kind; /* "checkpoint", "session", "task", "numerics", "log" */
    char text[WEIR_MARK_TEXT];
} weir_mark;

/* |kind| is a literal. */
void weir_mark_add(const char *kind, const char *format, ...) WEIR_PRINTF(2, 3);
/* Those after number |since|, oldest first; returns their number. */
size_t weir_mark_list(int64_t since, weir_mark *out, size_t room);
int64_t weir_mark_count(const char *kind); /* added in total */

/* Starts keeping the lines of base/log.h. */
void weir_lines_keep(void);
size_t weir_lines_list(int64_t since, weir_mark *out, size_t room);

#endif
