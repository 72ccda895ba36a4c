/* math/window/window.isa.c - windows over floats. */
#include <string.h>

#include "base/half.h"
#include "math/window/window_impl.h"

#if defined(__AVX512F__)
#define LANES_BYTES 64
#elif defined(__AVX2__)
#define LANES_BYTES 32
#else
#define LANES_BYTES 16
#endif
typedef float lanes_f32 __attribute__((vector_size(LANES_BYTES), aligned(4), may_alias));
typedef int32_t masks_f32 __attribute__((vector_size(LANES_BYTES)));
typedef double lanes_f64 __attribute__((vector_size(LANES_BYTES), aligned(8), may_alias));
typedef int64_t masks_f64 __attribute__((vector_size(LANES_BYTES)));

#define LOOPS "math/window/window.inc"
#include "math/each_float.inc"
#include "math/each_half.inc"

static void narrow_f16(int64_t count, const float *from, void *to)
{
    for (int64_t i = 0; i < count; i++)
        ((uint16_t *)to)[i] = weir_f32_f16(from[i]);
}

static void narrow_bf16(int64_t count, const float *from, void *to)
{
    for (int64_t i = 0; i < count; i++)
        ((uint16_t *)to)[i] = weir_f32_bf16(from[i]);
}

const weir_window_table WEIR_ISA_NAME(weir_window_floats) = {
    {max_line_f16, max_at_f16, max_grad_line_f16, max_grad_grad_f16, mean_f16, mean_grad_f16,
     narrow_f16},
    {max_line_bf16, max_at_bf16, max_grad_line_bf16, max_grad_grad_bf16, mean_bf16, mean_grad_bf16,
     narrow_bf16},
    {max_line_f32, max_at_f32, max_grad_line_f32, max_grad_grad_f32, mean_f32, mean_grad_f32, NULL},
    {max_line_f64, max_at_f64, max_grad_line_f64, max_grad_grad_f64, mean_f64, mean_grad_f64, NULL},
};
