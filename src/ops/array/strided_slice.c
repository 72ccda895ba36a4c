/* ops/array/strided_slice.c - StridedSlice and StridedSliceGrad. */
#include "ops/array/slicing.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

enum { T, INDEX, MASKS };

/* ---- StridedSlice -----------------------------------------------------------------------------
 */

static weir_status slice_infer(weir_infer *i)
{
    const weir_tensor *strides = weir_infer_value(i, 3);
    weir_slice_masks masks = weir_slice_masks_of(i->site, MASKS);
    weir_slicing s;
    WEIR_TRY(weir_slicing_check(i, 1));
    if (!strides || i->in[0]->rank < 0)
        return WEIR_OK;
    WEIR_TRY(weir_slicing_make(&masks, weir_infer_value(i, 1), weir_infer_value(i, 2), strides,
                               i->in[0], &s));
    i->out[0] = s.shape;
    if (i->out_handles && i->in_handles && i->in_handles[0])
        i->out_handles[0] = *i->in_handles[0];
    return WEIR_OK;
}

/* True when the part is one piece of memory that begins where vectors may. Sharing it saves the
 * copy; it keeps the whole buffer alive, as everything cut from it is used up soon. */
static bool one_piece(const weir_slicing *s, const weir_tensor *x, int64_t *out_at)
{
    int64_t run = weir_tensor_count(x);
    int d = 0;
    *out_at = 0;
    if (run == 0)
        return false;
    for (; d < s->rank; d++) { /* leading dims of which one element is taken */
        run /= x->shape.dims[d];
        *out_at += s->begin[d] * run;
        if (s->size[d] != 1)
            break;
    }
    if (d < s->rank && s->stride[d] != 1)
        return false;
    for (d++; d < s->rank; d++)
        if (s->begin[d] != 0 || s->stride[d] != 1 || s->size[d] != x->shape.dims[d])
            return false;
    return *out_at * (int64_t)weir_dtype_size(x->dtype) % WEIR_ALIGNMENT == 0;
}

static weir_status slice(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_slice_masks masks = weir_slice_masks_of(call->site, MASKS);
    weir_slicing s;
    int64_t at;
    WEIR_TRY(weir_slicing_make(&masks, weir_in(call, 1), weir_in(call, 2), weir_in(call, 3),
                               &x->shape, &s));
    if (s.whole) {
        weir_call_forward(call, 0, 0, &s.shape);
        return WEIR_OK;
    }
    if (one_piece(&s, x, &at)) {
        weir_call_set(call, 0, weir_tensor_slice(x, at, &s.shape));
        return WEIR_OK;
    }
    WEIR_TRY(weir_call_alloc(call, 0, &s.shape));
    weir_slicing_get(&call->run->par, x->dtype, &s, &x->shape, x->data, weir_out(call, 0)->data);
    return WEIR_OK;
}

static weir_edge widened(weir_grad *g, weir_edge e, weir_dtype to)
{
    if (weir_edge_dtype(e) == to)
        return e;
    return weir_grad_op(g, "Cast", WEIR_IN(e), WEIR_ATTRS(weir_a_type("DstT", to)));
}

static weir_status slice_grad(weir_grad *g)
{
    weir_dtype index = weir_site_type(weir_grad_site(g), INDEX);
    if (index == WEIR_INT16) /* StridedSliceGrad has no 16-bit form */
        index = WEIR_INT32;
    weir_edge shape = weir_grad_op(g, "Shape", WEIR_IN(weir_grad_x(g, 0)),
                                   WEIR_ATTRS(weir_a_type("out_type", index)));
    weir_grad_set(g, 0,
                  weir_grad_op(g, "StridedSliceGrad",
                               WEIR_IN(shape, widened(g, weir_grad_x(g, 1), index),
                                       widened(g, weir_grad_x(g, 2), index),
                                       widened(g, weir_grad_x(g, 3), index), weir_grad_dy(g, 0)),
                               WEIR_SLICE_GRAD_ATTRS(g)));
    return WEIR_OK;
}

const weir_op weir_op_strided_slice = {
    .name = "StridedSlice",
    .in = "input: T; begin: Index; end: Index; strides: Index",
    .out = "output: T",
    .attrs = "T: type; Index: {int16, int32, int64}" WEIR_SLICE_MASK_ATTRS,
    .infer = slice_infer,
    .grad = slice_grad,
    .kernels = {{WEIR_CPU, "*", slice, WEIR_OWN_OUTPUTS}},
};

/* ---- StridedSliceGrad -------------------------------------------------------------------------
 */

static weir_status grad_infer(weir_infer *i)
{
    WEIR_TRY(weir_slicing_check(i, 1));
    WEIR_TRY(weir_infer_rank(i, 0, 1));
    return weir_infer_new_shape(i, 0, &i->out[0]);
}

static weir_status slice_grad_run(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 4);
    weir_tensor *dx = weir_out(call, 0);
    weir_slice_masks masks = weir_slice_masks_of(call->site, MASKS);
    weir_slicing s;
    WEIR_TRY(weir_slicing_make(&masks, weir_in(call, 1), weir_in(call, 2), weir_in(call, 3),
                               &dx->shape, &s));
    if (!weir_shape_eq(&s.shape, &dy->shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "shape of dy was %s instead of %s",
                          WEIR_SHAPE_STR(&dy->shape), WEIR_SHAPE_STR(&s.shape));
    if (!s.whole)
        weir_tensor_zero(&call->run->par, dx);
    weir_slicing_put(&call->run->par, dx->dtype, &s, &dx->shape, dx->data, dy->data);
    return WEIR_OK;
}

static weir_status grad_grad(weir_grad *g)
{
    weir_grad_set(g, 4,
                  weir_grad_op(g, "StridedSlice",
                               WEIR_IN(weir_grad_dy(g, 0), weir_grad_x(g, 1), weir_grad_x(g, 2),
                                       weir_grad_x(g, 3)),
                               WEIR_SLICE_GRAD_ATTRS(g)));
    return WEIR_OK;
}

const weir_op weir_op_strided_slice_grad = {
    .name = "StridedSliceGrad",
    .in = "shape: Index; begin: Index; end: Index; strides: Index; dy: T",
    .out = "output: T",
    .attrs = "T: type; Index: {int32, int64}" WEIR_SLICE_MASK_ATTRS,
    .infer = grad_infer,
    .grad = grad_grad,
    .kernels = {{WEIR_CPU, "*", slice_grad_run}},
};
