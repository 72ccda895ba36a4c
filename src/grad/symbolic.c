/* grad/symbolic.c - expands SymbolicGradient nodes into the gradient of their function. */
#include "grad/symbolic.h"

#include "base/deadline.h"
#include "grad/grad.h"
#include "graph/lower.h"
#include "graph/paste.h"

typedef struct opening {
    weir_node *n;
    weir_graph *body;
    int arg_count, ret_count;
    weir_edge *args, *rets;      /* of the body, by index */
    weir_edge *inputs, *results; /* of the graph: copies of the arguments, results of the body */
    weir_edge *dx;
} opening;

static weir_status add(weir_node *node, const char *op, weir_edge in, weir_edge *out)
{
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s/%s", node->site.name, op);
    weir_node *made;
    weir_node_spec spec = {
        .name = weir_graph_unique_name(node->graph, name.at),
        .op = op,
        .in = &in,
        .in_count = 1,
        .controls = node->controls.at,
        .control_count = (int)node->controls.count,
        .device = node->requested_device,
    };
    WEIR_TRY(weir_graph_add(node->graph, &spec, &made));
    *out = (weir_edge){made, 0};
    return WEIR_OK;
}

static weir_status open_body(opening *opening, const weir_function *fn)
{
    const weir_func *func = weir_node_attr(opening->n, "f")->func;
    WEIR_TRY(weir_function_instantiate(opening->n->graph, fn, func->attrs, func->attr_count,
                                       &opening->body));
    size_t count = opening->body->nodes.count;
    opening->args = WEIR_NEW_ARRAY(weir_edge, count);
    opening->rets = WEIR_NEW_ARRAY(weir_edge, count);
    opening->results = WEIR_NEW_ARRAY(weir_edge, count);
    for (size_t i = 0; i < count; i++) {
        weir_node *node = opening->body->nodes.at[i];
        if (weir_node_flow(node) == WEIR_FLOW_ARG)
            opening->args[weir_node_attr(node, "index")->i] = (weir_edge){node, 0},
                                               opening->arg_count++;
        else if (weir_node_flow(node) == WEIR_FLOW_RETVAL)
            opening->rets[weir_node_attr(node, "index")->i] = node->in[0], opening->ret_count++;
    }
    if (opening->arg_count + opening->ret_count != opening->n->site.in_count ||
        opening->arg_count != opening->n->site.out_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "node '%s' gives %d values and takes %d, but its function '%s' has %d "
                          "arguments and %d results",
                          opening->n->site.name, opening->n->site.in_count,
                          opening->n->site.out_count, func->name, opening->arg_count,
                          opening->ret_count);
    return WEIR_OK;
}

/* Each argument gets a node of its own: an edge passed twice is two arguments. */
static weir_status paste_body(opening *opening)
{
    opening->inputs = WEIR_NEW_ARRAY(weir_edge, opening->arg_count);
    for (int i = 0; i < opening->arg_count; i++)
        WEIR_TRY(add(opening->n, "Identity", opening->n->in[i], &opening->inputs[i]));
    weir_paste how = {
        .to = opening->n->graph,
        .from = opening->body,
        .prefix = opening->n->site.name,
        .device = opening->n->requested_device,
        .pivot = opening->arg_count ? opening->inputs[0].node : NULL,
        .inputs = opening->args,
        .replacements = opening->inputs,
        .input_count = opening->arg_count,
        .results = opening->rets,
        .result_count = opening->ret_count,
    };
    return weir_graph_paste(&how, opening->results, NULL);
}

static weir_status differentiate(opening *opening)
{
    WEIR_BUF(prefix);
    weir_buf_addf(&prefix, "%s/gradients", opening->n->site.name);
    weir_gradients what = {
        .prefix = prefix.at,
        .y = opening->results,
        .x = opening->inputs,
        .dy = opening->n->in + opening->arg_count,
        .y_count = opening->ret_count,
        .x_count = opening->arg_count,
    };
    opening->dx = WEIR_NEW_ARRAY(weir_edge, opening->arg_count);
    weir_status status = weir_grad_add_gradients(opening->n->graph, &what, opening->dx);
    for (int i = 0; i < opening->arg_count && !status; i++)
        if (!opening->dx[i].node)
            status = add(opening->n, "ZerosLike", opening->inputs[i], &opening->dx[i]);
    return status;
}

static weir_status count_results(const weir_function *function, const weir_func *how,
                                 weir_graph *library, int *out_count)
{
    weir_graph *body;
    WEIR_TRY(weir_function_instantiate(library, function, how->attrs, how->attr_count, &body));
    *out_count = 0;
    for (size_t i = 0; i < body->nodes.count; i++)
        *out_count += weir_node_flow(body->nodes.at[i]) == WEIR_FLOW_RETVAL;
    weir_graph_destroy(body);
    return WEIR_OK;
}

/* A registered gradient function takes the node's inputs: it is called instead. */
static weir_status call_registered(opening *opening, const weir_function *fn)
{
    weir_node *node = opening->n, *call;
    weir_func how = *weir_node_attr(node, "f")->func;
    const weir_function *gradient =
        weir_graph_find_function(node->graph, weir_str_of(fn->gradient));
    if (!gradient)
        return weir_error(WEIR_NOT_FOUND,
                          "function '%s', the gradient of '%s', is not in the library",
                          fn->gradient, how.name);
    how.name = fn->gradient;
    int count = 0;
    WEIR_TRY(count_results(gradient, &how, node->graph, &count));
    if (count != node->site.out_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "SymGrad expects to return %d tensor(s), but get %d tensor(s) instead.",
                          node->site.out_count, count);
    weir_named_attr attrs[] = {
        weir_a_types("Tin", weir_node_attr(node, "Tin")->types, node->site.in_count),
        weir_a_types("Tout", weir_node_attr(node, "Tout")->types, count), weir_a_func("f", &how)};
    WEIR_TRY(weir_graph_add(
        node->graph,
        &(weir_node_spec){.name = weir_graph_unique_name(node->graph, node->site.name),
                          .op = "StatefulPartitionedCall",
                          .in = node->in,
                          .in_count = node->site.in_count,
                          .attrs = attrs,
                          .attr_count = 3,
                          .controls = node->controls.at,
                          .control_count = (int)node->controls.count,
                          .device = node->requested_device},
        &call));
    opening->dx = WEIR_NEW_ARRAY(weir_edge, count);
    for (int i = 0; i < count; i++)
        opening->dx[i] = (weir_edge){call, i};
    return weir_lower_replace(node, opening->dx);
}

static weir_status open_node(opening *opening)
{
    const weir_func *func = weir_node_attr(opening->n, "f")->func;
    const weir_function *fn = weir_graph_find_function(opening->n->graph, weir_str_of(func->name));
    if (!fn)
        return weir_error(WEIR_NOT_FOUND, "function '%s' of node '%s' is not in the library",
                          func->name, opening->n->site.name);
    if (fn->gradient)
        return call_registered(opening, fn);
    WEIR_TRY(open_body(opening, fn));
    WEIR_TRY(paste_body(opening));
    WEIR_TRY(differentiate(opening));
    return weir_lower_replace(opening->n, opening->dx);
}

static void fini(opening *opening)
{
    weir_graph_destroy(opening->body);
    weir_free(opening->args);
    weir_free(opening->rets);
    weir_free(opening->inputs);
    weir_free(opening->results);
    weir_free(opening->dx);
}

/* Limits for nested gradients: their names grow, and they recurse on this stack. */
enum { LONGEST_NAME = 4000, MOST_NESTED = 50 };
static _Thread_local int nested;

static weir_status check_depth(const weir_node *node)
{
    WEIR_TRY(weir_deadline_check());
    if (nested < MOST_NESTED && strlen(node->site.name) < LONGEST_NAME)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "node '%.80s...' (SymbolicGradient of function '%s'): gradients of functions "
                      "hold each other without end",
                      node->site.name, weir_node_attr(node, "f")->func->name);
}

weir_status weir_symbolic_open(weir_node *node)
{
    WEIR_TRY(check_depth(node));
    opening opening = {.n = node};
    nested++;
    weir_status status = open_node(&opening);
    nested--;
    fini(&opening);
    return status;
}

weir_status weir_symbolic_open_all(weir_graph *graph, bool *out_any)
{
    *out_any = false;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        weir_node *node = graph->nodes.at[i];
        if (node->removed || !weir_node_is(node, "SymbolicGradient"))
            continue;
        WEIR_TRY(weir_symbolic_open(node));
        *out_any = true;
    }
    return WEIR_OK;
}

weir_status weir_symbolic_ready(weir_graph *body)
{
    bool any;
    return weir_symbolic_open_all(body, &any);
}
