/* ops/array/pad.c - Pad, PadV2: a tensor with a constant border. */
#include "ops/array/padding.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

weir_pad_widths weir_pad_widths_of(const weir_tensor *paddings)
{
    weir_pad_widths p = {.rank = (int)paddings->shape.dims[0]};
    for (int d = 0; d < p.rank; d++) {
        p.before[d] = weir_int_at(paddings, 2 * d);
        p.after[d] = weir_int_at(paddings, 2 * d + 1);
    }
    return p;
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

weir_status weir_padding_infer(weir_infer *i, bool shrink)
{
    const weir_shape *x = i->in[0], *p = i->in[1];
    const weir_tensor *value = weir_infer_value(i, 1);
    if (p->rank >= 0 && (p->rank != 2 || (p->dims[1] >= 0 && p->dims[1] != 2)))
        return weir_error(WEIR_INVALID_ARGUMENT, "paddings must be a matrix with 2 columns: %s",
                          WEIR_SHAPE_STR(p));
    int64_t rows = weir_infer_dim(i, 1, 0);
    if (x->rank >= 0 && rows >= 0 && rows != x->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The first dimension of paddings must be the rank of inputs%s %s",
                          WEIR_SHAPE_STR(p), WEIR_SHAPE_STR(x));
    int rank = x->rank >= 0 ? x->rank : rows >= 0 && rows <= WEIR_MAX_RANK ? (int)rows : -1;
    if (rank < 0)
        return WEIR_OK;
    weir_shape out = weir_shape_of_rank(rank);
    for (int d = 0; value && d < rank; d++)
        WEIR_TRY(pad_dim(x->rank >= 0 ? x->dims[d] : -1, weir_int_at(value, 2 * d),
                         weir_int_at(value, 2 * d + 1), shrink, &out.dims[d]));
    i->out[0] = out;
    return WEIR_OK;
}

static weir_status infer(weir_infer *i)
{
    if (i->in_count > 2)
        WEIR_TRY(weir_infer_rank(i, 2, 0));
    return weir_padding_infer(i, false);
}

/* Fills |width| places of dim |d| from |from| on: all of the dims after it, and of those before it
 * only where x will be, so that no element is written twice. */
static void fill_band(weir_call *call, const weir_pad_widths *p, int d, int64_t from, int64_t width,
                      const void *value)
{
    const weir_shape *x = &weir_in(call, 0)->shape;
    weir_tensor *y = weir_out(call, 0);
    int64_t ys[WEIR_MAX_RANK], at = 0;
    weir_ndcopy c = {0};
    weir_shape_strides(&y->shape, ys);
    for (int k = 0; k < x->rank; k++) {
        weir_ndcopy_add(&c, k < d ? x->dims[k] : k == d ? width : y->shape.dims[k], ys[k], 0);
        at += (k < d ? p->before[k] : k == d ? from : 0) * ys[k];
    }
    weir_ndcopy_run(&call->run->par, y->dtype, weir_at(y, at), value, &c);
}

static weir_status pad_with(weir_call *call, const void *value)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    weir_pad_widths p = weir_pad_widths_of(weir_in(call, 1));
    int64_t xs[WEIR_MAX_RANK], ys[WEIR_MAX_RANK], at = 0;
    weir_ndcopy c = {0};
    weir_shape_strides(&x->shape, xs);
    weir_shape_strides(&y->shape, ys);
    for (int d = 0; d < p.rank; d++) {
        fill_band(call, &p, d, 0, p.before[d], value);
        fill_band(call, &p, d, p.before[d] + x->shape.dims[d], p.after[d], value);
        weir_ndcopy_add(&c, x->shape.dims[d], ys[d], xs[d]);
        at += p.before[d] * ys[d];
    }
    weir_ndcopy_run(&call->run->par, x->dtype, weir_at(y, at), x->data, &c);
    return WEIR_OK;
}

static weir_status pad(weir_call *call)
{
    static const uint64_t zero[3]; /* of any type: 0, an empty string, no handle */
    return pad_with(call, zero);
}

static weir_status pad_v2(weir_call *call)
{
    return pad_with(call, weir_in(call, 2)->data);
}

/* dx is what lies inside the border. */
static weir_status grad(weir_grad *g)
{
    weir_edge paddings = weir_grad_x(g, 1);
    weir_dtype index = weir_edge_dtype(paddings);
    weir_edge shape = weir_grad_op(g, "Shape", WEIR_IN(weir_grad_x(g, 0)),
                                   WEIR_ATTRS(weir_a_type("out_type", index)));
    weir_edge rank = weir_grad_op(g, "Rank", WEIR_IN(weir_grad_x(g, 0)), WEIR_NO_ATTRS);
    weir_edge size = weir_grad_op(g, "Pack", WEIR_IN(rank, weir_grad_int32(g, 1)), WEIR_NO_ATTRS);
    weir_edge before = weir_grad_op(
        g, "Slice", WEIR_IN(paddings, weir_grad_const_int32(g, (int32_t[]){0, 0}, 2), size),
        WEIR_NO_ATTRS);
    weir_grad_set(g, 0,
                  weir_grad_op(g, "Slice",
                               WEIR_IN(weir_grad_dy(g, 0), weir_grad_flatten(g, before), shape),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_pad = {
    .name = "Pad",
    .in = "input: T; paddings: Tpaddings",
    .out = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", pad}},
};

const weir_op weir_op_pad_v2 = {
    .name = "PadV2",
    .in = "input: T; paddings: Tpaddings; constant_values: T",
    .out = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", pad_v2}},
};
