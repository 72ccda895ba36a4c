/* math/window/window_impl.h - the loops over one output pixel. */
#ifndef WEIR_MATH_WINDOW_IMPL_H
#define WEIR_MATH_WINDOW_IMPL_H

#include "math/isa.h"
#include "math/window/window.h"

/* The part of a window that is inside the image: positions [from, to) of each dimension. */
typedef struct weir_extent {
    int64_t from[3], to[3];
} weir_extent;

/* Sets the extent of window |x| of a line along that line. */
static inline void weir_extent_along(const weir_window *window, int64_t x, weir_extent *extent)
{
    int64_t from = x * window->stride[2] - window->pad[2], to = from + window->size[2];
    extent->from[2] = from < 0 ? 0 : from;
    extent->to[2] = to > window->in[2] ? window->in[2] : to;
}

/* How the gradient of a maximum is accumulated into that of the image. */
typedef struct weir_max_grad {
    bool alone; /* windows do not overlap: write pixels instead of adding */
    bool relu;  /* the image is the result of a Relu: a maximum of 0 gets no gradient */
    void *sum;  /* not null: the gradient of each channel is also added here */
} weir_max_grad;

/* Functions take the first element of an image and the channels of one output pixel; the line
 * variants take the windows of one output line, and in |s| the dimensions that these share.
 * |scratch| has space for two rows of 8-byte elements. */
typedef struct weir_window_loops {
    void (*max_line)(const weir_window *window, weir_extent *extent, const void *x, void *y);
    void (*max_at)(const weir_window *window, const weir_extent *extent, const void *x, void *y,
                   int64_t first, int64_t *argmax);
    /* |dx| is the image's gradient in float for 16-bit types. */
    void (*max_grad_line)(const weir_window *window, weir_extent *extent, const void *x,
                          const void *dy, const weir_max_grad *how, void *dx, void *scratch);
    void (*max_grad_grad)(const weir_window *window, const weir_extent *extent, const void *x,
                          const void *y, const void *ddx, void *z);
    void (*mean)(const weir_window *window, const weir_extent *extent, const void *x, void *y,
                 void *scratch);
    void (*mean_grad)(const weir_window *window, const weir_extent *extent, const void *dy,
                      void *dx);
    void (*narrow)(int64_t count, const float *from, void *to); /* null: not a 16-bit type */
} weir_window_loops;

/* In the order of weir_elem: f16, bf16, f32, f64. */
typedef weir_window_loops weir_window_table[4];
WEIR_ISA_DECLARE(const weir_window_table, weir_window_floats);
extern const weir_window_loops weir_window_ints[8]; /* i8 ... u64, as in weir_elem */

#endif
