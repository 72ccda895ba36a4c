/* place/assign.c - assigns a device to each group of nodes. */
#include <stdio.h>
#include <stdlib.h>

#include "place/colocate.h"

typedef struct placing {
    weir_graph *g;
    const weir_place_options *o;
    weir_place_groups groups;
    weir_device_name *full; /* parsed names of the devices */
    int *device;            /* by node id: index of its device; -1: not yet */
    uint8_t *way;           /* weir_device_way of a group; root only */
} placing;

/* ---- errors --------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_devices(const weir_place_options *options, weir_buf *out)
{
    const char **names = WEIR_NEW_ARRAY(const char *, options->device_count);
    for (int i = 0; i < options->device_count; i++)
        names[i] = options->devices[i].name;
    qsort(names, (size_t)options->device_count, sizeof *names, by_name);
    for (int i = 0; i < options->device_count; i++)
        weir_buf_addf(out, "%s%s", i ? ", " : "", names[i]);
    weir_free(names);
}

static weir_status none_fits(placing *placing, const weir_node *node)
{
    const weir_place_group *group = weir_place_leader(&placing->groups, node->id);
    weir_device_name asked;
    char asked_text[WEIR_DEVICE_NAME_ROOM], want[WEIR_DEVICE_NAME_ROOM];
    WEIR_TRY(weir_device_name_parse(node->requested_device, &asked));
    weir_device_name_text(&group->want, want);
    bool alone = strcmp(weir_device_name_text(&asked, asked_text), want) == 0;
    WEIR_BUF(list);
    list_devices(placing->o, &list);
    const char *name = node->site.name;
    return alone
               ? weir_error(WEIR_INVALID_ARGUMENT,
                            "Cannot assign a device for operation %s: {{node %s}} was explicitly "
                            "assigned to %s but available devices are [ %s ]. Make sure the device "
                            "specification refers to a valid device.\n\t [[{{node %s}}]]",
                            name, name, node->requested_device, list.at, name)
               : weir_error(WEIR_INVALID_ARGUMENT,
                            "Cannot assign a device for operation %s: Could not satisfy explicit "
                            "device specification '%s' because the node {{colocation_node %s}} was "
                            "colocated with a group of nodes that required incompatible device "
                            "'%s'. All available devices [%s]. \n\t [[{{node %s}}]]",
                            name, node->requested_device, name, want, list.at, name);
}

/* ---- choosing ------------------------------------------------------------------------------- */

/* Whether a node can run on a non-CPU device. */
static weir_device_way way_of(const placing *placing, const weir_node *node)
{
    const weir_device_kernels *kernels = placing->o->kernels;
    return kernels ? kernels->find(&node->site, NULL) : WEIR_DEVICE_NONE;
}

static uint8_t *group_way(placing *placing, const weir_node *node)
{
    return &placing->way[weir_place_leader(&placing->groups, node->id) - placing->groups.of];
}

/* A variable, or a container of tensors in loops. */
static bool is_holder(const weir_node *node)
{
    static const char *const makers[] = {"VarHandleOp", "TensorArrayV3", "StackV2"};
    bool holder = node->site.in_count == 0 && node->site.out_count == 1 &&
                  weir_dtype_is_ref(node->site.out_types[0]);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        holder |= strcmp(node->site.def->name, makers[i]) == 0;
    return holder;
}

/* The device of a holder of tensors determines its group's if the others support it, such as
 * control flow that passes its handle on. Variables are excluded: a variable must be on the same
 * device in every plan, and its initialiser is in one of them only. */
static void follow_holders(placing *placing)
{
    for (size_t i = 0; i < placing->g->nodes.count; i++) {
        const weir_node *node = placing->g->nodes.at[i];
        if (node->removed || !is_holder(node) || way_of(placing, node) != WEIR_DEVICE_KERNEL)
            continue;
        uint8_t *way = group_way(placing, node);
        if (*way == WEIR_DEVICE_HOST)
            *way = WEIR_DEVICE_KERNEL;
    }
}

/* Intersects the capabilities of each group's members; a group is placed together. */
static void find_ways(placing *placing)
{
    size_t count = placing->g->nodes.count;
    for (size_t i = 0; i < count; i++)
        placing->way[i] = WEIR_DEVICE_KERNEL;
    for (size_t i = 0; placing->o->kernels && i < count; i++) {
        const weir_node *node = placing->g->nodes.at[i];
        if (node->removed)
            continue;
        uint8_t *way = group_way(placing, node);
        weir_device_way own = way_of(placing, node);
        if (own == WEIR_DEVICE_NONE || *way == WEIR_DEVICE_NONE)
            *way = WEIR_DEVICE_NONE;
        else if (own != WEIR_DEVICE_KERNEL)
            *way = WEIR_DEVICE_HOST;
    }
    follow_holders(placing);
}

static bool is_processor(const weir_device_name *device)
{
    return strcmp(device->type, "CPU") == 0;
}

/* Without a request for another type, a device must be a CPU, or have kernels for all of the
 * group. */
static bool serves(const placing *placing, const weir_place_group *group, int device)
{
    const weir_device_name *full = &placing->full[device];
    weir_device_way way = placing->way[group - placing->groups.of];
    if (!weir_device_name_matches(&group->want, full))
        return false;
    if (is_processor(full) || !placing->o->kernels)
        return is_processor(full) || *group->want.type;
    return *group->want.type ? way != WEIR_DEVICE_NONE : way == WEIR_DEVICE_KERNEL;
}

static bool same_task(const weir_device_name *a, const weir_device_name *b)
{
    return strcmp(a->job, b->job) == 0 && a->replica == b->replica && a->task == b->task;
}

/* The first suitable device, but other devices before the CPUs of its task. */
static int first_that_serves(const placing *placing, const weir_place_group *group)
{
    int first = -1;
    for (int i = 0; i < placing->o->device_count; i++) {
        if (!serves(placing, group, i))
            continue;
        if (!is_processor(&placing->full[i]) &&
            (first < 0 || same_task(&placing->full[i], &placing->full[first])))
            return i;
        first = first < 0 ? i : first;
    }
    return first;
}

static bool names_other_task(const placing *placing, const weir_device_name *want)
{
    weir_device_name task = *want;
    task.type[0] = 0;
    task.id = WEIR_DEVICE_ANY;
    return !weir_device_name_matches(&task, &placing->full[0]);
}

/* The device of |node|'s group; |liked| (or -1) if the group may go there. */
static weir_status choose(placing *placing, const weir_node *node, int liked)
{
    weir_place_group *group = weir_place_leader(&placing->groups, node->id);
    if (group->device < 0 && liked >= 0 && serves(placing, group, liked))
        group->device = liked;
    if (group->device < 0)
        group->device = first_that_serves(placing, group);
    if (group->device < 0 && placing->o->soft) { /* use another device of that task */
        weir_device_name want = group->want;
        group->want.type[0] = 0;
        group->want.id = WEIR_DEVICE_ANY;
        group->device = first_that_serves(placing, group);
        group->want = want;
    }
    if (group->device < 0 && placing->o->anywhere && names_other_task(placing, &group->want))
        group->device = 0;
    if (group->device < 0)
        return none_fits(placing, node);
    placing->device[node->id] = group->device;
    return WEIR_OK;
}

/* A node without inputs and with one output: best placed with its users. */
static bool generates(const weir_node *node)
{
    return node->site.in_count == 0 && node->site.out_count == 1 &&
           !weir_dtype_is_ref(node->site.out_types[0]);
}

/* The common device of all of |node|'s users; -1 if they differ. */
static int users_device(const placing *placing, const weir_node *node)
{
    int device = -1;
    for (size_t i = 0; i < node->uses.count; i++) {
        int d = placing->device[node->uses.at[i].node->id];
        if (d < 0 || (i && d != device))
            return -1;
        device = d;
    }
    return device;
}

/* An Identity that only forwards a value between two nodes with the same request. */
static bool passes_on(const weir_node *node)
{
    weir_flow flow = weir_node_flow(node);
    bool identity = flow == WEIR_FLOW_IDENTITY || flow == WEIR_FLOW_REF_IDENTITY;
    return identity && !*node->requested_device && node->controls.count == 0 &&
           node->uses.count == 1 &&
           strcmp(node->in[0].node->requested_device, node->uses.at[0].node->requested_device) == 0;
}

/* Reads a reference after its control inputs: the value sent to another task would be stale. */
static bool reads_later(const weir_node *node)
{
    return weir_node_flow(node) == WEIR_FLOW_IDENTITY && !*node->requested_device &&
           node->controls.count && weir_dtype_is_ref(weir_edge_type(node->in[0]));
}

static int inputs_device(const placing *placing, const weir_node *node)
{
    bool follows = node->site.in_count && (node->site.def->flags & WEIR_SHAPE_ONLY ||
                                           passes_on(node) || reads_later(node));
    return follows ? placing->device[node->in[0].node->id] : -1;
}

static bool is_port(const weir_node *node)
{
    weir_flow flow = weir_node_flow(node);
    return flow == WEIR_FLOW_ARG || flow == WEIR_FLOW_RETVAL;
}

static weir_status place_nodes(placing *placing)
{
    size_t count = placing->g->nodes.count;
    for (size_t i = 0; i < count; i++) {
        const weir_node *node = placing->g->nodes.at[i];
        placing->device[i] = !node->removed && is_port(node) ? 0 : -1;
        if (node->placed && !node->removed)
            WEIR_TRY(choose(placing, node, -1));
    }
    for (size_t i = 0; i < count; i++) {
        const weir_node *node = placing->g->nodes.at[i];
        if (!node->removed && placing->device[i] < 0 && !generates(node))
            WEIR_TRY(choose(placing, node, inputs_device(placing, node)));
    }
    for (size_t i = 0; i < count; i++) {
        const weir_node *node = placing->g->nodes.at[i];
        if (!node->removed && placing->device[i] < 0)
            WEIR_TRY(choose(placing, node, users_device(placing, node)));
    }
    return WEIR_OK;
}

static void log_node(const placing *placing, const weir_node *node)
{
    WEIR_BUF(line);
    weir_buf_addf(&line, "%s: (%s): %s", node->site.name, node->site.def->name, node->site.device);
    placing->o->log(line.at);
}

static bool is_late(placing *placing, const weir_node *node)
{
    return placing->o->before_opening && weir_place_leader(&placing->groups, node->id)->late;
}

/* Nodes of one device share its name string. */
static void write_devices(placing *placing)
{
    const char **names = WEIR_NEW_ARRAY(const char *, placing->o->device_count);
    for (size_t i = 0; i < placing->g->nodes.count; i++) {
        weir_node *node = placing->g->nodes.at[i];
        if (node->removed || node->placed || is_late(placing, node))
            continue;
        int d = placing->device[i];
        if (!names[d])
            names[d] = weir_arena_strdup(&placing->g->arena, placing->o->devices[d].name);
        node->site.device = names[d];
        node->placed = true;
        if (placing->o->log)
            log_node(placing, node);
    }
    weir_free(names);
}

static weir_status place_all(placing *placing)
{
    for (int i = 0; i < placing->o->device_count; i++)
        WEIR_TRY(weir_device_name_parse(placing->o->devices[i].name, &placing->full[i]));
    WEIR_TRY(weir_place_colocate(placing->g, placing->o->soft, &placing->groups));
    find_ways(placing);
    WEIR_TRY(place_nodes(placing));
    write_devices(placing);
    return WEIR_OK;
}

weir_status weir_place_assign(weir_graph *graph, const weir_place_options *options)
{
    placing placing = {.g = graph, .o = options};
    placing.full = WEIR_NEW_ARRAY(weir_device_name, options->device_count);
    placing.device = WEIR_NEW_ARRAY(int, graph->nodes.count);
    placing.way = WEIR_NEW_ARRAY(uint8_t, graph->nodes.count);
    weir_status status = place_all(&placing);
    weir_place_groups_fini(&placing.groups);
    weir_free(placing.full);
    weir_free(placing.device);
    weir_free(placing.way);
    return status;
}
