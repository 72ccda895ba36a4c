/* grad/walk.c - visits a frame's nodes so that every user comes before what it uses.
 *
 * A unit is a node of the frame or a whole loop inside it. Depth-first search over units that lie
 * between x and y gives the order; loops take part through their Exit and Enter nodes, and through
 * stacks: a loop that pops comes before the loop that pushed.
 */
#include "grad/grad_impl.h"

typedef struct unit {
    weir_node *node; /* or */
    weir_loop *loop;
} unit;

typedef WEIR_VEC(unit) units;

/* Where |n|, somewhere inside |frame|, appears in the frame's walk. */
static unit unit_in(weir_engine *e, weir_loop *frame, weir_node *n)
{
    weir_loop *l = weir_engine_info(e, n)->loop;
    if (l == frame)
        return (unit){.node = n};
    while (l && l->parent != frame)
        l = l->parent;
    return (unit){.loop = l};
}

static unit producer(weir_engine *e, weir_edge edge)
{
    weir_node *n = edge.node;
    if (weir_node_flow(n) == WEIR_FLOW_EXIT)
        return (unit){.loop = weir_engine_info(e, n->in[0].node)->loop};
    return (unit){.node = n};
}

static bool is_leaf(const weir_node *n)
{
    return weir_node_flow(n) == WEIR_FLOW_ENTER || weir_flow_is_loop_merge(n);
}

static void add_producer(weir_engine *e, weir_edge edge, units *out)
{
    if (weir_engine_info(e, edge.node)->between && weir_engine_trainable(e, weir_edge_type(edge)))
        weir_vec_push(out, producer(e, edge));
}

/* Loops and nodes that push what the pops inside |l| take. */
static void add_pushers(weir_engine *e, weir_loop *frame, weir_loop *l, units *out)
{
    for (size_t i = 0; i < e->pops.count; i++) {
        weir_node *pop = e->pops.at[i], *stack = weir_structure_stack(pop->in[0]);
        if (!weir_engine_info(e, pop)->between || unit_in(e, frame, pop).loop != l)
            continue;
        for (size_t k = 0; k < e->pushes.count; k++) {
            weir_node *push = e->pushes.at[k];
            unit u = unit_in(e, frame, push);
            if (u.loop != l && (u.loop || u.node) && weir_structure_stack(push->in[0]) == stack)
                weir_vec_push(out, u);
        }
    }
}

static void add_producers(weir_engine *e, weir_loop *frame, unit u, units *out)
{
    if (u.loop) {
        for (size_t i = 0; i < u.loop->enters.count; i++)
            add_producer(e, u.loop->enters.at[i]->in[0], out);
        add_pushers(e, frame, u.loop, out);
    } else if (!is_leaf(u.node)) {
        for (int i = 0; i < u.node->site.in_count; i++)
            add_producer(e, u.node->in[i], out);
    }
}

static bool visit(weir_engine *e, unit u)
{
    bool *visited = u.loop ? &u.loop->visited : &weir_engine_info(e, u.node)->visited;
    bool first = !*visited;
    *visited = true;
    return first;
}

/* Post-order without recursion: a unit is pushed once to be opened and once to be closed. */
static void search(weir_engine *e, weir_loop *frame, unit from, units *stack, units *order)
{
    weir_vec_push(stack, from);
    while (stack->count) {
        unit u = stack->at[--stack->count];
        if (!u.node && !u.loop) { /* the unit below has all its producers listed */
            weir_vec_push(order, stack->at[--stack->count]);
            continue;
        }
        if (!visit(e, u))
            continue;
        weir_vec_push(stack, u);
        weir_vec_push(stack, (unit){0});
        add_producers(e, frame, u, stack);
    }
}

static bool any_dy(weir_engine *e, weir_node *n)
{
    for (int i = 0; i < n->site.out_count; i++)
        if (weir_sum_any(e, (weir_edge){n, i}))
            return true;
    return weir_node_flow(n) == WEIR_FLOW_STACK_PUSH; /* its gradient comes from a stack */
}

static void differentiate(const weir_grad *at, weir_node *n)
{
    weir_engine *e = at->engine;
    bool none = false;
    weir_grad_fn fn = weir_engine_gradient(n, &none);
    if (none || is_leaf(n) || !weir_engine_info(e, n)->between || !any_dy(e, n))
        return;
    if (!fn) {
        weir_engine_fail(e,
                         weir_error(WEIR_NOT_FOUND, "No gradient defined for op: %s. (node '%s')",
                                    n->site.def->name, n->site.name));
        return;
    }
    weir_buf prefix = {0};
    weir_buf_addf(&prefix, "%s/%s_grad", e->prefix, n->site.name);
    weir_grad g = {
        .engine = e,
        .scope = at->scope,
        .node = n,
        .prefix = prefix.at,
        .dy = WEIR_ARENA_ARRAY(&e->arena, weir_edge, n->site.out_count),
    };
    weir_engine_fail(e, fn(&g));
    weir_buf_fini(&prefix);
}

void weir_walk(weir_grad *g, const weir_edge *seeds, int count)
{
    weir_engine *e = g->engine;
    weir_loop *frame = g->scope->loop;
    units stack = {0}, order = {0};
    for (int i = 0; i < count; i++)
        if (weir_engine_info(e, seeds[i].node)->between)
            search(e, frame, producer(e, seeds[i]), &stack, &order);
    for (size_t i = 0; i < e->pushes.count; i++) {
        unit u = unit_in(e, frame, e->pushes.at[i]);
        if (weir_engine_info(e, e->pushes.at[i])->between && (u.node || u.loop))
            search(e, frame, u, &stack, &order);
    }
    for (size_t i = order.count; i-- > 0 && !e->status;) {
        if (order.at[i].loop)
            weir_loop_differentiate(g, order.at[i].loop);
        else
            differentiate(g, order.at[i].node);
    }
    weir_vec_fini(&stack);
    weir_vec_fini(&order);
}
