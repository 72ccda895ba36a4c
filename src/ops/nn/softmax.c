/* ops/nn/softmax.c - Softmax and LogSoftmax along the last dimension. */
#include "math/softmax/softmax.h"

#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/math/gradient.h"

static weir_status infer(weir_infer *i)
{
    if (i->in[0]->rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "logits must have >= 1 dimension, got []: Shape "
                                                 "must be at least rank 1 but is rank 0");
    return weir_infer_same_shape(i);
}

static weir_status run(weir_call *call, bool log)
{
    const weir_tensor *x = weir_in(call, 0);
    int last = x->shape.rank - 1;
    weir_softmax(&call->run->par, weir_elem_of(x->dtype), log,
                 weir_shape_product(&x->shape, 0, last), x->shape.dims[last], x->data,
                 weir_out(call, 0)->data);
    return WEIR_OK;
}

static weir_status softmax(weir_call *call)
{
    return run(call, false);
}

static weir_status log_softmax(weir_call *call)
{
    return run(call, true);
}

/* Sums along the last dimension, which stays as 1. */
static weir_edge row_sum(weir_grad *g, weir_edge a)
{
    weir_edge last = weir_grad_const_int32(g, (const int32_t[]){-1}, 1);
    return weir_grad_op(g, "Sum", WEIR_IN(a, last), WEIR_ATTRS(weir_a_bool("keep_dims", true)));
}

static weir_status softmax_grad(weir_grad *g)
{
    weir_edge y = Y, dy = DY;
    weir_grad_set(g, 0, MUL(SUB(dy, row_sum(g, MUL(dy, y))), y));
    return WEIR_OK;
}

static weir_status log_softmax_grad(weir_grad *g)
{
    weir_edge dy = DY;
    weir_grad_set(g, 0, SUB(dy, MUL(row_sum(g, dy), OP1("Exp", Y))));
    return WEIR_OK;
}

#define SOFTMAX(id, op_name, result)                                                               \
    const weir_op weir_op_##id = {                                                                 \
        .name = op_name,                                                                           \
        .in = "logits: T",                                                                         \
        .out = result ": T",                                                                       \
        .attrs = "T: {half, bfloat16, float, double}",                                             \
        .infer = infer,                                                                            \
        .grad = id##_grad,                                                                         \
        .inplace = WEIR_INPLACE(0, 0),                                                             \
        .kernels = {{WEIR_CPU, "*", id}},                                                          \
    }

SOFTMAX(softmax, "Softmax", "softmax");
SOFTMAX(log_softmax, "LogSoftmax", "logsoftmax");
