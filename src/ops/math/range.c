/* ops/math/range.c - Range and LinSpace: evenly spaced values. */
#include <inttypes.h>
#include <math.h>

#include "base/half.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/number_at.h"
#include "ops/math/types.h"

static weir_status wrong_direction(const char *order, const char *sign, double a, double b)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "Requires start %s limit when delta %s 0: %g/%g",
                      order, sign, a, b);
}

static weir_status count_reals(const weir_tensor *const in[3], int64_t *out_count)
{
    double start = weir_number_at(in[0], 0), limit = weir_number_at(in[1], 0),
           delta = weir_number_at(in[2], 0);
    if (delta == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Requires delta != 0: 0");
    if (delta > 0 && start > limit)
        return wrong_direction("<=", ">", start, limit);
    if (delta < 0 && start < limit)
        return wrong_direction(">=", "<", start, limit);
    double count = ceil(fabs((limit - start) / delta));
    if (!(count < 0x1p62))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Requires ((limit - start) / delta) <= 9223372036854775807");
    *out_count = (int64_t)count;
    return WEIR_OK;
}

static weir_status count_ints(const weir_tensor *const in[3], int64_t *out_count)
{
    /* Unsigned 64-bit values wrap, but the differences below are correct. */
    int64_t start = weir_int_at(in[0], 0), limit = weir_int_at(in[1], 0);
    int64_t delta = weir_int_at(in[2], 0);
    bool wide = in[0]->dtype == WEIR_UINT64;
    bool above = wide ? (uint64_t)start > (uint64_t)limit : start > limit;
    if (delta == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Requires delta != 0: 0");
    bool up = wide || delta > 0;
    if (up && above)
        return wrong_direction("<=", ">", (double)start, (double)limit);
    if (!up && !above && start != limit)
        return wrong_direction(">=", "<", (double)start, (double)limit);
    uint64_t span = up ? (uint64_t)limit - (uint64_t)start : (uint64_t)start - (uint64_t)limit;
    uint64_t step = up ? (uint64_t)delta : 0 - (uint64_t)delta;
    *out_count = (int64_t)(span / step + (span % step != 0));
    return WEIR_OK;
}

static weir_status range_infer(weir_infer *infer)
{
    const weir_tensor *in[3];
    int64_t count = -1;
    bool known = true;
    for (int k = 0; k < 3; k++) {
        WEIR_TRY(weir_infer_rank(infer, k, 0));
        in[k] = weir_infer_value(infer, k);
        known = known && in[k];
    }
    if (known)
        WEIR_TRY((weir_dtype_is_float(in[0]->dtype) ? count_reals : count_ints)(in, &count));
    infer->out[0] = weir_shape_vector(count);
    return WEIR_OK;
}

#define LOOPS "ops/math/range.inc"
#include "math/each_float.inc"
#include "math/each_half.inc"
#include "math/each_int.inc"

static weir_status range(weir_call *call)
{
#define ROW(e, C, W, class) [WEIR_E_##e] = fill_##e,
    static void (*const fills[WEIR_ELEM_COUNT])(int64_t, const void *, const void *, void *) = {
        WEIR_ELEMS_HALF(ROW) WEIR_ELEMS_FLOAT(ROW) WEIR_ELEMS_INT(ROW)};
    weir_tensor *y = weir_out(call, 0);
    fills[weir_elem_of(y->dtype)](weir_tensor_count(y), weir_in(call, 0)->data,
                                  weir_in(call, 2)->data, y->data);
    return WEIR_OK;
}

const weir_op weir_op_range = {
    .name = "Range",
    .in = "start: Tidx; limit: Tidx; delta: Tidx",
    .out = "output: Tidx",
    .attrs = "Tidx: {" FLOATS_INTS ", uint16, uint32, uint64} = DT_INT32",
    .host = "delta; limit; start",
    .infer = range_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", range}},
};

static weir_status lin_space_infer(weir_infer *infer)
{
    int64_t count = -1;
    for (int k = 0; k < 3; k++)
        WEIR_TRY(weir_infer_rank(infer, k, 0));
    if (weir_infer_value_int(infer, 2, &count) && count <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Requires num > 0: %" PRId64, count);
    infer->out[0] = weir_shape_vector(count);
    return WEIR_OK;
}

static weir_status lin_space(weir_call *call)
{
    static void (*const spaces[])(int64_t, const void *, const void *, void *) = {
        [WEIR_E_f16] = space_f16,
        [WEIR_E_bf16] = space_bf16,
        [WEIR_E_f32] = space_f32,
        [WEIR_E_f64] = space_f64,
    };
    weir_tensor *y = weir_out(call, 0);
    spaces[weir_elem_of(y->dtype)](weir_tensor_count(y), weir_in(call, 0)->data,
                                   weir_in(call, 1)->data, y->data);
    return WEIR_OK;
}

const weir_op weir_op_lin_space = {
    .name = "LinSpace",
    .in = "start: T; stop: T; num: Tidx",
    .out = "output: T",
    .attrs = "T: {" FLOATS "}; Tidx: " INDEX_TYPE,
    .host = "start; stop; num",
    .infer = lin_space_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", lin_space}},
};
