/* grad/build.c - adds nodes for gradient functions. */
#include "grad/grad_impl.h"

static const char *name_node(weir_grad *grad, const char *op)
{
    WEIR_BUF(buf);
    weir_buf_addf(&buf, "%s/%s", grad->prefix, op);
    return weir_graph_unique_name(grad->engine->graph, buf.at);
}

/* A null edge can only follow from an earlier error of the gradient function. */
static bool complete(weir_grad *grad, const weir_edge *in, int in_count)
{
    for (int i = 0; i < in_count; i++)
        if (!in[i].node && !grad->engine->status)
            weir_engine_fail(grad->engine, weir_error(WEIR_INTERNAL, "missing gradient under '%s'",
                                                      grad->prefix));
    return !grad->engine->status;
}

static weir_node *add(weir_grad *grad, const char *op, const weir_edge *in, int in_count,
                      const weir_named_attr *attrs, int attr_count, weir_node *control)
{
    if (grad->engine->status || !complete(grad, in, in_count))
        return NULL;
    weir_node *node = NULL;
    weir_node_spec spec = {
        .name = name_node(grad, op),
        .op = op,
        .in = in,
        .in_count = in_count,
        .attrs = attrs,
        .attr_count = attr_count,
        .controls = &control,
        .control_count = control ? 1 : 0,
        .device = grad->node ? grad->node->requested_device : NULL,
    };
    weir_engine_fail(grad->engine, weir_graph_add(grad->engine->graph, &spec, &node));
    return grad->engine->status ? NULL : node;
}

weir_node *weir_grad_add_node(weir_grad *grad, const char *op, const weir_edge *in, int in_count,
                              const weir_named_attr *attrs, int attr_count, weir_node *control)
{
    /* Without inputs it would be in the root frame: make it depend on the iteration. */
    if (!control && in_count == 0 && grad->scope->loop)
        control = grad->scope->body;
    return add(grad, op, in, in_count, attrs, attr_count, control);
}

weir_node *weir_grad_add_forward(weir_grad *grad, weir_loop *loop, weir_guard *guard,
                                 const char *op, const weir_edge *in, int in_count,
                                 const weir_named_attr *attrs, int attr_count, weir_node *control)
{
    weir_node *node = add(grad, op, in, in_count, attrs, attr_count, control);
    if (node) {
        weir_info *info = weir_engine_info(grad->engine, node);
        info->loop = loop;
        info->guard = guard;
    }
    return node;
}

void weir_grad_set_shape(weir_edge edge, const weir_shape *shape)
{
    if (edge.node)
        edge.node->out_shapes[edge.index] = *shape;
}

weir_node *weir_grad_node_add(weir_grad *grad, const char *op, const weir_edge *in, int in_count,
                              const weir_named_attr *attrs, int attr_count)
{
    return weir_grad_add_node(grad, op, in, in_count, attrs, attr_count, NULL);
}

weir_edge weir_grad_first(weir_grad *grad, const char *op, const weir_edge *in, int in_count,
                          const weir_named_attr *attrs, int attr_count)
{
    return weir_first(weir_grad_node_add(grad, op, in, in_count, attrs, attr_count));
}

weir_named_attr weir_grad_attr(const weir_grad *grad, const char *name)
{
    const weir_attr *attr = weir_node_attr(grad->node, name);
    return (weir_named_attr){name, attr ? *attr : (weir_attr){.kind = WEIR_ATTR_NONE}};
}

void weir_grad_fail(weir_grad *grad, weir_status status)
{
    weir_engine_fail(grad->engine, status);
}

/* ---- inputs and results of a gradient function ----------------------------------------------- */

const weir_node *weir_grad_node(const weir_grad *grad)
{
    return grad->node;
}

weir_edge weir_grad_x(weir_grad *grad, int i)
{
    return weir_history_value(grad, grad->node->in[i]);
}

weir_edge weir_grad_y(weir_grad *grad, int i)
{
    return weir_history_value(grad, (weir_edge){grad->node, i});
}

bool weir_grad_has_dy(weir_grad *grad, int i)
{
    return weir_sum_any(grad->engine, (weir_edge){grad->node, i});
}

weir_edge weir_grad_dy(weir_grad *grad, int i)
{
    weir_edge y = {grad->node, i};
    if (!grad->dy[i].node)
        grad->dy[i] =
            weir_sum_any(grad->engine, y) ? weir_sum_dense(grad, y) : weir_history_zeros(grad, y);
    return grad->dy[i];
}

bool weir_grad_dy_slices(weir_grad *grad, int i, weir_slices *out_slices)
{
    return weir_sum_slices(grad, (weir_edge){grad->node, i}, out_slices);
}

bool weir_grad_wants(weir_grad *grad, int i)
{
    return weir_engine_wants(grad->engine, grad->node->in[i]);
}

void weir_grad_set(weir_grad *grad, int i, weir_edge dx)
{
    if (weir_grad_wants(grad, i))
        weir_sum_add(grad->engine, grad->node->in[i], dx);
}

void weir_grad_set_slices(weir_grad *grad, int i, weir_slices dx)
{
    if (weir_grad_wants(grad, i))
        weir_sum_add_slices(grad->engine, grad->node->in[i], dx);
}

/* ---- constants ------------------------------------------------------------------------------- */

weir_edge weir_grad_const(weir_grad *grad, weir_tensor tensor)
{
    weir_edge edge = weir_grad_op(
        grad, "Const", WEIR_NO_IN,
        WEIR_ATTRS(weir_a_tensor("value", &tensor), weir_a_type("dtype", tensor.dtype)));
    weir_tensor_release(&tensor);
    return edge;
}

weir_edge weir_grad_const_int32(weir_grad *grad, const int32_t *values, int count)
{
    weir_shape shape = weir_shape_vector(count);
    return weir_grad_const(grad, weir_tensor_from(WEIR_INT32, &shape, values));
}

typedef union number {
    float f;
    double d;
    int64_t i64;
    int32_t i32;
    int16_t i16;
    int8_t i8;
    uint16_t bits;
    float complex64[2];
    double complex128[2];
} number;

/* Integers are little-endian two's complement: the low bytes of an int64 serve every width. */
static number number_of(weir_dtype dtype, double value)
{
    switch (dtype) {
    case WEIR_FLOAT:
        return (number){.f = (float)value};
    case WEIR_DOUBLE:
        return (number){.d = value};
    case WEIR_HALF:
        return (number){.bits = weir_f32_f16((float)value)};
    case WEIR_BFLOAT16:
        return (number){.bits = weir_f32_bf16((float)value)};
    case WEIR_COMPLEX64:
        return (number){.complex64 = {(float)value}};
    case WEIR_COMPLEX128:
        return (number){.complex128 = {value}};
    default:
        return (number){.i64 = (int64_t)value};
    }
}

weir_edge weir_grad_scalar(weir_grad *grad, weir_dtype dtype, double value)
{
    number number = number_of(dtype, value);
    return weir_grad_const(grad, weir_tensor_scalar(dtype, &number));
}

weir_edge weir_grad_scalar_like(weir_grad *grad, weir_edge like, double value)
{
    if (grad->engine->status || !like.node)
        return (weir_edge){0};
    return weir_grad_scalar(grad, weir_edge_dtype(like), value);
}

static weir_edge shape_const(weir_grad *grad, const weir_shape *shape)
{
    int32_t dims[WEIR_MAX_RANK];
    for (int i = 0; i < shape->rank; i++)
        dims[i] = (int32_t)shape->dims[i];
    return weir_grad_const_int32(grad, dims, shape->rank);
}

weir_edge weir_grad_shape_of(weir_grad *grad, weir_edge edge)
{
    if (grad->engine->status || !edge.node)
        return (weir_edge){0};
    if (weir_shape_known(weir_edge_shape(edge)))
        return shape_const(grad, weir_edge_shape(edge));
    /* The shape of a saved value is saved separately, so that the value need not be. */
    weir_edge saved = weir_engine_info(grad->engine, edge.node)->saved;
    if (saved.node)
        return weir_history_shape(grad, saved);
    return weir_grad_op(grad, "Shape", WEIR_IN(edge), WEIR_NO_ATTRS);
}

weir_edge weir_grad_shape_of_x(weir_grad *grad, int i)
{
    return weir_history_shape(grad, grad->node->in[i]);
}

/* ---- small compositions ---------------------------------------------------------------------- */

weir_edge weir_grad_neg(weir_grad *grad, weir_edge a)
{
    return weir_grad_op(grad, "Neg", WEIR_IN(a), WEIR_NO_ATTRS);
}
weir_edge weir_grad_add(weir_grad *grad, weir_edge a, weir_edge b)
{
    return weir_grad_op(grad, "AddV2", WEIR_IN(a, b), WEIR_NO_ATTRS);
}
weir_edge weir_grad_sub(weir_grad *grad, weir_edge a, weir_edge b)
{
    return weir_grad_op(grad, "Sub", WEIR_IN(a, b), WEIR_NO_ATTRS);
}
weir_edge weir_grad_mul(weir_grad *grad, weir_edge a, weir_edge b)
{
    return weir_grad_op(grad, "Mul", WEIR_IN(a, b), WEIR_NO_ATTRS);
}
weir_edge weir_grad_div(weir_grad *grad, weir_edge a, weir_edge b)
{
    return weir_grad_op(grad, "RealDiv", WEIR_IN(a, b), WEIR_NO_ATTRS);
}
weir_edge weir_grad_conj(weir_grad *grad, weir_edge a)
{
    if (grad->engine->status || !a.node || !weir_dtype_is_complex(weir_edge_dtype(a)))
        return a;
    return weir_grad_op(grad, "Conj", WEIR_IN(a), WEIR_NO_ATTRS);
}
