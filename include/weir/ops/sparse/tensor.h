/* weir/ops/sparse/tensor.h - sparse tensors.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_SPARSE_TENSOR_OPS_H
#define WEIR_SPARSE_TENSOR_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* DeserializeManySparse(serialized_sparse: string) -> sparse_indices: int64, sparse_values: dtype,
 * sparse_shape: int64: sparse tensors as three tensors in elements of strings or variants. */
typedef struct weir_deserialize_many_sparse_outputs {
    TF_Output sparse_indices;
    TF_Output sparse_values;
    TF_Output sparse_shape;
} weir_deserialize_many_sparse_outputs;
static inline weir_deserialize_many_sparse_outputs
weir_deserialize_many_sparse(weir_builder *builder, const char *node, TF_Output serialized_sparse,
                             TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DeserializeManySparse", node);
    weir_build_input(builder, made, serialized_sparse);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_deserialize_many_sparse_outputs out;
    out.sparse_indices = weir_output(op, 0);
    out.sparse_values = weir_output(op, 1);
    out.sparse_shape = weir_output(op, 2);
    return out;
}

/* DeserializeSparse(serialized_sparse: Tserialized) -> sparse_indices: int64, sparse_values: dtype,
 * sparse_shape: int64: sparse tensors as three tensors in elements of strings or variants.
 * Tserialized: string, variant. */
typedef struct weir_deserialize_sparse_outputs {
    TF_Output sparse_indices;
    TF_Output sparse_values;
    TF_Output sparse_shape;
} weir_deserialize_sparse_outputs;
static inline weir_deserialize_sparse_outputs weir_deserialize_sparse(weir_builder *builder,
                                                                      const char *node,
                                                                      TF_Output serialized_sparse,
                                                                      TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DeserializeSparse", node);
    weir_build_input(builder, made, serialized_sparse);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_deserialize_sparse_outputs out;
    out.sparse_indices = weir_output(op, 0);
    out.sparse_values = weir_output(op, 1);
    out.sparse_shape = weir_output(op, 2);
    return out;
}

/* SparseAdd(a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape:
 * int64, thresh: Treal) -> sum_indices: int64, sum_values: T, sum_shape: int64: merges two sorted
 * sparse tensors of one shape. T: float, double, int32, uint8, int16, int8, complex64, int64,
 * qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64.
 * Treal: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64.
 * */
typedef struct weir_sparse_add_outputs {
    TF_Output sum_indices;
    TF_Output sum_values;
    TF_Output sum_shape;
} weir_sparse_add_outputs;
static inline weir_sparse_add_outputs weir_sparse_add(weir_builder *builder, const char *node,
                                                      TF_Output a_indices, TF_Output a_values,
                                                      TF_Output a_shape, TF_Output b_indices,
                                                      TF_Output b_values, TF_Output b_shape,
                                                      TF_Output thresh)
{
    const TF_Output inputs[] = {a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh};
    TF_Operation *op = weir_build_op(builder, "SparseAdd", node, inputs, 7).oper;
    weir_sparse_add_outputs out;
    out.sum_indices = weir_output(op, 0);
    out.sum_values = weir_output(op, 1);
    out.sum_shape = weir_output(op, 2);
    return out;
}

/* SparseAddGrad(backprop_val_grad: T, a_indices: int64, b_indices: int64, sum_indices: int64) ->
 * a_val_grad: T, b_val_grad: T: merges two sorted sparse tensors of one shape. T: float, double,
 * int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16,
 * uint16, complex128, half, uint32, uint64. */
typedef struct weir_sparse_add_grad_outputs {
    TF_Output a_val_grad;
    TF_Output b_val_grad;
} weir_sparse_add_grad_outputs;
static inline weir_sparse_add_grad_outputs weir_sparse_add_grad(weir_builder *builder,
                                                                const char *node,
                                                                TF_Output backprop_val_grad,
                                                                TF_Output a_indices,
                                                                TF_Output b_indices,
                                                                TF_Output sum_indices)
{
    const TF_Output inputs[] = {backprop_val_grad, a_indices, b_indices, sum_indices};
    TF_Operation *op = weir_build_op(builder, "SparseAddGrad", node, inputs, 4).oper;
    weir_sparse_add_grad_outputs out;
    out.a_val_grad = weir_output(op, 0);
    out.b_val_grad = weir_output(op, 1);
    return out;
}

/* SparseConcat(indices: N * int64, values: N * T, shapes: N * int64) -> output_indices: int64,
 * output_values: T, output_shape: int64: concatenation of sparse tensors. */
typedef struct weir_sparse_concat_outputs {
    TF_Output output_indices;
    TF_Output output_values;
    TF_Output output_shape;
} weir_sparse_concat_outputs;
static inline weir_sparse_concat_outputs weir_sparse_concat(weir_builder *builder, const char *node,
                                                            const TF_Output *indices,
                                                            int indices_count,
                                                            const TF_Output *values,
                                                            int values_count,
                                                            const TF_Output *shapes,
                                                            int shapes_count, int64_t concat_dim)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseConcat", node);
    weir_build_input_list(builder, made, indices, indices_count);
    weir_build_input_list(builder, made, values, values_count);
    weir_build_input_list(builder, made, shapes, shapes_count);
    if (made) {
        TF_SetAttrInt(made, "concat_dim", concat_dim);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_sparse_concat_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    out.output_shape = weir_output(op, 2);
    return out;
}

/* SparseCross(indices: N * int64, values: sparse_types, shapes: N * int64, dense_inputs:
 * dense_types) -> output_indices: int64, output_values: out_type, output_shape: int64: feature
 * crosses per row of the batch, as joined strings or as a hash. sparse_types: int64, string.
 * dense_types: int64, string. out_type: int64, string. internal_type: int64, string. */
typedef struct weir_sparse_cross_outputs {
    TF_Output output_indices;
    TF_Output output_values;
    TF_Output output_shape;
} weir_sparse_cross_outputs;
static inline weir_sparse_cross_outputs weir_sparse_cross(weir_builder *builder, const char *node,
                                                          const TF_Output *indices,
                                                          int indices_count,
                                                          const TF_Output *values, int values_count,
                                                          const TF_Output *shapes, int shapes_count,
                                                          const TF_Output *dense_inputs,
                                                          int dense_inputs_count,
                                                          bool hashed_output, int64_t num_buckets,
                                                          int64_t hash_key, TF_DataType out_type,
                                                          TF_DataType internal_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseCross", node);
    weir_build_input_list(builder, made, indices, indices_count);
    weir_build_input_list(builder, made, values, values_count);
    weir_build_input_list(builder, made, shapes, shapes_count);
    weir_build_input_list(builder, made, dense_inputs, dense_inputs_count);
    if (made) {
        TF_SetAttrBool(made, "hashed_output", hashed_output);
        TF_SetAttrInt(made, "num_buckets", num_buckets);
        TF_SetAttrInt(made, "hash_key", hash_key);
        TF_SetAttrType(made, "out_type", out_type);
        TF_SetAttrType(made, "internal_type", internal_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_sparse_cross_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    out.output_shape = weir_output(op, 2);
    return out;
}

/* SparseCrossHashed(indices: N * int64, values: sparse_types, shapes: N * int64, dense_inputs:
 * dense_types, num_buckets: int64, strong_hash: bool, salt: int64) -> output_indices: int64,
 * output_values: int64, output_shape: int64: feature crosses per row of the batch, as joined
 * strings or as a hash. sparse_types: int64, string. dense_types: int64, string. */
typedef struct weir_sparse_cross_hashed_outputs {
    TF_Output output_indices;
    TF_Output output_values;
    TF_Output output_shape;
} weir_sparse_cross_hashed_outputs;
static inline weir_sparse_cross_hashed_outputs
weir_sparse_cross_hashed(weir_builder *builder, const char *node, const TF_Output *indices,
                         int indices_count, const TF_Output *values, int values_count,
                         const TF_Output *shapes, int shapes_count, const TF_Output *dense_inputs,
                         int dense_inputs_count, TF_Output num_buckets, TF_Output strong_hash,
                         TF_Output salt)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseCrossHashed", node);
    weir_build_input_list(builder, made, indices, indices_count);
    weir_build_input_list(builder, made, values, values_count);
    weir_build_input_list(builder, made, shapes, shapes_count);
    weir_build_input_list(builder, made, dense_inputs, dense_inputs_count);
    weir_build_input(builder, made, num_buckets);
    weir_build_input(builder, made, strong_hash);
    weir_build_input(builder, made, salt);
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_sparse_cross_hashed_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    out.output_shape = weir_output(op, 2);
    return out;
}

/* SparseCrossV2(indices: N * int64, values: sparse_types, shapes: N * int64, dense_inputs:
 * dense_types, sep: string) -> output_indices: int64, output_values: string, output_shape: int64:
 * feature crosses per row of the batch, as joined strings or as a hash. sparse_types: int64,
 * string. dense_types: int64, string. */
typedef struct weir_sparse_cross_v2_outputs {
    TF_Output output_indices;
    TF_Output output_values;
    TF_Output output_shape;
} weir_sparse_cross_v2_outputs;
static inline weir_sparse_cross_v2_outputs weir_sparse_cross_v2(weir_builder *builder,
                                                                const char *node,
                                                                const TF_Output *indices,
                                                                int indices_count,
                                                                const TF_Output *values,
                                                                int values_count,
                                                                const TF_Output *shapes,
                                                                int shapes_count,
                                                                const TF_Output *dense_inputs,
                                                                int dense_inputs_count,
                                                                TF_Output sep)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseCrossV2", node);
    weir_build_input_list(builder, made, indices, indices_count);
    weir_build_input_list(builder, made, values, values_count);
    weir_build_input_list(builder, made, shapes, shapes_count);
    weir_build_input_list(builder, made, dense_inputs, dense_inputs_count);
    weir_build_input(builder, made, sep);
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_sparse_cross_v2_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    out.output_shape = weir_output(op, 2);
    return out;
}

/* SparseDenseCwiseAdd(sp_indices: int64, sp_values: T, sp_shape: int64, dense: T) -> output: T: a
 * sparse tensor plus a dense one, where the sparse one has elements. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
static inline TF_Output weir_sparse_dense_cwise_add(weir_builder *builder, const char *node,
                                                    TF_Output sp_indices, TF_Output sp_values,
                                                    TF_Output sp_shape, TF_Output dense)
{
    const TF_Output inputs[] = {sp_indices, sp_values, sp_shape, dense};
    return weir_build_op(builder, "SparseDenseCwiseAdd", node, inputs, 4);
}

/* SparseDenseCwiseDiv(sp_indices: int64, sp_values: T, sp_shape: int64, dense: T) -> output: T: a
 * sparse tensor divided by a dense one, element by element. T: float, double, int32, uint8, int16,
 * int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128,
 * half, uint32, uint64. */
static inline TF_Output weir_sparse_dense_cwise_div(weir_builder *builder, const char *node,
                                                    TF_Output sp_indices, TF_Output sp_values,
                                                    TF_Output sp_shape, TF_Output dense)
{
    const TF_Output inputs[] = {sp_indices, sp_values, sp_shape, dense};
    return weir_build_op(builder, "SparseDenseCwiseDiv", node, inputs, 4);
}

/* SparseDenseCwiseMul(sp_indices: int64, sp_values: T, sp_shape: int64, dense: T) -> output: T:
 * combines the entries of a sparse tensor with a dense one, which is broadcast. T: float, double,
 * int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16,
 * uint16, complex128, half, uint32, uint64. */
static inline TF_Output weir_sparse_dense_cwise_mul(weir_builder *builder, const char *node,
                                                    TF_Output sp_indices, TF_Output sp_values,
                                                    TF_Output sp_shape, TF_Output dense)
{
    const TF_Output inputs[] = {sp_indices, sp_values, sp_shape, dense};
    return weir_build_op(builder, "SparseDenseCwiseMul", node, inputs, 4);
}

/* SparseFillEmptyRows(indices: int64, values: T, dense_shape: int64, default_value: T) ->
 * output_indices: int64, output_values: T, empty_row_indicator: bool, reverse_index_map: int64:
 * every row gets at least one entry. */
typedef struct weir_sparse_fill_empty_rows_outputs {
    TF_Output output_indices;
    TF_Output output_values;
    TF_Output empty_row_indicator;
    TF_Output reverse_index_map;
} weir_sparse_fill_empty_rows_outputs;
static inline weir_sparse_fill_empty_rows_outputs
weir_sparse_fill_empty_rows(weir_builder *builder, const char *node, TF_Output indices,
                            TF_Output values, TF_Output dense_shape, TF_Output default_value)
{
    const TF_Output inputs[] = {indices, values, dense_shape, default_value};
    TF_Operation *op = weir_build_op(builder, "SparseFillEmptyRows", node, inputs, 4).oper;
    weir_sparse_fill_empty_rows_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    out.empty_row_indicator = weir_output(op, 2);
    out.reverse_index_map = weir_output(op, 3);
    return out;
}

/* SparseFillEmptyRowsGrad(reverse_index_map: int64, grad_values: T) -> d_values: T,
 * d_default_value: T: the gradient of SparseFillEmptyRows. */
typedef struct weir_sparse_fill_empty_rows_grad_outputs {
    TF_Output d_values;
    TF_Output d_default_value;
} weir_sparse_fill_empty_rows_grad_outputs;
static inline weir_sparse_fill_empty_rows_grad_outputs
weir_sparse_fill_empty_rows_grad(weir_builder *builder, const char *node,
                                 TF_Output reverse_index_map, TF_Output grad_values)
{
    const TF_Output inputs[] = {reverse_index_map, grad_values};
    TF_Operation *op = weir_build_op(builder, "SparseFillEmptyRowsGrad", node, inputs, 2).oper;
    weir_sparse_fill_empty_rows_grad_outputs out;
    out.d_values = weir_output(op, 0);
    out.d_default_value = weir_output(op, 1);
    return out;
}

/* SparseMatMul(a: Ta, b: Tb) -> product: float: the product of matrices that have many zeros. Ta:
 * float, bfloat16. Tb: float, bfloat16. */
typedef struct weir_sparse_mat_mul_options {
    bool transpose_a;
    bool transpose_b;
    bool a_is_sparse;
    bool b_is_sparse;
} weir_sparse_mat_mul_options;
static inline TF_Output weir_sparse_mat_mul(weir_builder *builder, const char *node, TF_Output a,
                                            TF_Output b, const weir_sparse_mat_mul_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseMatMul", node);
    weir_build_input(builder, made, a);
    weir_build_input(builder, made, b);
    if (made && options) {
        TF_SetAttrBool(made, "transpose_a", options->transpose_a);
        TF_SetAttrBool(made, "transpose_b", options->transpose_b);
        TF_SetAttrBool(made, "a_is_sparse", options->a_is_sparse);
        TF_SetAttrBool(made, "b_is_sparse", options->b_is_sparse);
    }
    return weir_build_end(builder, made);
}

/* SparseReduceMax(input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32)
 * -> output: T: sum or maximum of entries over axes. T: float, double, int32, uint8, int16, int8,
 * int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_sparse_reduce_max_options {
    bool keep_dims;
} weir_sparse_reduce_max_options;
static inline TF_Output weir_sparse_reduce_max(weir_builder *builder, const char *node,
                                               TF_Output input_indices, TF_Output input_values,
                                               TF_Output input_shape, TF_Output reduction_axes,
                                               const weir_sparse_reduce_max_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseReduceMax", node);
    weir_build_input(builder, made, input_indices);
    weir_build_input(builder, made, input_values);
    weir_build_input(builder, made, input_shape);
    weir_build_input(builder, made, reduction_axes);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* SparseReduceMaxSparse(input_indices: int64, input_values: T, input_shape: int64, reduction_axes:
 * int32) -> output_indices: int64, output_values: T, output_shape: int64: the largest element along
 * axes, as a sparse tensor. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16,
 * half, uint32, uint64. */
typedef struct weir_sparse_reduce_max_sparse_options {
    bool keep_dims;
} weir_sparse_reduce_max_sparse_options;
typedef struct weir_sparse_reduce_max_sparse_outputs {
    TF_Output output_indices;
    TF_Output output_values;
    TF_Output output_shape;
} weir_sparse_reduce_max_sparse_outputs;
static inline weir_sparse_reduce_max_sparse_outputs
weir_sparse_reduce_max_sparse(weir_builder *builder, const char *node, TF_Output input_indices,
                              TF_Output input_values, TF_Output input_shape,
                              TF_Output reduction_axes,
                              const weir_sparse_reduce_max_sparse_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseReduceMaxSparse", node);
    weir_build_input(builder, made, input_indices);
    weir_build_input(builder, made, input_values);
    weir_build_input(builder, made, input_shape);
    weir_build_input(builder, made, reduction_axes);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_sparse_reduce_max_sparse_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    out.output_shape = weir_output(op, 2);
    return out;
}

/* SparseReduceSum(input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32)
 * -> output: T: sum or maximum of entries over axes. T: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. */
typedef struct weir_sparse_reduce_sum_options {
    bool keep_dims;
} weir_sparse_reduce_sum_options;
static inline TF_Output weir_sparse_reduce_sum(weir_builder *builder, const char *node,
                                               TF_Output input_indices, TF_Output input_values,
                                               TF_Output input_shape, TF_Output reduction_axes,
                                               const weir_sparse_reduce_sum_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseReduceSum", node);
    weir_build_input(builder, made, input_indices);
    weir_build_input(builder, made, input_values);
    weir_build_input(builder, made, input_shape);
    weir_build_input(builder, made, reduction_axes);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* SparseReduceSumSparse(input_indices: int64, input_values: T, input_shape: int64, reduction_axes:
 * int32) -> output_indices: int64, output_values: T, output_shape: int64: the sum along axes, as a
 * sparse tensor. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,
 * qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_sparse_reduce_sum_sparse_options {
    bool keep_dims;
} weir_sparse_reduce_sum_sparse_options;
typedef struct weir_sparse_reduce_sum_sparse_outputs {
    TF_Output output_indices;
    TF_Output output_values;
    TF_Output output_shape;
} weir_sparse_reduce_sum_sparse_outputs;
static inline weir_sparse_reduce_sum_sparse_outputs
weir_sparse_reduce_sum_sparse(weir_builder *builder, const char *node, TF_Output input_indices,
                              TF_Output input_values, TF_Output input_shape,
                              TF_Output reduction_axes,
                              const weir_sparse_reduce_sum_sparse_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseReduceSumSparse", node);
    weir_build_input(builder, made, input_indices);
    weir_build_input(builder, made, input_values);
    weir_build_input(builder, made, input_shape);
    weir_build_input(builder, made, reduction_axes);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_sparse_reduce_sum_sparse_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    out.output_shape = weir_output(op, 2);
    return out;
}

/* SparseReorder(input_indices: int64, input_values: T, input_shape: int64) -> output_indices:
 * int64, output_values: T: sorts entries into row-major order. */
typedef struct weir_sparse_reorder_outputs {
    TF_Output output_indices;
    TF_Output output_values;
} weir_sparse_reorder_outputs;
static inline weir_sparse_reorder_outputs weir_sparse_reorder(weir_builder *builder,
                                                              const char *node,
                                                              TF_Output input_indices,
                                                              TF_Output input_values,
                                                              TF_Output input_shape)
{
    const TF_Output inputs[] = {input_indices, input_values, input_shape};
    TF_Operation *op = weir_build_op(builder, "SparseReorder", node, inputs, 3).oper;
    weir_sparse_reorder_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    return out;
}

/* SparseReshape(input_indices: int64, input_shape: int64, new_shape: int64) -> output_indices:
 * int64, output_shape: int64: converts indices to another shape of equal size. */
typedef struct weir_sparse_reshape_outputs {
    TF_Output output_indices;
    TF_Output output_shape;
} weir_sparse_reshape_outputs;
static inline weir_sparse_reshape_outputs weir_sparse_reshape(weir_builder *builder,
                                                              const char *node,
                                                              TF_Output input_indices,
                                                              TF_Output input_shape,
                                                              TF_Output new_shape)
{
    const TF_Output inputs[] = {input_indices, input_shape, new_shape};
    TF_Operation *op = weir_build_op(builder, "SparseReshape", node, inputs, 3).oper;
    weir_sparse_reshape_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_shape = weir_output(op, 1);
    return out;
}

/* SparseSlice(indices: int64, values: T, shape: int64, start: int64, size: int64) ->
 * output_indices: int64, output_values: T, output_shape: int64: boxes of sparse tensors. */
typedef struct weir_sparse_slice_outputs {
    TF_Output output_indices;
    TF_Output output_values;
    TF_Output output_shape;
} weir_sparse_slice_outputs;
static inline weir_sparse_slice_outputs weir_sparse_slice(weir_builder *builder, const char *node,
                                                          TF_Output indices, TF_Output values,
                                                          TF_Output shape, TF_Output start,
                                                          TF_Output size)
{
    const TF_Output inputs[] = {indices, values, shape, start, size};
    TF_Operation *op = weir_build_op(builder, "SparseSlice", node, inputs, 5).oper;
    weir_sparse_slice_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    out.output_shape = weir_output(op, 2);
    return out;
}

/* SparseSliceGrad(backprop_val_grad: T, input_indices: int64, input_start: int64, output_indices:
 * int64) -> val_grad: T: boxes of sparse tensors. T: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. */
static inline TF_Output weir_sparse_slice_grad(weir_builder *builder, const char *node,
                                               TF_Output backprop_val_grad, TF_Output input_indices,
                                               TF_Output input_start, TF_Output output_indices)
{
    const TF_Output inputs[] = {backprop_val_grad, input_indices, input_start, output_indices};
    return weir_build_op(builder, "SparseSliceGrad", node, inputs, 4);
}

/* SparseSoftmax(sp_indices: int64, sp_values: T, sp_shape: int64) -> output: T: softmax over the
 * entries of each row. T: half, float, double. */
static inline TF_Output weir_sparse_softmax(weir_builder *builder, const char *node,
                                            TF_Output sp_indices, TF_Output sp_values,
                                            TF_Output sp_shape)
{
    const TF_Output inputs[] = {sp_indices, sp_values, sp_shape};
    return weir_build_op(builder, "SparseSoftmax", node, inputs, 3);
}

/* SparseSparseMaximum(a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T,
 * b_shape: int64) -> output_indices: int64, output_values: T: merges two sorted sparse tensors of
 * one shape. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32,
 * uint64. */
typedef struct weir_sparse_sparse_maximum_outputs {
    TF_Output output_indices;
    TF_Output output_values;
} weir_sparse_sparse_maximum_outputs;
static inline weir_sparse_sparse_maximum_outputs weir_sparse_sparse_maximum(weir_builder *builder,
                                                                            const char *node,
                                                                            TF_Output a_indices,
                                                                            TF_Output a_values,
                                                                            TF_Output a_shape,
                                                                            TF_Output b_indices,
                                                                            TF_Output b_values,
                                                                            TF_Output b_shape)
{
    const TF_Output inputs[] = {a_indices, a_values, a_shape, b_indices, b_values, b_shape};
    TF_Operation *op = weir_build_op(builder, "SparseSparseMaximum", node, inputs, 6).oper;
    weir_sparse_sparse_maximum_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    return out;
}

/* SparseSparseMinimum(a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T,
 * b_shape: int64) -> output_indices: int64, output_values: T: merges two sorted sparse tensors of
 * one shape. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_sparse_sparse_minimum_outputs {
    TF_Output output_indices;
    TF_Output output_values;
} weir_sparse_sparse_minimum_outputs;
static inline weir_sparse_sparse_minimum_outputs weir_sparse_sparse_minimum(weir_builder *builder,
                                                                            const char *node,
                                                                            TF_Output a_indices,
                                                                            TF_Output a_values,
                                                                            TF_Output a_shape,
                                                                            TF_Output b_indices,
                                                                            TF_Output b_values,
                                                                            TF_Output b_shape)
{
    const TF_Output inputs[] = {a_indices, a_values, a_shape, b_indices, b_values, b_shape};
    TF_Operation *op = weir_build_op(builder, "SparseSparseMinimum", node, inputs, 6).oper;
    weir_sparse_sparse_minimum_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    return out;
}

/* SparseSplit(split_dim: int64, indices: int64, values: T, shape: int64) -> output_indices:
 * num_split * int64, output_values: num_split * T, output_shape: num_split * int64: boxes of sparse
 * tensors. */
typedef struct weir_sparse_split_outputs {
    weir_outputs output_indices;
    weir_outputs output_values;
    weir_outputs output_shape;
} weir_sparse_split_outputs;
static inline weir_sparse_split_outputs weir_sparse_split(weir_builder *builder, const char *node,
                                                          TF_Output split_dim, TF_Output indices,
                                                          TF_Output values, TF_Output shape,
                                                          int64_t num_split)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseSplit", node);
    weir_build_input(builder, made, split_dim);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, values);
    weir_build_input(builder, made, shape);
    if (made) {
        TF_SetAttrInt(made, "num_split", num_split);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_sparse_split_outputs out;
    int at = 0;
    out.output_indices = weir_outputs_of(op, "output_indices", at);
    at += out.output_indices.count;
    out.output_values = weir_outputs_of(op, "output_values", at);
    at += out.output_values.count;
    out.output_shape = weir_outputs_of(op, "output_shape", at);
    return out;
}

/* SparseTensorDenseAdd(a_indices: Tindices, a_values: T, a_shape: Tindices, b: T) -> output: T:
 * adds entries to a dense tensor. T: float, double, int32, uint8, int16, int8, complex64, int64,
 * qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64.
 * Tindices: int32, int64. */
static inline TF_Output weir_sparse_tensor_dense_add(weir_builder *builder, const char *node,
                                                     TF_Output a_indices, TF_Output a_values,
                                                     TF_Output a_shape, TF_Output b)
{
    const TF_Output inputs[] = {a_indices, a_values, a_shape, b};
    return weir_build_op(builder, "SparseTensorDenseAdd", node, inputs, 4);
}

/* SparseTensorDenseMatMul(a_indices: Tindices, a_values: T, a_shape: int64, b: T) -> product: T: a
 * sparse matrix times a dense one. Tindices: int32, int64. */
typedef struct weir_sparse_tensor_dense_mat_mul_options {
    bool adjoint_a;
    bool adjoint_b;
} weir_sparse_tensor_dense_mat_mul_options;
static inline TF_Output
weir_sparse_tensor_dense_mat_mul(weir_builder *builder, const char *node, TF_Output a_indices,
                                 TF_Output a_values, TF_Output a_shape, TF_Output b,
                                 const weir_sparse_tensor_dense_mat_mul_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseTensorDenseMatMul", node);
    weir_build_input(builder, made, a_indices);
    weir_build_input(builder, made, a_values);
    weir_build_input(builder, made, a_shape);
    weir_build_input(builder, made, b);
    if (made && options) {
        TF_SetAttrBool(made, "adjoint_a", options->adjoint_a);
        TF_SetAttrBool(made, "adjoint_b", options->adjoint_b);
    }
    return weir_build_end(builder, made);
}

/* SparseToDense(sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, default_value:
 * T) -> dense: T: scatters values over a default. Tindices: int32, int64. */
typedef struct weir_sparse_to_dense_options {
    bool not_validate_indices;
} weir_sparse_to_dense_options;
static inline TF_Output weir_sparse_to_dense(weir_builder *builder, const char *node,
                                             TF_Output sparse_indices, TF_Output output_shape,
                                             TF_Output sparse_values, TF_Output default_value,
                                             const weir_sparse_to_dense_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseToDense", node);
    weir_build_input(builder, made, sparse_indices);
    weir_build_input(builder, made, output_shape);
    weir_build_input(builder, made, sparse_values);
    weir_build_input(builder, made, default_value);
    if (made && options) {
        TF_SetAttrBool(made, "validate_indices", !options->not_validate_indices);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
