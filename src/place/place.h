/* place/place.h - assigns devices to nodes, and cuts edges between devices by Send and Recv. */
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
    bool soft;                     /* an unavailable device is replaced by one of its task */
    bool anywhere;                 /* a device of another task is replaced by the first of all */
    bool before_opening;           /* functions will be inlined: see below */
    void (*log)(const char *line); /* one line per node; null: none */
    const weir_device_kernels *kernels; /* of non-CPU devices; null: none is used */
} weir_place_options;

/*
 * Sets site.device of every node that has none yet. Nodes colocated by _class, or connected by a
 * reference or a resource handle, share a device; for resources, the node that creates the resource
 * decides. Unconstrained nodes go to the first device, with exceptions: a node without inputs goes
 * to its users' device if they agree; a node that only reads shapes (or forwards a value between
 * two nodes of one device) goes to its input's. _Arg and _Retval are on the first device.
 *
 * The origin of a reference that a function returns is known only once the function is inlined:
 * before that (|before_opening|) its users are checked, but not placed.
 *
 * Errors in TensorFlow's wording name the node, the requested and the available devices.
 */
WEIR_CHECKED weir_status weir_place_assign(weir_graph *graph, const weir_place_options *options);

/*
 * Cuts every edge between devices by a _Send and a _Recv (one pair for each value and destination;
 * control edges carry an empty tensor). The devices of one process share an executor: a control
 * edge from _Send to _Recv keeps the pair in the same loop iteration, so that loops and dead
 * branches need no further handling.
 */
WEIR_CHECKED weir_status weir_place_cut(weir_graph *graph, const weir_place_options *options);

/*
 * The last step, for graphs with nodes on devices with memory of their own: sets site.memory of
 * every node that runs there, and puts a _CopyIn, _CopyOut or _CopyAcross (one for each value and
 * memory) on edges between memories. Constants are copied when the plan is created. Edges between a
 * device and a processor of one task are not cut by weir_place_cut.
 */
WEIR_CHECKED weir_status weir_place_memories(weir_graph *graph, const weir_place_options *options);

#endif
