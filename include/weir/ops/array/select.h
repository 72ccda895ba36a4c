/* weir/ops/array/select.h - gathers, scatters, slices, partitions, searches.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_ARRAY_SELECT_OPS_H
#define WEIR_ARRAY_SELECT_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* DynamicPartition(data: T, partitions: int32) -> outputs: num_partitions * T: rows distributed
 * over several tensors. */
static inline weir_outputs weir_dynamic_partition(weir_builder *builder, const char *node,
                                                  TF_Output data, TF_Output partitions,
                                                  int64_t num_partitions)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DynamicPartition", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, partitions);
    if (made) {
        TF_SetAttrInt(made, "num_partitions", num_partitions);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "outputs", 0);
}

/* DynamicStitch(indices: N * int32, data: N * T) -> merged: T: scatters rows by indices. */
static inline TF_Output weir_dynamic_stitch(weir_builder *builder, const char *node,
                                            const TF_Output *indices, int indices_count,
                                            const TF_Output *data, int data_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DynamicStitch", node);
    weir_build_input_list(builder, made, indices, indices_count);
    weir_build_input_list(builder, made, data, data_count);
    return weir_build_end(builder, made);
}

/* Gather(params: Tparams, indices: Tindices) -> output: Tparams: slices of params along an axis,
 * chosen by indices. Tindices: int32, int64. */
typedef struct weir_gather_options {
    bool not_validate_indices;
} weir_gather_options;
static inline TF_Output weir_gather(weir_builder *builder, const char *node, TF_Output params,
                                    TF_Output indices, const weir_gather_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Gather", node);
    weir_build_input(builder, made, params);
    weir_build_input(builder, made, indices);
    if (made && options) {
        TF_SetAttrBool(made, "validate_indices", !options->not_validate_indices);
    }
    return weir_build_end(builder, made);
}

/* GatherNd(params: Tparams, indices: Tindices) -> output: Tparams: slices of params selected by
 * rows of indices. Tindices: int16, int32, int64. */
typedef struct weir_gather_nd_options {
    const char *bad_indices_policy; /* null: "" */
} weir_gather_nd_options;
static inline TF_Output weir_gather_nd(weir_builder *builder, const char *node, TF_Output params,
                                       TF_Output indices, const weir_gather_nd_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "GatherNd", node);
    weir_build_input(builder, made, params);
    weir_build_input(builder, made, indices);
    if (made && options) {
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* GatherV2(params: Tparams, indices: Tindices, axis: Taxis) -> output: Tparams: slices of params
 * along an axis, chosen by indices. Tindices: int16, int32, int64. Taxis: int32, int64. */
typedef struct weir_gather_v2_options {
    int64_t batch_dims;
} weir_gather_v2_options;
static inline TF_Output weir_gather_v2(weir_builder *builder, const char *node, TF_Output params,
                                       TF_Output indices, TF_Output axis,
                                       const weir_gather_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "GatherV2", node);
    weir_build_input(builder, made, params);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, axis);
    if (made && options) {
        TF_SetAttrInt(made, "batch_dims", options->batch_dims);
    }
    return weir_build_end(builder, made);
}

/* InplaceAdd(x: T, i: int32, v: T) -> y: T: updates of a tensor's rows. */
static inline TF_Output weir_inplace_add(weir_builder *builder, const char *node, TF_Output x,
                                         TF_Output i, TF_Output v)
{
    const TF_Output inputs[] = {x, i, v};
    return weir_build_op(builder, "InplaceAdd", node, inputs, 3);
}

/* InplaceSub(x: T, i: int32, v: T) -> y: T: updates of a tensor's rows. */
static inline TF_Output weir_inplace_sub(weir_builder *builder, const char *node, TF_Output x,
                                         TF_Output i, TF_Output v)
{
    const TF_Output inputs[] = {x, i, v};
    return weir_build_op(builder, "InplaceSub", node, inputs, 3);
}

/* InplaceUpdate(x: T, i: int32, v: T) -> y: T: updates of a tensor's rows. */
static inline TF_Output weir_inplace_update(weir_builder *builder, const char *node, TF_Output x,
                                            TF_Output i, TF_Output v)
{
    const TF_Output inputs[] = {x, i, v};
    return weir_build_op(builder, "InplaceUpdate", node, inputs, 3);
}

/* ListDiff(x: T, y: T) -> out: T, idx: out_idx: the elements of x that are not in y, with their
 * indices. out_idx: int32, int64. */
typedef struct weir_list_diff_options {
    TF_DataType out_idx; /* 0: TF_INT32; int32, int64 */
} weir_list_diff_options;
typedef struct weir_list_diff_outputs {
    TF_Output out;
    TF_Output idx;
} weir_list_diff_outputs;
static inline weir_list_diff_outputs weir_list_diff(weir_builder *builder, const char *node,
                                                    TF_Output x, TF_Output y,
                                                    const weir_list_diff_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ListDiff", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    if (made && options) {
        if (options->out_idx)
            TF_SetAttrType(made, "out_idx", options->out_idx);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_list_diff_outputs out;
    out.out = weir_output(op, 0);
    out.idx = weir_output(op, 1);
    return out;
}

/* LowerBound(sorted_inputs: T, values: T) -> output: out_type: insertion positions in sorted rows.
 * out_type: int32, int64. */
typedef struct weir_lower_bound_options {
    TF_DataType out_type; /* 0: TF_INT32; int32, int64 */
} weir_lower_bound_options;
static inline TF_Output weir_lower_bound(weir_builder *builder, const char *node,
                                         TF_Output sorted_inputs, TF_Output values,
                                         const weir_lower_bound_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LowerBound", node);
    weir_build_input(builder, made, sorted_inputs);
    weir_build_input(builder, made, values);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    return weir_build_end(builder, made);
}

/* OneHot(indices: TI, depth: int32, on_value: T, off_value: T) -> output: T: one-hot encoding along
 * a new axis. TI: uint8, int8, int32, int64. */
typedef struct weir_one_hot_options {
    int64_t axis; /* 0: -1 */
} weir_one_hot_options;
static inline TF_Output weir_one_hot(weir_builder *builder, const char *node, TF_Output indices,
                                     TF_Output depth, TF_Output on_value, TF_Output off_value,
                                     const weir_one_hot_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "OneHot", node);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, depth);
    weir_build_input(builder, made, on_value);
    weir_build_input(builder, made, off_value);
    if (made && options) {
        if (options->axis != 0)
            TF_SetAttrInt(made, "axis", weir_int_of(options->axis));
    }
    return weir_build_end(builder, made);
}

/* ParallelDynamicStitch(indices: N * int32, data: N * T) -> merged: T: scatters rows by indices. */
static inline TF_Output weir_parallel_dynamic_stitch(weir_builder *builder, const char *node,
                                                     const TF_Output *indices, int indices_count,
                                                     const TF_Output *data, int data_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParallelDynamicStitch", node);
    weir_build_input_list(builder, made, indices, indices_count);
    weir_build_input_list(builder, made, data, data_count);
    return weir_build_end(builder, made);
}

/* ResourceStridedSliceAssign(ref: resource, begin: Index, end: Index, strides: Index, value: T):
 * writes a slice of a variable; by a resource handle. Index: int32, int64. */
typedef struct weir_resource_strided_slice_assign_options {
    int64_t begin_mask;
    int64_t end_mask;
    int64_t ellipsis_mask;
    int64_t new_axis_mask;
    int64_t shrink_axis_mask;
} weir_resource_strided_slice_assign_options;
static inline TF_Operation *
weir_resource_strided_slice_assign(weir_builder *builder, const char *node, TF_Output ref,
                                   TF_Output begin, TF_Output end, TF_Output strides,
                                   TF_Output value,
                                   const weir_resource_strided_slice_assign_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ResourceStridedSliceAssign", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, begin);
    weir_build_input(builder, made, end);
    weir_build_input(builder, made, strides);
    weir_build_input(builder, made, value);
    if (made && options) {
        TF_SetAttrInt(made, "begin_mask", options->begin_mask);
        TF_SetAttrInt(made, "end_mask", options->end_mask);
        TF_SetAttrInt(made, "ellipsis_mask", options->ellipsis_mask);
        TF_SetAttrInt(made, "new_axis_mask", options->new_axis_mask);
        TF_SetAttrInt(made, "shrink_axis_mask", options->shrink_axis_mask);
    }
    return weir_build_end(builder, made).oper;
}

/* ScatterNd(indices: Tindices, updates: T, shape: Tindices) -> output: T: changes slices of a
 * variable. Tindices: int16, int32, int64. */
typedef struct weir_scatter_nd_options {
    const char *bad_indices_policy; /* null: "" */
} weir_scatter_nd_options;
static inline TF_Output weir_scatter_nd(weir_builder *builder, const char *node, TF_Output indices,
                                        TF_Output updates, TF_Output shape,
                                        const weir_scatter_nd_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterNd", node);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    weir_build_input(builder, made, shape);
    if (made && options) {
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* ScatterNdNonAliasingAdd(input: T, indices: Tindices, updates: T) -> output: T: new tensors with
 * slices set or combined. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool.
 * Tindices: int32, int64. */
typedef struct weir_scatter_nd_non_aliasing_add_options {
    const char *bad_indices_policy; /* null: "" */
} weir_scatter_nd_non_aliasing_add_options;
static inline TF_Output
weir_scatter_nd_non_aliasing_add(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output indices, TF_Output updates,
                                 const weir_scatter_nd_non_aliasing_add_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ScatterNdNonAliasingAdd", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* Slice(input: T, begin: Index, size: Index) -> output: T: a contiguous box of a tensor. Index:
 * int32, int64. */
static inline TF_Output weir_slice(weir_builder *builder, const char *node, TF_Output input,
                                   TF_Output begin, TF_Output size)
{
    const TF_Output inputs[] = {input, begin, size};
    return weir_build_op(builder, "Slice", node, inputs, 3);
}

/* StridedSlice(input: T, begin: Index, end: Index, strides: Index) -> output: T:
 * x[begin:end:stride, ...], with masks for omitted parts, new axes and indices. Index: int16,
 * int32, int64. */
typedef struct weir_strided_slice_options {
    int64_t begin_mask;
    int64_t end_mask;
    int64_t ellipsis_mask;
    int64_t new_axis_mask;
    int64_t shrink_axis_mask;
} weir_strided_slice_options;
static inline TF_Output weir_strided_slice(weir_builder *builder, const char *node, TF_Output input,
                                           TF_Output begin, TF_Output end, TF_Output strides,
                                           const weir_strided_slice_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StridedSlice", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, begin);
    weir_build_input(builder, made, end);
    weir_build_input(builder, made, strides);
    if (made && options) {
        TF_SetAttrInt(made, "begin_mask", options->begin_mask);
        TF_SetAttrInt(made, "end_mask", options->end_mask);
        TF_SetAttrInt(made, "ellipsis_mask", options->ellipsis_mask);
        TF_SetAttrInt(made, "new_axis_mask", options->new_axis_mask);
        TF_SetAttrInt(made, "shrink_axis_mask", options->shrink_axis_mask);
    }
    return weir_build_end(builder, made);
}

/* StridedSliceAssign(ref: Ref(T), begin: Index, end: Index, strides: Index, value: T) ->
 * output_ref: Ref(T): writes a slice of a variable. Index: int32, int64. */
typedef struct weir_strided_slice_assign_options {
    int64_t begin_mask;
    int64_t end_mask;
    int64_t ellipsis_mask;
    int64_t new_axis_mask;
    int64_t shrink_axis_mask;
} weir_strided_slice_assign_options;
static inline TF_Output weir_strided_slice_assign(weir_builder *builder, const char *node,
                                                  TF_Output ref, TF_Output begin, TF_Output end,
                                                  TF_Output strides, TF_Output value,
                                                  const weir_strided_slice_assign_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StridedSliceAssign", node);
    weir_build_input(builder, made, ref);
    weir_build_input(builder, made, begin);
    weir_build_input(builder, made, end);
    weir_build_input(builder, made, strides);
    weir_build_input(builder, made, value);
    if (made && options) {
        TF_SetAttrInt(made, "begin_mask", options->begin_mask);
        TF_SetAttrInt(made, "end_mask", options->end_mask);
        TF_SetAttrInt(made, "ellipsis_mask", options->ellipsis_mask);
        TF_SetAttrInt(made, "new_axis_mask", options->new_axis_mask);
        TF_SetAttrInt(made, "shrink_axis_mask", options->shrink_axis_mask);
    }
    return weir_build_end(builder, made);
}

/* StridedSliceGrad(shape: Index, begin: Index, end: Index, strides: Index, dy: T) -> output: T:
 * zeros with a gradient where StridedSlice read. Index: int32, int64. */
typedef struct weir_strided_slice_grad_options {
    int64_t begin_mask;
    int64_t end_mask;
    int64_t ellipsis_mask;
    int64_t new_axis_mask;
    int64_t shrink_axis_mask;
} weir_strided_slice_grad_options;
static inline TF_Output weir_strided_slice_grad(weir_builder *builder, const char *node,
                                                TF_Output shape, TF_Output begin, TF_Output end,
                                                TF_Output strides, TF_Output dy,
                                                const weir_strided_slice_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StridedSliceGrad", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, begin);
    weir_build_input(builder, made, end);
    weir_build_input(builder, made, strides);
    weir_build_input(builder, made, dy);
    if (made && options) {
        TF_SetAttrInt(made, "begin_mask", options->begin_mask);
        TF_SetAttrInt(made, "end_mask", options->end_mask);
        TF_SetAttrInt(made, "ellipsis_mask", options->ellipsis_mask);
        TF_SetAttrInt(made, "new_axis_mask", options->new_axis_mask);
        TF_SetAttrInt(made, "shrink_axis_mask", options->shrink_axis_mask);
    }
    return weir_build_end(builder, made);
}

/* TensorScatterAdd(tensor: T, indices: Tindices, updates: T) -> output: T: a copy with updates
 * added at indices. Tindices: int32, int64. */
typedef struct weir_tensor_scatter_add_options {
    const char *bad_indices_policy; /* null: "" */
} weir_tensor_scatter_add_options;
static inline TF_Output weir_tensor_scatter_add(weir_builder *builder, const char *node,
                                                TF_Output tensor, TF_Output indices,
                                                TF_Output updates,
                                                const weir_tensor_scatter_add_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorScatterAdd", node);
    weir_build_input(builder, made, tensor);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* TensorScatterMax(tensor: T, indices: Tindices, updates: T) -> output: T: a copy with the maximum
 * of element and update at indices. Tindices: int32, int64. */
typedef struct weir_tensor_scatter_max_options {
    const char *bad_indices_policy; /* null: "" */
} weir_tensor_scatter_max_options;
static inline TF_Output weir_tensor_scatter_max(weir_builder *builder, const char *node,
                                                TF_Output tensor, TF_Output indices,
                                                TF_Output updates,
                                                const weir_tensor_scatter_max_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorScatterMax", node);
    weir_build_input(builder, made, tensor);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* TensorScatterMin(tensor: T, indices: Tindices, updates: T) -> output: T: a copy with the minimum
 * of element and update at indices. Tindices: int32, int64. */
typedef struct weir_tensor_scatter_min_options {
    const char *bad_indices_policy; /* null: "" */
} weir_tensor_scatter_min_options;
static inline TF_Output weir_tensor_scatter_min(weir_builder *builder, const char *node,
                                                TF_Output tensor, TF_Output indices,
                                                TF_Output updates,
                                                const weir_tensor_scatter_min_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorScatterMin", node);
    weir_build_input(builder, made, tensor);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* TensorScatterSub(tensor: T, indices: Tindices, updates: T) -> output: T: a copy with updates
 * subtracted at indices. Tindices: int32, int64. */
typedef struct weir_tensor_scatter_sub_options {
    const char *bad_indices_policy; /* null: "" */
} weir_tensor_scatter_sub_options;
static inline TF_Output weir_tensor_scatter_sub(weir_builder *builder, const char *node,
                                                TF_Output tensor, TF_Output indices,
                                                TF_Output updates,
                                                const weir_tensor_scatter_sub_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorScatterSub", node);
    weir_build_input(builder, made, tensor);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* TensorScatterUpdate(tensor: T, indices: Tindices, updates: T) -> output: T: a copy with updates
 * set at indices. Tindices: int16, int32, int64, uint16. */
typedef struct weir_tensor_scatter_update_options {
    const char *bad_indices_policy; /* null: "" */
} weir_tensor_scatter_update_options;
static inline TF_Output
weir_tensor_scatter_update(weir_builder *builder, const char *node, TF_Output tensor,
                           TF_Output indices, TF_Output updates,
                           const weir_tensor_scatter_update_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorScatterUpdate", node);
    weir_build_input(builder, made, tensor);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, updates);
    if (made && options) {
        if (options->bad_indices_policy)
            weir_attr_string(made, "bad_indices_policy", options->bad_indices_policy);
    }
    return weir_build_end(builder, made);
}

/* TensorStridedSliceUpdate(input: T, begin: Index, end: Index, strides: Index, value: T) -> output:
 * T: a copy with a slice replaced. Index: int32, int64. */
typedef struct weir_tensor_strided_slice_update_options {
    int64_t begin_mask;
    int64_t end_mask;
    int64_t ellipsis_mask;
    int64_t new_axis_mask;
    int64_t shrink_axis_mask;
} weir_tensor_strided_slice_update_options;
static inline TF_Output
weir_tensor_strided_slice_update(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output begin, TF_Output end, TF_Output strides, TF_Output value,
                                 const weir_tensor_strided_slice_update_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TensorStridedSliceUpdate", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, begin);
    weir_build_input(builder, made, end);
    weir_build_input(builder, made, strides);
    weir_build_input(builder, made, value);
    if (made && options) {
        TF_SetAttrInt(made, "begin_mask", options->begin_mask);
        TF_SetAttrInt(made, "end_mask", options->end_mask);
        TF_SetAttrInt(made, "ellipsis_mask", options->ellipsis_mask);
        TF_SetAttrInt(made, "new_axis_mask", options->new_axis_mask);
        TF_SetAttrInt(made, "shrink_axis_mask", options->shrink_axis_mask);
    }
    return weir_build_end(builder, made);
}

/* Unique(x: T) -> y: T, idx: out_idx: distinct values in order of first occurrence. out_idx: int32,
 * int64. */
typedef struct weir_unique_options {
    TF_DataType out_idx; /* 0: TF_INT32; int32, int64 */
} weir_unique_options;
typedef struct weir_unique_outputs {
    TF_Output y;
    TF_Output idx;
} weir_unique_outputs;
static inline weir_unique_outputs weir_unique(weir_builder *builder, const char *node, TF_Output x,
                                              const weir_unique_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Unique", node);
    weir_build_input(builder, made, x);
    if (made && options) {
        if (options->out_idx)
            TF_SetAttrType(made, "out_idx", options->out_idx);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_unique_outputs out;
    out.y = weir_output(op, 0);
    out.idx = weir_output(op, 1);
    return out;
}

/* UniqueV2(x: T, axis: Taxis) -> y: T, idx: out_idx: distinct values in order of first occurrence.
 * Taxis: int32, int64. out_idx: int32, int64. */
typedef struct weir_unique_v2_options {
    TF_DataType out_idx; /* 0: TF_INT32; int32, int64 */
} weir_unique_v2_options;
typedef struct weir_unique_v2_outputs {
    TF_Output y;
    TF_Output idx;
} weir_unique_v2_outputs;
static inline weir_unique_v2_outputs weir_unique_v2(weir_builder *builder, const char *node,
                                                    TF_Output x, TF_Output axis,
                                                    const weir_unique_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniqueV2", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, axis);
    if (made && options) {
        if (options->out_idx)
            TF_SetAttrType(made, "out_idx", options->out_idx);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_unique_v2_outputs out;
    out.y = weir_output(op, 0);
    out.idx = weir_output(op, 1);
    return out;
}

/* UniqueWithCounts(x: T) -> y: T, idx: out_idx, count: out_idx: distinct values in order of first
 * occurrence. out_idx: int32, int64. */
typedef struct weir_unique_with_counts_options {
    TF_DataType out_idx; /* 0: TF_INT32; int32, int64 */
} weir_unique_with_counts_options;
typedef struct weir_unique_with_counts_outputs {
    TF_Output y;
    TF_Output idx;
    TF_Output count;
} weir_unique_with_counts_outputs;
static inline weir_unique_with_counts_outputs
weir_unique_with_counts(weir_builder *builder, const char *node, TF_Output x,
                        const weir_unique_with_counts_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniqueWithCounts", node);
    weir_build_input(builder, made, x);
    if (made && options) {
        if (options->out_idx)
            TF_SetAttrType(made, "out_idx", options->out_idx);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_unique_with_counts_outputs out;
    out.y = weir_output(op, 0);
    out.idx = weir_output(op, 1);
    out.count = weir_output(op, 2);
    return out;
}

/* UniqueWithCountsV2(x: T, axis: Taxis) -> y: T, idx: out_idx, count: out_idx: distinct values in
 * order of first occurrence. Taxis: int32, int64. out_idx: int32, int64. */
typedef struct weir_unique_with_counts_v2_options {
    TF_DataType out_idx; /* 0: TF_INT32; int32, int64 */
} weir_unique_with_counts_v2_options;
typedef struct weir_unique_with_counts_v2_outputs {
    TF_Output y;
    TF_Output idx;
    TF_Output count;
} weir_unique_with_counts_v2_outputs;
static inline weir_unique_with_counts_v2_outputs
weir_unique_with_counts_v2(weir_builder *builder, const char *node, TF_Output x, TF_Output axis,
                           const weir_unique_with_counts_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniqueWithCountsV2", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, axis);
    if (made && options) {
        if (options->out_idx)
            TF_SetAttrType(made, "out_idx", options->out_idx);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_unique_with_counts_v2_outputs out;
    out.y = weir_output(op, 0);
    out.idx = weir_output(op, 1);
    out.count = weir_output(op, 2);
    return out;
}

/* UpperBound(sorted_inputs: T, values: T) -> output: out_type: insertion positions in sorted rows.
 * out_type: int32, int64. */
typedef struct weir_upper_bound_options {
    TF_DataType out_type; /* 0: TF_INT32; int32, int64 */
} weir_upper_bound_options;
static inline TF_Output weir_upper_bound(weir_builder *builder, const char *node,
                                         TF_Output sorted_inputs, TF_Output values,
                                         const weir_upper_bound_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UpperBound", node);
    weir_build_input(builder, made, sorted_inputs);
    weir_build_input(builder, made, values);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    return weir_build_end(builder, made);
}

/* Where(input: T) -> index: int64: the indices of nonzero elements, in row-major order. T: float,
 * double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16,
 * quint16, uint16, complex128, half, uint32, uint64, bool. */
static inline TF_Output weir_where(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "Where", node, inputs, 1);
}

/* XlaSetBound(input: int32, bound: int32) -> output: int32. */
static inline TF_Output weir_xla_set_bound(weir_builder *builder, const char *node, TF_Output input,
                                           TF_Output bound)
{
    const TF_Output inputs[] = {input, bound};
    return weir_build_op(builder, "XlaSetBound", node, inputs, 2);
}

#ifdef __cplusplus
}
#endif
#endif
