/* weir/ops/sparse/form.h - ragged tensors, sets, compressed rows, counts, serial forms.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_SPARSE_FORM_OPS_H
#define WEIR_SPARSE_FORM_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AddManySparseToTensorsMap(sparse_indices: int64, sparse_values: T, sparse_shape: int64) ->
 * sparse_handles: int64: stores sparse tensors under a handle for a later step. */
typedef struct weir_add_many_sparse_to_tensors_map_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_add_many_sparse_to_tensors_map_options;
static inline TF_Output
weir_add_many_sparse_to_tensors_map(weir_builder *builder, const char *node,
                                    TF_Output sparse_indices, TF_Output sparse_values,
                                    TF_Output sparse_shape,
                                    const weir_add_many_sparse_to_tensors_map_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AddManySparseToTensorsMap", node);
    weir_build_input(builder, made, sparse_indices);
    weir_build_input(builder, made, sparse_values);
    weir_build_input(builder, made, sparse_shape);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* AddSparseToTensorsMap(sparse_indices: int64, sparse_values: T, sparse_shape: int64) ->
 * sparse_handle: int64: stores sparse tensors under a handle for a later step. */
typedef struct weir_add_sparse_to_tensors_map_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_add_sparse_to_tensors_map_options;
static inline TF_Output
weir_add_sparse_to_tensors_map(weir_builder *builder, const char *node, TF_Output sparse_indices,
                               TF_Output sparse_values, TF_Output sparse_shape,
                               const weir_add_sparse_to_tensors_map_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AddSparseToTensorsMap", node);
    weir_build_input(builder, made, sparse_indices);
    weir_build_input(builder, made, sparse_values);
    weir_build_input(builder, made, sparse_shape);
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    return weir_build_end(builder, made);
}

/* CSRSparseMatrixComponents(csr_sparse_matrix: variant, index: int32) -> row_ptrs: int32, col_inds:
 * int32, values: type: rows, columns and values of one matrix of a batch. type: float, double,
 * complex64, complex128. */
typedef struct weir_csr_sparse_matrix_components_outputs {
    TF_Output row_ptrs;
    TF_Output col_inds;
    TF_Output values;
} weir_csr_sparse_matrix_components_outputs;
static inline weir_csr_sparse_matrix_components_outputs
weir_csr_sparse_matrix_components(weir_builder *builder, const char *node,
                                  TF_Output csr_sparse_matrix, TF_Output index, TF_DataType type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CSRSparseMatrixComponents", node);
    weir_build_input(builder, made, csr_sparse_matrix);
    weir_build_input(builder, made, index);
    if (made) {
        TF_SetAttrType(made, "type", type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_csr_sparse_matrix_components_outputs out;
    out.row_ptrs = weir_output(op, 0);
    out.col_inds = weir_output(op, 1);
    out.values = weir_output(op, 2);
    return out;
}

/* CSRSparseMatrixToDense(sparse_input: variant) -> dense_output: type: a sparse matrix as a dense
 * one. type: float, double, complex64, complex128. */
static inline TF_Output weir_csr_sparse_matrix_to_dense(weir_builder *builder, const char *node,
                                                        TF_Output sparse_input, TF_DataType type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CSRSparseMatrixToDense", node);
    weir_build_input(builder, made, sparse_input);
    if (made) {
        TF_SetAttrType(made, "type", type);
    }
    return weir_build_end(builder, made);
}

/* CSRSparseMatrixToSparseTensor(sparse_matrix: variant) -> indices: int64, values: type,
 * dense_shape: int64: a sparse matrix as indices, values and shape. type: float, double, complex64,
 * complex128. */
typedef struct weir_csr_sparse_matrix_to_sparse_tensor_outputs {
    TF_Output indices;
    TF_Output values;
    TF_Output dense_shape;
} weir_csr_sparse_matrix_to_sparse_tensor_outputs;
static inline weir_csr_sparse_matrix_to_sparse_tensor_outputs
weir_csr_sparse_matrix_to_sparse_tensor(weir_builder *builder, const char *node,
                                        TF_Output sparse_matrix, TF_DataType type)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "CSRSparseMatrixToSparseTensor", node);
    weir_build_input(builder, made, sparse_matrix);
    if (made) {
        TF_SetAttrType(made, "type", type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_csr_sparse_matrix_to_sparse_tensor_outputs out;
    out.indices = weir_output(op, 0);
    out.values = weir_output(op, 1);
    out.dense_shape = weir_output(op, 2);
    return out;
}

/* DenseCountSparseOutput(values: T, weights: output_type) -> output_indices: int64, output_values:
 * output_type, output_dense_shape: int64: counts of values per row, or sums of their weights, as a
 * sparse tensor. T: int32, int64. output_type: int32, int64, float, double. */
typedef struct weir_dense_count_sparse_output_options {
    int64_t minlength; /* 0: -1 */
    int64_t maxlength; /* 0: -1 */
} weir_dense_count_sparse_output_options;
typedef struct weir_dense_count_sparse_output_outputs {
    TF_Output output_indices;
    TF_Output output_values;
    TF_Output output_dense_shape;
} weir_dense_count_sparse_output_outputs;
static inline weir_dense_count_sparse_output_outputs
weir_dense_count_sparse_output(weir_builder *builder, const char *node, TF_Output values,
                               TF_Output weights, bool binary_output,
                               const weir_dense_count_sparse_output_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DenseCountSparseOutput", node);
    weir_build_input(builder, made, values);
    weir_build_input(builder, made, weights);
    if (made) {
        TF_SetAttrBool(made, "binary_output", binary_output);
    }
    if (made && options) {
        if (options->minlength != 0)
            TF_SetAttrInt(made, "minlength", weir_int_of(options->minlength));
        if (options->maxlength != 0)
            TF_SetAttrInt(made, "maxlength", weir_int_of(options->maxlength));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_dense_count_sparse_output_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    out.output_dense_shape = weir_output(op, 2);
    return out;
}

/* DenseToCSRSparseMatrix(dense_input: T, indices: int64) -> sparse_output: variant: elements of a
 * tensor as a sparse matrix. T: float, double, complex64, complex128. */
static inline TF_Output weir_dense_to_csr_sparse_matrix(weir_builder *builder, const char *node,
                                                        TF_Output dense_input, TF_Output indices)
{
    const TF_Output inputs[] = {dense_input, indices};
    return weir_build_op(builder, "DenseToCSRSparseMatrix", node, inputs, 2);
}

/* DenseToDenseSetOperation(set1: T, set2: T) -> result_indices: int64, result_values: T,
 * result_shape: int64: sets in the last axis: their difference, intersection or union. T: int8,
 * int16, int32, int64, uint8, uint16, string. */
typedef struct weir_dense_to_dense_set_operation_options {
    bool not_validate_indices;
} weir_dense_to_dense_set_operation_options;
typedef struct weir_dense_to_dense_set_operation_outputs {
    TF_Output result_indices;
    TF_Output result_values;
    TF_Output result_shape;
} weir_dense_to_dense_set_operation_outputs;
static inline weir_dense_to_dense_set_operation_outputs
weir_dense_to_dense_set_operation(weir_builder *builder, const char *node, TF_Output set1,
                                  TF_Output set2, const char *set_operation,
                                  const weir_dense_to_dense_set_operation_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DenseToDenseSetOperation", node);
    weir_build_input(builder, made, set1);
    weir_build_input(builder, made, set2);
    if (made) {
        weir_attr_string(made, "set_operation", set_operation);
    }
    if (made && options) {
        TF_SetAttrBool(made, "validate_indices", !options->not_validate_indices);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_dense_to_dense_set_operation_outputs out;
    out.result_indices = weir_output(op, 0);
    out.result_values = weir_output(op, 1);
    out.result_shape = weir_output(op, 2);
    return out;
}

/* DenseToSparseSetOperation(set1: T, set2_indices: int64, set2_values: T, set2_shape: int64) ->
 * result_indices: int64, result_values: T, result_shape: int64: sets in the last axis, the second
 * sparse: difference, intersection or union. T: int8, int16, int32, int64, uint8, uint16, string.
 * */
typedef struct weir_dense_to_sparse_set_operation_options {
    bool not_validate_indices;
} weir_dense_to_sparse_set_operation_options;
typedef struct weir_dense_to_sparse_set_operation_outputs {
    TF_Output result_indices;
    TF_Output result_values;
    TF_Output result_shape;
} weir_dense_to_sparse_set_operation_outputs;
static inline weir_dense_to_sparse_set_operation_outputs
weir_dense_to_sparse_set_operation(weir_builder *builder, const char *node, TF_Output set1,
                                   TF_Output set2_indices, TF_Output set2_values,
                                   TF_Output set2_shape, const char *set_operation,
                                   const weir_dense_to_sparse_set_operation_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DenseToSparseSetOperation", node);
    weir_build_input(builder, made, set1);
    weir_build_input(builder, made, set2_indices);
    weir_build_input(builder, made, set2_values);
    weir_build_input(builder, made, set2_shape);
    if (made) {
        weir_attr_string(made, "set_operation", set_operation);
    }
    if (made && options) {
        TF_SetAttrBool(made, "validate_indices", !options->not_validate_indices);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_dense_to_sparse_set_operation_outputs out;
    out.result_indices = weir_output(op, 0);
    out.result_values = weir_output(op, 1);
    out.result_shape = weir_output(op, 2);
    return out;
}

/* RaggedCountSparseOutput(splits: int64, values: T, weights: output_type) -> output_indices: int64,
 * output_values: output_type, output_dense_shape: int64: counts of values per row, or sums of their
 * weights, as a sparse tensor. T: int32, int64. output_type: int32, int64, float, double. */
typedef struct weir_ragged_count_sparse_output_options {
    int64_t minlength; /* 0: -1 */
    int64_t maxlength; /* 0: -1 */
} weir_ragged_count_sparse_output_options;
typedef struct weir_ragged_count_sparse_output_outputs {
    TF_Output output_indices;
    TF_Output output_values;
    TF_Output output_dense_shape;
} weir_ragged_count_sparse_output_outputs;
static inline weir_ragged_count_sparse_output_outputs
weir_ragged_count_sparse_output(weir_builder *builder, const char *node, TF_Output splits,
                                TF_Output values, TF_Output weights, bool binary_output,
                                const weir_ragged_count_sparse_output_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RaggedCountSparseOutput", node);
    weir_build_input(builder, made, splits);
    weir_build_input(builder, made, values);
    weir_build_input(builder, made, weights);
    if (made) {
        TF_SetAttrBool(made, "binary_output", binary_output);
    }
    if (made && options) {
        if (options->minlength != 0)
            TF_SetAttrInt(made, "minlength", weir_int_of(options->minlength));
        if (options->maxlength != 0)
            TF_SetAttrInt(made, "maxlength", weir_int_of(options->maxlength));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_ragged_count_sparse_output_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    out.output_dense_shape = weir_output(op, 2);
    return out;
}

/* RaggedCross(ragged_values: ragged_values_types, ragged_row_splits: ragged_splits_types,
 * sparse_indices: Nsparse * int64, sparse_values: sparse_values_types, sparse_shape: Nsparse *
 * int64, dense_inputs: dense_types) -> output_values: out_values_type, output_row_splits:
 * out_row_splits_type: feature crosses of ragged, sparse and dense columns, per row.
 * ragged_values_types: int64, string. ragged_splits_types: int32, int64. sparse_values_types:
 * int64, string. dense_types: int64, string. out_values_type: int64, string. out_row_splits_type:
 * int32, int64. */
typedef struct weir_ragged_cross_outputs {
    TF_Output output_values;
    TF_Output output_row_splits;
} weir_ragged_cross_outputs;
static inline weir_ragged_cross_outputs weir_ragged_cross(weir_builder *builder, const char *node,
                                                          const TF_Output *ragged_values,
                                                          int ragged_values_count,
                                                          const TF_Output *ragged_row_splits,
                                                          int ragged_row_splits_count,
                                                          const TF_Output *sparse_indices,
                                                          int sparse_indices_count,
                                                          const TF_Output *sparse_values,
                                                          int sparse_values_count,
                                                          const TF_Output *sparse_shape,
                                                          int sparse_shape_count,
                                                          const TF_Output *dense_inputs,
                                                          int dense_inputs_count,
                                                          const char *input_order,
                                                          bool hashed_output, int64_t num_buckets,
                                                          int64_t hash_key,
                                                          TF_DataType out_values_type,
                                                          TF_DataType out_row_splits_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RaggedCross", node);
    weir_build_input_list(builder, made, ragged_values, ragged_values_count);
    weir_build_input_list(builder, made, ragged_row_splits, ragged_row_splits_count);
    weir_build_input_list(builder, made, sparse_indices, sparse_indices_count);
    weir_build_input_list(builder, made, sparse_values, sparse_values_count);
    weir_build_input_list(builder, made, sparse_shape, sparse_shape_count);
    weir_build_input_list(builder, made, dense_inputs, dense_inputs_count);
    if (made) {
        weir_attr_string(made, "input_order", input_order);
        TF_SetAttrBool(made, "hashed_output", hashed_output);
        TF_SetAttrInt(made, "num_buckets", num_buckets);
        TF_SetAttrInt(made, "hash_key", hash_key);
        TF_SetAttrType(made, "out_values_type", out_values_type);
        TF_SetAttrType(made, "out_row_splits_type", out_row_splits_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_ragged_cross_outputs out;
    out.output_values = weir_output(op, 0);
    out.output_row_splits = weir_output(op, 1);
    return out;
}

/* RaggedFillEmptyRows(value_rowids: int64, values: T, nrows: int64, default_value: T) ->
 * output_value_rowids: int64, output_values: T, empty_row_indicator: bool, reverse_index_map:
 * int64: a default value in empty rows. */
typedef struct weir_ragged_fill_empty_rows_outputs {
    TF_Output output_value_rowids;
    TF_Output output_values;
    TF_Output empty_row_indicator;
    TF_Output reverse_index_map;
} weir_ragged_fill_empty_rows_outputs;
static inline weir_ragged_fill_empty_rows_outputs
weir_ragged_fill_empty_rows(weir_builder *builder, const char *node, TF_Output value_rowids,
                            TF_Output values, TF_Output nrows, TF_Output default_value)
{
    const TF_Output inputs[] = {value_rowids, values, nrows, default_value};
    TF_Operation *op = weir_build_op(builder, "RaggedFillEmptyRows", node, inputs, 4).oper;
    weir_ragged_fill_empty_rows_outputs out;
    out.output_value_rowids = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    out.empty_row_indicator = weir_output(op, 2);
    out.reverse_index_map = weir_output(op, 3);
    return out;
}

/* RaggedFillEmptyRowsGrad(reverse_index_map: int64, grad_values: T) -> d_values: T,
 * d_default_value: T: the gradient of RaggedFillEmptyRows. */
typedef struct weir_ragged_fill_empty_rows_grad_outputs {
    TF_Output d_values;
    TF_Output d_default_value;
} weir_ragged_fill_empty_rows_grad_outputs;
static inline weir_ragged_fill_empty_rows_grad_outputs
weir_ragged_fill_empty_rows_grad(weir_builder *builder, const char *node,
                                 TF_Output reverse_index_map, TF_Output grad_values)
{
    const TF_Output inputs[] = {reverse_index_map, grad_values};
    TF_Operation *op = weir_build_op(builder, "RaggedFillEmptyRowsGrad", node, inputs, 2).oper;
    weir_ragged_fill_empty_rows_grad_outputs out;
    out.d_values = weir_output(op, 0);
    out.d_default_value = weir_output(op, 1);
    return out;
}

/* RaggedGather(params_nested_splits: PARAMS_RAGGED_RANK * Tsplits, params_dense_values: Tvalues,
 * indices: Tindices) -> output_nested_splits: OUTPUT_RAGGED_RANK * Tsplits, output_dense_values:
 * Tvalues: gathers rows of a ragged tensor. Tindices: int32, int64. Tsplits: int32, int64. */
typedef struct weir_ragged_gather_outputs {
    weir_outputs output_nested_splits;
    TF_Output output_dense_values;
} weir_ragged_gather_outputs;
static inline weir_ragged_gather_outputs weir_ragged_gather(weir_builder *builder, const char *node,
                                                            const TF_Output *params_nested_splits,
                                                            int params_nested_splits_count,
                                                            TF_Output params_dense_values,
                                                            TF_Output indices,
                                                            int64_t OUTPUT_RAGGED_RANK)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RaggedGather", node);
    weir_build_input_list(builder, made, params_nested_splits, params_nested_splits_count);
    weir_build_input(builder, made, params_dense_values);
    weir_build_input(builder, made, indices);
    if (made) {
        TF_SetAttrInt(made, "OUTPUT_RAGGED_RANK", OUTPUT_RAGGED_RANK);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_ragged_gather_outputs out;
    int at = 0;
    out.output_nested_splits = weir_outputs_of(op, "output_nested_splits", at);
    at += out.output_nested_splits.count;
    out.output_dense_values = weir_output(op, at);
    return out;
}

/* RaggedRange(starts: T, limits: T, deltas: T) -> rt_nested_splits: Tsplits, rt_dense_values: T:
 * one range of numbers per row. T: bfloat16, float, double, int32, int64. Tsplits: int32, int64. */
typedef struct weir_ragged_range_options {
    TF_DataType Tsplits; /* 0: TF_INT64; int32, int64 */
} weir_ragged_range_options;
typedef struct weir_ragged_range_outputs {
    TF_Output rt_nested_splits;
    TF_Output rt_dense_values;
} weir_ragged_range_outputs;
static inline weir_ragged_range_outputs weir_ragged_range(weir_builder *builder, const char *node,
                                                          TF_Output starts, TF_Output limits,
                                                          TF_Output deltas,
                                                          const weir_ragged_range_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RaggedRange", node);
    weir_build_input(builder, made, starts);
    weir_build_input(builder, made, limits);
    weir_build_input(builder, made, deltas);
    if (made && options) {
        if (options->Tsplits)
            TF_SetAttrType(made, "Tsplits", options->Tsplits);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_ragged_range_outputs out;
    out.rt_nested_splits = weir_output(op, 0);
    out.rt_dense_values = weir_output(op, 1);
    return out;
}

/* RaggedTensorFromVariant(encoded_ragged: variant) -> output_nested_splits: output_ragged_rank *
 * Tsplits, output_dense_values: Tvalues: ragged tensors in variant tensors, as a whole or one per
 * row. Tsplits: int32, int64. */
typedef struct weir_ragged_tensor_from_variant_options {
    TF_DataType Tsplits; /* 0: TF_INT64; int32, int64 */
} weir_ragged_tensor_from_variant_options;
typedef struct weir_ragged_tensor_from_variant_outputs {
    weir_outputs output_nested_splits;
    TF_Output output_dense_values;
} weir_ragged_tensor_from_variant_outputs;
static inline weir_ragged_tensor_from_variant_outputs
weir_ragged_tensor_from_variant(weir_builder *builder, const char *node, TF_Output encoded_ragged,
                                int64_t input_ragged_rank, int64_t output_ragged_rank,
                                TF_DataType Tvalues,
                                const weir_ragged_tensor_from_variant_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RaggedTensorFromVariant", node);
    weir_build_input(builder, made, encoded_ragged);
    if (made) {
        TF_SetAttrInt(made, "input_ragged_rank", input_ragged_rank);
        TF_SetAttrInt(made, "output_ragged_rank", output_ragged_rank);
        TF_SetAttrType(made, "Tvalues", Tvalues);
    }
    if (made && options) {
        if (options->Tsplits)
            TF_SetAttrType(made, "Tsplits", options->Tsplits);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_ragged_tensor_from_variant_outputs out;
    int at = 0;
    out.output_nested_splits = weir_outputs_of(op, "output_nested_splits", at);
    at += out.output_nested_splits.count;
    out.output_dense_values = weir_output(op, at);
    return out;
}

/* RaggedTensorToSparse(rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: T) ->
 * sparse_indices: int64, sparse_values: T, sparse_dense_shape: int64: a ragged tensor as a sparse
 * one. Tsplits: int32, int64. */
typedef struct weir_ragged_tensor_to_sparse_outputs {
    TF_Output sparse_indices;
    TF_Output sparse_values;
    TF_Output sparse_dense_shape;
} weir_ragged_tensor_to_sparse_outputs;
static inline weir_ragged_tensor_to_sparse_outputs
weir_ragged_tensor_to_sparse(weir_builder *builder, const char *node,
                             const TF_Output *rt_nested_splits, int rt_nested_splits_count,
                             TF_Output rt_dense_values)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RaggedTensorToSparse", node);
    weir_build_input_list(builder, made, rt_nested_splits, rt_nested_splits_count);
    weir_build_input(builder, made, rt_dense_values);
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_ragged_tensor_to_sparse_outputs out;
    out.sparse_indices = weir_output(op, 0);
    out.sparse_values = weir_output(op, 1);
    out.sparse_dense_shape = weir_output(op, 2);
    return out;
}

/* RaggedTensorToTensor(shape: Tshape, values: T, default_value: T, row_partition_tensors:
 * num_row_partition_tensors * Tindex) -> result: T: pads or truncates rows to one length. Tindex:
 * int64, int32. Tshape: int64, int32. */
static inline TF_Output weir_ragged_tensor_to_tensor(weir_builder *builder, const char *node,
                                                     TF_Output shape, TF_Output values,
                                                     TF_Output default_value,
                                                     const TF_Output *row_partition_tensors,
                                                     int row_partition_tensors_count,
                                                     const char *const *row_partition_types,
                                                     int row_partition_types_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RaggedTensorToTensor", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, values);
    weir_build_input(builder, made, default_value);
    weir_build_input_list(builder, made, row_partition_tensors, row_partition_tensors_count);
    if (made) {
        weir_attr_strings(made, "row_partition_types", row_partition_types, row_partition_types_count);
    }
    return weir_build_end(builder, made);
}

/* RaggedTensorToVariant(rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: Tvalues) ->
 * encoded_ragged: variant: ragged tensors in variant tensors, as a whole or one per row. Tsplits:
 * int32, int64. */
static inline TF_Output weir_ragged_tensor_to_variant(weir_builder *builder, const char *node,
                                                      const TF_Output *rt_nested_splits,
                                                      int rt_nested_splits_count,
                                                      TF_Output rt_dense_values, bool batched_input)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RaggedTensorToVariant", node);
    weir_build_input_list(builder, made, rt_nested_splits, rt_nested_splits_count);
    weir_build_input(builder, made, rt_dense_values);
    if (made) {
        TF_SetAttrBool(made, "batched_input", batched_input);
    }
    return weir_build_end(builder, made);
}

/* RaggedTensorToVariantGradient(encoded_ragged_grad: variant, row_splits: Tsplits,
 * dense_values_shape: int32) -> dense_values_grad: Tvalues: the gradient of RaggedTensorToVariant.
 * Tsplits: int32, int64. */
static inline TF_Output weir_ragged_tensor_to_variant_gradient(weir_builder *builder,
                                                               const char *node,
                                                               TF_Output encoded_ragged_grad,
                                                               TF_Output row_splits,
                                                               TF_Output dense_values_shape,
                                                               TF_DataType Tvalues)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "RaggedTensorToVariantGradient", node);
    weir_build_input(builder, made, encoded_ragged_grad);
    weir_build_input(builder, made, row_splits);
    weir_build_input(builder, made, dense_values_shape);
    if (made) {
        TF_SetAttrType(made, "Tvalues", Tvalues);
    }
    return weir_build_end(builder, made);
}

/* SerializeManySparse(sparse_indices: int64, sparse_values: T, sparse_shape: int64) ->
 * serialized_sparse: out_type: sparse tensors as three tensors in elements of strings or variants.
 * out_type: string, variant. */
typedef struct weir_serialize_many_sparse_options {
    TF_DataType out_type; /* 0: TF_STRING; string, variant */
} weir_serialize_many_sparse_options;
static inline TF_Output
weir_serialize_many_sparse(weir_builder *builder, const char *node, TF_Output sparse_indices,
                           TF_Output sparse_values, TF_Output sparse_shape,
                           const weir_serialize_many_sparse_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SerializeManySparse", node);
    weir_build_input(builder, made, sparse_indices);
    weir_build_input(builder, made, sparse_values);
    weir_build_input(builder, made, sparse_shape);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    return weir_build_end(builder, made);
}

/* SerializeSparse(sparse_indices: int64, sparse_values: T, sparse_shape: int64) ->
 * serialized_sparse: out_type: sparse tensors as three tensors in elements of strings or variants.
 * out_type: string, variant. */
typedef struct weir_serialize_sparse_options {
    TF_DataType out_type; /* 0: TF_STRING; string, variant */
} weir_serialize_sparse_options;
static inline TF_Output weir_serialize_sparse(weir_builder *builder, const char *node,
                                              TF_Output sparse_indices, TF_Output sparse_values,
                                              TF_Output sparse_shape,
                                              const weir_serialize_sparse_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SerializeSparse", node);
    weir_build_input(builder, made, sparse_indices);
    weir_build_input(builder, made, sparse_values);
    weir_build_input(builder, made, sparse_shape);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    return weir_build_end(builder, made);
}

/* SetSize(set_indices: int64, set_values: T, set_shape: int64) -> size: int32: the number of
 * distinct values of each set. T: int8, int16, int32, int64, uint8, uint16, string. */
typedef struct weir_set_size_options {
    bool not_validate_indices;
} weir_set_size_options;
static inline TF_Output weir_set_size(weir_builder *builder, const char *node,
                                      TF_Output set_indices, TF_Output set_values,
                                      TF_Output set_shape, const weir_set_size_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SetSize", node);
    weir_build_input(builder, made, set_indices);
    weir_build_input(builder, made, set_values);
    weir_build_input(builder, made, set_shape);
    if (made && options) {
        TF_SetAttrBool(made, "validate_indices", !options->not_validate_indices);
    }
    return weir_build_end(builder, made);
}

/* SparseCountSparseOutput(indices: int64, values: T, dense_shape: int64, weights: output_type) ->
 * output_indices: int64, output_values: output_type, output_dense_shape: int64: counts of values
 * per row, or sums of their weights, as a sparse tensor. T: int32, int64. output_type: int32,
 * int64, float, double. */
typedef struct weir_sparse_count_sparse_output_options {
    int64_t minlength; /* 0: -1 */
    int64_t maxlength; /* 0: -1 */
} weir_sparse_count_sparse_output_options;
typedef struct weir_sparse_count_sparse_output_outputs {
    TF_Output output_indices;
    TF_Output output_values;
    TF_Output output_dense_shape;
} weir_sparse_count_sparse_output_outputs;
static inline weir_sparse_count_sparse_output_outputs
weir_sparse_count_sparse_output(weir_builder *builder, const char *node, TF_Output indices,
                                TF_Output values, TF_Output dense_shape, TF_Output weights,
                                bool binary_output,
                                const weir_sparse_count_sparse_output_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseCountSparseOutput", node);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, values);
    weir_build_input(builder, made, dense_shape);
    weir_build_input(builder, made, weights);
    if (made) {
        TF_SetAttrBool(made, "binary_output", binary_output);
    }
    if (made && options) {
        if (options->minlength != 0)
            TF_SetAttrInt(made, "minlength", weir_int_of(options->minlength));
        if (options->maxlength != 0)
            TF_SetAttrInt(made, "maxlength", weir_int_of(options->maxlength));
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_sparse_count_sparse_output_outputs out;
    out.output_indices = weir_output(op, 0);
    out.output_values = weir_output(op, 1);
    out.output_dense_shape = weir_output(op, 2);
    return out;
}

/* SparseMatrixAdd(a: variant, b: variant, alpha: T, beta: T) -> c: variant: sparse matrices entry
 * by entry. T: float, double, complex64, complex128. */
static inline TF_Output weir_sparse_matrix_add(weir_builder *builder, const char *node, TF_Output a,
                                               TF_Output b, TF_Output alpha, TF_Output beta)
{
    const TF_Output inputs[] = {a, b, alpha, beta};
    return weir_build_op(builder, "SparseMatrixAdd", node, inputs, 4);
}

/* SparseMatrixMatMul(a: variant, b: T) -> output: T: a sparse matrix times a dense one. */
typedef struct weir_sparse_matrix_mat_mul_options {
    bool transpose_a;
    bool transpose_b;
    bool adjoint_a;
    bool adjoint_b;
    bool transpose_output;
    bool conjugate_output;
} weir_sparse_matrix_mat_mul_options;
static inline TF_Output
weir_sparse_matrix_mat_mul(weir_builder *builder, const char *node, TF_Output a, TF_Output b,
                           const weir_sparse_matrix_mat_mul_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseMatrixMatMul", node);
    weir_build_input(builder, made, a);
    weir_build_input(builder, made, b);
    if (made && options) {
        TF_SetAttrBool(made, "transpose_a", options->transpose_a);
        TF_SetAttrBool(made, "transpose_b", options->transpose_b);
        TF_SetAttrBool(made, "adjoint_a", options->adjoint_a);
        TF_SetAttrBool(made, "adjoint_b", options->adjoint_b);
        TF_SetAttrBool(made, "transpose_output", options->transpose_output);
        TF_SetAttrBool(made, "conjugate_output", options->conjugate_output);
    }
    return weir_build_end(builder, made);
}

/* SparseMatrixMul(a: variant, b: T) -> output: variant: sparse matrices entry by entry. */
static inline TF_Output weir_sparse_matrix_mul(weir_builder *builder, const char *node, TF_Output a,
                                               TF_Output b)
{
    const TF_Output inputs[] = {a, b};
    return weir_build_op(builder, "SparseMatrixMul", node, inputs, 2);
}

/* SparseMatrixNNZ(sparse_matrix: variant) -> nnz: int32: the number of nonzero elements of a sparse
 * matrix. */
static inline TF_Output weir_sparse_matrix_nnz(weir_builder *builder, const char *node,
                                               TF_Output sparse_matrix)
{
    const TF_Output inputs[] = {sparse_matrix};
    return weir_build_op(builder, "SparseMatrixNNZ", node, inputs, 1);
}

/* SparseMatrixSoftmax(logits: variant) -> softmax: variant: sparse matrices entry by entry. type:
 * float, double. */
static inline TF_Output weir_sparse_matrix_softmax(weir_builder *builder, const char *node,
                                                   TF_Output logits, TF_DataType type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseMatrixSoftmax", node);
    weir_build_input(builder, made, logits);
    if (made) {
        TF_SetAttrType(made, "type", type);
    }
    return weir_build_end(builder, made);
}

/* SparseMatrixSoftmaxGrad(softmax: variant, grad_softmax: variant) -> gradient: variant: sparse
 * matrices entry by entry. type: float, double. */
static inline TF_Output weir_sparse_matrix_softmax_grad(weir_builder *builder, const char *node,
                                                        TF_Output softmax, TF_Output grad_softmax,
                                                        TF_DataType type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseMatrixSoftmaxGrad", node);
    weir_build_input(builder, made, softmax);
    weir_build_input(builder, made, grad_softmax);
    if (made) {
        TF_SetAttrType(made, "type", type);
    }
    return weir_build_end(builder, made);
}

/* SparseMatrixSparseMatMul(a: variant, b: variant) -> c: variant: the product of two sparse
 * matrices. type: float, double, complex64, complex128. */
typedef struct weir_sparse_matrix_sparse_mat_mul_options {
    bool transpose_a;
    bool transpose_b;
    bool adjoint_a;
    bool adjoint_b;
} weir_sparse_matrix_sparse_mat_mul_options;
static inline TF_Output
weir_sparse_matrix_sparse_mat_mul(weir_builder *builder, const char *node, TF_Output a, TF_Output b,
                                  TF_DataType type,
                                  const weir_sparse_matrix_sparse_mat_mul_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseMatrixSparseMatMul", node);
    weir_build_input(builder, made, a);
    weir_build_input(builder, made, b);
    if (made) {
        TF_SetAttrType(made, "type", type);
    }
    if (made && options) {
        TF_SetAttrBool(made, "transpose_a", options->transpose_a);
        TF_SetAttrBool(made, "transpose_b", options->transpose_b);
        TF_SetAttrBool(made, "adjoint_a", options->adjoint_a);
        TF_SetAttrBool(made, "adjoint_b", options->adjoint_b);
    }
    return weir_build_end(builder, made);
}

/* SparseMatrixTranspose(input: variant) -> output: variant: the transpose of a sparse matrix. type:
 * float, double, complex64, complex128. */
typedef struct weir_sparse_matrix_transpose_options {
    bool conjugate;
} weir_sparse_matrix_transpose_options;
static inline TF_Output
weir_sparse_matrix_transpose(weir_builder *builder, const char *node, TF_Output input,
                             TF_DataType type, const weir_sparse_matrix_transpose_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseMatrixTranspose", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrType(made, "type", type);
    }
    if (made && options) {
        TF_SetAttrBool(made, "conjugate", options->conjugate);
    }
    return weir_build_end(builder, made);
}

/* SparseMatrixZeros(dense_shape: int64) -> sparse_matrix: variant: sparse matrices entry by entry.
 * type: float, double, complex64, complex128. */
static inline TF_Output weir_sparse_matrix_zeros(weir_builder *builder, const char *node,
                                                 TF_Output dense_shape, TF_DataType type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseMatrixZeros", node);
    weir_build_input(builder, made, dense_shape);
    if (made) {
        TF_SetAttrType(made, "type", type);
    }
    return weir_build_end(builder, made);
}

/* SparseTensorToCSRSparseMatrix(indices: int64, values: T, dense_shape: int64) -> sparse_matrix:
 * variant: indices, values and shape as a sparse matrix. T: float, double, complex64, complex128.
 * */
static inline TF_Output weir_sparse_tensor_to_csr_sparse_matrix(weir_builder *builder,
                                                                const char *node, TF_Output indices,
                                                                TF_Output values,
                                                                TF_Output dense_shape)
{
    const TF_Output inputs[] = {indices, values, dense_shape};
    return weir_build_op(builder, "SparseTensorToCSRSparseMatrix", node, inputs, 3);
}

/* SparseToSparseSetOperation(set1_indices: int64, set1_values: T, set1_shape: int64, set2_indices:
 * int64, set2_values: T, set2_shape: int64) -> result_indices: int64, result_values: T,
 * result_shape: int64: sparse sets in the last axis: difference, intersection or union. T: int8,
 * int16, int32, int64, uint8, uint16, string. */
typedef struct weir_sparse_to_sparse_set_operation_options {
    bool not_validate_indices;
} weir_sparse_to_sparse_set_operation_options;
typedef struct weir_sparse_to_sparse_set_operation_outputs {
    TF_Output result_indices;
    TF_Output result_values;
    TF_Output result_shape;
} weir_sparse_to_sparse_set_operation_outputs;
static inline weir_sparse_to_sparse_set_operation_outputs
weir_sparse_to_sparse_set_operation(weir_builder *builder, const char *node, TF_Output set1_indices,
                                    TF_Output set1_values, TF_Output set1_shape,
                                    TF_Output set2_indices, TF_Output set2_values,
                                    TF_Output set2_shape, const char *set_operation,
                                    const weir_sparse_to_sparse_set_operation_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseToSparseSetOperation", node);
    weir_build_input(builder, made, set1_indices);
    weir_build_input(builder, made, set1_values);
    weir_build_input(builder, made, set1_shape);
    weir_build_input(builder, made, set2_indices);
    weir_build_input(builder, made, set2_values);
    weir_build_input(builder, made, set2_shape);
    if (made) {
        weir_attr_string(made, "set_operation", set_operation);
    }
    if (made && options) {
        TF_SetAttrBool(made, "validate_indices", !options->not_validate_indices);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_sparse_to_sparse_set_operation_outputs out;
    out.result_indices = weir_output(op, 0);
    out.result_values = weir_output(op, 1);
    out.result_shape = weir_output(op, 2);
    return out;
}

/* TakeManySparseFromTensorsMap(sparse_handles: int64) -> sparse_indices: int64, sparse_values:
 * dtype, sparse_shape: int64: stores sparse tensors under a handle for a later step. */
typedef struct weir_take_many_sparse_from_tensors_map_options {
    const char *container; /* null: "" */
    const char *shared_name; /* null: "" */
} weir_take_many_sparse_from_tensors_map_options;
typedef struct weir_take_many_sparse_from_tensors_map_outputs {
    TF_Output sparse_indices;
    TF_Output sparse_values;
    TF_Output sparse_shape;
} weir_take_many_sparse_from_tensors_map_outputs;
static inline weir_take_many_sparse_from_tensors_map_outputs
weir_take_many_sparse_from_tensors_map(weir_builder *builder, const char *node,
    TF_Output sparse_handles, TF_DataType dtype,
    const weir_take_many_sparse_from_tensors_map_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TakeManySparseFromTensorsMap", node);
    weir_build_input(builder, made, sparse_handles);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        if (options->container)
            weir_attr_string(made, "container", options->container);
        if (options->shared_name)
            weir_attr_string(made, "shared_name", options->shared_name);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_take_many_sparse_from_tensors_map_outputs out;
    out.sparse_indices = weir_output(op, 0);
    out.sparse_values = weir_output(op, 1);
    out.sparse_shape = weir_output(op, 2);
    return out;
}

#ifdef __cplusplus
}
#endif
#endif
