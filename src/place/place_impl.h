/* place/place_impl.h - what cut.c and partition.c share, for place/ only. */
#ifndef WEIR_PLACE_PLACE_IMPL_H
#define WEIR_PLACE_PLACE_IMPL_H

#include "place/place.h"

/* A _Send and a _Recv to be made for one value. */
typedef struct pair_spec {
    weir_edge from;          /* index -1: the control edge of its node */
    const char *to_device;   /* full name */
    const char *tensor_name; /* what makes the key theirs alone */
    uint64_t incarnation;    /* of the sending device */
    const char *ctrl_name;   /* of the empty Const that a control edge sends */
    const char *send_name;   /* all three unique in the graph */
    const char *recv_name;
} pair_spec;

WEIR_CHECKED weir_status weir_place_pair(weir_graph *graph, const pair_spec *spec,
                                         weir_node **out_send, weir_node **out_recv);
/* A new node with its device assigned. */
WEIR_CHECKED weir_status weir_place_add(weir_graph *graph, const char *device,
                                        const weir_node_spec *spec, weir_node **out_node);
/* A Const of no floats. */
WEIR_CHECKED weir_status weir_place_empty(weir_graph *graph, const char *device, const char *name,
                                          weir_node *after, weir_node **out_node);

/* A loop's frame. The root is null. */
typedef struct weir_place_frame {
    struct weir_place_frame *parent;
    weir_str name;
    weir_node *enter; /* one of those that lead in */
    weir_node *cond;  /* its LoopCond; null: none found */
    WEIR_VEC(struct {
        const char *device;
        weir_node *merge;
    })
    control_loops; /* partition.c's */
} weir_place_frame;

/* Which frame each node is in; an Enter is in the frame that it leads into, an Exit in the one that
 * it leaves. */
typedef struct weir_place_frames {
    WEIR_VEC(weir_place_frame *) all;
    WEIR_VEC(weir_place_frame *) of; /* by node id */
} weir_place_frames;

void weir_place_find_frames(const weir_graph *graph, weir_place_frames *out_frames);
void weir_place_frames_fini(weir_place_frames *frames);

#endif
