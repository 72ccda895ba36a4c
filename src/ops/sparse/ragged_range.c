/* ops/sparse/ragged_range.c - RaggedRange: one range of numbers per row. */
#include <math.h>

#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/common/number_at.h"

enum { STARTS, LIMITS, DELTAS };
enum { SPLITS, VALUES }; /* outputs */

static weir_status infer(weir_infer *infer)
{
    static const char *const names[] = {"starts", "limits", "deltas"};
    int64_t rows = -1;
    bool any = false;
    for (int k = 0; k < 3; k++) {
        const weir_shape *shape = infer->in[k];
        if (shape->rank > 1)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s must be a scalar or vector", names[k]);
        if (shape->rank != 1)
            continue;
        any = true;
        if (rows >= 0 && shape->dims[0] >= 0 && shape->dims[0] != rows)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "starts, limits, and deltas must have the same shape");
        rows = shape->dims[0] >= 0 ? shape->dims[0] : rows;
    }
    bool scalars = infer->in[0]->rank == 0 && infer->in[1]->rank == 0 && infer->in[2]->rank == 0;
    infer->out[SPLITS] = weir_shape_vector(scalars ? 2 : any && rows >= 0 ? rows + 1 : -1);
    infer->out[VALUES] = weir_shape_vector(-1);
    return WEIR_OK;
}

static double real_at(const weir_tensor *tensor, int64_t row)
{
    return weir_number_at(tensor, tensor->shape.rank == 0 ? 0 : row);
}

static int64_t whole_at(const weir_tensor *tensor, int64_t row)
{
    return weir_int_at(tensor, tensor->shape.rank == 0 ? 0 : row);
}

/* Numbers from start up (or down) to limit, exclusive. */
static weir_status row_size(weir_call *call, int64_t row, int64_t *out)
{
    const weir_tensor *s = weir_in(call, STARTS), *l = weir_in(call, LIMITS);
    const weir_tensor *d = weir_in(call, DELTAS);
    double real;
    if (weir_dtype_is_float(s->dtype)) {
        double start = real_at(s, row), limit = real_at(l, row), delta = real_at(d, row);
        if (delta == 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Requires delta != 0");
        bool any = delta > 0 ? start < limit : start > limit;
        real = any ? ceil(fabs((limit - start) / delta)) : 0;
    } else {
        int64_t start = whole_at(s, row), limit = whole_at(l, row), delta = whole_at(d, row);
        if (delta == 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Requires delta != 0");
        bool any = delta > 0 ? start < limit : start > limit;
        uint64_t gap =
            delta > 0 ? (uint64_t)limit - (uint64_t)start : (uint64_t)start - (uint64_t)limit;
        uint64_t step = delta > 0 ? (uint64_t)delta : 0 - (uint64_t)delta;
        real = any ? (double)((gap - 1) / step + 1) : 0;
    }
    if (!(real < 1LL << 40))
        return weir_error(WEIR_INVALID_ARGUMENT, "Requires ((limit - start) / delta) <= %lld",
                          1LL << 40);
    *out = (int64_t)real;
    return WEIR_OK;
}

/* Writes |count| numbers; each is the previous one plus delta, in the element type. */
static void count_up(weir_call *call, int64_t row, char *out, int64_t count)
{
    const weir_tensor *starts = weir_in(call, STARTS), *deltas = weir_in(call, DELTAS);
    size_t size = weir_dtype_size(starts->dtype);
    const void *start = weir_at(starts, starts->shape.rank ? row : 0);
    const void *delta = weir_at(deltas, deltas->shape.rank ? row : 0);
    weir_update_fn add = weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(starts->dtype));
    for (int64_t n = 0; n < count; n++, out += size) {
        memcpy(out, n ? out - size : start, size);
        if (n)
            add(out, delta, 1, 1);
    }
}

static weir_status run(weir_call *call)
{
    int64_t rows = 1, total = 0, size;
    for (int k = 0; k < 3; k++)
        if (weir_in(call, k)->shape.rank == 1)
            rows = weir_in(call, k)->shape.dims[0];
    weir_shape splits = weir_shape_vector(rows + 1);
    WEIR_TRY(weir_call_alloc(call, SPLITS, &splits));
    weir_tensor *split = weir_out(call, SPLITS);
    weir_int_set(split, 0, 0);
    for (int64_t row = 0; row < rows; row++) {
        WEIR_TRY(row_size(call, row, &size));
        total += size;
        if (split->dtype == WEIR_INT32 && total > INT32_MAX)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "The total range size overflowed. Consider using int64 instead of "
                              "int32 for row_splits_dtype.");
        weir_int_set(split, row + 1, total);
    }
    weir_shape values = weir_shape_vector(total);
    WEIR_TRY(weir_call_alloc(call, VALUES, &values));
    for (int64_t row = 0; row < rows; row++) {
        int64_t begin = weir_int_at(split, row), end = weir_int_at(split, row + 1);
        count_up(call, row, weir_at(weir_out(call, VALUES), begin), end - begin);
    }
    return WEIR_OK;
}

const weir_op weir_op_ragged_range = {
    .name = "RaggedRange",
    .in = "starts: T; limits: T; deltas: T",
    .out = "rt_nested_splits: Tsplits; rt_dense_values: T",
    .attrs = "T: {bfloat16, float, double, int32, int64} = DT_INT32; "
             "Tsplits: {int32, int64} = DT_INT64",
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS}},
};
