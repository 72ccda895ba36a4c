/* math/move/move_impl.h - the tables behind move.c, one entry per element size. */
#ifndef WEIR_MATH_MOVE_IMPL_H
#define WEIR_MATH_MOVE_IMPL_H

#include "math/elem.h"
#include "math/isa.h"
#include "math/move/move.h"

enum { WEIR_MOVE_SIZES = 5 }; /* 1 << i bytes */

typedef struct weir_move_loops {
    void (*strided[WEIR_MOVE_SIZES])(int64_t count, void *dst, int64_t dst_step, const void *src,
                                     int64_t src_step);
    void (*repeat[WEIR_MOVE_SIZES])(int64_t count, void *dst, const void *value);
    void (*transpose[WEIR_MOVE_SIZES])(int64_t rows, int64_t cols, void *dst, int64_t dst_stride,
                                       const void *src, int64_t src_stride);
} weir_move_loops;

WEIR_ISA_DECLARE(const weir_move_loops, weir_move_loops);

#endif
