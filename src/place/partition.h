/* place/partition.h - one graph per task, out of a graph that is placed on the devices of several.
 *
 * The cut follows TensorFlow's rules, so that its tasks run our partitions and we run theirs:
 *
 * - a value that another task needs goes through one _Send and one _Recv for each task; a reference
 *   is read anew for each user, after the user's other inputs have come;
 * - a control edge sends an empty tensor, whose _Recv an Identity follows;
 * - a dead value is sent as such;
 * - in a loop that several tasks share, each of them that receives something goes round with a
 * chain of its own (Enter, Merge, Switch on the loop's condition, NextIteration) whose Merge starts
 * the _Recv nodes of every iteration;
 * - Switch goes to its data, Exit to what it takes, Enter and NextIteration to their first user.
 *
 * Constants that wait for nothing are copied, not sent.
 */
#ifndef WEIR_PLACE_PARTITION_H
#define WEIR_PLACE_PARTITION_H

#include <stdatomic.h>

#include "place/place.h"

typedef struct weir_partition {
    char *task;     /* "/job:ps/replica:0/task:0" */
    weir_buf graph; /* a GraphDef: every node with a full device; the functions it can reach */
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
    /* Numbers the new nodes and the edges. A task keeps stateful kernels by name as long as a
     * session lives, so all graphs of a session count on. */
    atomic_llong *next;
} weir_partition_options;

/* Takes the nodes of other tasks out of |graph|, which is placed. No partition: everything is on
 * the own task, and |graph| is as it was. INVALID_ARGUMENT when a loop over several tasks has no
 * LoopCond.
 */
WEIR_CHECKED weir_status weir_place_partition(weir_graph *graph,
                                              const weir_partition_options *options,
                                              weir_partitions *out_partitions);

/* Appends a GraphDef of the nodes of |graph| on |task|; returns how many there are. */
int weir_place_export_task(const weir_graph *graph, const char *task, weir_buf *out);

#endif
