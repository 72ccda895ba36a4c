/* graph/infer.c - shape inference while a graph is built, and constant folding for it. */
#include <alloca.h>

#include "graph/flow.h"
#include "graph/graph_impl.h"

/* ---- constants ------------------------------------------------------------------------------- */

enum { DEEPEST = 12, LARGEST = 1 << 16 /* elements */ };

/* Shape, Size and Rank of an input whose shape is known. */
static bool from_shape(const weir_node *node, weir_tensor *out)
{
    bool shape = weir_node_is(node, "Shape"), size = weir_node_is(node, "Size");
    bool rank = weir_node_is(node, "Rank");
    if (!shape && !size && !rank)
        return false;
    const weir_shape *s = weir_edge_shape(node->in[0]);
    if (s->rank < 0 || (!rank && !weir_shape_known(s)))
        return false;
    int64_t values[WEIR_MAX_RANK] = {rank ? s->rank : size ? weir_shape_count(s) : 0};
    if (shape)
        memcpy(values, s->dims, sizeof values);
    weir_shape out_shape = shape ? weir_shape_vector(s->rank) : WEIR_SCALAR;
    weir_tensor tensor;
    weir_status failed =
        weir_tensor_alloc((weir_dtype)node->site.out_types[0], &out_shape, &tensor);
    if (failed) {
        weir_status_free(failed);
        return false;
    }
    for (int64_t i = 0; i < weir_tensor_count(&tensor); i++) {
        if (tensor.dtype == WEIR_INT32)
            ((int32_t *)tensor.data)[i] = (int32_t)values[i];
        else
            ((int64_t *)tensor.data)[i] = values[i];
    }
    *out = tensor;
    return true;
}

static bool pure(const weir_node *node)
{
    if (!node->site.op || node->site.def->flags & (WEIR_STATEFUL | WEIR_NO_FOLD) ||
        weir_flow_is_control(node))
        return false;
    for (int i = 0; i < node->site.in_count; i++)
        if (weir_dtype_is_ref(node->site.in_types[i]))
            return false;
    for (int output = 0; output < node->site.out_count; output++)
        if (weir_shape_count(&node->out_shapes[output]) > LARGEST)
            return false;
    return true;
}

static bool constant_at(weir_edge edge, int depth, weir_tensor *out);
static bool from_element(weir_edge edge, int depth, weir_tensor *out);

static bool evaluate(const weir_node *node, int output, int depth, weir_tensor *out)
{
    const weir_kernel *kernel;
    weir_status status = weir_op_kernel(&node->site, WEIR_CPU, &kernel);
    if (status || kernel->flags & WEIR_ASYNC || node->site.in_count == 0 ||
        node->site.in_count > 64 || node->site.out_count > 64) {
        weir_status_free(status);
        return false;
    }
    weir_value in[64] = {0}, values[64] = {0};
    int have = 0;
    while (have < node->site.in_count && constant_at(node->in[have], depth + 1, &in[have].tensor))
        have++;
    bool ok = have == node->site.in_count;
    if (ok) {
        status = weir_op_compute(&node->site, kernel, in, values);
        ok = !status;
        weir_status_free(status);
    }
    for (int i = 0; i < have; i++)
        weir_tensor_release(&in[i].tensor);
    for (int o = 0; ok && o < node->site.out_count; o++) {
        if (o == output)
            *out = values[o].tensor;
        else
            weir_tensor_release(&values[o].tensor);
    }
    return ok && out->buffer;
}

static bool constant_at(weir_edge edge, int depth, weir_tensor *out)
{
    const weir_node *node = edge.node;
    if (depth > DEEPEST)
        return false;
    if (weir_node_flow(node) == WEIR_FLOW_CONST) {
        const weir_attr *value = weir_node_attr(node, "value");
        *out = weir_tensor_share(value->tensor);
        return true;
    }
    if (from_shape(node, out) || from_element(edge, depth + 1, out))
        return true;
    return pure(node) && evaluate(node, edge.index, depth, out);
}

bool weir_graph_constant(weir_edge edge, weir_tensor *out_value)
{
    *out_value = (weir_tensor){0};
    return constant_at(edge, 0, out_value);
}

/* ---- partly known vectors -------------------------------------------------------------------- */

static int64_t element_at(weir_edge edge, int64_t index, int depth);

/* The elements of an int vector of up to |room|, or the scalar; -1 when they are not known. */
static int64_t ints_at(weir_edge edge, int depth, int64_t *out, int64_t room)
{
    weir_tensor tensor;
    int64_t count = -1;
    if (!constant_at(edge, depth, &tensor))
        return -1;
    weir_status failed = weir_tensor_get_ints(&tensor, out, room, &count);
    weir_status_free(failed);
    weir_tensor_release(&tensor);
    return failed ? -1 : count;
}

static int64_t scalar_at(weir_edge edge, int depth)
{
    int64_t value;
    return ints_at(edge, depth, &value, 1) == 1 ? value : -1;
}

static int64_t mask_of(const weir_node *node, const char *name)
{
    const weir_attr *mask = weir_node_attr(node, name);
    return mask ? mask->i : 0;
}

static int64_t length_of(weir_edge edge)
{
    const weir_shape *shape = weir_edge_shape(edge);
    return shape->rank == 1 ? shape->dims[0] : -1;
}

/* Which element of x the first one of x[begin:end:stride] is, and the step to the next; false
 * unless x is a vector and all of them are known. */
static bool slice_of(const weir_node *node, int depth, int64_t *out_first, int64_t *out_step)
{
    int64_t length = length_of(node->in[0]), begin;
    if (length < 0 || mask_of(node, "ellipsis_mask") || mask_of(node, "new_axis_mask") ||
        ints_at(node->in[3], depth, out_step, 1) != 1 || *out_step <= 0 ||
        ints_at(node->in[1], depth, &begin, 1) != 1)
        return false;
    if (mask_of(node, "begin_mask") & 1)
        begin = 0;
    else if (begin < 0)
        begin += length;
    *out_first = begin < 0 ? 0 : begin;
    return true;
}

/* Element |*out_index| of a vector is what x.shape[k], or an output of Unpack, gives. */
static bool element_of(weir_edge edge, int depth, int64_t *out_index)
{
    int64_t step;
    if (weir_node_is(edge.node, "StridedSlice"))
        return mask_of(edge.node, "shrink_axis_mask") == 1 &&
               slice_of(edge.node, depth, out_index, &step);
    *out_index = edge.index;
    return weir_node_is(edge.node, "Unpack") && length_of(edge.node->in[0]) >= 0;
}

/* An element of a vector that is known, though others may not be. */
static bool from_element(weir_edge edge, int depth, weir_tensor *out)
{
    int64_t index;
    if (!element_of(edge, depth, &index))
        return false;
    int64_t value = element_at(edge.node->in[0], index, depth);
    weir_dtype dtype = (weir_dtype)edge.node->site.out_types[edge.index];
    if (value < 0 || (dtype != WEIR_INT32 && dtype != WEIR_INT64))
        return false;
    weir_status failed = weir_tensor_alloc(dtype, &WEIR_SCALAR, out);
    if (!failed && dtype == WEIR_INT32)
        *(int32_t *)out->data = (int32_t)value;
    else if (!failed)
        *(int64_t *)out->data = value;
    weir_status_free(failed);
    return !failed;
}

static int64_t joined_element(const weir_node *node, int64_t index, int depth)
{
    for (int i = 0; i + 1 < node->site.in_count; i++) {
        int64_t length = length_of(node->in[i]);
        if (length < 0)
            return -1;
        if (index < length)
            return element_at(node->in[i], index, depth);
        index -= length;
    }
    return -1;
}

static int64_t constant_element(weir_edge edge, int64_t index, int depth)
{
    int64_t values[WEIR_MAX_RANK];
    return index < ints_at(edge, depth, values, WEIR_MAX_RANK) ? values[index] : -1;
}

/* One element of an int vector, by way of the nodes that it comes from alone; -1 when not known. */
static int64_t element_at(weir_edge edge, int64_t index, int depth)
{
    const weir_node *node = edge.node;
    if (++depth > DEEPEST)
        return -1;
    if (weir_node_is(node, "Shape") || weir_node_is(node, "ShapeN")) {
        const weir_shape *shape = weir_edge_shape(node->in[edge.index]);
        return index < shape->rank ? shape->dims[index] : -1;
    }
    if (weir_node_is(node, "Pack"))
        return index < node->site.in_count ? scalar_at(node->in[index], depth) : -1;
    if (weir_node_is(node, "ConcatV2"))
        return joined_element(node, index, depth);
    if (weir_node_is(node, "Identity") || weir_node_is(node, "Cast"))
        return element_at(node->in[0], index, depth);
    int64_t first, step;
    if (weir_node_is(node, "StridedSlice") && !mask_of(node, "shrink_axis_mask") &&
        slice_of(node, depth, &first, &step))
        return element_at(node->in[0], first + index * step, depth);
    return constant_element(edge, index, depth);
}

static bool made_of_parts(const weir_node *node)
{
    static const char *const names[] = {"Pack", "ConcatV2", "StridedSlice", "Identity", "Cast"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (weir_node_is(node, names[i]))
            return true;
    return false;
}

/* How many dims a shape that is assembled from parts has: a Pack of scalars has one per input. */
static int64_t dims_of(weir_edge edge)
{
    const weir_node *node = edge.node;
    if (!weir_node_is(node, "Pack"))
        return length_of(edge);
    for (int i = 0; i < node->site.in_count; i++)
        if (weir_edge_shape(node->in[i])->rank > 0)
            return -1;
    return node->site.in_count;
}

bool weir_graph_value_shape(weir_edge edge, weir_shape *out_shape)
{
    const weir_node *node = edge.node;
    if (weir_node_is(node, "Shape") || weir_node_is(node, "ShapeN")) {
        *out_shape = *weir_edge_shape(node->in[edge.index]);
        return out_shape->rank >= 0;
    }
    if (made_of_parts(node)) {
        int64_t count = dims_of(edge);
        if (count < 0 || count > WEIR_MAX_RANK)
            return false;
        *out_shape = WEIR_SCALAR;
        for (int64_t i = 0; i < count; i++)
            weir_shape_append(out_shape, element_at(edge, i, 0));
        return true;
    }
    weir_tensor tensor;
    if (!weir_graph_constant(edge, &tensor))
        return false;
    int64_t count = 0;
    weir_status status = weir_tensor_get_ints(&tensor, out_shape->dims, WEIR_MAX_RANK, &count);
    out_shape->rank = (int32_t)count;
    bool ok = !status && tensor.shape.rank == 1;
    for (int64_t i = 0; ok && i < count; i++)
        ok = out_shape->dims[i] >= -1;
    weir_status_free(status);
    weir_tensor_release(&tensor);
    return ok;
}

/* ---- a node ---------------------------------------------------------------------------------- */

typedef struct looking {
    const weir_node *n;
    weir_tensor *found; /* one per input; empty until needed */
} looking;

static const weir_tensor *value_of(weir_infer *infer, int in)
{
    looking *looking = infer->value_arg;
    if (!looking->found[in].buffer && !weir_graph_constant(looking->n->in[in], &looking->found[in]))
        return NULL;
    return &looking->found[in];
}

static bool value_shape_of(weir_infer *infer, int in, weir_shape *out_shape)
{
    looking *looking = infer->value_arg;
    return weir_graph_value_shape(looking->n->in[in], out_shape);
}

weir_status weir_node_describe(const weir_node *node, weir_status status)
{
    WEIR_BUF(buf);
    weir_buf_addf(&buf, " for '{{node %s}} = %s[", node->site.name, node->site.def->name);
    for (int i = 0; i < node->site.def->attr_count; i++) {
        weir_buf_addf(&buf, "%s%s=", i ? ", " : "", node->site.def->attrs[i].name);
        weir_attr_text(&node->site.attrs[i], &buf);
    }
    weir_buf_adds(&buf, "](");
    for (int i = 0; i < node->site.in_count; i++) {
        weir_buf_addf(&buf, "%s%s", i ? ", " : "", node->in[i].node->site.name);
        if (node->in[i].index)
            weir_buf_addf(&buf, ":%d", node->in[i].index);
    }
    weir_buf_adds(&buf, ")'");
    for (int i = 0; i < node->site.in_count; i++)
        weir_buf_addf(&buf, "%s%s", i ? ", " : " with input shapes: ",
                      WEIR_SHAPE_STR(weir_edge_shape(node->in[i])));
    weir_buf_addc(&buf, '.');
    status = weir_status_note(status, "%s", buf.at);
    return status;
}

weir_status weir_node_infer(weir_node *node)
{
    if (!node->site.op || !node->site.op->infer || node->open)
        return WEIR_OK;
    int ins = node->site.in_count, outs = node->site.out_count;
    const weir_shape **in = WEIR_NEW_ARRAY(const weir_shape *, ins);
    const weir_handle_info **handles = WEIR_NEW_ARRAY(const weir_handle_info *, ins);
    looking looking = {node, WEIR_NEW_ARRAY(weir_tensor, ins)};
    for (int i = 0; i < ins; i++) {
        in[i] = weir_edge_shape(node->in[i]);
        const weir_handle_info *infos = node->in[i].node->out_handles;
        handles[i] = infos ? &infos[node->in[i].index] : NULL;
    }
    for (int o = 0; o < outs; o++)
        node->out_shapes[o].rank = -1;
    weir_handle_info none[1];
    weir_infer infer = {.site = &node->site,
                        .in_count = ins,
                        .out_count = outs,
                        .in = in,
                        .out = node->out_shapes,
                        .in_handles = handles,
                        .out_handles =
                            node->out_handles ? node->out_handles : (outs == 0 ? none : NULL),
                        .value = value_of,
                        .value_shape = value_shape_of,
                        .value_arg = &looking};
    weir_status status = node->site.op->infer(&infer);
    if (status)
        status = weir_node_describe(node, status);
    for (int i = 0; i < ins; i++)
        weir_tensor_release(&looking.found[i]);
    weir_free(looking.found);
    weir_free(handles);
    weir_free(in);
    return status;
}

static void forget_shapes(weir_node *node)
{
    for (int i = 0; i < node->site.out_count; i++)
        node->out_shapes[i] = WEIR_UNKNOWN_SHAPE;
}

/* A value that later shape inference may depend on. Loop variables never count. */
static bool may_be_a_size(const weir_node *node)
{
    for (int i = 0; i < node->site.out_count; i++)
        if (node->site.out_types[i] == WEIR_INT32 || node->site.out_types[i] == WEIR_INT64)
            return weir_node_flow(node) != WEIR_FLOW_MERGE;
    return false;
}

static bool same_info(const weir_handle_info *a, const weir_handle_info *b)
{
    return a->dtype == b->dtype && weir_shape_eq(&a->shape, &b->shape);
}

/* Repeats shape inference of |node|; on a conflict its output shapes become unknown. True: users
 * must be inferred again. If nothing changes, shapes set by a client are kept. */
static bool shapes_change(weir_node *node, weir_status *out_status)
{
    int count = node->site.out_count;
    WEIR_FREED weir_shape *old = WEIR_NEW_ARRAY(weir_shape, count);
    WEIR_FREED weir_handle_info *infos = WEIR_NEW_ARRAY(weir_handle_info, count);
    for (int i = 0; i < count; i++) {
        old[i] = node->out_shapes[i];
        infos[i] = node->out_handles ? node->out_handles[i] : (weir_handle_info){0};
    }
    *out_status = weir_node_infer(node);
    if (*out_status)
        forget_shapes(node);
    for (int i = 0; i < count; i++)
        if (!weir_shape_eq(&old[i], &node->out_shapes[i]) ||
            (node->out_handles && !same_info(&infos[i], &node->out_handles[i])))
            return true;
    return may_be_a_size(node);
}

bool weir_graph_relax_handle(weir_node *merge, int input)
{
    const weir_node *from = merge->in[input].node;
    weir_handle_info *info = merge->out_handles;
    if (!info || !info->dtype ||
        (from->out_handles && same_info(info, &from->out_handles[merge->in[input].index])))
        return false;
    *info = (weir_handle_info){0};
    return true;
}

/* Marks the data users of |node|, by id. */
static void mark_readers(const weir_node *node, bool *marked)
{
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.at[i].input >= 0)
            marked[node->uses.at[i].node->id] = true;
}

/* Sets the output shapes of marked nodes and their descendants to unknown. */
static void forget_marked(weir_node **order, size_t count, bool *marked)
{
    for (size_t i = 0; i < count; i++) {
        if (!marked[order[i]->id])
            continue;
        forget_shapes(order[i]);
        mark_readers(order[i], marked);
    }
}

void weir_graph_infer_readers(weir_node *const *nodes, size_t node_count)
{
    enum { ROUNDS = 3, FORGETTING = 2 }; /* over loops, whose back edges lead against the order */
    weir_status later;
    size_t count;
    if (!node_count)
        return;
    WEIR_FREED bool *marked = WEIR_NEW_ARRAY(bool, nodes[0]->graph->nodes.count);
    WEIR_FREED weir_node **order = weir_graph_order(nodes[0]->graph, &count);
    for (size_t i = 0; i < node_count; i++)
        mark_readers(nodes[i], marked);
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < count; i++) {
            if (!marked[order[i]->id])
                continue;
            marked[order[i]->id] = false;
            if (shapes_change(order[i], &later))
                mark_readers(order[i], marked);
            weir_status_free(later);
        }
    for (int round = 0; round < FORGETTING; round++)
        forget_marked(order, count, marked);
}

void weir_graph_relax_handles(weir_node *const *merges, int count)
{
    WEIR_FREED weir_node **changed = WEIR_NEW_ARRAY(weir_node *, count);
    size_t changes;
    do {
        changes = 0;
        for (int i = 0; i < count; i++)
            if (merges[i] && weir_graph_relax_handle(merges[i], 1))
                changed[changes++] = merges[i];
        weir_graph_infer_readers(changed, changes);
    } while (changes);
}

weir_status weir_graph_infer_from(weir_node *first)
{
    weir_status status;
    if (shapes_change(first, &status))
        weir_graph_infer_readers(&first, 1);
    return status;
}
