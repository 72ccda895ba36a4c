/* op/infer.c - building blocks of shape functions. */
#include <inttypes.h>

#include "op/op.h"

weir_status weir_infer_same_shape(weir_infer *infer)
{
    for (int output = 0; output < infer->out_count; output++)
        weir_shape_copy(&infer->out[output], infer->in[0]);
    return WEIR_OK;
}

weir_status weir_infer_scalar(weir_infer *infer)
{
    for (int output = 0; output < infer->out_count; output++)
        infer->out[output] = WEIR_SCALAR;
    return WEIR_OK;
}

weir_status weir_infer_unknown(weir_infer *infer)
{
    return WEIR_OK;
}

weir_status weir_infer_no_outputs(weir_infer *infer)
{
    return WEIR_OK;
}

bool weir_op_keeps_shape(const weir_op *op)
{
    return op->infer == weir_infer_same_shape;
}

/* At graph construction the error names the two dims; at run time the two shapes. */
weir_status weir_infer_broadcast(weir_infer *infer)
{
    const weir_shape *a = infer->in[0], *b = infer->in[1];
    int shared = a->rank < b->rank ? a->rank : b->rank;
    for (int d = 1; infer->in_handles && d <= shared; d++) {
        int64_t x = a->dims[a->rank - d], y = b->dims[b->rank - d];
        if (x != y && x >= 0 && y >= 0 && x != 1 && y != 1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Dimensions must be equal, but are %" PRId64 " and %" PRId64, x, y);
    }
    return weir_infer_broadcast_shapes(a, b, &infer->out[0]);
}

weir_status weir_infer_rank(weir_infer *infer, int in, int rank)
{
    const weir_shape *shape = infer->in[in];
    if (shape->rank < 0 || shape->rank == rank)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be rank %d but is rank %d", rank,
                      shape->rank);
}

weir_status weir_infer_rank_at_least(weir_infer *infer, int in, int rank)
{
    const weir_shape *shape = infer->in[in];
    if (shape->rank < 0 || shape->rank >= rank)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be at least rank %d but is rank %d", rank,
                      shape->rank);
}

weir_status weir_infer_rank_at_most(weir_infer *infer, int in, int rank)
{
    const weir_shape *shape = infer->in[in];
    if (shape->rank <= rank)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be at most rank %d but is rank %d", rank,
                      shape->rank);
}

weir_status weir_infer_merge_dim(int64_t a, int64_t b, int64_t *out_dim)
{
    if (a >= 0 && b >= 0 && a != b)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Dimensions must be equal, but are %" PRId64 " and %" PRId64, a, b);
    *out_dim = a >= 0 ? a : b;
    return WEIR_OK;
}

weir_status weir_infer_merge(const weir_shape *a, const weir_shape *b, weir_shape *out_shape)
{
    if (a->rank < 0 || b->rank < 0) {
        *out_shape = a->rank < 0 ? *b : *a;
        return WEIR_OK;
    }
    if (a->rank != b->rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shapes must be equal rank, but are %d and %d",
                          a->rank, b->rank);
    weir_shape merged = *a;
    for (int axis = 0; axis < a->rank; axis++) {
        if (a->dims[axis] >= 0 && b->dims[axis] >= 0 && a->dims[axis] != b->dims[axis])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Dimension %d in both shapes must be equal, but are %" PRId64
                              " and %" PRId64 ". Shapes are %s and %s.",
                              axis, a->dims[axis], b->dims[axis], WEIR_SHAPE_STR(a),
                              WEIR_SHAPE_STR(b));
        if (merged.dims[axis] < 0)
            merged.dims[axis] = b->dims[axis];
    }
    *out_shape = merged;
    return WEIR_OK;
}

/* One dimension of a broadcast: 1 is extended; unknown with n > 1 is n; else unknown. */
static bool broadcast_dim(int64_t a, int64_t b, int64_t *out)
{
    if (a == b)
        *out = a;
    else if (a == 1)
        *out = b;
    else if (b == 1)
        *out = a;
    else if (a < 0 || b < 0)
        *out = a > 1 ? a : b > 1 ? b : -1; /* 0 with unknown: TensorFlow infers nothing */
    else
        return false;
    return true;
}

weir_status weir_infer_broadcast_shapes(const weir_shape *a, const weir_shape *b,
                                        weir_shape *out_shape)
{
    if (a->rank < 0 || b->rank < 0) {
        *out_shape = WEIR_UNKNOWN_SHAPE;
        return WEIR_OK;
    }
    int rank = a->rank > b->rank ? a->rank : b->rank;
    int skip_a = rank - a->rank, skip_b = rank - b->rank;
    weir_shape shape;
    shape.rank = rank;
    for (int axis = 0; axis < rank; axis++) {
        int64_t da = axis < skip_a ? 1 : a->dims[axis - skip_a];
        int64_t db = axis < skip_b ? 1 : b->dims[axis - skip_b];
        if (!broadcast_dim(da, db, &shape.dims[axis]))
            return weir_error(WEIR_INVALID_ARGUMENT, "Incompatible shapes: %s vs. %s",
                              WEIR_SHAPE_STR(a), WEIR_SHAPE_STR(b));
    }
    weir_shape_copy(out_shape, &shape);
    return WEIR_OK;
}

weir_status weir_infer_concat(const weir_shape *a, const weir_shape *b, weir_shape *out_shape)
{
    if (a->rank < 0 || b->rank < 0) {
        *out_shape = WEIR_UNKNOWN_SHAPE;
        return WEIR_OK;
    }
    if (a->rank + b->rank > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shapes %s and %s together have more than %d dims",
                          WEIR_SHAPE_STR(a), WEIR_SHAPE_STR(b), WEIR_MAX_RANK);
    weir_shape shape = *a;
    for (int axis = 0; axis < b->rank; axis++)
        shape.dims[shape.rank++] = b->dims[axis];
    *out_shape = shape;
    return WEIR_OK;
}

weir_shape weir_infer_sub(const weir_shape *shape, int from, int to)
{
    if (shape->rank < 0)
        return WEIR_UNKNOWN_SHAPE;
    weir_shape sub = WEIR_SCALAR;
    for (int axis = from < 0 ? 0 : from; axis < to && axis < shape->rank; axis++)
        sub.dims[sub.rank++] = shape->dims[axis];
    return sub;
}

bool weir_infer_value_int(weir_infer *infer, int in, int64_t *out_value)
{
    const weir_tensor *tensor = weir_infer_value(infer, in);
    if (!tensor || weir_tensor_count(tensor) != 1 ||
        (tensor->dtype != WEIR_INT32 && tensor->dtype != WEIR_INT64))
        return false;
    *out_value = tensor->dtype == WEIR_INT32 ? *(const int32_t *)tensor->data
                                             : *(const int64_t *)tensor->data;
    return true;
}

static weir_status shape_of_value(const weir_tensor *tensor, weir_shape *out_shape)
{
    if (tensor->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input tensor must be rank 1 but was rank %d",
                          tensor->shape.rank);
    int64_t dims[WEIR_MAX_RANK], count;
    WEIR_TRY(weir_tensor_get_ints(tensor, dims, WEIR_MAX_RANK, &count));
    return weir_shape_make(dims, count, out_shape);
}

weir_status weir_infer_value_as_shape(weir_infer *infer, int in, weir_shape *out_shape)
{
    const weir_tensor *tensor = weir_infer_value(infer, in);
    if (tensor)
        return shape_of_value(tensor, out_shape);
    if (infer->value_shape && infer->value_shape(infer, in, out_shape))
        return WEIR_OK;
    *out_shape = WEIR_UNKNOWN_SHAPE;
    const weir_shape *shape = infer->in[in];
    if (shape->rank == 1 && shape->dims[0] >= 0 && shape->dims[0] <= WEIR_MAX_RANK) {
        out_shape->rank = (int32_t)shape->dims[0];
        for (int axis = 0; axis < out_shape->rank; axis++)
            out_shape->dims[axis] = -1;
    }
    return WEIR_OK;
}
