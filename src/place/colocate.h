/* place/colocate.h - groups of nodes that must share a device, and their merged device requests. */
#ifndef WEIR_PLACE_COLOCATE_H
#define WEIR_PLACE_COLOCATE_H

#include "graph/device_name.h"
#include "place/place.h"

typedef struct weir_place_group {
    int parent;             /* union-find parent: node id; the root's is itself */
    int device;             /* index of the chosen device; -1: none yet. Root only */
    weir_device_name want;  /* the group's merged request; root only */
    weir_device_name fixed; /* the part that cannot be overridden: where a resource is created, or
                               where a node was placed before; root only */
    bool late;              /* a member uses a reference that a function returns; root only */
} weir_place_group;

typedef struct weir_place_groups {
    weir_graph *g;
    weir_place_group *of; /* by node id */
    bool soft;
} weir_place_groups;

/* INVALID_ARGUMENT when the requests of colocated nodes conflict. */
WEIR_CHECKED weir_status weir_place_colocate(weir_graph *graph, bool soft,
                                             weir_place_groups *out_groups);
void weir_place_groups_fini(weir_place_groups *groups);
weir_place_group *weir_place_leader(weir_place_groups *groups, int id);

#endif
