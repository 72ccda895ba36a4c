/* grad/build.c - how gradient functions add nodes. */
#include "grad/grad_impl.h"

static const char *name_node(weir_grad *g, const char *op)
{
    weir_buf b = {0};
    weir_buf_addf(&b, "%s/%s", g->prefix, op);
    const char *name = weir_graph_unique_name(g->engine->graph, b.at);
    weir_buf_fini(&b);
    return name;
}

/* A null edge can only follow an error in a gradient function's earlier step. */
static bool complete(weir_grad *g, const weir_edge *in, int in_count)
{
    for (int i = 0; i < in_count; i++)
        if (!in[i].node && !g->engine->status)
            weir_engine_fail(g->engine,
                             weir_error(WEIR_INTERNAL, "missing gradient under '%s'", g->prefix));
    return !g->engine->status;
}

static weir_node *add(weir_grad *g, const char *op, const weir_edge *in, int in_count,
                      const weir_named_attr *attrs, int attr_count, weir_node *control)
{
    if (g->engine->status || !complete(g, in, in_count))
        return NULL;
    weir_node *n = NULL;
    weir_node_spec spec = {
        .name = name_node(g, op),
        .op = op,
        .in = in,
        .in_count = in_count,
        .attrs = attrs,
        .attr_count = attr_count,
        .controls = &control,
        .control_count = control ? 1 : 0,
        .device = g->node ? g->node->requested_device : NULL,
    };
    weir_engine_fail(g->engine, weir_graph_add(g->engine->graph, &spec, &n));
    return g->engine->status ? NULL : n;
}

weir_node *weir_grad_add_node(weir_grad *g, const char *op, const weir_edge *in, int in_count,
                              const weir_named_attr *attrs, int attr_count, weir_node *control)
{
    /* A node without inputs would stand in the root frame: its loop's turn has to start it. */
    if (!control && in_count == 0 && g->scope->loop)
        control = g->scope->body;
    return add(g, op, in, in_count, attrs, attr_count, control);
}

weir_node *weir_grad_add_forward(weir_grad *g, weir_loop *loop, weir_guard *guard, const char *op,
                                 const weir_edge *in, int in_count, const weir_named_attr *attrs,
                                 int attr_count, weir_node *control)
{
    weir_node *n = add(g, op, in, in_count, attrs, attr_count, control);
    if (n) {
        weir_info *info = weir_engine_info(g->engine, n);
        info->loop = loop;
        info->guard = guard;
    }
    return n;
}

void weir_grad_set_shape(weir_edge e, const weir_shape *shape)
{
    if (e.node)
        e.node->out_shapes[e.index] = *shape;
}

weir_node *weir_grad_node_add(weir_grad *g, const char *op, const weir_edge *in, int in_count,
                              const weir_named_attr *attrs, int attr_count)
{
    return weir_grad_add_node(g, op, in, in_count, attrs, attr_count, NULL);
}

weir_edge weir_grad_first(weir_grad *g, const char *op, const weir_edge *in, int in_count,
                          const weir_named_attr *attrs, int attr_count)
{
    return weir_first(weir_grad_node_add(g, op, in, in_count, attrs, attr_count));
}

weir_named_attr weir_grad_attr(const weir_grad *g, const char *name)
{
    const weir_attr *a = weir_node_attr(g->node, name);
    return (weir_named_attr){name, a ? *a : (weir_attr){.kind = WEIR_ATTR_NONE}};
}

void weir_grad_fail(weir_grad *g, weir_status s)
{
    weir_engine_fail(g->engine, s);
}

/* ---- what a gradient function reads and sets ------------------------------------------------- */

const weir_node *weir_grad_node(const weir_grad *g)
{
    return g->node;
}

weir_edge weir_grad_x(weir_grad *g, int i)
{
    return weir_history_value(g, g->node->in[i]);
}

weir_edge weir_grad_y(weir_grad *g, int i)
{
    return weir_history_value(g, (weir_edge){g->node, i});
}

bool weir_grad_has_dy(weir_grad *g, int i)
{
    return weir_sum_any(g->engine, (weir_edge){g->node, i});
}

weir_edge weir_grad_dy(weir_grad *g, int i)
{
    weir_edge y = {g->node, i};
    if (!g->dy[i].node)
        g->dy[i] = weir_sum_any(g->engine, y) ? weir_sum_dense(g, y) : weir_history_zeros(g, y);
    return g->dy[i];
}

bool weir_grad_dy_slices(weir_grad *g, int i, weir_slices *out_slices)
{
    return weir_sum_slices(g, (weir_edge){g->node, i}, out_slices);
}

bool weir_grad_wants(weir_grad *g, int i)
{
    return weir_engine_wants(g->engine, g->node->in[i]);
}

void weir_grad_set(weir_grad *g, int i, weir_edge dx)
{
    if (weir_grad_wants(g, i))
        weir_sum_add(g->engine, g->node->in[i], dx);
}

void weir_grad_set_slices(weir_grad *g, int i, weir_slices dx)
{
    if (weir_grad_wants(g, i))
        weir_sum_add_slices(g->engine, g->node->in[i], dx);
}

/* ---- constants ------------------------------------------------------------------------------- */

weir_edge weir_grad_const(weir_grad *g, weir_tensor t)
{
    weir_edge e =
        weir_grad_op(g, "Const", WEIR_NO_IN,
                     WEIR_ATTRS(weir_a_tensor("value", &t), weir_a_type("dtype", t.dtype)));
    weir_tensor_release(&t);
    return e;
}

weir_edge weir_grad_const_int32(weir_grad *g, const int32_t *values, int count)
{
    weir_shape shape = weir_shape_vector(count);
    return weir_grad_const(g, weir_tensor_from(WEIR_INT32, &shape, values));
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

weir_edge weir_grad_scalar(weir_grad *g, weir_dtype dtype, double value)
{
    number n = number_of(dtype, value);
    return weir_grad_const(g, weir_tensor_scalar(dtype, &n));
}

weir_edge weir_grad_scalar_like(weir_grad *g, weir_edge like, double value)
{
    if (g->engine->status || !like.node)
        return (weir_edge){0};
    return weir_grad_scalar(g, weir_edge_dtype(like), value);
}

static weir_edge shape_const(weir_grad *g, const weir_shape *s)
{
    int32_t dims[WEIR_MAX_RANK];
    for (int i = 0; i < s->rank; i++)
        dims[i] = (int32_t)s->dims[i];
    return weir_grad_const_int32(g, dims, s->rank);
}

weir_edge weir_grad_shape_of(weir_grad *g, weir_edge e)
{
    if (g->engine->status || !e.node)
        return (weir_edge){0};
    if (weir_shape_known(weir_edge_shape(e)))
        return shape_const(g, weir_edge_shape(e));
    /* The shape of a saved value is saved by itself, so that the value need not be. */
    weir_edge saved = weir_engine_info(g->engine, e.node)->saved;
    if (saved.node)
        return weir_history_shape(g, saved);
    return weir_grad_op(g, "Shape", WEIR_IN(e), WEIR_NO_ATTRS);
}

weir_edge weir_grad_shape_of_x(weir_grad *g, int i)
{
    return weir_history_shape(g, g->node->in[i]);
}

/* ---- small compositions ---------------------------------------------------------------------- */

weir_edge weir_grad_neg(weir_grad *g, weir_edge a)
{
    return weir_grad_op(g, "Neg", WEIR_IN(a), WEIR_NO_ATTRS);
}
weir_edge weir_grad_add(weir_grad *g, weir_edge a, weir_edge b)
{
    return weir_grad_op(g, "AddV2", WEIR_IN(a, b), WEIR_NO_ATTRS);
}
weir_edge weir_grad_sub(weir_grad *g, weir_edge a, weir_edge b)
{
    return weir_grad_op(g, "Sub", WEIR_IN(a, b), WEIR_NO_ATTRS);
}
weir_edge weir_grad_mul(weir_grad *g, weir_edge a, weir_edge b)
{
    return weir_grad_op(g, "Mul", WEIR_IN(a, b), WEIR_NO_ATTRS);
}
weir_edge weir_grad_div(weir_grad *g, weir_edge a, weir_edge b)
{
    return weir_grad_op(g, "RealDiv", WEIR_IN(a, b), WEIR_NO_ATTRS);
}
weir_edge weir_grad_conj(weir_grad *g, weir_edge a)
{
    if (g->engine->status || !a.node || !weir_dtype_is_complex(weir_edge_dtype(a)))
        return a;
    return weir_grad_op(g, "Conj", WEIR_IN(a), WEIR_NO_ATTRS);
}
