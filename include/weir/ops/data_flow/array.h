/* weir/ops/data_flow/array.h - tensor arrays and stacks.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_DATA_FLOW_ARRAY_OPS_H
#define WEIR_DATA_FLOW_ARRAY_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stack() -> handle: Ref(string): a stack of tensors. */
typedef struct weir_stack_options {
    const char *stack_name; /* null: "" */
} weir_stack_options;
static inline TF_Output weir_stack(weir_builder *builder, const char *node, TF_DataType elem_type,
                                   const weir_stack_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Stack", node);
    if (made) {
        TF_SetAttrType(made, "elem_type", elem_type);
    }
    if (made && options) {
        if (options->stack_name)
            weir_attr_string(made, "stack_name", options->stack_name);
    }
    return weir_build_end(builder, made);
}

/* StackClose(handle: Ref(string)): deletes a stack. */
static inline TF_Operation *weir_stack_close(weir_builder *builder, const char *node,
                                             TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "StackClose", node, inputs, 1).oper;
}

/* StackCloseV2(handle: resource): deletes a stack. */
static inline TF_Operation *weir_stack_close_v2(weir_builder *builder, const char *node,
                                                TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "StackCloseV2", node, inputs, 1).oper;
}

/* StackPop(handle: Ref(string)) -> elem: elem_type: removes the top of a stack. */
static inline TF_Output weir_stack_pop(weir_builder *builder, const char *node, TF_Output handle,
                                       TF_DataType elem_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StackPop", node);
    weir_build_input(builder, made, handle);
    if (made) {
        TF_SetAttrType(made, "elem_type", elem_type);
    }
    return weir_build_end(builder, made);
}

/* StackPopV2(handle: resource) -> elem: elem_type: removes the top of a stack. */
static inline TF_Output weir_stack_pop_v2(weir_builder *builder, const char *node, TF_Output handle,
                                          TF_DataType elem_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StackPopV2", node);
    weir_build_input(builder, made, handle);
    if (made) {
        TF_SetAttrType(made, "elem_type", elem_type);
    }
    return weir_build_end(builder, made);
}

/* StackPush(handle: Ref(string), elem: T) -> output: T: pushes a tensor on a stack. */
typedef struct weir_stack_push_options {
    bool swap_memory;
} weir_stack_push_options;
static inline TF_Output weir_stack_push(weir_builder *builder, const char *node, TF_Output handle,
                                        TF_Output elem, const weir_stack_push_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StackPush", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, elem);
    if (made && options) {
        TF_SetAttrBool(made, "swap_memory", options->swap_memory);
    }
    return weir_build_end(builder, made);
}

/* StackPushV2(handle: resource, elem: T) -> output: T: pushes a tensor on a stack. */
typedef struct weir_stack_push_v2_options {
    bool swap_memory;
} weir_stack_push_v2_options;
static inline TF_Output weir_stack_push_v2(weir_builder *builder, const char *node,
                                           TF_Output handle, TF_Output elem,
                                           const weir_stack_push_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StackPushV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, elem);
    if (made && options) {
        TF_SetAttrBool(made, "swap_memory", options->swap_memory);
    }
    return weir_build_end(builder, made);
}

/* StackV2(max_size: int32) -> handle: resource: values that a loop saves for its gradient. */
typedef struct weir_stack_v2_options {
    const char *stack_name; /* null: "" */
} weir_stack_v2_options;
static inline TF_Output weir_stack_v2(weir_builder *builder, const char *node, TF_Output max_size,
                                      TF_DataType elem_type, const weir_stack_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StackV2", node);
    weir_build_input(builder, made, max_size);
    if (made) {
        TF_SetAttrType(made, "elem_type", elem_type);
    }
    if (made && options) {
        if (options->stack_name)
            weir_attr_string(made, "stack_name", options->stack_name);
    }
    return weir_build_end(builder, made);
}

/* TensorArray(size: int32) -> handle: Ref(string): an array whose elements are tensors, each
 * written once. */
typedef struct weir_tensor_array_options {
    bool dynamic_size;
    bool not_clear_after_read;
    const char *tensor_array_name; /* null: "" */
    const weir_dims *element_shape; /* null: unknown */
} weir_tensor_array_options;
static inline TF_Output weir_tensor_array(weir_builder *builder, const char *node, TF_Output size,
                                          TF_DataType dtype,
                                          const weir_tensor_array_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArray", node);
    weir_build_input(builder, made, size);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        TF_SetAttrBool(made, "dynamic_size", options->dynamic_size);
        TF_SetAttrBool(made, "clear_after_read", !options->not_clear_after_read);
        if (options->tensor_array_name)
            weir_attr_string(made, "tensor_array_name", options->tensor_array_name);
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayClose(handle: Ref(string)): deletes an array. */
static inline TF_Operation *weir_tensor_array_close(weir_builder *builder, const char *node,
                                                    TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "TensorArrayClose", node, inputs, 1).oper;
}

/* TensorArrayCloseV2(handle: string): deletes an array. */
static inline TF_Operation *weir_tensor_array_close_v2(weir_builder *builder, const char *node,
                                                       TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "TensorArrayCloseV2", node, inputs, 1).oper;
}

/* TensorArrayCloseV3(handle: resource): deletes an array. */
static inline TF_Operation *weir_tensor_array_close_v3(weir_builder *builder, const char *node,
                                                       TF_Output handle)
{
    const TF_Output inputs[] = {handle};
    return weir_build_op(builder, "TensorArrayCloseV3", node, inputs, 1).oper;
}

/* TensorArrayConcat(handle: Ref(string), flow_in: float) -> value: dtype, lengths: int64: all
 * elements concatenated, and their lengths. */
typedef struct weir_tensor_array_concat_options {
    const weir_dims *element_shape_except0; /* null: unknown */
} weir_tensor_array_concat_options;
typedef struct weir_tensor_array_concat_outputs {
    TF_Output value;
    TF_Output lengths;
} weir_tensor_array_concat_outputs;
static inline weir_tensor_array_concat_outputs
weir_tensor_array_concat(weir_builder *builder, const char *node, TF_Output handle,
                         TF_Output flow_in, TF_DataType dtype,
                         const weir_tensor_array_concat_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayConcat", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape_except0)
            weir_attr_shape(made, "element_shape_except0", options->element_shape_except0);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_array_concat_outputs out;
    out.value = weir_output(op, 0);
    out.lengths = weir_output(op, 1);
    return out;
}

/* TensorArrayConcatV2(handle: string, flow_in: float) -> value: dtype, lengths: int64: all elements
 * concatenated, and their lengths. */
typedef struct weir_tensor_array_concat_v2_options {
    const weir_dims *element_shape_except0; /* null: unknown */
} weir_tensor_array_concat_v2_options;
typedef struct weir_tensor_array_concat_v2_outputs {
    TF_Output value;
    TF_Output lengths;
} weir_tensor_array_concat_v2_outputs;
static inline weir_tensor_array_concat_v2_outputs
weir_tensor_array_concat_v2(weir_builder *builder, const char *node, TF_Output handle,
                            TF_Output flow_in, TF_DataType dtype,
                            const weir_tensor_array_concat_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayConcatV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape_except0)
            weir_attr_shape(made, "element_shape_except0", options->element_shape_except0);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_array_concat_v2_outputs out;
    out.value = weir_output(op, 0);
    out.lengths = weir_output(op, 1);
    return out;
}

/* TensorArrayConcatV3(handle: resource, flow_in: float) -> value: dtype, lengths: int64: all
 * elements concatenated, and their lengths. */
typedef struct weir_tensor_array_concat_v3_options {
    const weir_dims *element_shape_except0; /* null: unknown */
} weir_tensor_array_concat_v3_options;
typedef struct weir_tensor_array_concat_v3_outputs {
    TF_Output value;
    TF_Output lengths;
} weir_tensor_array_concat_v3_outputs;
static inline weir_tensor_array_concat_v3_outputs
weir_tensor_array_concat_v3(weir_builder *builder, const char *node, TF_Output handle,
                            TF_Output flow_in, TF_DataType dtype,
                            const weir_tensor_array_concat_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayConcatV3", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape_except0)
            weir_attr_shape(made, "element_shape_except0", options->element_shape_except0);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_array_concat_v3_outputs out;
    out.value = weir_output(op, 0);
    out.lengths = weir_output(op, 1);
    return out;
}

/* TensorArrayGather(handle: Ref(string), indices: int32, flow_in: float) -> value: dtype: some
 * elements as one tensor. */
typedef struct weir_tensor_array_gather_options {
    const weir_dims *element_shape; /* null: unknown */
} weir_tensor_array_gather_options;
static inline TF_Output weir_tensor_array_gather(weir_builder *builder, const char *node,
                                                 TF_Output handle, TF_Output indices,
                                                 TF_Output flow_in, TF_DataType dtype,
                                                 const weir_tensor_array_gather_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayGather", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayGatherV2(handle: string, indices: int32, flow_in: float) -> value: dtype: some
 * elements as one tensor. */
typedef struct weir_tensor_array_gather_v2_options {
    const weir_dims *element_shape; /* null: unknown */
} weir_tensor_array_gather_v2_options;
static inline TF_Output
weir_tensor_array_gather_v2(weir_builder *builder, const char *node, TF_Output handle,
                            TF_Output indices, TF_Output flow_in, TF_DataType dtype,
                            const weir_tensor_array_gather_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayGatherV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayGatherV3(handle: resource, indices: int32, flow_in: float) -> value: dtype: some
 * elements as one tensor. */
typedef struct weir_tensor_array_gather_v3_options {
    const weir_dims *element_shape; /* null: unknown */
} weir_tensor_array_gather_v3_options;
static inline TF_Output
weir_tensor_array_gather_v3(weir_builder *builder, const char *node, TF_Output handle,
                            TF_Output indices, TF_Output flow_in, TF_DataType dtype,
                            const weir_tensor_array_gather_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayGatherV3", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayGrad(handle: string, flow_in: float) -> grad_handle: Ref(string): the array of an
 * array's gradients. */
static inline TF_Output weir_tensor_array_grad(weir_builder *builder, const char *node,
                                               TF_Output handle, TF_Output flow_in,
                                               const char *source)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayGrad", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    if (made) {
        weir_attr_string(made, "source", source);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayGradV2(handle: string, flow_in: float) -> grad_handle: string: the array of an array's
 * gradients. */
static inline TF_Output weir_tensor_array_grad_v2(weir_builder *builder, const char *node,
                                                  TF_Output handle, TF_Output flow_in,
                                                  const char *source)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayGradV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    if (made) {
        weir_attr_string(made, "source", source);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayGradV3(handle: resource, flow_in: float) -> grad_handle: resource, flow_out: float:
 * the array of an array's gradients. */
typedef struct weir_tensor_array_grad_v3_outputs {
    TF_Output grad_handle;
    TF_Output flow_out;
} weir_tensor_array_grad_v3_outputs;
static inline weir_tensor_array_grad_v3_outputs weir_tensor_array_grad_v3(weir_builder *builder,
                                                                          const char *node,
                                                                          TF_Output handle,
                                                                          TF_Output flow_in,
                                                                          const char *source)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayGradV3", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    if (made) {
        weir_attr_string(made, "source", source);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_array_grad_v3_outputs out;
    out.grad_handle = weir_output(op, 0);
    out.flow_out = weir_output(op, 1);
    return out;
}

/* TensorArrayGradWithShape(handle: resource, flow_in: float, shape_to_prepend: int32) ->
 * grad_handle: resource, flow_out: float: the array of an array's gradients, its elements with more
 * dims. */
typedef struct weir_tensor_array_grad_with_shape_outputs {
    TF_Output grad_handle;
    TF_Output flow_out;
} weir_tensor_array_grad_with_shape_outputs;
static inline weir_tensor_array_grad_with_shape_outputs
weir_tensor_array_grad_with_shape(weir_builder *builder, const char *node, TF_Output handle,
                                  TF_Output flow_in, TF_Output shape_to_prepend, const char *source)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayGradWithShape", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    weir_build_input(builder, made, shape_to_prepend);
    if (made) {
        weir_attr_string(made, "source", source);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_array_grad_with_shape_outputs out;
    out.grad_handle = weir_output(op, 0);
    out.flow_out = weir_output(op, 1);
    return out;
}

/* TensorArrayPack(handle: Ref(string), flow_in: float) -> value: dtype. */
typedef struct weir_tensor_array_pack_options {
    const weir_dims *element_shape; /* null: unknown */
} weir_tensor_array_pack_options;
static inline TF_Output weir_tensor_array_pack(weir_builder *builder, const char *node,
                                               TF_Output handle, TF_Output flow_in,
                                               TF_DataType dtype,
                                               const weir_tensor_array_pack_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayPack", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayRead(handle: Ref(string), index: int32, flow_in: float) -> value: dtype: an element.
 * */
static inline TF_Output weir_tensor_array_read(weir_builder *builder, const char *node,
                                               TF_Output handle, TF_Output index, TF_Output flow_in,
                                               TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayRead", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, index);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayReadV2(handle: string, index: int32, flow_in: float) -> value: dtype: an element. */
static inline TF_Output weir_tensor_array_read_v2(weir_builder *builder, const char *node,
                                                  TF_Output handle, TF_Output index,
                                                  TF_Output flow_in, TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayReadV2", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, index);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayReadV3(handle: resource, index: int32, flow_in: float) -> value: dtype: an element. */
static inline TF_Output weir_tensor_array_read_v3(weir_builder *builder, const char *node,
                                                  TF_Output handle, TF_Output index,
                                                  TF_Output flow_in, TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayReadV3", node);
    weir_build_input(builder, made, handle);
    weir_build_input(builder, made, index);
    weir_build_input(builder, made, flow_in);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayScatter(handle: Ref(string), indices: int32, value: T, flow_in: float) -> flow_out:
 * float: rows of a tensor, written as elements. */
static inline TF_Output weir_tensor_array_scatter(weir_builder *builder, const char *node,
                                                  TF_Output handle, TF_Output indices,
                                                  TF_Output value, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, indices, value, flow_in};
    return weir_build_op(builder, "TensorArrayScatter", node, inputs, 4);
}

/* TensorArrayScatterV2(handle: string, indices: int32, value: T, flow_in: float) -> flow_out:
 * float: rows of a tensor, written as elements. */
static inline TF_Output weir_tensor_array_scatter_v2(weir_builder *builder, const char *node,
                                                     TF_Output handle, TF_Output indices,
                                                     TF_Output value, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, indices, value, flow_in};
    return weir_build_op(builder, "TensorArrayScatterV2", node, inputs, 4);
}

/* TensorArrayScatterV3(handle: resource, indices: int32, value: T, flow_in: float) -> flow_out:
 * float: rows of a tensor, written as elements. */
static inline TF_Output weir_tensor_array_scatter_v3(weir_builder *builder, const char *node,
                                                     TF_Output handle, TF_Output indices,
                                                     TF_Output value, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, indices, value, flow_in};
    return weir_build_op(builder, "TensorArrayScatterV3", node, inputs, 4);
}

/* TensorArraySize(handle: Ref(string), flow_in: float) -> size: int32: how many elements there are.
 * */
static inline TF_Output weir_tensor_array_size(weir_builder *builder, const char *node,
                                               TF_Output handle, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, flow_in};
    return weir_build_op(builder, "TensorArraySize", node, inputs, 2);
}

/* TensorArraySizeV2(handle: string, flow_in: float) -> size: int32: how many elements there are. */
static inline TF_Output weir_tensor_array_size_v2(weir_builder *builder, const char *node,
                                                  TF_Output handle, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, flow_in};
    return weir_build_op(builder, "TensorArraySizeV2", node, inputs, 2);
}

/* TensorArraySizeV3(handle: resource, flow_in: float) -> size: int32: how many elements there are.
 * */
static inline TF_Output weir_tensor_array_size_v3(weir_builder *builder, const char *node,
                                                  TF_Output handle, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, flow_in};
    return weir_build_op(builder, "TensorArraySizeV3", node, inputs, 2);
}

/* TensorArraySplit(handle: Ref(string), value: T, lengths: int64, flow_in: float) -> flow_out:
 * float: parts of a tensor, written as elements. */
static inline TF_Output weir_tensor_array_split(weir_builder *builder, const char *node,
                                                TF_Output handle, TF_Output value,
                                                TF_Output lengths, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, value, lengths, flow_in};
    return weir_build_op(builder, "TensorArraySplit", node, inputs, 4);
}

/* TensorArraySplitV2(handle: string, value: T, lengths: int64, flow_in: float) -> flow_out: float:
 * parts of a tensor, written as elements. */
static inline TF_Output weir_tensor_array_split_v2(weir_builder *builder, const char *node,
                                                   TF_Output handle, TF_Output value,
                                                   TF_Output lengths, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, value, lengths, flow_in};
    return weir_build_op(builder, "TensorArraySplitV2", node, inputs, 4);
}

/* TensorArraySplitV3(handle: resource, value: T, lengths: int64, flow_in: float) -> flow_out:
 * float: parts of a tensor, written as elements. */
static inline TF_Output weir_tensor_array_split_v3(weir_builder *builder, const char *node,
                                                   TF_Output handle, TF_Output value,
                                                   TF_Output lengths, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, value, lengths, flow_in};
    return weir_build_op(builder, "TensorArraySplitV3", node, inputs, 4);
}

/* TensorArrayUnpack(handle: Ref(string), value: T, flow_in: float) -> flow_out: float. */
static inline TF_Output weir_tensor_array_unpack(weir_builder *builder, const char *node,
                                                 TF_Output handle, TF_Output value,
                                                 TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, value, flow_in};
    return weir_build_op(builder, "TensorArrayUnpack", node, inputs, 3);
}

/* TensorArrayV2(size: int32) -> handle: string: an array whose elements are tensors, each written
 * once. */
typedef struct weir_tensor_array_v2_options {
    const weir_dims *element_shape; /* null: unknown */
    bool dynamic_size;
    bool not_clear_after_read;
    const char *tensor_array_name; /* null: "" */
} weir_tensor_array_v2_options;
static inline TF_Output weir_tensor_array_v2(weir_builder *builder, const char *node,
                                             TF_Output size, TF_DataType dtype,
                                             const weir_tensor_array_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayV2", node);
    weir_build_input(builder, made, size);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
        TF_SetAttrBool(made, "dynamic_size", options->dynamic_size);
        TF_SetAttrBool(made, "clear_after_read", !options->not_clear_after_read);
        if (options->tensor_array_name)
            weir_attr_string(made, "tensor_array_name", options->tensor_array_name);
    }
    return weir_build_end(builder, made);
}

/* TensorArrayV3(size: int32) -> handle: resource, flow: float: an array whose elements are tensors,
 * each written once. */
typedef struct weir_tensor_array_v3_options {
    const weir_dims *element_shape; /* null: unknown */
    bool dynamic_size;
    bool not_clear_after_read;
    bool identical_element_shapes;
    const char *tensor_array_name; /* null: "" */
} weir_tensor_array_v3_options;
typedef struct weir_tensor_array_v3_outputs {
    TF_Output handle;
    TF_Output flow;
} weir_tensor_array_v3_outputs;
static inline weir_tensor_array_v3_outputs
weir_tensor_array_v3(weir_builder *builder, const char *node, TF_Output size, TF_DataType dtype,
                     const weir_tensor_array_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorArrayV3", node);
    weir_build_input(builder, made, size);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->element_shape)
            weir_attr_shape(made, "element_shape", options->element_shape);
        TF_SetAttrBool(made, "dynamic_size", options->dynamic_size);
        TF_SetAttrBool(made, "clear_after_read", !options->not_clear_after_read);
        TF_SetAttrBool(made, "identical_element_shapes", options->identical_element_shapes);
        if (options->tensor_array_name)
            weir_attr_string(made, "tensor_array_name", options->tensor_array_name);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_tensor_array_v3_outputs out;
    out.handle = weir_output(op, 0);
    out.flow = weir_output(op, 1);
    return out;
}

/* TensorArrayWrite(handle: Ref(string), index: int32, value: T, flow_in: float) -> flow_out: float:
 * writes an element. */
static inline TF_Output weir_tensor_array_write(weir_builder *builder, const char *node,
                                                TF_Output handle, TF_Output index, TF_Output value,
                                                TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, index, value, flow_in};
    return weir_build_op(builder, "TensorArrayWrite", node, inputs, 4);
}

/* TensorArrayWriteV2(handle: string, index: int32, value: T, flow_in: float) -> flow_out: float:
 * writes an element. */
static inline TF_Output weir_tensor_array_write_v2(weir_builder *builder, const char *node,
                                                   TF_Output handle, TF_Output index,
                                                   TF_Output value, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, index, value, flow_in};
    return weir_build_op(builder, "TensorArrayWriteV2", node, inputs, 4);
}

/* TensorArrayWriteV3(handle: resource, index: int32, value: T, flow_in: float) -> flow_out: float:
 * writes an element. */
static inline TF_Output weir_tensor_array_write_v3(weir_builder *builder, const char *node,
                                                   TF_Output handle, TF_Output index,
                                                   TF_Output value, TF_Output flow_in)
{
    const TF_Output inputs[] = {handle, index, value, flow_in};
    return weir_build_op(builder, "TensorArrayWriteV3", node, inputs, 4);
}

#ifdef __cplusplus
}
#endif
#endif
