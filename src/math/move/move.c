/* math/move/move.c - selects the loop for the CPU and the element size. */
#include "math/move/move.h"

#include "math/move/move_impl.h"

void weir_move_strided(int size, int64_t count, void *dst, int64_t dst_step, const void *src,
                       int64_t src_step)
{
    WEIR_ISA_PICK(weir_move_loops)
        ->strided[__builtin_ctz((unsigned)size)](count, dst, dst_step, src, src_step);
}

void weir_move_repeat(int size, int64_t count, void *dst, const void *value)
{
    WEIR_ISA_PICK(weir_move_loops)->repeat[__builtin_ctz((unsigned)size)](count, dst, value);
}

void weir_move_transpose(int size, int64_t rows, int64_t cols, void *dst, int64_t dst_stride,
                         const void *src, int64_t src_stride)
{
    WEIR_ISA_PICK(weir_move_loops)
        ->transpose[__builtin_ctz((unsigned)size)](rows, cols, dst, dst_stride, src, src_stride);
}
