/* ops/quant/quant.c - between numbers of few bits and floats. */
#include "ops/quant/quant.h"

#include <math.h>

static int bits_of(weir_dtype dtype)
{
    return 8 * (int)weir_dtype_size(dtype);
}

static bool is_signed(weir_dtype dtype)
{
    return dtype == WEIR_QINT8 || dtype == WEIR_QINT16 || dtype == WEIR_QINT32;
}

int64_t weir_quant_lowest(weir_dtype dtype)
{
    return is_signed(dtype) ? -((int64_t)1 << (bits_of(dtype) - 1)) : 0;
}

int64_t weir_quant_highest(weir_dtype dtype)
{
    return weir_quant_lowest(dtype) + ((int64_t)1 << bits_of(dtype)) - 1;
}

int32_t weir_quant_at(const weir_tensor *t, int64_t i)
{
    switch (t->dtype) {
    case WEIR_QINT8:
        return ((const int8_t *)t->data)[i];
    case WEIR_QUINT8:
        return ((const uint8_t *)t->data)[i];
    case WEIR_QINT16:
        return ((const int16_t *)t->data)[i];
    case WEIR_QUINT16:
        return ((const uint16_t *)t->data)[i];
    default:
        return ((const int32_t *)t->data)[i];
    }
}

static int64_t clamp(int64_t v, weir_dtype dtype)
{
    int64_t low = weir_quant_lowest(dtype), high = weir_quant_highest(dtype);
    return v < low ? low : v > high ? high : v;
}

void weir_quant_set(weir_tensor *t, int64_t i, int64_t v)
{
    v = clamp(v, t->dtype);
    switch (t->dtype) {
    case WEIR_QINT8:
        ((int8_t *)t->data)[i] = (int8_t)v;
        return;
    case WEIR_QUINT8:
        ((uint8_t *)t->data)[i] = (uint8_t)v;
        return;
    case WEIR_QINT16:
        ((int16_t *)t->data)[i] = (int16_t)v;
        return;
    case WEIR_QUINT16:
        ((uint16_t *)t->data)[i] = (uint16_t)v;
        return;
    default:
        ((int32_t *)t->data)[i] = (int32_t)v;
    }
}

/* Of a float that may be anything. */
static int64_t to_int(double x)
{
    return x >= 9e18 ? INT64_MAX / 4 : x > -9e18 ? (int64_t)x : INT64_MIN / 4;
}

int64_t weir_quant_of(weir_quant q, float x)
{
    if (q.min == q.max)
        return weir_quant_lowest(q.dtype);
    double steps = ldexp(1, bits_of(q.dtype)), adjust = steps / (steps - 1);
    double scale = steps / ((double)(q.max - q.min) * adjust);
    return to_int(round(x * scale) - round(q.min * scale)) + weir_quant_lowest(q.dtype);
}

float weir_quant_to_float(weir_quant q, int64_t v)
{
    if (q.min == q.max)
        return q.min;
    double steps = ldexp(1, bits_of(q.dtype)), adjust = steps / (steps - 1);
    double scale = (double)(q.max - q.min) * adjust / steps;
    double lowest = roundf(q.min / (float)scale) * (float)scale;
    return (float)(lowest + (double)(v - weir_quant_lowest(q.dtype)) * scale);
}

weir_quant_line weir_quant_dequantize(weir_quant q)
{
    double steps = ldexp(1, bits_of(q.dtype));
    float scale = (float)((double)(q.max - q.min) / (steps - 1));
    float lowest = q.max == q.min ? q.min : roundf(q.min / scale) * scale;
    return (weir_quant_line){scale, lowest - (float)weir_quant_lowest(q.dtype) * scale};
}

weir_quant_line weir_quant_quantize(weir_quant q)
{
    double steps = ldexp(1, bits_of(q.dtype));
    float scale = q.max == q.min ? 0 : (float)((steps - 1) / (double)(q.max - q.min));
    return (weir_quant_line){scale, roundf(q.min * scale) - (float)weir_quant_lowest(q.dtype)};
}

int64_t weir_quant_apply(weir_quant_line l, weir_dtype dtype, float x)
{
    float low = fmaxf((float)weir_quant_lowest(dtype), -2.147483648e+09f);
    float high = fminf((float)weir_quant_highest(dtype), 2.147483520e+09f);
    float v = roundf(x * l.scale) - l.offset;
    return (int64_t)fminf(fmaxf(v, low), high);
}

static float level(weir_quant q)
{
    return (q.max - q.min) / (float)(weir_quant_highest(q.dtype) - weir_quant_lowest(q.dtype));
}

weir_quant weir_quant_product(weir_quant a, weir_quant b, weir_dtype dtype)
{
    float step = level(a) * level(b);
    return (weir_quant){dtype, step * (float)weir_quant_lowest(dtype),
                        step * (float)weir_quant_highest(dtype)};
}

weir_quant weir_quant_input(const weir_call *c, int in, int min)
{
    return (weir_quant){weir_in(c, in)->dtype, *(const float *)weir_in(c, min)->data,
                        *(const float *)weir_in(c, min + 1)->data};
}

void weir_quant_give(weir_call *c, weir_quant q)
{
    *(float *)weir_out(c, 1)->data = q.min;
    *(float *)weir_out(c, 2)->data = q.max;
}

weir_status weir_quant_infer(weir_infer *i, int from, int to)
{
    for (int k = from; k < to; k++)
        WEIR_TRY(weir_infer_rank(i, k, 0));
    i->out[1] = i->out[2] = WEIR_SCALAR;
    return WEIR_OK;
}

weir_status weir_quant_infer_same(weir_infer *i, int from, int to)
{
    i->out[0] = *i->in[0];
    return weir_quant_infer(i, from, to);
}

weir_status weir_quant_centred(weir_call *c, const weir_tensor *t, weir_quant q, weir_tensor *out)
{
    int32_t zero = (int32_t)weir_quant_of(q, 0);
    WEIR_TRY(weir_tensor_alloc(WEIR_INT32, &t->shape, out));
    for (int64_t i = 0; i < weir_tensor_count(t); i++)
        ((int32_t *)out->data)[i] = (int32_t)((uint32_t)weir_quant_at(t, i) - (uint32_t)zero);
    return WEIR_OK;
}
