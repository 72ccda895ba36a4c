/* ops/array/fill.c - Fill, ZerosLike, OnesLike, Empty: constant tensors. */
#include <inttypes.h>

#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/variants.h"

/* ---- Fill ------------------------------------------------------------------------------------ */

static weir_status fill_infer(weir_infer *infer)
{
    const weir_tensor *dims = weir_infer_value(infer, 0);
    WEIR_TRY(weir_infer_rank(infer, 0, 1));
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    for (int64_t k = 0; dims && k < weir_tensor_count(dims); k++)
        if (weir_int_at(dims, k) < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Dimension %" PRId64 " must be >= 0",
                              weir_int_at(dims, k));
    return weir_infer_new_shape(infer, 0, &infer->out[0]);
}

static weir_status fill(weir_call *call)
{
    weir_tensor_fill(&call->run->par, weir_out(call, 0), weir_in(call, 1)->data);
    return WEIR_OK;
}

static weir_status fill_grad(weir_grad *grad)
{
    weir_grad_set(grad, 1, weir_grad_sum_all(grad, weir_grad_dy(grad, 0)));
    return WEIR_OK;
}

const weir_op weir_op_fill = {
    .name = "Fill",
    .in = "dims: index_type; value: T",
    .out = "output: T",
    .attrs = "T: type; index_type: {int32, int64} = DT_INT32",
    .host = "dims",
    .infer = fill_infer,
    .grad = fill_grad,
    .kernels = {{WEIR_CPU, "*", fill}},
};

/* ---- ZerosLike, OnesLike --------------------------------------------------------------------- */

static weir_status zeros_like_infer(weir_infer *infer)
{
    infer->out[0] = *infer->in[0];
    if (infer->out_handles && infer->in_handles && infer->in_handles[0])
        infer->out_handles[0] = *infer->in_handles[0];
    return WEIR_OK;
}

static weir_status zeros_like(weir_call *call)
{
    weir_tensor_zero(&call->run->par, weir_out(call, 0));
    return WEIR_OK;
}

const weir_op weir_op_zeros_like = {
    .name = "ZerosLike",
    .in = "x: T",
    .out = "y: T",
    .attrs = "T: type",
    .infer = zeros_like_infer,
    .no_grad = true,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "T: variant", weir_variants_zero, WEIR_OWN_OUTPUTS},
                {WEIR_CPU, "*", zeros_like}},
};

/* One, in every numeric type: written into a buffer that fits the widest. */
static void one_of(weir_dtype dtype, uint8_t one[16])
{
    memset(one, 0, 16);
    switch (dtype) {
    case WEIR_FLOAT:
    case WEIR_COMPLEX64:
        *(float *)one = 1;
        break;
    case WEIR_DOUBLE:
    case WEIR_COMPLEX128:
        *(double *)one = 1;
        break;
    case WEIR_HALF:
        *(uint16_t *)one = weir_f32_f16(1);
        break;
    case WEIR_BFLOAT16:
        *(uint16_t *)one = weir_f32_bf16(1);
        break;
    default: /* integers and bool, little-endian */
        one[0] = 1;
    }
}

static weir_status ones_like(weir_call *call)
{
    _Alignas(16) uint8_t one[16];
    weir_tensor *y = weir_out(call, 0);
    one_of(y->dtype, one);
    weir_tensor_fill(&call->run->par, y, one);
    return WEIR_OK;
}

const weir_op weir_op_ones_like = {
    .name = "OnesLike",
    .in = "x: T",
    .out = "y: T",
    .attrs = "T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, "
             "uint64, complex64, complex128, bool}",
    .infer = weir_infer_same_shape,
    .no_grad = true,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", ones_like}},
};

/* ---- Empty ----------------------------------------------------------------------------------- */

static weir_status empty_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 1));
    return weir_infer_new_shape(infer, 0, &infer->out[0]);
}

/* Always zeroed: process memory must not leak into results. */
static weir_status empty(weir_call *call)
{
    weir_tensor_zero(&call->run->par, weir_out(call, 0));
    return WEIR_OK;
}

const weir_op weir_op_empty = {
    .name = "Empty",
    .in = "shape: int32",
    .out = "output: dtype",
    .attrs = "dtype: type; init: bool = false",
    .flags = WEIR_STATEFUL,
    .infer = empty_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", empty}},
};
