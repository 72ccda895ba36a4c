/* graph/import_loops.c - connects back edges of imported loops; infers their shapes. */
#include "graph/import_impl.h"

enum { MOST_ROUNDS = 6 }; /* after these, a shape that still changes becomes unknown */

/* The most specific shape compatible with both: dimensions that differ become unknown. */
static weir_shape relax(const weir_shape *a, const weir_shape *b)
{
    if (a->rank < 0 || a->rank != b->rank)
        return WEIR_UNKNOWN_SHAPE;
    weir_shape both = *a;
    for (int i = 0; i < both.rank; i++)
        if (a->dims[i] != b->dims[i])
            both.dims[i] = -1;
    return both;
}

/* True when the shape of |merge| changed. */
static bool relax_merge(weir_node *merge, int input, bool give_up)
{
    bool forgotten = weir_graph_relax_handle(merge, input);
    weir_shape shape = relax(&merge->out_shapes[0], weir_edge_shape(merge->in[input]));
    if (give_up)
        shape = WEIR_UNKNOWN_SHAPE;
    if (give_up && merge->out_handles)
        merge->out_handles[0] = (weir_handle_info){0};
    if (weir_shape_eq(&shape, &merge->out_shapes[0]))
        return forgotten;
    merge->out_shapes[0] = shape;
    return true;
}

static bool relax_merges(weir_importing *im, bool give_up)
{
    bool changed = false;
    for (int i = 0; i < im->count; i++)
        for (int k = 0; k < im->defs[i].in_count; k++)
            if (im->inputs[i][k].back)
                changed |= relax_merge(im->made[i], k, give_up);
    return changed;
}

static void infer_others(weir_graph *graph)
{
    size_t count;
    weir_node **order = weir_graph_order(graph, &count);
    for (size_t i = 0; i < count; i++)
        if (weir_node_flow(order[i]) != WEIR_FLOW_MERGE)
            weir_status_free(weir_node_infer(order[i]));
    weir_free(order);
}

/* Infers the shapes of loops to a fixed point of what Enter and NextIteration agree on. Merge nodes
 * keep the result; everything after them is inferred again. */
static void settle_loops(weir_importing *im)
{
    for (int round = 1; round <= MOST_ROUNDS && relax_merges(im, round == MOST_ROUNDS); round++)
        infer_others(im->graph);
}

weir_status weir_import_close_loops(weir_importing *im)
{
    bool any = false;
    for (int i = 0; i < im->count; i++)
        for (int k = 0; k < im->defs[i].in_count; k++) {
            const weir_import_input *in = &im->inputs[i][k];
            weir_edge edge;
            if (!in->back)
                continue;
            WEIR_TRY(weir_import_edge(im, i, in, &edge));
            weir_graph_set_input(im->made[i], k, edge);
            any = true;
        }
    if (any)
        settle_loops(im);
    return WEIR_OK;
}
