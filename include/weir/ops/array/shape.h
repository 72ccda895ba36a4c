/* weir/ops/array/shape.h - constants, shapes, joins and other moves of elements.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_ARRAY_SHAPE_OPS_H
#define WEIR_ARRAY_SHAPE_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bitcast(input: T) -> output: type: reinterprets the bytes as another type. T: bfloat16, half,
 * float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128,
 * qint8, quint8, qint16, quint16, qint32. type: bfloat16, half, float, double, int64, int32, uint8,
 * uint16, uint32, uint64, int8, int16, complex64, complex128, qint8, quint8, qint16, quint16,
 * qint32. */
static inline TF_Output weir_bitcast(weir_builder *builder, const char *node, TF_Output input,
                                     TF_DataType type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Bitcast", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrType(made, "type", type);
    }
    return weir_build_end(builder, made);
}

/* BroadcastTo(input: T, shape: Tidx) -> output: T: broadcasts a tensor to a larger shape. Tidx:
 * int32, int64. */
static inline TF_Output weir_broadcast_to(weir_builder *builder, const char *node, TF_Output input,
                                          TF_Output shape)
{
    const TF_Output inputs[] = {input, shape};
    return weir_build_op(builder, "BroadcastTo", node, inputs, 2);
}

/* Concat(concat_dim: int32, values: N * T) -> output: T: concatenation along one axis. */
static inline TF_Output weir_concat(weir_builder *builder, const char *node, TF_Output concat_dim,
                                    const TF_Output *values, int values_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Concat", node);
    weir_build_input(builder, made, concat_dim);
    weir_build_input_list(builder, made, values, values_count);
    return weir_build_end(builder, made);
}

/* ConcatOffset(concat_dim: int32, shape: N * shape_type) -> offset: N * shape_type: the offset of
 * each concat input in the result. shape_type: int32, int64. */
static inline weir_outputs weir_concat_offset(weir_builder *builder, const char *node,
                                              TF_Output concat_dim, const TF_Output *shape,
                                              int shape_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ConcatOffset", node);
    weir_build_input(builder, made, concat_dim);
    weir_build_input_list(builder, made, shape, shape_count);
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "offset", 0);
}

/* ConcatV2(values: N * T, axis: Tidx) -> output: T: concatenation along one axis. Tidx: int32,
 * int64. */
static inline TF_Output weir_concat_v2(weir_builder *builder, const char *node,
                                       const TF_Output *values, int values_count, TF_Output axis)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ConcatV2", node);
    weir_build_input_list(builder, made, values, values_count);
    weir_build_input(builder, made, axis);
    return weir_build_end(builder, made);
}

/* ConjugateTranspose(x: T, perm: Tperm) -> y: T: Transpose, with the conjugate of each element.
 * Tperm: int32, int64. */
static inline TF_Output weir_conjugate_transpose(weir_builder *builder, const char *node,
                                                 TF_Output x, TF_Output perm)
{
    const TF_Output inputs[] = {x, perm};
    return weir_build_op(builder, "ConjugateTranspose", node, inputs, 2);
}

/* Const() -> output: dtype: a tensor stored in the node. */
static inline TF_Output weir_const(weir_builder *builder, const char *node, TF_Tensor *value,
                                   TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Const", node);
    if (made) {
        weir_attr_tensor(builder, made, "value", value);
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* DeepCopy(x: T) -> y: T: updates of a tensor's rows. */
static inline TF_Output weir_deep_copy(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "DeepCopy", node, inputs, 1);
}

/* Dequantize(input: T, min_range: float, max_range: float) -> output: dtype: converts floats to
 * quantised integers over a range, and back. T: qint8, quint8, qint32, qint16, quint16. dtype:
 * bfloat16, float. */
typedef struct weir_dequantize_options {
    const char *mode; /* null: "MIN_COMBINED"; 'MIN_COMBINED', 'MIN_FIRST', 'SCALED' */
    bool narrow_range;
    int64_t axis; /* 0: -1 */
    TF_DataType dtype; /* 0: TF_FLOAT; bfloat16, float */
} weir_dequantize_options;
static inline TF_Output weir_dequantize(weir_builder *builder, const char *node, TF_Output input,
                                        TF_Output min_range, TF_Output max_range,
                                        const weir_dequantize_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Dequantize", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, min_range);
    weir_build_input(builder, made, max_range);
    if (made && options) {
        if (options->mode)
            weir_attr_string(made, "mode", options->mode);
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
        if (options->axis != 0)
            TF_SetAttrInt(made, "axis", weir_int_of(options->axis));
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* EditDistance(hypothesis_indices: int64, hypothesis_values: T, hypothesis_shape: int64,
 * truth_indices: int64, truth_values: T, truth_shape: int64) -> output: float: Levenshtein distance
 * of sequences in sparse tensors. */
typedef struct weir_edit_distance_options {
    bool not_normalize;
} weir_edit_distance_options;
static inline TF_Output weir_edit_distance(weir_builder *builder, const char *node,
                                           TF_Output hypothesis_indices,
                                           TF_Output hypothesis_values, TF_Output hypothesis_shape,
                                           TF_Output truth_indices, TF_Output truth_values,
                                           TF_Output truth_shape,
                                           const weir_edit_distance_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "EditDistance", node);
    weir_build_input(builder, made, hypothesis_indices);
    weir_build_input(builder, made, hypothesis_values);
    weir_build_input(builder, made, hypothesis_shape);
    weir_build_input(builder, made, truth_indices);
    weir_build_input(builder, made, truth_values);
    weir_build_input(builder, made, truth_shape);
    if (made && options) {
        TF_SetAttrBool(made, "normalize", !options->not_normalize);
    }
    return weir_build_end(builder, made);
}

/* Empty(shape: int32) -> output: dtype: constant tensors. */
typedef struct weir_empty_options {
    bool init;
} weir_empty_options;
static inline TF_Output weir_empty(weir_builder *builder, const char *node, TF_Output shape,
                                   TF_DataType dtype, const weir_empty_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Empty", node);
    weir_build_input(builder, made, shape);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        TF_SetAttrBool(made, "init", options->init);
    }
    return weir_build_end(builder, made);
}

/* EnsureShape(input: T) -> output: T: checks the shape of its input. */
static inline TF_Output weir_ensure_shape(weir_builder *builder, const char *node, TF_Output input,
                                          const weir_dims *shape)
{
    TF_OperationDescription *made = weir_build_begin(builder, "EnsureShape", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_shape(made, "shape", shape);
    }
    return weir_build_end(builder, made);
}

/* ExpandDims(input: T, dim: Tdim) -> output: T: inserts a dimension of one. Tdim: int32, int64. */
static inline TF_Output weir_expand_dims(weir_builder *builder, const char *node, TF_Output input,
                                         TF_Output dim)
{
    const TF_Output inputs[] = {input, dim};
    return weir_build_op(builder, "ExpandDims", node, inputs, 2);
}

/* Fill(dims: index_type, value: T) -> output: T: constant tensors. index_type: int32, int64. */
static inline TF_Output weir_fill(weir_builder *builder, const char *node, TF_Output dims,
                                  TF_Output value)
{
    const TF_Output inputs[] = {dims, value};
    return weir_build_op(builder, "Fill", node, inputs, 2);
}

/* GuaranteeConst(input: T) -> output: T: its input, promised not to change. */
static inline TF_Output weir_guarantee_const(weir_builder *builder, const char *node,
                                             TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "GuaranteeConst", node, inputs, 1);
}

/* HostConst() -> output: dtype: a tensor stored in the node. */
static inline TF_Output weir_host_const(weir_builder *builder, const char *node, TF_Tensor *value,
                                        TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "HostConst", node);
    if (made) {
        weir_attr_tensor(builder, made, "value", value);
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* Identity(input: T) -> output: T: its input. */
static inline TF_Output weir_identity(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "Identity", node, inputs, 1);
}

/* IdentityN(input: T) -> output: T: its inputs. */
static inline weir_outputs weir_identity_n(weir_builder *builder, const char *node,
                                           const TF_Output *input, int input_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IdentityN", node);
    weir_build_input_list(builder, made, input, input_count);
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* ImmutableConst() -> tensor: dtype: a tensor read from a file. */
static inline TF_Output weir_immutable_const(weir_builder *builder, const char *node,
                                             TF_DataType dtype, const weir_dims *shape,
                                             const char *memory_region_name)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ImmutableConst", node);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
        weir_attr_shape(made, "shape", shape);
        weir_attr_string(made, "memory_region_name", memory_region_name);
    }
    return weir_build_end(builder, made);
}

/* InvertPermutation(x: T) -> y: T: the inverse of a permutation. T: int32, int64. */
static inline TF_Output weir_invert_permutation(weir_builder *builder, const char *node,
                                                TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "InvertPermutation", node, inputs, 1);
}

/* MirrorPad(input: T, paddings: Tpaddings) -> output: T: padding by reflection. Tpaddings: int32,
 * int64. mode: 'REFLECT', 'SYMMETRIC'. */
static inline TF_Output weir_mirror_pad(weir_builder *builder, const char *node, TF_Output input,
                                        TF_Output paddings, const char *mode)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MirrorPad", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, paddings);
    if (made) {
        weir_attr_string(made, "mode", mode);
    }
    return weir_build_end(builder, made);
}

/* MirrorPadGrad(input: T, paddings: Tpaddings) -> output: T: the gradient of MirrorPad. Tpaddings:
 * int32, int64. mode: 'REFLECT', 'SYMMETRIC'. */
static inline TF_Output weir_mirror_pad_grad(weir_builder *builder, const char *node,
                                             TF_Output input, TF_Output paddings, const char *mode)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MirrorPadGrad", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, paddings);
    if (made) {
        weir_attr_string(made, "mode", mode);
    }
    return weir_build_end(builder, made);
}

/* NoOp(): for control edges only. */
static inline TF_Operation *weir_no_op(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "NoOp", node, NULL, 0).oper;
}

/* OnesLike(x: T) -> y: T: constant tensors. T: bfloat16, half, float, double, int8, uint8, int16,
 * uint16, int32, uint32, int64, uint64, complex64, complex128, bool. */
static inline TF_Output weir_ones_like(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "OnesLike", node, inputs, 1);
}

/* Pack(values: N * T) -> output: T: tensors stacked along a new axis. */
typedef struct weir_pack_options {
    int64_t axis;
} weir_pack_options;
static inline TF_Output weir_pack(weir_builder *builder, const char *node, const TF_Output *values,
                                  int values_count, const weir_pack_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Pack", node);
    weir_build_input_list(builder, made, values, values_count);
    if (made && options) {
        TF_SetAttrInt(made, "axis", options->axis);
    }
    return weir_build_end(builder, made);
}

/* Pad(input: T, paddings: Tpaddings) -> output: T: constant padding. Tpaddings: int32, int64. */
static inline TF_Output weir_pad(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output paddings)
{
    const TF_Output inputs[] = {input, paddings};
    return weir_build_op(builder, "Pad", node, inputs, 2);
}

/* PadV2(input: T, paddings: Tpaddings, constant_values: T) -> output: T: constant padding.
 * Tpaddings: int32, int64. */
static inline TF_Output weir_pad_v2(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output paddings, TF_Output constant_values)
{
    const TF_Output inputs[] = {input, paddings, constant_values};
    return weir_build_op(builder, "PadV2", node, inputs, 3);
}

/* ParallelConcat(values: N * T) -> output: T: single rows concatenated. */
static inline TF_Output weir_parallel_concat(weir_builder *builder, const char *node,
                                             const TF_Output *values, int values_count,
                                             const weir_dims *shape)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParallelConcat", node);
    weir_build_input_list(builder, made, values, values_count);
    if (made) {
        weir_attr_shape(made, "shape", shape);
    }
    return weir_build_end(builder, made);
}

/* Placeholder() -> output: dtype: fed values. */
typedef struct weir_placeholder_options {
    const weir_dims *shape; /* null: unknown */
} weir_placeholder_options;
static inline TF_Output weir_placeholder(weir_builder *builder, const char *node, TF_DataType dtype,
                                         const weir_placeholder_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Placeholder", node);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->shape)
            weir_attr_shape(made, "shape", options->shape);
    }
    return weir_build_end(builder, made);
}

/* PlaceholderV2() -> output: dtype: fed values. */
static inline TF_Output weir_placeholder_v2(weir_builder *builder, const char *node,
                                            TF_DataType dtype, const weir_dims *shape)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PlaceholderV2", node);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
        weir_attr_shape(made, "shape", shape);
    }
    return weir_build_end(builder, made);
}

/* PlaceholderWithDefault(input: dtype) -> output: dtype: fed values. */
static inline TF_Output weir_placeholder_with_default(weir_builder *builder, const char *node,
                                                      TF_Output input, const weir_dims *shape)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PlaceholderWithDefault", node);
    weir_build_input(builder, made, input);
    if (made) {
        weir_attr_shape(made, "shape", shape);
    }
    return weir_build_end(builder, made);
}

/* PreventGradient(input: T) -> output: T: its input; its gradient is an error. */
typedef struct weir_prevent_gradient_options {
    const char *message; /* null: "" */
} weir_prevent_gradient_options;
static inline TF_Output weir_prevent_gradient(weir_builder *builder, const char *node,
                                              TF_Output input,
                                              const weir_prevent_gradient_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PreventGradient", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->message)
            weir_attr_string(made, "message", options->message);
    }
    return weir_build_end(builder, made);
}

/* Rank(input: T) -> output: int32: the number of dimensions. */
static inline TF_Output weir_rank(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "Rank", node, inputs, 1);
}

/* Reshape(tensor: T, shape: Tshape) -> output: T: the same elements in another shape. Tshape:
 * int32, int64. */
static inline TF_Output weir_reshape(weir_builder *builder, const char *node, TF_Output tensor,
                                     TF_Output shape)
{
    const TF_Output inputs[] = {tensor, shape};
    return weir_build_op(builder, "Reshape", node, inputs, 2);
}

/* Reverse(tensor: T, dims: bool) -> output: T: elements in reverse order along axes. T: uint8,
 * int8, uint16, int16, uint32, int32, uint64, int64, bool, bfloat16, half, float, double,
 * complex64, complex128, string. */
static inline TF_Output weir_reverse(weir_builder *builder, const char *node, TF_Output tensor,
                                     TF_Output dims)
{
    const TF_Output inputs[] = {tensor, dims};
    return weir_build_op(builder, "Reverse", node, inputs, 2);
}

/* ReverseSequence(input: T, seq_lengths: Tlen) -> output: T: reverses the first part of each
 * sequence. Tlen: int32, int64. */
typedef struct weir_reverse_sequence_options {
    int64_t batch_dim;
} weir_reverse_sequence_options;
static inline TF_Output weir_reverse_sequence(weir_builder *builder, const char *node,
                                              TF_Output input, TF_Output seq_lengths,
                                              int64_t seq_dim,
                                              const weir_reverse_sequence_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ReverseSequence", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, seq_lengths);
    if (made) {
        TF_SetAttrInt(made, "seq_dim", seq_dim);
    }
    if (made && options) {
        TF_SetAttrInt(made, "batch_dim", options->batch_dim);
    }
    return weir_build_end(builder, made);
}

/* ReverseV2(tensor: T, axis: Tidx) -> output: T: elements in reverse order along axes. Tidx: int32,
 * int64. T: uint8, int8, uint16, int16, int32, uint32, int64, uint64, bool, bfloat16, half, float,
 * double, complex64, complex128, string. */
static inline TF_Output weir_reverse_v2(weir_builder *builder, const char *node, TF_Output tensor,
                                        TF_Output axis)
{
    const TF_Output inputs[] = {tensor, axis};
    return weir_build_op(builder, "ReverseV2", node, inputs, 2);
}

/* Roll(input: T, shift: Tshift, axis: Taxis) -> output: T: elements rotated along axes. Tshift:
 * int32, int64. Taxis: int32, int64. */
static inline TF_Output weir_roll(weir_builder *builder, const char *node, TF_Output input,
                                  TF_Output shift, TF_Output axis)
{
    const TF_Output inputs[] = {input, shift, axis};
    return weir_build_op(builder, "Roll", node, inputs, 3);
}

/* Shape(input: T) -> output: out_type: the shape as a vector. out_type: int32, int64. */
typedef struct weir_shape_options {
    TF_DataType out_type; /* 0: TF_INT32; int32, int64 */
} weir_shape_options;
static inline TF_Output weir_shape(weir_builder *builder, const char *node, TF_Output input,
                                   const weir_shape_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Shape", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    return weir_build_end(builder, made);
}

/* ShapeN(input: N * T) -> output: N * out_type: the shapes of several tensors. out_type: int32,
 * int64. */
typedef struct weir_shape_n_options {
    TF_DataType out_type; /* 0: TF_INT32; int32, int64 */
} weir_shape_n_options;
static inline weir_outputs weir_shape_n(weir_builder *builder, const char *node,
                                        const TF_Output *input, int input_count,
                                        const weir_shape_n_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ShapeN", node);
    weir_build_input_list(builder, made, input, input_count);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* Size(input: T) -> output: out_type: the number of elements. out_type: int32, int64. */
typedef struct weir_size_options {
    TF_DataType out_type; /* 0: TF_INT32; int32, int64 */
} weir_size_options;
static inline TF_Output weir_size(weir_builder *builder, const char *node, TF_Output input,
                                  const weir_size_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Size", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    return weir_build_end(builder, made);
}

/* Snapshot(input: T) -> output: T: its input. */
static inline TF_Output weir_snapshot(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "Snapshot", node, inputs, 1);
}

/* Split(split_dim: int32, value: T) -> output: num_split * T: splits a tensor along one axis. */
static inline weir_outputs weir_split(weir_builder *builder, const char *node, TF_Output split_dim,
                                      TF_Output value, int64_t num_split)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Split", node);
    weir_build_input(builder, made, split_dim);
    weir_build_input(builder, made, value);
    if (made) {
        TF_SetAttrInt(made, "num_split", num_split);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* SplitV(value: T, size_splits: Tlen, split_dim: int32) -> output: num_split * T: splits a tensor
 * along one axis. Tlen: int8, int32, int64. */
static inline weir_outputs weir_split_v(weir_builder *builder, const char *node, TF_Output value,
                                        TF_Output size_splits, TF_Output split_dim,
                                        int64_t num_split)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SplitV", node);
    weir_build_input(builder, made, value);
    weir_build_input(builder, made, size_splits);
    weir_build_input(builder, made, split_dim);
    if (made) {
        TF_SetAttrInt(made, "num_split", num_split);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* Squeeze(input: T) -> output: T: removes dimensions of one. */
typedef struct weir_squeeze_options {
    const int64_t *squeeze_dims;
    int squeeze_dims_count; /* null: [] */
} weir_squeeze_options;
static inline TF_Output weir_squeeze(weir_builder *builder, const char *node, TF_Output input,
                                     const weir_squeeze_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Squeeze", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->squeeze_dims)
            TF_SetAttrIntList(made, "squeeze_dims",
                options->squeeze_dims, options->squeeze_dims_count);
    }
    return weir_build_end(builder, made);
}

/* StopGradient(input: T) -> output: T: its input, as a constant for gradients. */
static inline TF_Output weir_stop_gradient(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "StopGradient", node, inputs, 1);
}

/* Tile(input: T, multiples: Tmultiples) -> output: T: repeats a tensor along its axes, and sums it
 * back. Tmultiples: int32, int64. */
static inline TF_Output weir_tile(weir_builder *builder, const char *node, TF_Output input,
                                  TF_Output multiples)
{
    const TF_Output inputs[] = {input, multiples};
    return weir_build_op(builder, "Tile", node, inputs, 2);
}

/* TileGrad(input: T, multiples: int32) -> output: T: repeats a tensor along its axes, and sums it
 * back. */
static inline TF_Output weir_tile_grad(weir_builder *builder, const char *node, TF_Output input,
                                       TF_Output multiples)
{
    const TF_Output inputs[] = {input, multiples};
    return weir_build_op(builder, "TileGrad", node, inputs, 2);
}

/* Timestamp() -> ts: double: seconds since the epoch. */
static inline TF_Output weir_timestamp(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "Timestamp", node, NULL, 0);
}

/* Transpose(x: T, perm: Tperm) -> y: T: the axes in another order. Tperm: int32, int64. */
static inline TF_Output weir_transpose(weir_builder *builder, const char *node, TF_Output x,
                                       TF_Output perm)
{
    const TF_Output inputs[] = {x, perm};
    return weir_build_op(builder, "Transpose", node, inputs, 2);
}

/* Unpack(value: T) -> output: num * T: a tensor split along an axis, which is removed. */
typedef struct weir_unpack_options {
    int64_t axis;
} weir_unpack_options;
static inline weir_outputs weir_unpack(weir_builder *builder, const char *node, TF_Output value,
                                       int64_t num, const weir_unpack_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Unpack", node);
    weir_build_input(builder, made, value);
    if (made) {
        TF_SetAttrInt(made, "num", num);
    }
    if (made && options) {
        TF_SetAttrInt(made, "axis", options->axis);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    return weir_outputs_of(op, "output", 0);
}

/* UnravelIndex(indices: Tidx, dims: Tidx) -> output: Tidx: flat indices as coordinates. Tidx:
 * int32, int64. */
static inline TF_Output weir_unravel_index(weir_builder *builder, const char *node,
                                           TF_Output indices, TF_Output dims)
{
    const TF_Output inputs[] = {indices, dims};
    return weir_build_op(builder, "UnravelIndex", node, inputs, 2);
}

/* ZerosLike(x: T) -> y: T: constant tensors. */
static inline TF_Output weir_zeros_like(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "ZerosLike", node, inputs, 1);
}

#ifdef __cplusplus
}
#endif
#endif
