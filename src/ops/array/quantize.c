/* ops/array/quantize.c - QuantizeV2 and Dequantize: floats as small integers over a range, and
 * back. */
#include <math.h>

#include "ops/common/elements.h"
#include "ops/common/infer_util.h"
#include "ops/quant/quant.h"

/* An integer type of the quantised kind. */
typedef struct range {
    double lowest, highest;
    int bits;
    bool is_signed;
} range;

static range range_of(weir_dtype t)
{
    bool is_signed = t == WEIR_QINT8 || t == WEIR_QINT16 || t == WEIR_QINT32;
    int bits = (int)weir_dtype_size(t) * 8;
    double half = ldexp(1, bits - 1);
    return (range){is_signed ? -half : 0, is_signed ? half - 1 : 2 * half - 1, bits, is_signed};
}

static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

/* Elements of slice |c| of the axis are runs of |inner|, |dim| * inner apart; axis -1: all are one.
 */
typedef struct slices {
    int64_t dim, inner;
} slices;

static slices slices_of(const weir_shape *x, int64_t axis)
{
    if (axis < 0)
        return (slices){1, weir_shape_count(x)};
    return (slices){x->dims[axis], weir_shape_product(x, (int)axis + 1, x->rank)};
}

static weir_status check_inputs(weir_infer *i, int64_t axis)
{
    const weir_shape *x = i->in[0];
    if (axis < -1 || (x->rank >= 0 && axis >= x->rank))
        return weir_error(WEIR_INVALID_ARGUMENT, "Axis %" PRId64 " is not in [-1, %d)", axis,
                          x->rank);
    for (int k = 1; k < 3; k++) {
        if (axis < 0 && i->in[k]->rank > 0 && weir_shape_count(i->in[k]) != 1)
            return weir_error(WEIR_INVALID_ARGUMENT, "%s must be a scalar, got shape %s",
                              k == 1 ? "min_range" : "max_range", WEIR_SHAPE_STR(i->in[k]));
        if (axis < 0)
            continue;
        WEIR_TRY(weir_infer_rank(i, k, 1));
        int64_t have = weir_infer_dim(i, k, 0), want = x->rank < 0 ? -1 : x->dims[axis];
        if (have >= 0 && want >= 0 && have != want)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s must have %" PRId64 " elements, one per slice, got %" PRId64,
                              k == 1 ? "min_range" : "max_range", want, have);
    }
    return WEIR_OK;
}

/* ---- QuantizeV2
 * ---------------------------------------------------------------------------------- */

enum { Q_T, Q_MODE, Q_ROUND, Q_NARROW, Q_AXIS, Q_ENSURE };

static weir_status quantize_infer(weir_infer *i)
{
    int64_t axis = weir_site_int(i->site, Q_AXIS);
    WEIR_TRY(check_inputs(i, axis));
    i->out[0] = *i->in[0];
    i->out[1] = i->out[2] =
        axis < 0 ? WEIR_SCALAR : weir_shape_vector(i->in[0]->rank < 0 ? -1 : i->in[0]->dims[axis]);
    return WEIR_OK;
}

/* One slice's way from float to integer: round(x * scale + offset) within the limits. */
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
    quantizer q = {.mode = weir_site_str(site, Q_MODE).at[4],
                   .to_even = weir_str_is(weir_site_str(site, Q_ROUND), "HALF_TO_EVEN"),
                   .type = range_of(weir_site_type(site, Q_T)),
                   .min = min,
                   .max = max};
    q.mode = weir_str_is(weir_site_str(site, Q_MODE), "SCALED") ? 'S' : q.mode; /* MIN_x */
    q.low = q.type.lowest + (weir_site_bool(site, Q_NARROW) && q.type.is_signed);
    q.high = q.type.highest;
    if (q.mode == 'C') {
        q.scale = (float)((q.type.highest - q.type.lowest) / ((double)max - min));
        q.half = (float)(q.type.is_signed ? (q.type.highest - q.type.lowest + 1) / 2 : 0);
    } else if (q.mode == 'S') {
        double from_min = q.low * min > 0 ? q.low / min : INFINITY;
        double from_max = q.high * max > 0 ? q.high / max : INFINITY;
        q.scale = (float)(from_min < from_max ? from_min : from_max);
        q.min = (float)(q.low / q.scale);
        q.max = (float)(q.high / q.scale);
    } else {
        double steps = ldexp(1, q.type.bits), adjust = steps / (steps - 1);
        double width = ((double)max - min) * adjust;
        q.scale = (float)(steps / width);
    }
    return q;
}

static double quantize_one(const quantizer *q, float x)
{
    if (q->mode == 'F') {
        double v = (double)roundf(x * q->scale) - roundf(q->min * q->scale) + q->type.lowest;
        return clamp(v, q->type.lowest, q->type.highest);
    }
    float inside = x < q->min ? q->min : x > q->max ? q->max : x;
    if (q->mode == 'C')
        return clamp(roundf((inside - q->min) * q->scale - q->half), q->type.lowest,
                     q->type.highest);
    float v = inside * q->scale;
    return clamp(q->to_even ? nearbyintf(v) : roundf(v), q->low, q->high);
}

static void store(weir_tensor *t, int64_t i, double v)
{
    weir_int_set(t, i, (int64_t)v);
}

static weir_status quantize(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    const float *lows = weir_in(call, 1)->data, *highs = weir_in(call, 2)->data;
    weir_tensor *y = weir_out(call, 0);
    slices s = slices_of(&x->shape, weir_site_int(call->site, Q_AXIS));
    int64_t count = weir_tensor_count(x);
    for (int64_t c = 0; c < s.dim; c++) {
        float min = lows[c], max = highs[c];
        WEIR_TRY(widen(call->site, &min, &max));
        quantizer q = make_quantizer(call->site, min, max);
        for (int64_t at = c * s.inner; at < count; at += s.dim * s.inner)
            for (int64_t i = 0; i < s.inner; i++)
                store(y, at + i, quantize_one(&q, ((const float *)x->data)[at + i]));
        ((float *)weir_out(call, 1)->data)[c] = q.min;
        ((float *)weir_out(call, 2)->data)[c] = q.max;
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

/* ---- Dequantize
 * ---------------------------------------------------------------------------------- */

enum { D_T, D_MODE, D_NARROW, D_AXIS, D_DTYPE };

static weir_status dequantize_infer(weir_infer *i)
{
    i->out[0] = *i->in[0];
    return check_inputs(i, weir_site_int(i->site, D_AXIS));
}

/* (v + shift) * scale + start */
typedef struct line {
    double shift, scale, start;
} line;

static line make_line(const weir_site *site, float min, float max)
{
    range r = range_of(weir_site_type(site, D_T));
    weir_str mode = weir_site_str(site, D_MODE);
    if (weir_str_is(mode, "MIN_COMBINED")) {
        double half = r.is_signed ? (r.highest - r.lowest + 1) / 2 : 0;
        float scale = (float)(((double)max - min) / (r.highest - r.lowest));
        return (line){half, scale, min};
    }
    if (weir_str_is(mode, "SCALED")) {
        double low = r.lowest + (weir_site_bool(site, D_NARROW) && r.is_signed);
        double from_min = low * min > 0 ? min / low : 0;
        double scale = r.is_signed ? fmax(from_min, max / r.highest) : max / r.highest;
        return (line){0, (float)scale, 0};
    }
    double steps = ldexp(1, r.bits), adjust = steps / (steps - 1);
    float width = (float)(((double)max - min) * adjust), scale = (float)(width / steps);
    if (min == max)
        return (line){0, 0, min};
    return (line){-r.lowest, scale, round(min / scale) * scale};
}

static weir_status dequantize(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    const float *lows = weir_in(call, 1)->data, *highs = weir_in(call, 2)->data;
    weir_tensor *y = weir_out(call, 0);
    slices s = slices_of(&x->shape, weir_site_int(call->site, D_AXIS));
    int64_t count = weir_tensor_count(x);
    for (int64_t c = 0; c < s.dim; c++) {
        line l = make_line(call->site, lows[c], highs[c]);
        for (int64_t at = c * s.inner; at < count; at += s.dim * s.inner)
            for (int64_t i = at; i < at + s.inner; i++) {
                float v = (float)(((double)weir_quant_at(x, i) + l.shift) * l.scale + l.start);
                if (y->dtype == WEIR_FLOAT)
                    ((float *)y->data)[i] = v;
                else
                    ((uint16_t *)y->data)[i] = weir_float_to_bfloat16(v);
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
