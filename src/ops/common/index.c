/* ops/common/index.c - checks and reads index tensors. */
#include "ops/common/index.h"

#include <inttypes.h>
#include <stdio.h>

char *weir_index_text(const weir_shape *shape, int64_t i, char text[WEIR_SHAPE_TEXT])
{
    if (shape->rank <= 0) {
        text[0] = 0;
        return text;
    }
    weir_shape at = *shape;
    for (int d = shape->rank - 1; d >= 0; d--) {
        int64_t dim = shape->dims[d] ? shape->dims[d] : 1;
        at.dims[d] = i % dim;
        i /= dim;
    }
    return weir_shape_text(&at, text);
}

/* One comparison each: a negative index is a huge one without its sign. */
#define ALL_BELOW(type, unsigned_type)                                                             \
    do {                                                                                           \
        const type *at_ = indices->data;                                                           \
        bool bad_ = false;                                                                         \
        for (int64_t i_ = 0; i_ < count; i_++)                                                     \
            bad_ |= (unsigned_type)at_[i_] >= (unsigned_type)limit;                                \
        return !bad_;                                                                              \
    } while (0)

static bool all_below(const weir_tensor *indices, int64_t limit)
{
    int64_t count = weir_tensor_count(indices);
    if (indices->dtype == WEIR_INT64)
        ALL_BELOW(int64_t, uint64_t);
    if (indices->dtype == WEIR_INT32 && limit <= INT32_MAX)
        ALL_BELOW(int32_t, uint32_t);
    return false; /* the slow way finds out */
}

weir_status weir_index_check(const weir_tensor *indices, int64_t limit)
{
    int64_t count = weir_tensor_count(indices);
    if (all_below(indices, limit))
        return WEIR_OK;
    for (int64_t i = 0; i < count; i++) {
        int64_t at = weir_index_at(indices, i);
        if (at < 0 || at >= limit)
            return weir_error(
                WEIR_INVALID_ARGUMENT, "indices%s = %" PRId64 " is not in [0, %" PRId64 ")",
                weir_index_text(&indices->shape, i, (char[WEIR_SHAPE_TEXT]){0}), at, limit);
    }
    return WEIR_OK;
}

static weir_status bad_row(const weir_tensor *indices, const weir_shape *shape, int64_t row)
{
    int depth = (int)indices->shape.dims[indices->shape.rank - 1];
    weir_shape outer = indices->shape;
    outer.rank--;
    weir_buf values = {0};
    for (int d = 0; d < depth; d++)
        weir_buf_addf(&values, "%s%" PRId64, d ? ", " : "",
                      weir_index_at(indices, row * depth + d));
    weir_status s =
        weir_error(WEIR_INVALID_ARGUMENT, "indices%s = [%s] does not index into shape %s",
                   weir_index_text(&outer, row, (char[WEIR_SHAPE_TEXT]){0}),
                   values.at ? values.at : "", WEIR_SHAPE_STR(shape));
    weir_buf_fini(&values);
    return s;
}

weir_status weir_index_nd(const weir_tensor *indices, const weir_shape *shape, bool skip_bad,
                          int64_t *out_offsets)
{
    const weir_shape *s = &indices->shape;
    int depth = (int)s->dims[s->rank - 1];
    int64_t rows = weir_shape_product(s, 0, s->rank - 1), strides[WEIR_MAX_RANK];
    for (int d = 0; d < depth; d++)
        strides[d] = weir_shape_product(shape, d + 1, shape->rank);
    for (int64_t row = 0; row < rows; row++) {
        int64_t offset = 0;
        bool inside = true;
        for (int d = 0; d < depth; d++) {
            int64_t at = weir_index_at(indices, row * depth + d);
            inside &= at >= 0 && at < shape->dims[d];
            offset += inside ? at * strides[d] : 0;
        }
        if (!inside && !skip_bad)
            return bad_row(indices, shape, row);
        out_offsets[row] = inside ? offset : -1;
    }
    return WEIR_OK;
}
