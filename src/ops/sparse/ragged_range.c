/* ops/sparse/ragged_range.c - RaggedRange: one range of numbers per row. */
#include <math.h>

#include "ops/common/elements.h"
#include "ops/common/infer_util.h"

enum { STARTS, LIMITS, DELTAS };
enum { SPLITS, VALUES }; /* outputs */

static weir_status infer(weir_infer *i)
{
    static const char *const names[] = {"starts", "limits", "deltas"};
    int64_t rows = -1;
    bool any = false;
    for (int k = 0; k < 3; k++) {
        const weir_shape *s = i->in[k];
        if (s->rank > 1)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s must be a scalar or vector", names[k]);
        if (s->rank != 1)
            continue;
        any = true;
        if (rows >= 0 && s->dims[0] >= 0 && s->dims[0] != rows)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "starts, limits, and deltas must have the same shape");
        rows = s->dims[0] >= 0 ? s->dims[0] : rows;
    }
    bool scalars = i->in[0]->rank == 0 && i->in[1]->rank == 0 && i->in[2]->rank == 0;
    i->out[SPLITS] = weir_shape_vector(scalars ? 2 : any && rows >= 0 ? rows + 1 : -1);
    i->out[VALUES] = weir_shape_vector(-1);
    return WEIR_OK;
}

static double real_at(const weir_tensor *t, int64_t row)
{
    row = t->shape.rank == 0 ? 0 : row;
    switch (t->dtype) {
    case WEIR_FLOAT:
        return ((const float *)t->data)[row];
    case WEIR_DOUBLE:
        return ((const double *)t->data)[row];
    default:
        return weir_bfloat16_to_float(((const uint16_t *)t->data)[row]);
    }
}

static int64_t whole_at(const weir_tensor *t, int64_t row)
{
    return weir_int_at(t, t->shape.rank == 0 ? 0 : row);
}

/* Numbers from start up (or down) to limit, without it. */
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

#define COUNT_UP(type, out, from, by)                                                              \
    do {                                                                                           \
        type v_ = (from), *o_ = (out);                                                             \
        for (int64_t n_ = 0; n_ < count; n_++, v_ += (by))                                         \
            o_[n_] = v_;                                                                           \
    } while (0)

static void count_up(weir_call *call, int64_t row, void *out, int64_t count)
{
    const weir_tensor *s = weir_in(call, STARTS), *d = weir_in(call, DELTAS);
    switch (s->dtype) {
    case WEIR_FLOAT:
        COUNT_UP(float, out, (float)real_at(s, row), (float)real_at(d, row));
        break;
    case WEIR_DOUBLE:
        COUNT_UP(double, out, real_at(s, row), real_at(d, row));
        break;
    case WEIR_INT32:
        COUNT_UP(uint32_t, out, (uint32_t)whole_at(s, row), (uint32_t)whole_at(d, row));
        break;
    case WEIR_INT64:
        COUNT_UP(uint64_t, out, (uint64_t)whole_at(s, row), (uint64_t)whole_at(d, row));
        break;
    default: { /* bfloat16 rounds at every step */
        uint16_t *o = out, v = weir_float_to_bfloat16((float)real_at(s, row));
        for (int64_t n = 0; n < count; n++) {
            o[n] = v;
            v = weir_float_to_bfloat16(weir_bfloat16_to_float(v) + (float)real_at(d, row));
        }
    }
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
    for (int64_t r = 0; r < rows; r++) {
        WEIR_TRY(row_size(call, r, &size));
        total += size;
        if (split->dtype == WEIR_INT32 && total > INT32_MAX)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "The total range size overflowed. Consider using int64 instead of "
                              "int32 for row_splits_dtype.");
        weir_int_set(split, r + 1, total);
    }
    weir_shape values = weir_shape_vector(total);
    WEIR_TRY(weir_call_alloc(call, VALUES, &values));
    for (int64_t r = 0; r < rows; r++) {
        int64_t begin = weir_int_at(split, r), end = weir_int_at(split, r + 1);
        count_up(call, r, weir_at(weir_out(call, VALUES), begin), end - begin);
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
