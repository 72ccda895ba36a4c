/* ops/nn/max_pool_argmax.c - MaxPoolWithArgmax: the maxima and their positions, and the gradient,
 * which scatters values to these. */
#include <inttypes.h>

#include "grad/grad.h"
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/math/types.h"
#include "ops/nn/pool.h"

static bool in_batch(const weir_site *site)
{
    return weir_site_bool(site, weir_opdef_attr(site->def, "include_batch_in_index"));
}

static weir_status infer(weir_infer *infer)
{
    weir_pool_plan plan;
    WEIR_TRY(weir_pool_plan_make(infer->site, weir_infer_building(infer), infer->in[0], NULL, NULL,
                                 &plan));
    infer->out[0] = infer->out[1] = plan.out;
    return WEIR_OK;
}

static weir_status max_pool_with_argmax(weir_call *call)
{
    weir_pool_plan plan;
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0), *at = weir_out(call, 1), wide = {0};
    WEIR_TRY(weir_pool_plan_of_call(call, &x->shape, -1, &plan));
    if (plan.slide.size[3] != 1)
        return weir_error(WEIR_UNIMPLEMENTED, "Depthwise max pooling with argmax is not supported");
    if (weir_tensor_count(y) == 0)
        return WEIR_OK;
    bool narrow = at->dtype == WEIR_INT32;
    if (narrow)
        WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &at->shape, &wide));
    weir_max_pool(&call->run->par, &plan.window, x->data, y->data, narrow ? wide.data : at->data,
                  in_batch(call->site));
    for (int64_t i = 0; narrow && i < weir_tensor_count(at); i++)
        ((int32_t *)at->data)[i] = (int32_t)((const int64_t *)wide.data)[i];
    weir_tensor_release(&wide);
    return WEIR_OK;
}

static weir_status grad(weir_grad *grad)
{
    weir_edge in[] = {weir_grad_x(grad, 0), weir_grad_dy(grad, 0), weir_grad_y(grad, 1)};
    weir_grad_set(
        grad, 0,
        weir_grad_op(grad, "MaxPoolGradWithArgmax", in, 3,
                     WEIR_ATTRS(weir_grad_attr(grad, "ksize"), weir_grad_attr(grad, "strides"),
                                weir_grad_attr(grad, "padding"),
                                weir_grad_attr(grad, "include_batch_in_index"))));
    return WEIR_OK;
}

/* ---- MaxPoolGradWithArgmax ------------------------------------------------------------------- */

static int64_t index_at(const weir_tensor *tensor, int64_t i)
{
    return tensor->dtype == WEIR_INT32 ? ((const int32_t *)tensor->data)[i]
                                       : ((const int64_t *)tensor->data)[i];
}

static weir_status check_shapes(const weir_tensor *dy, const weir_tensor *at,
                                const weir_pool_plan *plan)
{
    if (weir_shape_eq(&dy->shape, &plan->out) && weir_shape_eq(&at->shape, &plan->out))
        return WEIR_OK;
    return weir_error(
        WEIR_INVALID_ARGUMENT,
        "MaxPoolGradWithArgmax: expected grad and argmax of shape %s, but got %s and %s",
        WEIR_SHAPE_STR(&plan->out), WEIR_SHAPE_STR(&dy->shape), WEIR_SHAPE_STR(&at->shape));
}

static weir_status max_pool_grad_with_argmax(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *dy = weir_in(call, 1), *at = weir_in(call, 2);
    weir_tensor *dx = weir_out(call, 0);
    weir_pool_plan plan;
    WEIR_TRY(weir_pool_plan_of_call(call, &x->shape, -1, &plan));
    WEIR_TRY(check_shapes(dy, at, &plan));
    memset(dx->data, 0, weir_tensor_bytes(dx));
    int64_t count = weir_tensor_count(dy), image = weir_shape_product(&x->shape, 1, 4);
    int64_t signal = weir_shape_product(&dy->shape, 1, 4), size = weir_tensor_count(dx);
    weir_update_fn add = weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(dx->dtype));
    bool batch = in_batch(call->site);
    for (int64_t i = 0; i < count; i++) {
        int64_t first = batch ? 0 : i / signal * image, index = index_at(at, i);
        if (index < 0 || index >= (batch ? size : image))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "MaxPoolGradWithArgmax: argmax %" PRId64 " is outside [0, %" PRId64
                              ")",
                              index, batch ? size : image);
        add(weir_at(dx, first + index), weir_at(dy, i), 1, 1);
    }
    return WEIR_OK;
}

const weir_op weir_op_max_pool_with_argmax = {
    .name = "MaxPoolWithArgmax",
    .in = "input: T",
    .out = "output: T; argmax: Targmax",
    .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; Targmax: {int32, int64} = DT_INT64; "
             "padding: {'SAME', 'VALID'}; include_batch_in_index: bool = false; T: {" REALS "}",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", max_pool_with_argmax}},
};

const weir_op weir_op_max_pool_grad_with_argmax = {
    .name = "MaxPoolGradWithArgmax",
    .in = "input: T; grad: T; argmax: Targmax",
    .out = "output: T",
    .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: {'SAME', 'VALID'}; "
             "include_batch_in_index: bool = false; Targmax: {int32, int64}; T: {" REALS "}",
    .infer = weir_infer_same_shape,
    .kernels = {{WEIR_CPU, "*", max_pool_grad_with_argmax}},
};
