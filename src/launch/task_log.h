/* launch/task_log.h - a log file of a task's output, with times. */
#ifndef WEIR_LAUNCH_TASK_LOG_H
#define WEIR_LAUNCH_TASK_LOG_H

#include <stdio.h>

#include "base/status.h"
#include "base/str.h"

/* Creates |dir| if needed. A null |dir| gives a null log, to which nothing is written. */
WEIR_CHECKED weir_status run_log_open(const char *dir, const char *job, int index, FILE **out_log);
/* "2026-01-31T12:00:00.123Z text". Fails if it cannot be written, as on a full disk. */
WEIR_CHECKED weir_status run_log_line(FILE *log, weir_str text);
void run_log_close(FILE *log);

#endif
