/* ops/internal/dropout.c - _Dropout and _DropoutAgain: dropout with a random mask, created by
 * pass/dropout.c.
 *
 * The mask is stored as bits; the random numbers are not stored. Draws continue the
 * stream of the RandomUniform node |stream|, which other plans of the session
 * share.
 */
#include "math/random/dropout.h"

#include <inttypes.h>

#include "math/random/fill.h"
#include "op/op.h"
#include "ops/random/generator.h"

enum { RATE = 1, SCALE, AGAIN_SCALE = 1 }; /* attrs */

static weir_status dropout_infer(weir_infer *infer)
{
    int64_t count = weir_shape_count(infer->in[0]);
    infer->out[0] = *infer->in[0];
    infer->out[1] = weir_shape_vector(count < 0 ? -1 : weir_dropout_bytes(count));
    return WEIR_OK;
}

static weir_status dropout(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int64_t count = weir_tensor_count(x);
    weir_philox gen = weir_generator_take(call, (uint64_t)count * WEIR_PHILOX_RESERVE);
    weir_dropout(&call->run->par, gen, weir_site_float(call->site, RATE),
                 weir_site_float(call->site, SCALE), count, x->data, weir_out(call, 0)->data,
                 weir_out(call, 1)->data);
    return WEIR_OK;
}

const weir_op weir_op_dropout = {
    .name = "_Dropout",
    .in = "x: T",
    .out = "y: T; bits: uint8",
    .attrs = "T: {float}; rate: float; scale: float; seed: int = 0; seed2: int = 0; stream: string",
    .flags = WEIR_STATEFUL | WEIR_INTERNAL_OP,
    .infer = dropout_infer,
    .no_grad = true,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", dropout, .prepare = weir_generator_prepare,
                 .cleanup = weir_generator_cleanup}},
};

static weir_status dropout_again(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *bits = weir_in(call, 1);
    int64_t count = weir_tensor_count(x);
    if (weir_tensor_count(bits) != weir_dropout_bytes(count))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%" PRId64 " bytes of mask for %" PRId64 " elements",
                          weir_tensor_count(bits), count);
    weir_dropout_again(&call->run->par, bits->data, weir_site_float(call->site, AGAIN_SCALE), count,
                       x->data, weir_out(call, 0)->data);
    return WEIR_OK;
}

const weir_op weir_op_dropout_again = {
    .name = "_DropoutAgain",
    .in = "x: T; bits: uint8",
    .out = "y: T",
    .attrs = "T: {float}; scale: float",
    .flags = WEIR_INTERNAL_OP,
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", dropout_again}},
};
