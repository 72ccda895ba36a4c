/* capi/graph.c - TF_Graph: life cycle, nodes by name and in order, shapes, serialised forms. */
#include "capi/capi_impl.h"
#include "tensor/proto.h"
#include "wire/messages.h"

const char *TF_Version(void)
{
    return "2.21.0";
}

static void destroy(weir_ref *ref)
{
    TF_Graph *graph = (TF_Graph *)ref;
    weir_graph_destroy(graph->graph);
    weir_free(graph->parent_inputs);
    weir_mutex_fini(&graph->lock);
    weir_free(graph);
}

TF_Graph *TF_NewGraph(void)
{
    TF_Graph *graph = WEIR_NEW(TF_Graph);
    weir_ref_init(&graph->ref, destroy);
    weir_mutex_init(&graph->lock);
    graph->graph = weir_graph_create(weir_catalogue());
    return graph;
}

void weir_capi_graph_release(TF_Graph *graph)
{
    weir_ref_release((weir_ref *)graph);
}

weir_graph *weir_capi_graph(const TF_Graph *graph)
{
    return graph->graph;
}

weir_mutex *weir_capi_graph_lock(const TF_Graph *graph)
{
    return (weir_mutex *)&graph->lock;
}

void TF_DeleteGraph(TF_Graph *graph)
{
    weir_capi_graph_release(graph);
}

weir_status weir_capi_check_output(TF_Output output)
{
    const weir_node *node = weir_capi_node(output.oper);
    if (!node)
        return weir_error(WEIR_INVALID_ARGUMENT, "The operation of an output is null");
    if (output.index < 0 || output.index >= node->site.out_count)
        return weir_error(
            WEIR_OUT_OF_RANGE, "Node '%s' (type: '%s', num of outputs: %d) does not have output %d",
            node->site.name, node->site.def->name, node->site.out_count, output.index);
    return WEIR_OK;
}

/* ---- finding nodes --------------------------------------------------------------------------- */

TF_Operation *TF_GraphOperationByName(TF_Graph *graph, const char *oper_name)
{
    weir_capi_lock(graph);
    weir_node *node = weir_graph_find(graph->graph, weir_str_of(oper_name));
    weir_capi_unlock(graph);
    return weir_capi_oper(node);
}

TF_Operation *TF_GraphNextOperation(TF_Graph *graph, size_t *pos)
{
    weir_node *found = NULL;
    weir_capi_lock(graph);
    while (!found && *pos < graph->graph->nodes.count) {
        weir_node *node = graph->graph->nodes.at[(*pos)++];
        found = node && !node->removed ? node : NULL;
    }
    weir_capi_unlock(graph);
    return weir_capi_oper(found);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static weir_status check_here(const TF_Graph *graph, TF_Output output)
{
    const weir_node *node = weir_capi_node(output.oper);
    if (node && node->graph != graph->graph)
        return weir_error(WEIR_INVALID_ARGUMENT, "Node %s was not found in the graph",
                          node->site.name);
    return weir_capi_check_output(output);
}

static weir_status set_shape(TF_Graph *graph, TF_Output output, const int64_t *dims, int rank)
{
    weir_shape wanted, merged;
    WEIR_TRY(check_here(graph, output));
    WEIR_TRY(weir_shape_make(dims, rank, &wanted));
    weir_edge edge = weir_capi_edge(output);
    WEIR_TRY(weir_infer_merge(weir_edge_shape(edge), &wanted, &merged));
    edge.node->out_shapes[edge.index] = merged;
    graph->graph->version++;
    return WEIR_OK;
}

void TF_GraphSetTensorShape(TF_Graph *graph, TF_Output output, const int64_t *dims,
                            const int num_dims, TF_Status *status)
{
    weir_capi_lock(graph);
    weir_capi_end(status, set_shape(graph, output, dims, num_dims));
    weir_capi_unlock(graph);
}

int TF_GraphGetTensorNumDims(TF_Graph *graph, TF_Output output, TF_Status *status)
{
    int rank = -1;
    weir_capi_lock(graph);
    if (weir_capi_end(status, check_here(graph, output)))
        rank = weir_edge_shape(weir_capi_edge(output))->rank;
    weir_capi_unlock(graph);
    return rank;
}

static weir_status get_shape(TF_Graph *graph, TF_Output output, int64_t *dims, int num_dims)
{
    WEIR_TRY(check_here(graph, output));
    const weir_shape *shape = weir_edge_shape(weir_capi_edge(output));
    if (num_dims != shape->rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected rank is %d but actual rank is %d",
                          num_dims, shape->rank);
    for (int i = 0; i < num_dims; i++)
        dims[i] = shape->dims[i];
    return WEIR_OK;
}

void TF_GraphGetTensorShape(TF_Graph *graph, TF_Output output, int64_t *dims, int num_dims,
                            TF_Status *status)
{
    weir_capi_lock(graph);
    weir_capi_end(status, get_shape(graph, output, dims, num_dims));
    weir_capi_unlock(graph);
}

/* ---- serialised forms ------------------------------------------------------------------------ */

void TF_GraphToGraphDef(TF_Graph *graph, TF_Buffer *output_graph_def, TF_Status *status)
{
    weir_buf bytes = {0};
    weir_capi_lock(graph);
    weir_graph_export(graph->graph, &bytes);
    weir_capi_unlock(graph);
    weir_capi_end(status, weir_capi_fill(output_graph_def, &bytes));
}

static weir_status op_def(const TF_Graph *graph, const char *name, weir_buf *out)
{
    const weir_op *op = weir_registry_find(graph->graph->registry, weir_str_of(name));
    const weir_function *function = weir_graph_find_function(graph->graph, weir_str_of(name));
    if (!op && !function)
        return weir_error(WEIR_NOT_FOUND,
                          "Op type not registered '%s' in binary running on this "
                          "machine. Make sure the Op and Kernel are registered in the binary "
                          "running in this process.",
                          name);
    weir_opdef_export(op ? weir_registry_def(graph->graph->registry, op) : &function->def, out);
    return WEIR_OK;
}

void TF_GraphGetOpDef(TF_Graph *graph, const char *op_name, TF_Buffer *output_op_def,
                      TF_Status *status)
{
    weir_buf bytes = {0};
    weir_capi_lock(graph);
    weir_status result = op_def(graph, op_name, &bytes);
    weir_capi_unlock(graph);
    weir_capi_end(status, result ? result : weir_capi_fill(output_op_def, &bytes));
}

void TF_GraphVersions(TF_Graph *graph, TF_Buffer *output_version_def, TF_Status *status)
{
    weir_buf bytes = {0};
    weir_capi_lock(graph);
    weir_msg_version_def versions = {.producer = graph->graph->producer,
                                     .min_consumer = graph->graph->min_consumer};
    weir_capi_unlock(graph);
    weir_msg_version_def_write(&versions, &bytes);
    weir_capi_end(status, weir_capi_fill(output_version_def, &bytes));
}

/* ---- constants ------------------------------------------------------------------------------- */

unsigned char TF_TryEvaluateConstant(TF_Graph *graph, TF_Output output, TF_Tensor **result,
                                     TF_Status *status)
{
    weir_tensor value;
    bool known = false;
    *result = NULL;
    weir_capi_lock(graph);
    if (weir_capi_end(status, check_here(graph, output)))
        known = weir_graph_constant(weir_capi_edge(output), &value);
    weir_capi_unlock(graph);
    if (known)
        *result = weir_capi_tensor(value);
    return known;
}
