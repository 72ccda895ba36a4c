/* lab/sample/step_log.h - a task's steps in memory shared with another process.
 *
 * The memory is shared through a descriptor that the task inherits, which need not be Weir's
 * (bench/tensorflow.py):
 *
 *   bytes  0  the number 0x57534c31
 *          8  room: how many records there are
 *         16  count: of the steps ever added; written after the record that it counts
 *         24  8 results, as doubles
 *         88  the records of 32 bytes; step i is record i % room
 *
 * One process writes, any may read at any time. It is a ring: when full, the oldest steps are
 * overwritten.
 */
#ifndef WEIR_SAMPLE_STEP_LOG_H
#define WEIR_SAMPLE_STEP_LOG_H

#include <stdint.h>

#include "base/status.h"

typedef struct weir_step_record {
    int64_t begin_ns, end_ns; /* of the monotonic clock */
    int64_t at;               /* the global step after it */
    double loss;              /* NaN: not fetched */
} weir_step_record;

enum { WEIR_STEP_LOG_RESULTS = 8 };

typedef struct weir_step_log weir_step_log;

/* For |room| steps. The descriptor is close-on-exec; a parent may clear that after fork. */
WEIR_CHECKED weir_status weir_step_log_create(int64_t room, weir_step_log **out);
WEIR_CHECKED weir_status weir_step_log_open(int fd, weir_step_log **out); /* attaches to one */
void weir_step_log_destroy(weir_step_log *log); /* takes null; closes the descriptor */
WEIR_OWNABLE(weir_step_log);
int weir_step_log_fd(const weir_step_log *log);

void weir_step_log_add(weir_step_log *log, const weir_step_record *record);
/* Numbers besides the steps, defined by writer and reader; initially 0. */
void weir_step_log_set(weir_step_log *log, int which, double value);
double weir_step_log_get(const weir_step_log *log, int which);

int64_t weir_step_log_count(const weir_step_log *log); /* total ever added */
int64_t weir_step_log_first(const weir_step_log *log); /* the oldest still in the ring */
weir_step_record weir_step_log_at(const weir_step_log *log, int64_t i);

#endif
