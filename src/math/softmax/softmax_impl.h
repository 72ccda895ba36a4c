/* math/softmax/softmax_impl.h - the loops over one row. */
#ifndef WEIR_MATH_SOFTMAX_IMPL_H
#define WEIR_MATH_SOFTMAX_IMPL_H

#include "math/isa.h"
#include "math/softmax/softmax.h"

/* |x| and |y| are float or double rows, depending on the table. */
typedef struct weir_softmax_loops {
    void (*row)(bool log, int64_t cols, const void *x, void *y);
    /* y = softmax(x) - labels; returns the loss. */
    double (*dense)(int64_t cols, const void *x, const void *labels, void *y);
    double (*sparse)(int64_t cols, const void *x, int64_t label, void *y);
    void (*times)(int64_t cols, const void *scale, void *y); /* y *= *scale */
} weir_softmax_loops;

WEIR_ISA_DECLARE(const weir_softmax_loops, weir_softmax_loops_f32);
WEIR_ISA_DECLARE(const weir_softmax_loops, weir_softmax_loops_f64);

#endif
