"""Ops: sparse, tensor. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'DeserializeManySparse': 'serialized_sparse:7|sparse_indices:9 sparse_values:dtype sparse_shape:9|dtype:t|0',
    'DeserializeSparse': 'serialized_sparse:Tserialized|sparse_indices:9 sparse_values:dtype sparse_shape:9|dtype:t Tserialized:t=7|0',
    'SparseAdd': 'a_indices:9 a_values:T a_shape:9 b_indices:9 b_values:T b_shape:9 thresh:Treal|sum_indices:9 sum_values:T sum_shape:9|T:t Treal:t|0',
    'SparseAddGrad': 'backprop_val_grad:T a_indices:9 b_indices:9 sum_indices:9|a_val_grad:T b_val_grad:T|T:t|0',
    'SparseConcat': 'indices:N*9 values:N*T shapes:N*9|output_indices:9 output_values:T output_shape:9|concat_dim:i N:i T:t|0',
    'SparseCross': 'indices:N*9 values:*sparse_types shapes:N*9 dense_inputs:*dense_types|output_indices:9 output_values:out_type output_shape:9|N:i hashed_output:b num_buckets:i hash_key:i sparse_types:[t dense_types:[t out_type:t internal_type:t|0',
    'SparseCrossHashed': 'indices:N*9 values:*sparse_types shapes:N*9 dense_inputs:*dense_types num_buckets:9 strong_hash:10 salt:9|output_indices:9 output_values:9 output_shape:9|N:i sparse_types:[t dense_types:[t|0',
    'SparseCrossV2': 'indices:N*9 values:*sparse_types shapes:N*9 dense_inputs:*dense_types sep:7|output_indices:9 output_values:7 output_shape:9|N:i sparse_types:[t dense_types:[t|0',
    'SparseDenseCwiseAdd': 'sp_indices:9 sp_values:T sp_shape:9 dense:T|output:T|T:t|0',
    'SparseDenseCwiseDiv': 'sp_indices:9 sp_values:T sp_shape:9 dense:T|output:T|T:t|0',
    'SparseDenseCwiseMul': 'sp_indices:9 sp_values:T sp_shape:9 dense:T|output:T|T:t|0',
    'SparseFillEmptyRows': 'indices:9 values:T dense_shape:9 default_value:T|output_indices:9 output_values:T empty_row_indicator:10 reverse_index_map:9|T:t|0',
    'SparseFillEmptyRowsGrad': 'reverse_index_map:9 grad_values:T|d_values:T d_default_value:T|T:t|0',
    'SparseMatMul': 'a:Ta b:Tb|product:1|transpose_a:b transpose_b:b a_is_sparse:b b_is_sparse:b Ta:t=1 Tb:t=1|0',
    'SparseReduceMax': 'input_indices:9 input_values:T input_shape:9 reduction_axes:3|output:T|keep_dims:b T:t|0',
    'SparseReduceMaxSparse': 'input_indices:9 input_values:T input_shape:9 reduction_axes:3|output_indices:9 output_values:T output_shape:9|keep_dims:b T:t|0',
    'SparseReduceSum': 'input_indices:9 input_values:T input_shape:9 reduction_axes:3|output:T|keep_dims:b T:t|0',
    'SparseReduceSumSparse': 'input_indices:9 input_values:T input_shape:9 reduction_axes:3|output_indices:9 output_values:T output_shape:9|keep_dims:b T:t|0',
    'SparseReorder': 'input_indices:9 input_values:T input_shape:9|output_indices:9 output_values:T|T:t|0',
    'SparseReshape': 'input_indices:9 input_shape:9 new_shape:9|output_indices:9 output_shape:9||0',
    'SparseSlice': 'indices:9 values:T shape:9 start:9 size:9|output_indices:9 output_values:T output_shape:9|T:t|0',
    'SparseSliceGrad': 'backprop_val_grad:T input_indices:9 input_start:9 output_indices:9|val_grad:T|T:t|0',
    'SparseSoftmax': 'sp_indices:9 sp_values:T sp_shape:9|output:T|T:t|0',
    'SparseSparseMaximum': 'a_indices:9 a_values:T a_shape:9 b_indices:9 b_values:T b_shape:9|output_indices:9 output_values:T|T:t|0',
    'SparseSparseMinimum': 'a_indices:9 a_values:T a_shape:9 b_indices:9 b_values:T b_shape:9|output_indices:9 output_values:T|T:t|0',
    'SparseSplit': 'split_dim:9 indices:9 values:T shape:9|output_indices:num_split*9 output_values:num_split*T output_shape:num_split*9|num_split:i T:t|0',
    'SparseTensorDenseAdd': 'a_indices:Tindices a_values:T a_shape:Tindices b:T|output:T|T:t Tindices:t|0',
    'SparseTensorDenseMatMul': 'a_indices:Tindices a_values:T a_shape:9 b:T|product:T|T:t Tindices:t=9 adjoint_a:b adjoint_b:b|0',
    'SparseToDense': 'sparse_indices:Tindices output_shape:Tindices sparse_values:T default_value:T|dense:T|validate_indices:b T:t Tindices:t|0',
}


def deserialize_many_sparse(serialized_sparse, dtype, name=None):
    return results(apply('DeserializeManySparse', name, (serialized_sparse,), {'dtype': dtype}))


def deserialize_sparse(serialized_sparse, dtype, name=None):
    return results(apply('DeserializeSparse', name, (serialized_sparse,), {'dtype': dtype}))


def sparse_add(a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh, name=None):
    return results(apply('SparseAdd', name, (a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh), {}))


def sparse_add_grad(backprop_val_grad, a_indices, b_indices, sum_indices, name=None):
    return results(apply('SparseAddGrad', name, (backprop_val_grad, a_indices, b_indices, sum_indices), {}))


def sparse_concat(indices, values, shapes, concat_dim, name=None):
    return results(apply('SparseConcat', name, (indices, values, shapes), {'concat_dim': concat_dim}))


def sparse_cross(indices, values, shapes, dense_inputs, hashed_output, num_buckets, hash_key, out_type, internal_type, name=None):
    return results(apply('SparseCross', name, (indices, values, shapes, dense_inputs), {'hashed_output': hashed_output, 'num_buckets': num_buckets, 'hash_key': hash_key, 'out_type': out_type, 'internal_type': internal_type}))


def sparse_cross_hashed(indices, values, shapes, dense_inputs, num_buckets, strong_hash, salt, name=None):
    return results(apply('SparseCrossHashed', name, (indices, values, shapes, dense_inputs, num_buckets, strong_hash, salt), {}))


def sparse_cross_v2(indices, values, shapes, dense_inputs, sep, name=None):
    return results(apply('SparseCrossV2', name, (indices, values, shapes, dense_inputs, sep), {}))


def sparse_dense_cwise_add(sp_indices, sp_values, sp_shape, dense, name=None):
    return apply('SparseDenseCwiseAdd', name, (sp_indices, sp_values, sp_shape, dense), {}).outputs[0]


def sparse_dense_cwise_div(sp_indices, sp_values, sp_shape, dense, name=None):
    return apply('SparseDenseCwiseDiv', name, (sp_indices, sp_values, sp_shape, dense), {}).outputs[0]


def sparse_dense_cwise_mul(sp_indices, sp_values, sp_shape, dense, name=None):
    return apply('SparseDenseCwiseMul', name, (sp_indices, sp_values, sp_shape, dense), {}).outputs[0]


def sparse_fill_empty_rows(indices, values, dense_shape, default_value, name=None):
    return results(apply('SparseFillEmptyRows', name, (indices, values, dense_shape, default_value), {}))


def sparse_fill_empty_rows_grad(reverse_index_map, grad_values, name=None):
    return results(apply('SparseFillEmptyRowsGrad', name, (reverse_index_map, grad_values), {}))


def sparse_mat_mul(a, b, transpose_a=False, transpose_b=False, a_is_sparse=False, b_is_sparse=False, name=None):
    return apply('SparseMatMul', name, (a, b), {'transpose_a': transpose_a, 'transpose_b': transpose_b, 'a_is_sparse': a_is_sparse, 'b_is_sparse': b_is_sparse}).outputs[0]


def sparse_reduce_max(input_indices, input_values, input_shape, reduction_axes, keep_dims=False, name=None):
    return apply('SparseReduceMax', name, (input_indices, input_values, input_shape, reduction_axes), {'keep_dims': keep_dims}).outputs[0]


def sparse_reduce_max_sparse(input_indices, input_values, input_shape, reduction_axes, keep_dims=False, name=None):
    return results(apply('SparseReduceMaxSparse', name, (input_indices, input_values, input_shape, reduction_axes), {'keep_dims': keep_dims}))


def sparse_reduce_sum(input_indices, input_values, input_shape, reduction_axes, keep_dims=False, name=None):
    return apply('SparseReduceSum', name, (input_indices, input_values, input_shape, reduction_axes), {'keep_dims': keep_dims}).outputs[0]


def sparse_reduce_sum_sparse(input_indices, input_values, input_shape, reduction_axes, keep_dims=False, name=None):
    return results(apply('SparseReduceSumSparse', name, (input_indices, input_values, input_shape, reduction_axes), {'keep_dims': keep_dims}))


def sparse_reorder(input_indices, input_values, input_shape, name=None):
    return results(apply('SparseReorder', name, (input_indices, input_values, input_shape), {}))


def sparse_reshape(input_indices, input_shape, new_shape, name=None):
    return results(apply('SparseReshape', name, (input_indices, input_shape, new_shape), {}))


def sparse_slice(indices, values, shape, start, size, name=None):
    return results(apply('SparseSlice', name, (indices, values, shape, start, size), {}))


def sparse_slice_grad(backprop_val_grad, input_indices, input_start, output_indices, name=None):
    return apply('SparseSliceGrad', name, (backprop_val_grad, input_indices, input_start, output_indices), {}).outputs[0]


def sparse_softmax(sp_indices, sp_values, sp_shape, name=None):
    return apply('SparseSoftmax', name, (sp_indices, sp_values, sp_shape), {}).outputs[0]


def sparse_sparse_maximum(a_indices, a_values, a_shape, b_indices, b_values, b_shape, name=None):
    return results(apply('SparseSparseMaximum', name, (a_indices, a_values, a_shape, b_indices, b_values, b_shape), {}))


def sparse_sparse_minimum(a_indices, a_values, a_shape, b_indices, b_values, b_shape, name=None):
    return results(apply('SparseSparseMinimum', name, (a_indices, a_values, a_shape, b_indices, b_values, b_shape), {}))


def sparse_split(split_dim, indices, values, shape, num_split, name=None):
    return results(apply('SparseSplit', name, (split_dim, indices, values, shape), {'num_split': num_split}))


def sparse_tensor_dense_add(a_indices, a_values, a_shape, b, name=None):
    return apply('SparseTensorDenseAdd', name, (a_indices, a_values, a_shape, b), {}).outputs[0]


def sparse_tensor_dense_mat_mul(a_indices, a_values, a_shape, b, adjoint_a=False, adjoint_b=False, name=None):
    return apply('SparseTensorDenseMatMul', name, (a_indices, a_values, a_shape, b), {'adjoint_a': adjoint_a, 'adjoint_b': adjoint_b}).outputs[0]


def sparse_to_dense(sparse_indices, output_shape, sparse_values, default_value, validate_indices=True, name=None):
    return apply('SparseToDense', name, (sparse_indices, output_shape, sparse_values, default_value), {'validate_indices': validate_indices}).outputs[0]
