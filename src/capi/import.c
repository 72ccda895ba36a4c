/* capi/import.c - imports GraphDefs: the client's options, and the results. */
#include "capi/capi_impl.h"
#include "tensorflow/c/c_api_experimental.h"

struct TF_ImportGraphDefOptions {
    weir_arena arena; /* of every name below */
    weir_import how;
    WEIR_VEC(weir_input_map) input_map;
    WEIR_VEC(weir_node *) controls;
    WEIR_VEC(const char *) return_nodes;
    WEIR_VEC(weir_return_edge) return_edges;
};

struct TF_ImportGraphDefResults {
    int output_count, node_count, unused_count;
    TF_Output *outputs;
    TF_Operation **nodes;
    const char **unused_names;
    int *unused_indexes;
};

/* ---- options --------------------------------------------------------------------------------- */

TF_ImportGraphDefOptions *TF_NewImportGraphDefOptions(void)
{
    TF_ImportGraphDefOptions *options = WEIR_NEW(TF_ImportGraphDefOptions);
    weir_arena_init(&options->arena);
    return options;
}

void TF_DeleteImportGraphDefOptions(TF_ImportGraphDefOptions *options)
{
    if (!options)
        return;
    weir_vec_fini(&options->input_map);
    weir_vec_fini(&options->controls);
    weir_vec_fini(&options->return_nodes);
    weir_vec_fini(&options->return_edges);
    weir_arena_fini(&options->arena);
    weir_free(options);
}

void TF_ImportGraphDefOptionsSetPrefix(TF_ImportGraphDefOptions *options, const char *prefix)
{
    options->how.prefix = weir_arena_strdup(&options->arena, prefix);
}

void TF_ImportGraphDefOptionsSetDefaultDevice(TF_ImportGraphDefOptions *options, const char *device)
{
    options->how.default_device = weir_arena_strdup(&options->arena, device);
}

void TF_ImportGraphDefOptionsSetUniquifyNames(TF_ImportGraphDefOptions *options,
                                              unsigned char uniquify_names)
{
    options->how.uniquify_names = uniquify_names;
}

void TF_ImportGraphDefOptionsSetUniquifyPrefix(TF_ImportGraphDefOptions *options,
                                               unsigned char uniquify_prefix)
{
    options->how.uniquify_prefix = uniquify_prefix;
}

/* Colocation is checked when nodes are placed, never at import: this has no effect. */
void TF_ImportGraphDefOptionsSetValidateColocationConstraints(TF_ImportGraphDefOptions *options,
                                                              unsigned char enable)
{
    (void)options;
    (void)enable;
}

void TF_ImportGraphDefOptionsAddInputMapping(TF_ImportGraphDefOptions *options,
                                             const char *src_name, int src_index, TF_Output dst)
{
    weir_vec_push(&options->input_map,
                  (weir_input_map){weir_arena_strdup(&options->arena, src_name), src_index,
                                   weir_capi_edge(dst)});
}

void TF_ImportGraphDefOptionsRemapControlDependency(TF_ImportGraphDefOptions *options,
                                                    const char *src_name, TF_Operation *dst)
{
    weir_vec_push(&options->input_map,
                  (weir_input_map){weir_arena_strdup(&options->arena, src_name), -1,
                                   (weir_edge){weir_capi_node(dst), -1}});
}

void TF_ImportGraphDefOptionsAddControlDependency(TF_ImportGraphDefOptions *options,
                                                  TF_Operation *oper)
{
    weir_vec_push(&options->controls, weir_capi_node(oper));
}

/* "name:1" as a name means the name and its index, as in GraphDefs. */
void TF_ImportGraphDefOptionsAddReturnOutput(TF_ImportGraphDefOptions *options,
                                             const char *oper_name, int index)
{
    weir_vec_push(&options->return_edges,
                  (weir_return_edge){weir_arena_strdup(&options->arena, oper_name), index});
}

int TF_ImportGraphDefOptionsNumReturnOutputs(const TF_ImportGraphDefOptions *options)
{
    return (int)options->return_edges.count;
}

void TF_ImportGraphDefOptionsAddReturnOperation(TF_ImportGraphDefOptions *options,
                                                const char *oper_name)
{
    weir_vec_push(&options->return_nodes, weir_arena_strdup(&options->arena, oper_name));
}

int TF_ImportGraphDefOptionsNumReturnOperations(const TF_ImportGraphDefOptions *options)
{
    return (int)options->return_nodes.count;
}

/* ---- results --------------------------------------------------------------------------------- */

void TF_ImportGraphDefResultsReturnOutputs(TF_ImportGraphDefResults *results, int *num_outputs,
                                           TF_Output **outputs)
{
    *num_outputs = results->output_count;
    *outputs = results->outputs;
}

void TF_ImportGraphDefResultsReturnOperations(TF_ImportGraphDefResults *results, int *num_opers,
                                              TF_Operation ***opers)
{
    *num_opers = results->node_count;
    *opers = results->nodes;
}

void TF_ImportGraphDefResultsMissingUnusedInputMappings(TF_ImportGraphDefResults *results,
                                                        int *num_missing_unused_input_mappings,
                                                        const char ***src_names, int **src_indexes)
{
    *num_missing_unused_input_mappings = results->unused_count;
    *src_names = results->unused_names;
    *src_indexes = results->unused_indexes;
}

void TF_DeleteImportGraphDefResults(TF_ImportGraphDefResults *results)
{
    if (!results)
        return;
    for (int i = 0; i < results->unused_count; i++)
        weir_free((char *)results->unused_names[i]);
    weir_free(results->unused_names);
    weir_free(results->unused_indexes);
    weir_free(results->outputs);
    weir_free(results->nodes);
    weir_free(results);
}

/* ---- importing ------------------------------------------------------------------------------- */

static weir_import collect(const TF_ImportGraphDefOptions *options)
{
    weir_import how = options->how;
    how.input_map = options->input_map.at;
    how.input_map_count = (int)options->input_map.count;
    how.controls = options->controls.at;
    how.control_count = (int)options->controls.count;
    how.return_nodes = options->return_nodes.at;
    how.return_node_count = (int)options->return_nodes.count;
    how.return_edges = options->return_edges.at;
    how.return_edge_count = (int)options->return_edges.count;
    return how;
}

/* True if the GraphDef has the output that was mapped, but does not use it. */
static bool there_but_unused(const TF_Graph *graph, const weir_import *how,
                             const weir_input_map *map)
{
    WEIR_BUF(name);
    bool prefixed = how->prefix && *how->prefix;
    weir_buf_addf(&name, "%s%s%s", prefixed ? how->prefix : "", prefixed ? "/" : "", map->src_name);
    const weir_node *node = weir_graph_find(graph->graph, weir_view(&name));
    return node && map->src_index < node->site.out_count;
}

static void take_unused(TF_ImportGraphDefResults *results, const TF_Graph *graph,
                        const weir_import *how, const bool *used)
{
    results->unused_names = WEIR_NEW_ARRAY(const char *, how->input_map_count);
    results->unused_indexes = WEIR_NEW_ARRAY(int, how->input_map_count);
    for (int i = 0; i < how->input_map_count; i++) {
        const weir_input_map *map = &how->input_map[i];
        if (used[i] || there_but_unused(graph, how, map))
            continue;
        results->unused_names[results->unused_count] = weir_strdup(map->src_name);
        results->unused_indexes[results->unused_count++] = map->src_index;
    }
}

static TF_ImportGraphDefResults *make_results(const TF_Graph *graph, const weir_import *how,
                                              const weir_import_results *found)
{
    TF_ImportGraphDefResults *results = WEIR_NEW(TF_ImportGraphDefResults);
    results->output_count = how->return_edge_count;
    results->outputs = WEIR_NEW_ARRAY(TF_Output, how->return_edge_count);
    for (int i = 0; i < how->return_edge_count; i++)
        results->outputs[i] = weir_capi_output(found->edges[i]);
    results->node_count = how->return_node_count;
    results->nodes = WEIR_NEW_ARRAY(TF_Operation *, how->return_node_count);
    for (int i = 0; i < how->return_node_count; i++)
        results->nodes[i] = weir_capi_oper(found->nodes[i]);
    take_unused(results, graph, how, found->input_map_used);
    return results;
}

TF_ImportGraphDefResults *TF_GraphImportGraphDefWithResults(TF_Graph *graph,
                                                            const TF_Buffer *graph_def,
                                                            const TF_ImportGraphDefOptions *options,
                                                            TF_Status *status)
{
    weir_import how = options ? collect(options) : (weir_import){0};
    weir_import_results found = {
        .nodes = WEIR_NEW_ARRAY(weir_node *, how.return_node_count),
        .edges = WEIR_NEW_ARRAY(weir_edge, how.return_edge_count),
        .input_map_used = WEIR_NEW_ARRAY(bool, how.input_map_count),
    };
    TF_ImportGraphDefResults *results = NULL;
    weir_capi_lock(graph);
    weir_status result = weir_graph_import(graph->graph, weir_capi_bytes(graph_def), &how, &found);
    if (weir_capi_end(status, result))
        results = make_results(graph, &how, &found);
    weir_capi_unlock(graph);
    weir_free(found.nodes);
    weir_free(found.edges);
    weir_free(found.input_map_used);
    return results;
}

void TF_GraphImportGraphDef(TF_Graph *graph, const TF_Buffer *graph_def,
                            const TF_ImportGraphDefOptions *options, TF_Status *status)
{
    TF_DeleteImportGraphDefResults(
        TF_GraphImportGraphDefWithResults(graph, graph_def, options, status));
}

TF_ImportGraphDefResults *
TF_GraphImportGraphDefWithResultsNoSerialization(TF_Graph *graph, const TF_Buffer *graph_def,
                                                 const TF_ImportGraphDefOptions *options,
                                                 TF_Status *status)
{
    weir_capi_end(status, weir_error(WEIR_UNIMPLEMENTED,
                                     "A GraphDef that is a C++ object cannot be imported; "
                                     "serialise it"));
    return NULL;
}

void TF_GraphImportGraphDefWithReturnOutputs(TF_Graph *graph, const TF_Buffer *graph_def,
                                             const TF_ImportGraphDefOptions *options,
                                             TF_Output *return_outputs, int num_return_outputs,
                                             TF_Status *status)
{
    if (num_return_outputs != TF_ImportGraphDefOptionsNumReturnOutputs(options)) {
        weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT,
                                         "Expected 'num_return_outputs' to be %d, got %d",
                                         TF_ImportGraphDefOptionsNumReturnOutputs(options),
                                         num_return_outputs));
        return;
    }
    if (num_return_outputs > 0 && !return_outputs) {
        weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT,
                                         "'return_outputs' must be preallocated to length %d",
                                         num_return_outputs));
        return;
    }
    TF_ImportGraphDefResults *results =
        TF_GraphImportGraphDefWithResults(graph, graph_def, options, status);
    if (results && num_return_outputs)
        memcpy(return_outputs, results->outputs, sizeof(TF_Output) * (size_t)num_return_outputs);
    TF_DeleteImportGraphDefResults(results);
}
