/* math/conv/depthwise.isa.c - depthwise convolutions: per channel, so the loops run along channels.
 *
 * 16-bit types are computed in float through rows of one pixel; the rest in their own type.
 */
#include <string.h>

#include "base/half.h"
#include "math/conv/depthwise_impl.h"
#include "math/elem.h"

#define LOOPS "math/conv/depthwise.inc"
#include "math/each_float.inc"
#include "math/each_half.inc"

const weir_depthwise_loops WEIR_ISA_NAME(weir_depthwise_loops)[WEIR_DEPTHWISE_TYPES] = {
    {WEIR_E_f32, forward_f32, grad_x_f32, grad_w_f32, finish_f32},
    {WEIR_E_f64, forward_f64, grad_x_f64, grad_w_f64, finish_f64},
    {WEIR_E_f16, forward_f16, grad_x_f16, grad_w_f16, finish_f16},
    {WEIR_E_bf16, forward_bf16, grad_x_bf16, grad_w_bf16, finish_bf16},
};
