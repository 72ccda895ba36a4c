/* math/conv/direct.h - convolutions that read the image in place.
 *
 * For float and double, without groups. The patch of an output pixel is a few runs of adjacent
 * elements of the image, one per line of taps, and the patches of adjacent output pixels are a
 * constant distance apart. The tiles of a matrix product can read that without packing. Only the
 * filter (or dy, for the gradient of the filter) is packed, and lines that need padding are copied.
 */
#ifndef WEIR_MATH_CONV_DIRECT_H
#define WEIR_MATH_CONV_DIRECT_H

#include "math/conv/conv.h"

/* The strides of a non-dense output, in elements: from one image to the next, and from one plane,
 * line and pixel to the next. */
typedef struct weir_conv_strides {
    int64_t image, step[3];
} weir_conv_strides;

/* Whether the functions below support this convolution, and are expected to be faster. */
bool weir_conv_direct_fits(const weir_conv *conv);
void weir_conv_direct(const weir_par *par, const weir_conv *conv, const void *x, const void *w,
                      void *y);
void weir_conv_direct_into(const weir_par *par, const weir_conv *conv, const void *x, const void *w,
                           void *y, const weir_conv_strides *strides);
void weir_conv_direct_grad_w(const weir_par *par, const weir_conv *conv, const void *x,
                             const void *dy, void *dw);

#endif
