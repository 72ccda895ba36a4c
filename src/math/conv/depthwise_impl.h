/* math/conv/depthwise_impl.h - the loops behind the depthwise convolutions. */
#ifndef WEIR_MATH_CONV_DEPTHWISE_IMPL_H
#define WEIR_MATH_CONV_DEPTHWISE_IMPL_H

#include "math/conv/conv.h"
#include "math/isa.h"

enum { WEIR_DEPTHWISE_TYPES = 4 };

/* |sum| is a row of sums (float; double for f64), as long as a pixel of the result or, for grad_w,
 * as the filter. */
typedef struct weir_depthwise_loops {
    weir_elem elem;
    void (*forward)(const weir_conv *conv, int64_t pixel, const void *x, const void *w, void *sum,
                    void *y);
    void (*grad_x)(const weir_conv *conv, int64_t pixel, const void *dy, const void *w, void *sum,
                   void *dx);
    /* Adds the contribution of output line |line| (of batch x out[1]) to the sums. */
    void (*grad_w)(const weir_conv *conv, int64_t line, const void *x, const void *dy, void *sum);
    /* to[i] = the sum of |parts| rows of sums. */
    void (*finish)(int64_t count, int64_t parts, const void *sums, void *to);
} weir_depthwise_loops;

typedef weir_depthwise_loops weir_depthwise_table[WEIR_DEPTHWISE_TYPES];
WEIR_ISA_DECLARE(const weir_depthwise_table, weir_depthwise_loops);

#endif
