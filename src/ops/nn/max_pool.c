/* ops/nn/max_pool.c - MaxPool in two and three dimensions, its gradient and the gradient's. */
#include "grad/grad.h"
#include "ops/math/types.h"
#include "ops/nn/pool.h"

#define FORMATS "data_format: {'NHWC', 'NCHW'} = \"NHWC\""
#define SIZES "ksize: list(int) >= 4; strides: list(int) >= 4"
#define SIZES_3D                                                                                   \
    "ksize: list(int) >= 5; strides: list(int) >= 5; padding: {'SAME', 'VALID'}; data_format: "    \
    "{'NDHWC', 'NCDHW'} = \"NDHWC\""
#define POOLED "half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8"

static weir_status infer_pool(weir_infer *i, int first)
{
    bool known;
    weir_pool_plan p;
    WEIR_TRY(weir_pool_infer_plan(i, i->in[0], first, &known, &p));
    if (known)
        i->out[0] = p.out;
    else if (i->in[0]->rank == 4)
        i->out[0] = (weir_shape){4, {i->in[0]->dims[0], -1, -1, -1}};
    return WEIR_OK;
}

static weir_status infer(weir_infer *i)
{
    return infer_pool(i, -1);
}

static weir_status infer_v2(weir_infer *i)
{
    return infer_pool(i, 1);
}

/* Both gradient ops: the inputs are x, y and a gradient, whose own shape says which is which. */
typedef struct operands {
    weir_pool_plan plan;
    weir_tensor x, y, d, out;
} operands;

static void operands_fini(operands *o)
{
    weir_tensor_release(&o->x);
    weir_tensor_release(&o->y);
    weir_tensor_release(&o->d);
    weir_tensor_release(&o->out);
}

/* Brings inputs and output (with its undefined contents) to channels last. */
static weir_status operands_init(weir_call *call, int inputs, int first, operands *o)
{
    *o = (operands){0};
    WEIR_TRY(weir_pool_plan_of_call(call, &weir_in(call, 0)->shape, first, &o->plan));
    weir_tensor *to[] = {&o->x, &o->y, &o->d};
    for (int i = 0; i < inputs; i++)
        WEIR_TRY(weir_pool_operand(&o->plan, weir_in(call, i), to[i]));
    if (!o->plan.turned) {
        o->out = weir_tensor_share(weir_out(call, 0));
        return WEIR_OK;
    }
    const weir_tensor *out = weir_out(call, 0);
    weir_shape shape = weir_shape_channels_last(&out->shape, o->plan.slide.format);
    return weir_tensor_alloc(out->dtype, &shape, &o->out);
}

static void operands_done(weir_call *call, operands *o)
{
    if (o->plan.turned)
        weir_from_channels_last(&o->out, weir_out(call, 0));
}

static weir_status pool_any(weir_call *call, int first)
{
    operands o;
    weir_status s = operands_init(call, 1, first, &o);
    if (!s && weir_tensor_count(&o.out) > 0) {
        weir_max_pool(&call->run->par, &o.plan.window, o.x.data, o.out.data, NULL, false);
        operands_done(call, &o);
    }
    operands_fini(&o);
    return s;
}

static weir_status max_pool(weir_call *call)
{
    return pool_any(call, -1);
}

static weir_status max_pool_v2(weir_call *call)
{
    return pool_any(call, 1);
}

/* ---- gradients as ops --------------------------------------------------------------------------
 */

static weir_status infer_grad(weir_infer *i)
{
    return weir_infer_merge(i->in[0], i->in[0], &i->out[0]);
}

static weir_status infer_grad_grad(weir_infer *i)
{
    i->out[0] = *i->in[1];
    return WEIR_OK;
}

static weir_status check_shape(const weir_site *site, const char *what, const weir_shape *s,
                               const weir_shape *want)
{
    if (weir_shape_eq(s, want))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "%s: expected %s shape to be %s, but got %s",
                      site->def->name, what, WEIR_SHAPE_STR(want), WEIR_SHAPE_STR(s));
}

static weir_status grad_any(weir_call *call, int first)
{
    operands o;
    weir_status s = operands_init(call, 3, first, &o);
    if (!s)
        s = check_shape(call->site, "orig_output", &weir_in(call, 1)->shape, &o.plan.out);
    if (!s)
        s = check_shape(call->site, "grad", &weir_in(call, 2)->shape, &o.plan.out);
    if (!s && weir_tensor_count(&o.out) > 0) {
        weir_max_pool_grad(&call->run->par, &o.plan.window, o.x.data, o.d.data, o.out.data);
        operands_done(call, &o);
    }
    operands_fini(&o);
    return s;
}

static weir_status max_pool_grad(weir_call *call)
{
    return grad_any(call, -1);
}

static weir_status max_pool_grad_v2(weir_call *call)
{
    return grad_any(call, 3);
}

static weir_status grad_grad_any(weir_call *call, int first)
{
    operands o;
    weir_status s = operands_init(call, 3, first, &o);
    if (!s)
        s = check_shape(call->site, "orig_output", &weir_in(call, 1)->shape, &o.plan.out);
    if (!s)
        s = check_shape(call->site, "grad", &weir_in(call, 2)->shape, &weir_in(call, 0)->shape);
    if (!s && weir_tensor_count(&o.out) > 0) {
        weir_max_pool_grad_grad(&call->run->par, &o.plan.window, o.x.data, o.y.data, o.d.data,
                                o.out.data);
        operands_done(call, &o);
    }
    operands_fini(&o);
    return s;
}

static weir_status max_pool_grad_grad(weir_call *call)
{
    return grad_grad_any(call, -1);
}

static weir_status max_pool_grad_grad_v2(weir_call *call)
{
    return grad_grad_any(call, 3);
}

/* ---- gradients as graphs -----------------------------------------------------------------------
 */

static weir_edge emit(weir_grad *g, const char *op, weir_edge x, weir_edge y, weir_edge d)
{
    return weir_grad_op(g, op, WEIR_IN(x, y, d),
                        WEIR_ATTRS(weir_grad_attr(g, "ksize"), weir_grad_attr(g, "strides"),
                                   weir_grad_attr(g, "padding"), weir_grad_attr(g, "data_format")));
}

/* ksize and strides are inputs |first| and |first| + 1 of the forward op. */
static weir_edge emit_v2(weir_grad *g, const char *op, weir_edge x, weir_edge y, weir_edge d,
                         int first)
{
    weir_edge ksize = weir_grad_x(g, first), strides = weir_grad_x(g, first + 1);
    return weir_grad_op(g, op, WEIR_IN(x, y, d, ksize, strides),
                        WEIR_ATTRS(weir_grad_attr(g, "padding"), weir_grad_attr(g, "data_format")));
}

static weir_status grad(weir_grad *g)
{
    weir_edge in[] = {weir_grad_x(g, 0), weir_grad_y(g, 0), weir_grad_dy(g, 0)};
    weir_grad_set(g, 0,
                  weir_grad_op(g, "MaxPoolGrad", in, 3,
                               WEIR_ATTRS(weir_grad_attr(g, "ksize"), weir_grad_attr(g, "strides"),
                                          weir_grad_attr(g, "padding"),
                                          weir_grad_attr(g, "explicit_paddings"),
                                          weir_grad_attr(g, "data_format"))));
    return WEIR_OK;
}

static weir_status grad_v2(weir_grad *g)
{
    weir_grad_set(
        g, 0,
        emit_v2(g, "MaxPoolGradV2", weir_grad_x(g, 0), weir_grad_y(g, 0), weir_grad_dy(g, 0), 1));
    return WEIR_OK;
}

static weir_status grad_3d(weir_grad *g)
{
    weir_grad_set(
        g, 0, emit(g, "MaxPool3DGrad", weir_grad_x(g, 0), weir_grad_y(g, 0), weir_grad_dy(g, 0)));
    return WEIR_OK;
}

/* Gradient ops are linear in their third input and constant in the first two, almost everywhere. */
static void set_zeros(weir_grad *g)
{
    for (int i = 0; i < 2; i++)
        weir_grad_set(g, i,
                      weir_grad_op(g, "ZerosLike", WEIR_IN(weir_grad_x(g, i)), WEIR_NO_ATTRS));
}

#define SECOND(id, op)                                                                             \
    static weir_status id(weir_grad *g)                                                            \
    {                                                                                              \
        set_zeros(g);                                                                              \
        weir_grad_set(g, 2,                                                                        \
                      emit(g, op, weir_grad_x(g, 0), weir_grad_x(g, 1), weir_grad_dy(g, 0)));      \
        return WEIR_OK;                                                                            \
    }
#define SECOND_V2(id, op)                                                                          \
    static weir_status id(weir_grad *g)                                                            \
    {                                                                                              \
        set_zeros(g);                                                                              \
        weir_grad_set(                                                                             \
            g, 2, emit_v2(g, op, weir_grad_x(g, 0), weir_grad_x(g, 1), weir_grad_dy(g, 0), 3));    \
        return WEIR_OK;                                                                            \
    }
SECOND(grad_of_grad, "MaxPoolGradGrad")
SECOND(grad_of_grad_grad, "MaxPoolGrad")
SECOND_V2(grad_of_grad_v2, "MaxPoolGradGradV2")
SECOND_V2(grad_of_grad_grad_v2, "MaxPoolGradV2")
SECOND(grad_of_grad_3d, "MaxPool3DGradGrad")
SECOND(grad_of_grad_grad_3d, "MaxPool3DGrad")

/* ---- the ops -----------------------------------------------------------------------------------
 */

const weir_op weir_op_max_pool = {
    .name = "MaxPool",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: {" POOLED "} = DT_FLOAT; " SIZES "; padding: {'SAME', 'VALID', 'EXPLICIT'}; "
             "explicit_paddings: list(int) = []; data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = "
             "\"NHWC\"",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", max_pool}},
};

const weir_op weir_op_max_pool_v2 = {
    .name = "MaxPoolV2",
    .in = "input: T; ksize: int32; strides: int32",
    .out = "output: T",
    .attrs = "T: {" POOLED "} = DT_FLOAT; padding: {'SAME', 'VALID'}; data_format: {'NHWC', "
             "'NCHW', 'NCHW_VECT_C'} = \"NHWC\"",
    .infer = infer_v2,
    .grad = grad_v2,
    .kernels = {{WEIR_CPU, "*", max_pool_v2}},
};

const weir_op weir_op_max_pool_3d = {
    .name = "MaxPool3D",
    .in = "input: T",
    .out = "output: T",
    .attrs = SIZES_3D "; T: {half, bfloat16, float}",
    .infer = infer,
    .grad = grad_3d,
    .kernels = {{WEIR_CPU, "*", max_pool}},
};

#define GRAD_OP(id, op_name, more_in, attributes, rule, kernel, second)                            \
    const weir_op weir_op_##id = {                                                                 \
        .name = op_name,                                                                           \
        .in = "orig_input: T; orig_output: T; grad: T" more_in,                                    \
        .out = "output: T",                                                                        \
        .attrs = attributes,                                                                       \
        .infer = rule,                                                                             \
        .grad = second,                                                                            \
        .kernels = {{WEIR_CPU, "*", kernel}},                                                      \
    }

GRAD_OP(max_pool_grad, "MaxPoolGrad", "",
        SIZES
        "; padding: {'SAME', 'VALID', 'EXPLICIT'}; explicit_paddings: list(int) = []; " FORMATS
        "; T: {" REALS "} = DT_FLOAT",
        infer_grad, max_pool_grad, grad_of_grad);
GRAD_OP(max_pool_grad_v2, "MaxPoolGradV2", "; ksize: int32; strides: int32",
        "padding: {'SAME', 'VALID'}; " FORMATS "; T: {" REALS "} = DT_FLOAT", infer_grad,
        max_pool_grad_v2, grad_of_grad_v2);
GRAD_OP(max_pool_grad_grad, "MaxPoolGradGrad", "",
        SIZES "; padding: {'SAME', 'VALID'}; " FORMATS "; T: {" REALS "}", infer_grad_grad,
        max_pool_grad_grad, grad_of_grad_grad);
GRAD_OP(max_pool_grad_grad_v2, "MaxPoolGradGradV2", "; ksize: int32; strides: int32",
        "padding: {'SAME', 'VALID'}; " FORMATS "; T: {" REALS "}", infer_grad_grad,
        max_pool_grad_grad_v2, grad_of_grad_grad_v2);
GRAD_OP(max_pool_3d_grad_grad, "MaxPool3DGradGrad", "", SIZES_3D "; T: {" REALS "}",
        infer_grad_grad, max_pool_grad_grad, grad_of_grad_grad_3d);

const weir_op weir_op_max_pool_3d_grad = {
    .name = "MaxPool3DGrad",
    .in = "orig_input: TInput; orig_output: TInput; grad: T",
    .out = "output: T",
    .attrs = SIZES_3D "; T: {half, bfloat16, float} = DT_FLOAT; TInput: {half, bfloat16, float} = "
                      "DT_FLOAT",
    .infer = infer_grad,
    .grad = grad_of_grad_3d,
    .kernels = {{WEIR_CPU, "T: half; TInput: half", max_pool_grad},
                {WEIR_CPU, "T: bfloat16; TInput: bfloat16", max_pool_grad},
                {WEIR_CPU, "T: float; TInput: float", max_pool_grad}},
};
