/* ops/array/pack.c - Pack and Unpack: stacks tensors along a new axis, and unstacks them. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

enum { COUNT, T, AXIS };

/* ---- Pack ------------------------------------------------------------------------------------ */

static weir_status pack_axis(const weir_site *site, int rank, int *out_axis)
{
    int64_t axis = weir_site_int(site, AXIS);
    int dims = rank + 1;
    if (axis < -dims || axis >= dims)
        return weir_error(WEIR_INVALID_ARGUMENT, "axis = %" PRId64 " not in [%d, %d)", axis, -dims,
                          dims);
    *out_axis = (int)(axis < 0 ? axis + dims : axis);
    return WEIR_OK;
}

static weir_status pack_infer(weir_infer *infer)
{
    weir_shape each = *infer->in[0];
    int axis;
    for (int k = 1; k < infer->in_count; k++) {
        if (weir_infer_running(infer) && !weir_shape_eq(&each, infer->in[k]))
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Shapes of all inputs must match: values[0].shape = %s != values[%d].shape = %s",
                WEIR_SHAPE_STR(&each), k, WEIR_SHAPE_STR(infer->in[k]));
        WEIR_TRY_NOTE(weir_infer_merge(&each, infer->in[k], &each),
                      "From merging shape %d with other shapes.", k);
    }
    if (each.rank < 0)
        return WEIR_OK;
    WEIR_TRY(pack_axis(infer->site, each.rank, &axis));
    weir_shape out = {.rank = 0};
    for (int dim = 0; dim <= each.rank; dim++) {
        if (dim == axis)
            WEIR_TRY(weir_infer_append(&out, infer->in_count));
        if (dim < each.rank)
            WEIR_TRY(weir_infer_append(&out, each.dims[dim]));
    }
    infer->out[0] = out;
    return WEIR_OK;
}

static weir_status pack(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    const weir_shape *each = &weir_in(call, 0)->shape;
    int axis, count = call->site->in_count;
    WEIR_TRY(pack_axis(call->site, each->rank, &axis));
    int64_t rows = weir_shape_product(each, 0, axis);
    int64_t run = weir_shape_product(each, axis, each->rank);
    for (int k = 0; k < count; k++)
        weir_rows_copy(&call->run->par, y->dtype, weir_at(y, k * run), count * run,
                       weir_in(call, k)->data, run, rows, run);
    return WEIR_OK;
}

static weir_status pack_grad(weir_grad *grad)
{
    int count = weir_grad_site(grad)->in_count;
    weir_node *parts =
        weir_grad_node_add(grad, "Unpack", WEIR_IN(weir_grad_dy(grad, 0)),
                           WEIR_ATTRS(weir_a_int("num", count), weir_grad_attr(grad, "axis")));
    for (int k = 0; parts && k < count; k++)
        weir_grad_set(grad, k, (weir_edge){parts, k});
    return WEIR_OK;
}

const weir_op weir_op_pack = {
    .name = "Pack",
    .in = "values: N * T",
    .out = "output: T",
    .attrs = "N: int >= 1; T: type; axis: int = 0",
    .infer = pack_infer,
    .grad = pack_grad,
    .kernels = {{WEIR_CPU, "*", pack}},
};

/* ---- Unpack ---------------------------------------------------------------------------------- */

static weir_status unpack_axis(const weir_site *site, int rank, int *out_axis)
{
    int64_t axis = weir_site_int(site, AXIS);
    if (axis < -rank || axis >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "axis = %" PRId64 " not in [%d, %d)", axis, -rank,
                          rank);
    *out_axis = (int)(axis < 0 ? axis + rank : axis);
    return WEIR_OK;
}

static weir_status unpack_infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0];
    int axis;
    if (x->rank < 0)
        return WEIR_OK;
    WEIR_TRY(unpack_axis(infer->site, x->rank, &axis));
    int64_t num = weir_site_int(infer->site, COUNT);
    if (x->dims[axis] >= 0 && x->dims[axis] != num)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input shape axis %d must equal %" PRId64 ", got shape %s", axis, num,
                          WEIR_SHAPE_STR(x));
    weir_shape part = {.rank = 0};
    for (int dim = 0; dim < x->rank; dim++)
        if (dim != axis)
            part.dims[part.rank++] = x->dims[dim];
    for (int k = 0; k < infer->out_count; k++)
        infer->out[k] = part;
    return WEIR_OK;
}

static weir_status unpack(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int axis, count = call->site->out_count;
    WEIR_TRY(unpack_axis(call->site, x->shape.rank, &axis));
    int64_t rows = weir_shape_product(&x->shape, 0, axis);
    int64_t run = weir_shape_product(&x->shape, axis + 1, x->shape.rank);
    for (int k = 0; k < count; k++)
        weir_rows_copy(&call->run->par, x->dtype, weir_out(call, k)->data, run, weir_at(x, k * run),
                       count * run, rows, run);
    return WEIR_OK;
}

static weir_status unpack_grad(weir_grad *grad)
{
    int count = weir_grad_site(grad)->out_count;
    if (count == 0)
        return WEIR_OK;
    WEIR_FREED weir_edge *in = WEIR_NEW_ARRAY(weir_edge, count);
    for (int k = 0; k < count; k++)
        in[k] = weir_grad_dy(grad, k);
    weir_grad_set(
        grad, 0,
        weir_grad_first(grad, "Pack", in, count, WEIR_ATTRS(weir_grad_attr(grad, "axis"))));
    return WEIR_OK;
}

const weir_op weir_op_unpack = {
    .name = "Unpack",
    .in = "value: T",
    .out = "output: num * T",
    .attrs = "num: int >= 0; T: type; axis: int = 0",
    .infer = unpack_infer,
    .grad = unpack_grad,
    .kernels = {{WEIR_CPU, "*", unpack}},
};
