/* ops/array/diag.c - Diag, DiagPart: generalised diagonal
 * tensors. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

static weir_status diag_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    return weir_infer_concat(infer->in[0], infer->in[0], &infer->out[0]);
}

static weir_status diag(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(x);
    weir_tensor_zero(&call->run->par, y);
    weir_rows_copy(&call->run->par, x->dtype, y->data, count + 1, x->data, 1, count, 1);
    return WEIR_OK;
}

static weir_status part_infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0];
    if (x->rank < 0)
        return WEIR_OK;
    if (x->rank == 0 || x->rank % 2 != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input must have even and non-zero rank, input rank is %d", x->rank);
    int half = x->rank / 2;
    weir_shape a = weir_infer_sub(x, 0, half), b = weir_infer_sub(x, half, x->rank);
    for (int axis = 0; axis < half; axis++)
        if (a.dims[axis] >= 0 && b.dims[axis] >= 0 && a.dims[axis] != b.dims[axis])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid shape %s: dimensions %d and %d do not match.",
                              WEIR_SHAPE_STR(x), axis, axis + half);
    return weir_infer_merge(&a, &b, &infer->out[0]);
}

static weir_status part(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(y);
    weir_rows_copy(&call->run->par, x->dtype, y->data, 1, x->data, count + 1, count, 1);
    return WEIR_OK;
}

static weir_status diag_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "DiagPart", WEIR_IN(weir_grad_dy(grad, 0)), WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status part_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "Diag", WEIR_IN(weir_grad_dy(grad, 0)), WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_diag = {
    .name = "Diag",
    .in = "diagonal: T",
    .out = "output: T",
    .attrs = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
    .infer = diag_infer,
    .grad = diag_grad,
    .kernels = {{WEIR_CPU, "*", diag}},
};

const weir_op weir_op_diag_part = {
    .name = "DiagPart",
    .in = "input: T",
    .out = "diagonal: T",
    .attrs = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
    .infer = part_infer,
    .grad = part_grad,
    .kernels = {{WEIR_CPU, "*", part}},
};
