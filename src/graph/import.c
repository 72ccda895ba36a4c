/* graph/import.c - imports a GraphDef into a graph.
 *
 * Nodes may come in any order, and loops have back edges: a node is added once all its inputs
 * exist; a Merge does not wait for inputs from NextIteration, which are connected at the end. On an
 * error all added nodes are removed.
 */
#include "graph/import_impl.h"

/* ---- adding a node --------------------------------------------------------------------------- */

/* A removed op is accepted only in graphs of an older producer version. */
static weir_status check_deprecation(const weir_importing *im, const char *name)
{
    const weir_op *op = weir_registry_find(im->graph->registry, weir_str_of(name));
    if (!op || !op->deprecated_at || im->producer < op->deprecated_at)
        return WEIR_OK;
    return weir_error(WEIR_UNIMPLEMENTED,
                      "Op %s is not available in GraphDef version %d. It has been removed in "
                      "version %d. %s.",
                      name, im->producer, op->deprecated_at, op->deprecation);
}

/* Data and control inputs of a new node. */
typedef struct ends {
    weir_edge *in;
    weir_node **controls;
    int in_count, control_count;
} ends;

/* Until the loop is closed, another input of the Merge stands in for the back
 * edge. */
static void fill_back_edges(ends *to, weir_edge stand_in)
{
    for (int i = 0; i < to->in_count; i++)
        if (!to->in[i].node)
            to->in[i] = stand_in;
}

static weir_status find_ends(weir_importing *im, int i, weir_arena *scratch, ends *out)
{
    int count = im->defs[i].in_count;
    weir_edge stand_in = {0};
    *out =
        (ends){.in = WEIR_ARENA_ARRAY(scratch, weir_edge, count),
               .controls = WEIR_ARENA_ARRAY(scratch, weir_node *, count + im->how->control_count)};
    for (int k = 0; k < count; k++) {
        const weir_import_input *in = &im->inputs[i][k];
        if (in->index < 0) {
            out->controls[out->control_count++] =
                in->mapped ? in->mapped->dst.node : im->made[in->source];
        } else if (in->back) {
            out->in_count++;
        } else {
            WEIR_TRY(weir_import_edge(im, i, in, &out->in[out->in_count]));
            stand_in = out->in[out->in_count++];
        }
    }
    fill_back_edges(out, stand_in);
    for (int k = 0; k < im->how->control_count; k++)
        out->controls[out->control_count++] = im->how->controls[k];
    return WEIR_OK;
}

static weir_status add_node(weir_importing *im, int i, weir_arena *scratch)
{
    const weir_function_node *def = &im->defs[i];
    const char *device = *def->device ? def->device : im->how->default_device;
    ends ends;
    WEIR_TRY(check_deprecation(im, def->op));
    WEIR_TRY(find_ends(im, i, scratch, &ends));
    return weir_graph_add(im->graph,
                          &(weir_node_spec){.name = im->names[i],
                                            .op = def->op,
                                            .in = ends.in,
                                            .in_count = ends.in_count,
                                            .attrs = def->attrs,
                                            .attr_count = def->attr_count,
                                            .controls = ends.controls,
                                            .control_count = ends.control_count,
                                            .device = device,
                                            .any_shapes = im->how->any_shapes,
                                            .from_outside = true},
                          &im->made[i]);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* The nodes that are ready to be added, as a heap by index in the GraphDef, so that nodes keep its
 * order as far as their inputs allow. */
typedef struct heap {
    int *at, count;
} heap;

static void heap_put(heap *ready, int value)
{
    int i = ready->count++;
    for (; i && ready->at[(i - 1) / 2] > value; i = (i - 1) / 2)
        ready->at[i] = ready->at[(i - 1) / 2];
    ready->at[i] = value;
}

static int heap_take(heap *ready)
{
    int first = ready->at[0], last = ready->at[--ready->count], i = 0;
    for (int child; (child = 2 * i + 1) < ready->count; i = child) {
        if (child + 1 < ready->count && ready->at[child + 1] < ready->at[child])
            child++;
        if (ready->at[child] >= last)
            break;
        ready->at[i] = ready->at[child];
    }
    ready->at[i] = last;
    return first;
}

/* Dependencies between NodeDefs. */
typedef struct waits {
    int *pending; /* per def: number of missing inputs */
    int *uses;    /* per def, and one more: offsets into |users| */
    int *users;   /* the users of each def */
    heap ready;
} waits;

static bool has_to_wait(const weir_import_input *in)
{
    return !in->mapped && !in->back;
}

static void count_uses(const weir_importing *im, waits *of)
{
    for (int i = 0; i < im->count; i++)
        for (int k = 0; k < im->defs[i].in_count; k++) {
            if (!has_to_wait(&im->inputs[i][k]))
                continue;
            of->pending[i]++;
            of->uses[im->inputs[i][k].source + 1]++;
        }
    for (int i = 0; i < im->count; i++)
        of->uses[i + 1] += of->uses[i];
}

static void list_users(weir_importing *im, waits *of)
{
    int *filled = WEIR_ARENA_ARRAY(&im->arena, int, im->count);
    of->users = WEIR_ARENA_ARRAY(&im->arena, int, of->uses[im->count]);
    for (int i = 0; i < im->count; i++) {
        for (int k = 0; k < im->defs[i].in_count; k++) {
            const weir_import_input *in = &im->inputs[i][k];
            if (has_to_wait(in))
                of->users[of->uses[in->source] + filled[in->source]++] = i;
        }
        if (!of->pending[i])
            heap_put(&of->ready, i);
    }
}

static weir_status add_ready(weir_importing *im, waits *of)
{
    weir_arena scratch;
    int i = heap_take(&of->ready);
    weir_arena_init(&scratch);
    weir_status status = add_node(im, i, &scratch);
    weir_arena_fini(&scratch);
    for (int user = of->uses[i]; !status && user < of->uses[i + 1]; user++)
        if (--of->pending[of->users[user]] == 0)
            heap_put(&of->ready, of->users[user]);
    return status;
}

/* Adds nodes whose inputs all exist, until none is left. */
static weir_status add_nodes(weir_importing *im)
{
    waits of = {.pending = WEIR_ARENA_ARRAY(&im->arena, int, im->count),
                .uses = WEIR_ARENA_ARRAY(&im->arena, int, im->count + 1),
                .ready.at = WEIR_ARENA_ARRAY(&im->arena, int, im->count)};
    int done = 0;
    count_uses(im, &of);
    list_users(im, &of);
    for (; of.ready.count; done++)
        WEIR_TRY(add_ready(im, &of));
    for (int i = 0; done < im->count && i < im->count; i++)
        if (of.pending[i])
            return weir_error(WEIR_INVALID_ARGUMENT, "%d nodes in a cycle, '%s' among them",
                              im->count - done, im->defs[i].name);
    return WEIR_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

/* The node created from the NodeDef |name|; null if there is none. */
static weir_node *made_of(const weir_importing *im, const char *name)
{
    intptr_t place = (intptr_t)weir_map_get(&im->by_name, weir_str_of(name));
    return place ? im->made[place - 1] : NULL;
}

static weir_status find_return_node(weir_importing *im, int i)
{
    const char *name = im->how->return_nodes[i];
    weir_node *node = made_of(im, name);
    if (!node)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Requested return node '%s' not found in graph def", name);
    if (im->results && im->results->nodes)
        im->results->nodes[i] = node;
    return WEIR_OK;
}

static weir_status find_return_edge(weir_importing *im, int i)
{
    const weir_return_edge *want = &im->how->return_edges[i];
    const weir_input_map *mapped = weir_import_mapped(im, weir_str_of(want->name), want->index);
    weir_node *node = made_of(im, want->name);
    if (!mapped && !node)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Requested return tensor '%s:%d' not found in graph def", want->name,
                          want->index);
    if (!mapped && want->index >= node->site.out_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Invalid return output %d of node '%s', which has %d output(s)",
                          want->index, want->name, node->site.out_count);
    if (im->results && im->results->edges)
        im->results->edges[i] = mapped ? mapped->dst : (weir_edge){node, want->index};
    return WEIR_OK;
}

static weir_status find_returns(weir_importing *im)
{
    for (int i = 0; i < im->how->return_node_count; i++)
        WEIR_TRY(find_return_node(im, i));
    for (int i = 0; i < im->how->return_edge_count; i++)
        WEIR_TRY(find_return_edge(im, i));
    return WEIR_OK;
}

/* ---- entry point ----------------------------------------------------------------------------- */

static weir_status import_all(weir_importing *im, weir_str graph_def)
{
    WEIR_TRY(weir_import_read(im, graph_def));
    WEIR_TRY(weir_import_name(im));
    WEIR_TRY(weir_import_resolve(im));
    WEIR_TRY(add_nodes(im));
    WEIR_TRY(weir_import_close_loops(im));
    return find_returns(im);
}

static void take_back(weir_graph *graph, size_t nodes, size_t functions)
{
    weir_graph_truncate(graph, nodes);
    while (graph->function_list.count > functions) {
        weir_function *last = graph->function_list.at[--graph->function_list.count];
        weir_map_remove(&graph->functions, weir_str_of(last->def.name));
        weir_function_release(last);
    }
}

weir_status weir_graph_import(weir_graph *graph, weir_str graph_def, const weir_import *how,
                              weir_import_results *results)
{
    static const weir_import plain = {0};
    weir_importing im = {.graph = graph, .how = how ? how : &plain, .results = results};
    weir_arena_init(&im.arena);
    size_t nodes = graph->nodes.count, functions = graph->function_list.count;
    weir_status status = import_all(&im, graph_def);
    if (status)
        take_back(graph, nodes, functions);
    else if (im.producer)
        graph->producer =
            nodes == 0 || im.producer < graph->producer ? im.producer : graph->producer;
    weir_map_fini(&im.by_name);
    weir_arena_fini(&im.arena);
    return status;
}
