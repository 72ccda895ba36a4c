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
    if (from_shape(node, out))
        return true;
    return pure(node) && evaluate(node, edge.index, depth, out);
}

bool weir_graph_constant(weir_edge edge, weir_tensor *out_value)
{
    *out_value = (weir_tensor){0};
    return constant_at(edge, 0, out_value);
}

/* ---- partly known vectors -------------------------------------------------------------------- */

/* An element of an int vector or a scalar; -1 if unknown. */
static int64_t scalar_value(weir_edge edge)
{
    weir_tensor tensor;
    if (weir_graph_constant(edge, &tensor)) {
        int64_t value = -1, n;
        weir_status status = weir_tensor_get_ints(&tensor, &value, 1, &n);
        weir_status_free(status);
        weir_tensor_release(&tensor);
        return value;
    }
    const weir_node *node = edge.node;
    weir_shape shape;
    /* x.shape[k] */
    if (weir_node_is(node, "StridedSlice") && weir_graph_value_shape(node->in[0], &shape)) {
        int64_t at = scalar_value(node->in[1]);
        const weir_attr *mask = weir_node_attr(node, "shrink_axis_mask");
        if (mask && mask->i == 1 && at >= 0 && at < shape.rank)
            return shape.dims[at];
    }
    return -1;
}

static bool packed_shape(const weir_node *node, weir_shape *out)
{
    *out = WEIR_SCALAR;
    if (node->site.in_count > WEIR_MAX_RANK)
        return false;
    for (int i = 0; i < node->site.in_count; i++) {
        if (weir_edge_shape(node->in[i])->rank != 0)
            return false;
        weir_shape_append(out, scalar_value(node->in[i]));
    }
    return true;
}

static bool joined_shape(const weir_node *node, weir_shape *out)
{
    *out = WEIR_SCALAR;
    for (int i = 0; i + 1 < node->site.in_count; i++) {
        weir_shape part;
        if (!weir_graph_value_shape(node->in[i], &part) || out->rank + part.rank > WEIR_MAX_RANK)
            return false;
        for (int axis = 0; axis < part.rank; axis++)
            weir_shape_append(out, part.dims[axis]);
    }
    return true;
}

bool weir_graph_value_shape(weir_edge edge, weir_shape *out_shape)
{
    const weir_node *node = edge.node;
    if (weir_node_is(node, "Shape") || weir_node_is(node, "ShapeN")) {
        *out_shape = *weir_edge_shape(node->in[edge.index]);
        return out_shape->rank >= 0;
    }
    if (weir_node_is(node, "Pack"))
        return packed_shape(node, out_shape);
    if (weir_node_is(node, "ConcatV2"))
        return joined_shape(node, out_shape);
    if (weir_node_is(node, "Identity") || weir_node_is(node, "Cast"))
        return weir_graph_value_shape(node->in[0], out_shape);
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

/* Repeats shape inference of |node|; on a conflict its output shapes become unknown. True: users
 * must be inferred again. If nothing changes, shapes set by a client are kept. */
static bool shapes_change(weir_node *node, weir_status *out_status)
{
    int count = node->site.out_count;
    WEIR_FREED weir_shape *old = WEIR_NEW_ARRAY(weir_shape, count);
    for (int i = 0; i < count; i++)
        old[i] = node->out_shapes[i];
    *out_status = weir_node_infer(node);
    if (*out_status)
        forget_shapes(node);
    for (int i = 0; i < count; i++)
        if (!weir_shape_eq(&old[i], &node->out_shapes[i]))
            return true;
    return may_be_a_size(node);
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

weir_status weir_graph_infer_from(weir_node *first)
{
    enum { ROUNDS = 3, FORGETTING = 2 }; /* over loops, whose back edges lead against the order */
    weir_status status, later;
    if (!shapes_change(first, &status))
        return status;
    size_t count;
    WEIR_FREED bool *marked = WEIR_NEW_ARRAY(bool, first->graph->nodes.count);
    WEIR_FREED weir_node **order = weir_graph_order(first->graph, &count);
    mark_readers(first, marked);
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
    return status;
}
