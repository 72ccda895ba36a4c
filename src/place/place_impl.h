/* place/place_impl.h - shared by cut.c and partition.c, for place/ only. */
#ifndef WEIR_PLACE_PLACE_IMPL_H
#define WEIR_PLACE_PLACE_IMPL_H

#include "place/place.h"

/* The _Send and _Recv nodes to create for one value. */
typedef struct pair_spec {
    weir_edge from;          /* index -1: the control edge of its node */
    const char *to_device;   /* full name */
    const char *tensor_name; /* makes the rendezvous key unique */
    uint64_t incarnation;    /* of the sending device */
    const char *ctrl_name;   /* name of the empty Const that a control edge sends */
    const char *send_name;   /* all three unique in the graph */
    const char *recv_name;
} pair_spec;

WEIR_CHECKED weir_status weir_place_pair(weir_graph *graph, const pair_spec *spec,
                                         weir_node **out_send, weir_node **out_recv);
/* A new node with its device assigned. */
WEIR_CHECKED weir_status weir_place_add(weir_graph *graph, const char *device,
                                        const weir_node_spec *spec, weir_node **out_node);
/* An empty float Const. */
WEIR_CHECKED weir_status weir_place_empty(weir_graph *graph, const char *device, const char *name,
                                          weir_node *after, weir_node **out_node);

/* A loop's frame. The root is null. */
typedef struct weir_place_frame {
    struct weir_place_frame *parent;
    weir_str name;
    weir_node *enter; /* one of its Enter nodes */
    weir_node *cond;  /* its LoopCond; null: none found */
    WEIR_VEC(struct {
        const char *device;
        weir_node *merge;
    })
    control_loops; /* partition.c's */
} weir_place_frame;

/* The frame of each node. An Enter belongs to the frame that it enters, an Exit to the one that it
 * leaves. */
typedef struct weir_place_frames {
    WEIR_VEC(weir_place_frame *) all;
    WEIR_VEC(weir_place_frame *) of; /* by node id */
} weir_place_frames;

void weir_place_find_frames(const weir_graph *graph, weir_place_frames *out_frames);
void weir_place_frames_fini(weir_place_frames *frames);

#endif
