/* math/window/window_int.c - pools over windows of integers. */
#include <string.h>

#include "math/window/window_impl.h"

#define LOOPS "math/window/window.inc"
#include "math/each_int.inc"

const weir_window_loops weir_window_ints[8] = {
    {max_line_i8, max_at_i8, max_grad_line_i8, max_grad_grad_i8},
    {max_line_i16, max_at_i16, max_grad_line_i16, max_grad_grad_i16},
    {max_line_i32, max_at_i32, max_grad_line_i32, max_grad_grad_i32},
    {max_line_i64, max_at_i64, max_grad_line_i64, max_grad_grad_i64},
    {max_line_u8, max_at_u8, max_grad_line_u8, max_grad_grad_u8},
    {max_line_u16, max_at_u16, max_grad_line_u16, max_grad_grad_u16},
    {max_line_u32, max_at_u32, max_grad_line_u32, max_grad_grad_u32},
    {max_line_u64, max_at_u64, max_grad_line_u64, max_grad_grad_u64},
};
