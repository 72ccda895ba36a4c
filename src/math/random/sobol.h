/* math/random/sobol.h - Sobol's low-discrepancy sequence in the unit cube. */
#ifndef WEIR_MATH_RANDOM_SOBOL_H
#define WEIR_MATH_RANDOM_SOBOL_H

#include <stdint.h>

enum { WEIR_SOBOL_DIMS = 1111, WEIR_SOBOL_DIGITS = 31 };

/* Direction numbers of the first |dims| dimensions: WEIR_SOBOL_DIGITS of each, number k below
 * 2^(k + 1). */
void weir_sobol_directions(int dims, uint32_t *out);

#endif
