/* math/conv/conv_impl.h - small pieces that the convolutions share. */
#ifndef WEIR_MATH_CONV_IMPL_H
#define WEIR_MATH_CONV_IMPL_H

#include <stddef.h>

#include "math/conv/conv.h"

/* to[j * ld_to + i] = from[i * ld_from + j] for elements of 2, 4 or 8 bytes. */
void weir_transpose(size_t size, int64_t rows, int64_t cols, const void *from, int64_t ld_from,
                    void *to, int64_t ld_to);

/* half or bfloat16 to float, and back. */
void weir_widen(weir_elem elem, const void *from, float *to, int64_t count);
void weir_narrow(weir_elem elem, const float *from, void *to, int64_t count);

/* The definition, in wrapping integers. */
void weir_conv_forward_i32(const weir_par *par, const weir_conv *g, const int32_t *x,
                           const int32_t *w, int32_t *y);
void weir_conv_grad_x_i32(const weir_par *par, const weir_conv *g, const int32_t *dy,
                          const int32_t *w, int32_t *dx);

#endif
