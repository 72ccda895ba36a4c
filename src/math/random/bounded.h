/* math/random/bounded.h - normal samples between bounds, each row with parameters of its own. */
#ifndef WEIR_MATH_RANDOM_BOUNDED_H
#define WEIR_MATH_RANDOM_BOUNDED_H

#include "base/status.h"
#include "math/elem.h"
#include "math/random/philox.h"

/* Each sample is tried at most this often; a row reserves as many pairs of numbers for each. */
enum { WEIR_BOUNDED_TRIES = 1000 };

typedef struct weir_bounded {
    double mean, deviation, low, high;
} weir_bounded;

/* Draws |count| samples from |gen|, which moves on. INVALID_ARGUMENT for parameters that have no
 * samples. |elem| is a float type; arithmetic is done in it (in float for the 16-bit ones). */
WEIR_CHECKED weir_status weir_random_bounded(weir_philox *gen, weir_elem elem, weir_bounded with,
                                             int64_t count, void *out);

#endif
