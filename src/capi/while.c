/* capi/while.c - TF_NewWhile to TF_FinishWhile: builds a loop from two small graphs. */
#include <stdio.h>

#include "capi/capi_impl.h"
#include "graph/while.h"

static const TF_WhileParams NO_PARAMS;

/* ---- making ---------------------------------------------------------------------------------- */

/* Adds a placeholder per input of the loop, with its type and known shape. */
static weir_status add_inputs(TF_Graph *graph, const char *base, const TF_Output *inputs, int count,
                              TF_Output *out)
{
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%d", base, i);
        weir_edge from = weir_capi_edge(inputs[i]);
        weir_named_attr dtype = weir_a_type("dtype", weir_edge_dtype(from));
        weir_node *node;
        WEIR_TRY(weir_graph_add(
            graph->graph,
            &(weir_node_spec){.name = name, .op = "Placeholder", .attrs = &dtype, .attr_count = 1},
            &node));
        node->out_shapes[0] = *weir_edge_shape(from);
        if (node->out_handles && from.node->out_handles)
            node->out_handles[0] = from.node->out_handles[from.index];
        out[i] = (TF_Output){weir_capi_oper(node), 0};
    }
    return WEIR_OK;
}

/* A graph for the condition or the body has the functions of its parent. */
static weir_status make_graph(TF_Graph *parent, const TF_Output *inputs, int count,
                              TF_Graph **out_graph)
{
    TF_Graph *graph = *out_graph = TF_NewGraph();
    graph->parent = parent;
    graph->parent_inputs = WEIR_NEW_ARRAY(TF_Output, count);
    memcpy(graph->parent_inputs, inputs, sizeof *inputs * (size_t)count);
    for (size_t i = 0; i < parent->graph->function_list.count; i++)
        WEIR_TRY(weir_graph_add_function(graph->graph, parent->graph->function_list.at[i]));
    return WEIR_OK;
}

static weir_status check_inputs(const TF_Output *inputs, int count)
{
    if (count <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "TF_NewWhile() must be passed at least one input");
    for (int i = 0; i < count; i++)
        WEIR_TRY(weir_capi_check_output(inputs[i]));
    return WEIR_OK;
}

TF_WhileParams TF_NewWhile(TF_Graph *graph, TF_Output *inputs, int ninputs, TF_Status *status)
{
    TF_Graph *cond = NULL, *body = NULL;
    int room = ninputs > 0 ? ninputs : 0;
    TF_Output *cond_inputs = WEIR_NEW_ARRAY(TF_Output, room);
    TF_Output *body_inputs = WEIR_NEW_ARRAY(TF_Output, room);
    TF_Output *body_outputs = WEIR_NEW_ARRAY(TF_Output, room);

    weir_capi_lock(graph);
    weir_status result = check_inputs(inputs, ninputs);
    if (!result)
        result = make_graph(graph, inputs, ninputs, &cond);
    if (!result)
        result = make_graph(graph, inputs, ninputs, &body);
    if (!result)
        result = add_inputs(cond, "cond_input", inputs, ninputs, cond_inputs);
    if (!result)
        result = add_inputs(body, "body_input", inputs, ninputs, body_inputs);
    weir_capi_unlock(graph);
    for (int i = 0; i < room; i++)
        body_outputs[i].index = -1;

    TF_WhileParams params = {ninputs, cond,        cond_inputs,  {NULL, -1},
                             body,    body_inputs, body_outputs, NULL};
    if (weir_capi_end(status, result))
        return params;
    TF_AbortWhile(&params);
    return NO_PARAMS;
}

void TF_AbortWhile(const TF_WhileParams *params)
{
    TF_DeleteGraph(params->cond_graph);
    TF_DeleteGraph(params->body_graph);
    weir_free((void *)params->cond_inputs);
    weir_free((void *)params->body_inputs);
    weir_free(params->body_outputs);
}

/* ---- finishing ------------------------------------------------------------------------------- */

static weir_status check_params(const TF_WhileParams *params)
{
    if (!params->cond_output.oper)
        return weir_error(WEIR_INVALID_ARGUMENT, "TF_WhileParams `cond_output` field isn't set");
    for (int i = 0; i < params->ninputs; i++)
        if (!params->body_outputs[i].oper)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "TF_WhileParams `body_outputs[%d]` field isn't set", i);
    if (!params->name)
        return weir_error(WEIR_INVALID_ARGUMENT, "TF_WhileParams `name` field is null");
    WEIR_TRY(weir_capi_check_output(params->cond_output));
    for (int i = 0; i < params->ninputs; i++)
        WEIR_TRY(weir_capi_check_output(params->body_outputs[i]));
    return WEIR_OK;
}

static void to_edges(const TF_Output *from, int count, weir_edge *to)
{
    for (int i = 0; i < count; i++)
        to[i] = weir_capi_edge(from[i]);
}

/* |edges| has room for five times the inputs. */
static weir_status add_loop(const TF_WhileParams *params, weir_edge *edges)
{
    int n = params->ninputs;
    TF_Graph *parent = params->body_graph->parent;
    WEIR_TRY(check_params(params));
    to_edges(params->body_graph->parent_inputs, n, edges);
    to_edges(params->cond_inputs, n, edges + n);
    to_edges(params->body_inputs, n, edges + 2 * n);
    to_edges(params->body_outputs, n, edges + 3 * n);
    weir_while what = {
        .name = params->name,
        .count = n,
        .init = edges,
        .cond = params->cond_graph->graph,
        .cond_in = edges + n,
        .cond_out = weir_capi_edge(params->cond_output),
        .body = params->body_graph->graph,
        .body_in = edges + 2 * n,
        .body_out = edges + 3 * n,
    };
    weir_capi_lock(parent);
    weir_status status = weir_graph_add_while(parent->graph, &what, edges + 4 * n);
    weir_capi_unlock(parent);
    return status;
}

void TF_FinishWhile(const TF_WhileParams *params, TF_Status *status, TF_Output *outputs)
{
    int count = params->ninputs;
    weir_edge *edges = WEIR_NEW_ARRAY(weir_edge, 5 * count);
    if (weir_capi_end(status, add_loop(params, edges)))
        for (int i = 0; i < count; i++)
            outputs[i] = weir_capi_output(edges[4 * count + i]);
    weir_free(edges);
    TF_AbortWhile(params);
}
