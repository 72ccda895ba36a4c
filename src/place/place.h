/* place/place.h - every node gets a device, and edges between devices get a Send and a Recv. */
#ifndef WEIR_PLACE_PLACE_H
#define WEIR_PLACE_PLACE_H

#include "graph/graph.h"
#include "op/device.h"

typedef struct weir_place_device {
    const char *name; /* full */
    uint64_t incarnation;
} weir_place_device;

typedef struct weir_place_options {
    const weir_place_device *devices; /* the first is the default */
    int device_count;
    bool soft;                     /* a device that is not there gives way to one of its task */
    bool anywhere;                 /* a device of another task gives way to the first of all */
    bool before_opening;           /* functions will be opened up: see below */
    void (*log)(const char *line); /* one line a node; null: none */
    const weir_device_kernels *kernels; /* of devices that are not processors; null: none is used */
} weir_place_options;

/*
 * Sets site.device of every node that was not placed before. Nodes colocated by _class, and those
 * that share a reference or a resource handle, go together; of the latter the one that makes the
 * thing decides. What may go anywhere goes to the first device, but a node without inputs goes with
 * its users when they agree, and one that only looks at shapes (or hands on, between two of one
 * wish) goes with its input. _Arg and _Retval are at the first device.
 *
 * Where a reference comes from that a function gives is known when the function is open: until
 * then (|before_opening|) its users are checked, but not placed.
 *
 * Errors in TensorFlow's wording name the node, what was asked for and what there is.
 */
WEIR_CHECKED weir_status weir_place_assign(weir_graph *graph, const weir_place_options *options);

/*
 * Cuts every edge between devices by a _Send and a _Recv (one pair for each value and destination;
 * control edges carry an empty tensor). The devices of one process share an executor: a control
 * edge from _Send to _Recv keeps the pair in one iteration of one loop, so that loops and dead
 * branches need nothing more.
 */
WEIR_CHECKED weir_status weir_place_cut(weir_graph *graph, const weir_place_options *options);

/*
 * The last step, for graphs with nodes on devices that have memory of their own: sets site.memory
 * of every node that works there, and puts a _CopyIn, _CopyOut or _CopyAcross (one for each value
 * and memory) on edges between memories. Constants are copied when the plan is made. Edges between
 * a device and a processor of one task are not cut by weir_place_cut.
 */
WEIR_CHECKED weir_status weir_place_memories(weir_graph *graph, const weir_place_options *options);

#endif
