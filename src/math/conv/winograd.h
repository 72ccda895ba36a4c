/* math/conv/winograd.h - convolutions with fewer multiplications, by Winograd's minimal filtering.
 *
 * For float images, 3x3 and 5x5 filters, without strides, dilation or groups. A tile of pixels (6x6
 * or 8x8) and the filter are transformed to a basis in which the convolution is a product point by
 * point; summed over channels, that is one matrix product per point of the tile. A tile has 4x4
 * outputs, which take 1/4 of the multiplications for a 3x3 filter and 1/6 for a 5x5 filter. Results
 * differ from the plain sum by a few times its own rounding. Working memory is bounded by blocks of
 * tiles and a few times the filter.
 */
#ifndef WEIR_MATH_CONV_WINOGRAD_H
#define WEIR_MATH_CONV_WINOGRAD_H

#include "math/conv/conv.h"

/* Whether the functions below support this convolution, and are expected to be faster. */
bool weir_winograd_fits(const weir_conv *conv);
void weir_winograd(const weir_par *par, const weir_conv *conv, const float *x, const float *w,
                   float *y);
void weir_winograd_grad_w(const weir_par *par, const weir_conv *conv, const float *x,
                          const float *dy, float *dw);

#endif
