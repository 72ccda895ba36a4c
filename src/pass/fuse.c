/* pass/fuse.c - fuses chains of element-wise ops into one loop (ops/internal/elements.c).
 *
 * An op is fused with its reader if that is the only one, both have the same known shape and
 * device, and the edge between them has no control edges at its ends. Fused ops form a tree; its
 * program lists the ops in depth-first order, with results in slots that are reused after they have
 * been read.
 */
#include "pass/pass_impl.h"

enum { MOST_SLOTS = 8, MOST_INPUTS = 32, MOST_OPS = 512, NUMBERS = 4 };

/* Properties of the subtree of a node. */
typedef struct tree {
    int ops, inputs;
    int slots; /* live at once, if the operand that needs more is computed first */
} tree;

typedef struct fusing {
    weir_graph *g;
    const weir_pass_env *env;
    bool *joined; /* by node id: fused into its reader's loop */
    tree *trees;  /* by node id */
} fusing;

static bool is_single(weir_edge edge)
{
    return weir_shape_count(weir_edge_shape(edge)) == 1;
}

/* An element-wise op whose operands have its shape or are scalars. */
static bool is_element(const fusing *fusing, const weir_node *node)
{
    if (!node->site.op || !node->site.op->elementwise.arity || node->site.out_count != 1)
        return false;
    int type = node->site.out_types[0];
    const weir_shape *shape = &node->out_shapes[0];
    bool narrow = !node->site.op->elementwise.attr && weir_pass_narrow(fusing->env, node);
    if ((type != WEIR_FLOAT && type != WEIR_DOUBLE && !narrow) || !weir_shape_known(shape) ||
        weir_shape_count(shape) < 1)
        return false;
    for (int i = 0; i < node->site.in_count; i++) {
        weir_edge edge = node->in[i];
        if (weir_edge_type(edge) != type || !weir_shape_known(weir_edge_shape(edge)))
            return false;
        if (!weir_shape_eq(weir_edge_shape(edge), shape) && !is_single(edge))
            return false;
    }
    return true;
}

/* Slots for input |i| of |node|: input 0 needs one even if it is computed from an input. */
static int slots_of(const fusing *fusing, const weir_node *node, int i)
{
    const weir_node *below = node->in[i].node;
    bool factor = i == 1 && node->site.op && node->site.op->elementwise.scales;
    return fusing->joined[below->id] ? fusing->trees[below->id].slots : factor;
}

static tree measure(const fusing *fusing, const weir_node *node)
{
    const weir_elementwise *loop =
        node->site.op ? &node->site.op->elementwise : &(weir_elementwise){0};
    tree tree = {.ops = 1 + loop->scales, .inputs = loop->attr != NULL};
    int slots[2] = {0};
    for (int i = 0; i < node->site.in_count && i < 2; i++) {
        const weir_node *below = node->in[i].node;
        bool joined = fusing->joined[below->id];
        tree.ops += joined ? fusing->trees[below->id].ops : 0;
        tree.inputs += joined ? fusing->trees[below->id].inputs : 1;
        slots[i] = slots_of(fusing, node, i);
    }
    int more = slots[0] > slots[1] ? slots[0] : slots[1], less = slots[0] + slots[1] - more;
    tree.slots = more > less ? more : more + 1;
    tree.slots = tree.slots ? tree.slots : 1;
    return tree;
}

/* Two subtrees of that size fit under one op. */
static bool leaves_room(const tree *tree)
{
    return tree->ops < MOST_OPS / 2 && tree->inputs < MOST_INPUTS / 2 && tree->slots < MOST_SLOTS;
}

static bool may_join(const fusing *fusing, const weir_node *node)
{
    if (!is_element(fusing, node) || !leaves_room(&fusing->trees[node->id]) ||
        weir_pass_kept(fusing->env, node) || node->controls.count || node->uses.count != 1)
        return false;
    const weir_use *use = &node->uses.at[0];
    return use->input >= 0 && is_element(fusing, use->node) &&
           !weir_pass_kept(fusing->env, use->node) &&
           strcmp(node->site.device, use->node->site.device) == 0 &&
           weir_shape_eq(&node->out_shapes[0], &use->node->out_shapes[0]);
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

static int64_t read_input(writing *writing, weir_edge edge)
{
    for (int i = 0; i < writing->in_count; i++)
        if (writing->in[i].node == edge.node && writing->in[i].index == edge.index)
            return -1 - i;
    writing->in[writing->in_count++] = edge;
    return -writing->in_count;
}

static int take_slot(writing *writing)
{
    int slot = 0;
    while (writing->used >> slot & 1)
        slot++;
    writing->used |= 1u << slot;
    return slot;
}

static int64_t write_node(writing *writing, const weir_node *node);

static int64_t write_argument(writing *writing, weir_edge edge)
{
    return writing->f->joined[edge.node->id] ? write_node(writing, edge.node)
                                             : read_input(writing, edge);
}

static void put_back(writing *writing, int64_t argument)
{
    if (argument >= 0)
        writing->used &= ~(1u << argument);
}

/* Writes one op of the program; |loop| is below 0 for a binary one. Returns the slot of the
 * result. */
static int64_t write_op(writing *writing, int64_t loop, int64_t x, int64_t y)
{
    put_back(writing, x);
    put_back(writing, y);
    int64_t to = take_slot(writing);
    int64_t *out = writing->numbers + NUMBERS * writing->count++;
    out[0] = loop;
    out[1] = to;
    out[2] = x;
    out[3] = y;
    return to;
}

static int64_t loop_of(const weir_op *op)
{
    const weir_elementwise *elementwise = &op->elementwise;
    return elementwise->arity == 2 ? -1 - elementwise->loop : elementwise->loop;
}

/* A numeric attr of |node| as an input. A constant without control inputs may be read in any
 * frame. */
static int64_t write_attr(writing *writing, const weir_node *node)
{
    float number = weir_node_attr(node, node->site.op->elementwise.attr)->f;
    bool is_double = node->site.out_types[0] == WEIR_DOUBLE;
    weir_tensor value = is_double ? weir_tensor_scalar(WEIR_DOUBLE, &(double){number})
                                  : weir_tensor_scalar(WEIR_FLOAT, &number);
    weir_named_attr attrs[] = {weir_a_tensor("value", &value), weir_a_type("dtype", value.dtype)};
    weir_node *made = NULL;
    if (!writing->failed)
        writing->failed =
            weir_pass_add(node, "", "/number",
                          &(weir_node_spec){.op = "Const", .attrs = attrs, .attr_count = 2}, &made);
    weir_tensor_release(&value);
    return made ? read_input(writing, (weir_edge){made, 0}) : -1;
}

/* Writes the loop of |node| over the inputs from |from| on. */
static int64_t write_loop(writing *writing, const weir_node *node, int from)
{
    const weir_edge *in = node->in + from;
    int64_t arguments[2];
    bool two = node->site.in_count - from == 2;
    int first = two && slots_of(writing->f, node, from + 1) > slots_of(writing->f, node, from);
    arguments[first] = write_argument(writing, in[first]);
    arguments[!first] = arguments[first];
    if (two)
        arguments[!first] = write_argument(writing, in[!first]);
    else if (node->site.op->elementwise.attr)
        arguments[!first] = write_attr(writing, node);
    return write_op(writing, loop_of(node->site.op), arguments[0], arguments[1]);
}

/* Returns the slot of the result. */
static int64_t write_node(writing *writing, const weir_node *node)
{
    if (!node->site.op->elementwise.scales)
        return write_loop(writing, node, 0);
    int64_t arguments[2];
    int first = slots_of(writing->f, node, 1) > slots_of(writing->f, node, 0);
    arguments[first] = first ? write_loop(writing, node, 1) : write_argument(writing, node->in[0]);
    arguments[!first] = first ? write_argument(writing, node->in[0]) : write_loop(writing, node, 1);
    const weir_op *multiply = weir_registry_find(node->graph->registry, weir_str_of("Mul"));
    return write_op(writing, loop_of(multiply), arguments[0], arguments[1]);
}

/* The loop overwrites its first input in place, so that should have the result's size. */
static void put_large_first(writing *writing)
{
    for (int i = 1; i < writing->in_count && is_single(writing->in[0]); i++) {
        if (is_single(writing->in[i]))
            continue;
        weir_edge edge = writing->in[0];
        writing->in[0] = writing->in[i];
        writing->in[i] = edge;
        for (int k = 0; k < NUMBERS * writing->count; k++)
            if (k % NUMBERS >= 2 && (writing->numbers[k] == -1 || writing->numbers[k] == -1 - i))
                writing->numbers[k] = writing->numbers[k] == -1 ? -1 - i : -1;
    }
}

static void remove_joined(const fusing *fusing, weir_node *node)
{
    weir_node *below[2] = {NULL};
    for (int i = 0; i < node->site.in_count && i < 2; i++)
        if (fusing->joined[node->in[i].node->id])
            below[i] = node->in[i].node;
    weir_pass_remove(node);
    for (int i = 0; i < 2; i++)
        if (below[i])
            remove_joined(fusing, below[i]);
}

static weir_status fuse_tree(fusing *fusing, weir_node *root, writing *this_writing)
{
    *this_writing = (writing){.f = fusing};
    write_node(this_writing, root);
    WEIR_TRY(this_writing->failed);
    put_large_first(this_writing);
    weir_node *made;
    weir_named_attr program =
        weir_a_ints("program", this_writing->numbers, NUMBERS * this_writing->count);
    WEIR_TRY(weir_pass_add(root, "", "/elements",
                           &(weir_node_spec){.op = "_Elements",
                                             .in = this_writing->in,
                                             .in_count = this_writing->in_count,
                                             .attrs = &program,
                                             .attr_count = 1,
                                             .controls = root->controls.at,
                                             .control_count = (int)root->controls.count},
                           &made));
    weir_graph_replace((weir_edge){root, 0}, (weir_edge){made, 0});
    weir_pass_move_waiting(root, made);
    remove_joined(fusing, root);
    return WEIR_OK;
}

static bool has_joined(const fusing *fusing, const weir_node *node)
{
    for (int i = 0; i < node->site.in_count; i++)
        if (fusing->joined[node->in[i].node->id])
            return true;
    return false;
}

static weir_status fuse_all(fusing *fusing)
{
    size_t count;
    weir_node **order = weir_graph_order(fusing->g, &count);
    for (size_t i = 0; i < count; i++) {
        fusing->trees[order[i]->id] = measure(fusing, order[i]);
        fusing->joined[order[i]->id] = may_join(fusing, order[i]);
    }
    writing *writing = weir_alloc(sizeof *writing);
    weir_status status = WEIR_OK;
    for (size_t i = count; i-- > 0 && !status;) {
        weir_node *node = order[i];
        if (!node->removed && !fusing->joined[node->id] && !weir_pass_kept(fusing->env, node) &&
            is_element(fusing, node) && has_joined(fusing, node))
            status = fuse_tree(fusing, node, writing);
    }
    weir_free(writing);
    weir_free(order);
    return status;
}

weir_status weir_pass_fuse(weir_graph *graph, const weir_pass_env *env)
{
    fusing fusing = {.g = graph,
                     .env = env,
                     .joined = WEIR_NEW_ARRAY(bool, graph->nodes.count + 1),
                     .trees = WEIR_NEW_ARRAY(tree, graph->nodes.count + 1)};
    weir_status status = fuse_all(&fusing);
    weir_free(fusing.joined);
    weir_free(fusing.trees);
    return status;
}
