"""Ops: sparse, form. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AddManySparseToTensorsMap': 'sparse_indices:9 sparse_values:T sparse_shape:9|sparse_handles:9|T:t container:s shared_name:s|1',
    'AddSparseToTensorsMap': 'sparse_indices:9 sparse_values:T sparse_shape:9|sparse_handle:9|T:t container:s shared_name:s|1',
    'CSRSparseMatrixComponents': 'csr_sparse_matrix:21 index:3|row_ptrs:3 col_inds:3 values:type|type:t|0',
    'CSRSparseMatrixToDense': 'sparse_input:21|dense_output:type|type:t|0',
    'CSRSparseMatrixToSparseTensor': 'sparse_matrix:21|indices:9 values:type dense_shape:9|type:t|0',
    'DenseCountSparseOutput': 'values:T weights:output_type|output_indices:9 output_values:output_type output_dense_shape:9|T:t minlength:i maxlength:i binary_output:b output_type:t|0',
    'DenseToCSRSparseMatrix': 'dense_input:T indices:9|sparse_output:21|T:t|0',
    'DenseToDenseSetOperation': 'set1:T set2:T|result_indices:9 result_values:T result_shape:9|set_operation:s validate_indices:b T:t|0',
    'DenseToSparseSetOperation': 'set1:T set2_indices:9 set2_values:T set2_shape:9|result_indices:9 result_values:T result_shape:9|set_operation:s validate_indices:b T:t|0',
    'RaggedCountSparseOutput': 'splits:9 values:T weights:output_type|output_indices:9 output_values:output_type output_dense_shape:9|T:t minlength:i maxlength:i binary_output:b output_type:t|0',
    'RaggedCross': 'ragged_values:*ragged_values_types ragged_row_splits:*ragged_splits_types sparse_indices:Nsparse*9 sparse_values:*sparse_values_types sparse_shape:Nsparse*9 dense_inputs:*dense_types|output_values:out_values_type output_row_splits:out_row_splits_type|Nsparse:i input_order:s hashed_output:b num_buckets:i hash_key:i ragged_values_types:[t ragged_splits_types:[t sparse_values_types:[t dense_types:[t out_values_type:t out_row_splits_type:t|0',
    'RaggedFillEmptyRows': 'value_rowids:9 values:T nrows:9 default_value:T|output_value_rowids:9 output_values:T empty_row_indicator:10 reverse_index_map:9|T:t|0',
    'RaggedFillEmptyRowsGrad': 'reverse_index_map:9 grad_values:T|d_values:T d_default_value:T|T:t|0',
    'RaggedGather': 'params_nested_splits:PARAMS_RAGGED_RANK*Tsplits params_dense_values:Tvalues indices:Tindices|output_nested_splits:OUTPUT_RAGGED_RANK*Tsplits output_dense_values:Tvalues|Tvalues:t Tindices:t Tsplits:t=9 PARAMS_RAGGED_RANK:i OUTPUT_RAGGED_RANK:i|0',
    'RaggedRange': 'starts:T limits:T deltas:T|rt_nested_splits:Tsplits rt_dense_values:T|T:t=3 Tsplits:t=9|0',
    'RaggedTensorFromVariant': 'encoded_ragged:21|output_nested_splits:output_ragged_rank*Tsplits output_dense_values:Tvalues|input_ragged_rank:i output_ragged_rank:i Tvalues:t Tsplits:t=9|0',
    'RaggedTensorToSparse': 'rt_nested_splits:RAGGED_RANK*Tsplits rt_dense_values:T|sparse_indices:9 sparse_values:T sparse_dense_shape:9|RAGGED_RANK:i T:t Tsplits:t=9|0',
    'RaggedTensorToTensor': 'shape:Tshape values:T default_value:T row_partition_tensors:num_row_partition_tensors*Tindex|result:T|T:t Tindex:t Tshape:t num_row_partition_tensors:i row_partition_types:[s|0',
    'RaggedTensorToVariant': 'rt_nested_splits:RAGGED_RANK*Tsplits rt_dense_values:Tvalues|encoded_ragged:21|RAGGED_RANK:i Tvalues:t Tsplits:t=9 batched_input:b|0',
    'RaggedTensorToVariantGradient': 'encoded_ragged_grad:21 row_splits:Tsplits dense_values_shape:3|dense_values_grad:Tvalues|Tvalues:t Tsplits:t=9|0',
    'SerializeManySparse': 'sparse_indices:9 sparse_values:T sparse_shape:9|serialized_sparse:out_type|T:t out_type:t=7|0',
    'SerializeSparse': 'sparse_indices:9 sparse_values:T sparse_shape:9|serialized_sparse:out_type|T:t out_type:t=7|0',
    'SetSize': 'set_indices:9 set_values:T set_shape:9|size:3|validate_indices:b T:t|0',
    'SparseCountSparseOutput': 'indices:9 values:T dense_shape:9 weights:output_type|output_indices:9 output_values:output_type output_dense_shape:9|T:t minlength:i maxlength:i binary_output:b output_type:t|0',
    'SparseMatrixAdd': 'a:21 b:21 alpha:T beta:T|c:21|T:t|0',
    'SparseMatrixMatMul': 'a:21 b:T|output:T|T:t transpose_a:b transpose_b:b adjoint_a:b adjoint_b:b transpose_output:b conjugate_output:b|0',
    'SparseMatrixMul': 'a:21 b:T|output:21|T:t|0',
    'SparseMatrixNNZ': 'sparse_matrix:21|nnz:3||0',
    'SparseMatrixSoftmax': 'logits:21|softmax:21|type:t|0',
    'SparseMatrixSoftmaxGrad': 'softmax:21 grad_softmax:21|gradient:21|type:t|0',
    'SparseMatrixSparseMatMul': 'a:21 b:21|c:21|type:t transpose_a:b transpose_b:b adjoint_a:b adjoint_b:b|0',
    'SparseMatrixTranspose': 'input:21|output:21|conjugate:b type:t|0',
    'SparseMatrixZeros': 'dense_shape:9|sparse_matrix:21|type:t|0',
    'SparseTensorToCSRSparseMatrix': 'indices:9 values:T dense_shape:9|sparse_matrix:21|T:t|0',
    'SparseToSparseSetOperation': 'set1_indices:9 set1_values:T set1_shape:9 set2_indices:9 set2_values:T set2_shape:9|result_indices:9 result_values:T result_shape:9|set_operation:s validate_indices:b T:t|0',
    'TakeManySparseFromTensorsMap': 'sparse_handles:9|sparse_indices:9 sparse_values:dtype sparse_shape:9|dtype:t container:s shared_name:s|1',
}


def add_many_sparse_to_tensors_map(sparse_indices, sparse_values, sparse_shape, container='', shared_name='', name=None):
    return apply('AddManySparseToTensorsMap', name, (sparse_indices, sparse_values, sparse_shape), {'container': container, 'shared_name': shared_name}).outputs[0]


def add_sparse_to_tensors_map(sparse_indices, sparse_values, sparse_shape, container='', shared_name='', name=None):
    return apply('AddSparseToTensorsMap', name, (sparse_indices, sparse_values, sparse_shape), {'container': container, 'shared_name': shared_name}).outputs[0]


def csr_sparse_matrix_components(csr_sparse_matrix, index, type, name=None):
    return results(apply('CSRSparseMatrixComponents', name, (csr_sparse_matrix, index), {'type': type}))


def csr_sparse_matrix_to_dense(sparse_input, type, name=None):
    return apply('CSRSparseMatrixToDense', name, (sparse_input,), {'type': type}).outputs[0]


def csr_sparse_matrix_to_sparse_tensor(sparse_matrix, type, name=None):
    return results(apply('CSRSparseMatrixToSparseTensor', name, (sparse_matrix,), {'type': type}))


def dense_count_sparse_output(values, weights, binary_output, minlength=-1, maxlength=-1, name=None):
    return results(apply('DenseCountSparseOutput', name, (values, weights), {'binary_output': binary_output, 'minlength': minlength, 'maxlength': maxlength}))


def dense_to_csr_sparse_matrix(dense_input, indices, name=None):
    return apply('DenseToCSRSparseMatrix', name, (dense_input, indices), {}).outputs[0]


def dense_to_dense_set_operation(set1, set2, set_operation, validate_indices=True, name=None):
    return results(apply('DenseToDenseSetOperation', name, (set1, set2), {'set_operation': set_operation, 'validate_indices': validate_indices}))


def dense_to_sparse_set_operation(set1, set2_indices, set2_values, set2_shape, set_operation, validate_indices=True, name=None):
    return results(apply('DenseToSparseSetOperation', name, (set1, set2_indices, set2_values, set2_shape), {'set_operation': set_operation, 'validate_indices': validate_indices}))


def ragged_count_sparse_output(splits, values, weights, binary_output, minlength=-1, maxlength=-1, name=None):
    return results(apply('RaggedCountSparseOutput', name, (splits, values, weights), {'binary_output': binary_output, 'minlength': minlength, 'maxlength': maxlength}))


def ragged_cross(ragged_values, ragged_row_splits, sparse_indices, sparse_values, sparse_shape, dense_inputs, input_order, hashed_output, num_buckets, hash_key, out_values_type, out_row_splits_type, name=None):
    return results(apply('RaggedCross', name, (ragged_values, ragged_row_splits, sparse_indices, sparse_values, sparse_shape, dense_inputs), {'input_order': input_order, 'hashed_output': hashed_output, 'num_buckets': num_buckets, 'hash_key': hash_key, 'out_values_type': out_values_type, 'out_row_splits_type': out_row_splits_type}))


def ragged_fill_empty_rows(value_rowids, values, nrows, default_value, name=None):
    return results(apply('RaggedFillEmptyRows', name, (value_rowids, values, nrows, default_value), {}))


def ragged_fill_empty_rows_grad(reverse_index_map, grad_values, name=None):
    return results(apply('RaggedFillEmptyRowsGrad', name, (reverse_index_map, grad_values), {}))


def ragged_gather(params_nested_splits, params_dense_values, indices, OUTPUT_RAGGED_RANK, name=None):
    return results(apply('RaggedGather', name, (params_nested_splits, params_dense_values, indices), {'OUTPUT_RAGGED_RANK': OUTPUT_RAGGED_RANK}))


def ragged_range(starts, limits, deltas, Tsplits=dtypes.int64, name=None):
    return results(apply('RaggedRange', name, (starts, limits, deltas), {'Tsplits': Tsplits}))


def ragged_tensor_from_variant(encoded_ragged, input_ragged_rank, output_ragged_rank, Tvalues, Tsplits=dtypes.int64, name=None):
    return results(apply('RaggedTensorFromVariant', name, (encoded_ragged,), {'input_ragged_rank': input_ragged_rank, 'output_ragged_rank': output_ragged_rank, 'Tvalues': Tvalues, 'Tsplits': Tsplits}))


def ragged_tensor_to_sparse(rt_nested_splits, rt_dense_values, name=None):
    return results(apply('RaggedTensorToSparse', name, (rt_nested_splits, rt_dense_values), {}))


def ragged_tensor_to_tensor(shape, values, default_value, row_partition_tensors, row_partition_types, name=None):
    return apply('RaggedTensorToTensor', name, (shape, values, default_value, row_partition_tensors), {'row_partition_types': row_partition_types}).outputs[0]


def ragged_tensor_to_variant(rt_nested_splits, rt_dense_values, batched_input, name=None):
    return apply('RaggedTensorToVariant', name, (rt_nested_splits, rt_dense_values), {'batched_input': batched_input}).outputs[0]


def ragged_tensor_to_variant_gradient(encoded_ragged_grad, row_splits, dense_values_shape, Tvalues, name=None):
    return apply('RaggedTensorToVariantGradient', name, (encoded_ragged_grad, row_splits, dense_values_shape), {'Tvalues': Tvalues}).outputs[0]


def serialize_many_sparse(sparse_indices, sparse_values, sparse_shape, out_type=dtypes.string, name=None):
    return apply('SerializeManySparse', name, (sparse_indices, sparse_values, sparse_shape), {'out_type': out_type}).outputs[0]


def serialize_sparse(sparse_indices, sparse_values, sparse_shape, out_type=dtypes.string, name=None):
    return apply('SerializeSparse', name, (sparse_indices, sparse_values, sparse_shape), {'out_type': out_type}).outputs[0]


def set_size(set_indices, set_values, set_shape, validate_indices=True, name=None):
    return apply('SetSize', name, (set_indices, set_values, set_shape), {'validate_indices': validate_indices}).outputs[0]


def sparse_count_sparse_output(indices, values, dense_shape, weights, binary_output, minlength=-1, maxlength=-1, name=None):
    return results(apply('SparseCountSparseOutput', name, (indices, values, dense_shape, weights), {'binary_output': binary_output, 'minlength': minlength, 'maxlength': maxlength}))


def sparse_matrix_add(a, b, alpha, beta, name=None):
    return apply('SparseMatrixAdd', name, (a, b, alpha, beta), {}).outputs[0]


def sparse_matrix_mat_mul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, transpose_output=False, conjugate_output=False, name=None):
    return apply('SparseMatrixMatMul', name, (a, b), {'transpose_a': transpose_a, 'transpose_b': transpose_b, 'adjoint_a': adjoint_a, 'adjoint_b': adjoint_b, 'transpose_output': transpose_output, 'conjugate_output': conjugate_output}).outputs[0]


def sparse_matrix_mul(a, b, name=None):
    return apply('SparseMatrixMul', name, (a, b), {}).outputs[0]


def sparse_matrix_nnz(sparse_matrix, name=None):
    return apply('SparseMatrixNNZ', name, (sparse_matrix,), {}).outputs[0]


def sparse_matrix_softmax(logits, type, name=None):
    return apply('SparseMatrixSoftmax', name, (logits,), {'type': type}).outputs[0]


def sparse_matrix_softmax_grad(softmax, grad_softmax, type, name=None):
    return apply('SparseMatrixSoftmaxGrad', name, (softmax, grad_softmax), {'type': type}).outputs[0]


def sparse_matrix_sparse_mat_mul(a, b, type, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, name=None):
    return apply('SparseMatrixSparseMatMul', name, (a, b), {'type': type, 'transpose_a': transpose_a, 'transpose_b': transpose_b, 'adjoint_a': adjoint_a, 'adjoint_b': adjoint_b}).outputs[0]


def sparse_matrix_transpose(input, type, conjugate=False, name=None):
    return apply('SparseMatrixTranspose', name, (input,), {'type': type, 'conjugate': conjugate}).outputs[0]


def sparse_matrix_zeros(dense_shape, type, name=None):
    return apply('SparseMatrixZeros', name, (dense_shape,), {'type': type}).outputs[0]


def sparse_tensor_to_csr_sparse_matrix(indices, values, dense_shape, name=None):
    return apply('SparseTensorToCSRSparseMatrix', name, (indices, values, dense_shape), {}).outputs[0]


def sparse_to_sparse_set_operation(set1_indices, set1_values, set1_shape, set2_indices, set2_values, set2_shape, set_operation, validate_indices=True, name=None):
    return results(apply('SparseToSparseSetOperation', name, (set1_indices, set1_values, set1_shape, set2_indices, set2_values, set2_shape), {'set_operation': set_operation, 'validate_indices': validate_indices}))


def take_many_sparse_from_tensors_map(sparse_handles, dtype, container='', shared_name='', name=None):
    return results(apply('TakeManySparseFromTensorsMap', name, (sparse_handles,), {'dtype': dtype, 'container': container, 'shared_name': shared_name}))
