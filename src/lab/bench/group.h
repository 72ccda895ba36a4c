/* lab/bench/group.h - this program again, as the tasks of a cluster on this machine. */
#ifndef WEIR_LAB_BENCH_GROUP_H
#define WEIR_LAB_BENCH_GROUP_H

#include "base/status.h"

enum { GROUP_MOST_TASKS = 64, GROUP_MOST_WORDS = 32 };

typedef struct bench_group {
    long servers, workers;    /* parameter servers; they end when the workers have */
    const char *transports;   /* of all tasks */
    const char *const *words; /* "bench", ...: of every task; null at the end */
} bench_group;

/* Starts the tasks, each with its place in TF_CONFIG, and waits for the workers. The exit status:
 * the first that is not 0, of a worker. The tasks end with this process. */
int bench_group_run(const bench_group *group);

/* "1000,1000000": how many numbers there are, at most |most|, none below |least|; 0: it is no such
 * list. */
int bench_read_sizes(const char *text, int64_t least, int most, int64_t *out);

#endif
