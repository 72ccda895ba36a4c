/* launch/stall.h - notices that no step of a job ends, and says what its steps wait for. */
#ifndef WEIR_LAUNCH_STALL_H
#define WEIR_LAUNCH_STALL_H

#include "base/str.h"

/* Zero to begin. */
typedef struct run_stall {
    int64_t ended, in_flight; /* steps of all tasks */
    int64_t seen_ended, since_ns;
    int notices;
} run_stall;

/* Adds a task's state, the JSON of /api/task. */
void run_stall_add(run_stall *stall, weir_str state);
/* After all tasks of a round: whether a notice is due. */
bool run_stall_due(run_stall *stall, int64_t now_ns);
typedef struct run_stalled {
    char name[80]; /* "worker 0" */
    const char *address;
} run_stalled;
/* Asks the tasks what their steps wait for, and prints it unless a step computes. */
void run_stall_print(const run_stall *stall, const run_stalled *tasks, size_t count,
                     int64_t now_ns);

#endif
