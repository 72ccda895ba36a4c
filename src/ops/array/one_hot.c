/* ops/array/one_hot.c - OneHot: one-hot encoding along a new axis. */
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"

enum { AXIS };

static weir_status read_axis(const weir_site *site, int rank, int *out_axis)
{
    int64_t axis = weir_site_int(site, AXIS);
    if (axis < -1 || axis > rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected axis to be -1 or between [0, %d).  But received: %" PRId64,
                          rank + 1, axis);
    *out_axis = axis == -1 ? rank : (int)axis;
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0];
    int64_t depth = -1;
    int axis;
    for (int k = 1; k < 4; k++)
        WEIR_TRY(weir_infer_rank(infer, k, 0));
    if (weir_infer_value_int(infer, 1, &depth) && depth < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "depth must be non-negative, got: %" PRId64,
                          depth);
    if (x->rank < 0)
        return WEIR_OK;
    WEIR_TRY(read_axis(infer->site, x->rank, &axis));
    weir_shape out = {.rank = 0};
    for (int dim = 0; dim <= x->rank; dim++) {
        if (dim == axis)
            WEIR_TRY(weir_infer_append(&out, depth));
        if (dim < x->rank)
            WEIR_TRY(weir_infer_append(&out, x->dims[dim]));
    }
    infer->out[0] = out;
    return WEIR_OK;
}

/* Indices outside [0, depth) give only off values. */
static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *on = weir_in(call, 2);
    weir_tensor *y = weir_out(call, 0);
    int axis;
    WEIR_TRY(read_axis(call->site, x->shape.rank, &axis));
    int64_t prefix = weir_shape_product(&x->shape, 0, axis);
    int64_t suffix = weir_shape_product(&x->shape, axis, x->shape.rank);
    int64_t depth = y->shape.dims[axis];
    weir_tensor_fill(&call->run->par, y, weir_in(call, 3)->data);
    for (int64_t p = 0; p < prefix; p++) {
        for (int64_t s = 0; s < suffix; s++) {
            int64_t hot = weir_int_at(x, p * suffix + s);
            if (hot >= 0 && hot < depth)
                weir_elements_copy(y->dtype, weir_at(y, (p * depth + hot) * suffix + s), on->data,
                                   1);
        }
    }
    return WEIR_OK;
}

const weir_op weir_op_one_hot = {
    .name = "OneHot",
    .in = "indices: TI; depth: int32; on_value: T; off_value: T",
    .out = "output: T",
    .attrs = "axis: int = -1; T: type; TI: {uint8, int8, int32, int64} = DT_INT64",
    .host = "depth",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run}},
};
