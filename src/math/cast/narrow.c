/* math/cast/narrow.c - 8-bit floats and 4-bit integers. */
#include "math/cast/narrow.h"

#include <math.h>

/* Layout of an 8-bit float. Rounding never gives a magnitude above |top|. */
typedef struct format {
    int mantissa, bias;
    uint8_t top; /* infinity, or NaN if there is none */
    uint8_t nan;
    bool infinite; /* the last exponent is reserved for infinity and NaNs */
} format;

static const format formats[] = {
    [WEIR_N_f8e5m2] = {2, 15, 0x7c, 0x7e, true},
    [WEIR_N_f8e4m3fn] = {3, 7, 0x7f, 0x7f, false},
};

weir_elem weir_narrow_wide(weir_narrow narrow)
{
    return weir_narrow_is_float(narrow) ? WEIR_E_f32 : narrow == WEIR_N_i4 ? WEIR_E_i8 : WEIR_E_u8;
}

weir_elem weir_narrow_source(weir_narrow narrow)
{
    return weir_narrow_is_float(narrow) ? WEIR_E_f64 : WEIR_E_i64;
}

static uint64_t double_bits(double d)
{
    union {
        double d;
        uint64_t u;
    } v = {d};
    return v.u;
}

static double bits_double(uint64_t u)
{
    union {
        uint64_t u;
        double d;
    } v = {u};
    return v.d;
}

static float decode(const format *format, uint8_t x)
{
    int exponent = (x & 0x7f) >> format->mantissa, mantissa = x & ((1 << format->mantissa) - 1);
    float value;
    if ((x & 0x7f) == format->top && format->infinite)
        value = INFINITY;
    else if ((x & 0x7f) >= format->top)
        value = NAN;
    else if (exponent == 0)
        value = ldexpf((float)mantissa, 1 - format->bias - format->mantissa);
    else
        value = ldexpf((float)(mantissa | 1 << format->mantissa),
                       exponent - format->bias - format->mantissa);
    return x & 0x80 ? -value : value;
}

static uint8_t encode(const format *format, double x)
{
    uint8_t sign = signbit(x) ? 0x80 : 0;
    uint64_t bits = double_bits(fabs(x));
    int drop = 52 - format->mantissa;
    int64_t code;
    if (isnan(x))
        return sign | format->nan;
    if (fabs(x) < ldexp(1, 1 - format->bias)) /* subnormal: fixed step size */
        return sign | (uint8_t)lrint(ldexp(fabs(x), format->bias - 1 + format->mantissa));
    bits += (1ull << (drop - 1)) - 1 + (bits >> drop & 1);
    code = (int64_t)(bits >> drop) - ((int64_t)(1023 - format->bias) << format->mantissa);
    return sign | (uint8_t)(code > format->top ? format->top : code);
}

void weir_narrow_widen(weir_narrow narrow, int64_t count, const uint8_t *x, void *y)
{
    if (weir_narrow_is_float(narrow))
        for (int64_t i = 0; i < count; i++)
            ((float *)y)[i] = decode(&formats[narrow], x[i]);
    else if (narrow == WEIR_N_i4)
        for (int64_t i = 0; i < count; i++)
            ((int8_t *)y)[i] = (int8_t)((x[i] & 15) ^ 8) - 8;
    else
        for (int64_t i = 0; i < count; i++)
            ((uint8_t *)y)[i] = x[i] & 15;
}

void weir_narrow_store(weir_narrow narrow, int64_t count, const void *x, uint8_t *y)
{
    if (weir_narrow_is_float(narrow))
        for (int64_t i = 0; i < count; i++)
            y[i] = encode(&formats[narrow], ((const double *)x)[i]);
    else
        for (int64_t i = 0; i < count; i++)
            y[i] = (uint8_t)(((const int64_t *)x)[i] & 15);
}

void weir_narrow_clear(weir_narrow narrow, int64_t count, double *x)
{
    uint64_t mask = ~0ull << (52 - formats[narrow].mantissa);
    for (int64_t i = 0; i < count; i++)
        x[i] = bits_double(double_bits(x[i]) & mask);
}
