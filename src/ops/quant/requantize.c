/* ops/quant/requantize.c - Requantize, QuantizeDownAndShrinkRange, RequantizationRange: converts
 * 32-bit values to 8 bits over the range in use. */
#include <math.h>

#include "ops/common/infer_util.h"
#include "ops/quant/quant.h"

static weir_status requantize_infer(weir_infer *infer)
{
    return weir_quant_infer_same(infer, 1, 5);
}
static weir_status shrink_infer(weir_infer *infer)
{
    return weir_quant_infer_same(infer, 1, 3);
}
static weir_status range_infer(weir_infer *infer)
{
    for (int k = 1; k < 3; k++)
        WEIR_TRY(weir_infer_rank(infer, k, 0));
    infer->out[0] = infer->out[1] = WEIR_SCALAR;
    return WEIR_OK;
}

/* In 16-bit fixed point. The range is computed in TensorFlow's precision, which determines the last
 * bit. */
static void to_eight_bits(const weir_tensor *x, weir_quant from, weir_quant to, weir_tensor *y)
{
    enum { SHIFT = 16 };
    float in_range = from.max - from.min, out_range = to.max - to.min;
    float per_range = out_range == 0 ? 0 : (float)(255.0 / out_range);
    float middle = (float)((from.min + from.max) / 2.0);
    double scale = out_range == 0 ? 0 : 255.0 * (1 << SHIFT) * in_range / out_range;
    int64_t scale_fp = fabs(scale) < 9e18 ? (int64_t)scale : 0;
    double offset = middle * per_range * (1 << SHIFT);
    int64_t in_offset = fabs(offset) < 9e18 ? (int64_t)offset : 0;
    double least = out_range == 0 ? 0 : (1 << SHIFT) * (to.min * 255.0) / out_range;
    int64_t out_offset = fabs(least) < 9e18 ? lround(least) : 0;
    for (int64_t k = 0; k < weir_tensor_count(x); k++) {
        int64_t value = ((const int32_t *)x->data)[k];
        int64_t fp = (int64_t)(((__int128)value * scale_fp) >> 32) + in_offset - out_offset;
        weir_quant_set(y, k, (fp + (1 << (SHIFT - 1))) >> SHIFT);
    }
}

static void to_range(const weir_tensor *x, weir_quant from, weir_quant to, weir_tensor *y)
{
    if (y->dtype == WEIR_QUINT8) {
        to_eight_bits(x, from, to, y);
        return;
    }
    weir_quant_line there = weir_quant_dequantize(from), back = weir_quant_quantize(to);
    for (int64_t k = 0; k < weir_tensor_count(x); k++)
        weir_quant_set(y, k,
                       weir_quant_apply(back, to.dtype,
                                        there.offset + (float)weir_quant_at(x, k) * there.scale));
}

static weir_status requantize(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    weir_quant to = {y->dtype, *(const float *)weir_in(call, 3)->data,
                     *(const float *)weir_in(call, 4)->data};
    if (!(to.min <= 0))
        return weir_error(WEIR_INVALID_ARGUMENT, "requested_output_min must be <= 0, but got %g",
                          to.min);
    if (!(to.max >= to.min))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "requested_output_max must be >= requested_output_min, but got %g and %g",
                          to.max, to.min);
    to_range(weir_in(call, 0), weir_quant_input(call, 0, 1), to, y);
    weir_quant_set_range(call, to);
    return WEIR_OK;
}

/* The range in use; always includes 0. */
static weir_quant used(weir_call *call, weir_dtype dtype)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_quant quant = weir_quant_input(call, 0, 1);
    int64_t low = weir_quant_highest(x->dtype), high = weir_quant_lowest(x->dtype);
    for (int64_t k = 0; k < weir_tensor_count(x); k++) {
        int64_t value = weir_quant_at(x, k);
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    return (weir_quant){dtype, fminf(0, weir_quant_to_float(quant, low)),
                        weir_quant_to_float(quant, high)};
}

static weir_status shrink(weir_call *call)
{
    weir_tensor *y = weir_out(call, 0);
    weir_quant to = used(call, y->dtype);
    to_range(weir_in(call, 0), weir_quant_input(call, 0, 1), to, y);
    weir_quant_set_range(call, to);
    return WEIR_OK;
}

static weir_status range(weir_call *call)
{
    weir_quant quant = used(call, WEIR_QINT32);
    *(float *)weir_out(call, 0)->data = quant.min;
    *(float *)weir_out(call, 1)->data = quant.max;
    return WEIR_OK;
}

const weir_op weir_op_requantize = {
    .name = "Requantize",
    .in = "input: Tinput; input_min: float; input_max: float; requested_output_min: float; "
          "requested_output_max: float",
    .out = "output: out_type; output_min: float; output_max: float",
    .attrs = "Tinput: " QUANTISED "; out_type: " QUANTISED,
    .infer = requantize_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "Tinput: qint32; out_type: quint8, qint8", requantize}},
};

const weir_op weir_op_quantize_down_and_shrink_range = {
    .name = "QuantizeDownAndShrinkRange",
    .in = "input: Tinput; input_min: float; input_max: float",
    .out = "output: out_type; output_min: float; output_max: float",
    .attrs = "Tinput: " QUANTISED "; out_type: " QUANTISED,
    .infer = shrink_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "Tinput: qint32; out_type: quint8", shrink}},
};

const weir_op weir_op_requantization_range = {
    .name = "RequantizationRange",
    .in = "input: Tinput; input_min: float; input_max: float",
    .out = "output_min: float; output_max: float",
    .attrs = "Tinput: " QUANTISED,
    .infer = range_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "Tinput: qint32", range}},
};
