/* ops/nn/softmax.c - Softmax and LogSoftmax along the last dimension. */
#include "math/softmax/softmax.h"

#include "ops/common/elem_of.h"
#include "ops/declare.h"
#include "ops/math/gradient.h"

enum { PLAIN, LOG }; /* modes */

static weir_status infer(weir_infer *infer)
{
    if (infer->in[0]->rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "logits must have >= 1 dimension, got []: Shape "
                                                 "must be at least rank 1 but is rank 0");
    return weir_infer_same_shape(infer);
}

static weir_status softmax(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    int last = x->shape.rank - 1;
    weir_softmax(&call->run->par, weir_elem_of(x->dtype), weir_site_mode(call->site) == LOG,
                 weir_shape_product(&x->shape, 0, last), x->shape.dims[last], x->data,
                 weir_out(call, 0)->data);
    return WEIR_OK;
}

/* Sums along the last dimension, which becomes 1. */
static weir_edge row_sum(weir_grad *grad, weir_edge a)
{
    weir_edge last = weir_grad_const_int32(grad, (const int32_t[]){-1}, 1);
    return weir_grad_op(grad, "Sum", WEIR_IN(a, last), WEIR_ATTRS(weir_a_bool("keep_dims", true)));
}

static weir_status softmax_grad(weir_grad *grad)
{
    weir_edge y = Y, dy = DY;
    weir_grad_set(grad, 0, MUL(SUB(dy, row_sum(grad, MUL(dy, y))), y));
    return WEIR_OK;
}

static weir_status log_softmax_grad(weir_grad *grad)
{
    weir_edge dy = DY;
    weir_grad_set(grad, 0, SUB(dy, MUL(row_sum(grad, dy), OP1("Exp", Y))));
    return WEIR_OK;
}

#define SOFTMAX                                                                                    \
    .in = "logits: T", .attrs = "T: {half, bfloat16, float, double}", .infer = infer,              \
    .inplace = WEIR_INPLACE(0, 0), .kernels = {{WEIR_CPU, "*", softmax}}
WEIR_DEFINE_OP(softmax, "Softmax", SOFTMAX, .out = "softmax: T", .grad = softmax_grad,
               .mode = PLAIN);
WEIR_DEFINE_OP(log_softmax, "LogSoftmax", SOFTMAX, .out = "logsoftmax: T", .grad = log_softmax_grad,
               .mode = LOG);
