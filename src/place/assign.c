/* place/assign.c - a device for each group of nodes. */
#include <stdio.h>
#include <stdlib.h>

#include "place/colocate.h"

typedef struct placing {
    weir_graph *g;
    const weir_place_options *o;
    weir_place_groups groups;
    weir_device_name *full; /* parsed names of the devices */
    int *device;            /* by node id: index of its device; -1: not yet */
} placing;

/* ---- errors --------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_devices(const weir_place_options *o, weir_buf *out)
{
    const char **names = WEIR_NEW_ARRAY(const char *, o->device_count);
    for (int i = 0; i < o->device_count; i++)
        names[i] = o->devices[i].name;
    qsort(names, (size_t)o->device_count, sizeof *names, by_name);
    for (int i = 0; i < o->device_count; i++)
        weir_buf_addf(out, "%s%s", i ? ", " : "", names[i]);
    weir_free(names);
}

static weir_status none_fits(placing *p, const weir_node *n)
{
    const weir_place_group *group = weir_place_leader(&p->groups, n->id);
    weir_device_name asked;
    char asked_text[WEIR_DEVICE_NAME_ROOM], want[WEIR_DEVICE_NAME_ROOM];
    WEIR_TRY(weir_device_name_parse(n->requested_device, &asked));
    weir_device_name_text(&group->want, want);
    bool alone = strcmp(weir_device_name_text(&asked, asked_text), want) == 0;
    weir_buf list = {0};
    list_devices(p->o, &list);
    const char *name = n->site.name;
    weir_status s =
        alone ? weir_error(WEIR_INVALID_ARGUMENT,
                           "Cannot assign a device for operation %s: {{node %s}} was explicitly "
                           "assigned to %s but available devices are [ %s ]. Make sure the device "
                           "specification refers to a valid device.\n\t [[{{node %s}}]]",
                           name, name, n->requested_device, list.at, name)
              : weir_error(WEIR_INVALID_ARGUMENT,
                           "Cannot assign a device for operation %s: Could not satisfy explicit "
                           "device specification '%s' because the node {{colocation_node %s}} was "
                           "colocated with a group of nodes that required incompatible device "
                           "'%s'. All available devices [%s]. \n\t [[{{node %s}}]]",
                           name, n->requested_device, name, want, list.at, name);
    weir_buf_fini(&list);
    return s;
}

/* ---- choosing ------------------------------------------------------------------------------- */

/* Without a wish for another type, a device is a processor: our kernels are for these. */
static bool serves(const weir_device_name *want, const weir_device_name *device)
{
    return weir_device_name_matches(want, device) &&
           (*want->type || strcmp(device->type, "CPU") == 0);
}

static int first_that_serves(const placing *p, const weir_device_name *want)
{
    for (int i = 0; i < p->o->device_count; i++)
        if (serves(want, &p->full[i]))
            return i;
    return -1;
}

/* The device of |n|'s group; |liked| (or -1) when the group may go there. */
static weir_status choose(placing *p, const weir_node *n, int liked)
{
    weir_place_group *group = weir_place_leader(&p->groups, n->id);
    if (group->device < 0 && liked >= 0 && serves(&group->want, &p->full[liked]))
        group->device = liked;
    if (group->device < 0)
        group->device = first_that_serves(p, &group->want);
    if (group->device < 0 && p->o->soft) {
        weir_device_name task = group->want; /* another device of that task will do */
        task.type[0] = 0;
        task.id = WEIR_DEVICE_ANY;
        group->device = first_that_serves(p, &task);
    }
    if (group->device < 0 && p->o->anywhere)
        group->device = 0;
    if (group->device < 0)
        return none_fits(p, n);
    p->device[n->id] = group->device;
    return WEIR_OK;
}

/* It makes one value out of nothing: best where the value is used. */
static bool generates(const weir_node *n)
{
    return n->site.in_count == 0 && n->site.out_count == 1 &&
           !weir_dtype_is_ref(n->site.out_types[0]);
}

/* The device of all of |n|'s users; -1 when they do not agree. */
static int users_device(const placing *p, const weir_node *n)
{
    int device = -1;
    for (size_t i = 0; i < n->uses.count; i++) {
        int d = p->device[n->uses.at[i].node->id];
        if (d < 0 || (i && d != device))
            return -1;
        device = d;
    }
    return device;
}

/* An Identity between two nodes of one wish, with nothing else to do. */
static bool passes_on(const weir_node *n)
{
    weir_flow flow = weir_node_flow(n);
    bool identity = flow == WEIR_FLOW_IDENTITY || flow == WEIR_FLOW_REF_IDENTITY;
    return identity && !*n->requested_device && n->controls.count == 0 && n->uses.count == 1 &&
           strcmp(n->in[0].node->requested_device, n->uses.at[0].node->requested_device) == 0;
}

static int inputs_device(const placing *p, const weir_node *n)
{
    bool follows = n->site.in_count && (n->site.def->flags & WEIR_SHAPE_ONLY || passes_on(n));
    return follows ? p->device[n->in[0].node->id] : -1;
}

static bool is_port(const weir_node *n)
{
    weir_flow flow = weir_node_flow(n);
    return flow == WEIR_FLOW_ARG || flow == WEIR_FLOW_RETVAL;
}

static weir_status place_nodes(placing *p)
{
    size_t count = p->g->nodes.count;
    for (size_t i = 0; i < count; i++) {
        const weir_node *n = p->g->nodes.at[i];
        p->device[i] = !n->removed && is_port(n) ? 0 : -1;
        if (n->placed && !n->removed)
            WEIR_TRY(choose(p, n, -1));
    }
    for (size_t i = 0; i < count; i++) {
        const weir_node *n = p->g->nodes.at[i];
        if (!n->removed && p->device[i] < 0 && !generates(n))
            WEIR_TRY(choose(p, n, inputs_device(p, n)));
    }
    for (size_t i = 0; i < count; i++) {
        const weir_node *n = p->g->nodes.at[i];
        if (!n->removed && p->device[i] < 0)
            WEIR_TRY(choose(p, n, users_device(p, n)));
    }
    return WEIR_OK;
}

static void log_node(const placing *p, const weir_node *n)
{
    weir_buf line = {0};
    weir_buf_addf(&line, "%s: (%s): %s", n->site.name, n->site.def->name, n->site.device);
    p->o->log(line.at);
    weir_buf_fini(&line);
}

static bool is_late(placing *p, const weir_node *n)
{
    return p->o->before_opening && weir_place_leader(&p->groups, n->id)->late;
}

/* Nodes of one device share its name. */
static void write_devices(placing *p)
{
    const char **names = WEIR_NEW_ARRAY(const char *, p->o->device_count);
    for (size_t i = 0; i < p->g->nodes.count; i++) {
        weir_node *n = p->g->nodes.at[i];
        if (n->removed || n->placed || is_late(p, n))
            continue;
        int d = p->device[i];
        if (!names[d])
            names[d] = weir_arena_strdup(&p->g->arena, p->o->devices[d].name);
        n->site.device = names[d];
        n->placed = true;
        if (p->o->log)
            log_node(p, n);
    }
    weir_free(names);
}

static weir_status place_all(placing *p)
{
    for (int i = 0; i < p->o->device_count; i++)
        WEIR_TRY(weir_device_name_parse(p->o->devices[i].name, &p->full[i]));
    WEIR_TRY(weir_place_colocate(p->g, p->o->soft, &p->groups));
    WEIR_TRY(place_nodes(p));
    write_devices(p);
    return WEIR_OK;
}

weir_status weir_place_assign(weir_graph *g, const weir_place_options *options)
{
    placing p = {.g = g, .o = options};
    p.full = WEIR_NEW_ARRAY(weir_device_name, options->device_count);
    p.device = WEIR_NEW_ARRAY(int, g->nodes.count);
    weir_status s = place_all(&p);
    weir_place_groups_fini(&p.groups);
    weir_free(p.full);
    weir_free(p.device);
    return s;
}
