/* ops/internal/arg.c - _Arg and _Retval: arguments and results of a plan, and _SwitchN. The
 * executor implements all three itself. */
#include "op/op.h"

const weir_op weir_op_arg = {
    .name = "_Arg",
    .out = "output: T",
    .attrs = "T: type; index: int >= 0",
    .flags = WEIR_STATEFUL | WEIR_NO_EFFECT,
    .infer = weir_infer_unknown,
    .no_grad = true,
    .flow = WEIR_FLOW_ARG,
};

const weir_op weir_op_retval = {
    .name = "_Retval",
    .in = "input: T",
    .attrs = "T: type; index: int >= 0",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_no_outputs,
    .flow = WEIR_FLOW_RETVAL,
};

const weir_op weir_op_switch_n = {
    .name = "_SwitchN",
    .in = "data: T; output_index: int32",
    .out = "outputs: num_outs * T",
    .attrs = "num_outs: int >= 1; T: type",
    .infer = weir_infer_same_shape,
    .flow = WEIR_FLOW_SWITCH_N,
};
