/* ops/xla/sort.c - XlaSort, XlaKeyValueSort, RiscSort. */
#include <stdlib.h>

#include "ops/common/compare.h"
#include "ops/common/elements.h"
#include "ops/declare.h"
#include "ops/xla/numbers.h"

/* One line of a tensor along an axis; qsort_r sorts its indices. */
typedef struct line {
    const weir_tensor *keys;
    int64_t first, stride;
    bool descending;
} line;

static const void *key_at(const line *line, int64_t place)
{
    return weir_at(line->keys, line->first + place * line->stride);
}

static bool is_nan(weir_dtype dtype, const void *key)
{
    return weir_dtype_is_float(dtype) && !weir_elements_equal(dtype, key, key);
}

/* NaN is larger than any number; the sort is stable. */
static int compare(const void *a, const void *b, void *arg)
{
    const line *line = arg;
    int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    weir_dtype dtype = line->keys->dtype;
    const void *x = key_at(line, i), *y = key_at(line, j);
    bool x_nan = is_nan(dtype, x), y_nan = is_nan(dtype, y);
    int order = x_nan || y_nan ? x_nan - y_nan : weir_elements_order(dtype, x, y);
    order = line->descending ? -order : order;
    return order ? order : (i > j) - (i < j);
}

/* Sorts every line of |keys| along |axis|; the |count| outputs are the inputs in this order. */
static weir_status sort_lines(weir_call *call, int count, int axis, bool descending)
{
    const weir_tensor *keys = weir_in(call, 0);
    int64_t length = keys->shape.dims[axis];
    int64_t stride = weir_shape_product(&keys->shape, axis + 1, keys->shape.rank);
    int64_t lines = length ? weir_tensor_count(keys) / length : 0;
    weir_tensor order;
    weir_shape shape = weir_shape_vector(length);
    WEIR_TRY(weir_tensor_alloc(WEIR_INT64, &shape, &order));
    int64_t *places = order.data;
    for (int64_t l = 0; l < lines; l++) {
        line line = {keys, l / stride * stride * length + l % stride, stride, descending};
        for (int64_t i = 0; i < length; i++)
            places[i] = i;
        qsort_r(places, (size_t)length, sizeof *places, compare, &line);
        for (int k = 0; k < count; k++)
            for (int64_t i = 0; i < length; i++)
                weir_elements_copy(weir_in(call, k)->dtype,
                                   weir_at(weir_out(call, k), line.first + i * stride),
                                   weir_at(weir_in(call, k), line.first + places[i] * stride), 1);
    }
    weir_tensor_release(&order);
    return WEIR_OK;
}

static weir_status pairs_infer(weir_infer *infer)
{
    for (int i = 0; i < infer->out_count; i++) {
        WEIR_TRY(weir_infer_rank_at_least(infer, i, 1));
        infer->out[i] = *infer->in[i];
    }
    return WEIR_OK;
}

static weir_status sort_last(weir_call *call)
{
    int count = call->site->out_count;
    if (count == 2 && !weir_shape_eq(&weir_in(call, 0)->shape, &weir_in(call, 1)->shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "keys and values have the shapes %s and %s",
                          WEIR_SHAPE_STR(&weir_in(call, 0)->shape),
                          WEIR_SHAPE_STR(&weir_in(call, 1)->shape));
    return sort_lines(call, count, weir_in(call, 0)->shape.rank - 1, false);
}

static weir_status sort_axis(weir_call *call)
{
    int64_t axis;
    int rank = weir_in(call, 0)->shape.rank;
    WEIR_TRY(weir_xla_ints(call, 1, 1, &axis));
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "axis is out of range for rank %d", rank);
    return sort_lines(call, 1, (int)axis, weir_str_is(weir_site_str(call->site, 2), "DESCENDING"));
}

#define ORDERED                                                                                    \
    "float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64"
WEIR_DEFINE_OP(xla_sort, "XlaSort", .in = "input: T", .out = "output: T", .attrs = "T: type",
               .infer = pairs_infer, .kernels = {{WEIR_CPU, "T: " ORDERED ", bool", sort_last}});
WEIR_DEFINE_OP(xla_key_value_sort, "XlaKeyValueSort", .in = "keys: K; values: V",
               .out = "sorted_keys: K; sorted_values: V", .attrs = "K: {" ORDERED "}; V: type",
               .infer = pairs_infer, .kernels = {{WEIR_CPU, "*", sort_last}});
WEIR_DEFINE_OP(risc_sort, "RiscSort", .in = "input: T; axis: Index", .out = "output: T",
               .attrs = "Index: {int32, int64} = DT_INT32; T: {bfloat16, half, float, double}; "
                        "direction: {'ASCENDING', 'DESCENDING'}",
               .infer = weir_infer_same_shape, .kernels = {{WEIR_CPU, "*", sort_axis}});
