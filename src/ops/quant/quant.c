/* ops/quant/quant.c - conversion between quantised values and floats. */
#include "ops/quant/quant.h"
#include "base/arith.h"

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

int32_t weir_quant_at(const weir_tensor *tensor, int64_t i)
{
    switch (tensor->dtype) {
    case WEIR_QINT8:
        return ((const int8_t *)tensor->data)[i];
    case WEIR_QUINT8:
        return ((const uint8_t *)tensor->data)[i];
    case WEIR_QINT16:
        return ((const int16_t *)tensor->data)[i];
    case WEIR_QUINT16:
        return ((const uint16_t *)tensor->data)[i];
    default:
        return ((const int32_t *)tensor->data)[i];
    }
}

void weir_quant_set(weir_tensor *tensor, int64_t i, int64_t value)
{
    value = weir_clamp(value, weir_quant_lowest(tensor->dtype), weir_quant_highest(tensor->dtype));
    switch (tensor->dtype) {
    case WEIR_QINT8:
        ((int8_t *)tensor->data)[i] = (int8_t)value;
        return;
    case WEIR_QUINT8:
        ((uint8_t *)tensor->data)[i] = (uint8_t)value;
        return;
    case WEIR_QINT16:
        ((int16_t *)tensor->data)[i] = (int16_t)value;
        return;
    case WEIR_QUINT16:
        ((uint16_t *)tensor->data)[i] = (uint16_t)value;
        return;
    default:
        ((int32_t *)tensor->data)[i] = (int32_t)value;
    }
}

/* Converts any float, including infinities and NaN. */
static int64_t to_int(double x)
{
    return x >= 9e18 ? INT64_MAX / 4 : x > -9e18 ? (int64_t)x : INT64_MIN / 4;
}

int64_t weir_quant_of(weir_quant quant, float x)
{
    if (quant.min == quant.max)
        return weir_quant_lowest(quant.dtype);
    double steps = ldexp(1, bits_of(quant.dtype)), adjust = steps / (steps - 1);
    double scale = steps / ((double)(quant.max - quant.min) * adjust);
    return to_int(round(x * scale) - round(quant.min * scale)) + weir_quant_lowest(quant.dtype);
}

float weir_quant_to_float(weir_quant quant, int64_t value)
{
    if (quant.min == quant.max)
        return quant.min;
    double steps = ldexp(1, bits_of(quant.dtype)), adjust = steps / (steps - 1);
    double scale = (double)(quant.max - quant.min) * adjust / steps;
    double lowest = roundf(quant.min / (float)scale) * (float)scale;
    return (float)(lowest + (double)(value - weir_quant_lowest(quant.dtype)) * scale);
}

weir_quant_line weir_quant_dequantize(weir_quant quant)
{
    double steps = ldexp(1, bits_of(quant.dtype));
    float scale = (float)((double)(quant.max - quant.min) / (steps - 1));
    float lowest = quant.max == quant.min ? quant.min : roundf(quant.min / scale) * scale;
    return (weir_quant_line){scale, lowest - (float)weir_quant_lowest(quant.dtype) * scale};
}

weir_quant_line weir_quant_quantize(weir_quant quant)
{
    double steps = ldexp(1, bits_of(quant.dtype));
    float scale =
        quant.max == quant.min ? 0 : (float)((steps - 1) / (double)(quant.max - quant.min));
    return (weir_quant_line){scale,
                             roundf(quant.min * scale) - (float)weir_quant_lowest(quant.dtype)};
}

int64_t weir_quant_apply(weir_quant_line line, weir_dtype dtype, float x)
{
    float low = fmaxf((float)weir_quant_lowest(dtype), -2.147483648e+09f);
    float high = fminf((float)weir_quant_highest(dtype), 2.147483520e+09f);
    float value = roundf(x * line.scale) - line.offset;
    return (int64_t)fminf(fmaxf(value, low), high);
}

static float level(weir_quant quant)
{
    return (quant.max - quant.min) /
           (float)(weir_quant_highest(quant.dtype) - weir_quant_lowest(quant.dtype));
}

weir_quant weir_quant_product(weir_quant a, weir_quant b, weir_dtype dtype)
{
    float step = level(a) * level(b);
    return (weir_quant){dtype, step * (float)weir_quant_lowest(dtype),
                        step * (float)weir_quant_highest(dtype)};
}

weir_quant weir_quant_input(const weir_call *call, int in, int min)
{
    return (weir_quant){weir_in(call, in)->dtype, *(const float *)weir_in(call, min)->data,
                        *(const float *)weir_in(call, min + 1)->data};
}

void weir_quant_set_range(weir_call *call, weir_quant quant)
{
    *(float *)weir_out(call, 1)->data = quant.min;
    *(float *)weir_out(call, 2)->data = quant.max;
}

weir_status weir_quant_infer(weir_infer *infer, int from, int to)
{
    for (int k = from; k < to; k++)
        WEIR_TRY(weir_infer_rank(infer, k, 0));
    infer->out[1] = infer->out[2] = WEIR_SCALAR;
    return WEIR_OK;
}

weir_status weir_quant_infer_same(weir_infer *infer, int from, int to)
{
    infer->out[0] = *infer->in[0];
    return weir_quant_infer(infer, from, to);
}

weir_status weir_quant_centred(weir_call *call, const weir_tensor *tensor, weir_quant quant,
                               weir_tensor *out)
{
    int32_t zero = (int32_t)weir_quant_of(quant, 0);
    WEIR_TRY(weir_tensor_alloc(WEIR_INT32, &tensor->shape, out));
    for (int64_t i = 0; i < weir_tensor_count(tensor); i++)
        ((int32_t *)out->data)[i] = (int32_t)((uint32_t)weir_quant_at(tensor, i) - (uint32_t)zero);
    return WEIR_OK;
}
