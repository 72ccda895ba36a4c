/* ops/math/segment_util.c - validation of ids, reduction of rows. */
#include "ops/math/segment_util.h"

#include <float.h>
#include <inttypes.h>

#include "math/cast/cast.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"

weir_status weir_segment_type(const weir_call *call, weir_segment_op op, weir_dtype dtype)
{
    if (weir_segment_has(op, weir_elem_of(dtype)))
        return WEIR_OK;
    return weir_error(WEIR_UNIMPLEMENTED, "%s is not implemented for type %s", call->site->op->name,
                      weir_dtype_name(dtype));
}

weir_status weir_segment_ids(const weir_tensor *tensor, weir_tensor *out_ids)
{
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &tensor->shape, out_ids));
    weir_cast_run(NULL, weir_elem_of(tensor->dtype), WEIR_E_i64, weir_tensor_count(tensor),
                  tensor->data, out_ids->data);
    return WEIR_OK;
}

/* Checks one segment after another, to report the same of several errors as TensorFlow. */
weir_status weir_segment_sorted(const int64_t *ids, int64_t rows, int64_t *out_segments)
{
    int64_t segments = rows > 0 ? ids[rows - 1] + 1 : 0;
    if (rows > 0 && segments <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "segment ids must be >= 0");
    for (int64_t row = 1; row <= rows; row++) {
        int64_t id = ids[row - 1];
        if (row < rows && ids[row] == id)
            continue;
        if (row < rows && ids[row] < id)
            return weir_error(WEIR_INVALID_ARGUMENT, "segment ids are not increasing");
        if (id < 0 || id >= segments)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Segment id %" PRId64 " out of range [0, %" PRId64
                              "), possibly because 'segment_ids' input is not sorted.",
                              id, segments);
    }
    *out_segments = segments;
    return WEIR_OK;
}

/* The value of an empty segment in an unsorted reduction: the opposite end of the range. */
typedef union element {
    double d;
    float f;
    uint64_t u;
    uint16_t h;
    weir_c128 c;
} element;

static element extreme(weir_elem elem, bool highest)
{
    int bits = weir_elem_size(elem) * 8;
    bool is_signed = elem >= WEIR_E_i8 && elem <= WEIR_E_i64;
    uint64_t top = ~0ull >> (64 - bits) >> is_signed;
    switch (elem) {
    case WEIR_E_f64:
        return (element){.d = highest ? DBL_MAX : -DBL_MAX};
    case WEIR_E_f32:
        return (element){.f = highest ? FLT_MAX : -FLT_MAX};
    case WEIR_E_f16:
        return (element){.h = highest ? 0x7bff : 0xfbff};
    case WEIR_E_bf16:
        return (element){.h = highest ? 0x7f7f : 0xff7f};
    default:
        return (element){.u = highest ? top : is_signed ? ~top : 0};
    }
}

static element one(weir_elem elem)
{
    element element = {.c = 0};
    weir_cast_run(NULL, WEIR_E_f32, elem, 1, &(float){1}, &element);
    return element;
}

static element empty_value(weir_segment_op op, weir_elem elem, bool sorted)
{
    if (op == WEIR_SEG_prod)
        return one(elem);
    if (!sorted && (op == WEIR_SEG_max || op == WEIR_SEG_min))
        return extreme(elem, op == WEIR_SEG_min);
    return (element){.c = 0};
}

weir_status weir_segment_reduce(weir_call *call, weir_segment_op op, const weir_tensor *ids,
                                const weir_tensor *indices, int64_t segments)
{
    const weir_tensor *x = weir_in(call, 0);
    int row_rank = indices ? 1 : ids->shape.rank;
    weir_shape shape = weir_shape_vector(segments);
    for (int axis = row_rank; axis < x->shape.rank; axis++)
        weir_shape_append(&shape, x->shape.dims[axis]);
    if (weir_shape_count(&shape) < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "too many segments: %" PRId64, segments);
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    weir_elem elem = weir_elem_of(x->dtype);
    bool sorted = call->site->in_count == 2 || indices;
    element empty = empty_value(op, elem, sorted);
    return weir_segment_run(&call->run->par,
                            &(weir_segment){
                                .op = op,
                                .elem = elem,
                                .rows = weir_tensor_count(ids),
                                .width = weir_shape_product(&x->shape, row_rank, x->shape.rank),
                                .segments = segments,
                                .ids = ids->data,
                                .indices = indices ? indices->data : NULL,
                                .x_rows = indices ? x->shape.dims[0] : 0,
                                .x = x->data,
                                .y = weir_out(call, 0)->data,
                                .empty = &empty,
                            });
}
