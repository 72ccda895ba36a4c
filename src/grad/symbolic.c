/* grad/symbolic.c - SymbolicGradient nodes become the gradient they stand for. */
#include "grad/symbolic.h"

#include "grad/grad.h"
#include "graph/lower.h"
#include "graph/paste.h"

typedef struct opening {
    weir_node *n;
    weir_graph *body;
    int arg_count, ret_count;
    weir_edge *args, *rets;      /* of the body, by index */
    weir_edge *inputs, *results; /* of the graph: copies of the arguments, what the body gives */
    weir_edge *dx;
} opening;

static weir_status add(weir_node *n, const char *op, weir_edge in, weir_edge *out)
{
    weir_buf name = {0};
    weir_buf_addf(&name, "%s/%s", n->site.name, op);
    weir_node *made;
    weir_node_spec spec = {
        .name = weir_graph_unique_name(n->graph, name.at),
        .op = op,
        .in = &in,
        .in_count = 1,
        .controls = n->controls.at,
        .control_count = (int)n->controls.count,
        .device = n->requested_device,
    };
    weir_status s = weir_graph_add(n->graph, &spec, &made);
    weir_buf_fini(&name);
    WEIR_TRY(s);
    *out = (weir_edge){made, 0};
    return WEIR_OK;
}

static weir_status open_body(opening *o, const weir_function *fn)
{
    const weir_func *f = weir_node_attr(o->n, "f")->func;
    WEIR_TRY(weir_function_instantiate(o->n->graph, fn, f->attrs, f->attr_count, &o->body));
    size_t count = o->body->nodes.count;
    o->args = WEIR_NEW_ARRAY(weir_edge, count);
    o->rets = WEIR_NEW_ARRAY(weir_edge, count);
    o->results = WEIR_NEW_ARRAY(weir_edge, count);
    for (size_t i = 0; i < count; i++) {
        weir_node *n = o->body->nodes.at[i];
        if (weir_node_flow(n) == WEIR_FLOW_ARG)
            o->args[weir_node_attr(n, "index")->i] = (weir_edge){n, 0}, o->arg_count++;
        else if (weir_node_flow(n) == WEIR_FLOW_RETVAL)
            o->rets[weir_node_attr(n, "index")->i] = n->in[0], o->ret_count++;
    }
    if (o->arg_count + o->ret_count != o->n->site.in_count || o->arg_count != o->n->site.out_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "node '%s' gives %d values and takes %d, but its function '%s' has %d "
                          "arguments and %d results",
                          o->n->site.name, o->n->site.in_count, o->n->site.out_count, f->name,
                          o->arg_count, o->ret_count);
    return WEIR_OK;
}

/* Each argument gets a node of its own: the same edge given twice is two arguments. */
static weir_status paste_body(opening *o)
{
    o->inputs = WEIR_NEW_ARRAY(weir_edge, o->arg_count);
    for (int i = 0; i < o->arg_count; i++)
        WEIR_TRY(add(o->n, "Identity", o->n->in[i], &o->inputs[i]));
    weir_paste how = {
        .to = o->n->graph,
        .from = o->body,
        .prefix = o->n->site.name,
        .device = o->n->requested_device,
        .pivot = o->arg_count ? o->inputs[0].node : NULL,
        .inputs = o->args,
        .replacements = o->inputs,
        .input_count = o->arg_count,
        .results = o->rets,
        .result_count = o->ret_count,
    };
    return weir_graph_paste(&how, o->results, NULL);
}

static weir_status differentiate(opening *o)
{
    weir_buf prefix = {0};
    weir_buf_addf(&prefix, "%s/gradients", o->n->site.name);
    weir_gradients what = {
        .prefix = prefix.at,
        .y = o->results,
        .x = o->inputs,
        .dy = o->n->in + o->arg_count,
        .y_count = o->ret_count,
        .x_count = o->arg_count,
    };
    o->dx = WEIR_NEW_ARRAY(weir_edge, o->arg_count);
    weir_status s = weir_grad_add_gradients(o->n->graph, &what, o->dx);
    weir_buf_fini(&prefix);
    for (int i = 0; i < o->arg_count && !s; i++)
        if (!o->dx[i].node)
            s = add(o->n, "ZerosLike", o->inputs[i], &o->dx[i]);
    return s;
}

static weir_status count_results(const weir_function *f, const weir_func *how, weir_graph *library,
                                 int *out_count)
{
    weir_graph *body;
    WEIR_TRY(weir_function_instantiate(library, f, how->attrs, how->attr_count, &body));
    *out_count = 0;
    for (size_t i = 0; i < body->nodes.count; i++)
        *out_count += weir_node_flow(body->nodes.at[i]) == WEIR_FLOW_RETVAL;
    weir_graph_destroy(body);
    return WEIR_OK;
}

/* The gradient that was registered takes the same values as the node: it is called instead. */
static weir_status call_registered(opening *o, const weir_function *fn)
{
    weir_node *n = o->n, *call;
    weir_func how = *weir_node_attr(n, "f")->func;
    const weir_function *gradient = weir_graph_find_function(n->graph, weir_str_of(fn->gradient));
    if (!gradient)
        return weir_error(WEIR_NOT_FOUND,
                          "function '%s', the gradient of '%s', is not in the library",
                          fn->gradient, how.name);
    how.name = fn->gradient;
    int count = 0;
    WEIR_TRY(count_results(gradient, &how, n->graph, &count));
    if (count != n->site.out_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "SymGrad expects to return %d tensor(s), but get %d tensor(s) instead.",
                          n->site.out_count, count);
    weir_named_attr attrs[] = {
        weir_a_types("Tin", weir_node_attr(n, "Tin")->types, n->site.in_count),
        weir_a_types("Tout", weir_node_attr(n, "Tout")->types, count), weir_a_func("f", &how)};
    WEIR_TRY(
        weir_graph_add(n->graph,
                       &(weir_node_spec){.name = weir_graph_unique_name(n->graph, n->site.name),
                                         .op = "StatefulPartitionedCall",
                                         .in = n->in,
                                         .in_count = n->site.in_count,
                                         .attrs = attrs,
                                         .attr_count = 3,
                                         .controls = n->controls.at,
                                         .control_count = (int)n->controls.count,
                                         .device = n->requested_device},
                       &call));
    o->dx = WEIR_NEW_ARRAY(weir_edge, count);
    for (int i = 0; i < count; i++)
        o->dx[i] = (weir_edge){call, i};
    return weir_lower_replace(n, o->dx);
}

static weir_status open_node(opening *o)
{
    const weir_func *f = weir_node_attr(o->n, "f")->func;
    const weir_function *fn = weir_graph_find_function(o->n->graph, weir_str_of(f->name));
    if (!fn)
        return weir_error(WEIR_NOT_FOUND, "function '%s' of node '%s' is not in the library",
                          f->name, o->n->site.name);
    if (fn->gradient)
        return call_registered(o, fn);
    WEIR_TRY(open_body(o, fn));
    WEIR_TRY(paste_body(o));
    WEIR_TRY(differentiate(o));
    return weir_lower_replace(o->n, o->dx);
}

static void fini(opening *o)
{
    weir_graph_destroy(o->body);
    weir_free(o->args);
    weir_free(o->rets);
    weir_free(o->inputs);
    weir_free(o->results);
    weir_free(o->dx);
}

weir_status weir_symbolic_open(weir_node *n)
{
    opening o = {.n = n};
    weir_status s = open_node(&o);
    fini(&o);
    return s;
}

weir_status weir_symbolic_open_all(weir_graph *g, bool *out_any)
{
    *out_any = false;
    for (size_t i = 0; i < g->nodes.count; i++) {
        weir_node *n = g->nodes.at[i];
        if (n->removed || !weir_node_is(n, "SymbolicGradient"))
            continue;
        WEIR_TRY(weir_symbolic_open(n));
        *out_any = true;
    }
    return WEIR_OK;
}

weir_status weir_symbolic_ready(weir_graph *body)
{
    bool any;
    return weir_symbolic_open_all(body, &any);
}
