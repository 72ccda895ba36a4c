/* ops/array/pad.c - Pad, PadV2: constant padding. */
#include "ops/array/padding.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

weir_pad_widths weir_pad_widths_of(const weir_tensor *paddings)
{
    weir_pad_widths widths = {.rank = (int)paddings->shape.dims[0]};
    for (int axis = 0; axis < widths.rank; axis++) {
        widths.before[axis] = weir_int_at(paddings, 2 * axis);
        widths.after[axis] = weir_int_at(paddings, 2 * axis + 1);
    }
    return widths;
}

static weir_status pad_dim(int64_t dim, int64_t before, int64_t after, bool shrink, int64_t *out)
{
    if (before < 0 || after < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Paddings must be non-negative: %" PRId64 " %" PRId64, before, after);
    int64_t width;
    WEIR_TRY(weir_dim_add(before, after, &width));
    if (!shrink || dim < 0)
        return weir_dim_add(dim, width, out);
    *out = dim - width;
    if (*out < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Paddings %" PRId64 " and %" PRId64
                          " are wider than the dimension %" PRId64,
                          before, after, dim);
    return WEIR_OK;
}

weir_status weir_padding_infer(weir_infer *infer, bool shrink)
{
    const weir_shape *x = infer->in[0], *p = infer->in[1];
    const weir_tensor *value = weir_infer_value(infer, 1);
    if (p->rank >= 0 && (p->rank != 2 || (p->dims[1] >= 0 && p->dims[1] != 2)))
        return weir_error(WEIR_INVALID_ARGUMENT, "paddings must be a matrix with 2 columns: %s",
                          WEIR_SHAPE_STR(p));
    int64_t rows = weir_infer_dim(infer, 1, 0);
    if (x->rank >= 0 && rows >= 0 && rows != x->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The first dimension of paddings must be the rank of inputs%s %s",
                          WEIR_SHAPE_STR(p), WEIR_SHAPE_STR(x));
    int rank = x->rank >= 0 ? x->rank : rows >= 0 && rows <= WEIR_MAX_RANK ? (int)rows : -1;
    if (rank < 0)
        return WEIR_OK;
    weir_shape out = weir_shape_of_rank(rank);
    for (int axis = 0; value && axis < rank; axis++)
        WEIR_TRY(pad_dim(x->rank >= 0 ? x->dims[axis] : -1, weir_int_at(value, 2 * axis),
                         weir_int_at(value, 2 * axis + 1), shrink, &out.dims[axis]));
    infer->out[0] = out;
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    if (infer->in_count > 2)
        WEIR_TRY(weir_infer_rank(infer, 2, 0));
    return weir_padding_infer(infer, false);
}

/* Fills |width| positions of dim |d| from |from| on: dims after it with their padding, dims before
 * it without, so that no element is written twice. */
static void fill_band(weir_call *call, const weir_pad_widths *widths, int d, int64_t from,
                      int64_t width, const void *value)
{
    const weir_shape *x = &weir_in(call, 0)->shape;
    weir_tensor *y = weir_out(call, 0);
    int64_t ys[WEIR_MAX_RANK], at = 0;
    weir_ndcopy copy = {0};
    weir_shape_strides(&y->shape, ys);
    for (int k = 0; k < x->rank; k++) {
        weir_ndcopy_add(&copy, k < d ? x->dims[k] : k == d ? width : y->shape.dims[k], ys[k], 0);
        at += (k < d ? widths->before[k] : k == d ? from : 0) * ys[k];
    }
    weir_ndcopy_run(&call->run->par, y->dtype, weir_at(y, at), value, &copy);
}

static weir_status pad_with(weir_call *call, const void *value)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    weir_pad_widths widths = weir_pad_widths_of(weir_in(call, 1));
    int64_t xs[WEIR_MAX_RANK], ys[WEIR_MAX_RANK], at = 0;
    weir_ndcopy copy = {0};
    weir_shape_strides(&x->shape, xs);
    weir_shape_strides(&y->shape, ys);
    for (int axis = 0; axis < widths.rank; axis++) {
        fill_band(call, &widths, axis, 0, widths.before[axis], value);
        fill_band(call, &widths, axis, widths.before[axis] + x->shape.dims[axis],
                  widths.after[axis], value);
        weir_ndcopy_add(&copy, x->shape.dims[axis], ys[axis], xs[axis]);
        at += widths.before[axis] * ys[axis];
    }
    weir_ndcopy_run(&call->run->par, x->dtype, weir_at(y, at), x->data, &copy);
    return WEIR_OK;
}

static weir_status pad(weir_call *call)
{
    static const uint64_t zero[3]; /* valid for any type: 0, an empty string, a null handle */
    return pad_with(call, zero);
}

static weir_status pad_v2(weir_call *call)
{
    return pad_with(call, weir_in(call, 2)->data);
}

/* dx is dy without the padding. */
static weir_status grad(weir_grad *grad)
{
    weir_edge paddings = weir_grad_x(grad, 1);
    weir_dtype index = weir_edge_dtype(paddings);
    weir_edge shape = weir_grad_op(grad, "Shape", WEIR_IN(weir_grad_x(grad, 0)),
                                   WEIR_ATTRS(weir_a_type("out_type", index)));
    weir_edge rank = weir_grad_op(grad, "Rank", WEIR_IN(weir_grad_x(grad, 0)), WEIR_NO_ATTRS);
    weir_edge size =
        weir_grad_op(grad, "Pack", WEIR_IN(rank, weir_grad_int32(grad, 1)), WEIR_NO_ATTRS);
    weir_edge before = weir_grad_op(
        grad, "Slice", WEIR_IN(paddings, weir_grad_const_int32(grad, (int32_t[]){0, 0}, 2), size),
        WEIR_NO_ATTRS);
    weir_grad_set(
        grad, 0,
        weir_grad_op(grad, "Slice",
                     WEIR_IN(weir_grad_dy(grad, 0), weir_grad_flatten(grad, before), shape),
                     WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_pad = {
    .name = "Pad",
    .in = "input: T; paddings: Tpaddings",
    .out = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32",
    .host = "paddings",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", pad}},
};

const weir_op weir_op_pad_v2 = {
    .name = "PadV2",
    .in = "input: T; paddings: Tpaddings; constant_values: T",
    .out = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32",
    .host = "paddings",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", pad_v2}},
};
