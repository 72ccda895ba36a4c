/* place/assign.c - groups of nodes that must share a device, and a device for each group. */
#include <stdio.h>

#include "place/device_name.h"
#include "place/place.h"

typedef struct group {
    int parent; /* node id; itself when it leads */
    weir_device_name want;
    int from; /* a node that asked for it, for messages; -1 */
} group;

typedef struct placing {
    weir_graph *g;
    const weir_place_options *o;
    group *groups;          /* by node id */
    weir_device_name *full; /* parsed names of the devices */
} placing;

static int leader(placing *p, int id)
{
    while (p->groups[id].parent != id)
        id = p->groups[id].parent = p->groups[p->groups[id].parent].parent;
    return id;
}

static weir_status together(placing *p, const weir_node *a, const weir_node *b)
{
    int x = leader(p, a->id), y = leader(p, b->id);
    if (x == y)
        return WEIR_OK;
    group *into = &p->groups[x], *from = &p->groups[y];
    if (!weir_device_name_merge(&into->want, &from->want) && !p->o->soft)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot colocate nodes {{colocation_node %s}} and {{colocation_node %s}} "
                          "because their devices '%s' and '%s' differ",
                          a->site.name, b->site.name, a->requested_device, b->requested_device);
    from->parent = x;
    if (into->from < 0)
        into->from = from->from;
    return WEIR_OK;
}

static weir_status read_requests(placing *p)
{
    for (size_t i = 0; i < p->g->nodes.count; i++) {
        weir_node *n = p->g->nodes.at[i];
        p->groups[i].parent = (int)i;
        WEIR_TRY_NOTE(weir_device_name_parse(n->requested_device, &p->groups[i].want),
                      " in node '%s'", n->site.name);
        p->groups[i].from = *n->requested_device ? (int)i : -1;
    }
    return WEIR_OK;
}

static weir_status follow_class(placing *p, weir_node *n)
{
    const weir_attr *a = weir_named_attr_find(n->extra, n->extra_count, "_class");
    if (!a || a->kind != WEIR_ATTR_STRING || !a->is_list)
        return WEIR_OK;
    for (int i = 0; i < a->count; i++) {
        if (a->ss[i].length < 5 || memcmp(a->ss[i].at, "loc:@", 5) != 0)
            continue;
        weir_node *with = weir_graph_find(p->g, (weir_str){a->ss[i].at + 5, a->ss[i].length - 5});
        if (with) /* pruned away otherwise */
            WEIR_TRY(together(p, with, n));
    }
    return WEIR_OK;
}

static weir_status join_groups(placing *p)
{
    for (size_t i = 0; i < p->g->nodes.count; i++) {
        weir_node *n = p->g->nodes.at[i];
        if (n->removed)
            continue;
        WEIR_TRY(follow_class(p, n));
        for (int k = 0; k < n->site.in_count; k++) {
            bool ref = weir_dtype_is_ref(n->site.in_types[k]);
            bool handle = n->site.in_types[k] == WEIR_RESOURCE;
            if (ref || handle)
                WEIR_TRY(together(p, n->in[k].node, n));
        }
    }
    return WEIR_OK;
}

static weir_status none_fits(placing *p, const weir_node *n)
{
    weir_buf list = {0};
    for (int i = 0; i < p->o->device_count; i++)
        weir_buf_addf(&list, "%s%s", i ? ", " : "", p->o->devices[i].name);
    weir_status s =
        weir_error(WEIR_INVALID_ARGUMENT,
                   "Cannot assign a device for operation %s: {{node %s}} was explicitly "
                   "assigned to %s but available devices are [ %s ]. Make sure the device "
                   "specification refers to a valid device.",
                   n->site.name, n->site.name, n->requested_device, list.at);
    weir_buf_fini(&list);
    return s;
}

static weir_status device_of(placing *p, int lead, const char **out)
{
    const group *g = &p->groups[lead];
    weir_device_name want = g->want;
    for (int soft = 0; soft <= p->o->soft; soft++) {
        for (int i = 0; i < p->o->device_count; i++)
            if (weir_device_name_matches(&want, &p->full[i])) {
                *out = p->o->devices[i].name;
                return WEIR_OK;
            }
        want.type[0] = 0; /* another device of that task will do */
        want.id = WEIR_DEVICE_ANY;
    }
    return none_fits(p, p->g->nodes.at[g->from < 0 ? lead : g->from]);
}

static void log_node(const placing *p, const weir_node *n)
{
    char line[1024];
    snprintf(line, sizeof line, "%s: (%s): %s", n->site.name, n->site.def->name, n->site.device);
    p->o->log(line);
}

static weir_status place_all(placing *p)
{
    for (int i = 0; i < p->o->device_count; i++)
        WEIR_TRY(weir_device_name_parse(p->o->devices[i].name, &p->full[i]));
    WEIR_TRY(read_requests(p));
    WEIR_TRY(join_groups(p));
    for (size_t i = 0; i < p->g->nodes.count; i++) {
        weir_node *n = p->g->nodes.at[i];
        if (n->removed)
            continue;
        const char *name;
        WEIR_TRY(device_of(p, leader(p, (int)i), &name));
        n->site.device = weir_arena_strdup(&p->g->arena, name);
        if (p->o->log)
            log_node(p, n);
    }
    return WEIR_OK;
}

weir_status weir_place_assign(weir_graph *g, const weir_place_options *options)
{
    placing p = {.g = g, .o = options};
    p.groups = WEIR_NEW_ARRAY(group, g->nodes.count);
    p.full = WEIR_NEW_ARRAY(weir_device_name, options->device_count);
    weir_status s = place_all(&p);
    weir_free(p.groups);
    weir_free(p.full);
    return s;
}
