/* place/colocate.h - groups of nodes that must share a device, and what they ask for together. */
#ifndef WEIR_PLACE_COLOCATE_H
#define WEIR_PLACE_COLOCATE_H

#include "graph/device_name.h"
#include "place/place.h"

typedef struct weir_place_group {
    int parent;             /* node id; itself when it leads */
    int device;             /* index of the one chosen for the group; -1: none yet. The leader's */
    weir_device_name want;  /* what the group asks for; the leader's */
    weir_device_name fixed; /* what of it cannot be overridden: where a resource is made, or where
                               a node was placed before; the leader's */
    bool late;              /* someone in it uses a reference that a function gives; the leader's */
} weir_place_group;

typedef struct weir_place_groups {
    weir_graph *g;
    weir_place_group *of; /* by node id */
    bool soft;
} weir_place_groups;

/* INVALID_ARGUMENT when nodes that must go together ask for devices that contradict each other. */
WEIR_CHECKED weir_status weir_place_colocate(weir_graph *graph, bool soft,
                                             weir_place_groups *out_groups);
void weir_place_groups_fini(weir_place_groups *groups);
weir_place_group *weir_place_leader(weir_place_groups *groups, int id);

#endif
