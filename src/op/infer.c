/* op/infer.c - what shape functions are made of. */
#include <inttypes.h>

#include "op/op.h"

weir_status weir_infer_same_shape(weir_infer *i)
{
    for (int o = 0; o < i->out_count; o++)
        weir_shape_copy(&i->out[o], i->in[0]);
    return WEIR_OK;
}

weir_status weir_infer_scalar(weir_infer *i)
{
    for (int o = 0; o < i->out_count; o++)
        i->out[o] = WEIR_SCALAR;
    return WEIR_OK;
}

weir_status weir_infer_unknown(weir_infer *i)
{
    return WEIR_OK;
}

weir_status weir_infer_no_outputs(weir_infer *i)
{
    return WEIR_OK;
}

bool weir_op_keeps_shape(const weir_op *op)
{
    return op->infer == weir_infer_same_shape;
}

/* While a graph is built the two dims that clash are named; later the two shapes. */
weir_status weir_infer_broadcast(weir_infer *i)
{
    const weir_shape *a = i->in[0], *b = i->in[1];
    int shared = a->rank < b->rank ? a->rank : b->rank;
    for (int d = 1; i->in_handles && d <= shared; d++) {
        int64_t x = a->dims[a->rank - d], y = b->dims[b->rank - d];
        if (x != y && x >= 0 && y >= 0 && x != 1 && y != 1)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Dimensions must be equal, but are %" PRId64 " and %" PRId64, x, y);
    }
    return weir_infer_broadcast_shapes(a, b, &i->out[0]);
}

weir_status weir_infer_rank(weir_infer *i, int in, int rank)
{
    const weir_shape *s = i->in[in];
    if (s->rank < 0 || s->rank == rank)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be rank %d but is rank %d", rank, s->rank);
}

weir_status weir_infer_rank_at_least(weir_infer *i, int in, int rank)
{
    const weir_shape *s = i->in[in];
    if (s->rank < 0 || s->rank >= rank)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be at least rank %d but is rank %d", rank,
                      s->rank);
}

weir_status weir_infer_rank_at_most(weir_infer *i, int in, int rank)
{
    const weir_shape *s = i->in[in];
    if (s->rank <= rank)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be at most rank %d but is rank %d", rank,
                      s->rank);
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
    for (int d = 0; d < a->rank; d++) {
        if (a->dims[d] >= 0 && b->dims[d] >= 0 && a->dims[d] != b->dims[d])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Dimension %d in both shapes must be equal, but are %" PRId64
                              " and %" PRId64 ". Shapes are %s and %s.",
                              d, a->dims[d], b->dims[d], WEIR_SHAPE_STR(a), WEIR_SHAPE_STR(b));
        if (merged.dims[d] < 0)
            merged.dims[d] = b->dims[d];
    }
    *out_shape = merged;
    return WEIR_OK;
}

/* One dimension of a broadcast: 1 gives way; unknown with n > 1 is n; else unknown. */
static bool broadcast_dim(int64_t a, int64_t b, int64_t *out)
{
    if (a == b)
        *out = a;
    else if (a == 1)
        *out = b;
    else if (b == 1)
        *out = a;
    else if (a < 0 || b < 0)
        *out = a < 0 ? (b > 1 ? b : b == 0 ? 0 : -1) : (a > 1 ? a : a == 0 ? 0 : -1);
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
    weir_shape s;
    s.rank = rank;
    for (int d = 0; d < rank; d++) {
        int64_t da = d < skip_a ? 1 : a->dims[d - skip_a];
        int64_t db = d < skip_b ? 1 : b->dims[d - skip_b];
        if (!broadcast_dim(da, db, &s.dims[d]))
            return weir_error(WEIR_INVALID_ARGUMENT, "Incompatible shapes: %s vs. %s",
                              WEIR_SHAPE_STR(a), WEIR_SHAPE_STR(b));
    }
    weir_shape_copy(out_shape, &s);
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
    weir_shape s = *a;
    for (int d = 0; d < b->rank; d++)
        s.dims[s.rank++] = b->dims[d];
    *out_shape = s;
    return WEIR_OK;
}

weir_shape weir_infer_sub(const weir_shape *s, int from, int to)
{
    if (s->rank < 0)
        return WEIR_UNKNOWN_SHAPE;
    weir_shape sub = WEIR_SCALAR;
    for (int d = from < 0 ? 0 : from; d < to && d < s->rank; d++)
        sub.dims[sub.rank++] = s->dims[d];
    return sub;
}

bool weir_infer_value_int(weir_infer *i, int in, int64_t *out_value)
{
    const weir_tensor *t = weir_infer_value(i, in);
    if (!t || weir_tensor_count(t) != 1 || (t->dtype != WEIR_INT32 && t->dtype != WEIR_INT64))
        return false;
    *out_value = t->dtype == WEIR_INT32 ? *(const int32_t *)t->data : *(const int64_t *)t->data;
    return true;
}

static weir_status shape_of_value(const weir_tensor *t, weir_shape *out_shape)
{
    if (t->shape.rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input tensor must be rank 1 but was rank %d",
                          t->shape.rank);
    int64_t dims[WEIR_MAX_RANK], count;
    WEIR_TRY(weir_tensor_get_ints(t, dims, WEIR_MAX_RANK, &count));
    return weir_shape_make(dims, count, out_shape);
}

weir_status weir_infer_value_as_shape(weir_infer *i, int in, weir_shape *out_shape)
{
    const weir_tensor *t = weir_infer_value(i, in);
    if (t)
        return shape_of_value(t, out_shape);
    if (i->value_shape && i->value_shape(i, in, out_shape))
        return WEIR_OK;
    *out_shape = WEIR_UNKNOWN_SHAPE;
    const weir_shape *s = i->in[in];
    if (s->rank == 1 && s->dims[0] >= 0 && s->dims[0] <= WEIR_MAX_RANK) {
        out_shape->rank = (int32_t)s->dims[0];
        for (int d = 0; d < out_shape->rank; d++)
            out_shape->dims[d] = -1;
    }
    return WEIR_OK;
}
