/* ops/array/strided_slice.c - StridedSlice and StridedSliceGrad. */
#include "ops/array/slicing.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

enum { T, INDEX, MASKS };

/* ---- StridedSlice ---------------------------------------------------------------------------- */

static weir_status slice_infer(weir_infer *infer)
{
    const weir_tensor *strides = weir_infer_value(infer, 3);
    weir_slice_masks masks = weir_slice_masks_of(infer->site, MASKS);
    weir_slicing slicing;
    WEIR_TRY(weir_slicing_check(infer, 1));
    if (!strides || infer->in[0]->rank < 0)
        return WEIR_OK;
    WEIR_TRY(weir_slicing_make(&masks, weir_infer_value(infer, 1), weir_infer_value(infer, 2),
                               strides, infer->in[0], &slicing));
    infer->out[0] = slicing.shape;
    if (infer->out_handles && infer->in_handles && infer->in_handles[0])
        infer->out_handles[0] = *infer->in_handles[0];
    return WEIR_OK;
}

/* True when the part is contiguous and aligned for vectors. It then aliases the buffer instead of
 * being copied, which keeps the whole buffer alive: acceptable, as slices are short-lived. */
static bool one_piece(const weir_slicing *slicing, const weir_tensor *x, int64_t *out_at)
{
    int64_t run = weir_tensor_count(x);
    int axis = 0;
    *out_at = 0;
    if (run == 0)
        return false;
    for (; axis < slicing->rank; axis++) { /* leading dims with one selected element */
        run /= x->shape.dims[axis];
        *out_at += slicing->begin[axis] * run;
        if (slicing->size[axis] != 1)
            break;
    }
    if (axis < slicing->rank && slicing->stride[axis] != 1)
        return false;
    for (axis++; axis < slicing->rank; axis++)
        if (slicing->begin[axis] != 0 || slicing->stride[axis] != 1 ||
            slicing->size[axis] != x->shape.dims[axis])
            return false;
    return *out_at * (int64_t)weir_dtype_size(x->dtype) % WEIR_ALIGNMENT == 0;
}

static weir_status slice(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_slice_masks masks = weir_slice_masks_of(call->site, MASKS);
    weir_slicing slicing;
    int64_t at;
    WEIR_TRY(weir_slicing_make(&masks, weir_in(call, 1), weir_in(call, 2), weir_in(call, 3),
                               &x->shape, &slicing));
    if (slicing.whole) {
        weir_call_forward(call, 0, 0, &slicing.shape);
        return WEIR_OK;
    }
    if (one_piece(&slicing, x, &at)) {
        weir_call_set(call, 0, weir_tensor_slice(x, at, &slicing.shape));
        return WEIR_OK;
    }
    WEIR_TRY(weir_call_alloc(call, 0, &slicing.shape));
    weir_slicing_get(&call->run->par, x->dtype, &slicing, &x->shape, x->data,
                     weir_out(call, 0)->data);
    return WEIR_OK;
}

static weir_edge widened(weir_grad *grad, weir_edge edge, weir_dtype to)
{
    if (weir_edge_dtype(edge) == to)
        return edge;
    return weir_grad_op(grad, "Cast", WEIR_IN(edge), WEIR_ATTRS(weir_a_type("DstT", to)));
}

static weir_status slice_grad(weir_grad *grad)
{
    weir_dtype index = weir_site_type(weir_grad_site(grad), INDEX);
    if (index == WEIR_INT16) /* StridedSliceGrad has no int16 variant */
        index = WEIR_INT32;
    weir_edge shape = weir_grad_op(grad, "Shape", WEIR_IN(weir_grad_x(grad, 0)),
                                   WEIR_ATTRS(weir_a_type("out_type", index)));
    weir_grad_set(
        grad, 0,
        weir_grad_op(grad, "StridedSliceGrad",
                     WEIR_IN(shape, widened(grad, weir_grad_x(grad, 1), index),
                             widened(grad, weir_grad_x(grad, 2), index),
                             widened(grad, weir_grad_x(grad, 3), index), weir_grad_dy(grad, 0)),
                     WEIR_SLICE_GRAD_ATTRS(grad)));
    return WEIR_OK;
}

const weir_op weir_op_strided_slice = {
    .name = "StridedSlice",
    .in = "input: T; begin: Index; end: Index; strides: Index",
    .out = "output: T",
    .attrs = "T: type; Index: {int16, int32, int64}" WEIR_SLICE_MASK_ATTRS,
    .host = "begin; end; strides",
    .infer = slice_infer,
    .grad = slice_grad,
    .kernels = {{WEIR_CPU, "*", slice, WEIR_OWN_OUTPUTS}},
};

/* ---- StridedSliceGrad ------------------------------------------------------------------------ */

static weir_status grad_infer(weir_infer *infer)
{
    WEIR_TRY(weir_slicing_check(infer, 1));
    WEIR_TRY(weir_infer_rank(infer, 0, 1));
    return weir_infer_new_shape(infer, 0, &infer->out[0]);
}

static weir_status slice_grad_run(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 4);
    weir_tensor *dx = weir_out(call, 0);
    weir_slice_masks masks = weir_slice_masks_of(call->site, MASKS);
    weir_slicing slicing;
    WEIR_TRY(weir_slicing_make(&masks, weir_in(call, 1), weir_in(call, 2), weir_in(call, 3),
                               &dx->shape, &slicing));
    if (!weir_shape_eq(&slicing.shape, &dy->shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "shape of dy was %s instead of %s",
                          WEIR_SHAPE_STR(&dy->shape), WEIR_SHAPE_STR(&slicing.shape));
    if (!slicing.whole)
        weir_tensor_zero(&call->run->par, dx);
    weir_slicing_put(&call->run->par, dx->dtype, &slicing, &dx->shape, dx->data, dy->data);
    return WEIR_OK;
}

static weir_status grad_grad(weir_grad *grad)
{
    weir_grad_set(grad, 4,
                  weir_grad_op(grad, "StridedSlice",
                               WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 1),
                                       weir_grad_x(grad, 2), weir_grad_x(grad, 3)),
                               WEIR_SLICE_GRAD_ATTRS(grad)));
    return WEIR_OK;
}

const weir_op weir_op_strided_slice_grad = {
    .name = "StridedSliceGrad",
    .in = "shape: Index; begin: Index; end: Index; strides: Index; dy: T",
    .out = "output: T",
    .attrs = "T: type; Index: {int32, int64}" WEIR_SLICE_MASK_ATTRS,
    .host = "begin; end; shape; strides",
    .infer = grad_infer,
    .grad = grad_grad,
    .kernels = {{WEIR_CPU, "*", slice_grad_run}},
};
