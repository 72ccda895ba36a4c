/* dist/collective.h - collective ops over the tasks of a cluster.
 *
 * One task leads: it makes the groups, and numbers the steps of graphs with collective ops, so that
 * masters that run a member each use the same step id. The others ask it once and cache the answer.
 * A member's buffers lie in its step's table; the next one takes them by RecvBuf. Thread-safe.
 */
#ifndef WEIR_DIST_COLLECTIVE_H
#define WEIR_DIST_COLLECTIVE_H

#include "dist/steps.h"
#include "op/collective.h"
#include "session/session.h"

typedef struct weir_task_collectives weir_task_collectives;

typedef struct weir_task_collectives_options {
    weir_cluster *cluster; /* retained */
    /* Name of the leading task; empty: the first task of job "chief", else of "worker", else of the
     * cluster. */
    weir_str leader;
    const weir_device_info *devices; /* of the task; must outlive it, as must those below */
    int device_count;
} weir_task_collectives_options;

weir_task_collectives *weir_task_collectives_create(const weir_task_collectives_options *options);
void weir_task_collectives_release(weir_task_collectives *collectives);           /* takes null */
weir_collectives *weir_task_collectives_base(weir_task_collectives *collectives); /* for sessions */

/* The id of the next step of graphs with |graph_key|. Asks the leader, and waits, when it is not
 * known. */
WEIR_CHECKED weir_status weir_task_collectives_step(weir_task_collectives *collectives,
                                                    int64_t graph_key, weir_cancel *cancel,
                                                    int64_t *out_step);
/* That step ended well: the next one has another id. */
void weir_task_collectives_retire(weir_task_collectives *collectives, int64_t graph_key,
                                  int64_t step);
/* A step of that graph failed: its next id is asked for again, because the leader may be another
 * one by then. */
void weir_task_collectives_doubt(weir_task_collectives *collectives, int64_t graph_key);

/* Methods of WorkerService; none waits. */
void weir_task_collectives_group(weir_task_collectives *collectives, weir_rpc *call);
void weir_task_collectives_instance(weir_task_collectives *collectives, weir_rpc *call);
void weir_task_collectives_sequence(weir_task_collectives *collectives, weir_rpc *call);

#endif
