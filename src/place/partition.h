/* place/partition.h - splits a placed graph into one graph per task.
 *
 * The cut follows TensorFlow's rules, so that both systems can run each other's partitions:
 *
 * - a value is sent once to each task that needs it, by one _Send and one _Recv; a reference is
 *   read separately for each user, after the user's other inputs are available;
 * - a control edge sends an empty tensor; an Identity follows its _Recv;
 * - a dead value is sent as such;
 * - in a loop over several tasks, each receiving task gets a control loop of its own
 *   (Enter, Merge, Switch on the loop's condition, NextIteration), whose Merge triggers the _Recv
 *   nodes of every iteration;
 * - Switch goes with its data, Exit with its input, Enter and NextIteration with their first user.
 *
 * Constants without control inputs are copied, not sent.
 */
#ifndef WEIR_PLACE_PARTITION_H
#define WEIR_PLACE_PARTITION_H

#include <stdatomic.h>

#include "place/place.h"

typedef struct weir_partition {
    char *task;     /* "/job:ps/replica:0/task:0" */
    weir_buf graph; /* a GraphDef: every node with a full device; the reachable functions */
    int node_count;
} weir_partition;

typedef struct weir_partitions {
    weir_partition *at;
    int count;
} weir_partitions;

void weir_partitions_fini(weir_partitions *partitions);

typedef struct weir_partition_options {
    const weir_place_device *devices; /* of every task */
    int device_count;
    const char *own_task; /* its nodes stay in the graph */
    /* Counter for the names of new nodes and edges. A task caches stateful kernels by name for the
     * life of a session, so all graphs of a session share the counter. */
    atomic_llong *next;
} weir_partition_options;

/* Removes the nodes of other tasks from |graph|, which is placed. No partition: everything is on
 * the own task, and |graph| is unchanged. INVALID_ARGUMENT when a loop over several tasks has no
 * LoopCond.
 */
WEIR_CHECKED weir_status weir_place_partition(weir_graph *graph,
                                              const weir_partition_options *options,
                                              weir_partitions *out_partitions);

/* Appends a GraphDef of the nodes of |graph| on |task|; returns how many there are. */
int weir_place_export_task(const weir_graph *graph, const char *task, weir_buf *out);

#endif
