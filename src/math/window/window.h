/* math/window/window.h - max and average pooling.
 *
 * Images are batch x in[0] x in[1] x in[2] x channels (depth, height, width). A window of |size|
 * moves by |stride|; it starts |pad| before the image; positions outside the image are ignored. The
 * gradient goes to the first largest element in memory order. The 16-bit floats are compared and
 * summed in float.
 */
#ifndef WEIR_MATH_WINDOW_H
#define WEIR_MATH_WINDOW_H

#include "base/pool.h"
#include "math/elem.h"

typedef struct weir_window {
    weir_elem elem; /* any real type; means take floats only */
    int64_t batch, channels;
    int64_t in[3], out[3], size[3], stride[3], pad[3];
} weir_window;

/* argmax, if not null, receives the index of each maximum: in its image, or in the whole batch when
 * |in_batch|. */
void weir_max_pool(const weir_par *par, const weir_window *window, const void *x, void *y,
                   int64_t *argmax, bool in_batch);
/* dx = dy where x is its window's maximum, summed over windows; 0 elsewhere. */
void weir_max_pool_grad(const weir_par *par, const weir_window *window, const void *x,
                        const void *dy, void *dx);
/* For an x that is the output of Relu: the gradient of Relu's input, and its sum over pixels per
 * channel, which is the gradient of a preceding bias. Needs float. */
void weir_max_pool_relu_grad(const weir_par *par, const weir_window *window, const float *x,
                             const float *dy, float *dx, float *sum);
/* z = ddx at the window's first position where x equals y; 0 if there is none. */
void weir_max_pool_grad_grad(const weir_par *par, const weir_window *window, const void *x,
                             const void *y, const void *ddx, void *z);

void weir_avg_pool(const weir_par *par, const weir_window *window, const void *x, void *y);
void weir_avg_pool_grad(const weir_par *par, const weir_window *window, const void *dy, void *dx);

#endif
