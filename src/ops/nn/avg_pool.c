/* ops/nn/avg_pool.c - AvgPool in two and three dimensions: window means without padding. */
#include "grad/grad.h"
#include "ops/common/elem_of.h"
#include "ops/declare.h"
#include "ops/nn/pool.h"

#define ATTRS_2D                                                                                   \
    "ksize: list(int) >= 4; strides: list(int) >= 4; padding: {'SAME', 'VALID'}; data_format: "    \
    "{'NHWC', 'NCHW'} = \"NHWC\"; T: {half, bfloat16, float, double}"
#define ATTRS_3D                                                                                   \
    "ksize: list(int) >= 5; strides: list(int) >= 5; padding: {'SAME', 'VALID'}; data_format: "    \
    "{'NDHWC', 'NCDHW'} = \"NDHWC\"; T: {half, bfloat16, float, double}"

static weir_status check_channels(const weir_pool_plan *plan)
{
    int channel = weir_format_channel(plan->slide.format);
    if (plan->slide.size[channel] == 1)
        return WEIR_OK;
    return weir_error(WEIR_UNIMPLEMENTED,
                      "Average pooling is not supported across the channel dimension");
}

static weir_status infer(weir_infer *infer)
{
    weir_pool_plan plan;
    WEIR_TRY(weir_pool_plan_make(infer->site, weir_infer_building(infer), infer->in[0], NULL, NULL,
                                 &plan));
    infer->out[0] = plan.out;
    return WEIR_OK;
}

static weir_status infer_grad(weir_infer *infer)
{
    weir_slide slide;
    WEIR_TRY(weir_slide_read(infer->site, true, &slide));
    return weir_infer_image_sizes(infer, 0, weir_format_rank(slide.format), &infer->out[0]);
}

/* |result| in the layout of the loops: itself, or a buffer that is transposed afterwards. */
static weir_status result_buffer(const weir_pool_plan *plan, const weir_tensor *result,
                                 weir_tensor *out)
{
    if (!plan->transposed) {
        *out = weir_tensor_share(result);
        return WEIR_OK;
    }
    weir_shape shape = weir_shape_channels_last(&result->shape, plan->slide.format);
    return weir_tensor_alloc(result->dtype, &shape, out);
}

static weir_status run(weir_call *call, const weir_pool_plan *plan, const weir_tensor *from,
                       bool backward)
{
    weir_tensor a = {0}, b = {0}, *result = weir_out(call, 0);
    if (weir_tensor_count(result) == 0)
        return WEIR_OK;
    weir_status status = weir_pool_operand(plan, from, &a);
    if (!status)
        status = result_buffer(plan, result, &b);
    if (!status) {
        (backward ? weir_avg_pool_grad : weir_avg_pool)(&call->run->par, &plan->window, a.data,
                                                        b.data);
        if (plan->transposed)
            weir_from_channels_last(&b, result);
    }
    weir_tensor_release(&a);
    weir_tensor_release(&b);
    return status;
}

static weir_status avg_pool(weir_call *call)
{
    weir_pool_plan plan;
    WEIR_TRY(weir_pool_plan_of_call(call, &weir_in(call, 0)->shape, -1, &plan));
    WEIR_TRY(check_channels(&plan));
    return run(call, &plan, weir_in(call, 0), false);
}

static weir_status avg_pool_grad(weir_call *call)
{
    weir_pool_plan plan;
    const weir_tensor *dy = weir_in(call, 1);
    WEIR_TRY(weir_pool_plan_of_call(call, &weir_out(call, 0)->shape, -1, &plan));
    WEIR_TRY(check_channels(&plan));
    if (!weir_shape_eq(&dy->shape, &plan.out))
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: expected grad shape to be %s, but got %s",
                          call->site->def->name, WEIR_SHAPE_STR(&plan.out),
                          WEIR_SHAPE_STR(&dy->shape));
    plan.window.elem = weir_elem_of(dy->dtype);
    return run(call, &plan, dy, true);
}

static weir_edge emit(weir_grad *grad, const char *op, const weir_edge *in, int in_count)
{
    return weir_grad_op(grad, op, in, in_count,
                        WEIR_ATTRS(weir_grad_attr(grad, "ksize"), weir_grad_attr(grad, "strides"),
                                   weir_grad_attr(grad, "padding"),
                                   weir_grad_attr(grad, "data_format")));
}

enum { FLAT, VOLUME }; /* modes */

static weir_status grad(weir_grad *grad)
{
    bool flat = weir_site_mode(weir_grad_site(grad)) == FLAT;
    weir_edge shape = weir_grad_shape_of(grad, weir_grad_x(grad, 0));
    weir_grad_set(
        grad, 0,
        emit(grad, flat ? "AvgPoolGrad" : "AvgPool3DGrad", WEIR_IN(shape, weir_grad_dy(grad, 0))));
    return WEIR_OK;
}

static weir_status grad_of_grad(weir_grad *grad)
{
    bool flat = weir_site_mode(weir_grad_site(grad)) == FLAT;
    weir_grad_set(grad, 1,
                  emit(grad, flat ? "AvgPool" : "AvgPool3D", WEIR_IN(weir_grad_dy(grad, 0))));
    return WEIR_OK;
}

#define POOL                                                                                       \
    .out = "output: T", .infer = infer, .grad = grad, .kernels = {{WEIR_CPU, "*", avg_pool}}
#define POOL_GRAD                                                                                  \
    .in = "orig_input_shape: int32; grad: T", .out = "output: T", .infer = infer_grad,             \
    .grad = grad_of_grad, .kernels = {{WEIR_CPU, "*", avg_pool_grad}}
WEIR_DEFINE_OP(avg_pool_2d, "AvgPool", POOL, .in = "value: T", .attrs = ATTRS_2D, .mode = FLAT);
WEIR_DEFINE_OP(avg_pool_2d_grad, "AvgPoolGrad", POOL_GRAD, .attrs = ATTRS_2D, .mode = FLAT,
               .host = "orig_input_shape");
WEIR_DEFINE_OP(avg_pool_3d, "AvgPool3D", POOL, .in = "input: T", .attrs = ATTRS_3D, .mode = VOLUME);
WEIR_DEFINE_OP(avg_pool_3d_grad, "AvgPool3DGrad", POOL_GRAD, .attrs = ATTRS_3D, .mode = VOLUME,
               .host = "orig_input_shape");
