/* grad/walk.c - visits a frame's nodes in reverse topological order.
 *
 * A unit is a node of the frame or a whole loop inside it. The order is that of a depth-first
 * search over the units between x and y; loops are connected through their Exit and Enter nodes,
 * and through stacks: a loop that pops comes before the loop that pushed.
 */
#include "grad/grad_impl.h"

typedef struct unit {
    weir_node *node; /* or a loop */
    weir_loop *loop;
} unit;

typedef WEIR_VEC(unit) units;

/* The unit of |frame| that contains |node|. */
static unit unit_in(weir_engine *engine, weir_loop *frame, weir_node *node)
{
    weir_loop *loop = weir_engine_info(engine, node)->loop;
    if (loop == frame)
        return (unit){.node = node};
    while (loop && loop->parent != frame)
        loop = loop->parent;
    return (unit){.loop = loop};
}

static unit producer(weir_engine *engine, weir_edge edge)
{
    weir_node *node = edge.node;
    if (weir_node_flow(node) == WEIR_FLOW_EXIT)
        return (unit){.loop = weir_engine_info(engine, node->in[0].node)->loop};
    return (unit){.node = node};
}

/* Enter of an incomplete loop (weir_structure_open): gradients pass straight through. */
static bool is_passage(weir_engine *engine, const weir_node *node)
{
    return weir_node_flow(node) == WEIR_FLOW_ENTER && !weir_engine_info(engine, node)->loop;
}

static bool is_leaf(weir_engine *engine, const weir_node *node)
{
    return weir_flow_is_loop_merge(node) ||
           (weir_node_flow(node) == WEIR_FLOW_ENTER && !is_passage(engine, node));
}

static void add_producer(weir_engine *engine, weir_edge edge, units *out)
{
    if (weir_engine_info(engine, edge.node)->between &&
        weir_engine_trainable(engine, weir_edge_type(edge)))
        weir_vec_push(out, producer(engine, edge));
}

/* Adds the loops and nodes that push the values popped inside |loop|. */
static void add_pushers(weir_engine *engine, weir_loop *frame, weir_loop *loop, units *out)
{
    for (size_t i = 0; i < engine->pops.count; i++) {
        weir_node *pop = engine->pops.at[i], *stack = weir_structure_stack(pop->in[0]);
        if (!weir_engine_info(engine, pop)->between || unit_in(engine, frame, pop).loop != loop)
            continue;
        for (size_t k = 0; k < engine->pushes.count; k++) {
            weir_node *push = engine->pushes.at[k];
            unit unit = unit_in(engine, frame, push);
            if (unit.loop != loop && (unit.loop || unit.node) &&
                weir_structure_stack(push->in[0]) == stack)
                weir_vec_push(out, unit);
        }
    }
}

static void add_producers(weir_engine *engine, weir_loop *frame, unit unit, units *out)
{
    if (unit.loop) {
        for (size_t i = 0; i < unit.loop->enters.count; i++)
            add_producer(engine, unit.loop->enters.at[i]->in[0], out);
        add_pushers(engine, frame, unit.loop, out);
    } else if (!is_leaf(engine, unit.node)) {
        for (int i = 0; i < unit.node->site.in_count; i++)
            add_producer(engine, unit.node->in[i], out);
    }
}

static bool visit(weir_engine *engine, unit unit)
{
    bool *visited = unit.loop ? &unit.loop->visited : &weir_engine_info(engine, unit.node)->visited;
    bool first = !*visited;
    *visited = true;
    return first;
}

/* Iterative post-order: a unit is pushed once to be expanded and once to be emitted. */
static void search(weir_engine *engine, weir_loop *frame, unit from, units *stack, units *order)
{
    weir_vec_push(stack, from);
    while (stack->count) {
        unit this_unit = stack->at[--stack->count];
        if (!this_unit.node && !this_unit.loop) { /* all producers of the unit below are done */
            weir_vec_push(order, stack->at[--stack->count]);
            continue;
        }
        if (!visit(engine, this_unit))
            continue;
        weir_vec_push(stack, this_unit);
        weir_vec_push(stack, (unit){0});
        add_producers(engine, frame, this_unit, stack);
    }
}

static bool any_dy(weir_engine *engine, weir_node *node)
{
    for (int i = 0; i < node->site.out_count; i++)
        if (weir_sum_any(engine, (weir_edge){node, i}))
            return true;
    return weir_node_flow(node) == WEIR_FLOW_STACK_PUSH; /* its gradient comes from a stack */
}

static void pass_through(const weir_grad *at, weir_node *enter)
{
    weir_grad grad = *at;
    weir_slices slices;
    if (weir_sum_slices(&grad, weir_first(enter), &slices))
        weir_sum_add_slices(at->engine, enter->in[0], slices);
    else
        weir_sum_add(at->engine, enter->in[0], weir_sum_dense(&grad, weir_first(enter)));
}

static void differentiate(const weir_grad *at, weir_node *node)
{
    weir_engine *engine = at->engine;
    bool none = false;
    weir_grad_fn fn = weir_engine_gradient(node, &none);
    if (none || is_leaf(engine, node) || !weir_engine_info(engine, node)->between ||
        !any_dy(engine, node))
        return;
    if (is_passage(engine, node)) {
        pass_through(at, node);
        return;
    }
    if (!fn) {
        weir_engine_fail(engine,
                         weir_error(WEIR_NOT_FOUND, "No gradient defined for op: %s. (node '%s')",
                                    node->site.def->name, node->site.name));
        return;
    }
    WEIR_BUF(prefix);
    weir_buf_addf(&prefix, "%s/%s_grad", engine->prefix, node->site.name);
    weir_grad grad = {
        .engine = engine,
        .scope = at->scope,
        .node = node,
        .prefix = prefix.at,
        .dy = WEIR_ARENA_ARRAY(&engine->arena, weir_edge, node->site.out_count),
    };
    weir_engine_fail(engine, fn(&grad));
}

void weir_walk(weir_grad *grad, const weir_edge *seeds, int count)
{
    weir_engine *engine = grad->engine;
    weir_loop *frame = grad->scope->loop;
    units stack = {0}, order = {0};
    for (int i = 0; i < count; i++)
        if (weir_engine_info(engine, seeds[i].node)->between)
            search(engine, frame, producer(engine, seeds[i]), &stack, &order);
    for (size_t i = 0; i < engine->pushes.count; i++) {
        unit unit = unit_in(engine, frame, engine->pushes.at[i]);
        if (weir_engine_info(engine, engine->pushes.at[i])->between && (unit.node || unit.loop))
            search(engine, frame, unit, &stack, &order);
    }
    for (size_t i = order.count; i-- > 0 && !engine->status;) {
        if (order.at[i].loop)
            weir_loop_differentiate(grad, order.at[i].loop);
        else
            differentiate(grad, order.at[i].node);
    }
    weir_vec_fini(&stack);
    weir_vec_fini(&order);
}
