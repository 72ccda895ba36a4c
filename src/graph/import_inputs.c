/* graph/import_inputs.c - the inputs of imported nodes: "name", "name:1", "^name". */
#include <ctype.h>
#include <stdlib.h>

#include "graph/import_impl.h"

const weir_input_map *weir_import_mapped(weir_importing *im, weir_str name, int index)
{
    for (int i = 0; i < im->how->input_map_count; i++) {
        const weir_input_map *mapped = &im->how->input_map[i];
        if (mapped->src_index != index || !weir_str_is(name, mapped->src_name))
            continue;
        if (im->results && im->results->input_map_used)
            im->results->input_map_used[i] = true;
        return mapped;
    }
    return NULL;
}

/* False when the number after the colon is too large or followed by other characters. */
static bool split_input(const char *text, weir_str *out_name, int *out_index)
{
    *out_name = weir_str_of(text);
    *out_index = 0;
    if (*text == '^') {
        *out_name = weir_str_of(text + 1);
        *out_index = -1;
        return true;
    }
    const char *colon = strrchr(text, ':');
    if (!colon || !isdigit((unsigned char)colon[1]))
        return true;
    char *end;
    long index = strtol(colon + 1, &end, 10);
    out_name->length = (size_t)(colon - text);
    *out_index = (int)index;
    return !*end && index <= INT32_MAX;
}

/* A node that the graph already had, as if mapped; null if there is none. */
static const weir_input_map *find_old(weir_importing *im, weir_str name, int index)
{
    weir_node *old = im->how->extend ? weir_graph_find(im->graph, name) : NULL;
    if (!old)
        return NULL;
    weir_input_map *mapped = WEIR_ARENA_NEW(&im->arena, weir_input_map);
    mapped->dst = (weir_edge){old, index};
    return mapped;
}

static weir_status resolve(weir_importing *im, int node, const char *text, weir_import_input *out)
{
    weir_str name;
    *out = (weir_import_input){.source = -1};
    if (!split_input(text, &name, &out->index))
        return weir_error(WEIR_INVALID_ARGUMENT, "Node '%s': bad input '%s'", im->defs[node].name,
                          text);
    out->mapped = weir_import_mapped(im, name, out->index);
    if (out->mapped)
        return WEIR_OK;
    out->source = (int)(intptr_t)weir_map_get(&im->by_name, name) - 1;
    if (out->source < 0) {
        out->mapped = find_old(im, name, out->index);
        return out->mapped ? WEIR_OK
                           : weir_error(WEIR_INVALID_ARGUMENT, "Node '%s': Unknown input node '%s'",
                                        im->defs[node].name, text);
    }
    const weir_registry *ops = im->graph->registry;
    out->back = weir_registry_flow(ops, im->defs[node].op) == WEIR_FLOW_MERGE &&
                weir_registry_flow(ops, im->defs[out->source].op) == WEIR_FLOW_NEXT_ITERATION;
    return WEIR_OK;
}

weir_status weir_import_resolve(weir_importing *im)
{
    for (int i = 0; i < im->count; i++) {
        weir_function_node *def = &im->defs[i];
        im->inputs[i] = WEIR_ARENA_ARRAY(&im->arena, weir_import_input, def->in_count);
        bool controls = false;
        for (int k = 0; k < def->in_count; k++) {
            WEIR_TRY(resolve(im, i, def->in[k], &im->inputs[i][k]));
            bool control = im->inputs[i][k].index < 0;
            if (controls && !control)
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "Node '%s': Control dependencies must come after regular "
                                  "dependencies",
                                  def->name);
            controls |= control;
        }
    }
    return WEIR_OK;
}

weir_status weir_import_edge(const weir_importing *im, int to, const weir_import_input *in,
                             weir_edge *out)
{
    *out = in->mapped ? in->mapped->dst : (weir_edge){im->made[in->source], in->index};
    if (out->index < out->node->site.out_count)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Node '%s': Connecting to invalid output %d of source node %s which has %d "
                      "outputs.",
                      im->names[to], out->index, out->node->site.name, out->node->site.out_count);
}
