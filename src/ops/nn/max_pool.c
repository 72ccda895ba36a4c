/* ops/nn/max_pool.c - MaxPool in two and three dimensions, its gradient and second gradient. */
#include "grad/grad.h"
#include "ops/declare.h"
#include "ops/math/types.h"
#include "ops/nn/pool.h"

#define FORMATS "data_format: {'NHWC', 'NCHW'} = \"NHWC\""
#define SIZES "ksize: list(int) >= 4; strides: list(int) >= 4"
#define SIZES_3D                                                                                   \
    "ksize: list(int) >= 5; strides: list(int) >= 5; padding: {'SAME', 'VALID'}; data_format: "    \
    "{'NDHWC', 'NCDHW'} = \"NDHWC\""
#define POOLED "half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8"

enum { FLAT, FLAT_V2, VOLUME }; /* modes; FLAT_V2 takes sizes and strides as inputs */

/* The input with the sizes, if that is |input| of FLAT_V2; -1: they are attrs. */
static int sizes_input(const weir_site *site, int input)
{
    return weir_site_mode(site) == FLAT_V2 ? input : -1;
}

static weir_status infer(weir_infer *infer)
{
    bool known;
    weir_pool_plan plan;
    WEIR_TRY(weir_pool_infer_plan(infer, infer->in[0], sizes_input(infer->site, 1), &known, &plan));
    if (known)
        infer->out[0] = plan.out;
    else if (infer->in[0]->rank == 4)
        infer->out[0] = (weir_shape){4, {infer->in[0]->dims[0], -1, -1, -1}};
    return WEIR_OK;
}

/* For both gradient ops: the inputs are x, y and a gradient, of y or of x. */
typedef struct operands {
    weir_pool_plan plan;
    weir_tensor x, y, d, out;
} operands;

static void operands_fini(operands *operands)
{
    weir_tensor_release(&operands->x);
    weir_tensor_release(&operands->y);
    weir_tensor_release(&operands->d);
    weir_tensor_release(&operands->out);
}

/* Transposes the inputs to channels last, and allocates the output in this layout, if the op has
 * channels first. */
static weir_status operands_init(weir_call *call, int inputs, operands *opened)
{
    int first = sizes_input(call->site, inputs);
    *opened = (operands){0};
    WEIR_TRY(weir_pool_plan_of_call(call, &weir_in(call, 0)->shape, first, &opened->plan));
    weir_tensor *to[] = {&opened->x, &opened->y, &opened->d};
    for (int i = 0; i < inputs; i++)
        WEIR_TRY(weir_pool_operand(&opened->plan, weir_in(call, i), to[i]));
    if (!opened->plan.transposed) {
        opened->out = weir_tensor_share(weir_out(call, 0));
        return WEIR_OK;
    }
    const weir_tensor *out = weir_out(call, 0);
    weir_shape shape = weir_shape_channels_last(&out->shape, opened->plan.slide.format);
    return weir_tensor_alloc(out->dtype, &shape, &opened->out);
}

static void operands_done(weir_call *call, operands *operands)
{
    if (operands->plan.transposed)
        weir_from_channels_last(&operands->out, weir_out(call, 0));
}

static weir_status max_pool(weir_call *call)
{
    operands operands;
    weir_status status = operands_init(call, 1, &operands);
    if (!status && weir_tensor_count(&operands.out) > 0) {
        weir_max_pool(&call->run->par, &operands.plan.window, operands.x.data, operands.out.data,
                      NULL, false);
        operands_done(call, &operands);
    }
    operands_fini(&operands);
    return status;
}

/* ---- gradients as ops ------------------------------------------------------------------------ */

static weir_status infer_grad(weir_infer *infer)
{
    return weir_infer_merge(infer->in[0], infer->in[0], &infer->out[0]);
}

static weir_status infer_grad_grad(weir_infer *infer)
{
    infer->out[0] = *infer->in[1];
    return WEIR_OK;
}

static weir_status check_shape(const weir_site *site, const char *what, const weir_shape *shape,
                               const weir_shape *want)
{
    if (weir_shape_eq(shape, want))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "%s: expected %s shape to be %s, but got %s",
                      site->def->name, what, WEIR_SHAPE_STR(want), WEIR_SHAPE_STR(shape));
}

static weir_status max_pool_grad(weir_call *call)
{
    operands operands;
    weir_status status = operands_init(call, 3, &operands);
    if (!status)
        status =
            check_shape(call->site, "orig_output", &weir_in(call, 1)->shape, &operands.plan.out);
    if (!status)
        status = check_shape(call->site, "grad", &weir_in(call, 2)->shape, &operands.plan.out);
    if (!status && weir_tensor_count(&operands.out) > 0) {
        weir_max_pool_grad(&call->run->par, &operands.plan.window, operands.x.data, operands.d.data,
                           operands.out.data);
        operands_done(call, &operands);
    }
    operands_fini(&operands);
    return status;
}

static weir_status max_pool_grad_grad(weir_call *call)
{
    operands operands;
    weir_status status = operands_init(call, 3, &operands);
    if (!status)
        status =
            check_shape(call->site, "orig_output", &weir_in(call, 1)->shape, &operands.plan.out);
    if (!status)
        status =
            check_shape(call->site, "grad", &weir_in(call, 2)->shape, &weir_in(call, 0)->shape);
    if (!status && weir_tensor_count(&operands.out) > 0) {
        weir_max_pool_grad_grad(&call->run->par, &operands.plan.window, operands.x.data,
                                operands.y.data, operands.d.data, operands.out.data);
        operands_done(call, &operands);
    }
    operands_fini(&operands);
    return status;
}

/* ---- gradients as graphs --------------------------------------------------------------------- */

/* |op| with the attrs of this node; for FLAT_V2, the sizes are inputs |first| and |first| + 1. */
static weir_edge emit(weir_grad *grad, const char *op, weir_edge x, weir_edge y, weir_edge d,
                      int first)
{
    if (weir_site_mode(weir_grad_site(grad)) == FLAT_V2)
        return weir_grad_op(
            grad, op, WEIR_IN(x, y, d, weir_grad_x(grad, first), weir_grad_x(grad, first + 1)),
            WEIR_ATTRS(weir_grad_attr(grad, "padding"), weir_grad_attr(grad, "data_format")));
    return weir_grad_op(grad, op, WEIR_IN(x, y, d),
                        WEIR_ATTRS(weir_grad_attr(grad, "ksize"), weir_grad_attr(grad, "strides"),
                                   weir_grad_attr(grad, "padding"),
                                   weir_grad_attr(grad, "data_format")));
}

static const char *const grad_ops[] = {"MaxPoolGrad", "MaxPoolGradV2", "MaxPool3DGrad"};
static const char *const grad_grad_ops[] = {"MaxPoolGradGrad", "MaxPoolGradGradV2",
                                            "MaxPool3DGradGrad"};

static weir_status grad_flat(weir_grad *grad)
{
    weir_edge in[] = {weir_grad_x(grad, 0), weir_grad_y(grad, 0), weir_grad_dy(grad, 0)};
    weir_grad_set(
        grad, 0,
        weir_grad_op(grad, "MaxPoolGrad", in, 3,
                     WEIR_ATTRS(weir_grad_attr(grad, "ksize"), weir_grad_attr(grad, "strides"),
                                weir_grad_attr(grad, "padding"),
                                weir_grad_attr(grad, "explicit_paddings"),
                                weir_grad_attr(grad, "data_format"))));
    return WEIR_OK;
}

static weir_status grad(weir_grad *grad)
{
    const char *op = grad_ops[weir_site_mode(weir_grad_site(grad))];
    weir_grad_set(
        grad, 0,
        emit(grad, op, weir_grad_x(grad, 0), weir_grad_y(grad, 0), weir_grad_dy(grad, 0), 1));
    return WEIR_OK;
}

/* Gradient ops are linear in their third input and constant in the first two, almost everywhere. */
static weir_status second(weir_grad *grad, const char *op)
{
    for (int i = 0; i < 2; i++)
        weir_grad_set(
            grad, i, weir_grad_op(grad, "ZerosLike", WEIR_IN(weir_grad_x(grad, i)), WEIR_NO_ATTRS));
    weir_grad_set(
        grad, 2,
        emit(grad, op, weir_grad_x(grad, 0), weir_grad_x(grad, 1), weir_grad_dy(grad, 0), 3));
    return WEIR_OK;
}

static weir_status grad_of_grad(weir_grad *grad)
{
    return second(grad, grad_grad_ops[weir_site_mode(weir_grad_site(grad))]);
}

static weir_status grad_of_grad_grad(weir_grad *grad)
{
    return second(grad, grad_ops[weir_site_mode(weir_grad_site(grad))]);
}

/* ---- the ops --------------------------------------------------------------------------------- */

#define POOL .out = "output: T", .infer = infer, .kernels = {{WEIR_CPU, "*", max_pool}}
WEIR_DEFINE_OP(max_pool, "MaxPool", POOL, .mode = FLAT, .in = "input: T", .grad = grad_flat,
               .flags = WEIR_KEEPS_FINITE,
               .attrs = "T: {" POOLED "} = DT_FLOAT; " SIZES
                        "; padding: {'SAME', 'VALID', 'EXPLICIT'}; "
                        "explicit_paddings: list(int) = []; "
                        "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = \"NHWC\"");
WEIR_DEFINE_OP(max_pool_v2, "MaxPoolV2", POOL, .mode = FLAT_V2,
               .in = "input: T; ksize: int32; strides: int32", .grad = grad,
               .attrs = "T: {" POOLED "} = DT_FLOAT; padding: {'SAME', 'VALID'}; "
                        "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = \"NHWC\"",
               .host = "ksize; strides");
WEIR_DEFINE_OP(max_pool_3d, "MaxPool3D", POOL, .mode = VOLUME, .in = "input: T", .grad = grad,
               .attrs = SIZES_3D "; T: {half, bfloat16, float}");

#define OPERANDS "orig_input: T; orig_output: T; grad: T"
#define POOL_GRAD .out = "output: T", .infer = infer_grad, .grad = grad_of_grad
WEIR_DEFINE_OP(max_pool_grad, "MaxPoolGrad", POOL_GRAD, .mode = FLAT, .in = OPERANDS,
               .attrs = SIZES "; padding: {'SAME', 'VALID', 'EXPLICIT'}; "
                              "explicit_paddings: list(int) = []; " FORMATS "; T: {" REALS
                              "} = DT_FLOAT",
               .kernels = {{WEIR_CPU, "*", max_pool_grad}});
WEIR_DEFINE_OP(max_pool_grad_v2, "MaxPoolGradV2", POOL_GRAD, .mode = FLAT_V2,
               .in = OPERANDS "; ksize: int32; strides: int32",
               .attrs = "padding: {'SAME', 'VALID'}; " FORMATS "; T: {" REALS "} = DT_FLOAT",
               .kernels = {{WEIR_CPU, "*", max_pool_grad}}, .host = "ksize; strides");
WEIR_DEFINE_OP(max_pool_3d_grad, "MaxPool3DGrad", POOL_GRAD, .mode = VOLUME,
               .in = "orig_input: TInput; orig_output: TInput; grad: T",
               .attrs = SIZES_3D "; T: {half, bfloat16, float} = DT_FLOAT; "
                                 "TInput: {half, bfloat16, float} = DT_FLOAT",
               .kernels = {{WEIR_CPU, "T: half; TInput: half", max_pool_grad},
                           {WEIR_CPU, "T: bfloat16; TInput: bfloat16", max_pool_grad},
                           {WEIR_CPU, "T: float; TInput: float", max_pool_grad}});

#define POOL_GRAD_GRAD                                                                             \
    .out = "output: T", .infer = infer_grad_grad, .grad = grad_of_grad_grad,                       \
    .kernels = {{WEIR_CPU, "*", max_pool_grad_grad}}
WEIR_DEFINE_OP(max_pool_grad_grad, "MaxPoolGradGrad", POOL_GRAD_GRAD, .mode = FLAT, .in = OPERANDS,
               .attrs = SIZES "; padding: {'SAME', 'VALID'}; " FORMATS "; T: {" REALS "}");
WEIR_DEFINE_OP(max_pool_grad_grad_v2, "MaxPoolGradGradV2", POOL_GRAD_GRAD, .mode = FLAT_V2,
               .in = OPERANDS "; ksize: int32; strides: int32",
               .attrs = "padding: {'SAME', 'VALID'}; " FORMATS "; T: {" REALS "}",
               .host = "ksize; strides");
WEIR_DEFINE_OP(max_pool_3d_grad_grad, "MaxPool3DGradGrad", POOL_GRAD_GRAD, .mode = VOLUME,
               .in = OPERANDS, .attrs = SIZES_3D "; T: {" REALS "}");
