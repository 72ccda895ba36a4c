/* math/fft/fft.h - discrete Fourier transforms of any length, in double.
 *
 * Lengths with small prime factors use mixed radix; the others become a power-of-two convolution
 * (Bluestein). A plan is immutable and may be shared by threads.
 */
#ifndef WEIR_MATH_FFT_H
#define WEIR_MATH_FFT_H

#include "base/pool.h"
#include "base/status.h"
#include "math/elem.h"

typedef struct weir_fft weir_fft;

/* |length| is at least 1. */
WEIR_CHECKED weir_status weir_fft_create(int64_t length, weir_fft **out_fft);
void weir_fft_destroy(weir_fft *fft); /* takes null */

/* Complex numbers of scratch that a line needs. */
int64_t weir_fft_scratch(const weir_fft *fft);
/* Transforms |length| contiguous numbers in place; the inverse is divided by the length. */
void weir_fft_line(const weir_fft *fft, bool inverse, weir_c128 *line, weir_c128 *scratch);
/* Transforms every line along the middle dimension of x[outer, length, inner], in place. */
WEIR_CHECKED weir_status weir_fft_axis(const weir_par *par, bool inverse, int64_t outer,
                                       int64_t length, int64_t inner, weir_c128 *x);

#endif
