/* math/window/window.isa.c - windows over floats. */
#include <string.h>

#include "math/half.h"
#include "math/window/window_impl.h"

#define KEEP(x) (x)
#define MEANS

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

#define ELEM float
#define SUM float
#define NAME(x) x##_f32
#define LANES lanes_f32
#define MASKS masks_f32
#define LOAD KEEP
#define STORE KEEP
#include "math/window/window.inc"

#define ELEM double
#define SUM double
#define NAME(x) x##_f64
#define LANES lanes_f64
#define MASKS masks_f64
#define LOAD KEEP
#define STORE KEEP
#include "math/window/window.inc"

#define ELEM uint16_t
#define SUM float
#define NAME(x) x##_f16
#define LOAD weir_f16_f32
#define STORE weir_f32_f16
#include "math/window/window.inc"

#define ELEM uint16_t
#define SUM float
#define NAME(x) x##_bf16
#define LOAD weir_bf16_f32
#define STORE weir_f32_bf16
#include "math/window/window.inc"

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

#define ROW(s, n)                                                                                  \
    {                                                                                              \
        max_line_##s, max_at_##s, max_grad_line_##s, max_grad_grad_##s, mean_##s, mean_grad_##s, n \
    }
const weir_window_table WEIR_ISA_NAME(weir_window_floats) = {
    ROW(f16, narrow_f16), ROW(bf16, narrow_bf16), ROW(f32, NULL), ROW(f64, NULL)};
