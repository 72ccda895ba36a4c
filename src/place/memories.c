/* place/memories.c - inserts copies on edges between memories. */
#include <stdio.h>

#include "graph/device_name.h"
#include "place/place_impl.h"

typedef struct placing {
    weir_graph *g;
    const weir_device_kernels *kernels;
    const char *host; /* device of values in host memory */
    weir_map copies;  /* "source:index>memory" -> the node with the value there */
} placing;

/* Control flow, _Send and _Recv have no kernels of their own. */
static bool works_there(const placing *placing, const weir_node *node)
{
    const weir_kernel *kernel;
    return placing->kernels->find(&node->site, &kernel) == WEIR_DEVICE_KERNEL;
}

static bool set_memories(placing *placing)
{
    bool any = false;
    for (size_t i = 0; i < placing->g->nodes.count; i++)
        placing->g->nodes.at[i]->site.memory = NULL;
    for (size_t i = 0; i < placing->g->nodes.count; i++) {
        weir_node *node = placing->g->nodes.at[i];
        weir_memory *memory =
            node->removed ? NULL
                          : placing->kernels->memory(placing->kernels->arg, node->site.device);
        node->site.memory = memory && works_there(placing, node) ? memory : NULL;
        any |= node->site.memory != NULL;
    }
    return any;
}

static weir_memory *out_memory(weir_edge edge)
{
    const weir_site *site = &edge.node->site;
    return weir_site_out_on_host(site, edge.index) ? NULL : site->memory;
}

static weir_memory *in_memory(const weir_node *node, int input)
{
    return weir_site_in_on_host(&node->site, input) ? NULL : node->site.memory;
}

/* ---- nodes that can run in either memory ----------------------------------------------------- */

/* No CPU was requested. */
static bool may_work_there(const placing *placing, const weir_node *node)
{
    const weir_kernel *kernel;
    weir_device_name asked;
    if (node->removed || node->site.memory ||
        placing->kernels->find(&node->site, &kernel) != WEIR_DEVICE_EITHER)
        return false;
    weir_status status = weir_device_name_parse(node->requested_device, &asked);
    bool free = !status && strcmp(asked.type, "CPU") != 0;
    weir_status_free(status);
    return free;
}

/* The first input in the memory of a device; null: none. */
static const weir_node *source_there(const weir_node *node)
{
    for (int i = 0; i < node->site.in_count; i++)
        if (out_memory(node->in[i]))
            return node->in[i].node;
    return NULL;
}

/* Some input is in its memory, and all its outputs are used there. */
static bool belongs_there(const weir_node *node)
{
    bool grounded = false;
    for (int i = 0; i < node->site.in_count; i++)
        grounded |= out_memory(node->in[i]) == node->site.memory;
    for (size_t i = 0; i < node->uses.count && grounded; i++) {
        const weir_use *use = &node->uses.at[i];
        if (use->input < 0)
            continue;
        grounded = in_memory(use->node, use->input) == node->site.memory ||
                   weir_site_out_on_host(&node->site, use->output);
    }
    return grounded && node->uses.count;
}

/* Small integer ops between two nodes of a device run there, too: copying them out would block the
 * host. Those whose values the host needs move back, with their producers. */
static void settle_either(const placing *placing)
{
    WEIR_VEC(weir_node *) there = {0};
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < placing->g->nodes.count; i++) {
            weir_node *node = placing->g->nodes.at[i];
            const weir_node *source = may_work_there(placing, node) ? source_there(node) : NULL;
            if (!source)
                continue;
            node->site.memory = source->site.memory;
            weir_vec_push(&there, node);
            changed = true;
        }
    }
    for (changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < there.count; i++) {
            bool leaves = there.at[i]->site.memory && !belongs_there(there.at[i]);
            if (leaves)
                there.at[i]->site.memory = NULL;
            changed |= leaves;
        }
    }
    for (size_t i = 0; i < there.count; i++)
        if (there.at[i]->site.memory)
            there.at[i]->site.device = source_there(there.at[i])->site.device;
    weir_vec_fini(&there);
}

static bool is_constant(weir_edge edge)
{
    return weir_node_flow(edge.node) == WEIR_FLOW_CONST;
}

/* A second constant in the other memory, instead of a copy in every step. */
static weir_status second_constant(placing *placing, weir_edge from, weir_memory *to,
                                   const weir_node *user, weir_node **out_node)
{
    char name[1024];
    snprintf(name, sizeof name, "%s/%s", from.node->site.name, to ? "_there" : "_here");
    WEIR_TRY(weir_graph_copy_node(placing->g, from.node, weir_graph_unique_name(placing->g, name),
                                  NULL, out_node));
    for (size_t i = 0; i < from.node->controls.count; i++)
        weir_graph_add_control(from.node->controls.at[i], *out_node);
    (*out_node)->site.device = to ? user->site.device : placing->host;
    (*out_node)->site.memory = to;
    return WEIR_OK;
}

static weir_status add_copy(placing *placing, weir_edge from, weir_memory *to,
                            const weir_node *user, weir_node **out_node)
{
    weir_memory *source = out_memory(from);
    const char *op = !source ? "_CopyIn" : !to ? "_CopyOut" : "_CopyAcross";
    char name[1024];
    snprintf(name, sizeof name, "%s/%s", from.node->site.name, op);
    weir_named_attr attrs[] = {weir_a_type("T", weir_edge_dtype(from))};
    weir_node_spec spec = {.name = weir_graph_unique_name(placing->g, name),
                           .op = op,
                           .in = &from,
                           .in_count = 1,
                           .attrs = attrs,
                           .attr_count = 1};
    const char *device = to ? user->site.device : from.node->site.device;
    WEIR_TRY(weir_place_add(placing->g, device, &spec, out_node));
    (*out_node)->site.memory = to ? to : source;
    return WEIR_OK;
}

/* The node with the value of |from| in |to|. A reference is read separately for each user. */
static weir_status brought(placing *placing, weir_edge from, weir_memory *to, const weir_node *user,
                           weir_node **out_node)
{
    char key[64];
    snprintf(key, sizeof key, "%d:%d>%p", from.node->id, from.index, (void *)to);
    bool ref = weir_dtype_is_ref(weir_edge_type(from));
    *out_node = ref ? NULL : weir_map_get(&placing->copies, weir_str_of(key));
    if (*out_node)
        return WEIR_OK;
    WEIR_TRY(is_constant(from) ? second_constant(placing, from, to, user, out_node)
                               : add_copy(placing, from, to, user, out_node));
    if (!ref)
        weir_map_put(&placing->copies, weir_str_of(key), *out_node);
    return WEIR_OK;
}

/* Delays the copy of a variable's value until all other inputs of its user are available. */
static void delay_read(weir_node *user, weir_node *read)
{
    for (int i = 0; i < user->site.in_count; i++)
        if (user->in[i].node != read &&
            weir_node_flow(user->in[i].node) != WEIR_FLOW_NEXT_ITERATION &&
            !weir_dtype_is_ref(weir_edge_type(user->in[i])))
            weir_graph_add_control(user->in[i].node, read);
    for (size_t i = 0; i < user->controls.count; i++)
        weir_graph_add_control(user->controls.at[i], read);
}

static weir_status bring_inputs(placing *placing, weir_node *node)
{
    for (int i = 0; i < node->site.in_count; i++) {
        weir_edge edge = node->in[i];
        weir_memory *to = in_memory(node, i);
        if (weir_dtype_is_ref(node->site.in_types[i]) || out_memory(edge) == to)
            continue;
        weir_node *here;
        bool ref = weir_dtype_is_ref(weir_edge_type(edge));
        WEIR_TRY(brought(placing, edge, to, node, &here));
        weir_graph_set_input(node, i, (weir_edge){here, 0});
        if (ref)
            delay_read(node, here);
    }
    return WEIR_OK;
}

weir_status weir_place_memories(weir_graph *graph, const weir_place_options *options)
{
    if (!options->kernels)
        return WEIR_OK;
    placing placing = {.g = graph, .kernels = options->kernels, .host = options->devices[0].name};
    size_t count = graph->nodes.count; /* excludes added nodes */
    weir_status status = WEIR_OK;
    if (!set_memories(&placing))
        return WEIR_OK;
    settle_either(&placing);
    for (size_t i = 0; i < count && !status; i++)
        if (!graph->nodes.at[i]->removed)
            status = bring_inputs(&placing, graph->nodes.at[i]);
    weir_map_fini(&placing.copies);
    return status;
}
