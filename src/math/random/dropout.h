/* math/random/dropout.h - dropout with a bit mask, one bit per element.
 *
 * Element i is kept when the i-th of the uniform numbers that weir_random_uniform would draw is at
 * least |rate|; kept ones are multiplied by |scale|, the others are 0. Bits are the same for any
 * number of threads and any loop variant. y may be x.
 */
#ifndef WEIR_MATH_RANDOM_DROPOUT_H
#define WEIR_MATH_RANDOM_DROPOUT_H

#include "base/pool.h"
#include "math/random/philox.h"

/* Bytes of the mask of |count| elements. */
static inline int64_t weir_dropout_bytes(int64_t count)
{
    return (count + 255) / 256 * 32;
}

void weir_dropout(const weir_par *par, weir_philox gen, float rate, float scale, int64_t count,
                  const float *x, float *y, uint8_t *bits);
/* Applies a stored mask. */
void weir_dropout_again(const weir_par *par, const uint8_t *bits, float scale, int64_t count,
                        const float *x, float *y);

#endif
