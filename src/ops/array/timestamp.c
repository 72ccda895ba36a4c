/* ops/array/timestamp.c - Timestamp: seconds since the epoch. */
#include "base/clock.h"
#include "op/op.h"

static weir_status run(weir_call *call)
{
    *(double *)weir_out(call, 0)->data = (double)weir_wall_us() / 1e6;
    return WEIR_OK;
}

const weir_op weir_op_timestamp = {
    .name = "Timestamp",
    .out = "ts: double",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_CHEAP}},
};
