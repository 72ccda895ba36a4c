/* math/conv/conv.h - convolutions of images with channels last, and their gradients.
 *
 * Images are batch x in[0] x in[1] x in[2] x in_c (depth, height, width; a 2-D convolution has
 * depth 1), filters taps[0] x taps[1] x taps[2] x filter_c x out_c. in_c is a multiple of filter_c;
 * the quotient is the number of groups, which share out_c evenly. Pixels outside the image are 0.
 * half and bfloat16 are summed in float (integers: wrap). Buffers must not overlap.
 * The matrix of patches is never stored whole: working memory is bounded by tiles and the filter.
 * Results agree with the plain sums within rounding, not bitwise: the order of additions depends on
 * the shape, the instruction set and, for gradients of filters, the number of threads.
 */
#ifndef WEIR_MATH_CONV_CONV_H
#define WEIR_MATH_CONV_CONV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "math/conv/epilogue.h"
#include "math/elem.h"

typedef struct weir_conv {
    weir_elem elem; /* f32, f64, f16, bf16; all but grad_w also i32 */
    int64_t batch, in_c, out_c, filter_c;
    int64_t in[3], out[3], taps[3];
    int64_t stride[3], dilation[3], pad[3]; /* pad: before the first element */
    const weir_epilogue *epilogue; /* applied to y by weir_conv_forward of f32; may be null */
} weir_conv;

void weir_conv_forward(const weir_par *par, const weir_conv *conv, const void *x, const void *w,
                       void *y);
void weir_conv_grad_x(const weir_par *par, const weir_conv *conv, const void *dy, const void *w,
                      void *dx);
void weir_conv_grad_w(const weir_par *par, const weir_conv *conv, const void *x, const void *dy,
                      void *dw);

/* Depthwise: a filter of its own for every channel. The filter is taps[1] x taps[2] x in_c x
 * multiplier, and out_c is in_c * multiplier; filter_c is ignored; 2-D only. */
void weir_depthwise_forward(const weir_par *par, const weir_conv *conv, const void *x,
                            const void *w, void *y);
void weir_depthwise_grad_x(const weir_par *par, const weir_conv *conv, const void *dy,
                           const void *w, void *dx);
void weir_depthwise_grad_w(const weir_par *par, const weir_conv *conv, const void *x,
                           const void *dy, void *dw);

#endif
