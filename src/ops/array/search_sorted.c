/* ops/array/search_sorted.c - LowerBound, UpperBound: insertion positions in sorted rows. */
#include "ops/common/compare.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"

enum { LOWER, UPPER }; /* modes */

static weir_status infer(weir_infer *infer)
{
    const weir_shape *sorted = infer->in[0], *values = infer->in[1];
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    WEIR_TRY(weir_infer_rank(infer, 1, 2));
    int64_t rows = weir_infer_dim(infer, 0, 0), more = weir_infer_dim(infer, 1, 0);
    if (rows >= 0 && more >= 0 && rows != more)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Leading dim_size of both tensors must match: %s vs. %s",
                          WEIR_SHAPE_STR(sorted), WEIR_SHAPE_STR(values));
    infer->out[0] = values->rank < 0 ? weir_shape_of_rank(2) : *values;
    return WEIR_OK;
}

/* The number of elements of a row below |value|; with |upper|, not greater. */
static int64_t bound(const weir_tensor *sorted, int64_t at, int64_t count, const void *value,
                     bool upper)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t mid = low + (high - low) / 2;
        int order = weir_elements_order(sorted->dtype, weir_at(sorted, at + mid), value);
        if (order < 0 || (upper && order == 0))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static weir_status search(weir_call *call)
{
    bool upper = weir_site_mode(call->site) == UPPER;
    const weir_tensor *sorted = weir_in(call, 0), *values = weir_in(call, 1);
    weir_tensor *y = weir_out(call, 0);
    int64_t width = sorted->shape.dims[1], per_row = values->shape.dims[1];
    int64_t count = weir_tensor_count(values);
    if (y->dtype == WEIR_INT32 && weir_tensor_count(sorted) > INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "For tensors with more elements than int32 can count, use int64 output");
    for (int64_t k = 0; k < count; k++)
        weir_int_set(y, k, bound(sorted, k / per_row * width, width, weir_at(values, k), upper));
    return WEIR_OK;
}

#define TYPES                                                                                      \
    "T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64"
#define SEARCH                                                                                     \
    .in = "sorted_inputs: T; values: T", .out = "output: out_type",                                \
    .attrs = "T: type; out_type: {int32, int64} = DT_INT32", .infer = infer, .no_grad = true,      \
    .kernels = {{WEIR_CPU, TYPES, search}}
WEIR_DEFINE_OP(lower_bound, "LowerBound", SEARCH, .mode = LOWER);
WEIR_DEFINE_OP(upper_bound, "UpperBound", SEARCH, .mode = UPPER);
