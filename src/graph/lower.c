/* graph/lower.c - opens up calls and functional control flow. */
#include "graph/flow.h"
#include "graph/lower_impl.h"

/* ---- calls ----------------------------------------------------------------------------------- */

/* A node that runs when the call would, or before it: when its first input is there. */
static weir_node *call_pivot(weir_lowering *lowering)
{
    weir_node *node = lowering->node, *pivot;
    if (node->site.in_count)
        pivot = weir_lower_add(lowering, "Identity", IN(node->in[0]), NO_ATTRS, NULL);
    else if (node->controls.count)
        pivot = weir_lower_add(lowering, "NoOp", NULL, 0, NO_ATTRS, NULL);
    else
        return NULL;
    weir_lower_inherit_controls(lowering, pivot);
    return pivot;
}

/* There is nothing that it could come after. */
static bool comes_first(const weir_node *node)
{
    return node->site.in_count == 0 && node->controls.count == 0;
}

static bool sees_state(const weir_graph *body)
{
    for (size_t i = 0; i < body->nodes.count; i++)
        if (!body->nodes.at[i]->removed && !comes_first(body->nodes.at[i]) &&
            weir_node_sees_state(body->nodes.at[i]))
            return true;
    return false;
}

/* A call begins when all of its inputs are there, and clients rely on that: who has an input from a
 * node needs no control edge from it. So what reads or changes state waits for all of them. */
static void wait_for_inputs(weir_lowering *lowering, weir_node *pivot)
{
    const weir_node *node = lowering->node;
    for (int i = 0; i < node->site.in_count && !lowering->status; i++) {
        weir_node *from = node->in[i].node;
        if (comes_first(from))
            continue;
        lowering->reads_wait = true;
        if (i > 0 && weir_flow_splits(from))
            from = weir_lower_add(lowering, "Identity", IN(node->in[i]), NO_ATTRS, NULL);
        if (i > 0)
            weir_lower_control(lowering, from, pivot);
    }
}

void weir_lower_call(weir_lowering *lowering)
{
    weir_node *node = lowering->node;
    weir_lower_body body = {0};
    weir_node_list effects = {0};
    const weir_attr *called = weir_node_attr(node, "f");
    WEIR_FREED weir_named_attr *attrs = WEIR_NEW_ARRAY(weir_named_attr, node->site.def->attr_count);
    for (int i = 0; i < node->site.def->attr_count; i++)
        attrs[i] = (weir_named_attr){node->site.def->attrs[i].name, node->site.attrs[i]};
    weir_lower_fail(lowering, node->function
                                  ? weir_lower_open_function(
                                        lowering, node->function, attrs, node->site.def->attr_count,
                                        node->site.in_count, node->site.out_count, &body)
                                  : weir_lower_open(lowering, called->func, node->site.in_count,
                                                    node->site.out_count, &body));
    weir_node *pivot = lowering->status ? NULL : call_pivot(lowering);
    lowering->reads_wait = node->controls.count > 0;
    if (pivot && sees_state(body.graph))
        wait_for_inputs(lowering, pivot);
    if (pivot && node->controls.count)
        weir_free(weir_lower_find_gated(&body, NULL));
    weir_lower_paste(lowering, &body, "", node->in, pivot, lowering->outs, &effects);
    if (effects.count) { /* dead when the call is */
        lowering->done = weir_lower_add(lowering, "NoOp", NULL, 0, NO_ATTRS, pivot);
        for (size_t i = 0; i < effects.count; i++)
            weir_lower_control(lowering, effects.at[i], lowering->done);
    }
    weir_vec_fini(&effects);
    weir_lower_close(&body);
}

/* ---- the node itself ------------------------------------------------------------------------- */

/* Turns the node into |as|: moves its op, attrs and inputs; removes |as|. */
static void become(weir_node *node, weir_node *as)
{
    for (int i = 0; i < node->site.in_count; i++)
        weir_graph_set_input(node, i, (weir_edge){0});
    const char *name = node->site.name, *device = node->site.device;
    int ins = as->site.in_count;
    node->site = as->site;
    node->site.name = name;
    node->site.device = device;
    node->function = NULL;
    node->in = WEIR_ARENA_ARRAY(&node->graph->arena, weir_edge, ins);
    for (int i = 0; i < ins; i++)
        weir_graph_set_input(node, i, as->in[i]);
    node->out_shapes = as->out_shapes;
    node->out_handles = as->out_handles;
    weir_graph_remove(as);
}

static void replace_node(weir_lowering *lowering)
{
    weir_node *node = lowering->node;
    weir_node *as = node->site.out_count
                        ? weir_lower_add(lowering, "IdentityN", lowering->outs,
                                         node->site.out_count, NO_ATTRS, NULL)
                        : weir_lower_add(lowering, "NoOp", NULL, 0, NO_ATTRS, NULL);
    if (lowering->status)
        return;
    become(node, as);
    weir_lower_control(lowering, lowering->done, node);
}

weir_status weir_lower_replace(weir_node *node, const weir_edge *outs)
{
    weir_lowering lowering = {.node = node, .graph = node->graph, .outs = (weir_edge *)outs};
    replace_node(&lowering);
    return lowering.status;
}

/* A call equivalent to a node whose op is a function's name. */
static weir_node *add_call(weir_lowering *lowering)
{
    const weir_site *site = &lowering->node->site;
    WEIR_FREED weir_named_attr *attrs = WEIR_NEW_ARRAY(weir_named_attr, site->def->attr_count);
    for (int i = 0; i < site->def->attr_count; i++)
        attrs[i] = (weir_named_attr){site->def->attrs[i].name, site->attrs[i]};
    weir_func function = {site->def->name, site->def->attr_count, attrs};
    WEIR_FREED int32_t *types = WEIR_NEW_ARRAY(int32_t, site->in_count + site->out_count);
    for (int i = 0; i < site->in_count; i++)
        types[i] = weir_dtype_base(site->in_types[i]);
    for (int i = 0; i < site->out_count; i++)
        types[site->in_count + i] = weir_dtype_base(site->out_types[i]);
    weir_named_attr call[] = {weir_a_types("Tin", types, site->in_count),
                              weir_a_types("Tout", types + site->in_count, site->out_count),
                              weir_a_func("f", &function)};
    weir_node *made = weir_lower_add(lowering, "StatefulPartitionedCall", lowering->node->in,
                                     site->in_count, call, 3, NULL);
    return made;
}

weir_status weir_lower_to_call(weir_node *node)
{
    if (!node->function)
        return WEIR_OK;
    weir_lowering lowering = {.node = node, .graph = node->graph};
    weir_node *call = add_call(&lowering);
    if (call)
        become(node, call);
    return lowering.status;
}

static weir_lower_fn *find(const weir_node *node)
{
    if (node->function)
        return weir_lower_call;
    switch (weir_node_flow(node)) {
    case WEIR_FLOW_CALL:
        return weir_lower_call;
    case WEIR_FLOW_IF:
        return weir_lower_if;
    case WEIR_FLOW_CASE:
        return weir_lower_case;
    case WEIR_FLOW_WHILE:
        return weir_lower_while;
    default:
        return NULL;
    }
}

/* Conditionals on non-scalars, and loops without variables, are not lowered. */
bool weir_lower_serves(const weir_node *node)
{
    weir_lower_fn *fn = find(node);
    if (fn == weir_lower_if)
        return weir_edge_dtype(node->in[0]) != WEIR_STRING &&
               weir_edge_shape(node->in[0])->rank <= 0;
    return fn && (fn != weir_lower_while || node->site.in_count > 0);
}

weir_status weir_lower(weir_node *node, weir_lower_ready ready)
{
    weir_lowering lowering = {.node = node,
                              .graph = node->graph,
                              .outs = WEIR_NEW_ARRAY(weir_edge, node->site.out_count),
                              .ready = ready};
    find(node)(&lowering);
    if (!lowering.status)
        replace_node(&lowering);
    weir_free(lowering.outs);
    return lowering.status;
}
