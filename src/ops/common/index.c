/* ops/common/index.c - checks and reads index tensors. */
#include "ops/common/index.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

char *weir_index_text(const weir_shape *shape, int64_t i, char text[WEIR_SHAPE_TEXT])
{
    if (shape->rank <= 0) {
        text[0] = 0;
        return text;
    }
    weir_shape at = *shape;
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        int64_t dim = shape->dims[axis] ? shape->dims[axis] : 1;
        at.dims[axis] = i % dim;
        i /= dim;
    }
    return weir_shape_text(&at, text);
}

#define ELEM uint32_t
#define NAME(x) x##_u32
#include "ops/common/below.inc"
#define ELEM uint64_t
#define NAME(x) x##_u64
#include "ops/common/below.inc"

typedef struct check {
    const weir_tensor *indices;
    int64_t limit;
    atomic_bool bad;
} check;

static void check_part(void *ctx, int64_t begin, int64_t end)
{
    check *check = ctx;
    const weir_tensor *tensor = check->indices;
    bool good =
        tensor->dtype == WEIR_INT64
            ? all_below_u64((const uint64_t *)tensor->data + begin, end - begin, check->limit)
            : all_below_u32((const uint32_t *)tensor->data + begin, end - begin, check->limit);
    if (!good)
        atomic_store_explicit(&check->bad, true, memory_order_relaxed);
}

enum { CHECK_GRAIN = 1 << 15 };

static bool all_below(const weir_par *par, const weir_tensor *indices, int64_t limit)
{
    check check = {.indices = indices, .limit = limit};
    if (indices->dtype != WEIR_INT64 && (indices->dtype != WEIR_INT32 || limit > INT32_MAX))
        return false; /* decided by the slow path */
    weir_par_for(par, weir_tensor_count(indices), CHECK_GRAIN, check_part, &check);
    return !atomic_load_explicit(&check.bad, memory_order_relaxed);
}

weir_status weir_index_check(const weir_tensor *indices, int64_t limit)
{
    return weir_index_check_on(NULL, indices, limit);
}

weir_status weir_index_check_on(const weir_par *par, const weir_tensor *indices, int64_t limit)
{
    int64_t count = weir_tensor_count(indices);
    if (all_below(par, indices, limit))
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
    WEIR_BUF(values);
    for (int d = 0; d < depth; d++)
        weir_buf_addf(&values, "%s%" PRId64, d ? ", " : "",
                      weir_index_at(indices, row * depth + d));
    return weir_error(WEIR_INVALID_ARGUMENT, "indices%s = [%s] does not index into shape %s",
                      weir_index_text(&outer, row, (char[WEIR_SHAPE_TEXT]){0}),
                      values.at ? values.at : "", WEIR_SHAPE_STR(shape));
}

weir_status weir_index_nd(const weir_tensor *indices, const weir_shape *shape, bool skip_bad,
                          int64_t *out_offsets)
{
    const weir_shape *s = &indices->shape;
    int depth = (int)s->dims[s->rank - 1];
    int64_t rows = weir_shape_product(s, 0, s->rank - 1), strides[WEIR_MAX_RANK];
    for (int axis = 0; axis < depth; axis++)
        strides[axis] = weir_shape_product(shape, axis + 1, shape->rank);
    for (int64_t row = 0; row < rows; row++) {
        int64_t offset = 0;
        bool inside = true;
        for (int axis = 0; axis < depth; axis++) {
            int64_t at = weir_index_at(indices, row * depth + axis);
            inside &= at >= 0 && at < shape->dims[axis];
            offset += inside ? at * strides[axis] : 0;
        }
        if (!inside && !skip_bad)
            return bad_row(indices, shape, row);
        out_offsets[row] = inside ? offset : -1;
    }
    return WEIR_OK;
}
