/* lab/bench/task.h - one task of an experiment: `weir bench task`, in a process of its own. */
#ifndef WEIR_LAB_BENCH_TASK_H
#define WEIR_LAB_BENCH_TASK_H

#include "command/command.h"

/* What a task logs besides its steps (sample/step_log.h). */
enum {
    TASK_READY_NS,  /* time when its session was ready */
    TASK_ACCURACY,  /* of the chief, after training; -1: not tested */
    TASK_TEST_LOSS, /* likewise */
    TASK_GO,        /* set by the parent: the workers are ready, steps may begin */
};

extern const weir_command bench_command_task;

#endif
