/* math/conv/phases.h - the input gradient of a strided convolution, by phase decomposition.
 *
 * The phase of a pixel is its position modulo the stride. Pixels of one phase are reached by the
 * same taps of the filter. Their gradient is therefore a convolution of dy with these taps that is
 * not strided, and whose results are written a stride apart: one such convolution per phase.
 */
#ifndef WEIR_MATH_CONV_PHASES_H
#define WEIR_MATH_CONV_PHASES_H

#include "math/conv/conv.h"

/* Whether weir_conv_phases_grad_x supports this convolution. */
bool weir_conv_phases_fits(const weir_conv *conv);
void weir_conv_phases_grad_x(const weir_par *par, const weir_conv *conv, const void *dy,
                             const void *w, void *dx);

#endif
