/* dist/collective.h - collective ops over the tasks of a cluster.
 *
 * One task is the leader: it creates the groups and assigns step ids to graphs with collective ops,
 * so that the masters of the members use the same id. The others request these once and cache them.
 * A member's buffers are in its step's table; the next member fetches them by RecvBuf. Thread-safe.
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
    const weir_device_info *devices; /* of the task; must outlive this, as must the fields below */
    int device_count;
} weir_task_collectives_options;

weir_task_collectives *weir_task_collectives_create(const weir_task_collectives_options *options);
void weir_task_collectives_release(weir_task_collectives *collectives);           /* takes null */
weir_collectives *weir_task_collectives_base(weir_task_collectives *collectives); /* for sessions */

/* The id of the next step of graphs with |graph_key|. Blocks to request it from the leader if it is
 * not cached. */
WEIR_CHECKED weir_status weir_task_collectives_step(weir_task_collectives *collectives,
                                                    int64_t graph_key, weir_cancel *cancel,
                                                    int64_t *out_step);
/* That step succeeded: the next one has another id. */
void weir_task_collectives_retire(weir_task_collectives *collectives, int64_t graph_key,
                                  int64_t step);
/* A step of that graph failed: its next id is requested again, because the leader may have
 * changed. */
void weir_task_collectives_doubt(weir_task_collectives *collectives, int64_t graph_key);

/* Methods of WorkerService; non-blocking. */
void weir_task_collectives_group(weir_task_collectives *collectives, weir_rpc *call);
void weir_task_collectives_instance(weir_task_collectives *collectives, weir_rpc *call);
void weir_task_collectives_sequence(weir_task_collectives *collectives, weir_rpc *call);

#endif
