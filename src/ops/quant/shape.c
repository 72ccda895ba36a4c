/* ops/quant/shape.c - QuantizedReshape and QuantizedConcat. */
#include <inttypes.h>
#include <math.h>

#include "ops/quant/quant.h"

extern const weir_op weir_op_reshape, weir_op_concat;

/* ---- QuantizedReshape ------------------------------------------------------------------------ */

static weir_status reshape_infer(weir_infer *infer)
{
    WEIR_TRY(weir_op_reshape.infer(infer));
    return weir_quant_infer(infer, 2, 4);
}

static weir_status reshape(weir_call *call)
{
    WEIR_TRY(weir_op_reshape.kernels[0].run(call));
    for (int k = 1; k < 3; k++)
        WEIR_TRY(weir_call_alloc(call, k, &WEIR_SCALAR));
    weir_quant_set_range(call, weir_quant_input(call, 0, 2));
    return WEIR_OK;
}

/* ---- QuantizedConcat ------------------------------------------------------------------------- */

static int value_count(const weir_site *site)
{
    return weir_site_in(site, 1).count;
}

static weir_status concat_infer(weir_infer *infer)
{
    int count = value_count(infer->site);
    weir_infer values = *infer;
    int64_t axis;
    values.in_count = 1 + count; /* in the layout of Concat's inputs */
    if (weir_infer_value_int(infer, 0, &axis) && axis < 0 && infer->in[1]->rank >= 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "ConcatOp : Expected concatenating dimensions in the range [0, %d), but "
                          "got %" PRId64,
                          infer->in[1]->rank, axis);
    WEIR_TRY(weir_op_concat.infer(&values));
    return weir_quant_infer(infer, 1 + count, infer->in_count);
}

static weir_quant range_at(const weir_call *call, int k)
{
    int count = value_count(call->site);
    return (weir_quant){weir_in(call, 1)->dtype, *(const float *)weir_in(call, 1 + count + k)->data,
                        *(const float *)weir_in(call, 1 + 2 * count + k)->data};
}

/* A common range; symmetric around 0 for signed types. */
static weir_quant common_range(const weir_call *call)
{
    weir_quant all = {weir_in(call, 1)->dtype, 0, -INFINITY};
    for (int k = 0; k < value_count(call->site); k++) {
        weir_quant quant = range_at(call, k);
        all.min = fminf(all.min, quant.min);
        all.max = fmaxf(all.max, quant.max);
    }
    if (weir_quant_lowest(all.dtype) < 0) {
        all.max = fmaxf(fabsf(all.min), fabsf(all.max));
        all.min = -all.max;
    }
    return all;
}

/* Requantises |count| values from one range to another. */
static void copy_run(const weir_tensor *x, int64_t from, weir_quant qx, weir_tensor *y, int64_t to,
                     weir_quant qy, int64_t count)
{
    weir_quant_line there = weir_quant_dequantize(qx), back = weir_quant_quantize(qy);
    bool same = qx.min == qy.min && qx.max == qy.max;
    for (int64_t k = 0; k < count; k++) {
        int32_t value = weir_quant_at(x, from + k);
        weir_quant_set(
            y, to + k,
            same ? value
                 : weir_quant_apply(back, qy.dtype, there.offset + (float)value * there.scale));
    }
}

static weir_status concat(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    int axis = *(const int32_t *)weir_in(call, 0)->data;
    int64_t rows = weir_shape_product(&y->shape, 0, axis);
    int64_t out_run = weir_shape_product(&y->shape, axis, y->shape.rank), at = 0;
    weir_quant all = common_range(call);
    for (int k = 0; k < value_count(call->site); k++) {
        const weir_tensor *x = weir_in(call, 1 + k);
        int64_t run = weir_shape_product(&x->shape, axis, x->shape.rank);
        for (int64_t row = 0; row < rows; row++)
            copy_run(x, row * run, range_at(call, k), y, row * out_run + at, all, run);
        at += run;
    }
    weir_quant_set_range(call, all);
    return WEIR_OK;
}

const weir_op weir_op_quantized_reshape = {
    .name = "QuantizedReshape",
    .in = "tensor: T; shape: Tshape; input_min: float; input_max: float",
    .out = "output: T; output_min: float; output_max: float",
    .attrs = "T: type; Tshape: {int32, int64} = DT_INT32",
    .infer = reshape_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "T: quint8, qint32", reshape, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

const weir_op weir_op_quantized_concat = {
    .name = "QuantizedConcat",
    .in = "concat_dim: int32; values: N * T; input_mins: N * float; input_maxes: N * float",
    .out = "output: T; output_min: float; output_max: float",
    .attrs = "N: int >= 2; T: type",
    .infer = concat_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "T: quint8, qint32", concat}},
};
