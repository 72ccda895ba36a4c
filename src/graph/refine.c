/* graph/refine.c - shapes of what goes round in loops.
 *
 * Start from the best case (every turn keeps the first one's shapes), infer the bodies, and give up
 * what comes round different; repeat until nothing changes. Dimensions are only ever given up, so
 * this ends; what holds then for the first turn and from each turn to the next holds for all.
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
    weir_shape **before; /* by id: shapes known from the start; null for nodes left alone */
    int *var_of;         /* by id: index into vars + 1 */
} refining;

static bool is(const weir_node *n, weir_flow flow)
{
    return weir_node_flow(n) == flow;
}

/* What both say. */
static weir_shape join(const weir_shape *a, const weir_shape *b)
{
    if (a->rank != b->rank)
        return WEIR_UNKNOWN_SHAPE;
    weir_shape s = *a;
    for (int i = 0; i < s.rank; i++)
        if (b->dims[i] != s.dims[i])
            s.dims[i] = -1;
    return s;
}

/* What either says. */
static weir_shape meet(const weir_shape *a, const weir_shape *b)
{
    if (a->rank < 0 || b->rank < 0)
        return a->rank < 0 ? *b : *a;
    weir_shape s = *a;
    for (int i = 0; i < s.rank && a->rank == b->rank; i++)
        if (s.dims[i] < 0)
            s.dims[i] = b->dims[i];
    return s;
}

static void find_vars(refining *r)
{
    for (size_t i = 0; i < r->count; i++) {
        weir_node *n = r->order[i];
        if (!is(n, WEIR_FLOW_MERGE) || n->site.in_count != 2)
            continue;
        int back = is(n->in[0].node, WEIR_FLOW_NEXT_ITERATION) ? 0 : 1;
        weir_node *enter = n->in[1 - back].node, *next = n->in[back].node;
        if (!is(enter, WEIR_FLOW_ENTER) || !is(next, WEIR_FLOW_NEXT_ITERATION))
            continue;
        weir_vec_push(&r->vars, (var){n, enter, next, *weir_edge_shape(enter->in[0])});
        r->var_of[n->id] = (int)r->vars.count;
    }
}

/* Only what follows a loop's variables can become more precise. */
static void find_affected(refining *r, weir_arena *arena)
{
    for (size_t i = 0; i < r->count; i++) {
        weir_node *n = r->order[i];
        bool affected = r->var_of[n->id] || is(n, WEIR_FLOW_ENTER);
        for (int k = 0; k < n->site.in_count && !affected; k++)
            affected = r->before[n->in[k].node->id] != NULL;
        if (!affected)
            continue;
        size_t bytes = sizeof(weir_shape) * (size_t)n->site.out_count;
        r->before[n->id] = weir_arena_alloc(arena, bytes + 1);
        memcpy(r->before[n->id], n->out_shapes, bytes);
    }
}

static void infer(refining *r, weir_node *n)
{
    const weir_shape *before = r->before[n->id];
    if (r->var_of[n->id])
        n->out_shapes[0] = r->vars.at[r->var_of[n->id] - 1].assumed;
    else if (is(n, WEIR_FLOW_ENTER))
        n->out_shapes[0] = *weir_edge_shape(n->in[0]);
    else {
        weir_status s = weir_node_infer(n);
        for (int i = 0; s && i < n->site.out_count; i++)
            n->out_shapes[i] = WEIR_UNKNOWN_SHAPE; /* the step will tell, if it gets there */
        weir_status_free(s);
    }
    for (int i = 0; i < n->site.out_count; i++)
        n->out_shapes[i] = meet(&before[i], &n->out_shapes[i]);
}

static bool weaken(refining *r)
{
    bool changed = false;
    for (size_t i = 0; i < r->vars.count; i++) {
        var *v = &r->vars.at[i];
        weir_shape s = join(&v->assumed, weir_edge_shape(v->enter->in[0]));
        s = join(&s, weir_edge_shape(v->next->in[0]));
        changed |= !weir_shape_eq(&s, &v->assumed);
        v->assumed = s;
    }
    return changed;
}

void weir_graph_refine_loops(weir_graph *g)
{
    refining r = {.order = NULL};
    weir_arena arena;
    weir_arena_init(&arena);
    r.order = weir_graph_order(g, &r.count);
    r.before = WEIR_ARENA_ARRAY(&arena, weir_shape *, g->nodes.count);
    r.var_of = WEIR_ARENA_ARRAY(&arena, int, g->nodes.count);
    find_vars(&r);
    if (r.vars.count) {
        find_affected(&r, &arena);
        do {
            for (size_t i = 0; i < r.count; i++)
                if (r.before[r.order[i]->id])
                    infer(&r, r.order[i]);
        } while (weaken(&r));
    }
    weir_vec_fini(&r.vars);
    weir_free(r.order);
    weir_arena_fini(&arena);
}
