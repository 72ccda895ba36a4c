/* lab/bench/group.h - runs this program as the tasks of a cluster on this machine. */
#ifndef WEIR_LAB_BENCH_GROUP_H
#define WEIR_LAB_BENCH_GROUP_H

#include "base/status.h"

enum { GROUP_MOST_TASKS = 64, GROUP_MOST_WORDS = 32 };

typedef struct bench_group {
    long servers, workers;    /* parameter servers; they exit after the workers */
    const char *transports;   /* of all tasks */
    const char *const *words; /* "bench", ...: arguments of every task; null-terminated */
} bench_group;

/* Starts the tasks, each with its TF_CONFIG, and waits for the workers. Returns the first non-zero
 * exit status of a worker. The tasks die with this process. */
int bench_group_run(const bench_group *group);

/* Parses "1000,1000000": the number of values, at most |most|, none below |least|; 0 on a syntax
 * error. */
int bench_read_sizes(const char *text, int64_t least, int most, int64_t *out);

#endif
