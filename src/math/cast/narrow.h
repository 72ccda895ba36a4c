/* math/cast/narrow.h - types with fewer than 8 bits of integer precision: 8-bit floats and 4-bit
 * integers, one byte per element. They are only converted, never computed with. */
#ifndef WEIR_MATH_CAST_NARROW_H
#define WEIR_MATH_CAST_NARROW_H

#include "math/elem.h"

typedef enum weir_narrow {
    WEIR_N_f8e5m2,   /* 5 bits of exponent, 2 of mantissa; infinities and NaNs as in IEEE 754 */
    WEIR_N_f8e4m3fn, /* 4 and 3 bits; no infinity, one NaN of either sign */
    WEIR_N_i4,
    WEIR_N_u4,
    WEIR_NARROW_COUNT,
    WEIR_NARROW_NONE = -1
} weir_narrow;

static inline bool weir_narrow_is_float(weir_narrow narrow)
{
    return narrow == WEIR_N_f8e5m2 || narrow == WEIR_N_f8e4m3fn;
}
/* The smallest type that holds every value: float, int8 or uint8. */
weir_elem weir_narrow_wide(weir_narrow narrow);
/* The type to narrow from, so that rounding happens once: double or int64. */
weir_elem weir_narrow_source(weir_narrow narrow);

/* Converts x to y, of type weir_narrow_wide(n). */
void weir_narrow_widen(weir_narrow narrow, int64_t count, const uint8_t *x, void *y);
/* Converts x, of weir_narrow_source(n), to y: rounds to nearest even, integers keep 4 bits. */
void weir_narrow_store(weir_narrow narrow, int64_t count, const void *x, uint8_t *y);
/* Clears the mantissa bits that |narrow| lacks, so that storing truncates. Floats only. */
void weir_narrow_clear(weir_narrow narrow, int64_t count, double *x);

#endif
