/* observe/tally.h - the work of this task for its clients, and for other tasks' steps.
 *
 * Sums over the life of the process, for the closing table of a job. Thread-safe.
 */
#ifndef WEIR_OBSERVE_TALLY_H
#define WEIR_OBSERVE_TALLY_H

#include "base/str.h"

enum { WEIR_TALLY_TASKS = 256 }; /* gradients of further tasks are not counted by task */

/* A client's step that this task's master completed. |rows|: the examples in its feeds. */
void weir_tally_step(int64_t start_ns, int64_t rows);
/* A gradient applied to an accumulator here, by a step of |task|'s master; null: of this task's. */
void weir_tally_gradient(const char *task, bool stale);

typedef struct weir_tally {
    int64_t steps, rows;
    int64_t first_ns, last_ns; /* from the start of the first step to the end of the last */
} weir_tally;
weir_tally weir_tally_get(void);

typedef struct weir_tally_task {
    const char *task; /* "" for this task; never freed */
    int64_t accepted, stale;
} weir_tally_task;
/* Copies at most |room| of them; returns their number. */
size_t weir_tally_tasks(weir_tally_task *out, size_t room);

#endif
