/* math/random/fill.h - arrays of random numbers, equal to what TensorFlow's CPU kernels draw.
 *
 * Element i depends only on the generator and i, not on the number of threads.
 */
#ifndef WEIR_MATH_RANDOM_FILL_H
#define WEIR_MATH_RANDOM_FILL_H

#include "base/pool.h"
#include "math/elem.h"
#include "math/random/philox.h"

/* Blocks that a stateful op reserves per element, an upper bound. */
enum { WEIR_PHILOX_RESERVE = 256 };

/* Floats of type |elem| (16-bit, float or double). */
void weir_random_uniform(const weir_par *par, weir_philox gen, weir_elem elem, int64_t count,
                         void *out); /* [0, 1) */
void weir_random_normal(const weir_par *par, weir_philox gen, weir_elem elem, int64_t count,
                        void *out); /* mean 0, deviation 1 */
void weir_random_truncated_normal(const weir_par *par, weir_philox gen, weir_elem elem,
                                  int64_t count, void *out); /* the same, truncated to (-2, 2) */

/* Integers in [low, high) of 32 or 64 bits, signed or not; low < high as that type. */
void weir_random_ints(const weir_par *par, weir_philox gen, weir_elem elem, int64_t low,
                      int64_t high, int64_t count, void *out);
/* Integers of the whole range of their 32 or 64 bits. */
void weir_random_full_ints(const weir_par *par, weir_philox gen, weir_elem elem, int64_t count,
                           void *out);

#endif
