/* math/random/bounded.h - truncated normal samples, with parameters per row. */
#ifndef WEIR_MATH_RANDOM_BOUNDED_H
#define WEIR_MATH_RANDOM_BOUNDED_H

#include "base/status.h"
#include "math/elem.h"
#include "math/random/philox.h"

/* Maximum rejections per sample; a row reserves that many pairs of numbers for each. */
enum { WEIR_BOUNDED_TRIES = 1000 };

typedef struct weir_bounded {
    double mean, deviation, low, high;
} weir_bounded;

/* Draws |count| samples from |gen|, which advances. INVALID_ARGUMENT for parameters without
 * samples. |elem| is a float type, also used for the arithmetic (float for the 16-bit ones). */
WEIR_CHECKED weir_status weir_random_bounded(weir_philox *gen, weir_elem elem, weir_bounded with,
                                             int64_t count, void *out);

#endif
