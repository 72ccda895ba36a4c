/* math/cast/cast.h - element type conversions with TensorFlow's semantics: floats to integers round
 * towards zero, complex to real drops the imaginary part, anything to bool is "not zero".
 * Out-of-range values are CPU-dependent, as in TensorFlow. */
#ifndef WEIR_MATH_CAST_H
#define WEIR_MATH_CAST_H

#include "base/pool.h"
#include "math/elem.h"

/* y[i] = x[i]. The arrays must be disjoint, or equal with elements of one size. */
void weir_cast_run(const weir_par *par, weir_elem from, weir_elem to, int64_t count, const void *x,
                   void *y);
/* The same, but a float with more mantissa bits than the target is truncated. */
void weir_cast_truncate(const weir_par *par, weir_elem from, weir_elem to, int64_t count,
                        const void *x, void *y);

/* Between float and |half|, one of the 16-bit floats; for tiles on the stack. */
void weir_halves_to_floats(weir_elem half, int64_t count, const uint16_t *x, float *y);
void weir_floats_to_halves(weir_elem half, int64_t count, const float *x, uint16_t *y);

#endif
