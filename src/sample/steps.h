/* sample/steps.h - the steps of a task, written down where another process can read them.
 *
 * The memory is shared through a descriptor that the task inherits. One process writes, any may
 * read at any time. When there are more steps than room, the oldest give way.
 */
#ifndef WEIR_SAMPLE_STEPS_H
#define WEIR_SAMPLE_STEPS_H

#include <stdint.h>

#include "base/status.h"

typedef struct weir_step_record {
    int64_t begin_ns, end_ns; /* of the monotonic clock */
    int64_t at;               /* the global step after it */
    double loss;              /* NaN: not fetched */
} weir_step_record;

enum { WEIR_STEPS_RESULTS = 8 };

typedef struct weir_steps weir_steps;

/* For |room| steps; the descriptor is not closed by exec. */
WEIR_CHECKED weir_status weir_steps_create(int64_t room, weir_steps **out);
WEIR_CHECKED weir_status weir_steps_open(int fd, weir_steps **out); /* what another created */
void weir_steps_destroy(weir_steps *w); /* takes null; closes the descriptor */
WEIR_OWNABLE(weir_steps);
int weir_steps_fd(const weir_steps *w);

void weir_steps_add(weir_steps *w, const weir_step_record *r);
/* Numbers beside the steps, whose meaning writer and reader agree on; 0 at first. */
void weir_steps_set(weir_steps *w, int which, double value);
double weir_steps_get(const weir_steps *w, int which);

int64_t weir_steps_count(const weir_steps *w); /* ever added */
int64_t weir_steps_first(const weir_steps *w); /* the oldest that is still there */
weir_step_record weir_steps_at(const weir_steps *w, int64_t i);

#endif
