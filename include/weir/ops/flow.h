/* weir/ops/flow.h - branches, loops and calls of functions.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_FLOW_OPS_H
#define WEIR_FLOW_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Abort(): ends the process, to test how the others react. */
typedef struct weir_abort_options {
    const char *error_msg; /* null: "" */
    bool exit_without_error;
} weir_abort_options;
static inline TF_Operation *weir_abort(weir_builder *builder, const char *node,
                                       const weir_abort_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Abort", node);
    if (made && options) {
        if (options->error_msg)
            weir_attr_string(made, "error_msg", options->error_msg);
        TF_SetAttrBool(made, "exit_without_error", options->exit_without_error);
    }
    return weir_build_end(builder, made).oper;
}

/* Batch(in_tensors: T) -> batched_tensors: T, batch_index: int64, id: int64: concatenates rows of
 * several steps in one of them; BatchFunction: one function call for the rows of several steps. */
typedef struct weir_batch_options {
    int64_t max_enqueued_batches; /* 0: 10 */
    const int64_t *allowed_batch_sizes;
    int allowed_batch_sizes_count; /* null: [] */
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    const char *batching_queue; /* null: "" */
} weir_batch_options;
typedef struct weir_batch_outputs {
    weir_outputs batched_tensors;
    TF_Output batch_index;
    TF_Output id;
} weir_batch_outputs;
static inline weir_batch_outputs weir_batch(weir_builder *builder, const char *node,
                                            const TF_Output *in_tensors, int in_tensors_count,
                                            int64_t num_batch_threads, int64_t max_batch_size,
                                            int64_t batch_timeout_micros,
                                            int64_t grad_timeout_micros,
                                            const weir_batch_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Batch", node);
    weir_build_input_list(builder, made, in_tensors, in_tensors_count);
    if (made) {
        TF_SetAttrInt(made, "num_batch_threads", num_batch_threads);
        TF_SetAttrInt(made, "max_batch_size", max_batch_size);
        TF_SetAttrInt(made, "batch_timeout_micros", batch_timeout_micros);
        TF_SetAttrInt(made, "grad_timeout_micros", grad_timeout_micros);
    }
    if (made && options) {
        if (options->max_enqueued_batches != 0)
            TF_SetAttrInt(made, "max_enqueued_batches", weir_int_of(options->max_enqueued_batches));
        if (options->allowed_batch_sizes)
            TF_SetAttrIntList(made, "allowed_batch_sizes",
                options->allowed_batch_sizes, options->allowed_batch_sizes_count);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        if (options->batching_queue)
            weir_attr_string(made, "batching_queue", options->batching_queue);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_batch_outputs out;
    int at = 0;
    out.batched_tensors = weir_outputs_of(op, "batched_tensors", at);
    at += out.batched_tensors.count;
    out.batch_index = weir_output(op, at++);
    out.id = weir_output(op, at);
    return out;
}

/* BatchFunction(in_tensors: Tin, captured_tensors: Tcaptured) -> out_tensors: Tout: batches
 * concurrent calls of one function into larger calls. */
typedef struct weir_batch_function_options {
    int64_t max_enqueued_batches; /* 0: 10 */
    const int64_t *allowed_batch_sizes;
    int allowed_batch_sizes_count; /* null: [] */
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
    const char *batching_queue; /* null: "" */
    int64_t low_priority_max_batch_size;
    int64_t low_priority_batch_timeout_micros;
    const int64_t *low_priority_allowed_batch_sizes;
    int low_priority_allowed_batch_sizes_count; /* null: [] */
    int64_t low_priority_max_enqueued_batches;
    /* null: "low_priority_padding_with_max_batch_size"; 'low_priority_padding_with_max_batch_size',
     * 'low_priority_padding_with_next_allowed_batch_size', 'priority_isolation', 'priority_merge'
     * */
    const char *mixed_priority_policy;
    /* null: "PAD_UP"; 'PAD_UP', 'BATCH_DOWN', 'MINIMIZE_TPU_COST_PER_REQUEST' */
    const char *batch_padding_policy;
    bool enable_large_batch_splitting;
} weir_batch_function_options;
static inline weir_outputs weir_batch_function(weir_builder *builder, const char *node,
                                               const TF_Output *in_tensors, int in_tensors_count,
                                               const TF_Output *captured_tensors,
                                               int captured_tensors_count, const char *f,
                                               int64_t num_batch_threads, int64_t max_batch_size,
                                               int64_t batch_timeout_micros,
                                               const TF_DataType *Tout, int Tout_count,
                                               const weir_batch_function_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchFunction", node);
    weir_build_input_list(builder, made, in_tensors, in_tensors_count);
    weir_build_input_list(builder, made, captured_tensors, captured_tensors_count);
    if (made) {
        weir_attr_func(made, "f", f);
        TF_SetAttrInt(made, "num_batch_threads", num_batch_threads);
        TF_SetAttrInt(made, "max_batch_size", max_batch_size);
        TF_SetAttrInt(made, "batch_timeout_micros", batch_timeout_micros);
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
    }
    if (made && options) {
        if (options->max_enqueued_batches != 0)
            TF_SetAttrInt(made, "max_enqueued_batches", weir_int_of(options->max_enqueued_batches));
        if (options->allowed_batch_sizes)
            TF_SetAttrIntList(made, "allowed_batch_sizes",
                options->allowed_batch_sizes, options->allowed_batch_sizes_count);
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
        if (options->batching_queue)
            weir_attr_string(made, "batching_queue", options->batching_queue);
        TF_SetAttrInt(made, "low_priority_max_batch_size", options->low_priority_max_batch_size);
        TF_SetAttrInt(made, "low_priority_batch_timeout_micros", options->low_priority_batch_timeout_micros);
        if (options->low_priority_allowed_batch_sizes)
            TF_SetAttrIntList(made, "low_priority_allowed_batch_sizes",
                options->low_priority_allowed_batch_sizes, options->low_priority_allowed_batch_sizes_count);
        TF_SetAttrInt(made, "low_priority_max_enqueued_batches", options->low_priority_max_enqueued_batches);
        if (options->mixed_priority_policy)
            weir_attr_string(made, "mixed_priority_policy", options->mixed_priority_policy);
        if (options->batch_padding_policy)
            weir_attr_string(made, "batch_padding_policy", options->batch_padding_policy);
        TF_SetAttrBool(made, "enable_large_batch_splitting", options->enable_large_batch_splitting);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "out_tensors", 0);
}

/* Case(branch_index: int32, input: Tin) -> output: Tout: call one of several functions. */
typedef struct weir_case_options {
    const weir_dims *output_shapes;
    int output_shapes_count; /* null: [] */
} weir_case_options;
static inline weir_outputs weir_case(weir_builder *builder, const char *node,
                                     TF_Output branch_index, const TF_Output *input,
                                     int input_count, const TF_DataType *Tout, int Tout_count,
                                     const char *const *branches, int branches_count,
                                     const weir_case_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Case", node);
    weir_build_input(builder, made, branch_index);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
        weir_attr_funcs(builder, made, "branches", branches, branches_count);
    }
    if (made && options) {
        if (options->output_shapes)
            weir_attr_shapes(made, "output_shapes",
                options->output_shapes, options->output_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* ControlTrigger(): only its control edges matter; it also runs when those are dead. */
static inline TF_Operation *weir_control_trigger(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "ControlTrigger", node, NULL, 0).oper;
}

/* DebugGradientRefIdentity(input: Ref(T)) -> output: Ref(T). */
static inline TF_Output weir_debug_gradient_ref_identity(weir_builder *builder, const char *node,
                                                         TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "DebugGradientRefIdentity", node, inputs, 1);
}

/* DeviceIndex() -> index: int32: the index of this node's device in a list of names. */
static inline TF_Output weir_device_index(weir_builder *builder, const char *node,
                                          const char *const *device_names, int device_names_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DeviceIndex", node);
    if (made) {
        weir_attr_strings(made, "device_names", device_names, device_names_count);
    }
    return weir_build_end(builder, made);
}

/* EagerPyFunc(input: Tin) -> output: Tout: a function of the process's host language. */
typedef struct weir_eager_py_func_options {
    bool is_async;
} weir_eager_py_func_options;
static inline weir_outputs weir_eager_py_func(weir_builder *builder, const char *node,
                                              const TF_Output *input, int input_count,
                                              const char *token, const TF_DataType *Tout,
                                              int Tout_count,
                                              const weir_eager_py_func_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "EagerPyFunc", node);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        weir_attr_string(made, "token", token);
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "is_async", options->is_async);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* Enter(data: T) -> output: T: brings a value into the frame of a loop. */
typedef struct weir_enter_options {
    bool is_constant;
    int64_t parallel_iterations; /* 0: 10 */
} weir_enter_options;
static inline TF_Output weir_enter(weir_builder *builder, const char *node, TF_Output data,
                                   const char *frame_name, const weir_enter_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Enter", node);
    weir_build_input(builder, made, data);
    if (made) {
        weir_attr_string(made, "frame_name", frame_name);
    }
    if (made && options) {
        TF_SetAttrBool(made, "is_constant", options->is_constant);
        if (options->parallel_iterations != 0)
            TF_SetAttrInt(made, "parallel_iterations", weir_int_of(options->parallel_iterations));
    }
    return weir_build_end(builder, made);
}

/* Exit(data: T) -> output: T: takes a value out of the frame of a loop. */
static inline TF_Output weir_exit(weir_builder *builder, const char *node, TF_Output data)
{
    const TF_Output inputs[] = {data};
    return weir_build_op(builder, "Exit", node, inputs, 1);
}

/* FakeParam() -> output: dtype: an output that is never read. */
static inline TF_Output weir_fake_param(weir_builder *builder, const char *node, TF_DataType dtype,
                                        const weir_dims *shape)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FakeParam", node);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
        weir_attr_shape(made, "shape", shape);
    }
    return weir_build_end(builder, made);
}

/* For(start: int32, limit: int32, delta: int32, input: T) -> output: T: calls functions repeatedly.
 * */
static inline weir_outputs weir_for(weir_builder *builder, const char *node, TF_Output start,
                                    TF_Output limit, TF_Output delta, const TF_Output *input,
                                    int input_count, const char *body)
{
    TF_OperationDescription *made = weir_build_begin(builder, "For", node);
    weir_build_input(builder, made, start);
    weir_build_input(builder, made, limit);
    weir_build_input(builder, made, delta);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        weir_attr_func(made, "body", body);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* If(cond: Tcond, input: Tin) -> output: Tout: call one of several functions. */
typedef struct weir_if_options {
    const weir_dims *output_shapes;
    int output_shapes_count; /* null: [] */
} weir_if_options;
static inline weir_outputs weir_if(weir_builder *builder, const char *node, TF_Output cond,
                                   const TF_Output *input, int input_count, const TF_DataType *Tout,
                                   int Tout_count, const char *then_branch, const char *else_branch,
                                   const weir_if_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "If", node);
    weir_build_input(builder, made, cond);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
        weir_attr_func(made, "then_branch", then_branch);
        weir_attr_func(made, "else_branch", else_branch);
    }
    if (made && options) {
        if (options->output_shapes)
            weir_attr_shapes(made, "output_shapes",
                options->output_shapes, options->output_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* LoopCond(input: bool) -> output: bool: whether a loop continues. */
static inline TF_Output weir_loop_cond(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "LoopCond", node, inputs, 1);
}

/* Merge(inputs: N * T) -> output: T, value_index: int32: the first live input, and its index. */
typedef struct weir_merge_outputs {
    TF_Output output;
    TF_Output value_index;
} weir_merge_outputs;
static inline weir_merge_outputs weir_merge(weir_builder *builder, const char *node,
                                            const TF_Output *inputs, int inputs_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Merge", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_merge_outputs out;
    out.output = weir_output(op, 0);
    out.value_index = weir_output(op, 1);
    return out;
}

/* NextIteration(data: T) -> output: T: passes a value to the next iteration of a loop. */
static inline TF_Output weir_next_iteration(weir_builder *builder, const char *node, TF_Output data)
{
    const TF_Output inputs[] = {data};
    return weir_build_op(builder, "NextIteration", node, inputs, 1);
}

/* PartitionedCall(args: Tin) -> output: Tout: call one of several functions. */
typedef struct weir_partitioned_call_options {
    const char *config; /* null: "" */
    const char *config_proto; /* null: "" */
    const char *executor_type; /* null: "" */
} weir_partitioned_call_options;
static inline weir_outputs weir_partitioned_call(weir_builder *builder, const char *node,
                                                 const TF_Output *args, int args_count,
                                                 const TF_DataType *Tout, int Tout_count,
                                                 const char *f,
                                                 const weir_partitioned_call_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PartitionedCall", node);
    weir_build_input_list(builder, made, args, args_count);
    if (made) {
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
        weir_attr_func(made, "f", f);
    }
    if (made && options) {
        if (options->config)
            weir_attr_string(made, "config", options->config);
        if (options->config_proto)
            weir_attr_string(made, "config_proto", options->config_proto);
        if (options->executor_type)
            weir_attr_string(made, "executor_type", options->executor_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* PyFunc(input: Tin) -> output: Tout: a function of the process's host language. */
static inline weir_outputs weir_py_func(weir_builder *builder, const char *node,
                                        const TF_Output *input, int input_count, const char *token,
                                        const TF_DataType *Tout, int Tout_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PyFunc", node);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        weir_attr_string(made, "token", token);
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* PyFuncStateless(input: Tin) -> output: Tout: a function of the process's host language. */
static inline weir_outputs weir_py_func_stateless(weir_builder *builder, const char *node,
                                                  const TF_Output *input, int input_count,
                                                  const char *token, const TF_DataType *Tout,
                                                  int Tout_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PyFuncStateless", node);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        weir_attr_string(made, "token", token);
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* RefEnter(data: Ref(T)) -> output: Ref(T): brings a reference into the frame of a loop. */
typedef struct weir_ref_enter_options {
    bool is_constant;
    int64_t parallel_iterations; /* 0: 10 */
} weir_ref_enter_options;
static inline TF_Output weir_ref_enter(weir_builder *builder, const char *node, TF_Output data,
                                       const char *frame_name,
                                       const weir_ref_enter_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RefEnter", node);
    weir_build_input(builder, made, data);
    if (made) {
        weir_attr_string(made, "frame_name", frame_name);
    }
    if (made && options) {
        TF_SetAttrBool(made, "is_constant", options->is_constant);
        if (options->parallel_iterations != 0)
            TF_SetAttrInt(made, "parallel_iterations", weir_int_of(options->parallel_iterations));
    }
    return weir_build_end(builder, made);
}

/* RefExit(data: Ref(T)) -> output: Ref(T): takes a reference out of the frame of a loop. */
static inline TF_Output weir_ref_exit(weir_builder *builder, const char *node, TF_Output data)
{
    const TF_Output inputs[] = {data};
    return weir_build_op(builder, "RefExit", node, inputs, 1);
}

/* RefIdentity(input: Ref(T)) -> output: Ref(T): the same reference. */
static inline TF_Output weir_ref_identity(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "RefIdentity", node, inputs, 1);
}

/* RefMerge(inputs: N * Ref(T)) -> output: Ref(T), value_index: int32: the first live reference, and
 * its index. */
typedef struct weir_ref_merge_outputs {
    TF_Output output;
    TF_Output value_index;
} weir_ref_merge_outputs;
static inline weir_ref_merge_outputs weir_ref_merge(weir_builder *builder, const char *node,
                                                    const TF_Output *inputs, int inputs_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RefMerge", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_ref_merge_outputs out;
    out.output = weir_output(op, 0);
    out.value_index = weir_output(op, 1);
    return out;
}

/* RefNextIteration(data: Ref(T)) -> output: Ref(T): passes a reference to the next iteration of a
 * loop. */
static inline TF_Output weir_ref_next_iteration(weir_builder *builder, const char *node,
                                                TF_Output data)
{
    const TF_Output inputs[] = {data};
    return weir_build_op(builder, "RefNextIteration", node, inputs, 1);
}

/* RefSelect(index: int32, inputs: N * Ref(T)) -> output: Ref(T): the reference that an index
 * chooses. */
static inline TF_Output weir_ref_select(weir_builder *builder, const char *node, TF_Output index,
                                        const TF_Output *inputs, int inputs_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RefSelect", node);
    weir_build_input(builder, made, index);
    weir_build_input_list(builder, made, inputs, inputs_count);
    return weir_build_end(builder, made);
}

/* RefSwitch(data: Ref(T), pred: bool) -> output_false: Ref(T), output_true: Ref(T): a reference, to
 * one of two outputs. */
typedef struct weir_ref_switch_outputs {
    TF_Output output_false;
    TF_Output output_true;
} weir_ref_switch_outputs;
static inline weir_ref_switch_outputs weir_ref_switch(weir_builder *builder, const char *node,
                                                      TF_Output data, TF_Output pred)
{
    const TF_Output inputs[] = {data, pred};
    TF_Operation *op = weir_build_op(builder, "RefSwitch", node, inputs, 2).oper;
    weir_ref_switch_outputs out;
    out.output_false = weir_output(op, 0);
    out.output_true = weir_output(op, 1);
    return out;
}

/* RemoteCall(target: string, args: Tin) -> output: Tout: calls a function on another device. */
static inline weir_outputs weir_remote_call(weir_builder *builder, const char *node,
                                            TF_Output target, const TF_Output *args, int args_count,
                                            const TF_DataType *Tout, int Tout_count, const char *f)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RemoteCall", node);
    weir_build_input(builder, made, target);
    weir_build_input_list(builder, made, args, args_count);
    if (made) {
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
        weir_attr_func(made, "f", f);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* RiscCondition(pred: bool, input_true: SrcT, input_false: SrcT) -> output: DstT. SrcT: bfloat16,
 * half, float, double. DstT: bfloat16, half, float, double. */
static inline TF_Output weir_risc_condition(weir_builder *builder, const char *node, TF_Output pred,
                                            TF_Output input_true, TF_Output input_false,
                                            const char *func_true, const char *func_false,
                                            TF_DataType DstT)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscCondition", node);
    weir_build_input(builder, made, pred);
    weir_build_input(builder, made, input_true);
    weir_build_input(builder, made, input_false);
    if (made) {
        weir_attr_func(made, "func_true", func_true);
        weir_attr_func(made, "func_false", func_false);
        TF_SetAttrType(made, "DstT", DstT);
    }
    return weir_build_end(builder, made);
}

/* RiscWhile(input: T) -> output: T. */
typedef struct weir_risc_while_options {
    const weir_dims *output_shapes;
    int output_shapes_count; /* null: [] */
    int64_t parallel_iterations; /* 0: 10 */
} weir_risc_while_options;
static inline weir_outputs weir_risc_while(weir_builder *builder, const char *node,
                                           const TF_Output *input, int input_count,
                                           const char *cond, const char *body,
                                           const weir_risc_while_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscWhile", node);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        weir_attr_func(made, "cond", cond);
        weir_attr_func(made, "body", body);
    }
    if (made && options) {
        if (options->output_shapes)
            weir_attr_shapes(made, "output_shapes",
                options->output_shapes, options->output_shapes_count);
        if (options->parallel_iterations != 0)
            TF_SetAttrInt(made, "parallel_iterations", weir_int_of(options->parallel_iterations));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* StatefulPartitionedCall(args: Tin) -> output: Tout: calls a function that may keep state, its
 * nodes placed on devices. */
typedef struct weir_stateful_partitioned_call_options {
    const char *config; /* null: "" */
    const char *config_proto; /* null: "" */
    const char *executor_type; /* null: "" */
} weir_stateful_partitioned_call_options;
static inline weir_outputs
weir_stateful_partitioned_call(weir_builder *builder, const char *node, const TF_Output *args,
                               int args_count, const TF_DataType *Tout, int Tout_count,
                               const char *f, const weir_stateful_partitioned_call_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatefulPartitionedCall", node);
    weir_build_input_list(builder, made, args, args_count);
    if (made) {
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
        weir_attr_func(made, "f", f);
    }
    if (made && options) {
        if (options->config)
            weir_attr_string(made, "config", options->config);
        if (options->config_proto)
            weir_attr_string(made, "config_proto", options->config_proto);
        if (options->executor_type)
            weir_attr_string(made, "executor_type", options->executor_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* StatelessCase(branch_index: int32, input: Tin) -> output: Tout: calls the function that an index
 * chooses; none keeps state. */
typedef struct weir_stateless_case_options {
    const weir_dims *output_shapes;
    int output_shapes_count; /* null: [] */
} weir_stateless_case_options;
static inline weir_outputs weir_stateless_case(weir_builder *builder, const char *node,
                                               TF_Output branch_index, const TF_Output *input,
                                               int input_count, const TF_DataType *Tout,
                                               int Tout_count, const char *const *branches,
                                               int branches_count,
                                               const weir_stateless_case_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatelessCase", node);
    weir_build_input(builder, made, branch_index);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
        weir_attr_funcs(builder, made, "branches", branches, branches_count);
    }
    if (made && options) {
        if (options->output_shapes)
            weir_attr_shapes(made, "output_shapes",
                options->output_shapes, options->output_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* StatelessIf(cond: Tcond, input: Tin) -> output: Tout: calls one of two functions by a condition;
 * none keeps state. */
typedef struct weir_stateless_if_options {
    const weir_dims *output_shapes;
    int output_shapes_count; /* null: [] */
} weir_stateless_if_options;
static inline weir_outputs weir_stateless_if(weir_builder *builder, const char *node,
                                             TF_Output cond, const TF_Output *input,
                                             int input_count, const TF_DataType *Tout,
                                             int Tout_count, const char *then_branch,
                                             const char *else_branch,
                                             const weir_stateless_if_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatelessIf", node);
    weir_build_input(builder, made, cond);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
        weir_attr_func(made, "then_branch", then_branch);
        weir_attr_func(made, "else_branch", else_branch);
    }
    if (made && options) {
        if (options->output_shapes)
            weir_attr_shapes(made, "output_shapes",
                options->output_shapes, options->output_shapes_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* StatelessWhile(input: T) -> output: T: calls functions repeatedly. */
typedef struct weir_stateless_while_options {
    const weir_dims *output_shapes;
    int output_shapes_count; /* null: [] */
    int64_t parallel_iterations; /* 0: 10 */
} weir_stateless_while_options;
static inline weir_outputs weir_stateless_while(weir_builder *builder, const char *node,
                                                const TF_Output *input, int input_count,
                                                const char *cond, const char *body,
                                                const weir_stateless_while_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatelessWhile", node);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        weir_attr_func(made, "cond", cond);
        weir_attr_func(made, "body", body);
    }
    if (made && options) {
        if (options->output_shapes)
            weir_attr_shapes(made, "output_shapes",
                options->output_shapes, options->output_shapes_count);
        if (options->parallel_iterations != 0)
            TF_SetAttrInt(made, "parallel_iterations", weir_int_of(options->parallel_iterations));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* Switch(data: T, pred: bool) -> output_false: T, output_true: T: its input, to one of two outputs
 * by a condition; the other is dead. */
typedef struct weir_switch_outputs {
    TF_Output output_false;
    TF_Output output_true;
} weir_switch_outputs;
static inline weir_switch_outputs weir_switch(weir_builder *builder, const char *node,
                                              TF_Output data, TF_Output pred)
{
    const TF_Output inputs[] = {data, pred};
    TF_Operation *op = weir_build_op(builder, "Switch", node, inputs, 2).oper;
    weir_switch_outputs out;
    out.output_false = weir_output(op, 0);
    out.output_true = weir_output(op, 1);
    return out;
}

/* SymbolicGradient(input: Tin) -> output: Tout: the gradient of a function. */
static inline weir_outputs weir_symbolic_gradient(weir_builder *builder, const char *node,
                                                  const TF_Output *input, int input_count,
                                                  const TF_DataType *Tout, int Tout_count,
                                                  const char *f)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SymbolicGradient", node);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
        weir_attr_func(made, "f", f);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* TPUPartitionedCall(args: Tin, device_ordinal: int32) -> output: Tout. */
typedef struct weir_tpu_partitioned_call_options {
    int64_t autotuner_thresh;
} weir_tpu_partitioned_call_options;
static inline weir_outputs
weir_tpu_partitioned_call(weir_builder *builder, const char *node, const TF_Output *args,
                          int args_count, TF_Output device_ordinal, const TF_DataType *Tout,
                          int Tout_count, const char *f,
                          const weir_tpu_partitioned_call_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TPUPartitionedCall", node);
    weir_build_input_list(builder, made, args, args_count);
    weir_build_input(builder, made, device_ordinal);
    if (made) {
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
        weir_attr_func(made, "f", f);
    }
    if (made && options) {
        TF_SetAttrInt(made, "autotuner_thresh", options->autotuner_thresh);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* ToBool(input: T) -> output: bool: whether a tensor counts as true: not zero, not empty. */
static inline TF_Output weir_to_bool(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "ToBool", node, inputs, 1);
}

/* Unbatch(batched_tensor: T, batch_index: int64, id: int64) -> unbatched_tensor: T: returns to
 * every step its rows of a tensor that Batch concatenated; UnbatchGrad: the step with the whole
 * batch collects the gradients of the others. */
typedef struct weir_unbatch_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_unbatch_options;
static inline TF_Output weir_unbatch(weir_builder *builder, const char *node,
                                     TF_Output batched_tensor, TF_Output batch_index, TF_Output id,
                                     int64_t timeout_micros, const weir_unbatch_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Unbatch", node);
    weir_build_input(builder, made, batched_tensor);
    weir_build_input(builder, made, batch_index);
    weir_build_input(builder, made, id);
    if (made) {
        TF_SetAttrInt(made, "timeout_micros", timeout_micros);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* UnbatchGrad(original_input: T, batch_index: int64, grad: T, id: int64) -> batched_grad: T: the
 * gradient of Unbatch. */
typedef struct weir_unbatch_grad_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_unbatch_grad_options;
static inline TF_Output weir_unbatch_grad(weir_builder *builder, const char *node,
                                          TF_Output original_input, TF_Output batch_index,
                                          TF_Output grad, TF_Output id,
                                          const weir_unbatch_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UnbatchGrad", node);
    weir_build_input(builder, made, original_input);
    weir_build_input(builder, made, batch_index);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, id);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* While(input: T) -> output: T: calls functions repeatedly. */
typedef struct weir_while_options {
    const weir_dims *output_shapes;
    int output_shapes_count; /* null: [] */
    int64_t parallel_iterations; /* 0: 10 */
} weir_while_options;
static inline weir_outputs weir_while(weir_builder *builder, const char *node,
                                      const TF_Output *input, int input_count, const char *cond,
                                      const char *body, const weir_while_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "While", node);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        weir_attr_func(made, "cond", cond);
        weir_attr_func(made, "body", body);
    }
    if (made && options) {
        if (options->output_shapes)
            weir_attr_shapes(made, "output_shapes",
                options->output_shapes, options->output_shapes_count);
        if (options->parallel_iterations != 0)
            TF_SetAttrInt(made, "parallel_iterations", weir_int_of(options->parallel_iterations));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* XlaIf(cond: Tcond, inputs: Tin) -> output: Tout. */
static inline weir_outputs weir_xla_if(weir_builder *builder, const char *node, TF_Output cond,
                                       const TF_Output *inputs, int inputs_count,
                                       const char *then_branch, const char *else_branch,
                                       const TF_DataType *Tout, int Tout_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaIf", node);
    weir_build_input(builder, made, cond);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made) {
        weir_attr_func(made, "then_branch", then_branch);
        weir_attr_func(made, "else_branch", else_branch);
        TF_SetAttrTypeList(made, "Tout", Tout, Tout_count);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* XlaLaunch(constants: Tconstants, args: Targs, resources: Nresources * resource) -> results:
 * Tresults. */
static inline weir_outputs weir_xla_launch(weir_builder *builder, const char *node,
                                           const TF_Output *constants, int constants_count,
                                           const TF_Output *args, int args_count,
                                           const TF_Output *resources, int resources_count,
                                           const TF_DataType *Tresults, int Tresults_count,
                                           const char *function)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaLaunch", node);
    weir_build_input_list(builder, made, constants, constants_count);
    weir_build_input_list(builder, made, args, args_count);
    weir_build_input_list(builder, made, resources, resources_count);
    if (made) {
        TF_SetAttrTypeList(made, "Tresults", Tresults, Tresults_count);
        weir_attr_func(made, "function", function);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "results", 0);
}

/* XlaLaunchV2(args: Targs) -> results: Tresults. */
static inline weir_outputs weir_xla_launch_v2(weir_builder *builder, const char *node,
                                              const TF_Output *args, int args_count,
                                              const TF_DataType *Tresults, int Tresults_count,
                                              const int64_t *constants, int constants_count,
                                              const int64_t *resources, int resources_count,
                                              const char *function)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaLaunchV2", node);
    weir_build_input_list(builder, made, args, args_count);
    if (made) {
        TF_SetAttrTypeList(made, "Tresults", Tresults, Tresults_count);
        TF_SetAttrIntList(made, "constants", constants, constants_count);
        TF_SetAttrIntList(made, "resources", resources, resources_count);
        weir_attr_func(made, "function", function);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "results", 0);
}

/* XlaWhile(input: T) -> output: T. */
static inline weir_outputs weir_xla_while(weir_builder *builder, const char *node,
                                          const TF_Output *input, int input_count, const char *cond,
                                          const char *body)
{
    TF_OperationDescription *made = weir_build_begin(builder, "XlaWhile", node);
    weir_build_input_list(builder, made, input, input_count);
    if (made) {
        weir_attr_func(made, "cond", cond);
        weir_attr_func(made, "body", body);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

#ifdef __cplusplus
}
#endif
#endif
