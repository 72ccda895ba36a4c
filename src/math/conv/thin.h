/* math/conv/thin.h - the gradient of a filter that is thin: few taps times few channels.
 *
 * For float images of one or a few channels, as first layers have them. All of a filter's elements
 * stay in registers while the pixels of dy pass by once, instead of a product for each line of
 * taps. Images are added up in parts that do not depend on the number of threads.
 */
#ifndef WEIR_MATH_CONV_THIN_H
#define WEIR_MATH_CONV_THIN_H

#include "math/conv/conv.h"

/* Whether weir_conv_thin_grad_w takes this convolution, and is the better choice for it. */
bool weir_conv_thin_fits(const weir_conv *g);
void weir_conv_thin_grad_w(const weir_par *par, const weir_conv *g, const float *x, const float *dy,
                           float *dw);

#endif
