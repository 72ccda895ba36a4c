/* ops/nn/l2_loss.c - L2Loss: half the sum of squares. */
#include "base/half.h"
#include "grad/grad.h"
#include "math/gemm/gemm.h"
#include "op/op.h"
#include "ops/common/elem_of.h"

static void halve(weir_elem elem, void *ptr)
{
    switch (elem) {
    case WEIR_E_f64:
        *(double *)ptr /= 2;
        break;
    case WEIR_E_f32:
        *(float *)ptr /= 2;
        break;
    case WEIR_E_f16:
        *(uint16_t *)ptr = weir_f32_f16(weir_f16_f32(*(uint16_t *)ptr) / 2);
        break;
    default:
        *(uint16_t *)ptr = weir_f32_bf16(weir_bf16_f32(*(uint16_t *)ptr) / 2);
    }
}

/* The dot product of the tensor with itself. */
static weir_status l2_loss(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_out(call, 0);
    weir_elem elem = weir_elem_of(x->dtype);
    weir_gemm_run(&call->run->par, &(weir_gemm){.elem = elem,
                                                .m = 1,
                                                .n = 1,
                                                .k = weir_tensor_count(x),
                                                .a = x->data,
                                                .b = x->data,
                                                .ldb = 1,
                                                .c = y->data});
    halve(elem, y->data);
    return WEIR_OK;
}

static weir_status grad(weir_grad *grad)
{
    weir_grad_set(grad, 0, weir_grad_mul(grad, weir_grad_x(grad, 0), weir_grad_dy(grad, 0)));
    return WEIR_OK;
}

const weir_op weir_op_l2_loss = {
    .name = "L2Loss",
    .in = "t: T",
    .out = "output: T",
    .attrs = "T: {half, bfloat16, float, double}",
    .infer = weir_infer_scalar,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", l2_loss}},
};
