/* math/finite/finite.h - whether an array has a NaN or an infinity. */
#ifndef WEIR_MATH_FINITE_FINITE_H
#define WEIR_MATH_FINITE_FINITE_H

#include "math/elem.h"

/* True when all |count| elements are finite; always for types other than floats. Memory-bound:
 * three instructions per vector. Single-threaded. */
bool weir_finite(weir_elem elem, const void *at, int64_t count);

#endif
