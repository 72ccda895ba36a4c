/* ops/array/diag.c - Diag, DiagPart: tensors that are zero but where both halves of the index
 * agree. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

static weir_status diag_infer(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank_at_least(i, 0, 1));
    return weir_infer_concat(i->in[0], i->in[0], &i->out[0]);
}

static weir_status diag(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    int64_t n = weir_tensor_count(x);
    weir_tensor_zero(&call->run->par, y);
    weir_rows_copy(&call->run->par, x->dtype, y->data, n + 1, x->data, 1, n, 1);
    return WEIR_OK;
}

static weir_status part_infer(weir_infer *i)
{
    const weir_shape *x = i->in[0];
    if (x->rank < 0)
        return WEIR_OK;
    if (x->rank == 0 || x->rank % 2 != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input must have even and non-zero rank, input rank is %d", x->rank);
    int half = x->rank / 2;
    weir_shape a = weir_infer_sub(x, 0, half), b = weir_infer_sub(x, half, x->rank);
    for (int d = 0; d < half; d++)
        if (a.dims[d] >= 0 && b.dims[d] >= 0 && a.dims[d] != b.dims[d])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid shape %s: dimensions %d and %d do not match.",
                              WEIR_SHAPE_STR(x), d, d + half);
    return weir_infer_merge(&a, &b, &i->out[0]);
}

static weir_status part(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    int64_t n = weir_tensor_count(y);
    weir_rows_copy(&call->run->par, x->dtype, y->data, 1, x->data, n + 1, n, 1);
    return WEIR_OK;
}

static weir_status diag_grad(weir_grad *g)
{
    weir_grad_set(g, 0, weir_grad_op(g, "DiagPart", WEIR_IN(weir_grad_dy(g, 0)), WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status part_grad(weir_grad *g)
{
    weir_grad_set(g, 0, weir_grad_op(g, "Diag", WEIR_IN(weir_grad_dy(g, 0)), WEIR_NO_ATTRS));
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
