/* math/window/dilation.h - grey-scale dilation: the largest of image + filter under a window.
 *
 * Images are batch x in[0] x in[1] x channels, filters size[0] x size[1] x channels. Positions
 * outside the image are ignored. Gradients go to the first largest sum. Sums are rounded to the
 * element type; gradients of 16-bit floats are summed in that type.
 */
#ifndef WEIR_MATH_WINDOW_DILATION_H
#define WEIR_MATH_WINDOW_DILATION_H

#include "base/pool.h"
#include "math/elem.h"

typedef struct weir_dilation {
    weir_elem elem; /* any real type */
    int64_t batch, channels;
    int64_t in[2], out[2], size[2], stride[2], rate[2], pad[2];
} weir_dilation;

void weir_dilation_run(const weir_par *par, const weir_dilation *dilation, const void *x,
                       const void *w, void *y);
/* Clears dx and dw first. */
void weir_dilation_grad_x(const weir_dilation *dilation, const void *x, const void *w,
                          const void *dy, void *dx);
void weir_dilation_grad_w(const weir_dilation *dilation, const void *x, const void *w,
                          const void *dy, void *dw);

#endif
