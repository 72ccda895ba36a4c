/* math/conv/phases.h - the gradient of the image when the filter was moved by more than a pixel.
 *
 * Pixels of the image that lie at the same place within a stride see the same taps of the filter,
 * so they are a convolution of dy with those taps that is not strided, written a stride apart, one
 * such convolution for every place within a stride.
 */
#ifndef WEIR_MATH_CONV_PHASES_H
#define WEIR_MATH_CONV_PHASES_H

#include "math/conv/conv.h"

/* Whether weir_conv_phases_grad_x takes this convolution. */
bool weir_conv_phases_fits(const weir_conv *g);
void weir_conv_phases_grad_x(const weir_par *par, const weir_conv *g, const void *dy, const void *w,
                             void *dx);

#endif
