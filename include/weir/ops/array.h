/* weir/ops/array.h - shapes, slices, joins and other moves of elements.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_OPS_ARRAY_H
#define WEIR_OPS_ARRAY_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Assert(condition: bool, data: T): fails, showing data, unless the condition holds. */
typedef struct weir_assert_options {
    int64_t summarize; /* 0: 3 */
} weir_assert_options;
static inline TF_Operation *weir_assert(weir_builder *builder, const char *node,
                                        TF_Output condition, const TF_Output *data, int data_count,
                                        const weir_assert_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Assert", node);
    weir_build_input(builder, made, condition);
    weir_build_input_list(builder, made, data, data_count);
    if (made && options) {
        if (options->summarize != 0)
            TF_SetAttrInt(made, "summarize", weir_int_of(options->summarize));
    }
    return weir_build_end(builder, made).oper;
}

/* BatchMatrixBandPart(input: T, num_lower: int64, num_upper: int64) -> band: T: zeros outside a
 * band around the diagonal. */
static inline TF_Output weir_batch_matrix_band_part(weir_builder *builder, const char *node,
                                                    TF_Output input, TF_Output num_lower,
                                                    TF_Output num_upper)
{
    const TF_Output inputs[] = {input, num_lower, num_upper};
    return weir_build_op(builder, "BatchMatrixBandPart", node, inputs, 3);
}

/* BatchMatrixDiag(diagonal: T) -> output: T: matrices from their diagonals. */
static inline TF_Output weir_batch_matrix_diag(weir_builder *builder, const char *node,
                                               TF_Output diagonal)
{
    const TF_Output inputs[] = {diagonal};
    return weir_build_op(builder, "BatchMatrixDiag", node, inputs, 1);
}

/* BatchMatrixDiagPart(input: T) -> diagonal: T: diagonals of matrices. */
static inline TF_Output weir_batch_matrix_diag_part(weir_builder *builder, const char *node,
                                                    TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "BatchMatrixDiagPart", node, inputs, 1);
}

/* BatchMatrixSetDiag(input: T, diagonal: T) -> output: T: matrices with diagonals replaced. */
static inline TF_Output weir_batch_matrix_set_diag(weir_builder *builder, const char *node,
                                                   TF_Output input, TF_Output diagonal)
{
    const TF_Output inputs[] = {input, diagonal};
    return weir_build_op(builder, "BatchMatrixSetDiag", node, inputs, 2);
}

/* BatchToSpace(input: T, crops: Tidx) -> output: T: spatial blocks moved into the batch dimension
 * and back. Tidx: int32, int64. */
static inline TF_Output weir_batch_to_space(weir_builder *builder, const char *node,
                                            TF_Output input, TF_Output crops, int64_t block_size)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchToSpace", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, crops);
    if (made) {
        TF_SetAttrInt(made, "block_size", block_size);
    }
    return weir_build_end(builder, made);
}

/* BatchToSpaceND(input: T, block_shape: Tblock_shape, crops: Tcrops) -> output: T: blocks of the
 * batch moved back into space. Tblock_shape: int32, int64. Tcrops: int32, int64. */
static inline TF_Output weir_batch_to_space_nd(weir_builder *builder, const char *node,
                                               TF_Output input, TF_Output block_shape,
                                               TF_Output crops)
{
    const TF_Output inputs[] = {input, block_shape, crops};
    return weir_build_op(builder, "BatchToSpaceND", node, inputs, 3);
}

/* Bitcast(input: T) -> output: type: the same bytes, seen as another type. T: bfloat16, half,
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

/* BroadcastTo(input: T, shape: Tidx) -> output: T: a tensor repeated to a larger shape. Tidx:
 * int32, int64. */
static inline TF_Output weir_broadcast_to(weir_builder *builder, const char *node, TF_Output input,
                                          TF_Output shape)
{
    const TF_Output inputs[] = {input, shape};
    return weir_build_op(builder, "BroadcastTo", node, inputs, 2);
}

/* CheckNumerics(tensor: T) -> output: T: fails on what is not a finite number. T: bfloat16, half,
 * float, double. */
static inline TF_Output weir_check_numerics(weir_builder *builder, const char *node,
                                            TF_Output tensor, const char *message)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CheckNumerics", node);
    weir_build_input(builder, made, tensor);
    if (made) {
        weir_attr_string(made, "message", message);
    }
    return weir_build_end(builder, made);
}

/* CheckNumericsV2(tensor: T) -> output: T: fails on what is not a finite number. T: bfloat16, half,
 * float, double. */
static inline TF_Output weir_check_numerics_v2(weir_builder *builder, const char *node,
                                               TF_Output tensor, const char *message)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CheckNumericsV2", node);
    weir_build_input(builder, made, tensor);
    if (made) {
        weir_attr_string(made, "message", message);
    }
    return weir_build_end(builder, made);
}

/* Concat(concat_dim: int32, values: N * T) -> output: T: tensors side by side along one axis. */
static inline TF_Output weir_concat(weir_builder *builder, const char *node, TF_Output concat_dim,
                                    const TF_Output *values, int values_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Concat", node);
    weir_build_input(builder, made, concat_dim);
    weir_build_input_list(builder, made, values, values_count);
    return weir_build_end(builder, made);
}

/* ConcatOffset(concat_dim: int32, shape: N * shape_type) -> offset: N * shape_type: where each
 * input of a concat begins in its result. shape_type: int32, int64. */
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

/* ConcatV2(values: N * T, axis: Tidx) -> output: T: tensors side by side along one axis. Tidx:
 * int32, int64. */
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

/* Const() -> output: dtype: the tensor in the node itself. */
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

/* DebugGradientIdentity(input: T) -> output: T: its input. */
static inline TF_Output weir_debug_gradient_identity(weir_builder *builder, const char *node,
                                                     TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "DebugGradientIdentity", node, inputs, 1);
}

/* DeepCopy(x: T) -> y: T: rows of a tensor changed. */
static inline TF_Output weir_deep_copy(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "DeepCopy", node, inputs, 1);
}

/* DepthToSpace(input: T) -> output: T: blocks of an image moved into its channels and back. */
typedef struct weir_depth_to_space_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW', 'NCHW_VECT_C' */
} weir_depth_to_space_options;
static inline TF_Output weir_depth_to_space(weir_builder *builder, const char *node,
                                            TF_Output input, int64_t block_size,
                                            const weir_depth_to_space_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DepthToSpace", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "block_size", block_size);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* Dequantize(input: T, min_range: float, max_range: float) -> output: dtype: floats as small
 * integers over a range, and back. T: qint8, quint8, qint32, qint16, quint16. dtype: bfloat16,
 * float. */
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

/* Diag(diagonal: T) -> output: T: tensors that are zero but where both halves of the index agree.
 * T: bfloat16, half, float, double, int32, int64, complex64, complex128. */
static inline TF_Output weir_diag(weir_builder *builder, const char *node, TF_Output diagonal)
{
    const TF_Output inputs[] = {diagonal};
    return weir_build_op(builder, "Diag", node, inputs, 1);
}

/* DiagPart(input: T) -> diagonal: T: tensors that are zero but where both halves of the index
 * agree. T: bfloat16, half, float, double, int32, int64, complex64, complex128. */
static inline TF_Output weir_diag_part(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "DiagPart", node, inputs, 1);
}

/* DynamicPartition(data: T, partitions: int32) -> outputs: num_partitions * T: rows dealt out to
 * several tensors. */
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

/* DynamicStitch(indices: N * int32, data: N * T) -> merged: T: rows put where indices say. */
static inline TF_Output weir_dynamic_stitch(weir_builder *builder, const char *node,
                                            const TF_Output *indices, int indices_count,
                                            const TF_Output *data, int data_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DynamicStitch", node);
    weir_build_input_list(builder, made, indices, indices_count);
    weir_build_input_list(builder, made, data, data_count);
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

/* Empty(shape: int32) -> output: dtype: tensors of one value. */
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

/* EnsureShape(input: T) -> output: T: the input, once its shape is seen to be as promised. */
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

/* ExpandDims(input: T, dim: Tdim) -> output: T: puts a dimension of one in. Tdim: int32, int64. */
static inline TF_Output weir_expand_dims(weir_builder *builder, const char *node, TF_Output input,
                                         TF_Output dim)
{
    const TF_Output inputs[] = {input, dim};
    return weir_build_op(builder, "ExpandDims", node, inputs, 2);
}

/* ExtractImagePatches(images: T) -> patches: T: every window laid out along the channels. T:
 * bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
 * complex64, complex128, bool. padding: 'SAME', 'VALID'. */
static inline TF_Output weir_extract_image_patches(weir_builder *builder, const char *node,
                                                   TF_Output images, const int64_t *ksizes,
                                                   int ksizes_count, const int64_t *strides,
                                                   int strides_count, const int64_t *rates,
                                                   int rates_count, const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExtractImagePatches", node);
    weir_build_input(builder, made, images);
    if (made) {
        TF_SetAttrIntList(made, "ksizes", ksizes, ksizes_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        TF_SetAttrIntList(made, "rates", rates, rates_count);
        weir_attr_string(made, "padding", padding);
    }
    return weir_build_end(builder, made);
}

/* ExtractVolumePatches(input: T) -> patches: T: every window laid out along the channels. T: float,
 * double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. padding:
 * 'SAME', 'VALID'. */
static inline TF_Output weir_extract_volume_patches(weir_builder *builder, const char *node,
                                                    TF_Output input, const int64_t *ksizes,
                                                    int ksizes_count, const int64_t *strides,
                                                    int strides_count, const char *padding)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ExtractVolumePatches", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrIntList(made, "ksizes", ksizes, ksizes_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    return weir_build_end(builder, made);
}

/* FakeQuantWithMinMaxArgs(inputs: float) -> outputs: float: float values rounded to the levels that
 * a few bits could hold. */
typedef struct weir_fake_quant_with_min_max_args_options {
    float min; /* 0: -6 */
    float max; /* 0: 6 */
    int64_t num_bits; /* 0: 8 */
    bool narrow_range;
} weir_fake_quant_with_min_max_args_options;
static inline TF_Output
weir_fake_quant_with_min_max_args(weir_builder *builder, const char *node, TF_Output inputs,
                                  const weir_fake_quant_with_min_max_args_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FakeQuantWithMinMaxArgs", node);
    weir_build_input(builder, made, inputs);
    if (made && options) {
        if (options->min != 0)
            TF_SetAttrFloat(made, "min", weir_float_of(options->min));
        if (options->max != 0)
            TF_SetAttrFloat(made, "max", weir_float_of(options->max));
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
    }
    return weir_build_end(builder, made);
}

/* FakeQuantWithMinMaxArgsGradient(gradients: float, inputs: float) -> backprops: float: the
 * gradient of FakeQuantWithMinMaxArgs. */
typedef struct weir_fake_quant_with_min_max_args_gradient_options {
    float min; /* 0: -6 */
    float max; /* 0: 6 */
    int64_t num_bits; /* 0: 8 */
    bool narrow_range;
} weir_fake_quant_with_min_max_args_gradient_options;
static inline TF_Output
weir_fake_quant_with_min_max_args_gradient(weir_builder *builder, const char *node,
    TF_Output gradients, TF_Output inputs,
    const weir_fake_quant_with_min_max_args_gradient_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "FakeQuantWithMinMaxArgsGradient", node);
    weir_build_input(builder, made, gradients);
    weir_build_input(builder, made, inputs);
    if (made && options) {
        if (options->min != 0)
            TF_SetAttrFloat(made, "min", weir_float_of(options->min));
        if (options->max != 0)
            TF_SetAttrFloat(made, "max", weir_float_of(options->max));
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
    }
    return weir_build_end(builder, made);
}

/* FakeQuantWithMinMaxVars(inputs: float, min: float, max: float) -> outputs: float: floats as they
 * were after quantisation over a range. */
typedef struct weir_fake_quant_with_min_max_vars_options {
    int64_t num_bits; /* 0: 8 */
    bool narrow_range;
} weir_fake_quant_with_min_max_vars_options;
static inline TF_Output
weir_fake_quant_with_min_max_vars(weir_builder *builder, const char *node, TF_Output inputs,
                                  TF_Output min, TF_Output max,
                                  const weir_fake_quant_with_min_max_vars_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FakeQuantWithMinMaxVars", node);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, min);
    weir_build_input(builder, made, max);
    if (made && options) {
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
    }
    return weir_build_end(builder, made);
}

/* FakeQuantWithMinMaxVarsGradient(gradients: float, inputs: float, min: float, max: float) ->
 * backprops_wrt_input: float, backprop_wrt_min: float, backprop_wrt_max: float: the gradient of
 * FakeQuantWithMinMaxVars. */
typedef struct weir_fake_quant_with_min_max_vars_gradient_options {
    int64_t num_bits; /* 0: 8 */
    bool narrow_range;
} weir_fake_quant_with_min_max_vars_gradient_options;
typedef struct weir_fake_quant_with_min_max_vars_gradient_outputs {
    TF_Output backprops_wrt_input;
    TF_Output backprop_wrt_min;
    TF_Output backprop_wrt_max;
} weir_fake_quant_with_min_max_vars_gradient_outputs;
static inline weir_fake_quant_with_min_max_vars_gradient_outputs
weir_fake_quant_with_min_max_vars_gradient(weir_builder *builder, const char *node,
    TF_Output gradients, TF_Output inputs, TF_Output min, TF_Output max,
    const weir_fake_quant_with_min_max_vars_gradient_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "FakeQuantWithMinMaxVarsGradient", node);
    weir_build_input(builder, made, gradients);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, min);
    weir_build_input(builder, made, max);
    if (made && options) {
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fake_quant_with_min_max_vars_gradient_outputs out;
    out.backprops_wrt_input = weir_output(op, 0);
    out.backprop_wrt_min = weir_output(op, 1);
    out.backprop_wrt_max = weir_output(op, 2);
    return out;
}

/* FakeQuantWithMinMaxVarsPerChannel(inputs: float, min: float, max: float) -> outputs: float:
 * FakeQuantWithMinMaxVars with a range for each channel. */
typedef struct weir_fake_quant_with_min_max_vars_per_channel_options {
    int64_t num_bits; /* 0: 8 */
    bool narrow_range;
} weir_fake_quant_with_min_max_vars_per_channel_options;
static inline TF_Output
weir_fake_quant_with_min_max_vars_per_channel(weir_builder *builder, const char *node,
    TF_Output inputs, TF_Output min, TF_Output max,
    const weir_fake_quant_with_min_max_vars_per_channel_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "FakeQuantWithMinMaxVarsPerChannel", node);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, min);
    weir_build_input(builder, made, max);
    if (made && options) {
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
    }
    return weir_build_end(builder, made);
}

/* FakeQuantWithMinMaxVarsPerChannelGradient(gradients: float, inputs: float, min: float, max:
 * float) -> backprops_wrt_input: float, backprop_wrt_min: float, backprop_wrt_max: float: the
 * gradient of FakeQuantWithMinMaxVarsPerChannel. */
typedef struct weir_fake_quant_with_min_max_vars_per_channel_gradient_options {
    int64_t num_bits; /* 0: 8 */
    bool narrow_range;
} weir_fake_quant_with_min_max_vars_per_channel_gradient_options;
typedef struct weir_fake_quant_with_min_max_vars_per_channel_gradient_outputs {
    TF_Output backprops_wrt_input;
    TF_Output backprop_wrt_min;
    TF_Output backprop_wrt_max;
} weir_fake_quant_with_min_max_vars_per_channel_gradient_outputs;
static inline weir_fake_quant_with_min_max_vars_per_channel_gradient_outputs
weir_fake_quant_with_min_max_vars_per_channel_gradient(weir_builder *builder, const char *node,
    TF_Output gradients, TF_Output inputs, TF_Output min, TF_Output max,
    const weir_fake_quant_with_min_max_vars_per_channel_gradient_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "FakeQuantWithMinMaxVarsPerChannelGradient", node);
    weir_build_input(builder, made, gradients);
    weir_build_input(builder, made, inputs);
    weir_build_input(builder, made, min);
    weir_build_input(builder, made, max);
    if (made && options) {
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fake_quant_with_min_max_vars_per_channel_gradient_outputs out;
    out.backprops_wrt_input = weir_output(op, 0);
    out.backprop_wrt_min = weir_output(op, 1);
    out.backprop_wrt_max = weir_output(op, 2);
    return out;
}

/* Fill(dims: index_type, value: T) -> output: T: tensors of one value. index_type: int32, int64. */
static inline TF_Output weir_fill(weir_builder *builder, const char *node, TF_Output dims,
                                  TF_Output value)
{
    const TF_Output inputs[] = {dims, value};
    return weir_build_op(builder, "Fill", node, inputs, 2);
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

/* GatherNd(params: Tparams, indices: Tindices) -> output: Tparams: slices of params named by rows
 * of indices. Tindices: int16, int32, int64. */
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

/* GuaranteeConst(input: T) -> output: T: its input, promised not to change. */
static inline TF_Output weir_guarantee_const(weir_builder *builder, const char *node,
                                             TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "GuaranteeConst", node, inputs, 1);
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

/* ImmutableConst() -> tensor: dtype: a tensor whose bytes are a file's. */
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

/* InplaceAdd(x: T, i: int32, v: T) -> y: T: rows of a tensor changed. */
static inline TF_Output weir_inplace_add(weir_builder *builder, const char *node, TF_Output x,
                                         TF_Output i, TF_Output v)
{
    const TF_Output inputs[] = {x, i, v};
    return weir_build_op(builder, "InplaceAdd", node, inputs, 3);
}

/* InplaceSub(x: T, i: int32, v: T) -> y: T: rows of a tensor changed. */
static inline TF_Output weir_inplace_sub(weir_builder *builder, const char *node, TF_Output x,
                                         TF_Output i, TF_Output v)
{
    const TF_Output inputs[] = {x, i, v};
    return weir_build_op(builder, "InplaceSub", node, inputs, 3);
}

/* InplaceUpdate(x: T, i: int32, v: T) -> y: T: rows of a tensor changed. */
static inline TF_Output weir_inplace_update(weir_builder *builder, const char *node, TF_Output x,
                                            TF_Output i, TF_Output v)
{
    const TF_Output inputs[] = {x, i, v};
    return weir_build_op(builder, "InplaceUpdate", node, inputs, 3);
}

/* InvertPermutation(x: T) -> y: T: where each number of a permutation stands. T: int32, int64. */
static inline TF_Output weir_invert_permutation(weir_builder *builder, const char *node,
                                                TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "InvertPermutation", node, inputs, 1);
}

/* ListDiff(x: T, y: T) -> out: T, idx: out_idx: what is in x and not in y, and where it was.
 * out_idx: int32, int64. */
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

/* LowerBound(sorted_inputs: T, values: T) -> output: out_type: where values would go in sorted
 * rows. out_type: int32, int64. */
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

/* MatrixBandPart(input: T, num_lower: Tindex, num_upper: Tindex) -> band: T: zeros outside a band
 * around the diagonal. Tindex: int32, int64. */
static inline TF_Output weir_matrix_band_part(weir_builder *builder, const char *node,
                                              TF_Output input, TF_Output num_lower,
                                              TF_Output num_upper)
{
    const TF_Output inputs[] = {input, num_lower, num_upper};
    return weir_build_op(builder, "MatrixBandPart", node, inputs, 3);
}

/* MatrixDiag(diagonal: T) -> output: T: matrices from their diagonals. */
static inline TF_Output weir_matrix_diag(weir_builder *builder, const char *node,
                                         TF_Output diagonal)
{
    const TF_Output inputs[] = {diagonal};
    return weir_build_op(builder, "MatrixDiag", node, inputs, 1);
}

/* MatrixDiagPart(input: T) -> diagonal: T: diagonals of matrices. */
static inline TF_Output weir_matrix_diag_part(weir_builder *builder, const char *node,
                                              TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "MatrixDiagPart", node, inputs, 1);
}

/* MatrixDiagPartV2(input: T, k: int32, padding_value: T) -> diagonal: T: diagonals of matrices. */
static inline TF_Output weir_matrix_diag_part_v2(weir_builder *builder, const char *node,
                                                 TF_Output input, TF_Output k,
                                                 TF_Output padding_value)
{
    const TF_Output inputs[] = {input, k, padding_value};
    return weir_build_op(builder, "MatrixDiagPartV2", node, inputs, 3);
}

/* MatrixDiagPartV3(input: T, k: int32, padding_value: T) -> diagonal: T: diagonals of matrices. */
typedef struct weir_matrix_diag_part_v3_options {
    /* null: "RIGHT_LEFT"; 'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT' */
    const char *align;
} weir_matrix_diag_part_v3_options;
static inline TF_Output weir_matrix_diag_part_v3(weir_builder *builder, const char *node,
                                                 TF_Output input, TF_Output k,
                                                 TF_Output padding_value,
                                                 const weir_matrix_diag_part_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MatrixDiagPartV3", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, k);
    weir_build_input(builder, made, padding_value);
    if (made && options) {
        if (options->align)
            weir_attr_string(made, "align", options->align);
    }
    return weir_build_end(builder, made);
}

/* MatrixDiagV2(diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T) ->
 * output: T: matrices from their diagonals. */
static inline TF_Output weir_matrix_diag_v2(weir_builder *builder, const char *node,
                                            TF_Output diagonal, TF_Output k, TF_Output num_rows,
                                            TF_Output num_cols, TF_Output padding_value)
{
    const TF_Output inputs[] = {diagonal, k, num_rows, num_cols, padding_value};
    return weir_build_op(builder, "MatrixDiagV2", node, inputs, 5);
}

/* MatrixDiagV3(diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T) ->
 * output: T: matrices from their diagonals. */
typedef struct weir_matrix_diag_v3_options {
    /* null: "RIGHT_LEFT"; 'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT' */
    const char *align;
} weir_matrix_diag_v3_options;
static inline TF_Output weir_matrix_diag_v3(weir_builder *builder, const char *node,
                                            TF_Output diagonal, TF_Output k, TF_Output num_rows,
                                            TF_Output num_cols, TF_Output padding_value,
                                            const weir_matrix_diag_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MatrixDiagV3", node);
    weir_build_input(builder, made, diagonal);
    weir_build_input(builder, made, k);
    weir_build_input(builder, made, num_rows);
    weir_build_input(builder, made, num_cols);
    weir_build_input(builder, made, padding_value);
    if (made && options) {
        if (options->align)
            weir_attr_string(made, "align", options->align);
    }
    return weir_build_end(builder, made);
}

/* MatrixSetDiag(input: T, diagonal: T) -> output: T: matrices with diagonals replaced. */
static inline TF_Output weir_matrix_set_diag(weir_builder *builder, const char *node,
                                             TF_Output input, TF_Output diagonal)
{
    const TF_Output inputs[] = {input, diagonal};
    return weir_build_op(builder, "MatrixSetDiag", node, inputs, 2);
}

/* MatrixSetDiagV2(input: T, diagonal: T, k: int32) -> output: T: matrices with diagonals replaced.
 * */
static inline TF_Output weir_matrix_set_diag_v2(weir_builder *builder, const char *node,
                                                TF_Output input, TF_Output diagonal, TF_Output k)
{
    const TF_Output inputs[] = {input, diagonal, k};
    return weir_build_op(builder, "MatrixSetDiagV2", node, inputs, 3);
}

/* MatrixSetDiagV3(input: T, diagonal: T, k: int32) -> output: T: matrices with diagonals replaced.
 * */
typedef struct weir_matrix_set_diag_v3_options {
    /* null: "RIGHT_LEFT"; 'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT' */
    const char *align;
} weir_matrix_set_diag_v3_options;
static inline TF_Output weir_matrix_set_diag_v3(weir_builder *builder, const char *node,
                                                TF_Output input, TF_Output diagonal, TF_Output k,
                                                const weir_matrix_set_diag_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MatrixSetDiagV3", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, diagonal);
    weir_build_input(builder, made, k);
    if (made && options) {
        if (options->align)
            weir_attr_string(made, "align", options->align);
    }
    return weir_build_end(builder, made);
}

/* MirrorPad(input: T, paddings: Tpaddings) -> output: T: a border that reflects what is inside.
 * Tpaddings: int32, int64. mode: 'REFLECT', 'SYMMETRIC'. */
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

/* MirrorPadGrad(input: T, paddings: Tpaddings) -> output: T: a border that reflects what is inside.
 * Tpaddings: int32, int64. mode: 'REFLECT', 'SYMMETRIC'. */
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

/* NoOp(): only its control edges matter. */
static inline TF_Operation *weir_no_op(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "NoOp", node, NULL, 0).oper;
}

/* OneHot(indices: TI, depth: int32, on_value: T, off_value: T) -> output: T: a new axis with one
 * value at an index and another elsewhere. TI: uint8, int8, int32, int64. */
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

/* OnesLike(x: T) -> y: T: tensors of one value. T: bfloat16, half, float, double, int8, uint8,
 * int16, uint16, int32, uint32, int64, uint64, complex64, complex128, bool. */
static inline TF_Output weir_ones_like(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "OnesLike", node, inputs, 1);
}

/* Pack(values: N * T) -> output: T: a new axis over equal tensors, and its taking apart. */
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

/* Pad(input: T, paddings: Tpaddings) -> output: T: a tensor with a constant border. Tpaddings:
 * int32, int64. */
static inline TF_Output weir_pad(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output paddings)
{
    const TF_Output inputs[] = {input, paddings};
    return weir_build_op(builder, "Pad", node, inputs, 2);
}

/* PadV2(input: T, paddings: Tpaddings, constant_values: T) -> output: T: a tensor with a constant
 * border. Tpaddings: int32, int64. */
static inline TF_Output weir_pad_v2(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output paddings, TF_Output constant_values)
{
    const TF_Output inputs[] = {input, paddings, constant_values};
    return weir_build_op(builder, "PadV2", node, inputs, 3);
}

/* ParallelConcat(values: N * T) -> output: T: single rows put below each other. */
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

/* ParallelDynamicStitch(indices: N * int32, data: N * T) -> merged: T: rows put where indices say.
 * */
static inline TF_Output weir_parallel_dynamic_stitch(weir_builder *builder, const char *node,
                                                     const TF_Output *indices, int indices_count,
                                                     const TF_Output *data, int data_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParallelDynamicStitch", node);
    weir_build_input_list(builder, made, indices, indices_count);
    weir_build_input_list(builder, made, data, data_count);
    return weir_build_end(builder, made);
}

/* Placeholder() -> output: dtype: what is to be fed. */
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

/* PlaceholderV2() -> output: dtype: what is to be fed. */
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

/* PlaceholderWithDefault(input: dtype) -> output: dtype: what is to be fed. */
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

/* Print(input: T, data: U) -> output: T: tensors shown to whoever watches the process. */
typedef struct weir_print_options {
    const char *message; /* null: "" */
    int64_t first_n; /* 0: -1 */
    int64_t summarize; /* 0: 3 */
} weir_print_options;
static inline TF_Output weir_print(weir_builder *builder, const char *node, TF_Output input,
                                   const TF_Output *data, int data_count,
                                   const weir_print_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Print", node);
    weir_build_input(builder, made, input);
    weir_build_input_list(builder, made, data, data_count);
    if (made && options) {
        if (options->message)
            weir_attr_string(made, "message", options->message);
        if (options->first_n != 0)
            TF_SetAttrInt(made, "first_n", weir_int_of(options->first_n));
        if (options->summarize != 0)
            TF_SetAttrInt(made, "summarize", weir_int_of(options->summarize));
    }
    return weir_build_end(builder, made);
}

/* PrintV2(input: string): tensors shown to whoever watches the process. */
typedef struct weir_print_v2_options {
    const char *output_stream; /* null: "stderr" */
    const char *end; /* null: "\n" */
} weir_print_v2_options;
static inline TF_Operation *weir_print_v2(weir_builder *builder, const char *node, TF_Output input,
                                          const weir_print_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "PrintV2", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->output_stream)
            weir_attr_string(made, "output_stream", options->output_stream);
        if (options->end)
            weir_attr_string(made, "end", options->end);
    }
    return weir_build_end(builder, made).oper;
}

/* QuantizeAndDequantize(input: T) -> output: T: values rounded to what num_bits could hold,
 * symmetric around zero. T: bfloat16, half, float, double. */
typedef struct weir_quantize_and_dequantize_options {
    bool not_signed_input;
    int64_t num_bits; /* 0: 8 */
    bool range_given;
    float input_min;
    float input_max;
} weir_quantize_and_dequantize_options;
static inline TF_Output
weir_quantize_and_dequantize(weir_builder *builder, const char *node, TF_Output input,
                             const weir_quantize_and_dequantize_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeAndDequantize", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        TF_SetAttrBool(made, "signed_input", !options->not_signed_input);
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "range_given", options->range_given);
        TF_SetAttrFloat(made, "input_min", options->input_min);
        TF_SetAttrFloat(made, "input_max", options->input_max);
    }
    return weir_build_end(builder, made);
}

/* QuantizeAndDequantizeV2(input: T, input_min: T, input_max: T) -> output: T: values rounded to
 * what num_bits could hold, symmetric around zero. T: bfloat16, half, float, double. */
typedef struct weir_quantize_and_dequantize_v2_options {
    bool not_signed_input;
    int64_t num_bits; /* 0: 8 */
    bool range_given;
    const char *round_mode; /* null: "HALF_TO_EVEN"; 'HALF_TO_EVEN', 'HALF_UP' */
    bool narrow_range;
    int64_t axis; /* 0: -1 */
} weir_quantize_and_dequantize_v2_options;
static inline TF_Output
weir_quantize_and_dequantize_v2(weir_builder *builder, const char *node, TF_Output input,
                                TF_Output input_min, TF_Output input_max,
                                const weir_quantize_and_dequantize_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeAndDequantizeV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, input_min);
    weir_build_input(builder, made, input_max);
    if (made && options) {
        TF_SetAttrBool(made, "signed_input", !options->not_signed_input);
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "range_given", options->range_given);
        if (options->round_mode)
            weir_attr_string(made, "round_mode", options->round_mode);
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
        if (options->axis != 0)
            TF_SetAttrInt(made, "axis", weir_int_of(options->axis));
    }
    return weir_build_end(builder, made);
}

/* QuantizeAndDequantizeV3(input: T, input_min: T, input_max: T, num_bits: int32) -> output: T:
 * values rounded to what num_bits could hold, symmetric around zero. T: bfloat16, half, float,
 * double. */
typedef struct weir_quantize_and_dequantize_v3_options {
    bool not_signed_input;
    bool not_range_given;
    bool narrow_range;
    int64_t axis; /* 0: -1 */
} weir_quantize_and_dequantize_v3_options;
static inline TF_Output
weir_quantize_and_dequantize_v3(weir_builder *builder, const char *node, TF_Output input,
                                TF_Output input_min, TF_Output input_max, TF_Output num_bits,
                                const weir_quantize_and_dequantize_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeAndDequantizeV3", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, input_min);
    weir_build_input(builder, made, input_max);
    weir_build_input(builder, made, num_bits);
    if (made && options) {
        TF_SetAttrBool(made, "signed_input", !options->not_signed_input);
        TF_SetAttrBool(made, "range_given", !options->not_range_given);
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
        if (options->axis != 0)
            TF_SetAttrInt(made, "axis", weir_int_of(options->axis));
    }
    return weir_build_end(builder, made);
}

/* QuantizeAndDequantizeV4(input: T, input_min: T, input_max: T) -> output: T: values rounded to
 * what num_bits could hold, symmetric around zero. T: bfloat16, half, float, double. */
typedef struct weir_quantize_and_dequantize_v4_options {
    bool not_signed_input;
    int64_t num_bits; /* 0: 8 */
    bool range_given;
    const char *round_mode; /* null: "HALF_TO_EVEN"; 'HALF_TO_EVEN', 'HALF_UP' */
    bool narrow_range;
    int64_t axis; /* 0: -1 */
} weir_quantize_and_dequantize_v4_options;
static inline TF_Output
weir_quantize_and_dequantize_v4(weir_builder *builder, const char *node, TF_Output input,
                                TF_Output input_min, TF_Output input_max,
                                const weir_quantize_and_dequantize_v4_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeAndDequantizeV4", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, input_min);
    weir_build_input(builder, made, input_max);
    if (made && options) {
        TF_SetAttrBool(made, "signed_input", !options->not_signed_input);
        if (options->num_bits != 0)
            TF_SetAttrInt(made, "num_bits", weir_int_of(options->num_bits));
        TF_SetAttrBool(made, "range_given", options->range_given);
        if (options->round_mode)
            weir_attr_string(made, "round_mode", options->round_mode);
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
        if (options->axis != 0)
            TF_SetAttrInt(made, "axis", weir_int_of(options->axis));
    }
    return weir_build_end(builder, made);
}

/* QuantizeAndDequantizeV4Grad(gradients: T, input: T, input_min: T, input_max: T) ->
 * input_backprop: T, input_min_backprop: T, input_max_backprop: T: the gradient of
 * QuantizeAndDequantizeV4. T: bfloat16, half, float, double. */
typedef struct weir_quantize_and_dequantize_v4_grad_options {
    int64_t axis; /* 0: -1 */
} weir_quantize_and_dequantize_v4_grad_options;
typedef struct weir_quantize_and_dequantize_v4_grad_outputs {
    TF_Output input_backprop;
    TF_Output input_min_backprop;
    TF_Output input_max_backprop;
} weir_quantize_and_dequantize_v4_grad_outputs;
static inline weir_quantize_and_dequantize_v4_grad_outputs
weir_quantize_and_dequantize_v4_grad(weir_builder *builder, const char *node, TF_Output gradients,
                                     TF_Output input, TF_Output input_min, TF_Output input_max,
                                     const weir_quantize_and_dequantize_v4_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeAndDequantizeV4Grad", node);
    weir_build_input(builder, made, gradients);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, input_min);
    weir_build_input(builder, made, input_max);
    if (made && options) {
        if (options->axis != 0)
            TF_SetAttrInt(made, "axis", weir_int_of(options->axis));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantize_and_dequantize_v4_grad_outputs out;
    out.input_backprop = weir_output(op, 0);
    out.input_min_backprop = weir_output(op, 1);
    out.input_max_backprop = weir_output(op, 2);
    return out;
}

/* QuantizeV2(input: float, min_range: float, max_range: float) -> output: T, output_min: float,
 * output_max: float: floats as small integers over a range, and back. T: qint8, quint8, qint32,
 * qint16, quint16. */
typedef struct weir_quantize_v2_options {
    const char *mode; /* null: "MIN_COMBINED"; 'MIN_COMBINED', 'MIN_FIRST', 'SCALED' */
    const char *round_mode; /* null: "HALF_AWAY_FROM_ZERO"; 'HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN' */
    bool narrow_range;
    int64_t axis; /* 0: -1 */
    float ensure_minimum_range; /* 0: 0.01 */
} weir_quantize_v2_options;
typedef struct weir_quantize_v2_outputs {
    TF_Output output;
    TF_Output output_min;
    TF_Output output_max;
} weir_quantize_v2_outputs;
static inline weir_quantize_v2_outputs weir_quantize_v2(weir_builder *builder, const char *node,
                                                        TF_Output input, TF_Output min_range,
                                                        TF_Output max_range, TF_DataType T,
                                                        const weir_quantize_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "QuantizeV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, min_range);
    weir_build_input(builder, made, max_range);
    if (made) {
        TF_SetAttrType(made, "T", T);
    }
    if (made && options) {
        if (options->mode)
            weir_attr_string(made, "mode", options->mode);
        if (options->round_mode)
            weir_attr_string(made, "round_mode", options->round_mode);
        TF_SetAttrBool(made, "narrow_range", options->narrow_range);
        if (options->axis != 0)
            TF_SetAttrInt(made, "axis", weir_int_of(options->axis));
        if (options->ensure_minimum_range != 0)
            TF_SetAttrFloat(made, "ensure_minimum_range",
                weir_float_of(options->ensure_minimum_range));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_quantize_v2_outputs out;
    out.output = weir_output(op, 0);
    out.output_min = weir_output(op, 1);
    out.output_max = weir_output(op, 2);
    return out;
}

/* Rank(input: T) -> output: int32: what a tensor looks like. */
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

/* Reverse(tensor: T, dims: bool) -> output: T: axes walked backwards. T: uint8, int8, uint16,
 * int16, uint32, int32, uint64, int64, bool, bfloat16, half, float, double, complex64, complex128,
 * string. */
static inline TF_Output weir_reverse(weir_builder *builder, const char *node, TF_Output tensor,
                                     TF_Output dims)
{
    const TF_Output inputs[] = {tensor, dims};
    return weir_build_op(builder, "Reverse", node, inputs, 2);
}

/* ReverseSequence(input: T, seq_lengths: Tlen) -> output: T: the first part of each sequence
 * backwards. Tlen: int32, int64. */
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

/* ReverseV2(tensor: T, axis: Tidx) -> output: T: axes walked backwards. Tidx: int32, int64. T:
 * uint8, int8, uint16, int16, int32, uint32, int64, uint64, bool, bfloat16, half, float, double,
 * complex64, complex128, string. */
static inline TF_Output weir_reverse_v2(weir_builder *builder, const char *node, TF_Output tensor,
                                        TF_Output axis)
{
    const TF_Output inputs[] = {tensor, axis};
    return weir_build_op(builder, "ReverseV2", node, inputs, 2);
}

/* Roll(input: T, shift: Tshift, axis: Taxis) -> output: T: axes turned, what leaves at one end
 * comes in at the other. Tshift: int32, int64. Taxis: int32, int64. */
static inline TF_Output weir_roll(weir_builder *builder, const char *node, TF_Output input,
                                  TF_Output shift, TF_Output axis)
{
    const TF_Output inputs[] = {input, shift, axis};
    return weir_build_op(builder, "Roll", node, inputs, 3);
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

/* Shape(input: T) -> output: out_type: what a tensor looks like. out_type: int32, int64. */
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

/* ShapeN(input: N * T) -> output: N * out_type: what a tensor looks like. out_type: int32, int64.
 * */
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

/* Size(input: T) -> output: out_type: what a tensor looks like. out_type: int32, int64. */
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

/* Slice(input: T, begin: Index, size: Index) -> output: T: a box cut out of a tensor. Index: int32,
 * int64. */
static inline TF_Output weir_slice(weir_builder *builder, const char *node, TF_Output input,
                                   TF_Output begin, TF_Output size)
{
    const TF_Output inputs[] = {input, begin, size};
    return weir_build_op(builder, "Slice", node, inputs, 3);
}

/* Snapshot(input: T) -> output: T: its input. */
static inline TF_Output weir_snapshot(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "Snapshot", node, inputs, 1);
}

/* SpaceToBatch(input: T, paddings: Tpaddings) -> output: T: spatial blocks moved into the batch
 * dimension and back. Tpaddings: int32, int64. */
static inline TF_Output weir_space_to_batch(weir_builder *builder, const char *node,
                                            TF_Output input, TF_Output paddings, int64_t block_size)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SpaceToBatch", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, paddings);
    if (made) {
        TF_SetAttrInt(made, "block_size", block_size);
    }
    return weir_build_end(builder, made);
}

/* SpaceToBatchND(input: T, block_shape: Tblock_shape, paddings: Tpaddings) -> output: T: spatial
 * blocks moved into the batch. Tblock_shape: int32, int64. Tpaddings: int32, int64. */
static inline TF_Output weir_space_to_batch_nd(weir_builder *builder, const char *node,
                                               TF_Output input, TF_Output block_shape,
                                               TF_Output paddings)
{
    const TF_Output inputs[] = {input, block_shape, paddings};
    return weir_build_op(builder, "SpaceToBatchND", node, inputs, 3);
}

/* SpaceToDepth(input: T) -> output: T: blocks of an image moved into its channels and back. */
typedef struct weir_space_to_depth_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW', 'NCHW_VECT_C' */
} weir_space_to_depth_options;
static inline TF_Output weir_space_to_depth(weir_builder *builder, const char *node,
                                            TF_Output input, int64_t block_size,
                                            const weir_space_to_depth_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SpaceToDepth", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "block_size", block_size);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* Split(split_dim: int32, value: T) -> output: num_split * T: the pieces of a tensor along one
 * axis. */
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

/* SplitV(value: T, size_splits: Tlen, split_dim: int32) -> output: num_split * T: the pieces of a
 * tensor along one axis. Tlen: int8, int32, int64. */
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

/* Squeeze(input: T) -> output: T: leaves dimensions of one out. */
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
 * added where indices say. Tindices: int32, int64. */
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

/* TensorScatterMax(tensor: T, indices: Tindices, updates: T) -> output: T: a copy with the larger
 * of element and update where indices say. Tindices: int32, int64. */
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

/* TensorScatterMin(tensor: T, indices: Tindices, updates: T) -> output: T: a copy with the smaller
 * of element and update where indices say. Tindices: int32, int64. */
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
 * taken off where indices say. Tindices: int32, int64. */
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
 * where indices say. Tindices: int16, int32, int64, uint16. */
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

/* Tile(input: T, multiples: Tmultiples) -> output: T: a tensor repeated along its axes, and summed
 * back. Tmultiples: int32, int64. */
static inline TF_Output weir_tile(weir_builder *builder, const char *node, TF_Output input,
                                  TF_Output multiples)
{
    const TF_Output inputs[] = {input, multiples};
    return weir_build_op(builder, "Tile", node, inputs, 2);
}

/* TileGrad(input: T, multiples: int32) -> output: T: a tensor repeated along its axes, and summed
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

/* Unique(x: T) -> y: T, idx: out_idx: each value once, in the order of first appearance. out_idx:
 * int32, int64. */
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

/* UniqueV2(x: T, axis: Taxis) -> y: T, idx: out_idx: each value once, in the order of first
 * appearance. Taxis: int32, int64. out_idx: int32, int64. */
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

/* UniqueWithCounts(x: T) -> y: T, idx: out_idx, count: out_idx: each value once, in the order of
 * first appearance. out_idx: int32, int64. */
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

/* UniqueWithCountsV2(x: T, axis: Taxis) -> y: T, idx: out_idx, count: out_idx: each value once, in
 * the order of first appearance. Taxis: int32, int64. out_idx: int32, int64. */
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

/* Unpack(value: T) -> output: num * T: a new axis over equal tensors, and its taking apart. */
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

/* UpperBound(sorted_inputs: T, values: T) -> output: out_type: where values would go in sorted
 * rows. out_type: int32, int64. */
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

/* Where(input: T) -> index: int64: the indices of what is not zero, in row-major order. T: float,
 * double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16,
 * quint16, uint16, complex128, half, uint32, uint64, bool. */
static inline TF_Output weir_where(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "Where", node, inputs, 1);
}

/* ZerosLike(x: T) -> y: T: tensors of one value. */
static inline TF_Output weir_zeros_like(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "ZerosLike", node, inputs, 1);
}

#ifdef __cplusplus
}
#endif
#endif
