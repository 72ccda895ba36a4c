/* math/window/window_impl.h - the loops over one pixel of the output. */
#ifndef WEIR_MATH_WINDOW_IMPL_H
#define WEIR_MATH_WINDOW_IMPL_H

#include "math/isa.h"
#include "math/window/window.h"

/* What one window sees: lines and columns [from, to) of each dimension, within one image. */
typedef struct weir_seen {
    int64_t from[3], to[3];
} weir_seen;

/* What window |x| of a line sees along it. */
static inline void weir_see_pixel(const weir_window *w, int64_t x, weir_seen *s)
{
    int64_t from = x * w->stride[2] - w->pad[2], to = from + w->size[2];
    s->from[2] = from < 0 ? 0 : from;
    s->to[2] = to > w->in[2] ? w->in[2] : to;
}

/* How a maximum's gradient is given to the image. */
typedef struct weir_max_giving {
    bool alone; /* each window is the only one that sees its pixels: written, not added to */
    bool relu;  /* a maximum that is not above 0 gives nothing */
    void *sum;  /* not null: what each channel gave is added here */
} weir_max_giving;

/* Functions take an image's first element and the pixel's channels. |room| has space for two rows
 * of 8-byte elements. Those of a line take the windows of one line of output, and of |s| the sides
 * that they share. */
typedef struct weir_window_loops {
    void (*max_line)(const weir_window *w, weir_seen *s, const void *x, void *y);
    void (*max_at)(const weir_window *w, const weir_seen *s, const void *x, void *y, int64_t first,
                   int64_t *argmax);
    /* |dx| is the image's gradient in float for 16-bit types. */
    void (*max_grad_line)(const weir_window *w, weir_seen *s, const void *x, const void *dy,
                          const weir_max_giving *how, void *dx, void *room);
    void (*max_grad_grad)(const weir_window *w, const weir_seen *s, const void *x, const void *y,
                          const void *ddx, void *z);
    void (*mean)(const weir_window *w, const weir_seen *s, const void *x, void *y, void *room);
    void (*mean_grad)(const weir_window *w, const weir_seen *s, const void *dy, void *dx);
    void (*narrow)(int64_t count, const float *from, void *to); /* null: not a 16-bit type */
} weir_window_loops;

/* In the order of weir_elem: f16, bf16, f32, f64. */
typedef weir_window_loops weir_window_table[4];
WEIR_ISA_DECLARE(const weir_window_table, weir_window_floats);
extern const weir_window_loops weir_window_ints[8]; /* i8 ... u64, as in weir_elem */

#endif
