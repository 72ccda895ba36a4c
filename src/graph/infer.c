/* graph/infer.c - shapes while a graph is built, and values that can be known already. */
#include <alloca.h>

#include "graph/flow.h"
#include "graph/graph_impl.h"

/* ---- constants ------------------------------------------------------------------------------ */

enum { DEEPEST = 12, LARGEST = 1 << 16 /* elements */ };

/* Shape, Size and Rank of an input whose shape is known. */
static bool from_shape(const weir_node *n, weir_tensor *out)
{
    bool shape = weir_node_is(n, "Shape"), size = weir_node_is(n, "Size");
    bool rank = weir_node_is(n, "Rank");
    if (!shape && !size && !rank)
        return false;
    const weir_shape *s = weir_edge_shape(n->in[0]);
    if (s->rank < 0 || (!rank && !weir_shape_known(s)))
        return false;
    int64_t values[WEIR_MAX_RANK] = {rank ? s->rank : size ? weir_shape_count(s) : 0};
    if (shape)
        memcpy(values, s->dims, sizeof values);
    weir_shape out_shape = shape ? weir_shape_vector(s->rank) : WEIR_SCALAR;
    weir_tensor t;
    weir_status failed = weir_tensor_alloc((weir_dtype)n->site.out_types[0], &out_shape, &t);
    if (failed) {
        weir_status_free(failed);
        return false;
    }
    for (int64_t i = 0; i < weir_tensor_count(&t); i++) {
        if (t.dtype == WEIR_INT32)
            ((int32_t *)t.data)[i] = (int32_t)values[i];
        else
            ((int64_t *)t.data)[i] = values[i];
    }
    *out = t;
    return true;
}

static bool pure(const weir_node *n)
{
    if (!n->site.op || n->site.def->flags & (WEIR_STATEFUL | WEIR_NO_FOLD) ||
        weir_flow_is_control(n))
        return false;
    for (int i = 0; i < n->site.in_count; i++)
        if (weir_dtype_is_ref(n->site.in_types[i]))
            return false;
    for (int o = 0; o < n->site.out_count; o++)
        if (weir_shape_count(&n->out_shapes[o]) > LARGEST)
            return false;
    return true;
}

static bool constant_at(weir_edge e, int depth, weir_tensor *out);

static bool evaluate(const weir_node *n, int output, int depth, weir_tensor *out)
{
    const weir_kernel *kernel;
    weir_status s = weir_op_kernel(&n->site, WEIR_CPU, &kernel);
    if (s || kernel->flags & WEIR_ASYNC || n->site.in_count == 0 || n->site.in_count > 64 ||
        n->site.out_count > 64) {
        weir_status_free(s);
        return false;
    }
    weir_value in[64] = {0}, values[64] = {0};
    int have = 0;
    while (have < n->site.in_count && constant_at(n->in[have], depth + 1, &in[have].tensor))
        have++;
    bool ok = have == n->site.in_count;
    if (ok) {
        s = weir_op_compute(&n->site, kernel, in, values);
        ok = !s;
        weir_status_free(s);
    }
    for (int i = 0; i < have; i++)
        weir_tensor_release(&in[i].tensor);
    for (int o = 0; ok && o < n->site.out_count; o++) {
        if (o == output)
            *out = values[o].tensor;
        else
            weir_tensor_release(&values[o].tensor);
    }
    return ok && out->buffer;
}

static bool constant_at(weir_edge e, int depth, weir_tensor *out)
{
    const weir_node *n = e.node;
    if (depth > DEEPEST)
        return false;
    if (weir_node_flow(n) == WEIR_FLOW_CONST) {
        const weir_attr *value = weir_node_attr(n, "value");
        *out = weir_tensor_share(value->tensor);
        return true;
    }
    if (from_shape(n, out))
        return true;
    return pure(n) && evaluate(n, e.index, depth, out);
}

bool weir_graph_constant(weir_edge e, weir_tensor *out_value)
{
    *out_value = (weir_tensor){0};
    return constant_at(e, 0, out_value);
}

/* ---- partly known vectors ---------------------------------------------------------------------
 */

/* An element of an int vector or a scalar; -1 when not known. */
static int64_t scalar_value(weir_edge e)
{
    weir_tensor t;
    if (weir_graph_constant(e, &t)) {
        int64_t v = -1, n;
        weir_status s = weir_tensor_get_ints(&t, &v, 1, &n);
        weir_status_free(s);
        weir_tensor_release(&t);
        return v;
    }
    const weir_node *n = e.node;
    weir_shape shape;
    /* x.shape[k] */
    if (weir_node_is(n, "StridedSlice") && weir_graph_value_shape(n->in[0], &shape)) {
        int64_t at = scalar_value(n->in[1]);
        const weir_attr *mask = weir_node_attr(n, "shrink_axis_mask");
        if (mask && mask->i == 1 && at >= 0 && at < shape.rank)
            return shape.dims[at];
    }
    return -1;
}

static bool packed_shape(const weir_node *n, weir_shape *out)
{
    *out = WEIR_SCALAR;
    if (n->site.in_count > WEIR_MAX_RANK)
        return false;
    for (int i = 0; i < n->site.in_count; i++) {
        if (weir_edge_shape(n->in[i])->rank != 0)
            return false;
        weir_shape_append(out, scalar_value(n->in[i]));
    }
    return true;
}

static bool joined_shape(const weir_node *n, weir_shape *out)
{
    *out = WEIR_SCALAR;
    for (int i = 0; i + 1 < n->site.in_count; i++) {
        weir_shape part;
        if (!weir_graph_value_shape(n->in[i], &part) || out->rank + part.rank > WEIR_MAX_RANK)
            return false;
        for (int d = 0; d < part.rank; d++)
            weir_shape_append(out, part.dims[d]);
    }
    return true;
}

bool weir_graph_value_shape(weir_edge e, weir_shape *out_shape)
{
    const weir_node *n = e.node;
    if (weir_node_is(n, "Shape") || weir_node_is(n, "ShapeN")) {
        *out_shape = *weir_edge_shape(n->in[e.index]);
        return out_shape->rank >= 0;
    }
    if (weir_node_is(n, "Pack"))
        return packed_shape(n, out_shape);
    if (weir_node_is(n, "ConcatV2"))
        return joined_shape(n, out_shape);
    if (weir_node_is(n, "Identity") || weir_node_is(n, "Cast"))
        return weir_graph_value_shape(n->in[0], out_shape);
    weir_tensor t;
    if (!weir_graph_constant(e, &t))
        return false;
    int64_t count = 0;
    weir_status s = weir_tensor_get_ints(&t, out_shape->dims, WEIR_MAX_RANK, &count);
    out_shape->rank = (int32_t)count;
    bool ok = !s && t.shape.rank == 1;
    for (int64_t i = 0; ok && i < count; i++)
        ok = out_shape->dims[i] >= -1;
    weir_status_free(s);
    weir_tensor_release(&t);
    return ok;
}

/* ---- a node --------------------------------------------------------------------------------- */

typedef struct looking {
    const weir_node *n;
    weir_tensor *found; /* one per input; empty until asked for */
} looking;

static const weir_tensor *value_of(weir_infer *i, int in)
{
    looking *l = i->value_arg;
    if (!l->found[in].buffer && !weir_graph_constant(l->n->in[in], &l->found[in]))
        return NULL;
    return &l->found[in];
}

static bool value_shape_of(weir_infer *i, int in, weir_shape *out_shape)
{
    looking *l = i->value_arg;
    return weir_graph_value_shape(l->n->in[in], out_shape);
}

weir_status weir_node_describe(const weir_node *n, weir_status s)
{
    WEIR_BUF(b);
    weir_buf_addf(&b, " for '{{node %s}} = %s[", n->site.name, n->site.def->name);
    for (int i = 0; i < n->site.def->attr_count; i++) {
        weir_buf_addf(&b, "%s%s=", i ? ", " : "", n->site.def->attrs[i].name);
        weir_attr_text(&n->site.attrs[i], &b);
    }
    weir_buf_adds(&b, "](");
    for (int i = 0; i < n->site.in_count; i++) {
        weir_buf_addf(&b, "%s%s", i ? ", " : "", n->in[i].node->site.name);
        if (n->in[i].index)
            weir_buf_addf(&b, ":%d", n->in[i].index);
    }
    weir_buf_adds(&b, ")'");
    for (int i = 0; i < n->site.in_count; i++)
        weir_buf_addf(&b, "%s%s",
                      i ? ", " : " with input shapes: ", WEIR_SHAPE_STR(weir_edge_shape(n->in[i])));
    weir_buf_addc(&b, '.');
    s = weir_status_note(s, "%s", b.at);
    return s;
}

weir_status weir_node_infer(weir_node *n)
{
    if (!n->site.op || !n->site.op->infer)
        return WEIR_OK;
    int ins = n->site.in_count, outs = n->site.out_count;
    const weir_shape **in = WEIR_NEW_ARRAY(const weir_shape *, ins);
    const weir_handle_info **handles = WEIR_NEW_ARRAY(const weir_handle_info *, ins);
    looking l = {n, WEIR_NEW_ARRAY(weir_tensor, ins)};
    for (int i = 0; i < ins; i++) {
        in[i] = weir_edge_shape(n->in[i]);
        const weir_handle_info *h = n->in[i].node->out_handles;
        handles[i] = h ? &h[n->in[i].index] : NULL;
    }
    for (int o = 0; o < outs; o++)
        n->out_shapes[o].rank = -1;
    weir_handle_info none[1];
    weir_infer infer = {.site = &n->site,
                        .in_count = ins,
                        .out_count = outs,
                        .in = in,
                        .out = n->out_shapes,
                        .in_handles = handles,
                        .out_handles = n->out_handles ? n->out_handles : (outs == 0 ? none : NULL),
                        .value = value_of,
                        .value_shape = value_shape_of,
                        .value_arg = &l};
    weir_status s = n->site.op->infer(&infer);
    if (s)
        s = weir_node_describe(n, s);
    for (int i = 0; i < ins; i++)
        weir_tensor_release(&l.found[i]);
    weir_free(l.found);
    weir_free(handles);
    weir_free(in);
    return s;
}
