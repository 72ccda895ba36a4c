/* ops/flow/forward.c - control flow ops that forward a value.
 *
 * The executor implements their semantics (dead outputs, frames and iterations) and
 * identifies them by .flow. These kernels forward the value itself, by reference if the op
 * takes one.
 */
#include "grad/flow.h"
#include "ops/common/grads.h"
#include "ops/declare.h"

static void hand_on(weir_call *call, int in, int out)
{
    if (weir_call_var(call, in))
        weir_call_set_ref(call, out, weir_call_var(call, in));
    else
        weir_call_forward(call, in, out, NULL);
}

static weir_status forward(weir_call *call)
{
    hand_on(call, 0, 0);
    return WEIR_OK;
}

/* The output not taken stays empty, which makes it dead. */
static weir_status choose(weir_call *call)
{
    if (weir_in(call, 1)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The second input must be a scalar, but it has shape %s",
                          WEIR_SHAPE_STR(&weir_in(call, 1)->shape));
    hand_on(call, 0, *(const bool *)weir_in(call, 1)->data ? 1 : 0);
    return WEIR_OK;
}

static void pass_handle(weir_infer *infer, int in, int out)
{
    if (infer->out_handles && infer->in_handles[in])
        infer->out_handles[out] = *infer->in_handles[in];
}

static weir_status infer_forward(weir_infer *infer)
{
    infer->out[0] = *infer->in[0];
    pass_handle(infer, 0, 0);
    return WEIR_OK;
}

static weir_status infer_switch(weir_infer *infer)
{
    if (infer->in_handles)
        WEIR_TRY(weir_infer_rank(infer, 1, 0));
    for (int o = 0; o < 2; o++) {
        infer->out[o] = *infer->in[0];
        pass_handle(infer, 0, o);
    }
    return WEIR_OK;
}

/* A loop variable may change its shape, a loop invariant may not. */
static weir_status infer_enter(weir_infer *infer)
{
    enum { IS_CONSTANT = 2 };
    if (weir_site_bool(infer->site, IS_CONSTANT) || !infer->in_handles)
        infer->out[0] = *infer->in[0];
    pass_handle(infer, 0, 0);
    return WEIR_OK;
}

/* What is known of all handles alike. */
static void join_handles(weir_infer *infer)
{
    weir_handle_info info = {0};
    for (int k = 0; k < infer->in_count; k++) {
        const weir_handle_info *other = infer->in_handles[k];
        bool same =
            other &&
            (k == 0 || (other->dtype == info.dtype && weir_shape_eq(&other->shape, &info.shape)));
        info = same ? *other : (weir_handle_info){0};
        if (!same)
            break;
    }
    infer->out_handles[0] = info;
}

static weir_status infer_merge(weir_infer *infer)
{
    if (infer->out_handles)
        join_handles(infer);
    infer->out[1] = WEIR_SCALAR;
    weir_shape shape = *infer->in[0];
    for (int k = 1; k < infer->in_count && shape.rank >= 0; k++) {
        if (infer->in[k]->rank != shape.rank)
            return WEIR_OK;
        for (int axis = 0; axis < shape.rank; axis++)
            if (shape.dims[axis] != infer->in[k]->dims[axis])
                shape.dims[axis] = -1;
    }
    infer->out[0] = shape;
    return WEIR_OK;
}

static weir_status infer_loop_cond(weir_infer *infer)
{
    infer->out[0] = WEIR_SCALAR;
    return infer->in_handles ? weir_infer_rank(infer, 0, 0) : WEIR_OK;
}

#define SWITCH_TYPES                                                                               \
    "T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, " \
    "complex64, complex128, bool, string, resource, variant, qint8, quint8, qint32"
#define FLAGS (WEIR_OWN_OUTPUTS | WEIR_CHEAP)

const weir_op weir_op_switch = {
    .name = "Switch",
    .in = "data: T; pred: bool",
    .out = "output_false: T; output_true: T",
    .attrs = "T: type",
    .host = "pred",
    .infer = infer_switch,
    .grad = weir_grad_switch,
    .flow = WEIR_FLOW_SWITCH,
    .kernels = {{WEIR_CPU, SWITCH_TYPES, choose, FLAGS}},
};

const weir_op weir_op_ref_switch = {
    .name = "RefSwitch",
    .in = "data: Ref(T); pred: bool",
    .out = "output_false: Ref(T); output_true: Ref(T)",
    .attrs = "T: type",
    .host = "pred",
    .flags = WEIR_ALLOWS_UNINITIALIZED,
    .infer = infer_switch,
    .grad = weir_grad_switch,
    .flow = WEIR_FLOW_SWITCH,
    .kernels = {{WEIR_CPU, SWITCH_TYPES, choose, FLAGS}},
};

/* The executor selects the input and sets the index: only it knows which input arrived. */
static weir_status merge(weir_call *call)
{
    return weir_error(WEIR_INTERNAL, "%s can run only as part of a step", call->site->name);
}

const weir_op weir_op_merge = {
    .name = "Merge",
    .in = "inputs: N * T",
    .out = "output: T; value_index: int32",
    .attrs = "T: type; N: int >= 1",
    .host = "value_index",
    .infer = infer_merge,
    .grad = weir_grad_merge,
    .flow = WEIR_FLOW_MERGE,
    .kernels = {{WEIR_CPU, "*", merge, FLAGS}},
};

const weir_op weir_op_ref_merge = {
    .name = "RefMerge",
    .in = "inputs: N * Ref(T)",
    .out = "output: Ref(T); value_index: int32",
    .attrs = "T: type; N: int >= 1",
    .host = "value_index",
    .infer = infer_merge,
    .grad = weir_grad_merge,
    .flow = WEIR_FLOW_MERGE,
    .kernels = {{WEIR_CPU, "*", merge, FLAGS}},
};

#define FORWARD(type) .in = "data: " type, .out = "output: " type
#define ENTER                                                                                      \
    .attrs = "T: type; frame_name: string; is_constant: bool = false; "                            \
             "parallel_iterations: int = 10",                                                      \
    .infer = infer_enter, .flow = WEIR_FLOW_ENTER, .kernels = {{WEIR_CPU, "*", forward, FLAGS}}
#define PASS                                                                                       \
    .attrs = "T: type", .infer = infer_forward, .kernels = {{WEIR_CPU, "*", forward, FLAGS}}

WEIR_DEFINE_OP(enter, "Enter", FORWARD("T"), ENTER);
WEIR_DEFINE_OP(ref_enter, "RefEnter", FORWARD("Ref(T)"), ENTER);
WEIR_DEFINE_OP(exit, "Exit", FORWARD("T"), PASS, .flow = WEIR_FLOW_EXIT);
WEIR_DEFINE_OP(ref_exit, "RefExit", FORWARD("Ref(T)"), PASS, .flow = WEIR_FLOW_EXIT);
WEIR_DEFINE_OP(next_iteration, "NextIteration", FORWARD("T"), PASS,
               .flow = WEIR_FLOW_NEXT_ITERATION);
WEIR_DEFINE_OP(ref_next_iteration, "RefNextIteration", FORWARD("Ref(T)"), PASS,
               .flow = WEIR_FLOW_NEXT_ITERATION);

const weir_op weir_op_loop_cond = {
    .name = "LoopCond",
    .in = "input: bool",
    .out = "output: bool",
    .host = "input; output",
    .infer = infer_loop_cond,
    .flow = WEIR_FLOW_LOOP_COND,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", forward, FLAGS}},
};

const weir_op weir_op_ref_identity = {
    .name = "RefIdentity",
    .in = "input: Ref(T)",
    .out = "output: Ref(T)",
    .attrs = "T: type",
    .flags = WEIR_ALLOWS_UNINITIALIZED,
    .infer = infer_forward,
    .grad = weir_grad_identity,
    .flow = WEIR_FLOW_REF_IDENTITY,
    .kernels = {{WEIR_CPU, "*", forward, FLAGS}},
};

const weir_op weir_op_debug_gradient_ref_identity = {
    .name = "DebugGradientRefIdentity",
    .in = "input: Ref(T)",
    .out = "output: Ref(T)",
    .attrs = "T: type",
    .flags = WEIR_ALLOWS_UNINITIALIZED,
    .infer = infer_forward,
    .grad = weir_grad_identity,
    .kernels = {{WEIR_CPU, "*", forward, FLAGS}},
};

static weir_status ref_select(weir_call *call)
{
    const weir_tensor *index = weir_in(call, 0);
    if (index->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Index must be a scalar, but it has shape %s",
                          WEIR_SHAPE_STR(&index->shape));
    int32_t i = *(const int32_t *)index->data;
    if (i < 0 || i >= call->site->in_count - 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Index must be in the range [0, %d) but got %d",
                          call->site->in_count - 1, i);
    hand_on(call, i + 1, 0);
    return WEIR_OK;
}

static weir_status infer_ref_select(weir_infer *infer)
{
    if (!infer->in_handles)
        return WEIR_OK;
    WEIR_TRY(weir_infer_rank(infer, 0, 0));
    for (int k = 1; k < infer->in_count; k++)
        if (!weir_shape_known(infer->in[k]) || !weir_shape_eq(infer->in[1], infer->in[k]))
            return WEIR_OK;
    infer->out[0] = *infer->in[1];
    return WEIR_OK;
}

const weir_op weir_op_ref_select = {
    .name = "RefSelect",
    .in = "index: int32; inputs: N * Ref(T)",
    .out = "output: Ref(T)",
    .attrs = "T: type; N: int >= 1",
    .infer = infer_ref_select,
    .flow = WEIR_FLOW_REF_SELECT,
    .kernels = {{WEIR_CPU, "*", ref_select, FLAGS}},
};

static weir_status nothing(weir_call *call)
{
    return WEIR_OK;
}

const weir_op weir_op_control_trigger = {
    .name = "ControlTrigger",
    .infer = weir_infer_no_outputs,
    .flow = WEIR_FLOW_CONTROL_TRIGGER,
    .kernels = {{WEIR_CPU, "*", nothing, WEIR_CHEAP}},
};

/* Fails the step, not the process: a graph must not be able to stop its server. */
static weir_status abort_step(weir_call *call)
{
    weir_str why = weir_site_str(call->site, 0);
    return weir_error(WEIR_ABORTED, "Abort_op intentional failure; %.*s", WEIR_STR_ARG(why));
}

const weir_op weir_op_abort = {
    .name = "Abort",
    .attrs = "error_msg: string = \"\"; exit_without_error: bool = false",
    .infer = weir_infer_no_outputs,
    .flags = WEIR_NO_FOLD,
    .kernels = {{WEIR_CPU, "*", abort_step, WEIR_CHEAP}},
};
