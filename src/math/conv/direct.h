/* math/conv/direct.h - convolutions that read the image where it lies.
 *
 * For float and double, without groups: the patch of a pixel is a few runs of the image (its
 * lines), and neighbouring pixels are a constant distance apart, which is all that the tiles of a
 * product need. Only the filter (or the gradient that takes its place) is packed, and lines that
 * need zeros at their ends are copied.
 */
#ifndef WEIR_MATH_CONV_DIRECT_H
#define WEIR_MATH_CONV_DIRECT_H

#include "math/conv/conv.h"

/* Where an output is written when it is not dense: elements from one image to the next, and from
 * one plane, line and pixel to the next. */
typedef struct weir_conv_lay {
    int64_t image, step[3];
} weir_conv_lay;

/* Whether the functions below take this convolution, and are the better choice for it. */
bool weir_conv_direct_fits(const weir_conv *g);
void weir_conv_direct(const weir_par *par, const weir_conv *g, const void *x, const void *w,
                      void *y);
void weir_conv_direct_into(const weir_par *par, const weir_conv *g, const void *x, const void *w,
                           void *y, const weir_conv_lay *lay);
void weir_conv_direct_grad_w(const weir_par *par, const weir_conv *g, const void *x, const void *dy,
                             void *dw);

#endif
