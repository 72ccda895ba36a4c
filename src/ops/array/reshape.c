/* ops/array/reshape.c - Reshape: the same elements in another shape. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

/* Reads the requested sizes; |out_open| is the index of the -1, or -1. */
static weir_status read_sizes(const weir_tensor *sizes, weir_shape *out, int *out_open)
{
    int64_t count = weir_tensor_count(sizes);
    if (count > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Reshape to %" PRId64 " dimensions; at most %d are supported", count,
                          WEIR_MAX_RANK);
    *out_open = -1;
    out->rank = (int)count;
    for (int axis = 0; axis < out->rank; axis++) {
        int64_t size = out->dims[axis] = weir_int_at(sizes, axis);
        if (size < -1)
            return weir_error(WEIR_INVALID_ARGUMENT, "Size %d must be non-negative, not %" PRId64,
                              axis, size);
        if (size == -1 && *out_open >= 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Only one input size may be -1, not both %d and %d", *out_open, axis);
        if (size == -1)
            *out_open = axis;
    }
    return WEIR_OK;
}

/* Product of the given dims; fails on overflow. */
static weir_status given_product(const weir_shape *shape, int64_t *out)
{
    *out = 1;
    for (int axis = 0; axis < shape->rank; axis++)
        if (shape->dims[axis] >= 0)
            WEIR_TRY(weir_dim_mul(*out, shape->dims[axis], out));
    return WEIR_OK;
}

/* Product of the dims, without the zeros among them. */
static weir_status product_but_zeros(const weir_shape *shape, int64_t *out)
{
    weir_shape rest = {.rank = 0};
    for (int axis = 0; axis < shape->rank; axis++)
        if (shape->dims[axis] != 0)
            rest.dims[rest.rank++] = shape->dims[axis];
    return given_product(&rest, out);
}

/* The size for -1. If a size of 0 is requested, zeros of both sides are ignored, so that [0, 6]
 * becomes [0, 2, 3] by [0, -1, 3]. */
static weir_status open_size(const weir_shape *from, int64_t given, const weir_shape *sizes,
                             int64_t *out_size)
{
    int64_t have = weir_shape_count(from);
    bool divides = given != 0;
    if (given == 0) {
        WEIR_TRY(product_but_zeros(sizes, &given));
        WEIR_TRY(product_but_zeros(from, &have));
        divides = weir_shape_count(from) != 0;
    }
    if (divides && have % given != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input to reshape is a tensor with %" PRId64
                          " values, but the requested shape requires a multiple of %" PRId64,
                          have, given);
    *out_size = have / given;
    return WEIR_OK;
}

static weir_status reshape_running(const weir_shape *from, const weir_tensor *sizes,
                                   weir_shape *out)
{
    int64_t have = weir_shape_count(from), given;
    int open;
    WEIR_TRY(read_sizes(sizes, out, &open));
    WEIR_TRY(given_product(out, &given));
    if (open >= 0)
        WEIR_TRY(open_size(from, given, out, &out->dims[open]));
    WEIR_TRY(given_product(out, &given));
    if (given != have)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input to reshape is a tensor with %" PRId64
                          " values, but the requested shape has %" PRId64,
                          have, given);
    return WEIR_OK;
}

/* For partially known sizes: a single missing size (-1 or unknown) is inferred if the number of
 * elements is known. */
static weir_status reshape_partly(const weir_shape *from, weir_shape *out)
{
    int64_t have = weir_shape_count(from), given;
    int open = -1, open_count = 0;
    if (out->rank < 0 || have < 0)
        return WEIR_OK;
    WEIR_TRY(given_product(out, &given));
    for (int axis = 0; axis < out->rank; axis++)
        if (out->dims[axis] < 0) {
            open = axis;
            open_count++;
        }
    if (open_count == 0 && given != have)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot reshape a tensor with %" PRId64 " elements to shape %s (%" PRId64
                          " elements)",
                          have, WEIR_SHAPE_STR(out), given);
    if (open_count != 1 || given == 0)
        return WEIR_OK;
    if (have % given != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Dimension size must be evenly divisible by %" PRId64 " but is %" PRId64,
                          given, have);
    out->dims[open] = have / given;
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    if (infer->out_handles && infer->in_handles && infer->in_handles[0])
        infer->out_handles[0] = *infer->in_handles[0];
    if (weir_infer_running(infer)) {
        if (infer->in[1]->rank > 1)
            return weir_error(WEIR_INVALID_ARGUMENT, "sizes input must be 1-D, not %s",
                              WEIR_SHAPE_STR(infer->in[1]));
        return reshape_running(infer->in[0], weir_infer_value(infer, 1), &infer->out[0]);
    }
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    WEIR_TRY(weir_infer_value_as_shape(infer, 1, &infer->out[0]));
    return reshape_partly(infer->in[0], &infer->out[0]);
}

static weir_status run(weir_call *call)
{
    weir_shape shape;
    WEIR_TRY(reshape_running(&weir_in(call, 0)->shape, weir_in(call, 1), &shape));
    weir_call_forward(call, 0, 0, &shape);
    return WEIR_OK;
}

const weir_op weir_op_reshape = {
    .name = "Reshape",
    .in = "tensor: T; shape: Tshape",
    .out = "output: T",
    .attrs = "T: type; Tshape: {int32, int64} = DT_INT32",
    .host = "shape",
    .flags = WEIR_MAY_SHARE,
    .infer = infer,
    .grad = weir_grad_reshape_back,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};
