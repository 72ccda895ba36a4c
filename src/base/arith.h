/* base/arith.h - small arithmetic on counts and sizes. */
#ifndef WEIR_BASE_ARITH_H
#define WEIR_BASE_ARITH_H

#include <stdint.h>

static inline int64_t weir_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static inline int64_t weir_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
/* |value|, but at least |low| and at most |high|. */
static inline int64_t weir_clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}
/* a / b rounded up, for a >= 0 and b > 0. */
static inline int64_t weir_ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}
/* |value| rounded up to a multiple of |unit|, for value >= 0 and unit > 0. */
static inline int64_t weir_round_up(int64_t value, int64_t unit)
{
    return weir_ceil_div(value, unit) * unit;
}

#endif
