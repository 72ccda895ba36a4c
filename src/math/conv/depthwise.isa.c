/* math/conv/depthwise.isa.c - depthwise convolutions: per channel, so the loops run along channels.
 *
 * 16-bit types are computed in float through rows of one pixel; the rest in their own type.
 */
#include <string.h>

#include "math/conv/depthwise_impl.h"
#include "math/num.h"

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
#define LOAD weir_f16_load
#define STORE weir_f16_store
#include "math/conv/depthwise.inc"

#define ELEM uint16_t
#define SUM float
#define NAME(x) x##_bf16
#define LOAD weir_bf16_load
#define STORE weir_bf16_store
#include "math/conv/depthwise.inc"

#define ROW(NUM, s)                                                                                \
    {                                                                                              \
        WEIR_NUM_##NUM, forward_##s, grad_x_##s, grad_w_##s, finish_##s                            \
    }
const weir_depthwise_loops WEIR_ISA_NAME(weir_depthwise_loops)[WEIR_DEPTHWISE_TYPES] = {
    ROW(F32, f32), ROW(F64, f64), ROW(F16, f16), ROW(BF16, bf16)};
