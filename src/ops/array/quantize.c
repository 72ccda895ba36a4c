/* ops/array/quantize.c - QuantizeV2 and Dequantize: converts floats to quantised integers over a
 * range, and back. */
#include <math.h>

#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/quant/quant.h"

/* The range of a quantised integer type. */
typedef struct range {
    double lowest, highest;
    int bits;
    bool is_signed;
} range;

static range range_of(weir_dtype dtype)
{
    bool is_signed = dtype == WEIR_QINT8 || dtype == WEIR_QINT16 || dtype == WEIR_QINT32;
    int bits = (int)weir_dtype_size(dtype) * 8;
    double half = ldexp(1, bits - 1);
    return (range){is_signed ? -half : 0, is_signed ? half - 1 : 2 * half - 1, bits, is_signed};
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* Elements of slice |c| of the axis are runs of |inner| with stride |dim| * inner; axis -1: one
 * slice. */
typedef struct slices {
    int64_t dim, inner;
} slices;

static slices slices_of(const weir_shape *x, int64_t axis)
{
    if (axis < 0)
        return (slices){1, weir_shape_count(x)};
    return (slices){x->dims[axis], weir_shape_product(x, (int)axis + 1, x->rank)};
}

static weir_status check_inputs(weir_infer *infer, int64_t axis)
{
    const weir_shape *x = infer->in[0];
    if (axis < -1 || (x->rank >= 0 && axis >= x->rank))
        return weir_error(WEIR_INVALID_ARGUMENT, "Axis %" PRId64 " is not in [-1, %d)", axis,
                          x->rank);
    for (int k = 1; k < 3; k++) {
        if (axis < 0 && infer->in[k]->rank > 0 && weir_shape_count(infer->in[k]) != 1)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s must be a scalar, got shape %s",
                              k == 1 ? "min_range" : "max_range", WEIR_SHAPE_STR(infer->in[k]));
        if (axis < 0)
            continue;
        WEIR_TRY(weir_infer_rank(infer, k, 1));
        int64_t have = weir_infer_dim(infer, k, 0), want = x->rank < 0 ? -1 : x->dims[axis];
        if (have >= 0 && want >= 0 && have != want)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s must have %" PRId64 " elements, one per slice, got %" PRId64,
                              k == 1 ? "min_range" : "max_range", want, have);
    }
    return WEIR_OK;
}

/* ---- QuantizeV2 ------------------------------------------------------------------------------ */

enum { Q_T, Q_MODE, Q_ROUND, Q_NARROW, Q_AXIS, Q_ENSURE };

static weir_status quantize_infer(weir_infer *infer)
{
    int64_t axis = weir_site_int(infer->site, Q_AXIS);
    WEIR_TRY(check_inputs(infer, axis));
    infer->out[0] = *infer->in[0];
    infer->out[1] = infer->out[2] =
        axis < 0 ? WEIR_SCALAR
                 : weir_shape_vector(infer->in[0]->rank < 0 ? -1 : infer->in[0]->dims[axis]);
    return WEIR_OK;
}

/* Quantisation of one slice: round(x * scale + offset), clamped to the limits. */
typedef struct quantizer {
    char mode; /* 'C' min combined, 'F' min first, 'S' scaled */
    bool to_even;
    range type;
    float min, max, scale, half;
    double low, high;
} quantizer;

static weir_status widen(const weir_site *site, float *min, float *max)
{
    float low = *min, high = *max, ensure = weir_site_float(site, Q_ENSURE);
    if (!(low <= high))
        return weir_error(WEIR_INVALID_ARGUMENT, "max_range must be larger than min_range.");
    float size = fmaxf(1, fmaxf(fabsf(low), fabsf(high)));
    *min = fminf(0, low);
    *max = fmaxf(0, fmaxf(high, *min + size * ensure));
    return WEIR_OK;
}

static quantizer make_quantizer(const weir_site *site, float min, float max)
{
    quantizer quantizer = {.mode = weir_site_str(site, Q_MODE).at[4],
                           .to_even = weir_str_is(weir_site_str(site, Q_ROUND), "HALF_TO_EVEN"),
                           .type = range_of(weir_site_type(site, Q_T)),
                           .min = min,
                           .max = max};
    quantizer.mode =
        weir_str_is(weir_site_str(site, Q_MODE), "SCALED") ? 'S' : quantizer.mode; /* MIN_x */
    quantizer.low =
        quantizer.type.lowest + (weir_site_bool(site, Q_NARROW) && quantizer.type.is_signed);
    quantizer.high = quantizer.type.highest;
    if (quantizer.mode == 'C') {
        quantizer.scale =
            (float)((quantizer.type.highest - quantizer.type.lowest) / ((double)max - min));
        quantizer.half = (float)(quantizer.type.is_signed
                                     ? (quantizer.type.highest - quantizer.type.lowest + 1) / 2
                                     : 0);
    } else if (quantizer.mode == 'S') {
        double from_min = quantizer.low * min > 0 ? quantizer.low / min : INFINITY;
        double from_max = quantizer.high * max > 0 ? quantizer.high / max : INFINITY;
        quantizer.scale = (float)(from_min < from_max ? from_min : from_max);
        quantizer.min = (float)(quantizer.low / quantizer.scale);
        quantizer.max = (float)(quantizer.high / quantizer.scale);
    } else {
        double steps = ldexp(1, quantizer.type.bits), adjust = steps / (steps - 1);
        double width = ((double)max - min) * adjust;
        quantizer.scale = (float)(steps / width);
    }
    return quantizer;
}

static double quantize_one(const quantizer *quantizer, float x)
{
    if (quantizer->mode == 'F') {
        double value = (double)roundf(x * quantizer->scale) -
                       roundf(quantizer->min * quantizer->scale) + quantizer->type.lowest;
        return clamp(value, quantizer->type.lowest, quantizer->type.highest);
    }
    float inside = x < quantizer->min ? quantizer->min : x > quantizer->max ? quantizer->max : x;
    if (quantizer->mode == 'C')
        return clamp(roundf((inside - quantizer->min) * quantizer->scale - quantizer->half),
                     quantizer->type.lowest, quantizer->type.highest);
    float value = inside * quantizer->scale;
    return clamp(quantizer->to_even ? nearbyintf(value) : roundf(value), quantizer->low,
                 quantizer->high);
}

static void store(weir_tensor *tensor, int64_t i, double value)
{
    weir_int_set(tensor, i, (int64_t)value);
}

static weir_status quantize(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    const float *lows = weir_in(call, 1)->data, *highs = weir_in(call, 2)->data;
    weir_tensor *y = weir_out(call, 0);
    slices slices = slices_of(&x->shape, weir_site_int(call->site, Q_AXIS));
    int64_t count = weir_tensor_count(x);
    for (int64_t c = 0; c < slices.dim; c++) {
        float min = lows[c], max = highs[c];
        WEIR_TRY(widen(call->site, &min, &max));
        quantizer quantizer = make_quantizer(call->site, min, max);
        for (int64_t at = c * slices.inner; at < count; at += slices.dim * slices.inner)
            for (int64_t i = 0; i < slices.inner; i++)
                store(y, at + i, quantize_one(&quantizer, ((const float *)x->data)[at + i]));
        ((float *)weir_out(call, 1)->data)[c] = quantizer.min;
        ((float *)weir_out(call, 2)->data)[c] = quantizer.max;
    }
    return WEIR_OK;
}

#define QUANTIZED "T: {qint8, quint8, qint32, qint16, quint16}"
#define MODES "mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = \"MIN_COMBINED\""

const weir_op weir_op_quantize_v2 = {
    .name = "QuantizeV2",
    .in = "input: float; min_range: float; max_range: float",
    .out = "output: T; output_min: float; output_max: float",
    .attrs = QUANTIZED "; " MODES "; round_mode: {'HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN'} = "
                       "\"HALF_AWAY_FROM_ZERO\"; narrow_range: bool = false; axis: int = -1; "
                       "ensure_minimum_range: float = 0.009999999776482582",
    .infer = quantize_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", quantize}},
};

/* ---- Dequantize ------------------------------------------------------------------------------ */

enum { D_T, D_MODE, D_NARROW, D_AXIS, D_DTYPE };

static weir_status dequantize_infer(weir_infer *infer)
{
    infer->out[0] = *infer->in[0];
    return check_inputs(infer, weir_site_int(infer->site, D_AXIS));
}

/* (v + shift) * scale + start */
typedef struct line {
    double shift, scale, start;
} line;

static line make_line(const weir_site *site, float min, float max)
{
    range range = range_of(weir_site_type(site, D_T));
    weir_str mode = weir_site_str(site, D_MODE);
    if (weir_str_is(mode, "MIN_COMBINED")) {
        double half = range.is_signed ? (range.highest - range.lowest + 1) / 2 : 0;
        float scale = (float)(((double)max - min) / (range.highest - range.lowest));
        return (line){half, scale, min};
    }
    if (weir_str_is(mode, "SCALED")) {
        double low = range.lowest + (weir_site_bool(site, D_NARROW) && range.is_signed);
        double from_min = low * min > 0 ? min / low : 0;
        double scale = range.is_signed ? fmax(from_min, max / range.highest) : max / range.highest;
        return (line){0, (float)scale, 0};
    }
    double steps = ldexp(1, range.bits), adjust = steps / (steps - 1);
    float width = (float)(((double)max - min) * adjust), scale = (float)(width / steps);
    if (min == max)
        return (line){0, 0, min};
    return (line){-range.lowest, scale, round(min / scale) * scale};
}

static weir_status dequantize(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    const float *lows = weir_in(call, 1)->data, *highs = weir_in(call, 2)->data;
    weir_tensor *y = weir_out(call, 0);
    slices slices = slices_of(&x->shape, weir_site_int(call->site, D_AXIS));
    int64_t count = weir_tensor_count(x);
    for (int64_t c = 0; c < slices.dim; c++) {
        line line = make_line(call->site, lows[c], highs[c]);
        for (int64_t at = c * slices.inner; at < count; at += slices.dim * slices.inner)
            for (int64_t i = at; i < at + slices.inner; i++) {
                float value =
                    (float)(((double)weir_quant_at(x, i) + line.shift) * line.scale + line.start);
                if (y->dtype == WEIR_FLOAT)
                    ((float *)y->data)[i] = value;
                else
                    ((uint16_t *)y->data)[i] = weir_f32_bf16(value);
            }
    }
    return WEIR_OK;
}

const weir_op weir_op_dequantize = {
    .name = "Dequantize",
    .in = "input: T; min_range: float; max_range: float",
    .out = "output: dtype",
    .attrs = QUANTIZED "; " MODES
                       "; narrow_range: bool = false; axis: int = -1; dtype: {bfloat16, float} = "
                       "DT_FLOAT",
    .infer = dequantize_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", dequantize}},
};
