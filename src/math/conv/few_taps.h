/* math/conv/few_taps.h - the gradient of a filter with few taps times input channels.
 *
 * For float images of one or a few channels, as in first layers. The gradient of all taps stays in
 * registers while dy is read once, instead of a matrix product for each row of taps. The images of
 * a batch are summed in parts that do not depend on the number of threads.
 */
#ifndef WEIR_MATH_CONV_FEW_TAPS_H
#define WEIR_MATH_CONV_FEW_TAPS_H

#include "math/conv/conv.h"

/* Whether weir_conv_few_taps_grad_w supports this convolution, and is expected to be faster. */
bool weir_conv_few_taps_fits(const weir_conv *conv);
void weir_conv_few_taps_grad_w(const weir_par *par, const weir_conv *conv, const float *x,
                               const float *dy, float *dw);

#endif
