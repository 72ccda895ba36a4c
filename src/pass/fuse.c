/* pass/fuse.c - element-wise ops that follow each other become one loop (ops/internal/elements.c).
 *
 * An op joins the one that reads it when that is its only reader, both have the same known shape
 * and stand on the same device, and nobody waits for either end of the edge between them. What
 * joins is a tree; its program is its ops in the order of a depth-first walk, results lying in
 * slots that are free again when they have been read.
 */
#include "pass/pass_impl.h"

enum { MOST_SLOTS = 8, MOST_INPUTS = 32, MOST_OPS = 512, NUMBERS = 4 };

/* What the tree below a node comes to. */
typedef struct tree {
    int ops, inputs;
    int slots; /* in use at once, when the side that needs more is computed first */
} tree;

typedef struct fusing {
    weir_graph *g;
    const weir_pass_env *env;
    bool *joined; /* by node id: part of the loop of its reader */
    tree *trees;  /* by node id */
} fusing;

static bool is_single(weir_edge e)
{
    return weir_shape_count(weir_edge_shape(e)) == 1;
}

/* An element-wise op whose operands have its own shape or are single values. */
static bool is_element(const weir_node *n)
{
    if (!n->site.op || !n->site.op->elementwise.arity || n->site.out_count != 1)
        return false;
    int type = n->site.out_types[0];
    const weir_shape *shape = &n->out_shapes[0];
    if ((type != WEIR_FLOAT && type != WEIR_DOUBLE) || !weir_shape_known(shape) ||
        weir_shape_count(shape) < 1)
        return false;
    for (int i = 0; i < n->site.in_count; i++) {
        weir_edge e = n->in[i];
        if (weir_edge_type(e) != type || !weir_shape_known(weir_edge_shape(e)))
            return false;
        if (!weir_shape_eq(weir_edge_shape(e), shape) && !is_single(e))
            return false;
    }
    return true;
}

/* Slots for input |i| of |n|: a factor of input 0 takes one even when it is made of an input. */
static int slots_of(const fusing *f, const weir_node *n, int i)
{
    const weir_node *below = n->in[i].node;
    bool factor = i == 1 && n->site.op && n->site.op->elementwise.scales;
    return f->joined[below->id] ? f->trees[below->id].slots : factor;
}

static tree measure(const fusing *f, const weir_node *n)
{
    const weir_elementwise *loop = n->site.op ? &n->site.op->elementwise : &(weir_elementwise){0};
    tree t = {.ops = 1 + loop->scales, .inputs = loop->attr != NULL};
    int slots[2] = {0};
    for (int i = 0; i < n->site.in_count && i < 2; i++) {
        const weir_node *below = n->in[i].node;
        bool joined = f->joined[below->id];
        t.ops += joined ? f->trees[below->id].ops : 0;
        t.inputs += joined ? f->trees[below->id].inputs : 1;
        slots[i] = slots_of(f, n, i);
    }
    int more = slots[0] > slots[1] ? slots[0] : slots[1], less = slots[0] + slots[1] - more;
    t.slots = more > less ? more : more + 1;
    t.slots = t.slots ? t.slots : 1;
    return t;
}

/* Two of that size fit under one op. */
static bool leaves_room(const tree *t)
{
    return t->ops < MOST_OPS / 2 && t->inputs < MOST_INPUTS / 2 && t->slots < MOST_SLOTS;
}

static bool may_join(const fusing *f, const weir_node *n)
{
    if (!is_element(n) || !leaves_room(&f->trees[n->id]) || weir_pass_kept(f->env, n) ||
        n->controls.count || n->uses.count != 1)
        return false;
    const weir_use *u = &n->uses.at[0];
    return u->input >= 0 && is_element(u->node) && !weir_pass_kept(f->env, u->node) &&
           strcmp(n->site.device, u->node->site.device) == 0 &&
           weir_shape_eq(&n->out_shapes[0], &u->node->out_shapes[0]);
}

/* ---- the program of a tree --------------------------------------------------------------------
 */

typedef struct writing {
    fusing *f;
    weir_edge in[MOST_INPUTS];
    int in_count;
    int64_t numbers[NUMBERS * MOST_OPS];
    int count;
    unsigned used;      /* slots */
    weir_status failed; /* the first error */
} writing;

static int64_t read_input(writing *w, weir_edge e)
{
    for (int i = 0; i < w->in_count; i++)
        if (w->in[i].node == e.node && w->in[i].index == e.index)
            return -1 - i;
    w->in[w->in_count++] = e;
    return -w->in_count;
}

static int take_slot(writing *w)
{
    int slot = 0;
    while (w->used >> slot & 1)
        slot++;
    w->used |= 1u << slot;
    return slot;
}

static int64_t write_node(writing *w, const weir_node *n);

static int64_t write_argument(writing *w, weir_edge e)
{
    return w->f->joined[e.node->id] ? write_node(w, e.node) : read_input(w, e);
}

static void put_back(writing *w, int64_t argument)
{
    if (argument >= 0)
        w->used &= ~(1u << argument);
}

/* Writes one op of the program; |loop| is below 0 for one of two arguments. Returns the slot of the
 * result. */
static int64_t write_op(writing *w, int64_t loop, int64_t x, int64_t y)
{
    put_back(w, x);
    put_back(w, y);
    int64_t to = take_slot(w);
    int64_t *out = w->numbers + NUMBERS * w->count++;
    out[0] = loop;
    out[1] = to;
    out[2] = x;
    out[3] = y;
    return to;
}

static int64_t loop_of(const weir_op *op)
{
    const weir_elementwise *e = &op->elementwise;
    return e->arity == 2 ? -1 - e->loop : e->loop;
}

/* The number in an attr of |n|, as an input. A constant that waits for nothing may be read in any
 * loop. */
static int64_t write_attr(writing *w, const weir_node *n)
{
    float number = weir_node_attr(n, n->site.op->elementwise.attr)->f;
    bool is_double = n->site.out_types[0] == WEIR_DOUBLE;
    weir_tensor value = is_double ? weir_tensor_scalar(WEIR_DOUBLE, &(double){number})
                                  : weir_tensor_scalar(WEIR_FLOAT, &number);
    weir_named_attr attrs[] = {weir_a_tensor("value", &value), weir_a_type("dtype", value.dtype)};
    weir_node *made = NULL;
    if (!w->failed)
        w->failed =
            weir_pass_add(n, "", "/number",
                          &(weir_node_spec){.op = "Const", .attrs = attrs, .attr_count = 2}, &made);
    weir_tensor_release(&value);
    return made ? read_input(w, (weir_edge){made, 0}) : -1;
}

/* What the loop of |n| gives of the inputs from |from| on. */
static int64_t write_loop(writing *w, const weir_node *n, int from)
{
    const weir_edge *in = n->in + from;
    int64_t arguments[2];
    bool two = n->site.in_count - from == 2;
    int first = two && slots_of(w->f, n, from + 1) > slots_of(w->f, n, from);
    arguments[first] = write_argument(w, in[first]);
    arguments[!first] = arguments[first];
    if (two)
        arguments[!first] = write_argument(w, in[!first]);
    else if (n->site.op->elementwise.attr)
        arguments[!first] = write_attr(w, n);
    return write_op(w, loop_of(n->site.op), arguments[0], arguments[1]);
}

/* Returns the slot of the result. */
static int64_t write_node(writing *w, const weir_node *n)
{
    if (!n->site.op->elementwise.scales)
        return write_loop(w, n, 0);
    int64_t arguments[2];
    int first = slots_of(w->f, n, 1) > slots_of(w->f, n, 0);
    arguments[first] = first ? write_loop(w, n, 1) : write_argument(w, n->in[0]);
    arguments[!first] = first ? write_argument(w, n->in[0]) : write_loop(w, n, 1);
    const weir_op *multiply = weir_registry_find(n->graph->registry, weir_str_of("Mul"));
    return write_op(w, loop_of(multiply), arguments[0], arguments[1]);
}

/* A loop reads its first input in place, so let that be one of the result's size. */
static void put_large_first(writing *w)
{
    for (int i = 1; i < w->in_count && is_single(w->in[0]); i++) {
        if (is_single(w->in[i]))
            continue;
        weir_edge e = w->in[0];
        w->in[0] = w->in[i];
        w->in[i] = e;
        for (int k = 0; k < NUMBERS * w->count; k++)
            if (k % NUMBERS >= 2 && (w->numbers[k] == -1 || w->numbers[k] == -1 - i))
                w->numbers[k] = w->numbers[k] == -1 ? -1 - i : -1;
    }
}

static void remove_joined(const fusing *f, weir_node *n)
{
    weir_node *below[2] = {NULL};
    for (int i = 0; i < n->site.in_count && i < 2; i++)
        if (f->joined[n->in[i].node->id])
            below[i] = n->in[i].node;
    weir_pass_remove(n);
    for (int i = 0; i < 2; i++)
        if (below[i])
            remove_joined(f, below[i]);
}

static weir_status fuse_tree(fusing *f, weir_node *root, writing *w)
{
    *w = (writing){.f = f};
    write_node(w, root);
    WEIR_TRY(w->failed);
    put_large_first(w);
    weir_node *made;
    weir_named_attr program = weir_a_ints("program", w->numbers, NUMBERS * w->count);
    WEIR_TRY(weir_pass_add(root, "", "/elements",
                           &(weir_node_spec){.op = "_Elements",
                                             .in = w->in,
                                             .in_count = w->in_count,
                                             .attrs = &program,
                                             .attr_count = 1,
                                             .controls = root->controls.at,
                                             .control_count = (int)root->controls.count},
                           &made));
    weir_graph_replace((weir_edge){root, 0}, (weir_edge){made, 0});
    weir_pass_move_waiting(root, made);
    remove_joined(f, root);
    return WEIR_OK;
}

static bool has_joined(const fusing *f, const weir_node *n)
{
    for (int i = 0; i < n->site.in_count; i++)
        if (f->joined[n->in[i].node->id])
            return true;
    return false;
}

static weir_status fuse_all(fusing *f)
{
    size_t count;
    weir_node **order = weir_graph_order(f->g, &count);
    for (size_t i = 0; i < count; i++) {
        f->trees[order[i]->id] = measure(f, order[i]);
        f->joined[order[i]->id] = may_join(f, order[i]);
    }
    writing *w = weir_alloc(sizeof *w);
    weir_status s = WEIR_OK;
    for (size_t i = count; i-- > 0 && !s;) {
        weir_node *n = order[i];
        if (!n->removed && !f->joined[n->id] && !weir_pass_kept(f->env, n) && is_element(n) &&
            has_joined(f, n))
            s = fuse_tree(f, n, w);
    }
    weir_free(w);
    weir_free(order);
    return s;
}

weir_status weir_pass_fuse(weir_graph *g, const weir_pass_env *env)
{
    fusing f = {.g = g,
                .env = env,
                .joined = WEIR_NEW_ARRAY(bool, g->nodes.count + 1),
                .trees = WEIR_NEW_ARRAY(tree, g->nodes.count + 1)};
    weir_status s = fuse_all(&f);
    weir_free(f.joined);
    weir_free(f.trees);
    return s;
}
