/* pass/cells.c - fuses small element-wise ops between two products on devices (_Cell).
 *
 * A kernel launch costs more than a small op, and recurrent networks have dozens of them per
 * step. Connected ops over the same rows and columns are fused if that creates no cycle:
 * along every edge inside a cell the depth stays the same, along every other edge it grows,
 * so that cells of equal depth are independent. Split and ConcatV2 of columns become offsets,
 * slices become offsets and strides; an op whose only reader is a Split is computed part by
 * part.
 */
#include <limits.h>

#include "op/device.h"
#include "pass/pass_impl.h"

/* As in gpu/text.h. */
enum { SIZE_LINE, LOAD, LOOP, STORE, NUMBERS = 7 };
enum {
    MOST_ELEMENTS = 1 << 18, /* above this, launch overhead is negligible */
    MOST_TENSORS = 36,
    MOST_LINES = 512,
    MOST_TERMS = 8,
    MOST_PARTS = 16
};

typedef enum role { NONE, ELEMENTS, SUM, SPLIT, CONCAT, BEFORE_SPLIT, VIEW } role;

typedef struct member {
    role role;
    int64_t rows, columns;
    int depth;
    int cell; /* union-find parent: another member of the same cell, or itself */
} member;

typedef struct joining {
    const weir_pass_env *env;
    weir_node **order;
    size_t count;
    member *members; /* by node id; the last one is shared by all added nodes */
    size_t ids;
} joining;

static member *member_of(const joining *joining, const weir_node *node)
{
    size_t id = (size_t)node->id;
    return &joining->members[id < joining->ids ? id : joining->ids];
}

/* ---- candidates ------------------------------------------------------------------------------ */

static bool is_on_device(const joining *joining, const weir_node *node)
{
    const weir_device_kernels *kernels = joining->env->options.kernels;
    const weir_kernel *kernel;
    return kernels->memory(kernels->arg, node->site.device) &&
           kernels->find(&node->site, &kernel) == WEIR_DEVICE_KERNEL;
}

static int64_t last_dim(const weir_shape *shape)
{
    return shape->rank ? shape->dims[shape->rank - 1] : 1;
}

/* The row and column strides of an operand of a result of |shape|; false: not expressible. */
static bool steps_of(const weir_shape *in, const weir_shape *shape, int64_t steps[2])
{
    int64_t columns = last_dim(shape), count = weir_shape_count(in);
    bool column = in->rank == shape->rank && in->rank && last_dim(in) == 1;
    for (int i = 0; column && i < in->rank - 1; i++)
        column = in->dims[i] == shape->dims[i];
    steps[0] = steps[1] = 0;
    if (count == 1)
        return true;
    if (weir_shape_eq(in, shape))
        steps[0] = columns, steps[1] = 1;
    else if (count == columns && last_dim(in) == columns && in->rank <= shape->rank)
        steps[1] = 1;
    else if (column)
        steps[0] = 1;
    else
        return false;
    return true;
}

static bool are_operands(const weir_node *node)
{
    int64_t steps[2];
    for (int i = 0; i < node->site.in_count; i++) {
        const weir_shape *in = weir_edge_shape(node->in[i]);
        if (weir_edge_type(node->in[i]) != node->site.out_types[0] || !weir_shape_known(in) ||
            !steps_of(in, &node->out_shapes[0], steps))
            return false;
    }
    return true;
}

static bool is_last_axis(weir_edge edge, int rank)
{
    const weir_tensor *axis = weir_pass_value(edge);
    if (!axis || axis->dtype != WEIR_INT32 || weir_tensor_count(axis) != 1)
        return false;
    int32_t at = *(const int32_t *)axis->data;
    return rank > 0 && (at == rank - 1 || at == -1);
}

static bool are_equal(const weir_node *node, int inputs)
{
    for (int i = 0; i < inputs; i++)
        if (!weir_shape_known(weir_edge_shape(node->in[i])) ||
            !weir_shape_eq(weir_edge_shape(node->in[i]), weir_edge_shape(node->in[0])))
            return false;
    return true;
}

static int split_value(const weir_node *node)
{
    return weir_node_is(node, "Split");
}

static bool is_split(const weir_node *node)
{
    bool even = weir_node_is(node, "Split");
    if ((!even && !weir_node_is(node, "SplitV")) || node->site.out_count < 2 ||
        node->site.out_count > MOST_PARTS)
        return false;
    for (int i = 0; i < node->site.out_count; i++)
        if (!weir_shape_known(&node->out_shapes[i]) ||
            !weir_shape_eq(&node->out_shapes[i], &node->out_shapes[0]))
            return false;
    return is_last_axis(node->in[even ? 0 : 2], node->out_shapes[0].rank);
}

static bool is_concat(const weir_node *node)
{
    int parts = node->site.in_count - 1;
    return weir_node_is(node, "ConcatV2") && parts <= MOST_PARTS && are_equal(node, parts) &&
           is_last_axis(node->in[parts], node->out_shapes[0].rank);
}

/* ---- slices: views of their argument --------------------------------------------------------- */

/* Offset of a slice, and its row and column strides. */
typedef struct view {
    int64_t start, steps[2];
} view;

/* The start of a slice in each dimension of |in|; false: unknown. */
static bool read_begin(const weir_node *node, const weir_shape *in, int64_t *begin)
{
    int64_t count = 0;
    const weir_tensor *value = weir_pass_value(node->in[1]);
    bool strided = weir_node_is(node, "StridedSlice");
    int64_t whole = strided ? weir_node_attr(node, "begin_mask")->i : 0;
    weir_status status =
        value ? weir_tensor_get_ints(value, begin, WEIR_MAX_RANK, &count) : WEIR_OK;
    bool read = value && !status && count <= in->rank;
    weir_status_free(status);
    for (int64_t i = 0; read && i < in->rank; i++) {
        if (i >= count || whole >> i & 1)
            begin[i] = 0;
        begin[i] += begin[i] < 0 ? in->dims[i] : 0;
        read = begin[i] >= 0 && begin[i] <= in->dims[i];
    }
    return read;
}

/* A StridedSlice with unit strides that adds no dimension. */
static bool is_dense_slice(const weir_node *node)
{
    int64_t strides[WEIR_MAX_RANK], count = 0;
    const weir_tensor *value = weir_pass_value(node->in[3]);
    if (!value || weir_node_attr(node, "ellipsis_mask")->i ||
        weir_node_attr(node, "new_axis_mask")->i)
        return false;
    weir_status status = weir_tensor_get_ints(value, strides, WEIR_MAX_RANK, &count);
    bool dense = !status;
    weir_status_free(status);
    for (int64_t i = 0; dense && i < count; i++)
        dense = strides[i] == 1;
    return dense;
}

static bool view_of(const weir_node *node, view *out_view)
{
    const weir_shape *in = weir_edge_shape(node->in[0]), *out = &node->out_shapes[0];
    bool strided = weir_node_is(node, "StridedSlice");
    int64_t begin[WEIR_MAX_RANK], step = 1, next = 1;
    if (!weir_shape_known(in) || !in->rank || !out->rank || !read_begin(node, in, begin) ||
        (strided && !is_dense_slice(node)))
        return false;
    int64_t gone = strided ? weir_node_attr(node, "shrink_axis_mask")->i : 0;
    int kept = out->rank - 1; /* of the result, from the last dimension on */
    *out_view = (view){0};
    for (int i = in->rank - 1; i >= 0; i--) {
        out_view->start += begin[i] * step;
        if (!(gone >> i & 1)) {
            if (kept < 0 || begin[i] + out->dims[kept] > in->dims[i])
                return false;
            if (kept == out->rank - 1)
                out_view->steps[1] = step;
            else if (kept == out->rank - 2)
                out_view->steps[0] = step;
            else if (step != next)
                return false; /* rows are not equidistant */
            next = step * out->dims[kept--];
        }
        step *= in->dims[i];
    }
    return kept < 0;
}

static role role_of(const weir_node *node)
{
    const weir_elementwise *loop = &node->site.op->elementwise;
    view view;
    if (weir_node_is(node, "Slice") || weir_node_is(node, "StridedSlice"))
        return view_of(node, &view) ? VIEW : NONE;
    if (is_split(node))
        return SPLIT;
    if (is_concat(node))
        return CONCAT;
    if (weir_node_is(node, "AddN"))
        return node->site.in_count >= 2 && node->site.in_count <= MOST_TERMS &&
                       are_equal(node, node->site.in_count)
                   ? SUM
                   : NONE;
    return loop->arity && !loop->attr && node->site.out_count == 1 && are_operands(node) ? ELEMENTS
                                                                                         : NONE;
}

/* The shape whose rows and columns a member iterates over. */
static const weir_shape *shape_of(const weir_node *node, role role)
{
    return role == CONCAT ? weir_edge_shape(node->in[0]) : &node->out_shapes[0];
}

static member look_at(const joining *joining, const weir_node *node)
{
    member none = {.cell = node->id};
    if (!node->site.op || !node->site.out_count || weir_pass_kept(joining->env, node) ||
        !weir_pass_pure(node))
        return none;
    int type = node->site.out_types[0];
    if ((type != WEIR_FLOAT && type != WEIR_DOUBLE && type != WEIR_BFLOAT16) ||
        !weir_shape_known(&node->out_shapes[0]))
        return none;
    role role = role_of(node);
    int64_t count = role ? weir_shape_count(shape_of(node, role)) : 0;
    if (count < 1 || count > MOST_ELEMENTS || !is_on_device(joining, node))
        return none;
    int64_t columns = last_dim(shape_of(node, role));
    return (member){role, count / columns, columns, 0, node->id};
}

/* An op read only by a Split computes the Split's parts of its columns. */
static void look_before_split(const joining *joining, const weir_node *split)
{
    const weir_node *node = split->in[split_value(split)].node;
    member *before = member_of(joining, node), *of = member_of(joining, split);
    bool equal = before->role == ELEMENTS && !node->site.op->elementwise.scales &&
                 node->uses.count == 1 && !node->controls.count && before->rows == of->rows &&
                 before->columns == of->columns * split->site.out_count;
    if (!equal)
        return;
    before->role = BEFORE_SPLIT;
    before->columns = of->columns;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool are_alike(const joining *joining, const weir_node *a, const weir_node *b)
{
    const member *first = member_of(joining, a), *second = member_of(joining, b);
    return first->role && second->role && first->rows == second->rows &&
           first->columns == second->columns && a->site.out_types[0] == b->site.out_types[0] &&
           strcmp(a->site.device, b->site.device) == 0;
}

/* Whether the value on this edge stays internal if both ends are in one cell. */
static bool joins(const joining *joining, const weir_node *from, const weir_node *to)
{
    const member *first = member_of(joining, from), *second = member_of(joining, to);
    if (!are_alike(joining, from, to) || first->role == CONCAT || second->role == BEFORE_SPLIT ||
        second->role == VIEW)
        return false;
    return (first->role == BEFORE_SPLIT) == (second->role == SPLIT);
}

static int root_of(const joining *joining, int id)
{
    while (joining->members[id].cell != id)
        id = joining->members[id].cell;
    return id;
}

static void find_depth(const joining *joining, const weir_node *node)
{
    member *member = member_of(joining, node);
    for (int i = 0; i < node->site.in_count; i++) {
        const weir_node *from = node->in[i].node;
        int depth = member_of(joining, from)->depth + !joins(joining, from, node);
        member->depth = depth > member->depth ? depth : member->depth;
    }
    for (size_t i = 0; i < node->controls.count; i++) {
        const weir_node *from = node->controls.at[i];
        int depth = member_of(joining, from)->depth + !joins(joining, from, node);
        member->depth = depth > member->depth ? depth : member->depth;
    }
}

/* A slice is scheduled with its first reader. */
static void raise_view(const joining *joining, const weir_node *node)
{
    member *member = member_of(joining, node);
    int least = INT_MAX;
    for (size_t i = 0; i < node->uses.count; i++) {
        const weir_node *to = node->uses.at[i].node;
        int depth = member_of(joining, to)->depth - !joins(joining, node, to);
        least = depth < least ? depth : least;
    }
    if (member->role == VIEW && node->uses.count && least > member->depth)
        member->depth = least;
}

static void unite(const joining *joining, const weir_node *from, const weir_node *to)
{
    if (joins(joining, from, to) &&
        member_of(joining, from)->depth == member_of(joining, to)->depth)
        joining->members[root_of(joining, from->id)].cell = root_of(joining, to->id);
}

/* An op before a Split is computed where the Split is. */
static void settle_depths(const joining *joining)
{
    for (size_t i = 0; i < joining->count; i++)
        find_depth(joining, joining->order[i]);
    for (size_t i = joining->count; i-- > 0;)
        raise_view(joining, joining->order[i]);
    for (size_t i = 0; i < joining->count; i++) {
        const weir_node *node = joining->order[i];
        for (int k = 0; k < node->site.in_count; k++)
            unite(joining, node->in[k].node, node);
        for (size_t k = 0; k < node->controls.count; k++)
            unite(joining, node->controls.at[k], node);
    }
}

/* ---- the program of a cell ------------------------------------------------------------------- */

typedef struct writing {
    const joining *j;
    int root;
    weir_edge in[MOST_TENSORS], out[MOST_TENSORS];
    int in_count, out_count, lines, values;
    int64_t numbers[NUMBERS * MOST_LINES];
    bool full;    /* the program exceeds its limits */
    int *results; /* by node id: the value of an op, or -1 */
} writing;

static int write_line(writing *writing, const int64_t line[NUMBERS])
{
    int64_t *numbers = writing->numbers + NUMBERS * writing->lines;
    writing->full |= writing->lines + 1 >= MOST_LINES;
    if (writing->full)
        return 0;
    memcpy(numbers, line, sizeof *numbers * NUMBERS);
    writing->lines++;
    return line[0] == LOAD || line[0] == LOOP ? writing->values++ : 0;
}

static int input_of(writing *writing, weir_edge edge)
{
    for (int i = 0; i < writing->in_count; i++)
        if (weir_edge_eq(writing->in[i], edge))
            return i;
    writing->full |= writing->in_count + writing->out_count == MOST_TENSORS;
    if (writing->full)
        return 0;
    writing->in[writing->in_count] = edge;
    return writing->in_count++;
}

static int load(writing *writing, weir_edge edge, int64_t start, const int64_t steps[2])
{
    int input = input_of(writing, edge);
    for (int i = 1; i < writing->lines; i++) {
        const int64_t *line = writing->numbers + NUMBERS * i;
        if (line[0] == LOAD && line[2] == input && line[3] == start && line[4] == steps[0] &&
            line[5] == steps[1])
            return (int)line[1];
    }
    return write_line(writing,
                      (int64_t[NUMBERS]){LOAD, writing->values, input, start, steps[0], steps[1]});
}

static int loop(writing *writing, const weir_op *op, int x, int y)
{
    int64_t number = op->elementwise.arity == 2 ? -1 - op->elementwise.loop : op->elementwise.loop;
    return write_line(writing, (int64_t[NUMBERS]){LOOP, writing->values, number, x, y});
}

static bool is_inside(const writing *writing, const weir_node *node)
{
    return member_of(writing->j, node)->role && root_of(writing->j, node->id) == writing->root;
}

/* Part |part| of an op before a Split into |parts|. */
static int write_part(writing *writing, const weir_node *node, int part, int parts)
{
    int values[2] = {0};
    int64_t columns = last_dim(&node->out_shapes[0]) / parts, steps[2];
    for (int i = 0; i < node->site.in_count; i++) {
        (void)steps_of(weir_edge_shape(node->in[i]), &node->out_shapes[0], steps);
        values[i] = load(writing, node->in[i], steps[1] * part * columns, steps);
    }
    return loop(writing, node->site.op, values[0], values[node->site.in_count - 1]);
}

/* The value of an edge into a member with rows and columns of |shape|. */
static int value_of(writing *writing, weir_edge edge, const weir_shape *shape)
{
    const weir_node *node = edge.node;
    int64_t steps[2];
    if (!is_inside(writing, node) || member_of(writing->j, node)->role == CONCAT) {
        (void)steps_of(weir_edge_shape(edge), shape, steps);
        return load(writing, edge, 0, steps);
    }
    view view;
    if (member_of(writing->j, node)->role == VIEW && view_of(node, &view))
        return load(writing, node->in[0], view.start, view.steps);
    if (member_of(writing->j, node)->role != SPLIT)
        return writing->results[node->id];
    int parts = node->site.out_count;
    weir_edge whole = node->in[split_value(node)];
    if (is_inside(writing, whole.node) && member_of(writing->j, whole.node)->role == BEFORE_SPLIT)
        return write_part(writing, whole.node, edge.index, parts);
    int64_t columns = last_dim(&node->out_shapes[0]);
    return load(writing, whole, edge.index * columns, (int64_t[]){parts * columns, 1});
}

static const weir_op *op_named(const weir_node *node, const char *name)
{
    return weir_registry_find(node->graph->registry, weir_str_of(name));
}

static void compute(writing *writing, const weir_node *node)
{
    role role = member_of(writing->j, node)->role;
    const weir_shape *shape = &node->out_shapes[0];
    int values[MOST_TERMS] = {0}, count = node->site.in_count;
    for (int i = 0; i < count; i++)
        values[i] = value_of(writing, node->in[i], shape);
    int result = values[0];
    const weir_elementwise *elementwise = &node->site.op->elementwise;
    if (role == SUM)
        for (int i = 1; i < count; i++)
            result = loop(writing, op_named(node, "AddV2"), result, values[i]);
    else if (elementwise->scales)
        result = loop(writing, op_named(node, "Mul"), values[0],
                      loop(writing, node->site.op, values[1], values[count - 1]));
    else
        result = loop(writing, node->site.op, values[0], values[count - 1]);
    writing->results[node->id] = result;
}

static bool is_read_outside(const writing *writing, const weir_node *node, int output)
{
    for (size_t i = 0; i < node->uses.count; i++) {
        const weir_use *use = &node->uses.at[i];
        if (use->input >= 0 && use->output == output && !is_inside(writing, use->node))
            return true;
    }
    return false;
}

static void store(writing *writing, weir_edge edge, int value, int64_t start, int64_t row_step)
{
    bool known = writing->out_count && weir_edge_eq(writing->out[writing->out_count - 1], edge);
    writing->full |= !known && writing->in_count + writing->out_count == MOST_TENSORS;
    if (writing->full)
        return;
    if (!known)
        writing->out[writing->out_count++] = edge;
    /* The number of inputs is known only at the end: until then results count from -1 downwards. */
    write_line(writing, (int64_t[NUMBERS]){STORE, -writing->out_count, value, start, row_step, 1});
}

static void store_results(writing *writing, weir_node *node)
{
    const member *member = member_of(writing->j, node);
    if (member->role == CONCAT) {
        int parts = node->site.in_count - 1;
        for (int i = 0; i < parts; i++)
            store(writing, (weir_edge){node, 0},
                  value_of(writing, node->in[i], weir_edge_shape(node->in[0])), i * member->columns,
                  parts * member->columns);
        return;
    }
    for (int i = 0; member->role != BEFORE_SPLIT && i < node->site.out_count; i++)
        if (is_read_outside(writing, node, i))
            store(writing, (weir_edge){node, i},
                  value_of(writing, (weir_edge){node, i}, &node->out_shapes[0]), 0,
                  member->columns);
}

/* Loads and loops come before stores, which would prevent early reads of later values. */
static void write_cell(writing *writing, weir_node *const *nodes, size_t count)
{
    const member *first = member_of(writing->j, nodes[0]);
    write_line(writing, (int64_t[NUMBERS]){SIZE_LINE, first->columns});
    for (size_t i = 0; i < count; i++) {
        role role = member_of(writing->j, nodes[i])->role;
        if (role == ELEMENTS || role == SUM)
            compute(writing, nodes[i]);
    }
    for (size_t i = 0; i < count; i++)
        store_results(writing, nodes[i]);
    writing->numbers[2] = writing->in_count;
    for (int i = 1; i < writing->lines; i++) {
        int64_t *line = writing->numbers + NUMBERS * i;
        if (line[0] == STORE)
            line[1] = writing->in_count - 1 - line[1];
    }
}

/* ---- the replacement ------------------------------------------------------------------------- */

static weir_status add_cell(const writing *writing, weir_node *const *nodes, weir_node **out_node)
{
    const member *first = member_of(writing->j, nodes[0]);
    int64_t sizes[] = {first->rows, first->columns};
    weir_shape shapes[MOST_TENSORS];
    for (int i = 0; i < writing->out_count; i++)
        shapes[i] = *weir_edge_shape(writing->out[i]);
    weir_attr list = {
        .kind = WEIR_ATTR_SHAPE, .is_list = true, .count = writing->out_count, .shapes = shapes};
    weir_named_attr attrs[] = {weir_a_ints("program", writing->numbers, NUMBERS * writing->lines),
                               weir_a_ints("sizes", sizes, 2), weir_a_attr("shapes", &list),
                               weir_a_int("K", writing->out_count)};
    return weir_pass_add(nodes[0], "", "/cell",
                         &(weir_node_spec){.op = "_Cell",
                                           .in = writing->in,
                                           .in_count = writing->in_count,
                                           .attrs = attrs,
                                           .attr_count = 4},
                         out_node);
}

static weir_status replace(const writing *writing, weir_node *const *nodes, size_t count)
{
    weir_node *made;
    WEIR_TRY(add_cell(writing, nodes, &made));
    for (int i = 0; i < writing->out_count; i++)
        weir_graph_replace(writing->out[i], (weir_edge){made, i});
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < nodes[i]->controls.count; k++)
            if (!is_inside(writing, nodes[i]->controls.at[k]))
                weir_graph_add_control(nodes[i]->controls.at[k], made);
    for (size_t i = 0; i < count; i++)
        weir_pass_move_waiting(nodes[i], made);
    for (size_t i = count; i-- > 0;)
        weir_pass_remove(nodes[i]);
    return WEIR_OK;
}

static weir_status make_cell(const joining *joining, int root, weir_node *const *nodes,
                             size_t count, int *results)
{
    writing *writing = weir_zalloc(sizeof *writing);
    writing->j = joining;
    writing->root = root;
    writing->results = results;
    write_cell(writing, nodes, count);
    weir_status status = WEIR_OK;
    if (!writing->full && writing->in_count && writing->out_count)
        status = replace(writing, nodes, count);
    weir_free(writing);
    return status;
}

/* Creates the cells from their members, in order. */
static weir_status make_cells(const joining *joining)
{
    int *results = WEIR_NEW_ARRAY(int, joining->ids), *sizes = WEIR_NEW_ARRAY(int, joining->ids);
    weir_node **nodes = WEIR_NEW_ARRAY(weir_node *, joining->count + 1);
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < joining->count; i++)
        sizes[root_of(joining, joining->order[i]->id)]++;
    for (size_t i = 0; i < joining->count && !status; i++) {
        int root = root_of(joining, joining->order[i]->id);
        size_t count = 0;
        if (sizes[root] < 2)
            continue;
        for (size_t k = i; k < joining->count && (int)count < sizes[root]; k++)
            if (root_of(joining, joining->order[k]->id) == root)
                nodes[count++] = joining->order[k];
        sizes[root] = 0;
        status = make_cell(joining, root, nodes, count, results);
    }
    weir_free(results);
    weir_free(sizes);
    weir_free(nodes);
    return status;
}

static bool has_control_flow(const weir_graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (!graph->nodes.at[i]->removed && weir_flow_is_control(graph->nodes.at[i]))
            return true;
    return false;
}

weir_status weir_pass_cells(weir_graph *graph, const weir_pass_env *env)
{
    if (!env->options.kernels || has_control_flow(graph))
        return WEIR_OK;
    joining joining = {.env = env, .ids = graph->nodes.count};
    joining.order = weir_graph_order(graph, &joining.count);
    joining.members = WEIR_NEW_ARRAY(member, joining.ids + 1);
    for (size_t i = 0; i < joining.count; i++)
        joining.members[joining.order[i]->id] = look_at(&joining, joining.order[i]);
    for (size_t i = 0; i < joining.count; i++)
        if (member_of(&joining, joining.order[i])->role == SPLIT)
            look_before_split(&joining, joining.order[i]);
    settle_depths(&joining);
    weir_status status = joining.count ? make_cells(&joining) : WEIR_OK;
    weir_free(joining.order);
    weir_free(joining.members);
    return status;
}
