/* graph/refine.c - shape inference through loops.
 *
 * A fixed-point iteration: assume that every iteration keeps the first one's shapes, infer the
 * bodies, and make dimensions unknown that differ at the back edge; repeat until nothing changes.
 * Dimensions only ever become unknown, so this terminates. The result holds for all iterations by
 * induction.
 */
#include "graph/refine.h"

typedef struct var {
    weir_node *merge, *enter, *next;
    weir_shape assumed;
} var;

typedef struct refining {
    weir_node **order;
    size_t count;
    WEIR_VEC(var) vars;
    weir_shape **before; /* by id: shapes before refinement; null for unaffected nodes */
    int *var_of;         /* by id: index into vars + 1 */
} refining;

static bool is(const weir_node *node, weir_flow flow)
{
    return weir_node_flow(node) == flow;
}

/* Keeps the dimensions on which both agree. */
static weir_shape join(const weir_shape *a, const weir_shape *b)
{
    if (a->rank != b->rank)
        return WEIR_UNKNOWN_SHAPE;
    weir_shape shape = *a;
    for (int i = 0; i < shape.rank; i++)
        if (b->dims[i] != shape.dims[i])
            shape.dims[i] = -1;
    return shape;
}

/* Keeps the dimensions that either knows. */
static weir_shape meet(const weir_shape *a, const weir_shape *b)
{
    if (a->rank < 0 || b->rank < 0)
        return a->rank < 0 ? *b : *a;
    weir_shape shape = *a;
    for (int i = 0; i < shape.rank && a->rank == b->rank; i++)
        if (shape.dims[i] < 0)
            shape.dims[i] = b->dims[i];
    return shape;
}

static void find_vars(refining *refining)
{
    for (size_t i = 0; i < refining->count; i++) {
        weir_node *node = refining->order[i];
        if (!is(node, WEIR_FLOW_MERGE) || node->site.in_count != 2)
            continue;
        int back = is(node->in[0].node, WEIR_FLOW_NEXT_ITERATION) ? 0 : 1;
        weir_node *enter = node->in[1 - back].node, *next = node->in[back].node;
        if (!is(enter, WEIR_FLOW_ENTER) || !is(next, WEIR_FLOW_NEXT_ITERATION))
            continue;
        weir_vec_push(&refining->vars, (var){node, enter, next, *weir_edge_shape(enter->in[0])});
        refining->var_of[node->id] = (int)refining->vars.count;
    }
}

/* Only descendants of loop variables can become more precise. */
static void find_affected(refining *refining, weir_arena *arena)
{
    for (size_t i = 0; i < refining->count; i++) {
        weir_node *node = refining->order[i];
        bool affected = refining->var_of[node->id] || is(node, WEIR_FLOW_ENTER);
        for (int k = 0; k < node->site.in_count && !affected; k++)
            affected = refining->before[node->in[k].node->id] != NULL;
        if (!affected)
            continue;
        size_t bytes = sizeof(weir_shape) * (size_t)node->site.out_count;
        refining->before[node->id] = weir_arena_alloc(arena, bytes + 1);
        memcpy(refining->before[node->id], node->out_shapes, bytes);
    }
}

static void infer(refining *refining, weir_node *node)
{
    const weir_shape *before = refining->before[node->id];
    if (refining->var_of[node->id])
        node->out_shapes[0] = refining->vars.at[refining->var_of[node->id] - 1].assumed;
    else if (is(node, WEIR_FLOW_ENTER))
        node->out_shapes[0] = *weir_edge_shape(node->in[0]);
    else {
        weir_status status = weir_node_infer(node);
        for (int i = 0; status && i < node->site.out_count; i++)
            node->out_shapes[i] = WEIR_UNKNOWN_SHAPE; /* left to be checked when a step runs it */
        weir_status_free(status);
    }
    for (int i = 0; i < node->site.out_count; i++)
        node->out_shapes[i] = meet(&before[i], &node->out_shapes[i]);
}

static bool weaken(refining *refining)
{
    bool changed = false;
    for (size_t i = 0; i < refining->vars.count; i++) {
        var *var = &refining->vars.at[i];
        weir_shape shape = join(&var->assumed, weir_edge_shape(var->enter->in[0]));
        shape = join(&shape, weir_edge_shape(var->next->in[0]));
        changed |= !weir_shape_eq(&shape, &var->assumed);
        var->assumed = shape;
    }
    return changed;
}

void weir_graph_refine_loops(weir_graph *graph)
{
    refining refining = {.order = NULL};
    weir_arena arena;
    weir_arena_init(&arena);
    refining.order = weir_graph_order(graph, &refining.count);
    refining.before = WEIR_ARENA_ARRAY(&arena, weir_shape *, graph->nodes.count);
    refining.var_of = WEIR_ARENA_ARRAY(&arena, int, graph->nodes.count);
    find_vars(&refining);
    if (refining.vars.count) {
        find_affected(&refining, &arena);
        do {
            for (size_t i = 0; i < refining.count; i++)
                if (refining.before[refining.order[i]->id])
                    infer(&refining, refining.order[i]);
        } while (weaken(&refining));
    }
    weir_vec_fini(&refining.vars);
    weir_free(refining.order);
    weir_arena_fini(&arena);
}
