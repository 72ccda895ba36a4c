/* ops/array/no_op.c - NoOp: for control edges only. */
#include "op/op.h"

static weir_status run(weir_call *call)
{
    return WEIR_OK;
}

const weir_op weir_op_no_op = {
    .name = "NoOp",
    .infer = weir_infer_no_outputs,
    .no_grad = true,
    .flow = WEIR_FLOW_NO_OP,
    .kernels = {{WEIR_CPU, "*", run, WEIR_CHEAP}},
};
