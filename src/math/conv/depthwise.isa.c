/* math/conv/depthwise.isa.c - depthwise convolutions: per channel, so the loops run along channels.
 *
 * 16-bit types are computed in float through rows of one pixel; the rest in their own type.
 */
#include <string.h>

#include "math/conv/depthwise_impl.h"
#include "math/elem.h"
#include "math/half.h"

#define KEEP(x) (x)

#define ELEM float
#define SUM float
#define NAME(x) x##_f32
#define LOAD KEEP
#define STORE KEEP
#include "math/conv/depthwise.inc"

#define ELEM double
#define SUM double
#define NAME(x) x##_f64
#define LOAD KEEP
#define STORE KEEP
#include "math/conv/depthwise.inc"

#define ELEM uint16_t
#define SUM float
#define NAME(x) x##_f16
#define LOAD weir_f16_f32
#define STORE weir_f32_f16
#include "math/conv/depthwise.inc"

#define ELEM uint16_t
#define SUM float
#define NAME(x) x##_bf16
#define LOAD weir_bf16_f32
#define STORE weir_f32_bf16
#include "math/conv/depthwise.inc"

#define ROW(s)                                                                                     \
    {                                                                                              \
        WEIR_E_##s, forward_##s, grad_x_##s, grad_w_##s, finish_##s                                \
    }
const weir_depthwise_loops WEIR_ISA_NAME(weir_depthwise_loops)[WEIR_DEPTHWISE_TYPES] = {
    ROW(f32), ROW(f64), ROW(f16), ROW(bf16)};
