/* ops/flow/functional.c - If, Case, PartitionedCall and their variants: call one of several
 * functions. */
#include "ops/declare.h"
#include "ops/flow/functions_impl.h"
#include "tensor/tstring.h"

enum { THEN, ELSE };   /* order of the func attrs of If */
enum { REMOTE_F = 2 }; /* attr "f" of RemoteCall */

static void start_if(weir_call *call)
{
    bool truth;
    weir_status status = weir_truth_of(weir_in(call, 0), &truth);
    if (status)
        weir_call_finish(call, status);
    else
        weir_functions_forward(call, truth ? THEN : ELSE, 1);
}

/* An index out of range selects the last branch. */
static void start_case(weir_call *call)
{
    const weir_tensor *tensor = weir_in(call, 0);
    if (weir_tensor_count(tensor) != 1) {
        weir_call_finish(call, weir_error(WEIR_INVALID_ARGUMENT,
                                          "branch_index must be scalar, but has shape %s",
                                          WEIR_SHAPE_STR(&tensor->shape)));
        return;
    }
    int32_t index = *(const int32_t *)tensor->data,
            count = ((const weir_functions *)call->state)->count;
    weir_functions_forward(call, index < 0 || index >= count ? count - 1 : index, 1);
}

static void start_call(weir_call *call)
{
    weir_functions_forward(call, 0, 0);
}

static void branch_done(void *call, weir_status status, weir_tensor *rets, int count)
{
    weir_functions_return(call, status, rets, count);
}

/* The last input is the device ordinal; there is only one device. */
static void start_call_but_last(weir_call *call)
{
    const weir_functions *functions = call->state;
    weir_tensor *args = weir_functions_args(call, 0);
    functions->runner->call(functions->at[0], call->run, args, call->site->in_count - 1,
                            branch_done, call);
    weir_free(args); /* the call may be freed by now */
}

/* Each branch has its own input. */
static void start_condition(weir_call *call)
{
    bool truth;
    weir_status status = weir_truth_of(weir_in(call, 0), &truth);
    if (status) {
        weir_call_finish(call, status);
        return;
    }
    const weir_functions *functions = call->state;
    functions->runner->call(functions->at[truth ? THEN : ELSE], call->run,
                            weir_in(call, truth ? 1 : 2), 1, branch_done, call);
}

/* The target is a device of this task or of another one. The function is bound once the target is
 * known. */
static void start_remote_call(weir_call *call)
{
    const weir_function_runner *runner = call->run->runner;
    const weir_tensor *target = weir_in(call, 0);
    weir_bound *bound;
    weir_status status = WEIR_OK;
    if (target->shape.rank != 0)
        status = weir_error(WEIR_INVALID_ARGUMENT, "target must be a scalar, but has shape %s",
                            WEIR_SHAPE_STR(&target->shape));
    else if (!runner)
        status = weir_error(WEIR_INTERNAL, "No function library is provided.");
    if (!status)
        status = runner->bind_to(call->run->runner_arg, weir_site_list(call->site, REMOTE_F)->func,
                                 weir_tstring_get(target->data), weir_call_device(call), &bound);
    if (status) {
        weir_call_finish(call, status);
        return;
    }
    weir_tensor *args = weir_functions_args(call, 1);
    runner->call(bound, call->run, args, call->site->in_count - 1, branch_done, call);
    weir_free(args); /* the call may be freed by now */
    runner->release(bound);
}

/* By attr output_shapes, if the op has it and it is set. */
static weir_status infer_by_attr(weir_infer *infer)
{
    int at = weir_opdef_attr(infer->site->def, "output_shapes");
    if (at < 0 || infer->site->attrs[at].count != infer->out_count)
        return WEIR_OK;
    for (int output = 0; output < infer->out_count; output++)
        infer->out[output] = infer->site->attrs[at].shapes[output];
    return WEIR_OK;
}

#define IF                                                                                         \
    .in = "cond: Tcond; input: Tin", .out = "output: Tout",                                        \
    .attrs = "Tcond: type; Tin: list(type) >= 0; Tout: list(type) >= 0; then_branch: func; "       \
             "else_branch: func; output_shapes: list(shape) = []",                                 \
    .infer = infer_by_attr, .flow = WEIR_FLOW_IF,                                                  \
    .kernels = {{WEIR_FUNCTIONS_KERNEL, .start = start_if}}
#define CASE                                                                                       \
    .in = "branch_index: int32; input: Tin", .out = "output: Tout",                                \
    .attrs = "Tin: list(type) >= 0; Tout: list(type) >= 0; branches: list(func) >= 1; "            \
             "output_shapes: list(shape) = []",                                                    \
    .infer = infer_by_attr, .flow = WEIR_FLOW_CASE,                                                \
    .kernels = {{WEIR_FUNCTIONS_KERNEL, .start = start_case}}
#define CALL                                                                                       \
    .in = "args: Tin", .out = "output: Tout",                                                      \
    .attrs = "Tin: list(type) >= 0; Tout: list(type) >= 0; f: func; config: string = \"\"; "       \
             "config_proto: string = \"\"; executor_type: string = \"\"",                          \
    .infer = infer_by_attr, .flow = WEIR_FLOW_CALL,                                                \
    .kernels = {{WEIR_FUNCTIONS_KERNEL, .start = start_call}}

WEIR_DEFINE_OP(if, "If", IF, .flags = WEIR_STATEFUL, .host = "cond");
WEIR_DEFINE_OP(stateless_if, "StatelessIf", IF, .flags = WEIR_NO_FOLD, .host = "cond");
WEIR_DEFINE_OP(case, "Case", CASE, .flags = WEIR_STATEFUL, .host = "branch_index");
WEIR_DEFINE_OP(stateless_case, "StatelessCase", CASE, .flags = WEIR_NO_FOLD,
               .host = "branch_index");
WEIR_DEFINE_OP(partitioned_call, "PartitionedCall", CALL, .flags = WEIR_NO_FOLD);
WEIR_DEFINE_OP(stateful_partitioned_call, "StatefulPartitionedCall", CALL,
               .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED);

const weir_op weir_op_remote_call = {
    .name = "RemoteCall",
    .in = "target: string; args: Tin",
    .out = "output: Tout",
    .attrs = "Tin: list(type) >= 1; Tout: list(type) >= 1; f: func",
    .flags = WEIR_STATEFUL,
    .infer = infer_by_attr,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_remote_call}},
};

/* Compiled variants: TensorFlow compiles the functions; here they run like any other. */
#define CALLED(number) .infer = infer_by_attr, .kernels = {{WEIR_FUNCTIONS_KERNEL, .start = number}}
WEIR_DEFINE_OP(xla_if, "XlaIf", CALLED(start_if), .in = "cond: Tcond; inputs: Tin",
               .out = "output: Tout",
               .attrs = "Tcond: type; then_branch: func; else_branch: func; "
                        "Tin: list(type) >= 0; Tout: list(type) >= 0",
               .flags = WEIR_STATEFUL, .host = "cond");
WEIR_DEFINE_OP(xla_launch, "XlaLaunch", CALLED(start_call),
               .in = "constants: Tconstants; args: Targs; resources: Nresources * resource",
               .out = "results: Tresults",
               .attrs =
                   "Tconstants: list(type) >= 0; Targs: list(type) >= 0; Nresources: int >= 0; "
                   "Tresults: list(type) >= 0; function: func",
               .flags = WEIR_STATEFUL);
WEIR_DEFINE_OP(xla_launch_v2, "XlaLaunchV2", CALLED(start_call), .in = "args: Targs",
               .out = "results: Tresults",
               .attrs = "Targs: list(type) >= 0; Tresults: list(type) >= 0; "
                        "constants: list(int) >= 0; resources: list(int) >= 0; function: func",
               .flags = WEIR_NO_FOLD);
WEIR_DEFINE_OP(tpu_partitioned_call, "TPUPartitionedCall", CALLED(start_call_but_last),
               .in = "args: Tin; device_ordinal: int32", .out = "output: Tout",
               .attrs = "Tin: list(type) >= 0; Tout: list(type) >= 0; f: func; "
                        "autotuner_thresh: int = 0",
               .flags = WEIR_NO_FOLD);
WEIR_DEFINE_OP(risc_condition, "RiscCondition", CALLED(start_condition),
               .in = "pred: bool; input_true: SrcT; input_false: SrcT", .out = "output: DstT",
               .attrs = "func_true: func; func_false: func; SrcT: {bfloat16, half, float, double}; "
                        "DstT: {bfloat16, half, float, double}",
               .flags = WEIR_NO_FOLD, .host = "pred");

/* ---- helper ops of functions ----------------------------------------------------------------- */

static weir_status to_bool(weir_call *call)
{
    return weir_truth_of(weir_in(call, 0), weir_out(call, 0)->data);
}

const weir_op weir_op_to_bool = {
    .name = "ToBool",
    .in = "input: T",
    .out = "output: bool",
    .attrs = "T: type",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "T: float, double, uint8, int8, int16, int32, int64, string, bool",
                 to_bool, WEIR_CHEAP}},
};

/* Stands for a missing value of a branch: zeros if the shape is known. */
static weir_status fake_param(weir_call *call)
{
    weir_shape shape = *weir_site_shape(call->site, 1);
    if (shape.rank < 0)
        shape = weir_shape_vector(0);
    for (int axis = 0; axis < shape.rank; axis++)
        shape.dims[axis] = shape.dims[axis] < 0 ? 0 : shape.dims[axis];
    WEIR_TRY(weir_call_alloc(call, 0, &shape));
    weir_tensor *out = weir_out(call, 0);
    weir_elements_zero(out->dtype, out->data, weir_tensor_count(out));
    return WEIR_OK;
}

static weir_status infer_fake_param(weir_infer *infer)
{
    infer->out[0] = *weir_site_shape(infer->site, 1);
    return WEIR_OK;
}

const weir_op weir_op_fake_param = {
    .name = "FakeParam",
    .out = "output: dtype",
    .attrs = "dtype: type; shape: shape",
    .infer = infer_fake_param,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", fake_param, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

/* The index of the node's device type in the list; the list's length if absent. */
static weir_status device_index(weir_call *call)
{
    const weir_attr *names = weir_site_list(call->site, 0);
    int32_t *out = weir_out(call, 0)->data;
    for (*out = 0; *out < names->count; (*out)++)
        if (weir_str_is(names->ss[*out], "CPU"))
            break;
    return WEIR_OK;
}

const weir_op weir_op_device_index = {
    .name = "DeviceIndex",
    .out = "index: int32",
    .attrs = "device_names: list(string)",
    .host = "index",
    .flags = WEIR_STATEFUL,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", device_index, WEIR_CHEAP}},
};
