/* graph/lower_body.c - adds nodes and copies function bodies, for lowering. */
#include "graph/lower_impl.h"

/* ---- nodes ----------------------------------------------------------------------------------- */

void weir_lower_fail(weir_lowering *lowering, weir_status status)
{
    if (lowering->status)
        weir_status_free(status);
    else
        lowering->status = status;
}

weir_node *weir_lower_add(weir_lowering *lowering, const char *op, const weir_edge *in,
                          int in_count, const weir_named_attr *attrs, int attr_count,
                          weir_node *control)
{
    if (lowering->status)
        return NULL;
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s/%s", lowering->node->site.name, op);
    weir_node *made = NULL;
    weir_node_spec spec = {
        .name = weir_graph_unique_name(lowering->graph, name.at),
        .op = op,
        .in = in,
        .in_count = in_count,
        .attrs = attrs,
        .attr_count = attr_count,
        .controls = &control,
        .control_count = control ? 1 : 0,
        .device = lowering->node->requested_device,
    };
    weir_lower_fail(lowering, weir_graph_add(lowering->graph, &spec, &made));
    return lowering->status ? NULL : made;
}

weir_edge weir_lower_op(weir_lowering *lowering, const char *op, const weir_edge *in, int in_count)
{
    return weir_first_output(weir_lower_add(lowering, op, in, in_count, NO_ATTRS, NULL));
}

void weir_lower_control(weir_lowering *lowering, weir_node *from, weir_node *to)
{
    if (!lowering->status && from)
        weir_graph_add_control(from, to);
}

void weir_lower_inherit_controls(weir_lowering *lowering, weir_node *to)
{
    for (size_t i = 0; i < lowering->node->controls.count; i++)
        weir_lower_control(lowering, lowering->node->controls.at[i], to);
}

weir_edge weir_lower_bool(weir_lowering *lowering, weir_edge edge)
{
    if (lowering->status || weir_edge_dtype(edge) == WEIR_BOOL)
        return edge;
    weir_named_attr to = weir_a_type("DstT", WEIR_BOOL);
    return weir_first_output(weir_lower_add(lowering, "Cast", IN(edge), &to, 1, NULL));
}

/* ---- bodies ---------------------------------------------------------------------------------- */

void weir_lower_close(weir_lower_body *body)
{
    weir_graph_destroy(body->graph);
    weir_free(body->args);
    weir_free(body->rets);
    weir_free(body->late);
}

static void index_body(weir_lower_body *body)
{
    body->args = WEIR_NEW_ARRAY(weir_edge, body->graph->nodes.count);
    body->rets = WEIR_NEW_ARRAY(weir_edge, body->graph->nodes.count);
    for (size_t i = 0; i < body->graph->nodes.count; i++) {
        weir_node *node = body->graph->nodes.at[i];
        if (weir_node_flow(node) == WEIR_FLOW_ARG) {
            body->args[weir_node_attr(node, "index")->i] = weir_first_output(node);
            body->arg_count++;
        } else if (weir_node_flow(node) == WEIR_FLOW_RETVAL) {
            body->rets[weir_node_attr(node, "index")->i] = node->in[0];
            body->ret_count++;
        }
    }
}

weir_status weir_lower_open_function(weir_lowering *lowering, const weir_function *function,
                                     const weir_named_attr *attrs, int attr_count, int args,
                                     int rets, weir_lower_body *out)
{
    WEIR_TRY(weir_function_instantiate(lowering->graph, function, attrs, attr_count, &out->graph));
    if (lowering->ready)
        WEIR_TRY(lowering->ready(out->graph));
    index_body(out);
    if (out->arg_count != args || (rets >= 0 && out->ret_count != rets))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "function '%s' takes %d and returns %d values; node '%s' gives it %d and "
                          "expects %d",
                          function->def.name, out->arg_count, out->ret_count,
                          lowering->node->site.name, args, rets);
    return WEIR_OK;
}

weir_status weir_lower_open(weir_lowering *lowering, const weir_func *func, int args, int rets,
                            weir_lower_body *out)
{
    const weir_function *function =
        weir_graph_find_function(lowering->graph, weir_str_of(func->name));
    if (!function)
        return weir_error(WEIR_NOT_FOUND, "function '%s' of node '%s' is not in the library",
                          func->name, lowering->node->site.name);
    return weir_lower_open_function(lowering, function, func->attrs, func->attr_count, args, rets,
                                    out);
}

/* Whether |marks| has a mark for something that the node takes or waits for. */
static bool any_before(const weir_node *node, const bool *marks)
{
    bool any = false;
    for (int i = 0; i < node->site.in_count; i++)
        any |= marks[node->in[i].node->id];
    for (size_t i = 0; i < node->controls.count; i++)
        any |= marks[node->controls.at[i]->id];
    return any;
}

static bool is_alive(const weir_node *node, const bool *alive)
{
    return weir_node_flow(node) == WEIR_FLOW_ARG &&
           (!alive || alive[weir_node_attr(node, "index")->i]);
}

static bool may_wait(const weir_node *node)
{
    weir_flow flow = weir_node_flow(node);
    return flow != WEIR_FLOW_ARG && flow != WEIR_FLOW_RETVAL && flow != WEIR_FLOW_IDENTITY;
}

/* What a call, branch or loop within gives may be there although it waits itself: it need not use
 * what it takes. */
bool *weir_lower_find_gated(weir_lower_body *body, const bool *alive)
{
    size_t count, ids = body->graph->nodes.count;
    WEIR_FREED weir_node **order = weir_graph_order(body->graph, &count);
    WEIR_FREED bool *waits = WEIR_NEW_ARRAY(bool, ids);
    bool *gated = WEIR_NEW_ARRAY(bool, ids);
    body->late = WEIR_NEW_ARRAY(bool, ids);
    for (size_t i = 0; i < count; i++) {
        const weir_node *node = order[i];
        int id = node->id;
        bool bare = node->site.in_count == 0 && node->controls.count == 0;
        waits[id] = !is_alive(node, alive) && (bare || any_before(node, waits));
        body->late[id] = !waits[id] && may_wait(node);
        waits[id] |= body->late[id];
        gated[id] = !is_alive(node, alive) && (bare || body->late[id] || any_before(node, gated)) &&
                    !(node->site.in_count && weir_lower_serves(node));
    }
    return gated;
}

/* A conditional or a loop: whether its bodies run does not depend on their arguments alone. */
static bool decides(const weir_node *node)
{
    weir_flow flow = weir_node_flow(node);
    return flow == WEIR_FLOW_IF || flow == WEIR_FLOW_CASE || flow == WEIR_FLOW_WHILE;
}

void weir_lower_paste(weir_lowering *lowering, const weir_lower_body *body, const char *part,
                      const weir_edge *args, weir_node *pivot, weir_edge *out_rets,
                      weir_node_list *effects)
{
    if (lowering->status)
        return;
    WEIR_BUF(prefix);
    weir_buf_addf(&prefix, "%s%s%s", lowering->node->site.name, *part ? "/" : "", part);
    weir_paste how = {
        .to = lowering->graph,
        .from = body->graph,
        .prefix = prefix.at,
        .device = lowering->node->requested_device,
        .pivot = pivot,
        .reads_wait = lowering->reads_wait || decides(lowering->node),
        .late = body->late,
        .inputs = body->args,
        .replacements = args,
        .input_count = body->arg_count,
        .results = body->rets,
        .result_count = body->ret_count,
    };
    weir_lower_fail(lowering, weir_graph_paste(&how, out_rets, effects));
}
