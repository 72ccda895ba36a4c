/* math/conv/conv_impl.h - the convolutions of integers, which conv.c calls. */
#ifndef WEIR_MATH_CONV_IMPL_H
#define WEIR_MATH_CONV_IMPL_H

#include <stdint.h>

#include "math/conv/conv.h"

/* The reference, in wrapping integers. */
void weir_conv_forward_i32(const weir_par *par, const weir_conv *conv, const int32_t *x,
                           const int32_t *w, int32_t *y);
void weir_conv_grad_x_i32(const weir_par *par, const weir_conv *conv, const int32_t *dy,
                          const int32_t *w, int32_t *dx);

#endif
