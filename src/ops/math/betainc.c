/* ops/math/betainc.c - Betainc: the regularised incomplete beta function of three arguments. */
#include "math/special/special.h"
#include "ops/common/grads.h"
#include "ops/common/number_at.h"
#include "ops/math/gradient.h"

/* Scalars broadcast; all other inputs have the same shape. */
static weir_status betainc_infer(weir_infer *infer)
{
    weir_shape shape = WEIR_UNKNOWN_SHAPE;
    bool unknown = false, any = false;
    for (int k = 0; k < 3; k++) {
        if (infer->in[k]->rank < 0)
            unknown = true;
        else if (infer->in[k]->rank > 0) {
            WEIR_TRY(weir_infer_merge(&shape, infer->in[k], &shape));
            any = true;
        }
    }
    infer->out[0] = any ? shape : unknown ? WEIR_UNKNOWN_SHAPE : WEIR_SCALAR;
    return WEIR_OK;
}

static double at(const weir_tensor *tensor, int64_t i)
{
    return weir_number_at(tensor, tensor->shape.rank == 0 ? 0 : i);
}

static void betainc_part(void *ctx, int64_t begin, int64_t end)
{
    weir_call *call = ctx;
    weir_tensor *z = weir_out(call, 0);
    for (int64_t i = begin; i < end; i++) {
        double value =
            weir_betainc(at(weir_in(call, 0), i), at(weir_in(call, 1), i), at(weir_in(call, 2), i));
        if (z->dtype == WEIR_FLOAT)
            ((float *)z->data)[i] = (float)value;
        else
            ((double *)z->data)[i] = value;
    }
}

static weir_status betainc(weir_call *call)
{
    enum { GRAIN = 1024 };
    weir_par_for_long(&call->run->par, weir_tensor_count(weir_out(call, 0)), GRAIN, betainc_part,
                      call);
    return WEIR_OK;
}

/* The density x^(a-1) (1-x)^(b-1) / B(a, b); a and b have no gradient. */
static weir_status betainc_grad(weir_grad *grad)
{
    weir_edge a = X, b = X1, x = weir_grad_x(grad, 2);
    weir_edge log_beta = SUB(ADD(OP1("Lgamma", a), OP1("Lgamma", b)), OP1("Lgamma", ADD(a, b)));
    weir_edge left = OP2("Xlog1py", SUB(b, LIKE(b, 1)), NEG(x));
    weir_edge right = OP2("Xlogy", SUB(a, LIKE(a, 1)), x);
    weir_edge density = OP1("Exp", SUB(ADD(left, right), log_beta));
    weir_grad_set(grad, 2, weir_grad_unbroadcast(grad, MUL(DY, density), x));
    return WEIR_OK;
}

const weir_op weir_op_betainc = {
    .name = "Betainc",
    .in = "a: T; b: T; x: T",
    .out = "z: T",
    .attrs = "T: {float, double}",
    .infer = betainc_infer,
    .grad = betainc_grad,
    .kernels = {{WEIR_CPU, "*", betainc}},
};
