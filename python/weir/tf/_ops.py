"""A function for each op. Written by tools/python_ops."""
from . import dtypes
from .graph import apply, results


def abort(error_msg='', exit_without_error=False, name=None):
    return apply('Abort', name, (), {'error_msg': error_msg, 'exit_without_error': exit_without_error})


def abs(x, name=None):
    return apply('Abs', name, (x,), {}).outputs[0]


def accumulate_nv2(inputs, shape, name=None):
    return apply('AccumulateNV2', name, (inputs,), {'shape': shape}).outputs[0]


def accumulator_apply_gradient(handle, local_step, gradient, name=None):
    return apply('AccumulatorApplyGradient', name, (handle, local_step, gradient), {})


def accumulator_num_accumulated(handle, name=None):
    return apply('AccumulatorNumAccumulated', name, (handle,), {}).outputs[0]


def accumulator_set_global_step(handle, new_global_step, name=None):
    return apply('AccumulatorSetGlobalStep', name, (handle, new_global_step), {})


def accumulator_take_gradient(handle, num_required, dtype, name=None):
    return apply('AccumulatorTakeGradient', name, (handle, num_required), {'dtype': dtype}).outputs[0]


def acos(x, name=None):
    return apply('Acos', name, (x,), {}).outputs[0]


def acosh(x, name=None):
    return apply('Acosh', name, (x,), {}).outputs[0]


def add(x, y, name=None):
    return apply('Add', name, (x, y), {}).outputs[0]


def add_many_sparse_to_tensors_map(sparse_indices, sparse_values, sparse_shape, container='', shared_name='', name=None):
    return apply('AddManySparseToTensorsMap', name, (sparse_indices, sparse_values, sparse_shape), {'container': container, 'shared_name': shared_name}).outputs[0]


def add_n(inputs, name=None):
    return apply('AddN', name, (inputs,), {}).outputs[0]


def add_sparse_to_tensors_map(sparse_indices, sparse_values, sparse_shape, container='', shared_name='', name=None):
    return apply('AddSparseToTensorsMap', name, (sparse_indices, sparse_values, sparse_shape), {'container': container, 'shared_name': shared_name}).outputs[0]


def add_v2(x, y, name=None):
    return apply('AddV2', name, (x, y), {}).outputs[0]


def adjust_contrastv2(images, contrast_factor, name=None):
    return apply('AdjustContrastv2', name, (images, contrast_factor), {}).outputs[0]


def adjust_hue(images, delta, name=None):
    return apply('AdjustHue', name, (images, delta), {}).outputs[0]


def adjust_saturation(images, scale, name=None):
    return apply('AdjustSaturation', name, (images, scale), {}).outputs[0]


def all(input, reduction_indices, keep_dims=False, name=None):
    return apply('All', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def all_candidate_sampler(true_classes, num_true, num_sampled, unique, seed=0, seed2=0, name=None):
    return results(apply('AllCandidateSampler', name, (true_classes,), {'num_true': num_true, 'num_sampled': num_sampled, 'unique': unique, 'seed': seed, 'seed2': seed2}))


def angle(input, Tout=dtypes.float32, name=None):
    return apply('Angle', name, (input,), {'Tout': Tout}).outputs[0]


def anonymous_hash_table(key_dtype, value_dtype, name=None):
    return apply('AnonymousHashTable', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype}).outputs[0]


def anonymous_iterator(output_types, output_shapes, name=None):
    return apply('AnonymousIterator', name, (), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def anonymous_iterator_v2(output_types, output_shapes, name=None):
    return results(apply('AnonymousIteratorV2', name, (), {'output_types': output_types, 'output_shapes': output_shapes}))


def anonymous_iterator_v3(output_types, output_shapes, name=None):
    return apply('AnonymousIteratorV3', name, (), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def anonymous_memory_cache(name=None):
    return results(apply('AnonymousMemoryCache', name, (), {}))


def anonymous_mutable_dense_hash_table(empty_key, deleted_key, value_dtype, value_shape=[], initial_num_buckets=131072, max_load_factor=0.800000012, name=None):
    return apply('AnonymousMutableDenseHashTable', name, (empty_key, deleted_key), {'value_dtype': value_dtype, 'value_shape': value_shape, 'initial_num_buckets': initial_num_buckets, 'max_load_factor': max_load_factor}).outputs[0]


def anonymous_mutable_hash_table(key_dtype, value_dtype, name=None):
    return apply('AnonymousMutableHashTable', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype}).outputs[0]


def anonymous_mutable_hash_table_of_tensors(key_dtype, value_dtype, value_shape=[], name=None):
    return apply('AnonymousMutableHashTableOfTensors', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'value_shape': value_shape}).outputs[0]


def anonymous_random_seed_generator(seed, seed2, name=None):
    return results(apply('AnonymousRandomSeedGenerator', name, (seed, seed2), {}))


def anonymous_seed_generator(seed, seed2, reshuffle, name=None):
    return results(apply('AnonymousSeedGenerator', name, (seed, seed2, reshuffle), {}))


def any(input, reduction_indices, keep_dims=False, name=None):
    return apply('Any', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def apply_ada_max(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad, use_locking=False, name=None):
    return apply('ApplyAdaMax', name, (var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad), {'use_locking': use_locking}).outputs[0]


def apply_adadelta(var, accum, accum_update, lr, rho, epsilon, grad, use_locking=False, name=None):
    return apply('ApplyAdadelta', name, (var, accum, accum_update, lr, rho, epsilon, grad), {'use_locking': use_locking}).outputs[0]


def apply_adagrad(var, accum, lr, grad, use_locking=False, update_slots=True, name=None):
    return apply('ApplyAdagrad', name, (var, accum, lr, grad), {'use_locking': use_locking, 'update_slots': update_slots}).outputs[0]


def apply_adagrad_da(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step, use_locking=False, name=None):
    return apply('ApplyAdagradDA', name, (var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step), {'use_locking': use_locking}).outputs[0]


def apply_adagrad_v2(var, accum, lr, epsilon, grad, use_locking=False, update_slots=True, name=None):
    return apply('ApplyAdagradV2', name, (var, accum, lr, epsilon, grad), {'use_locking': use_locking, 'update_slots': update_slots}).outputs[0]


def apply_adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, use_locking=False, use_nesterov=False, name=None):
    return apply('ApplyAdam', name, (var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad), {'use_locking': use_locking, 'use_nesterov': use_nesterov}).outputs[0]


def apply_add_sign(var, m, lr, alpha, sign_decay, beta, grad, use_locking=False, name=None):
    return apply('ApplyAddSign', name, (var, m, lr, alpha, sign_decay, beta, grad), {'use_locking': use_locking}).outputs[0]


def apply_centered_rms_prop(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, use_locking=False, name=None):
    return apply('ApplyCenteredRMSProp', name, (var, mg, ms, mom, lr, rho, momentum, epsilon, grad), {'use_locking': use_locking}).outputs[0]


def apply_ftrl(var, accum, linear, grad, lr, l1, l2, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('ApplyFtrl', name, (var, accum, linear, grad, lr, l1, l2, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr}).outputs[0]


def apply_ftrl_v2(var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('ApplyFtrlV2', name, (var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr}).outputs[0]


def apply_gradient_descent(var, alpha, delta, use_locking=False, name=None):
    return apply('ApplyGradientDescent', name, (var, alpha, delta), {'use_locking': use_locking}).outputs[0]


def apply_momentum(var, accum, lr, grad, momentum, use_locking=False, use_nesterov=False, name=None):
    return apply('ApplyMomentum', name, (var, accum, lr, grad, momentum), {'use_locking': use_locking, 'use_nesterov': use_nesterov}).outputs[0]


def apply_power_sign(var, m, lr, logbase, sign_decay, beta, grad, use_locking=False, name=None):
    return apply('ApplyPowerSign', name, (var, m, lr, logbase, sign_decay, beta, grad), {'use_locking': use_locking}).outputs[0]


def apply_proximal_adagrad(var, accum, lr, l1, l2, grad, use_locking=False, name=None):
    return apply('ApplyProximalAdagrad', name, (var, accum, lr, l1, l2, grad), {'use_locking': use_locking}).outputs[0]


def apply_proximal_gradient_descent(var, alpha, l1, l2, delta, use_locking=False, name=None):
    return apply('ApplyProximalGradientDescent', name, (var, alpha, l1, l2, delta), {'use_locking': use_locking}).outputs[0]


def apply_rms_prop(var, ms, mom, lr, rho, momentum, epsilon, grad, use_locking=False, name=None):
    return apply('ApplyRMSProp', name, (var, ms, mom, lr, rho, momentum, epsilon, grad), {'use_locking': use_locking}).outputs[0]


def approximate_equal(x, y, tolerance=9.99999975e-06, name=None):
    return apply('ApproximateEqual', name, (x, y), {'tolerance': tolerance}).outputs[0]


def arg_max(input, dimension, output_type=dtypes.int64, name=None):
    return apply('ArgMax', name, (input, dimension), {'output_type': output_type}).outputs[0]


def arg_min(input, dimension, output_type=dtypes.int64, name=None):
    return apply('ArgMin', name, (input, dimension), {'output_type': output_type}).outputs[0]


def as_string(input, precision=-1, scientific=False, shortest=False, width=-1, fill='', name=None):
    return apply('AsString', name, (input,), {'precision': precision, 'scientific': scientific, 'shortest': shortest, 'width': width, 'fill': fill}).outputs[0]


def asin(x, name=None):
    return apply('Asin', name, (x,), {}).outputs[0]


def asinh(x, name=None):
    return apply('Asinh', name, (x,), {}).outputs[0]


def assert_(condition, data, summarize=3, name=None):
    return apply('Assert', name, (condition, data), {'summarize': summarize})


def assert_cardinality_dataset(input_dataset, cardinality, output_types, output_shapes, name=None):
    return apply('AssertCardinalityDataset', name, (input_dataset, cardinality), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def assert_next_dataset(input_dataset, transformations, output_types, output_shapes, name=None):
    return apply('AssertNextDataset', name, (input_dataset, transformations), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def assert_prev_dataset(input_dataset, transformations, output_types, output_shapes, name=None):
    return apply('AssertPrevDataset', name, (input_dataset, transformations), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def assign(ref, value, validate_shape=True, use_locking=True, name=None):
    return apply('Assign', name, (ref, value), {'validate_shape': validate_shape, 'use_locking': use_locking}).outputs[0]


def assign_add(ref, value, use_locking=False, name=None):
    return apply('AssignAdd', name, (ref, value), {'use_locking': use_locking}).outputs[0]


def assign_add_variable_op(resource, value, name=None):
    return apply('AssignAddVariableOp', name, (resource, value), {})


def assign_sub(ref, value, use_locking=False, name=None):
    return apply('AssignSub', name, (ref, value), {'use_locking': use_locking}).outputs[0]


def assign_sub_variable_op(resource, value, name=None):
    return apply('AssignSubVariableOp', name, (resource, value), {})


def assign_variable_op(resource, value, validate_shape=False, name=None):
    return apply('AssignVariableOp', name, (resource, value), {'validate_shape': validate_shape})


def atan(x, name=None):
    return apply('Atan', name, (x,), {}).outputs[0]


def atan2(y, x, name=None):
    return apply('Atan2', name, (y, x), {}).outputs[0]


def atanh(x, name=None):
    return apply('Atanh', name, (x,), {}).outputs[0]


def audio_summary(tag, tensor, sample_rate, max_outputs=3, name=None):
    return apply('AudioSummary', name, (tag, tensor), {'sample_rate': sample_rate, 'max_outputs': max_outputs}).outputs[0]


def audio_summary_v2(tag, tensor, sample_rate, max_outputs=3, name=None):
    return apply('AudioSummaryV2', name, (tag, tensor, sample_rate), {'max_outputs': max_outputs}).outputs[0]


def avg_pool(value, ksize, strides, padding, data_format='NHWC', name=None):
    return apply('AvgPool', name, (value,), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def avg_pool3d(input, ksize, strides, padding, data_format='NDHWC', name=None):
    return apply('AvgPool3D', name, (input,), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def avg_pool3d_grad(orig_input_shape, grad, ksize, strides, padding, data_format='NDHWC', name=None):
    return apply('AvgPool3DGrad', name, (orig_input_shape, grad), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def avg_pool_grad(orig_input_shape, grad, ksize, strides, padding, data_format='NHWC', name=None):
    return apply('AvgPoolGrad', name, (orig_input_shape, grad), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def banded_triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    return apply('BandedTriangularSolve', name, (matrix, rhs), {'lower': lower, 'adjoint': adjoint}).outputs[0]


def barrier(component_types, shapes=[], capacity=-1, container='', shared_name='', name=None):
    return apply('Barrier', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def barrier_close(handle, cancel_pending_enqueues=False, name=None):
    return apply('BarrierClose', name, (handle,), {'cancel_pending_enqueues': cancel_pending_enqueues})


def barrier_incomplete_size(handle, name=None):
    return apply('BarrierIncompleteSize', name, (handle,), {}).outputs[0]


def barrier_insert_many(handle, keys, values, component_index, name=None):
    return apply('BarrierInsertMany', name, (handle, keys, values), {'component_index': component_index})


def barrier_ready_size(handle, name=None):
    return apply('BarrierReadySize', name, (handle,), {}).outputs[0]


def barrier_take_many(handle, num_elements, component_types, allow_small_batch=False, wait_for_incomplete=False, timeout_ms=-1, name=None):
    return results(apply('BarrierTakeMany', name, (handle, num_elements), {'component_types': component_types, 'allow_small_batch': allow_small_batch, 'wait_for_incomplete': wait_for_incomplete, 'timeout_ms': timeout_ms}))


def batch(in_tensors, num_batch_threads, max_batch_size, batch_timeout_micros, grad_timeout_micros, max_enqueued_batches=10, allowed_batch_sizes=[], container='', shared_name='', batching_queue='', name=None):
    return results(apply('Batch', name, (in_tensors,), {'num_batch_threads': num_batch_threads, 'max_batch_size': max_batch_size, 'batch_timeout_micros': batch_timeout_micros, 'grad_timeout_micros': grad_timeout_micros, 'max_enqueued_batches': max_enqueued_batches, 'allowed_batch_sizes': allowed_batch_sizes, 'container': container, 'shared_name': shared_name, 'batching_queue': batching_queue}))


def batch_dataset(input_dataset, batch_size, output_types, output_shapes, metadata='', name=None):
    return apply('BatchDataset', name, (input_dataset, batch_size), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def batch_dataset_v2(input_dataset, batch_size, drop_remainder, output_types, output_shapes, parallel_copy=False, metadata='', name=None):
    return apply('BatchDatasetV2', name, (input_dataset, batch_size, drop_remainder), {'output_types': output_types, 'output_shapes': output_shapes, 'parallel_copy': parallel_copy, 'metadata': metadata}).outputs[0]


def batch_function(in_tensors, captured_tensors, f, num_batch_threads, max_batch_size, batch_timeout_micros, Tout, max_enqueued_batches=10, allowed_batch_sizes=[], container='', shared_name='', batching_queue='', low_priority_max_batch_size=0, low_priority_batch_timeout_micros=0, low_priority_allowed_batch_sizes=[], low_priority_max_enqueued_batches=0, mixed_priority_policy='low_priority_padding_with_max_batch_size', batch_padding_policy='PAD_UP', enable_large_batch_splitting=False, name=None):
    return apply('BatchFunction', name, (in_tensors, captured_tensors), {'f': f, 'num_batch_threads': num_batch_threads, 'max_batch_size': max_batch_size, 'batch_timeout_micros': batch_timeout_micros, 'Tout': Tout, 'max_enqueued_batches': max_enqueued_batches, 'allowed_batch_sizes': allowed_batch_sizes, 'container': container, 'shared_name': shared_name, 'batching_queue': batching_queue, 'low_priority_max_batch_size': low_priority_max_batch_size, 'low_priority_batch_timeout_micros': low_priority_batch_timeout_micros, 'low_priority_allowed_batch_sizes': low_priority_allowed_batch_sizes, 'low_priority_max_enqueued_batches': low_priority_max_enqueued_batches, 'mixed_priority_policy': mixed_priority_policy, 'batch_padding_policy': batch_padding_policy, 'enable_large_batch_splitting': enable_large_batch_splitting}).outputs


def batch_mat_mul(x, y, adj_x=False, adj_y=False, grad_x=False, grad_y=False, name=None):
    return apply('BatchMatMul', name, (x, y), {'adj_x': adj_x, 'adj_y': adj_y, 'grad_x': grad_x, 'grad_y': grad_y}).outputs[0]


def batch_mat_mul_v2(x, y, adj_x=False, adj_y=False, grad_x=False, grad_y=False, name=None):
    return apply('BatchMatMulV2', name, (x, y), {'adj_x': adj_x, 'adj_y': adj_y, 'grad_x': grad_x, 'grad_y': grad_y}).outputs[0]


def batch_mat_mul_v3(x, y, Tout, adj_x=False, adj_y=False, grad_x=False, grad_y=False, name=None):
    return apply('BatchMatMulV3', name, (x, y), {'Tout': Tout, 'adj_x': adj_x, 'adj_y': adj_y, 'grad_x': grad_x, 'grad_y': grad_y}).outputs[0]


def batch_matrix_band_part(input, num_lower, num_upper, name=None):
    return apply('BatchMatrixBandPart', name, (input, num_lower, num_upper), {}).outputs[0]


def batch_matrix_diag(diagonal, name=None):
    return apply('BatchMatrixDiag', name, (diagonal,), {}).outputs[0]


def batch_matrix_diag_part(input, name=None):
    return apply('BatchMatrixDiagPart', name, (input,), {}).outputs[0]


def batch_matrix_set_diag(input, diagonal, name=None):
    return apply('BatchMatrixSetDiag', name, (input, diagonal), {}).outputs[0]


def batch_to_space(input, crops, block_size, name=None):
    return apply('BatchToSpace', name, (input, crops), {'block_size': block_size}).outputs[0]


def batch_to_space_nd(input, block_shape, crops, name=None):
    return apply('BatchToSpaceND', name, (input, block_shape, crops), {}).outputs[0]


def bessel_i0(x, name=None):
    return apply('BesselI0', name, (x,), {}).outputs[0]


def bessel_i0e(x, name=None):
    return apply('BesselI0e', name, (x,), {}).outputs[0]


def bessel_i1(x, name=None):
    return apply('BesselI1', name, (x,), {}).outputs[0]


def bessel_i1e(x, name=None):
    return apply('BesselI1e', name, (x,), {}).outputs[0]


def bessel_j0(x, name=None):
    return apply('BesselJ0', name, (x,), {}).outputs[0]


def bessel_j1(x, name=None):
    return apply('BesselJ1', name, (x,), {}).outputs[0]


def bessel_k0(x, name=None):
    return apply('BesselK0', name, (x,), {}).outputs[0]


def bessel_k0e(x, name=None):
    return apply('BesselK0e', name, (x,), {}).outputs[0]


def bessel_k1(x, name=None):
    return apply('BesselK1', name, (x,), {}).outputs[0]


def bessel_k1e(x, name=None):
    return apply('BesselK1e', name, (x,), {}).outputs[0]


def bessel_y0(x, name=None):
    return apply('BesselY0', name, (x,), {}).outputs[0]


def bessel_y1(x, name=None):
    return apply('BesselY1', name, (x,), {}).outputs[0]


def betainc(a, b, x, name=None):
    return apply('Betainc', name, (a, b, x), {}).outputs[0]


def bias_add(value, bias, data_format='NHWC', name=None):
    return apply('BiasAdd', name, (value, bias), {'data_format': data_format}).outputs[0]


def bias_add_grad(out_backprop, data_format='NHWC', name=None):
    return apply('BiasAddGrad', name, (out_backprop,), {'data_format': data_format}).outputs[0]


def bias_add_v1(value, bias, name=None):
    return apply('BiasAddV1', name, (value, bias), {}).outputs[0]


def bincount(arr, size, weights, name=None):
    return apply('Bincount', name, (arr, size, weights), {}).outputs[0]


def bitcast(input, type, name=None):
    return apply('Bitcast', name, (input,), {'type': type}).outputs[0]


def bitwise_and(x, y, name=None):
    return apply('BitwiseAnd', name, (x, y), {}).outputs[0]


def bitwise_or(x, y, name=None):
    return apply('BitwiseOr', name, (x, y), {}).outputs[0]


def bitwise_xor(x, y, name=None):
    return apply('BitwiseXor', name, (x, y), {}).outputs[0]


def block_lstm(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, forget_bias=1.0, cell_clip=3.0, use_peephole=False, name=None):
    return results(apply('BlockLSTM', name, (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b), {'forget_bias': forget_bias, 'cell_clip': cell_clip, 'use_peephole': use_peephole}))


def block_lstm_grad(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad, use_peephole, name=None):
    return results(apply('BlockLSTMGrad', name, (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad), {'use_peephole': use_peephole}))


def block_lstm_grad_v2(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad, use_peephole, name=None):
    return results(apply('BlockLSTMGradV2', name, (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad), {'use_peephole': use_peephole}))


def block_lstmv2(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, cell_clip=0.0, use_peephole=False, name=None):
    return results(apply('BlockLSTMV2', name, (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b), {'cell_clip': cell_clip, 'use_peephole': use_peephole}))


def broadcast_args(s0, s1, name=None):
    return apply('BroadcastArgs', name, (s0, s1), {}).outputs[0]


def broadcast_gradient_args(s0, s1, name=None):
    return results(apply('BroadcastGradientArgs', name, (s0, s1), {}))


def broadcast_to(input, shape, name=None):
    return apply('BroadcastTo', name, (input, shape), {}).outputs[0]


def bucketize(input, boundaries, name=None):
    return apply('Bucketize', name, (input,), {'boundaries': boundaries}).outputs[0]


def bytes_produced_stats_dataset(input_dataset, tag, output_types, output_shapes, name=None):
    return apply('BytesProducedStatsDataset', name, (input_dataset, tag), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def csr_sparse_matrix_components(csr_sparse_matrix, index, type, name=None):
    return results(apply('CSRSparseMatrixComponents', name, (csr_sparse_matrix, index), {'type': type}))


def csr_sparse_matrix_to_dense(sparse_input, type, name=None):
    return apply('CSRSparseMatrixToDense', name, (sparse_input,), {'type': type}).outputs[0]


def csr_sparse_matrix_to_sparse_tensor(sparse_matrix, type, name=None):
    return results(apply('CSRSparseMatrixToSparseTensor', name, (sparse_matrix,), {'type': type}))


def ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, merge_repeated=True, name=None):
    return results(apply('CTCBeamSearchDecoder', name, (inputs, sequence_length), {'beam_width': beam_width, 'top_paths': top_paths, 'merge_repeated': merge_repeated}))


def ctc_greedy_decoder(inputs, sequence_length, merge_repeated=False, blank_index=-1, name=None):
    return results(apply('CTCGreedyDecoder', name, (inputs, sequence_length), {'merge_repeated': merge_repeated, 'blank_index': blank_index}))


def ctc_loss(inputs, labels_indices, labels_values, sequence_length, preprocess_collapse_repeated=False, ctc_merge_repeated=True, ignore_longer_outputs_than_inputs=False, name=None):
    return results(apply('CTCLoss', name, (inputs, labels_indices, labels_values, sequence_length), {'preprocess_collapse_repeated': preprocess_collapse_repeated, 'ctc_merge_repeated': ctc_merge_repeated, 'ignore_longer_outputs_than_inputs': ignore_longer_outputs_than_inputs}))


def ctc_loss_v2(inputs, labels_indices, labels_values, sequence_length, preprocess_collapse_repeated=False, ctc_merge_repeated=True, ignore_longer_outputs_than_inputs=False, name=None):
    return results(apply('CTCLossV2', name, (inputs, labels_indices, labels_values, sequence_length), {'preprocess_collapse_repeated': preprocess_collapse_repeated, 'ctc_merge_repeated': ctc_merge_repeated, 'ignore_longer_outputs_than_inputs': ignore_longer_outputs_than_inputs}))


def cache_dataset(input_dataset, filename, output_types, output_shapes, metadata='', name=None):
    return apply('CacheDataset', name, (input_dataset, filename), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def cache_dataset_v2(input_dataset, filename, cache, output_types, output_shapes, metadata='', name=None):
    return apply('CacheDatasetV2', name, (input_dataset, filename, cache), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def case(branch_index, input, Tout, branches, output_shapes=[], name=None):
    return apply('Case', name, (branch_index, input), {'Tout': Tout, 'branches': branches, 'output_shapes': output_shapes}).outputs


def cast(x, DstT, Truncate=False, name=None):
    return apply('Cast', name, (x,), {'DstT': DstT, 'Truncate': Truncate}).outputs[0]


def ceil(x, name=None):
    return apply('Ceil', name, (x,), {}).outputs[0]


def check_numerics(tensor, message, name=None):
    return apply('CheckNumerics', name, (tensor,), {'message': message}).outputs[0]


def check_numerics_v2(tensor, message, name=None):
    return apply('CheckNumericsV2', name, (tensor,), {'message': message}).outputs[0]


def cholesky(input, name=None):
    return apply('Cholesky', name, (input,), {}).outputs[0]


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    return apply('ClipByValue', name, (t, clip_value_min, clip_value_max), {}).outputs[0]


def close_summary_writer(writer, name=None):
    return apply('CloseSummaryWriter', name, (writer,), {})


def collective_bcast_recv(T, group_size, group_key, instance_key, shape, communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveBcastRecv', name, (), {'T': T, 'group_size': group_size, 'group_key': group_key, 'instance_key': instance_key, 'shape': shape, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_bcast_recv_v2(group_size, group_key, instance_key, shape, T, communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveBcastRecvV2', name, (group_size, group_key, instance_key, shape), {'T': T, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_bcast_send(input, group_size, group_key, instance_key, shape, communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveBcastSend', name, (input,), {'group_size': group_size, 'group_key': group_key, 'instance_key': instance_key, 'shape': shape, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_bcast_send_v2(input, group_size, group_key, instance_key, communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveBcastSendV2', name, (input, group_size, group_key, instance_key), {'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_gather(input, group_size, group_key, instance_key, shape, communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveGather', name, (input,), {'group_size': group_size, 'group_key': group_key, 'instance_key': instance_key, 'shape': shape, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_gather_v2(input, group_size, group_key, instance_key, ordering_token, communication_hint='auto', timeout_seconds=0.0, is_stateless=False, name=None):
    return apply('CollectiveGatherV2', name, (input, group_size, group_key, instance_key, ordering_token), {'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds, 'is_stateless': is_stateless}).outputs[0]


def collective_reduce(input, group_size, group_key, instance_key, merge_op, final_op, subdiv_offsets, wait_for=[], communication_hint='auto', timeout_seconds=0.0, name=None):
    return apply('CollectiveReduce', name, (input,), {'group_size': group_size, 'group_key': group_key, 'instance_key': instance_key, 'merge_op': merge_op, 'final_op': final_op, 'subdiv_offsets': subdiv_offsets, 'wait_for': wait_for, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds}).outputs[0]


def collective_reduce_v2(input, group_size, group_key, instance_key, ordering_token, merge_op, final_op, communication_hint='auto', timeout_seconds=0.0, is_stateless=False, max_subdivs_per_device=-1, name=None):
    return apply('CollectiveReduceV2', name, (input, group_size, group_key, instance_key, ordering_token), {'merge_op': merge_op, 'final_op': final_op, 'communication_hint': communication_hint, 'timeout_seconds': timeout_seconds, 'is_stateless': is_stateless, 'max_subdivs_per_device': max_subdivs_per_device}).outputs[0]


def combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold, pad_per_class=False, clip_boxes=True, name=None):
    return results(apply('CombinedNonMaxSuppression', name, (boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold), {'pad_per_class': pad_per_class, 'clip_boxes': clip_boxes}))


def complex(real, imag, Tout=dtypes.complex64, name=None):
    return apply('Complex', name, (real, imag), {'Tout': Tout}).outputs[0]


def complex_abs(x, Tout=dtypes.float32, name=None):
    return apply('ComplexAbs', name, (x,), {'Tout': Tout}).outputs[0]


def composite_tensor_variant_from_components(components, metadata, name=None):
    return apply('CompositeTensorVariantFromComponents', name, (components,), {'metadata': metadata}).outputs[0]


def composite_tensor_variant_to_components(encoded, metadata, Tcomponents, name=None):
    return apply('CompositeTensorVariantToComponents', name, (encoded,), {'metadata': metadata, 'Tcomponents': Tcomponents}).outputs


def compute_accidental_hits(true_classes, sampled_candidates, num_true, seed=0, seed2=0, name=None):
    return results(apply('ComputeAccidentalHits', name, (true_classes, sampled_candidates), {'num_true': num_true, 'seed': seed, 'seed2': seed2}))


def concat(concat_dim, values, name=None):
    return apply('Concat', name, (concat_dim, values), {}).outputs[0]


def concat_offset(concat_dim, shape, name=None):
    return apply('ConcatOffset', name, (concat_dim, shape), {}).outputs


def concat_v2(values, axis, name=None):
    return apply('ConcatV2', name, (values, axis), {}).outputs[0]


def concatenate_dataset(input_dataset, another_dataset, output_types, output_shapes, metadata='', name=None):
    return apply('ConcatenateDataset', name, (input_dataset, another_dataset), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def conditional_accumulator(dtype, shape, container='', shared_name='', reduction_type='MEAN', name=None):
    return apply('ConditionalAccumulator', name, (), {'dtype': dtype, 'shape': shape, 'container': container, 'shared_name': shared_name, 'reduction_type': reduction_type}).outputs[0]


def conj(input, name=None):
    return apply('Conj', name, (input,), {}).outputs[0]


def conjugate_transpose(x, perm, name=None):
    return apply('ConjugateTranspose', name, (x, perm), {}).outputs[0]


def const(value, dtype, name=None):
    return apply('Const', name, (), {'value': value, 'dtype': dtype}).outputs[0]


def consume_mutex_lock(mutex_lock, name=None):
    return apply('ConsumeMutexLock', name, (mutex_lock,), {})


def control_trigger(name=None):
    return apply('ControlTrigger', name, (), {})


def conv2d(input, filter, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('Conv2D', name, (input, filter), {'strides': strides, 'padding': padding, 'use_cudnn_on_gpu': use_cudnn_on_gpu, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def conv2d_backprop_filter(input, filter_sizes, out_backprop, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('Conv2DBackpropFilter', name, (input, filter_sizes, out_backprop), {'strides': strides, 'padding': padding, 'use_cudnn_on_gpu': use_cudnn_on_gpu, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def conv2d_backprop_input(input_sizes, filter, out_backprop, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('Conv2DBackpropInput', name, (input_sizes, filter, out_backprop), {'strides': strides, 'padding': padding, 'use_cudnn_on_gpu': use_cudnn_on_gpu, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def conv3d(input, filter, strides, padding, data_format='NDHWC', dilations=[1, 1, 1, 1, 1], name=None):
    return apply('Conv3D', name, (input, filter), {'strides': strides, 'padding': padding, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def conv3d_backprop_filter(input, filter, out_backprop, strides, padding, dilations=[1, 1, 1, 1, 1], name=None):
    return apply('Conv3DBackpropFilter', name, (input, filter, out_backprop), {'strides': strides, 'padding': padding, 'dilations': dilations}).outputs[0]


def conv3d_backprop_filter_v2(input, filter_sizes, out_backprop, strides, padding, data_format='NDHWC', dilations=[1, 1, 1, 1, 1], name=None):
    return apply('Conv3DBackpropFilterV2', name, (input, filter_sizes, out_backprop), {'strides': strides, 'padding': padding, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def conv3d_backprop_input(input, filter, out_backprop, strides, padding, dilations=[1, 1, 1, 1, 1], name=None):
    return apply('Conv3DBackpropInput', name, (input, filter, out_backprop), {'strides': strides, 'padding': padding, 'dilations': dilations}).outputs[0]


def conv3d_backprop_input_v2(input_sizes, filter, out_backprop, strides, padding, data_format='NDHWC', dilations=[1, 1, 1, 1, 1], name=None):
    return apply('Conv3DBackpropInputV2', name, (input_sizes, filter, out_backprop), {'strides': strides, 'padding': padding, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def cos(x, name=None):
    return apply('Cos', name, (x,), {}).outputs[0]


def cosh(x, name=None):
    return apply('Cosh', name, (x,), {}).outputs[0]


def count_up_to(ref, limit, name=None):
    return apply('CountUpTo', name, (ref,), {'limit': limit}).outputs[0]


def create_summary_file_writer(writer, logdir, max_queue, flush_millis, filename_suffix, name=None):
    return apply('CreateSummaryFileWriter', name, (writer, logdir, max_queue, flush_millis, filename_suffix), {})


def crop_and_resize(image, boxes, box_ind, crop_size, method='bilinear', extrapolation_value=0.0, name=None):
    return apply('CropAndResize', name, (image, boxes, box_ind, crop_size), {'method': method, 'extrapolation_value': extrapolation_value}).outputs[0]


def crop_and_resize_grad_boxes(grads, image, boxes, box_ind, method='bilinear', name=None):
    return apply('CropAndResizeGradBoxes', name, (grads, image, boxes, box_ind), {'method': method}).outputs[0]


def crop_and_resize_grad_image(grads, boxes, box_ind, image_size, T, method='bilinear', name=None):
    return apply('CropAndResizeGradImage', name, (grads, boxes, box_ind, image_size), {'T': T, 'method': method}).outputs[0]


def cross(a, b, name=None):
    return apply('Cross', name, (a, b), {}).outputs[0]


def cumprod(x, axis, exclusive=False, reverse=False, name=None):
    return apply('Cumprod', name, (x, axis), {'exclusive': exclusive, 'reverse': reverse}).outputs[0]


def cumsum(x, axis, exclusive=False, reverse=False, name=None):
    return apply('Cumsum', name, (x, axis), {'exclusive': exclusive, 'reverse': reverse}).outputs[0]


def cumulative_logsumexp(x, axis, exclusive=False, reverse=False, name=None):
    return apply('CumulativeLogsumexp', name, (x, axis), {'exclusive': exclusive, 'reverse': reverse}).outputs[0]


def data_format_dim_map(x, src_format='NHWC', dst_format='NCHW', name=None):
    return apply('DataFormatDimMap', name, (x,), {'src_format': src_format, 'dst_format': dst_format}).outputs[0]


def data_format_vec_permute(x, src_format='NHWC', dst_format='NCHW', name=None):
    return apply('DataFormatVecPermute', name, (x,), {'src_format': src_format, 'dst_format': dst_format}).outputs[0]


def dataset_cardinality(input_dataset, cardinality_options='', name=None):
    return apply('DatasetCardinality', name, (input_dataset,), {'cardinality_options': cardinality_options}).outputs[0]


def dataset_from_graph(graph_def, name=None):
    return apply('DatasetFromGraph', name, (graph_def,), {}).outputs[0]


def dataset_to_graph(input_dataset, stateful_whitelist=[], allow_stateful=False, strip_device_assignment=False, name=None):
    return apply('DatasetToGraph', name, (input_dataset,), {'stateful_whitelist': stateful_whitelist, 'allow_stateful': allow_stateful, 'strip_device_assignment': strip_device_assignment}).outputs[0]


def dataset_to_graph_v2(input_dataset, external_state_policy=0, strip_device_assignment=False, name=None):
    return apply('DatasetToGraphV2', name, (input_dataset,), {'external_state_policy': external_state_policy, 'strip_device_assignment': strip_device_assignment}).outputs[0]


def dataset_to_single_element(dataset, output_types, output_shapes, metadata='', name=None):
    return apply('DatasetToSingleElement', name, (dataset,), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs


def dawsn(x, name=None):
    return apply('Dawsn', name, (x,), {}).outputs[0]


def debug_gradient_identity(input, name=None):
    return apply('DebugGradientIdentity', name, (input,), {}).outputs[0]


def decode_and_crop_jpeg(contents, crop_window, channels=0, ratio=1, fancy_upscaling=True, try_recover_truncated=False, acceptable_fraction=1.0, dct_method='', name=None):
    return apply('DecodeAndCropJpeg', name, (contents, crop_window), {'channels': channels, 'ratio': ratio, 'fancy_upscaling': fancy_upscaling, 'try_recover_truncated': try_recover_truncated, 'acceptable_fraction': acceptable_fraction, 'dct_method': dct_method}).outputs[0]


def decode_base64(input, name=None):
    return apply('DecodeBase64', name, (input,), {}).outputs[0]


def decode_bmp(contents, channels=0, name=None):
    return apply('DecodeBmp', name, (contents,), {'channels': channels}).outputs[0]


def decode_csv(records, record_defaults, field_delim=',', use_quote_delim=True, na_value='', select_cols=[], name=None):
    return apply('DecodeCSV', name, (records, record_defaults), {'field_delim': field_delim, 'use_quote_delim': use_quote_delim, 'na_value': na_value, 'select_cols': select_cols}).outputs


def decode_compressed(bytes, compression_type='', name=None):
    return apply('DecodeCompressed', name, (bytes,), {'compression_type': compression_type}).outputs[0]


def decode_gif(contents, name=None):
    return apply('DecodeGif', name, (contents,), {}).outputs[0]


def decode_image(contents, channels=0, dtype=dtypes.uint8, expand_animations=True, name=None):
    return apply('DecodeImage', name, (contents,), {'channels': channels, 'dtype': dtype, 'expand_animations': expand_animations}).outputs[0]


def decode_jpeg(contents, channels=0, ratio=1, fancy_upscaling=True, try_recover_truncated=False, acceptable_fraction=1.0, dct_method='', name=None):
    return apply('DecodeJpeg', name, (contents,), {'channels': channels, 'ratio': ratio, 'fancy_upscaling': fancy_upscaling, 'try_recover_truncated': try_recover_truncated, 'acceptable_fraction': acceptable_fraction, 'dct_method': dct_method}).outputs[0]


def decode_padded_raw(input_bytes, fixed_length, out_type, little_endian=True, name=None):
    return apply('DecodePaddedRaw', name, (input_bytes, fixed_length), {'out_type': out_type, 'little_endian': little_endian}).outputs[0]


def decode_png(contents, channels=0, dtype=dtypes.uint8, name=None):
    return apply('DecodePng', name, (contents,), {'channels': channels, 'dtype': dtype}).outputs[0]


def decode_raw(bytes, out_type, little_endian=True, name=None):
    return apply('DecodeRaw', name, (bytes,), {'out_type': out_type, 'little_endian': little_endian}).outputs[0]


def deep_copy(x, name=None):
    return apply('DeepCopy', name, (x,), {}).outputs[0]


def delete_iterator(handle, deleter, name=None):
    return apply('DeleteIterator', name, (handle, deleter), {})


def delete_memory_cache(handle, deleter, name=None):
    return apply('DeleteMemoryCache', name, (handle, deleter), {})


def delete_random_seed_generator(handle, deleter, name=None):
    return apply('DeleteRandomSeedGenerator', name, (handle, deleter), {})


def delete_seed_generator(handle, deleter, name=None):
    return apply('DeleteSeedGenerator', name, (handle, deleter), {})


def delete_session_tensor(handle, name=None):
    return apply('DeleteSessionTensor', name, (handle,), {})


def dense_bincount(input, size, weights, binary_output=False, name=None):
    return apply('DenseBincount', name, (input, size, weights), {'binary_output': binary_output}).outputs[0]


def dense_count_sparse_output(values, weights, binary_output, minlength=-1, maxlength=-1, name=None):
    return results(apply('DenseCountSparseOutput', name, (values, weights), {'binary_output': binary_output, 'minlength': minlength, 'maxlength': maxlength}))


def dense_to_csr_sparse_matrix(dense_input, indices, name=None):
    return apply('DenseToCSRSparseMatrix', name, (dense_input, indices), {}).outputs[0]


def dense_to_dense_set_operation(set1, set2, set_operation, validate_indices=True, name=None):
    return results(apply('DenseToDenseSetOperation', name, (set1, set2), {'set_operation': set_operation, 'validate_indices': validate_indices}))


def dense_to_sparse_set_operation(set1, set2_indices, set2_values, set2_shape, set_operation, validate_indices=True, name=None):
    return results(apply('DenseToSparseSetOperation', name, (set1, set2_indices, set2_values, set2_shape), {'set_operation': set_operation, 'validate_indices': validate_indices}))


def depth_to_space(input, block_size, data_format='NHWC', name=None):
    return apply('DepthToSpace', name, (input,), {'block_size': block_size, 'data_format': data_format}).outputs[0]


def depthwise_conv2d_native(input, filter, strides, padding, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('DepthwiseConv2dNative', name, (input, filter), {'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def depthwise_conv2d_native_backprop_filter(input, filter_sizes, out_backprop, strides, padding, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('DepthwiseConv2dNativeBackpropFilter', name, (input, filter_sizes, out_backprop), {'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def depthwise_conv2d_native_backprop_input(input_sizes, filter, out_backprop, strides, padding, explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('DepthwiseConv2dNativeBackpropInput', name, (input_sizes, filter, out_backprop), {'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def dequantize(input, min_range, max_range, mode='MIN_COMBINED', narrow_range=False, axis=-1, dtype=dtypes.float32, name=None):
    return apply('Dequantize', name, (input, min_range, max_range), {'mode': mode, 'narrow_range': narrow_range, 'axis': axis, 'dtype': dtype}).outputs[0]


def deserialize_iterator(resource_handle, serialized, name=None):
    return apply('DeserializeIterator', name, (resource_handle, serialized), {})


def deserialize_many_sparse(serialized_sparse, dtype, name=None):
    return results(apply('DeserializeManySparse', name, (serialized_sparse,), {'dtype': dtype}))


def deserialize_sparse(serialized_sparse, dtype, name=None):
    return results(apply('DeserializeSparse', name, (serialized_sparse,), {'dtype': dtype}))


def destroy_resource_op(resource, ignore_lookup_error=True, name=None):
    return apply('DestroyResourceOp', name, (resource,), {'ignore_lookup_error': ignore_lookup_error})


def destroy_temporary_variable(ref, var_name, name=None):
    return apply('DestroyTemporaryVariable', name, (ref,), {'var_name': var_name}).outputs[0]


def device_index(device_names, name=None):
    return apply('DeviceIndex', name, (), {'device_names': device_names}).outputs[0]


def diag(diagonal, name=None):
    return apply('Diag', name, (diagonal,), {}).outputs[0]


def diag_part(input, name=None):
    return apply('DiagPart', name, (input,), {}).outputs[0]


def digamma(x, name=None):
    return apply('Digamma', name, (x,), {}).outputs[0]


def dilation2d(input, filter, strides, rates, padding, name=None):
    return apply('Dilation2D', name, (input, filter), {'strides': strides, 'rates': rates, 'padding': padding}).outputs[0]


def dilation2d_backprop_filter(input, filter, out_backprop, strides, rates, padding, name=None):
    return apply('Dilation2DBackpropFilter', name, (input, filter, out_backprop), {'strides': strides, 'rates': rates, 'padding': padding}).outputs[0]


def dilation2d_backprop_input(input, filter, out_backprop, strides, rates, padding, name=None):
    return apply('Dilation2DBackpropInput', name, (input, filter, out_backprop), {'strides': strides, 'rates': rates, 'padding': padding}).outputs[0]


def directed_interleave_dataset(selector_input_dataset, data_input_datasets, output_types, output_shapes, stop_on_empty_dataset=False, name=None):
    return apply('DirectedInterleaveDataset', name, (selector_input_dataset, data_input_datasets), {'output_types': output_types, 'output_shapes': output_shapes, 'stop_on_empty_dataset': stop_on_empty_dataset}).outputs[0]


def disable_copy_on_read(resource, name=None):
    return apply('DisableCopyOnRead', name, (resource,), {})


def div(x, y, name=None):
    return apply('Div', name, (x, y), {}).outputs[0]


def div_no_nan(x, y, name=None):
    return apply('DivNoNan', name, (x, y), {}).outputs[0]


def draw_bounding_boxes(images, boxes, name=None):
    return apply('DrawBoundingBoxes', name, (images, boxes), {}).outputs[0]


def draw_bounding_boxes_v2(images, boxes, colors, name=None):
    return apply('DrawBoundingBoxesV2', name, (images, boxes, colors), {}).outputs[0]


def dummy_memory_cache(name=None):
    return apply('DummyMemoryCache', name, (), {}).outputs[0]


def dummy_seed_generator(name=None):
    return apply('DummySeedGenerator', name, (), {}).outputs[0]


def dynamic_partition(data, partitions, num_partitions, name=None):
    return apply('DynamicPartition', name, (data, partitions), {'num_partitions': num_partitions}).outputs


def dynamic_stitch(indices, data, name=None):
    return apply('DynamicStitch', name, (indices, data), {}).outputs[0]


def edit_distance(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape, normalize=True, name=None):
    return apply('EditDistance', name, (hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape), {'normalize': normalize}).outputs[0]


def eig(input, Tout, compute_v=True, name=None):
    return results(apply('Eig', name, (input,), {'Tout': Tout, 'compute_v': compute_v}))


def einsum(inputs, equation, name=None):
    return apply('Einsum', name, (inputs,), {'equation': equation}).outputs[0]


def elu(features, name=None):
    return apply('Elu', name, (features,), {}).outputs[0]


def elu_grad(gradients, outputs, name=None):
    return apply('EluGrad', name, (gradients, outputs), {}).outputs[0]


def empty(shape, dtype, init=False, name=None):
    return apply('Empty', name, (shape,), {'dtype': dtype, 'init': init}).outputs[0]


def empty_tensor_list(element_shape, max_num_elements, element_dtype, name=None):
    return apply('EmptyTensorList', name, (element_shape, max_num_elements), {'element_dtype': element_dtype}).outputs[0]


def empty_tensor_map(name=None):
    return apply('EmptyTensorMap', name, (), {}).outputs[0]


def encode_base64(input, pad=False, name=None):
    return apply('EncodeBase64', name, (input,), {'pad': pad}).outputs[0]


def encode_jpeg(image, format='', quality=95, progressive=False, optimize_size=False, chroma_downsampling=True, density_unit='in', x_density=300, y_density=300, xmp_metadata='', name=None):
    return apply('EncodeJpeg', name, (image,), {'format': format, 'quality': quality, 'progressive': progressive, 'optimize_size': optimize_size, 'chroma_downsampling': chroma_downsampling, 'density_unit': density_unit, 'x_density': x_density, 'y_density': y_density, 'xmp_metadata': xmp_metadata}).outputs[0]


def encode_jpeg_variable_quality(images, quality, name=None):
    return apply('EncodeJpegVariableQuality', name, (images, quality), {}).outputs[0]


def encode_png(image, compression=-1, name=None):
    return apply('EncodePng', name, (image,), {'compression': compression}).outputs[0]


def ensure_shape(input, shape, name=None):
    return apply('EnsureShape', name, (input,), {'shape': shape}).outputs[0]


def enter(data, frame_name, is_constant=False, parallel_iterations=10, name=None):
    return apply('Enter', name, (data,), {'frame_name': frame_name, 'is_constant': is_constant, 'parallel_iterations': parallel_iterations}).outputs[0]


def equal(x, y, incompatible_shape_error=True, name=None):
    return apply('Equal', name, (x, y), {'incompatible_shape_error': incompatible_shape_error}).outputs[0]


def erf(x, name=None):
    return apply('Erf', name, (x,), {}).outputs[0]


def erfc(x, name=None):
    return apply('Erfc', name, (x,), {}).outputs[0]


def erfinv(x, name=None):
    return apply('Erfinv', name, (x,), {}).outputs[0]


def euclidean_norm(input, reduction_indices, keep_dims=False, name=None):
    return apply('EuclideanNorm', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def exit(data, name=None):
    return apply('Exit', name, (data,), {}).outputs[0]


def exp(x, name=None):
    return apply('Exp', name, (x,), {}).outputs[0]


def expand_dims(input, dim, name=None):
    return apply('ExpandDims', name, (input, dim), {}).outputs[0]


def experimental_assert_next_dataset(input_dataset, transformations, output_types, output_shapes, name=None):
    return apply('ExperimentalAssertNextDataset', name, (input_dataset, transformations), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def expint(x, name=None):
    return apply('Expint', name, (x,), {}).outputs[0]


def expm1(x, name=None):
    return apply('Expm1', name, (x,), {}).outputs[0]


def extract_glimpse(input, size, offsets, centered=True, normalized=True, uniform_noise=True, noise='uniform', name=None):
    return apply('ExtractGlimpse', name, (input, size, offsets), {'centered': centered, 'normalized': normalized, 'uniform_noise': uniform_noise, 'noise': noise}).outputs[0]


def extract_glimpse_v2(input, size, offsets, centered=True, normalized=True, uniform_noise=True, noise='uniform', name=None):
    return apply('ExtractGlimpseV2', name, (input, size, offsets), {'centered': centered, 'normalized': normalized, 'uniform_noise': uniform_noise, 'noise': noise}).outputs[0]


def extract_image_patches(images, ksizes, strides, rates, padding, name=None):
    return apply('ExtractImagePatches', name, (images,), {'ksizes': ksizes, 'strides': strides, 'rates': rates, 'padding': padding}).outputs[0]


def extract_jpeg_shape(contents, output_type=dtypes.int32, name=None):
    return apply('ExtractJpegShape', name, (contents,), {'output_type': output_type}).outputs[0]


def extract_volume_patches(input, ksizes, strides, padding, name=None):
    return apply('ExtractVolumePatches', name, (input,), {'ksizes': ksizes, 'strides': strides, 'padding': padding}).outputs[0]


def fft(input, name=None):
    return apply('FFT', name, (input,), {}).outputs[0]


def fft2d(input, name=None):
    return apply('FFT2D', name, (input,), {}).outputs[0]


def fft3d(input, name=None):
    return apply('FFT3D', name, (input,), {}).outputs[0]


def fifo_queue(component_types, shapes=[], capacity=-1, container='', shared_name='', name=None):
    return apply('FIFOQueue', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def fifo_queue_v2(component_types, shapes=[], capacity=-1, container='', shared_name='', name=None):
    return apply('FIFOQueueV2', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def fake_param(dtype, shape, name=None):
    return apply('FakeParam', name, (), {'dtype': dtype, 'shape': shape}).outputs[0]


def fake_quant_with_min_max_args(inputs, min=-6.0, max=6.0, num_bits=8, narrow_range=False, name=None):
    return apply('FakeQuantWithMinMaxArgs', name, (inputs,), {'min': min, 'max': max, 'num_bits': num_bits, 'narrow_range': narrow_range}).outputs[0]


def fake_quant_with_min_max_args_gradient(gradients, inputs, min=-6.0, max=6.0, num_bits=8, narrow_range=False, name=None):
    return apply('FakeQuantWithMinMaxArgsGradient', name, (gradients, inputs), {'min': min, 'max': max, 'num_bits': num_bits, 'narrow_range': narrow_range}).outputs[0]


def fake_quant_with_min_max_vars(inputs, min, max, num_bits=8, narrow_range=False, name=None):
    return apply('FakeQuantWithMinMaxVars', name, (inputs, min, max), {'num_bits': num_bits, 'narrow_range': narrow_range}).outputs[0]


def fake_quant_with_min_max_vars_gradient(gradients, inputs, min, max, num_bits=8, narrow_range=False, name=None):
    return results(apply('FakeQuantWithMinMaxVarsGradient', name, (gradients, inputs, min, max), {'num_bits': num_bits, 'narrow_range': narrow_range}))


def fake_quant_with_min_max_vars_per_channel(inputs, min, max, num_bits=8, narrow_range=False, name=None):
    return apply('FakeQuantWithMinMaxVarsPerChannel', name, (inputs, min, max), {'num_bits': num_bits, 'narrow_range': narrow_range}).outputs[0]


def fake_quant_with_min_max_vars_per_channel_gradient(gradients, inputs, min, max, num_bits=8, narrow_range=False, name=None):
    return results(apply('FakeQuantWithMinMaxVarsPerChannelGradient', name, (gradients, inputs, min, max), {'num_bits': num_bits, 'narrow_range': narrow_range}))


def fill(dims, value, name=None):
    return apply('Fill', name, (dims, value), {}).outputs[0]


def filter_dataset(input_dataset, other_arguments, predicate, output_types, output_shapes, metadata='', name=None):
    return apply('FilterDataset', name, (input_dataset, other_arguments), {'predicate': predicate, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def finalize_dataset(input_dataset, output_types, output_shapes, has_captured_ref=False, name=None):
    return apply('FinalizeDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes, 'has_captured_ref': has_captured_ref}).outputs[0]


def fingerprint(data, method, name=None):
    return apply('Fingerprint', name, (data, method), {}).outputs[0]


def fixed_length_record_dataset(filenames, header_bytes, record_bytes, footer_bytes, buffer_size, metadata='', name=None):
    return apply('FixedLengthRecordDataset', name, (filenames, header_bytes, record_bytes, footer_bytes, buffer_size), {'metadata': metadata}).outputs[0]


def fixed_length_record_dataset_v2(filenames, header_bytes, record_bytes, footer_bytes, buffer_size, compression_type, metadata='', name=None):
    return apply('FixedLengthRecordDatasetV2', name, (filenames, header_bytes, record_bytes, footer_bytes, buffer_size, compression_type), {'metadata': metadata}).outputs[0]


def fixed_length_record_reader(record_bytes, header_bytes=0, footer_bytes=0, hop_bytes=0, container='', shared_name='', name=None):
    return apply('FixedLengthRecordReader', name, (), {'record_bytes': record_bytes, 'header_bytes': header_bytes, 'footer_bytes': footer_bytes, 'hop_bytes': hop_bytes, 'container': container, 'shared_name': shared_name}).outputs[0]


def fixed_length_record_reader_v2(record_bytes, header_bytes=0, footer_bytes=0, hop_bytes=0, container='', shared_name='', encoding='', name=None):
    return apply('FixedLengthRecordReaderV2', name, (), {'record_bytes': record_bytes, 'header_bytes': header_bytes, 'footer_bytes': footer_bytes, 'hop_bytes': hop_bytes, 'container': container, 'shared_name': shared_name, 'encoding': encoding}).outputs[0]


def fixed_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, vocab_file='', distortion=1.0, num_reserved_ids=0, num_shards=1, shard=0, unigrams=[], seed=0, seed2=0, name=None):
    return results(apply('FixedUnigramCandidateSampler', name, (true_classes,), {'num_true': num_true, 'num_sampled': num_sampled, 'unique': unique, 'range_max': range_max, 'vocab_file': vocab_file, 'distortion': distortion, 'num_reserved_ids': num_reserved_ids, 'num_shards': num_shards, 'shard': shard, 'unigrams': unigrams, 'seed': seed, 'seed2': seed2}))


def flat_map_dataset(input_dataset, other_arguments, f, output_types, output_shapes, metadata='', name=None):
    return apply('FlatMapDataset', name, (input_dataset, other_arguments), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def floor(x, name=None):
    return apply('Floor', name, (x,), {}).outputs[0]


def floor_div(x, y, name=None):
    return apply('FloorDiv', name, (x, y), {}).outputs[0]


def floor_mod(x, y, name=None):
    return apply('FloorMod', name, (x, y), {}).outputs[0]


def flush_summary_writer(writer, name=None):
    return apply('FlushSummaryWriter', name, (writer,), {})


def for_(start, limit, delta, input, body, name=None):
    return apply('For', name, (start, limit, delta, input), {'body': body}).outputs


def fractional_avg_pool(value, pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0, name=None):
    return results(apply('FractionalAvgPool', name, (value,), {'pooling_ratio': pooling_ratio, 'pseudo_random': pseudo_random, 'overlapping': overlapping, 'deterministic': deterministic, 'seed': seed, 'seed2': seed2}))


def fractional_avg_pool_grad(orig_input_tensor_shape, out_backprop, row_pooling_sequence, col_pooling_sequence, overlapping=False, name=None):
    return apply('FractionalAvgPoolGrad', name, (orig_input_tensor_shape, out_backprop, row_pooling_sequence, col_pooling_sequence), {'overlapping': overlapping}).outputs[0]


def fractional_max_pool(value, pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0, name=None):
    return results(apply('FractionalMaxPool', name, (value,), {'pooling_ratio': pooling_ratio, 'pseudo_random': pseudo_random, 'overlapping': overlapping, 'deterministic': deterministic, 'seed': seed, 'seed2': seed2}))


def fractional_max_pool_grad(orig_input, orig_output, out_backprop, row_pooling_sequence, col_pooling_sequence, overlapping=False, name=None):
    return apply('FractionalMaxPoolGrad', name, (orig_input, orig_output, out_backprop, row_pooling_sequence, col_pooling_sequence), {'overlapping': overlapping}).outputs[0]


def fresnel_cos(x, name=None):
    return apply('FresnelCos', name, (x,), {}).outputs[0]


def fresnel_sin(x, name=None):
    return apply('FresnelSin', name, (x,), {}).outputs[0]


def fused_batch_norm(x, scale, offset, mean, variance, epsilon=9.99999975e-05, exponential_avg_factor=1.0, data_format='NHWC', is_training=True, name=None):
    return results(apply('FusedBatchNorm', name, (x, scale, offset, mean, variance), {'epsilon': epsilon, 'exponential_avg_factor': exponential_avg_factor, 'data_format': data_format, 'is_training': is_training}))


def fused_batch_norm_grad(y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon=9.99999975e-05, data_format='NHWC', is_training=True, name=None):
    return results(apply('FusedBatchNormGrad', name, (y_backprop, x, scale, reserve_space_1, reserve_space_2), {'epsilon': epsilon, 'data_format': data_format, 'is_training': is_training}))


def fused_batch_norm_grad_v2(y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon=9.99999975e-05, data_format='NHWC', is_training=True, name=None):
    return results(apply('FusedBatchNormGradV2', name, (y_backprop, x, scale, reserve_space_1, reserve_space_2), {'epsilon': epsilon, 'data_format': data_format, 'is_training': is_training}))


def fused_batch_norm_grad_v3(y_backprop, x, scale, reserve_space_1, reserve_space_2, reserve_space_3, epsilon=9.99999975e-05, data_format='NHWC', is_training=True, name=None):
    return results(apply('FusedBatchNormGradV3', name, (y_backprop, x, scale, reserve_space_1, reserve_space_2, reserve_space_3), {'epsilon': epsilon, 'data_format': data_format, 'is_training': is_training}))


def fused_batch_norm_v2(x, scale, offset, mean, variance, epsilon=9.99999975e-05, exponential_avg_factor=1.0, data_format='NHWC', is_training=True, name=None):
    return results(apply('FusedBatchNormV2', name, (x, scale, offset, mean, variance), {'epsilon': epsilon, 'exponential_avg_factor': exponential_avg_factor, 'data_format': data_format, 'is_training': is_training}))


def fused_batch_norm_v3(x, scale, offset, mean, variance, epsilon=9.99999975e-05, exponential_avg_factor=1.0, data_format='NHWC', is_training=True, name=None):
    return results(apply('FusedBatchNormV3', name, (x, scale, offset, mean, variance), {'epsilon': epsilon, 'exponential_avg_factor': exponential_avg_factor, 'data_format': data_format, 'is_training': is_training}))


def gru_block_cell(x, h_prev, w_ru, w_c, b_ru, b_c, name=None):
    return results(apply('GRUBlockCell', name, (x, h_prev, w_ru, w_c, b_ru, b_c), {}))


def gru_block_cell_grad(x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h, name=None):
    return results(apply('GRUBlockCellGrad', name, (x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h), {}))


def gather(params, indices, validate_indices=True, name=None):
    return apply('Gather', name, (params, indices), {'validate_indices': validate_indices}).outputs[0]


def gather_nd(params, indices, bad_indices_policy='', name=None):
    return apply('GatherNd', name, (params, indices), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def gather_v2(params, indices, axis, batch_dims=0, name=None):
    return apply('GatherV2', name, (params, indices, axis), {'batch_dims': batch_dims}).outputs[0]


def generate_vocab_remapping(new_vocab_file, old_vocab_file, new_vocab_offset, num_new_vocab, old_vocab_size=-1, name=None):
    return results(apply('GenerateVocabRemapping', name, (new_vocab_file, old_vocab_file), {'new_vocab_offset': new_vocab_offset, 'num_new_vocab': num_new_vocab, 'old_vocab_size': old_vocab_size}))


def generator_dataset(init_func_other_args, next_func_other_args, finalize_func_other_args, init_func, next_func, finalize_func, output_types, output_shapes, metadata='', name=None):
    return apply('GeneratorDataset', name, (init_func_other_args, next_func_other_args, finalize_func_other_args), {'init_func': init_func, 'next_func': next_func, 'finalize_func': finalize_func, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def get_element_at_index(dataset, index, output_types, output_shapes, name=None):
    return apply('GetElementAtIndex', name, (dataset, index), {'output_types': output_types, 'output_shapes': output_shapes}).outputs


def get_options(input_dataset, name=None):
    return apply('GetOptions', name, (input_dataset,), {}).outputs[0]


def get_session_handle(value, name=None):
    return apply('GetSessionHandle', name, (value,), {}).outputs[0]


def get_session_handle_v2(value, name=None):
    return apply('GetSessionHandleV2', name, (value,), {}).outputs[0]


def get_session_tensor(handle, dtype, name=None):
    return apply('GetSessionTensor', name, (handle,), {'dtype': dtype}).outputs[0]


def global_shuffle_dataset(input_dataset, seed, seed2, seed_generator, output_types, output_shapes, reshuffle_each_iteration=True, metadata='', name=None):
    return apply('GlobalShuffleDataset', name, (input_dataset, seed, seed2, seed_generator), {'output_types': output_types, 'output_shapes': output_shapes, 'reshuffle_each_iteration': reshuffle_each_iteration, 'metadata': metadata}).outputs[0]


def greater(x, y, name=None):
    return apply('Greater', name, (x, y), {}).outputs[0]


def greater_equal(x, y, name=None):
    return apply('GreaterEqual', name, (x, y), {}).outputs[0]


def guarantee_const(input, name=None):
    return apply('GuaranteeConst', name, (input,), {}).outputs[0]


def hsv_to_rgb(images, name=None):
    return apply('HSVToRGB', name, (images,), {}).outputs[0]


def hash_table(key_dtype, value_dtype, container='', shared_name='', use_node_name_sharing=False, name=None):
    return apply('HashTable', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing}).outputs[0]


def hash_table_v2(key_dtype, value_dtype, container='', shared_name='', use_node_name_sharing=False, name=None):
    return apply('HashTableV2', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing}).outputs[0]


def histogram_fixed_width(values, value_range, nbins, dtype=dtypes.int32, name=None):
    return apply('HistogramFixedWidth', name, (values, value_range, nbins), {'dtype': dtype}).outputs[0]


def histogram_summary(tag, values, name=None):
    return apply('HistogramSummary', name, (tag, values), {}).outputs[0]


def ifft(input, name=None):
    return apply('IFFT', name, (input,), {}).outputs[0]


def ifft2d(input, name=None):
    return apply('IFFT2D', name, (input,), {}).outputs[0]


def ifft3d(input, name=None):
    return apply('IFFT3D', name, (input,), {}).outputs[0]


def irfft(input, fft_length, Treal=dtypes.float32, name=None):
    return apply('IRFFT', name, (input, fft_length), {'Treal': Treal}).outputs[0]


def irfft2d(input, fft_length, Treal=dtypes.float32, name=None):
    return apply('IRFFT2D', name, (input, fft_length), {'Treal': Treal}).outputs[0]


def irfft3d(input, fft_length, Treal=dtypes.float32, name=None):
    return apply('IRFFT3D', name, (input, fft_length), {'Treal': Treal}).outputs[0]


def identity(input, name=None):
    return apply('Identity', name, (input,), {}).outputs[0]


def identity_n(input, name=None):
    return apply('IdentityN', name, (input,), {}).outputs


def identity_reader(container='', shared_name='', name=None):
    return apply('IdentityReader', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def identity_reader_v2(container='', shared_name='', name=None):
    return apply('IdentityReaderV2', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def if_(cond, input, Tout, then_branch, else_branch, output_shapes=[], name=None):
    return apply('If', name, (cond, input), {'Tout': Tout, 'then_branch': then_branch, 'else_branch': else_branch, 'output_shapes': output_shapes}).outputs


def igamma(a, x, name=None):
    return apply('Igamma', name, (a, x), {}).outputs[0]


def igamma_grad_a(a, x, name=None):
    return apply('IgammaGradA', name, (a, x), {}).outputs[0]


def igammac(a, x, name=None):
    return apply('Igammac', name, (a, x), {}).outputs[0]


def imag(input, Tout=dtypes.float32, name=None):
    return apply('Imag', name, (input,), {'Tout': Tout}).outputs[0]


def image_summary(tag, tensor, bad_color, max_images=3, name=None):
    return apply('ImageSummary', name, (tag, tensor), {'bad_color': bad_color, 'max_images': max_images}).outputs[0]


def immutable_const(dtype, shape, memory_region_name, name=None):
    return apply('ImmutableConst', name, (), {'dtype': dtype, 'shape': shape, 'memory_region_name': memory_region_name}).outputs[0]


def import_event(writer, event, name=None):
    return apply('ImportEvent', name, (writer, event), {})


def in_top_k(predictions, targets, k, name=None):
    return apply('InTopK', name, (predictions, targets), {'k': k}).outputs[0]


def in_top_kv2(predictions, targets, k, name=None):
    return apply('InTopKV2', name, (predictions, targets, k), {}).outputs[0]


def initialize_table(table_handle, keys, values, name=None):
    return apply('InitializeTable', name, (table_handle, keys, values), {})


def initialize_table_from_text_file(table_handle, filename, key_index, value_index, vocab_size=-1, delimiter='\t', offset=0, name=None):
    return apply('InitializeTableFromTextFile', name, (table_handle, filename), {'key_index': key_index, 'value_index': value_index, 'vocab_size': vocab_size, 'delimiter': delimiter, 'offset': offset})


def initialize_table_from_text_file_v2(table_handle, filename, key_index, value_index, vocab_size=-1, delimiter='\t', offset=0, name=None):
    return apply('InitializeTableFromTextFileV2', name, (table_handle, filename), {'key_index': key_index, 'value_index': value_index, 'vocab_size': vocab_size, 'delimiter': delimiter, 'offset': offset})


def initialize_table_v2(table_handle, keys, values, name=None):
    return apply('InitializeTableV2', name, (table_handle, keys, values), {})


def inplace_add(x, i, v, name=None):
    return apply('InplaceAdd', name, (x, i, v), {}).outputs[0]


def inplace_sub(x, i, v, name=None):
    return apply('InplaceSub', name, (x, i, v), {}).outputs[0]


def inplace_update(x, i, v, name=None):
    return apply('InplaceUpdate', name, (x, i, v), {}).outputs[0]


def interleave_dataset(input_dataset, other_arguments, cycle_length, block_length, f, output_types, output_shapes, metadata='', name=None):
    return apply('InterleaveDataset', name, (input_dataset, other_arguments, cycle_length, block_length), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def inv(x, name=None):
    return apply('Inv', name, (x,), {}).outputs[0]


def inv_grad(y, dy, name=None):
    return apply('InvGrad', name, (y, dy), {}).outputs[0]


def invert(x, name=None):
    return apply('Invert', name, (x,), {}).outputs[0]


def invert_permutation(x, name=None):
    return apply('InvertPermutation', name, (x,), {}).outputs[0]


def is_finite(x, name=None):
    return apply('IsFinite', name, (x,), {}).outputs[0]


def is_inf(x, name=None):
    return apply('IsInf', name, (x,), {}).outputs[0]


def is_nan(x, name=None):
    return apply('IsNan', name, (x,), {}).outputs[0]


def is_variable_initialized(ref, name=None):
    return apply('IsVariableInitialized', name, (ref,), {}).outputs[0]


def iterator(shared_name, container, output_types, output_shapes, name=None):
    return apply('Iterator', name, (), {'shared_name': shared_name, 'container': container, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def iterator_from_string_handle(string_handle, output_types=[], output_shapes=[], name=None):
    return apply('IteratorFromStringHandle', name, (string_handle,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def iterator_from_string_handle_v2(string_handle, output_types=[], output_shapes=[], name=None):
    return apply('IteratorFromStringHandleV2', name, (string_handle,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def iterator_get_next(iterator, output_types, output_shapes, name=None):
    return apply('IteratorGetNext', name, (iterator,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs


def iterator_get_next_as_optional(iterator, output_types, output_shapes, name=None):
    return apply('IteratorGetNextAsOptional', name, (iterator,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def iterator_get_next_sync(iterator, output_types, output_shapes, name=None):
    return apply('IteratorGetNextSync', name, (iterator,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs


def iterator_to_string_handle(resource_handle, name=None):
    return apply('IteratorToStringHandle', name, (resource_handle,), {}).outputs[0]


def iterator_v2(shared_name, container, output_types, output_shapes, name=None):
    return apply('IteratorV2', name, (), {'shared_name': shared_name, 'container': container, 'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def kmc2_chain_initialization(distances, seed, name=None):
    return apply('KMC2ChainInitialization', name, (distances, seed), {}).outputs[0]


def kmeans_plus_plus_initialization(points, num_to_sample, seed, num_retries_per_sample, name=None):
    return apply('KmeansPlusPlusInitialization', name, (points, num_to_sample, seed, num_retries_per_sample), {}).outputs[0]


def l2_loss(t, name=None):
    return apply('L2Loss', name, (t,), {}).outputs[0]


def lrn(input, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, name=None):
    return apply('LRN', name, (input,), {'depth_radius': depth_radius, 'bias': bias, 'alpha': alpha, 'beta': beta}).outputs[0]


def lrn_grad(input_grads, input_image, output_image, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, name=None):
    return apply('LRNGrad', name, (input_grads, input_image, output_image), {'depth_radius': depth_radius, 'bias': bias, 'alpha': alpha, 'beta': beta}).outputs[0]


def lstm_block_cell(x, cs_prev, h_prev, w, wci, wcf, wco, b, forget_bias=1.0, cell_clip=3.0, use_peephole=False, name=None):
    return results(apply('LSTMBlockCell', name, (x, cs_prev, h_prev, w, wci, wcf, wco, b), {'forget_bias': forget_bias, 'cell_clip': cell_clip, 'use_peephole': use_peephole}))


def lstm_block_cell_grad(x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad, use_peephole, name=None):
    return results(apply('LSTMBlockCellGrad', name, (x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad), {'use_peephole': use_peephole}))


def latency_stats_dataset(input_dataset, tag, output_types, output_shapes, name=None):
    return apply('LatencyStatsDataset', name, (input_dataset, tag), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def leaky_relu(features, alpha=0.200000003, name=None):
    return apply('LeakyRelu', name, (features,), {'alpha': alpha}).outputs[0]


def leaky_relu_grad(gradients, features, alpha=0.200000003, name=None):
    return apply('LeakyReluGrad', name, (gradients, features), {'alpha': alpha}).outputs[0]


def learned_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=0, seed2=0, name=None):
    return results(apply('LearnedUnigramCandidateSampler', name, (true_classes,), {'num_true': num_true, 'num_sampled': num_sampled, 'unique': unique, 'range_max': range_max, 'seed': seed, 'seed2': seed2}))


def left_shift(x, y, name=None):
    return apply('LeftShift', name, (x, y), {}).outputs[0]


def less(x, y, name=None):
    return apply('Less', name, (x, y), {}).outputs[0]


def less_equal(x, y, name=None):
    return apply('LessEqual', name, (x, y), {}).outputs[0]


def lgamma(x, name=None):
    return apply('Lgamma', name, (x,), {}).outputs[0]


def lin_space(start, stop, num, name=None):
    return apply('LinSpace', name, (start, stop, num), {}).outputs[0]


def list_diff(x, y, out_idx=dtypes.int32, name=None):
    return results(apply('ListDiff', name, (x, y), {'out_idx': out_idx}))


def load_and_remap_matrix(ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values, num_rows, num_cols, max_rows_in_memory=-1, name=None):
    return apply('LoadAndRemapMatrix', name, (ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values), {'num_rows': num_rows, 'num_cols': num_cols, 'max_rows_in_memory': max_rows_in_memory}).outputs[0]


def load_dataset(path, reader_func_other_args, output_types, output_shapes, reader_func, compression='', name=None):
    return apply('LoadDataset', name, (path, reader_func_other_args), {'output_types': output_types, 'output_shapes': output_shapes, 'reader_func': reader_func, 'compression': compression}).outputs[0]


def log(x, name=None):
    return apply('Log', name, (x,), {}).outputs[0]


def log1p(x, name=None):
    return apply('Log1p', name, (x,), {}).outputs[0]


def log_matrix_determinant(input, name=None):
    return results(apply('LogMatrixDeterminant', name, (input,), {}))


def log_softmax(logits, name=None):
    return apply('LogSoftmax', name, (logits,), {}).outputs[0]


def log_uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=0, seed2=0, name=None):
    return results(apply('LogUniformCandidateSampler', name, (true_classes,), {'num_true': num_true, 'num_sampled': num_sampled, 'unique': unique, 'range_max': range_max, 'seed': seed, 'seed2': seed2}))


def logical_and(x, y, name=None):
    return apply('LogicalAnd', name, (x, y), {}).outputs[0]


def logical_not(x, name=None):
    return apply('LogicalNot', name, (x,), {}).outputs[0]


def logical_or(x, y, name=None):
    return apply('LogicalOr', name, (x, y), {}).outputs[0]


def lookup_table_export(table_handle, Tkeys, Tvalues, name=None):
    return results(apply('LookupTableExport', name, (table_handle,), {'Tkeys': Tkeys, 'Tvalues': Tvalues}))


def lookup_table_export_v2(table_handle, Tkeys, Tvalues, name=None):
    return results(apply('LookupTableExportV2', name, (table_handle,), {'Tkeys': Tkeys, 'Tvalues': Tvalues}))


def lookup_table_find(table_handle, keys, default_value, name=None):
    return apply('LookupTableFind', name, (table_handle, keys, default_value), {}).outputs[0]


def lookup_table_find_v2(table_handle, keys, default_value, name=None):
    return apply('LookupTableFindV2', name, (table_handle, keys, default_value), {}).outputs[0]


def lookup_table_import(table_handle, keys, values, name=None):
    return apply('LookupTableImport', name, (table_handle, keys, values), {})


def lookup_table_import_v2(table_handle, keys, values, name=None):
    return apply('LookupTableImportV2', name, (table_handle, keys, values), {})


def lookup_table_insert(table_handle, keys, values, name=None):
    return apply('LookupTableInsert', name, (table_handle, keys, values), {})


def lookup_table_insert_v2(table_handle, keys, values, name=None):
    return apply('LookupTableInsertV2', name, (table_handle, keys, values), {})


def lookup_table_remove_v2(table_handle, keys, name=None):
    return apply('LookupTableRemoveV2', name, (table_handle, keys), {})


def lookup_table_size(table_handle, name=None):
    return apply('LookupTableSize', name, (table_handle,), {}).outputs[0]


def lookup_table_size_v2(table_handle, name=None):
    return apply('LookupTableSizeV2', name, (table_handle,), {}).outputs[0]


def loop_cond(input, name=None):
    return apply('LoopCond', name, (input,), {}).outputs[0]


def lower_bound(sorted_inputs, values, out_type=dtypes.int32, name=None):
    return apply('LowerBound', name, (sorted_inputs, values), {'out_type': out_type}).outputs[0]


def lu(input, output_idx_type=dtypes.int32, name=None):
    return results(apply('Lu', name, (input,), {'output_idx_type': output_idx_type}))


def make_iterator(dataset, iterator, name=None):
    return apply('MakeIterator', name, (dataset, iterator), {})


def map_clear(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('MapClear', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name})


def map_dataset(input_dataset, other_arguments, f, output_types, output_shapes, use_inter_op_parallelism=True, preserve_cardinality=False, force_synchronous=False, metadata='', name=None):
    return apply('MapDataset', name, (input_dataset, other_arguments), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'use_inter_op_parallelism': use_inter_op_parallelism, 'preserve_cardinality': preserve_cardinality, 'force_synchronous': force_synchronous, 'metadata': metadata}).outputs[0]


def map_incomplete_size(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('MapIncompleteSize', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs[0]


def map_peek(key, indices, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('MapPeek', name, (key, indices), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs


def map_size(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('MapSize', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs[0]


def map_stage(key, indices, values, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('MapStage', name, (key, indices, values), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name})


def map_unstage(key, indices, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('MapUnstage', name, (key, indices), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs


def map_unstage_no_key(indices, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return results(apply('MapUnstageNoKey', name, (indices,), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}))


def mat_mul(a, b, transpose_a=False, transpose_b=False, grad_a=False, grad_b=False, name=None):
    return apply('MatMul', name, (a, b), {'transpose_a': transpose_a, 'transpose_b': transpose_b, 'grad_a': grad_a, 'grad_b': grad_b}).outputs[0]


def matching_files(pattern, name=None):
    return apply('MatchingFiles', name, (pattern,), {}).outputs[0]


def matrix_band_part(input, num_lower, num_upper, name=None):
    return apply('MatrixBandPart', name, (input, num_lower, num_upper), {}).outputs[0]


def matrix_determinant(input, name=None):
    return apply('MatrixDeterminant', name, (input,), {}).outputs[0]


def matrix_diag(diagonal, name=None):
    return apply('MatrixDiag', name, (diagonal,), {}).outputs[0]


def matrix_diag_part(input, name=None):
    return apply('MatrixDiagPart', name, (input,), {}).outputs[0]


def matrix_diag_part_v2(input, k, padding_value, name=None):
    return apply('MatrixDiagPartV2', name, (input, k, padding_value), {}).outputs[0]


def matrix_diag_part_v3(input, k, padding_value, align='RIGHT_LEFT', name=None):
    return apply('MatrixDiagPartV3', name, (input, k, padding_value), {'align': align}).outputs[0]


def matrix_diag_v2(diagonal, k, num_rows, num_cols, padding_value, name=None):
    return apply('MatrixDiagV2', name, (diagonal, k, num_rows, num_cols, padding_value), {}).outputs[0]


def matrix_diag_v3(diagonal, k, num_rows, num_cols, padding_value, align='RIGHT_LEFT', name=None):
    return apply('MatrixDiagV3', name, (diagonal, k, num_rows, num_cols, padding_value), {'align': align}).outputs[0]


def matrix_inverse(input, adjoint=False, name=None):
    return apply('MatrixInverse', name, (input,), {'adjoint': adjoint}).outputs[0]


def matrix_logarithm(input, name=None):
    return apply('MatrixLogarithm', name, (input,), {}).outputs[0]


def matrix_set_diag(input, diagonal, name=None):
    return apply('MatrixSetDiag', name, (input, diagonal), {}).outputs[0]


def matrix_set_diag_v2(input, diagonal, k, name=None):
    return apply('MatrixSetDiagV2', name, (input, diagonal, k), {}).outputs[0]


def matrix_set_diag_v3(input, diagonal, k, align='RIGHT_LEFT', name=None):
    return apply('MatrixSetDiagV3', name, (input, diagonal, k), {'align': align}).outputs[0]


def matrix_solve(matrix, rhs, adjoint=False, name=None):
    return apply('MatrixSolve', name, (matrix, rhs), {'adjoint': adjoint}).outputs[0]


def matrix_solve_ls(matrix, rhs, l2_regularizer, fast=True, name=None):
    return apply('MatrixSolveLs', name, (matrix, rhs, l2_regularizer), {'fast': fast}).outputs[0]


def matrix_square_root(input, name=None):
    return apply('MatrixSquareRoot', name, (input,), {}).outputs[0]


def matrix_triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    return apply('MatrixTriangularSolve', name, (matrix, rhs), {'lower': lower, 'adjoint': adjoint}).outputs[0]


def max(input, reduction_indices, keep_dims=False, name=None):
    return apply('Max', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def max_intra_op_parallelism_dataset(input_dataset, max_intra_op_parallelism, output_types, output_shapes, name=None):
    return apply('MaxIntraOpParallelismDataset', name, (input_dataset, max_intra_op_parallelism), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def max_pool(input, ksize, strides, padding, explicit_paddings=[], data_format='NHWC', name=None):
    return apply('MaxPool', name, (input,), {'ksize': ksize, 'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format}).outputs[0]


def max_pool3d(input, ksize, strides, padding, data_format='NDHWC', name=None):
    return apply('MaxPool3D', name, (input,), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool3d_grad(orig_input, orig_output, grad, ksize, strides, padding, data_format='NDHWC', name=None):
    return apply('MaxPool3DGrad', name, (orig_input, orig_output, grad), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool3d_grad_grad(orig_input, orig_output, grad, ksize, strides, padding, data_format='NDHWC', name=None):
    return apply('MaxPool3DGradGrad', name, (orig_input, orig_output, grad), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool_grad(orig_input, orig_output, grad, ksize, strides, padding, explicit_paddings=[], data_format='NHWC', name=None):
    return apply('MaxPoolGrad', name, (orig_input, orig_output, grad), {'ksize': ksize, 'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format}).outputs[0]


def max_pool_grad_grad(orig_input, orig_output, grad, ksize, strides, padding, data_format='NHWC', name=None):
    return apply('MaxPoolGradGrad', name, (orig_input, orig_output, grad), {'ksize': ksize, 'strides': strides, 'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool_grad_grad_v2(orig_input, orig_output, grad, ksize, strides, padding, data_format='NHWC', name=None):
    return apply('MaxPoolGradGradV2', name, (orig_input, orig_output, grad, ksize, strides), {'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool_grad_v2(orig_input, orig_output, grad, ksize, strides, padding, data_format='NHWC', name=None):
    return apply('MaxPoolGradV2', name, (orig_input, orig_output, grad, ksize, strides), {'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool_grad_with_argmax(input, grad, argmax, ksize, strides, padding, include_batch_in_index=False, name=None):
    return apply('MaxPoolGradWithArgmax', name, (input, grad, argmax), {'ksize': ksize, 'strides': strides, 'padding': padding, 'include_batch_in_index': include_batch_in_index}).outputs[0]


def max_pool_v2(input, ksize, strides, padding, data_format='NHWC', name=None):
    return apply('MaxPoolV2', name, (input, ksize, strides), {'padding': padding, 'data_format': data_format}).outputs[0]


def max_pool_with_argmax(input, ksize, strides, padding, Targmax=dtypes.int64, include_batch_in_index=False, name=None):
    return results(apply('MaxPoolWithArgmax', name, (input,), {'ksize': ksize, 'strides': strides, 'padding': padding, 'Targmax': Targmax, 'include_batch_in_index': include_batch_in_index}))


def maximum(x, y, name=None):
    return apply('Maximum', name, (x, y), {}).outputs[0]


def mean(input, reduction_indices, keep_dims=False, name=None):
    return apply('Mean', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def merge(inputs, name=None):
    return results(apply('Merge', name, (inputs,), {}))


def merge_summary(inputs, name=None):
    return apply('MergeSummary', name, (inputs,), {}).outputs[0]


def merge_v2_checkpoints(checkpoint_prefixes, destination_prefix, delete_old_dirs=True, allow_missing_files=False, name=None):
    return apply('MergeV2Checkpoints', name, (checkpoint_prefixes, destination_prefix), {'delete_old_dirs': delete_old_dirs, 'allow_missing_files': allow_missing_files})


def min(input, reduction_indices, keep_dims=False, name=None):
    return apply('Min', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def minimum(x, y, name=None):
    return apply('Minimum', name, (x, y), {}).outputs[0]


def mirror_pad(input, paddings, mode, name=None):
    return apply('MirrorPad', name, (input, paddings), {'mode': mode}).outputs[0]


def mirror_pad_grad(input, paddings, mode, name=None):
    return apply('MirrorPadGrad', name, (input, paddings), {'mode': mode}).outputs[0]


def mod(x, y, name=None):
    return apply('Mod', name, (x, y), {}).outputs[0]


def model_dataset(input_dataset, output_types, output_shapes, algorithm=0, cpu_budget=0, ram_budget=0, name=None):
    return apply('ModelDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes, 'algorithm': algorithm, 'cpu_budget': cpu_budget, 'ram_budget': ram_budget}).outputs[0]


def mul(x, y, name=None):
    return apply('Mul', name, (x, y), {}).outputs[0]


def mul_no_nan(x, y, name=None):
    return apply('MulNoNan', name, (x, y), {}).outputs[0]


def multinomial(logits, num_samples, seed=0, seed2=0, output_dtype=dtypes.int64, name=None):
    return apply('Multinomial', name, (logits, num_samples), {'seed': seed, 'seed2': seed2, 'output_dtype': output_dtype}).outputs[0]


def mutable_dense_hash_table(empty_key, value_dtype, container='', shared_name='', use_node_name_sharing=False, value_shape=[], initial_num_buckets=131072, max_load_factor=0.800000012, name=None):
    return apply('MutableDenseHashTable', name, (empty_key,), {'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing, 'value_shape': value_shape, 'initial_num_buckets': initial_num_buckets, 'max_load_factor': max_load_factor}).outputs[0]


def mutable_dense_hash_table_v2(empty_key, deleted_key, value_dtype, container='', shared_name='', use_node_name_sharing=False, value_shape=[], initial_num_buckets=131072, max_load_factor=0.800000012, name=None):
    return apply('MutableDenseHashTableV2', name, (empty_key, deleted_key), {'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing, 'value_shape': value_shape, 'initial_num_buckets': initial_num_buckets, 'max_load_factor': max_load_factor}).outputs[0]


def mutable_hash_table(key_dtype, value_dtype, container='', shared_name='', use_node_name_sharing=False, name=None):
    return apply('MutableHashTable', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing}).outputs[0]


def mutable_hash_table_of_tensors(key_dtype, value_dtype, container='', shared_name='', use_node_name_sharing=False, value_shape=[], name=None):
    return apply('MutableHashTableOfTensors', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing, 'value_shape': value_shape}).outputs[0]


def mutable_hash_table_of_tensors_v2(key_dtype, value_dtype, container='', shared_name='', use_node_name_sharing=False, value_shape=[], name=None):
    return apply('MutableHashTableOfTensorsV2', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing, 'value_shape': value_shape}).outputs[0]


def mutable_hash_table_v2(key_dtype, value_dtype, container='', shared_name='', use_node_name_sharing=False, name=None):
    return apply('MutableHashTableV2', name, (), {'key_dtype': key_dtype, 'value_dtype': value_dtype, 'container': container, 'shared_name': shared_name, 'use_node_name_sharing': use_node_name_sharing}).outputs[0]


def mutex_lock(mutex, name=None):
    return apply('MutexLock', name, (mutex,), {}).outputs[0]


def mutex_v2(container='', shared_name='', name=None):
    return apply('MutexV2', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def ndtri(x, name=None):
    return apply('Ndtri', name, (x,), {}).outputs[0]


def nearest_neighbors(points, centers, k, name=None):
    return results(apply('NearestNeighbors', name, (points, centers, k), {}))


def neg(x, name=None):
    return apply('Neg', name, (x,), {}).outputs[0]


def next_after(x1, x2, name=None):
    return apply('NextAfter', name, (x1, x2), {}).outputs[0]


def next_iteration(data, name=None):
    return apply('NextIteration', name, (data,), {}).outputs[0]


def no_op(name=None):
    return apply('NoOp', name, (), {})


def non_deterministic_ints(shape, dtype=dtypes.int64, name=None):
    return apply('NonDeterministicInts', name, (shape,), {'dtype': dtype}).outputs[0]


def non_max_suppression(boxes, scores, max_output_size, iou_threshold=0.5, name=None):
    return apply('NonMaxSuppression', name, (boxes, scores, max_output_size), {'iou_threshold': iou_threshold}).outputs[0]


def non_max_suppression_v2(boxes, scores, max_output_size, iou_threshold, name=None):
    return apply('NonMaxSuppressionV2', name, (boxes, scores, max_output_size, iou_threshold), {}).outputs[0]


def non_max_suppression_v3(boxes, scores, max_output_size, iou_threshold, score_threshold, name=None):
    return apply('NonMaxSuppressionV3', name, (boxes, scores, max_output_size, iou_threshold, score_threshold), {}).outputs[0]


def non_max_suppression_v4(boxes, scores, max_output_size, iou_threshold, score_threshold, pad_to_max_output_size=False, name=None):
    return results(apply('NonMaxSuppressionV4', name, (boxes, scores, max_output_size, iou_threshold, score_threshold), {'pad_to_max_output_size': pad_to_max_output_size}))


def non_max_suppression_v5(boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma, pad_to_max_output_size=False, name=None):
    return results(apply('NonMaxSuppressionV5', name, (boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma), {'pad_to_max_output_size': pad_to_max_output_size}))


def non_max_suppression_with_overlaps(overlaps, scores, max_output_size, overlap_threshold, score_threshold, name=None):
    return apply('NonMaxSuppressionWithOverlaps', name, (overlaps, scores, max_output_size, overlap_threshold, score_threshold), {}).outputs[0]


def non_serializable_dataset(input_dataset, output_types, output_shapes, name=None):
    return apply('NonSerializableDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def not_equal(x, y, incompatible_shape_error=True, name=None):
    return apply('NotEqual', name, (x, y), {'incompatible_shape_error': incompatible_shape_error}).outputs[0]


def nth_element(input, n, reverse=False, name=None):
    return apply('NthElement', name, (input, n), {'reverse': reverse}).outputs[0]


def one_hot(indices, depth, on_value, off_value, axis=-1, name=None):
    return apply('OneHot', name, (indices, depth, on_value, off_value), {'axis': axis}).outputs[0]


def one_shot_iterator(dataset_factory, output_types, output_shapes, container='', shared_name='', name=None):
    return apply('OneShotIterator', name, (), {'dataset_factory': dataset_factory, 'output_types': output_types, 'output_shapes': output_shapes, 'container': container, 'shared_name': shared_name}).outputs[0]


def ones_like(x, name=None):
    return apply('OnesLike', name, (x,), {}).outputs[0]


def optimize_dataset(input_dataset, optimizations, output_types, output_shapes, optimization_configs=[], name=None):
    return apply('OptimizeDataset', name, (input_dataset, optimizations), {'output_types': output_types, 'output_shapes': output_shapes, 'optimization_configs': optimization_configs}).outputs[0]


def optimize_dataset_v2(input_dataset, optimizations_enabled, optimizations_disabled, optimizations_default, output_types, output_shapes, optimization_configs=[], name=None):
    return apply('OptimizeDatasetV2', name, (input_dataset, optimizations_enabled, optimizations_disabled, optimizations_default), {'output_types': output_types, 'output_shapes': output_shapes, 'optimization_configs': optimization_configs}).outputs[0]


def optional_from_value(components, name=None):
    return apply('OptionalFromValue', name, (components,), {}).outputs[0]


def optional_get_value(optional, output_types, output_shapes, name=None):
    return apply('OptionalGetValue', name, (optional,), {'output_types': output_types, 'output_shapes': output_shapes}).outputs


def optional_has_value(optional, name=None):
    return apply('OptionalHasValue', name, (optional,), {}).outputs[0]


def optional_none(name=None):
    return apply('OptionalNone', name, (), {}).outputs[0]


def options_dataset(input_dataset, serialized_options, output_types, output_shapes, metadata='', name=None):
    return apply('OptionsDataset', name, (input_dataset,), {'serialized_options': serialized_options, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def ordered_map_clear(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('OrderedMapClear', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name})


def ordered_map_incomplete_size(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('OrderedMapIncompleteSize', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs[0]


def ordered_map_peek(key, indices, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('OrderedMapPeek', name, (key, indices), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs


def ordered_map_size(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('OrderedMapSize', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs[0]


def ordered_map_stage(key, indices, values, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('OrderedMapStage', name, (key, indices, values), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name})


def ordered_map_unstage(key, indices, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('OrderedMapUnstage', name, (key, indices), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs


def ordered_map_unstage_no_key(indices, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return results(apply('OrderedMapUnstageNoKey', name, (indices,), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}))


def pack(values, axis=0, name=None):
    return apply('Pack', name, (values,), {'axis': axis}).outputs[0]


def pad(input, paddings, name=None):
    return apply('Pad', name, (input, paddings), {}).outputs[0]


def pad_v2(input, paddings, constant_values, name=None):
    return apply('PadV2', name, (input, paddings, constant_values), {}).outputs[0]


def padded_batch_dataset(input_dataset, batch_size, padded_shapes, padding_values, output_shapes, metadata='', name=None):
    return apply('PaddedBatchDataset', name, (input_dataset, batch_size, padded_shapes, padding_values), {'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def padded_batch_dataset_v2(input_dataset, batch_size, padded_shapes, padding_values, drop_remainder, output_shapes, parallel_copy=False, metadata='', name=None):
    return apply('PaddedBatchDatasetV2', name, (input_dataset, batch_size, padded_shapes, padding_values, drop_remainder), {'output_shapes': output_shapes, 'parallel_copy': parallel_copy, 'metadata': metadata}).outputs[0]


def padding_fifo_queue(component_types, shapes=[], capacity=-1, container='', shared_name='', name=None):
    return apply('PaddingFIFOQueue', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def padding_fifo_queue_v2(component_types, shapes=[], capacity=-1, container='', shared_name='', name=None):
    return apply('PaddingFIFOQueueV2', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def parallel_batch_dataset(input_dataset, batch_size, num_parallel_calls, drop_remainder, output_types, output_shapes, parallel_copy=False, deterministic='default', metadata='', name=None):
    return apply('ParallelBatchDataset', name, (input_dataset, batch_size, num_parallel_calls, drop_remainder), {'output_types': output_types, 'output_shapes': output_shapes, 'parallel_copy': parallel_copy, 'deterministic': deterministic, 'metadata': metadata}).outputs[0]


def parallel_concat(values, shape, name=None):
    return apply('ParallelConcat', name, (values,), {'shape': shape}).outputs[0]


def parallel_dynamic_stitch(indices, data, name=None):
    return apply('ParallelDynamicStitch', name, (indices, data), {}).outputs[0]


def parallel_interleave_dataset(input_dataset, other_arguments, cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements, f, output_types, output_shapes, metadata='', name=None):
    return apply('ParallelInterleaveDataset', name, (input_dataset, other_arguments, cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def parallel_interleave_dataset_v2(input_dataset, other_arguments, cycle_length, block_length, num_parallel_calls, f, output_types, output_shapes, sloppy=False, metadata='', name=None):
    return apply('ParallelInterleaveDatasetV2', name, (input_dataset, other_arguments, cycle_length, block_length, num_parallel_calls), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'sloppy': sloppy, 'metadata': metadata}).outputs[0]


def parallel_interleave_dataset_v3(input_dataset, other_arguments, cycle_length, block_length, num_parallel_calls, f, output_types, output_shapes, deterministic='default', metadata='', name=None):
    return apply('ParallelInterleaveDatasetV3', name, (input_dataset, other_arguments, cycle_length, block_length, num_parallel_calls), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'deterministic': deterministic, 'metadata': metadata}).outputs[0]


def parallel_interleave_dataset_v4(input_dataset, other_arguments, cycle_length, block_length, buffer_output_elements, prefetch_input_elements, num_parallel_calls, f, output_types, output_shapes, deterministic='default', metadata='', name=None):
    return apply('ParallelInterleaveDatasetV4', name, (input_dataset, other_arguments, cycle_length, block_length, buffer_output_elements, prefetch_input_elements, num_parallel_calls), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'deterministic': deterministic, 'metadata': metadata}).outputs[0]


def parallel_map_dataset(input_dataset, other_arguments, num_parallel_calls, f, output_types, output_shapes, use_inter_op_parallelism=True, sloppy=False, preserve_cardinality=False, metadata='', name=None):
    return apply('ParallelMapDataset', name, (input_dataset, other_arguments, num_parallel_calls), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'use_inter_op_parallelism': use_inter_op_parallelism, 'sloppy': sloppy, 'preserve_cardinality': preserve_cardinality, 'metadata': metadata}).outputs[0]


def parallel_map_dataset_v2(input_dataset, other_arguments, num_parallel_calls, f, output_types, output_shapes, use_inter_op_parallelism=True, deterministic='default', preserve_cardinality=False, use_unbounded_threadpool=False, metadata='', name=None):
    return apply('ParallelMapDatasetV2', name, (input_dataset, other_arguments, num_parallel_calls), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'use_inter_op_parallelism': use_inter_op_parallelism, 'deterministic': deterministic, 'preserve_cardinality': preserve_cardinality, 'use_unbounded_threadpool': use_unbounded_threadpool, 'metadata': metadata}).outputs[0]


def parameterized_truncated_normal(shape, means, stdevs, minvals, maxvals, seed=0, seed2=0, name=None):
    return apply('ParameterizedTruncatedNormal', name, (shape, means, stdevs, minvals, maxvals), {'seed': seed, 'seed2': seed2}).outputs[0]


def parse_example(serialized, names, sparse_keys, dense_keys, dense_defaults, sparse_types, dense_shapes, name=None):
    return results(apply('ParseExample', name, (serialized, names, sparse_keys, dense_keys, dense_defaults), {'sparse_types': sparse_types, 'dense_shapes': dense_shapes}))


def parse_example_v2(serialized, names, sparse_keys, dense_keys, ragged_keys, dense_defaults, num_sparse, sparse_types, ragged_value_types, ragged_split_types, dense_shapes, name=None):
    return results(apply('ParseExampleV2', name, (serialized, names, sparse_keys, dense_keys, ragged_keys, dense_defaults), {'num_sparse': num_sparse, 'sparse_types': sparse_types, 'ragged_value_types': ragged_value_types, 'ragged_split_types': ragged_split_types, 'dense_shapes': dense_shapes}))


def parse_sequence_example(serialized, debug_name, context_dense_defaults, feature_list_dense_missing_assumed_empty, context_sparse_keys, context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys, Ncontext_sparse=0, Ncontext_dense=0, Nfeature_list_sparse=0, Nfeature_list_dense=0, context_sparse_types=[], feature_list_dense_types=[], context_dense_shapes=[], feature_list_sparse_types=[], feature_list_dense_shapes=[], name=None):
    return results(apply('ParseSequenceExample', name, (serialized, debug_name, context_dense_defaults), {'feature_list_dense_missing_assumed_empty': feature_list_dense_missing_assumed_empty, 'context_sparse_keys': context_sparse_keys, 'context_dense_keys': context_dense_keys, 'feature_list_sparse_keys': feature_list_sparse_keys, 'feature_list_dense_keys': feature_list_dense_keys, 'Ncontext_sparse': Ncontext_sparse, 'Ncontext_dense': Ncontext_dense, 'Nfeature_list_sparse': Nfeature_list_sparse, 'Nfeature_list_dense': Nfeature_list_dense, 'context_sparse_types': context_sparse_types, 'feature_list_dense_types': feature_list_dense_types, 'context_dense_shapes': context_dense_shapes, 'feature_list_sparse_types': feature_list_sparse_types, 'feature_list_dense_shapes': feature_list_dense_shapes}))


def parse_sequence_example_v2(serialized, debug_name, context_sparse_keys, context_dense_keys, context_ragged_keys, feature_list_sparse_keys, feature_list_dense_keys, feature_list_ragged_keys, feature_list_dense_missing_assumed_empty, context_dense_defaults, Ncontext_sparse=0, context_sparse_types=[], context_ragged_value_types=[], context_ragged_split_types=[], context_dense_shapes=[], Nfeature_list_sparse=0, Nfeature_list_dense=0, feature_list_dense_types=[], feature_list_sparse_types=[], feature_list_ragged_value_types=[], feature_list_ragged_split_types=[], feature_list_dense_shapes=[], name=None):
    return results(apply('ParseSequenceExampleV2', name, (serialized, debug_name, context_sparse_keys, context_dense_keys, context_ragged_keys, feature_list_sparse_keys, feature_list_dense_keys, feature_list_ragged_keys, feature_list_dense_missing_assumed_empty, context_dense_defaults), {'Ncontext_sparse': Ncontext_sparse, 'context_sparse_types': context_sparse_types, 'context_ragged_value_types': context_ragged_value_types, 'context_ragged_split_types': context_ragged_split_types, 'context_dense_shapes': context_dense_shapes, 'Nfeature_list_sparse': Nfeature_list_sparse, 'Nfeature_list_dense': Nfeature_list_dense, 'feature_list_dense_types': feature_list_dense_types, 'feature_list_sparse_types': feature_list_sparse_types, 'feature_list_ragged_value_types': feature_list_ragged_value_types, 'feature_list_ragged_split_types': feature_list_ragged_split_types, 'feature_list_dense_shapes': feature_list_dense_shapes}))


def parse_single_example(serialized, dense_defaults, num_sparse, sparse_keys, dense_keys, sparse_types, dense_shapes, name=None):
    return results(apply('ParseSingleExample', name, (serialized, dense_defaults), {'num_sparse': num_sparse, 'sparse_keys': sparse_keys, 'dense_keys': dense_keys, 'sparse_types': sparse_types, 'dense_shapes': dense_shapes}))


def parse_single_sequence_example(serialized, feature_list_dense_missing_assumed_empty, context_sparse_keys, context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys, context_dense_defaults, debug_name, context_sparse_types=[], feature_list_dense_types=[], context_dense_shapes=[], feature_list_sparse_types=[], feature_list_dense_shapes=[], name=None):
    return results(apply('ParseSingleSequenceExample', name, (serialized, feature_list_dense_missing_assumed_empty, context_sparse_keys, context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys, context_dense_defaults, debug_name), {'context_sparse_types': context_sparse_types, 'feature_list_dense_types': feature_list_dense_types, 'context_dense_shapes': context_dense_shapes, 'feature_list_sparse_types': feature_list_sparse_types, 'feature_list_dense_shapes': feature_list_dense_shapes}))


def parse_tensor(serialized, out_type, name=None):
    return apply('ParseTensor', name, (serialized,), {'out_type': out_type}).outputs[0]


def partitioned_call(args, Tout, f, config='', config_proto='', executor_type='', name=None):
    return apply('PartitionedCall', name, (args,), {'Tout': Tout, 'f': f, 'config': config, 'config_proto': config_proto, 'executor_type': executor_type}).outputs


def placeholder(dtype, shape=None, name=None):
    return apply('Placeholder', name, (), {'dtype': dtype, 'shape': shape}).outputs[0]


def placeholder_v2(dtype, shape, name=None):
    return apply('PlaceholderV2', name, (), {'dtype': dtype, 'shape': shape}).outputs[0]


def placeholder_with_default(input, shape, name=None):
    return apply('PlaceholderWithDefault', name, (input,), {'shape': shape}).outputs[0]


def polygamma(a, x, name=None):
    return apply('Polygamma', name, (a, x), {}).outputs[0]


def population_count(x, name=None):
    return apply('PopulationCount', name, (x,), {}).outputs[0]


def pow(x, y, name=None):
    return apply('Pow', name, (x, y), {}).outputs[0]


def prefetch_dataset(input_dataset, buffer_size, output_types, output_shapes, slack_period=0, legacy_autotune=True, buffer_size_min=0, metadata='', name=None):
    return apply('PrefetchDataset', name, (input_dataset, buffer_size), {'output_types': output_types, 'output_shapes': output_shapes, 'slack_period': slack_period, 'legacy_autotune': legacy_autotune, 'buffer_size_min': buffer_size_min, 'metadata': metadata}).outputs[0]


def prevent_gradient(input, message='', name=None):
    return apply('PreventGradient', name, (input,), {'message': message}).outputs[0]


def print(input, data, message='', first_n=-1, summarize=3, name=None):
    return apply('Print', name, (input, data), {'message': message, 'first_n': first_n, 'summarize': summarize}).outputs[0]


def print_v2(input, output_stream='stderr', end='\n', name=None):
    return apply('PrintV2', name, (input,), {'output_stream': output_stream, 'end': end})


def priority_queue(shapes, component_types=[], capacity=-1, container='', shared_name='', name=None):
    return apply('PriorityQueue', name, (), {'shapes': shapes, 'component_types': component_types, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def priority_queue_v2(shapes, component_types=[], capacity=-1, container='', shared_name='', name=None):
    return apply('PriorityQueueV2', name, (), {'shapes': shapes, 'component_types': component_types, 'capacity': capacity, 'container': container, 'shared_name': shared_name}).outputs[0]


def private_thread_pool_dataset(input_dataset, num_threads, output_types, output_shapes, name=None):
    return apply('PrivateThreadPoolDataset', name, (input_dataset, num_threads), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def prod(input, reduction_indices, keep_dims=False, name=None):
    return apply('Prod', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def qr(input, full_matrices=False, name=None):
    return results(apply('Qr', name, (input,), {'full_matrices': full_matrices}))


def quantize_and_dequantize(input, signed_input=True, num_bits=8, range_given=False, input_min=0.0, input_max=0.0, name=None):
    return apply('QuantizeAndDequantize', name, (input,), {'signed_input': signed_input, 'num_bits': num_bits, 'range_given': range_given, 'input_min': input_min, 'input_max': input_max}).outputs[0]


def quantize_and_dequantize_v2(input, input_min, input_max, signed_input=True, num_bits=8, range_given=False, round_mode='HALF_TO_EVEN', narrow_range=False, axis=-1, name=None):
    return apply('QuantizeAndDequantizeV2', name, (input, input_min, input_max), {'signed_input': signed_input, 'num_bits': num_bits, 'range_given': range_given, 'round_mode': round_mode, 'narrow_range': narrow_range, 'axis': axis}).outputs[0]


def quantize_and_dequantize_v3(input, input_min, input_max, num_bits, signed_input=True, range_given=True, narrow_range=False, axis=-1, name=None):
    return apply('QuantizeAndDequantizeV3', name, (input, input_min, input_max, num_bits), {'signed_input': signed_input, 'range_given': range_given, 'narrow_range': narrow_range, 'axis': axis}).outputs[0]


def quantize_and_dequantize_v4(input, input_min, input_max, signed_input=True, num_bits=8, range_given=False, round_mode='HALF_TO_EVEN', narrow_range=False, axis=-1, name=None):
    return apply('QuantizeAndDequantizeV4', name, (input, input_min, input_max), {'signed_input': signed_input, 'num_bits': num_bits, 'range_given': range_given, 'round_mode': round_mode, 'narrow_range': narrow_range, 'axis': axis}).outputs[0]


def quantize_and_dequantize_v4_grad(gradients, input, input_min, input_max, axis=-1, name=None):
    return results(apply('QuantizeAndDequantizeV4Grad', name, (gradients, input, input_min, input_max), {'axis': axis}))


def quantize_down_and_shrink_range(input, input_min, input_max, out_type, name=None):
    return results(apply('QuantizeDownAndShrinkRange', name, (input, input_min, input_max), {'out_type': out_type}))


def quantize_v2(input, min_range, max_range, T, mode='MIN_COMBINED', round_mode='HALF_AWAY_FROM_ZERO', narrow_range=False, axis=-1, ensure_minimum_range=0.00999999978, name=None):
    return results(apply('QuantizeV2', name, (input, min_range, max_range), {'T': T, 'mode': mode, 'round_mode': round_mode, 'narrow_range': narrow_range, 'axis': axis, 'ensure_minimum_range': ensure_minimum_range}))


def quantized_add(x, y, min_x, max_x, min_y, max_y, Toutput=dtypes.qint32, name=None):
    return results(apply('QuantizedAdd', name, (x, y, min_x, max_x, min_y, max_y), {'Toutput': Toutput}))


def quantized_avg_pool(input, min_input, max_input, ksize, strides, padding, name=None):
    return results(apply('QuantizedAvgPool', name, (input, min_input, max_input), {'ksize': ksize, 'strides': strides, 'padding': padding}))


def quantized_bias_add(input, bias, min_input, max_input, min_bias, max_bias, out_type, name=None):
    return results(apply('QuantizedBiasAdd', name, (input, bias, min_input, max_input, min_bias, max_bias), {'out_type': out_type}))


def quantized_concat(concat_dim, values, input_mins, input_maxes, name=None):
    return results(apply('QuantizedConcat', name, (concat_dim, values, input_mins, input_maxes), {}))


def quantized_conv2d(input, filter, min_input, max_input, min_filter, max_filter, strides, padding, out_type=dtypes.qint32, dilations=[1, 1, 1, 1], name=None):
    return results(apply('QuantizedConv2D', name, (input, filter, min_input, max_input, min_filter, max_filter), {'strides': strides, 'padding': padding, 'out_type': out_type, 'dilations': dilations}))


def quantized_mat_mul(a, b, min_a, max_a, min_b, max_b, Toutput=dtypes.qint32, transpose_a=False, transpose_b=False, Tactivation=dtypes.quint8, name=None):
    return results(apply('QuantizedMatMul', name, (a, b, min_a, max_a, min_b, max_b), {'Toutput': Toutput, 'transpose_a': transpose_a, 'transpose_b': transpose_b, 'Tactivation': Tactivation}))


def quantized_max_pool(input, min_input, max_input, ksize, strides, padding, name=None):
    return results(apply('QuantizedMaxPool', name, (input, min_input, max_input), {'ksize': ksize, 'strides': strides, 'padding': padding}))


def quantized_mul(x, y, min_x, max_x, min_y, max_y, Toutput=dtypes.qint32, name=None):
    return results(apply('QuantizedMul', name, (x, y, min_x, max_x, min_y, max_y), {'Toutput': Toutput}))


def quantized_relu(features, min_features, max_features, out_type=dtypes.quint8, name=None):
    return results(apply('QuantizedRelu', name, (features, min_features, max_features), {'out_type': out_type}))


def quantized_relu6(features, min_features, max_features, out_type=dtypes.quint8, name=None):
    return results(apply('QuantizedRelu6', name, (features, min_features, max_features), {'out_type': out_type}))


def quantized_reshape(tensor, shape, input_min, input_max, name=None):
    return results(apply('QuantizedReshape', name, (tensor, shape, input_min, input_max), {}))


def queue_close(handle, cancel_pending_enqueues=False, name=None):
    return apply('QueueClose', name, (handle,), {'cancel_pending_enqueues': cancel_pending_enqueues})


def queue_close_v2(handle, cancel_pending_enqueues=False, name=None):
    return apply('QueueCloseV2', name, (handle,), {'cancel_pending_enqueues': cancel_pending_enqueues})


def queue_dequeue(handle, component_types, timeout_ms=-1, name=None):
    return apply('QueueDequeue', name, (handle,), {'component_types': component_types, 'timeout_ms': timeout_ms}).outputs


def queue_dequeue_many(handle, n, component_types, timeout_ms=-1, name=None):
    return apply('QueueDequeueMany', name, (handle, n), {'component_types': component_types, 'timeout_ms': timeout_ms}).outputs


def queue_dequeue_many_v2(handle, n, component_types, timeout_ms=-1, name=None):
    return apply('QueueDequeueManyV2', name, (handle, n), {'component_types': component_types, 'timeout_ms': timeout_ms}).outputs


def queue_dequeue_up_to(handle, n, component_types, timeout_ms=-1, name=None):
    return apply('QueueDequeueUpTo', name, (handle, n), {'component_types': component_types, 'timeout_ms': timeout_ms}).outputs


def queue_dequeue_up_to_v2(handle, n, component_types, timeout_ms=-1, name=None):
    return apply('QueueDequeueUpToV2', name, (handle, n), {'component_types': component_types, 'timeout_ms': timeout_ms}).outputs


def queue_dequeue_v2(handle, component_types, timeout_ms=-1, name=None):
    return apply('QueueDequeueV2', name, (handle,), {'component_types': component_types, 'timeout_ms': timeout_ms}).outputs


def queue_enqueue(handle, components, timeout_ms=-1, name=None):
    return apply('QueueEnqueue', name, (handle, components), {'timeout_ms': timeout_ms})


def queue_enqueue_many(handle, components, timeout_ms=-1, name=None):
    return apply('QueueEnqueueMany', name, (handle, components), {'timeout_ms': timeout_ms})


def queue_enqueue_many_v2(handle, components, timeout_ms=-1, name=None):
    return apply('QueueEnqueueManyV2', name, (handle, components), {'timeout_ms': timeout_ms})


def queue_enqueue_v2(handle, components, timeout_ms=-1, name=None):
    return apply('QueueEnqueueV2', name, (handle, components), {'timeout_ms': timeout_ms})


def queue_is_closed(handle, name=None):
    return apply('QueueIsClosed', name, (handle,), {}).outputs[0]


def queue_is_closed_v2(handle, name=None):
    return apply('QueueIsClosedV2', name, (handle,), {}).outputs[0]


def queue_size(handle, name=None):
    return apply('QueueSize', name, (handle,), {}).outputs[0]


def queue_size_v2(handle, name=None):
    return apply('QueueSizeV2', name, (handle,), {}).outputs[0]


def rfft(input, fft_length, Tcomplex=dtypes.complex64, name=None):
    return apply('RFFT', name, (input, fft_length), {'Tcomplex': Tcomplex}).outputs[0]


def rfft2d(input, fft_length, Tcomplex=dtypes.complex64, name=None):
    return apply('RFFT2D', name, (input, fft_length), {'Tcomplex': Tcomplex}).outputs[0]


def rfft3d(input, fft_length, Tcomplex=dtypes.complex64, name=None):
    return apply('RFFT3D', name, (input, fft_length), {'Tcomplex': Tcomplex}).outputs[0]


def rgb_to_hsv(images, name=None):
    return apply('RGBToHSV', name, (images,), {}).outputs[0]


def ragged_bincount(splits, values, size, weights, binary_output=False, name=None):
    return apply('RaggedBincount', name, (splits, values, size, weights), {'binary_output': binary_output}).outputs[0]


def ragged_count_sparse_output(splits, values, weights, binary_output, minlength=-1, maxlength=-1, name=None):
    return results(apply('RaggedCountSparseOutput', name, (splits, values, weights), {'binary_output': binary_output, 'minlength': minlength, 'maxlength': maxlength}))


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


def random_crop(image, size, seed=0, seed2=0, name=None):
    return apply('RandomCrop', name, (image, size), {'seed': seed, 'seed2': seed2}).outputs[0]


def random_dataset(seed, seed2, output_types, output_shapes, metadata='', name=None):
    return apply('RandomDataset', name, (seed, seed2), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def random_dataset_v2(seed, seed2, seed_generator, output_types, output_shapes, rerandomize_each_iteration=False, metadata='', name=None):
    return apply('RandomDatasetV2', name, (seed, seed2, seed_generator), {'output_types': output_types, 'output_shapes': output_shapes, 'rerandomize_each_iteration': rerandomize_each_iteration, 'metadata': metadata}).outputs[0]


def random_gamma(shape, alpha, seed=0, seed2=0, name=None):
    return apply('RandomGamma', name, (shape, alpha), {'seed': seed, 'seed2': seed2}).outputs[0]


def random_gamma_grad(alpha, sample, name=None):
    return apply('RandomGammaGrad', name, (alpha, sample), {}).outputs[0]


def random_index_shuffle(index, seed, max_index, rounds=4, name=None):
    return apply('RandomIndexShuffle', name, (index, seed, max_index), {'rounds': rounds}).outputs[0]


def random_poisson(shape, rate, seed=0, seed2=0, name=None):
    return apply('RandomPoisson', name, (shape, rate), {'seed': seed, 'seed2': seed2}).outputs[0]


def random_poisson_v2(shape, rate, seed=0, seed2=0, dtype=dtypes.int64, name=None):
    return apply('RandomPoissonV2', name, (shape, rate), {'seed': seed, 'seed2': seed2, 'dtype': dtype}).outputs[0]


def random_shuffle(value, seed=0, seed2=0, name=None):
    return apply('RandomShuffle', name, (value,), {'seed': seed, 'seed2': seed2}).outputs[0]


def random_shuffle_queue(component_types, shapes=[], capacity=-1, min_after_dequeue=0, seed=0, seed2=0, container='', shared_name='', name=None):
    return apply('RandomShuffleQueue', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'min_after_dequeue': min_after_dequeue, 'seed': seed, 'seed2': seed2, 'container': container, 'shared_name': shared_name}).outputs[0]


def random_shuffle_queue_v2(component_types, shapes=[], capacity=-1, min_after_dequeue=0, seed=0, seed2=0, container='', shared_name='', name=None):
    return apply('RandomShuffleQueueV2', name, (), {'component_types': component_types, 'shapes': shapes, 'capacity': capacity, 'min_after_dequeue': min_after_dequeue, 'seed': seed, 'seed2': seed2, 'container': container, 'shared_name': shared_name}).outputs[0]


def random_standard_normal(shape, dtype, seed=0, seed2=0, name=None):
    return apply('RandomStandardNormal', name, (shape,), {'dtype': dtype, 'seed': seed, 'seed2': seed2}).outputs[0]


def random_uniform(shape, dtype, seed=0, seed2=0, name=None):
    return apply('RandomUniform', name, (shape,), {'dtype': dtype, 'seed': seed, 'seed2': seed2}).outputs[0]


def random_uniform_int(shape, minval, maxval, seed=0, seed2=0, name=None):
    return apply('RandomUniformInt', name, (shape, minval, maxval), {'seed': seed, 'seed2': seed2}).outputs[0]


def range(start, limit, delta, name=None):
    return apply('Range', name, (start, limit, delta), {}).outputs[0]


def range_dataset(start, stop, step, output_types, output_shapes, metadata='', replicate_on_split=False, name=None):
    return apply('RangeDataset', name, (start, stop, step), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata, 'replicate_on_split': replicate_on_split}).outputs[0]


def rank(input, name=None):
    return apply('Rank', name, (input,), {}).outputs[0]


def read_file(filename, name=None):
    return apply('ReadFile', name, (filename,), {}).outputs[0]


def read_variable_op(resource, dtype, name=None):
    return apply('ReadVariableOp', name, (resource,), {'dtype': dtype}).outputs[0]


def reader_num_records_produced(reader_handle, name=None):
    return apply('ReaderNumRecordsProduced', name, (reader_handle,), {}).outputs[0]


def reader_num_records_produced_v2(reader_handle, name=None):
    return apply('ReaderNumRecordsProducedV2', name, (reader_handle,), {}).outputs[0]


def reader_num_work_units_completed(reader_handle, name=None):
    return apply('ReaderNumWorkUnitsCompleted', name, (reader_handle,), {}).outputs[0]


def reader_num_work_units_completed_v2(reader_handle, name=None):
    return apply('ReaderNumWorkUnitsCompletedV2', name, (reader_handle,), {}).outputs[0]


def reader_read(reader_handle, queue_handle, name=None):
    return results(apply('ReaderRead', name, (reader_handle, queue_handle), {}))


def reader_read_up_to(reader_handle, queue_handle, num_records, name=None):
    return results(apply('ReaderReadUpTo', name, (reader_handle, queue_handle, num_records), {}))


def reader_read_up_to_v2(reader_handle, queue_handle, num_records, name=None):
    return results(apply('ReaderReadUpToV2', name, (reader_handle, queue_handle, num_records), {}))


def reader_read_v2(reader_handle, queue_handle, name=None):
    return results(apply('ReaderReadV2', name, (reader_handle, queue_handle), {}))


def reader_reset(reader_handle, name=None):
    return apply('ReaderReset', name, (reader_handle,), {})


def reader_reset_v2(reader_handle, name=None):
    return apply('ReaderResetV2', name, (reader_handle,), {})


def reader_restore_state(reader_handle, state, name=None):
    return apply('ReaderRestoreState', name, (reader_handle, state), {})


def reader_restore_state_v2(reader_handle, state, name=None):
    return apply('ReaderRestoreStateV2', name, (reader_handle, state), {})


def reader_serialize_state(reader_handle, name=None):
    return apply('ReaderSerializeState', name, (reader_handle,), {}).outputs[0]


def reader_serialize_state_v2(reader_handle, name=None):
    return apply('ReaderSerializeStateV2', name, (reader_handle,), {}).outputs[0]


def real(input, Tout=dtypes.float32, name=None):
    return apply('Real', name, (input,), {'Tout': Tout}).outputs[0]


def real_div(x, y, name=None):
    return apply('RealDiv', name, (x, y), {}).outputs[0]


def reciprocal(x, name=None):
    return apply('Reciprocal', name, (x,), {}).outputs[0]


def reciprocal_grad(y, dy, name=None):
    return apply('ReciprocalGrad', name, (y, dy), {}).outputs[0]


def record_input(file_pattern, file_random_seed=301, file_shuffle_shift_ratio=0.0, file_buffer_size=10000, file_parallelism=16, batch_size=32, compression_type='', name=None):
    return apply('RecordInput', name, (), {'file_pattern': file_pattern, 'file_random_seed': file_random_seed, 'file_shuffle_shift_ratio': file_shuffle_shift_ratio, 'file_buffer_size': file_buffer_size, 'file_parallelism': file_parallelism, 'batch_size': batch_size, 'compression_type': compression_type}).outputs[0]


def reduce_dataset(input_dataset, initial_state, other_arguments, f, output_types, output_shapes, use_inter_op_parallelism=True, metadata='', name=None):
    return apply('ReduceDataset', name, (input_dataset, initial_state, other_arguments), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'use_inter_op_parallelism': use_inter_op_parallelism, 'metadata': metadata}).outputs


def reduce_join(inputs, reduction_indices, keep_dims=False, separator='', name=None):
    return apply('ReduceJoin', name, (inputs, reduction_indices), {'keep_dims': keep_dims, 'separator': separator}).outputs[0]


def ref_enter(data, frame_name, is_constant=False, parallel_iterations=10, name=None):
    return apply('RefEnter', name, (data,), {'frame_name': frame_name, 'is_constant': is_constant, 'parallel_iterations': parallel_iterations}).outputs[0]


def ref_exit(data, name=None):
    return apply('RefExit', name, (data,), {}).outputs[0]


def ref_identity(input, name=None):
    return apply('RefIdentity', name, (input,), {}).outputs[0]


def ref_merge(inputs, name=None):
    return results(apply('RefMerge', name, (inputs,), {}))


def ref_next_iteration(data, name=None):
    return apply('RefNextIteration', name, (data,), {}).outputs[0]


def ref_select(index, inputs, name=None):
    return apply('RefSelect', name, (index, inputs), {}).outputs[0]


def ref_switch(data, pred, name=None):
    return results(apply('RefSwitch', name, (data, pred), {}))


def regex_full_match(input, pattern, name=None):
    return apply('RegexFullMatch', name, (input, pattern), {}).outputs[0]


def regex_replace(input, pattern, rewrite, replace_global=True, name=None):
    return apply('RegexReplace', name, (input, pattern, rewrite), {'replace_global': replace_global}).outputs[0]


def relu(features, name=None):
    return apply('Relu', name, (features,), {}).outputs[0]


def relu6(features, name=None):
    return apply('Relu6', name, (features,), {}).outputs[0]


def relu6_grad(gradients, features, name=None):
    return apply('Relu6Grad', name, (gradients, features), {}).outputs[0]


def relu_grad(gradients, features, name=None):
    return apply('ReluGrad', name, (gradients, features), {}).outputs[0]


def remote_call(target, args, Tout, f, name=None):
    return apply('RemoteCall', name, (target, args), {'Tout': Tout, 'f': f}).outputs


def repeat_dataset(input_dataset, count, output_types, output_shapes, metadata='', name=None):
    return apply('RepeatDataset', name, (input_dataset, count), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def requantization_range(input, input_min, input_max, name=None):
    return results(apply('RequantizationRange', name, (input, input_min, input_max), {}))


def requantize(input, input_min, input_max, requested_output_min, requested_output_max, out_type, name=None):
    return results(apply('Requantize', name, (input, input_min, input_max, requested_output_min, requested_output_max), {'out_type': out_type}))


def reshape(tensor, shape, name=None):
    return apply('Reshape', name, (tensor, shape), {}).outputs[0]


def resize_area(images, size, align_corners=False, name=None):
    return apply('ResizeArea', name, (images, size), {'align_corners': align_corners}).outputs[0]


def resize_bicubic(images, size, align_corners=False, half_pixel_centers=False, name=None):
    return apply('ResizeBicubic', name, (images, size), {'align_corners': align_corners, 'half_pixel_centers': half_pixel_centers}).outputs[0]


def resize_bicubic_grad(grads, original_image, align_corners=False, half_pixel_centers=False, name=None):
    return apply('ResizeBicubicGrad', name, (grads, original_image), {'align_corners': align_corners, 'half_pixel_centers': half_pixel_centers}).outputs[0]


def resize_bilinear(images, size, align_corners=False, half_pixel_centers=False, name=None):
    return apply('ResizeBilinear', name, (images, size), {'align_corners': align_corners, 'half_pixel_centers': half_pixel_centers}).outputs[0]


def resize_bilinear_grad(grads, original_image, align_corners=False, half_pixel_centers=False, name=None):
    return apply('ResizeBilinearGrad', name, (grads, original_image), {'align_corners': align_corners, 'half_pixel_centers': half_pixel_centers}).outputs[0]


def resize_nearest_neighbor(images, size, align_corners=False, half_pixel_centers=False, name=None):
    return apply('ResizeNearestNeighbor', name, (images, size), {'align_corners': align_corners, 'half_pixel_centers': half_pixel_centers}).outputs[0]


def resize_nearest_neighbor_grad(grads, size, align_corners=False, half_pixel_centers=False, name=None):
    return apply('ResizeNearestNeighborGrad', name, (grads, size), {'align_corners': align_corners, 'half_pixel_centers': half_pixel_centers}).outputs[0]


def resource_accumulator_apply_gradient(handle, local_step, gradient, name=None):
    return apply('ResourceAccumulatorApplyGradient', name, (handle, local_step, gradient), {})


def resource_accumulator_num_accumulated(handle, name=None):
    return apply('ResourceAccumulatorNumAccumulated', name, (handle,), {}).outputs[0]


def resource_accumulator_set_global_step(handle, new_global_step, name=None):
    return apply('ResourceAccumulatorSetGlobalStep', name, (handle, new_global_step), {})


def resource_accumulator_take_gradient(handle, num_required, dtype, name=None):
    return apply('ResourceAccumulatorTakeGradient', name, (handle, num_required), {'dtype': dtype}).outputs[0]


def resource_apply_ada_max(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad, use_locking=False, name=None):
    return apply('ResourceApplyAdaMax', name, (var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad), {'use_locking': use_locking})


def resource_apply_adadelta(var, accum, accum_update, lr, rho, epsilon, grad, use_locking=False, name=None):
    return apply('ResourceApplyAdadelta', name, (var, accum, accum_update, lr, rho, epsilon, grad), {'use_locking': use_locking})


def resource_apply_adagrad(var, accum, lr, grad, use_locking=False, update_slots=True, name=None):
    return apply('ResourceApplyAdagrad', name, (var, accum, lr, grad), {'use_locking': use_locking, 'update_slots': update_slots})


def resource_apply_adagrad_da(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step, use_locking=False, name=None):
    return apply('ResourceApplyAdagradDA', name, (var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step), {'use_locking': use_locking})


def resource_apply_adagrad_v2(var, accum, lr, epsilon, grad, use_locking=False, update_slots=True, name=None):
    return apply('ResourceApplyAdagradV2', name, (var, accum, lr, epsilon, grad), {'use_locking': use_locking, 'update_slots': update_slots})


def resource_apply_adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, use_locking=False, use_nesterov=False, name=None):
    return apply('ResourceApplyAdam', name, (var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad), {'use_locking': use_locking, 'use_nesterov': use_nesterov})


def resource_apply_adam_with_amsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, use_locking=False, name=None):
    return apply('ResourceApplyAdamWithAmsgrad', name, (var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad), {'use_locking': use_locking})


def resource_apply_add_sign(var, m, lr, alpha, sign_decay, beta, grad, use_locking=False, name=None):
    return apply('ResourceApplyAddSign', name, (var, m, lr, alpha, sign_decay, beta, grad), {'use_locking': use_locking})


def resource_apply_centered_rms_prop(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, use_locking=False, name=None):
    return apply('ResourceApplyCenteredRMSProp', name, (var, mg, ms, mom, lr, rho, momentum, epsilon, grad), {'use_locking': use_locking})


def resource_apply_ftrl(var, accum, linear, grad, lr, l1, l2, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('ResourceApplyFtrl', name, (var, accum, linear, grad, lr, l1, l2, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr})


def resource_apply_ftrl_v2(var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('ResourceApplyFtrlV2', name, (var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr})


def resource_apply_gradient_descent(var, alpha, delta, use_locking=False, name=None):
    return apply('ResourceApplyGradientDescent', name, (var, alpha, delta), {'use_locking': use_locking})


def resource_apply_keras_momentum(var, accum, lr, grad, momentum, use_locking=False, use_nesterov=False, name=None):
    return apply('ResourceApplyKerasMomentum', name, (var, accum, lr, grad, momentum), {'use_locking': use_locking, 'use_nesterov': use_nesterov})


def resource_apply_momentum(var, accum, lr, grad, momentum, use_locking=False, use_nesterov=False, name=None):
    return apply('ResourceApplyMomentum', name, (var, accum, lr, grad, momentum), {'use_locking': use_locking, 'use_nesterov': use_nesterov})


def resource_apply_power_sign(var, m, lr, logbase, sign_decay, beta, grad, use_locking=False, name=None):
    return apply('ResourceApplyPowerSign', name, (var, m, lr, logbase, sign_decay, beta, grad), {'use_locking': use_locking})


def resource_apply_proximal_adagrad(var, accum, lr, l1, l2, grad, use_locking=False, name=None):
    return apply('ResourceApplyProximalAdagrad', name, (var, accum, lr, l1, l2, grad), {'use_locking': use_locking})


def resource_apply_proximal_gradient_descent(var, alpha, l1, l2, delta, use_locking=False, name=None):
    return apply('ResourceApplyProximalGradientDescent', name, (var, alpha, l1, l2, delta), {'use_locking': use_locking})


def resource_apply_rms_prop(var, ms, mom, lr, rho, momentum, epsilon, grad, use_locking=False, name=None):
    return apply('ResourceApplyRMSProp', name, (var, ms, mom, lr, rho, momentum, epsilon, grad), {'use_locking': use_locking})


def resource_conditional_accumulator(dtype, shape, container='', shared_name='', reduction_type='MEAN', name=None):
    return apply('ResourceConditionalAccumulator', name, (), {'dtype': dtype, 'shape': shape, 'container': container, 'shared_name': shared_name, 'reduction_type': reduction_type}).outputs[0]


def resource_count_up_to(resource, limit, T, name=None):
    return apply('ResourceCountUpTo', name, (resource,), {'limit': limit, 'T': T}).outputs[0]


def resource_gather(resource, indices, dtype, batch_dims=0, validate_indices=True, name=None):
    return apply('ResourceGather', name, (resource, indices), {'dtype': dtype, 'batch_dims': batch_dims, 'validate_indices': validate_indices}).outputs[0]


def resource_gather_nd(resource, indices, dtype, name=None):
    return apply('ResourceGatherNd', name, (resource, indices), {'dtype': dtype}).outputs[0]


def resource_scatter_add(resource, indices, updates, name=None):
    return apply('ResourceScatterAdd', name, (resource, indices, updates), {})


def resource_scatter_div(resource, indices, updates, name=None):
    return apply('ResourceScatterDiv', name, (resource, indices, updates), {})


def resource_scatter_max(resource, indices, updates, name=None):
    return apply('ResourceScatterMax', name, (resource, indices, updates), {})


def resource_scatter_min(resource, indices, updates, name=None):
    return apply('ResourceScatterMin', name, (resource, indices, updates), {})


def resource_scatter_mul(resource, indices, updates, name=None):
    return apply('ResourceScatterMul', name, (resource, indices, updates), {})


def resource_scatter_nd_add(ref, indices, updates, use_locking=True, bad_indices_policy='', name=None):
    return apply('ResourceScatterNdAdd', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy})


def resource_scatter_nd_max(ref, indices, updates, use_locking=True, bad_indices_policy='', name=None):
    return apply('ResourceScatterNdMax', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy})


def resource_scatter_nd_min(ref, indices, updates, use_locking=True, bad_indices_policy='', name=None):
    return apply('ResourceScatterNdMin', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy})


def resource_scatter_nd_sub(ref, indices, updates, use_locking=True, bad_indices_policy='', name=None):
    return apply('ResourceScatterNdSub', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy})


def resource_scatter_nd_update(ref, indices, updates, use_locking=True, bad_indices_policy='', name=None):
    return apply('ResourceScatterNdUpdate', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy})


def resource_scatter_sub(resource, indices, updates, name=None):
    return apply('ResourceScatterSub', name, (resource, indices, updates), {})


def resource_scatter_update(resource, indices, updates, name=None):
    return apply('ResourceScatterUpdate', name, (resource, indices, updates), {})


def resource_sparse_apply_adadelta(var, accum, accum_update, lr, rho, epsilon, grad, indices, use_locking=False, name=None):
    return apply('ResourceSparseApplyAdadelta', name, (var, accum, accum_update, lr, rho, epsilon, grad, indices), {'use_locking': use_locking})


def resource_sparse_apply_adagrad(var, accum, lr, grad, indices, use_locking=False, update_slots=True, name=None):
    return apply('ResourceSparseApplyAdagrad', name, (var, accum, lr, grad, indices), {'use_locking': use_locking, 'update_slots': update_slots})


def resource_sparse_apply_adagrad_da(var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step, use_locking=False, name=None):
    return apply('ResourceSparseApplyAdagradDA', name, (var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step), {'use_locking': use_locking})


def resource_sparse_apply_adagrad_v2(var, accum, lr, epsilon, grad, indices, use_locking=False, update_slots=True, name=None):
    return apply('ResourceSparseApplyAdagradV2', name, (var, accum, lr, epsilon, grad, indices), {'use_locking': use_locking, 'update_slots': update_slots})


def resource_sparse_apply_centered_rms_prop(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices, use_locking=False, name=None):
    return apply('ResourceSparseApplyCenteredRMSProp', name, (var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices), {'use_locking': use_locking})


def resource_sparse_apply_ftrl(var, accum, linear, grad, indices, lr, l1, l2, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('ResourceSparseApplyFtrl', name, (var, accum, linear, grad, indices, lr, l1, l2, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr})


def resource_sparse_apply_ftrl_v2(var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('ResourceSparseApplyFtrlV2', name, (var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr})


def resource_sparse_apply_keras_momentum(var, accum, lr, grad, indices, momentum, use_locking=False, use_nesterov=False, name=None):
    return apply('ResourceSparseApplyKerasMomentum', name, (var, accum, lr, grad, indices, momentum), {'use_locking': use_locking, 'use_nesterov': use_nesterov})


def resource_sparse_apply_momentum(var, accum, lr, grad, indices, momentum, use_locking=False, use_nesterov=False, name=None):
    return apply('ResourceSparseApplyMomentum', name, (var, accum, lr, grad, indices, momentum), {'use_locking': use_locking, 'use_nesterov': use_nesterov})


def resource_sparse_apply_proximal_adagrad(var, accum, lr, l1, l2, grad, indices, use_locking=False, name=None):
    return apply('ResourceSparseApplyProximalAdagrad', name, (var, accum, lr, l1, l2, grad, indices), {'use_locking': use_locking})


def resource_sparse_apply_proximal_gradient_descent(var, alpha, l1, l2, grad, indices, use_locking=False, name=None):
    return apply('ResourceSparseApplyProximalGradientDescent', name, (var, alpha, l1, l2, grad, indices), {'use_locking': use_locking})


def resource_sparse_apply_rms_prop(var, ms, mom, lr, rho, momentum, epsilon, grad, indices, use_locking=False, name=None):
    return apply('ResourceSparseApplyRMSProp', name, (var, ms, mom, lr, rho, momentum, epsilon, grad, indices), {'use_locking': use_locking})


def resource_strided_slice_assign(ref, begin, end, strides, value, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, name=None):
    return apply('ResourceStridedSliceAssign', name, (ref, begin, end, strides, value), {'begin_mask': begin_mask, 'end_mask': end_mask, 'ellipsis_mask': ellipsis_mask, 'new_axis_mask': new_axis_mask, 'shrink_axis_mask': shrink_axis_mask})


def restore(file_pattern, tensor_name, dt, preferred_shard=-1, name=None):
    return apply('Restore', name, (file_pattern, tensor_name), {'dt': dt, 'preferred_shard': preferred_shard}).outputs[0]


def restore_slice(file_pattern, tensor_name, shape_and_slice, dt, preferred_shard=-1, name=None):
    return apply('RestoreSlice', name, (file_pattern, tensor_name, shape_and_slice), {'dt': dt, 'preferred_shard': preferred_shard}).outputs[0]


def restore_v2(prefix, tensor_names, shape_and_slices, dtypes_, name=None):
    return apply('RestoreV2', name, (prefix, tensor_names, shape_and_slices), {'dtypes': dtypes_}).outputs


def reverse(tensor, dims, name=None):
    return apply('Reverse', name, (tensor, dims), {}).outputs[0]


def reverse_sequence(input, seq_lengths, seq_dim, batch_dim=0, name=None):
    return apply('ReverseSequence', name, (input, seq_lengths), {'seq_dim': seq_dim, 'batch_dim': batch_dim}).outputs[0]


def reverse_v2(tensor, axis, name=None):
    return apply('ReverseV2', name, (tensor, axis), {}).outputs[0]


def rewrite_dataset(input_dataset, rewrite_name, output_types, output_shapes, name=None):
    return apply('RewriteDataset', name, (input_dataset, rewrite_name), {'output_types': output_types, 'output_shapes': output_shapes}).outputs[0]


def right_shift(x, y, name=None):
    return apply('RightShift', name, (x, y), {}).outputs[0]


def rint(x, name=None):
    return apply('Rint', name, (x,), {}).outputs[0]


def rng_read_and_skip(resource, alg, delta, name=None):
    return apply('RngReadAndSkip', name, (resource, alg, delta), {}).outputs[0]


def rng_skip(resource, algorithm, delta, name=None):
    return apply('RngSkip', name, (resource, algorithm, delta), {})


def roll(input, shift, axis, name=None):
    return apply('Roll', name, (input, shift, axis), {}).outputs[0]


def round(x, name=None):
    return apply('Round', name, (x,), {}).outputs[0]


def rsqrt(x, name=None):
    return apply('Rsqrt', name, (x,), {}).outputs[0]


def rsqrt_grad(y, dy, name=None):
    return apply('RsqrtGrad', name, (y, dy), {}).outputs[0]


def sample_distorted_bounding_box(image_size, bounding_boxes, seed=0, seed2=0, min_object_covered=0.100000001, aspect_ratio_range=[0.75, 1.33000004], area_range=[0.0500000007, 1.0], max_attempts=100, use_image_if_no_bounding_boxes=False, name=None):
    return results(apply('SampleDistortedBoundingBox', name, (image_size, bounding_boxes), {'seed': seed, 'seed2': seed2, 'min_object_covered': min_object_covered, 'aspect_ratio_range': aspect_ratio_range, 'area_range': area_range, 'max_attempts': max_attempts, 'use_image_if_no_bounding_boxes': use_image_if_no_bounding_boxes}))


def sample_distorted_bounding_box_v2(image_size, bounding_boxes, min_object_covered, seed=0, seed2=0, aspect_ratio_range=[0.75, 1.33000004], area_range=[0.0500000007, 1.0], max_attempts=100, use_image_if_no_bounding_boxes=False, name=None):
    return results(apply('SampleDistortedBoundingBoxV2', name, (image_size, bounding_boxes, min_object_covered), {'seed': seed, 'seed2': seed2, 'aspect_ratio_range': aspect_ratio_range, 'area_range': area_range, 'max_attempts': max_attempts, 'use_image_if_no_bounding_boxes': use_image_if_no_bounding_boxes}))


def save(filename, tensor_names, data, name=None):
    return apply('Save', name, (filename, tensor_names, data), {})


def save_dataset(input_dataset, path, shard_func_other_args, shard_func, compression='', use_shard_func=True, name=None):
    return apply('SaveDataset', name, (input_dataset, path, shard_func_other_args), {'shard_func': shard_func, 'compression': compression, 'use_shard_func': use_shard_func})


def save_slices(filename, tensor_names, shapes_and_slices, data, name=None):
    return apply('SaveSlices', name, (filename, tensor_names, shapes_and_slices, data), {})


def save_v2(prefix, tensor_names, shape_and_slices, tensors, name=None):
    return apply('SaveV2', name, (prefix, tensor_names, shape_and_slices, tensors), {})


def scalar_summary(tags, values, name=None):
    return apply('ScalarSummary', name, (tags, values), {}).outputs[0]


def scale_and_translate(images, size, scale, translation, kernel_type='lanczos3', antialias=True, name=None):
    return apply('ScaleAndTranslate', name, (images, size, scale, translation), {'kernel_type': kernel_type, 'antialias': antialias}).outputs[0]


def scale_and_translate_grad(grads, original_image, scale, translation, kernel_type='lanczos3', antialias=True, name=None):
    return apply('ScaleAndTranslateGrad', name, (grads, original_image, scale, translation), {'kernel_type': kernel_type, 'antialias': antialias}).outputs[0]


def scan_dataset(input_dataset, initial_state, other_arguments, f, output_types, output_shapes, preserve_cardinality=False, use_default_device=True, metadata='', name=None):
    return apply('ScanDataset', name, (input_dataset, initial_state, other_arguments), {'f': f, 'output_types': output_types, 'output_shapes': output_shapes, 'preserve_cardinality': preserve_cardinality, 'use_default_device': use_default_device, 'metadata': metadata}).outputs[0]


def scatter_add(ref, indices, updates, use_locking=False, name=None):
    return apply('ScatterAdd', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def scatter_div(ref, indices, updates, use_locking=False, name=None):
    return apply('ScatterDiv', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def scatter_max(ref, indices, updates, use_locking=False, name=None):
    return apply('ScatterMax', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def scatter_min(ref, indices, updates, use_locking=False, name=None):
    return apply('ScatterMin', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def scatter_mul(ref, indices, updates, use_locking=False, name=None):
    return apply('ScatterMul', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def scatter_nd(indices, updates, shape, bad_indices_policy='', name=None):
    return apply('ScatterNd', name, (indices, updates, shape), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_nd_add(ref, indices, updates, use_locking=False, bad_indices_policy='', name=None):
    return apply('ScatterNdAdd', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_nd_max(ref, indices, updates, use_locking=False, bad_indices_policy='', name=None):
    return apply('ScatterNdMax', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_nd_min(ref, indices, updates, use_locking=False, bad_indices_policy='', name=None):
    return apply('ScatterNdMin', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_nd_non_aliasing_add(input, indices, updates, bad_indices_policy='', name=None):
    return apply('ScatterNdNonAliasingAdd', name, (input, indices, updates), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_nd_sub(ref, indices, updates, use_locking=False, bad_indices_policy='', name=None):
    return apply('ScatterNdSub', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_nd_update(ref, indices, updates, use_locking=True, bad_indices_policy='', name=None):
    return apply('ScatterNdUpdate', name, (ref, indices, updates), {'use_locking': use_locking, 'bad_indices_policy': bad_indices_policy}).outputs[0]


def scatter_sub(ref, indices, updates, use_locking=False, name=None):
    return apply('ScatterSub', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def scatter_update(ref, indices, updates, use_locking=True, name=None):
    return apply('ScatterUpdate', name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]


def segment_max(data, segment_ids, name=None):
    return apply('SegmentMax', name, (data, segment_ids), {}).outputs[0]


def segment_mean(data, segment_ids, name=None):
    return apply('SegmentMean', name, (data, segment_ids), {}).outputs[0]


def segment_min(data, segment_ids, name=None):
    return apply('SegmentMin', name, (data, segment_ids), {}).outputs[0]


def segment_prod(data, segment_ids, name=None):
    return apply('SegmentProd', name, (data, segment_ids), {}).outputs[0]


def segment_sum(data, segment_ids, name=None):
    return apply('SegmentSum', name, (data, segment_ids), {}).outputs[0]


def select(condition, t, e, name=None):
    return apply('Select', name, (condition, t, e), {}).outputs[0]


def select_v2(condition, t, e, name=None):
    return apply('SelectV2', name, (condition, t, e), {}).outputs[0]


def self_adjoint_eig_v2(input, compute_v=True, name=None):
    return results(apply('SelfAdjointEigV2', name, (input,), {'compute_v': compute_v}))


def selu(features, name=None):
    return apply('Selu', name, (features,), {}).outputs[0]


def selu_grad(gradients, outputs, name=None):
    return apply('SeluGrad', name, (gradients, outputs), {}).outputs[0]


def serialize_iterator(resource_handle, external_state_policy=0, name=None):
    return apply('SerializeIterator', name, (resource_handle,), {'external_state_policy': external_state_policy}).outputs[0]


def serialize_many_sparse(sparse_indices, sparse_values, sparse_shape, out_type=dtypes.string, name=None):
    return apply('SerializeManySparse', name, (sparse_indices, sparse_values, sparse_shape), {'out_type': out_type}).outputs[0]


def serialize_sparse(sparse_indices, sparse_values, sparse_shape, out_type=dtypes.string, name=None):
    return apply('SerializeSparse', name, (sparse_indices, sparse_values, sparse_shape), {'out_type': out_type}).outputs[0]


def serialize_tensor(tensor, name=None):
    return apply('SerializeTensor', name, (tensor,), {}).outputs[0]


def set_size(set_indices, set_values, set_shape, validate_indices=True, name=None):
    return apply('SetSize', name, (set_indices, set_values, set_shape), {'validate_indices': validate_indices}).outputs[0]


def shape(input, out_type=dtypes.int32, name=None):
    return apply('Shape', name, (input,), {'out_type': out_type}).outputs[0]


def shape_n(input, out_type=dtypes.int32, name=None):
    return apply('ShapeN', name, (input,), {'out_type': out_type}).outputs


def shard_dataset(input_dataset, num_shards, index, output_types, output_shapes, require_non_empty=False, metadata='', name=None):
    return apply('ShardDataset', name, (input_dataset, num_shards, index), {'output_types': output_types, 'output_shapes': output_shapes, 'require_non_empty': require_non_empty, 'metadata': metadata}).outputs[0]


def sharded_filename(basename, shard, num_shards, name=None):
    return apply('ShardedFilename', name, (basename, shard, num_shards), {}).outputs[0]


def sharded_filespec(basename, num_shards, name=None):
    return apply('ShardedFilespec', name, (basename, num_shards), {}).outputs[0]


def shuffle_and_repeat_dataset(input_dataset, buffer_size, seed, seed2, count, output_types, output_shapes, reshuffle_each_iteration=True, metadata='', name=None):
    return apply('ShuffleAndRepeatDataset', name, (input_dataset, buffer_size, seed, seed2, count), {'output_types': output_types, 'output_shapes': output_shapes, 'reshuffle_each_iteration': reshuffle_each_iteration, 'metadata': metadata}).outputs[0]


def shuffle_and_repeat_dataset_v2(input_dataset, buffer_size, seed, seed2, count, seed_generator, output_types, output_shapes, reshuffle_each_iteration=True, metadata='', name=None):
    return apply('ShuffleAndRepeatDatasetV2', name, (input_dataset, buffer_size, seed, seed2, count, seed_generator), {'output_types': output_types, 'output_shapes': output_shapes, 'reshuffle_each_iteration': reshuffle_each_iteration, 'metadata': metadata}).outputs[0]


def shuffle_dataset(input_dataset, buffer_size, seed, seed2, output_types, output_shapes, reshuffle_each_iteration=True, metadata='', name=None):
    return apply('ShuffleDataset', name, (input_dataset, buffer_size, seed, seed2), {'output_types': output_types, 'output_shapes': output_shapes, 'reshuffle_each_iteration': reshuffle_each_iteration, 'metadata': metadata}).outputs[0]


def shuffle_dataset_v2(input_dataset, buffer_size, seed_generator, output_types, output_shapes, metadata='', name=None):
    return apply('ShuffleDatasetV2', name, (input_dataset, buffer_size, seed_generator), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def shuffle_dataset_v3(input_dataset, buffer_size, seed, seed2, seed_generator, output_types, output_shapes, reshuffle_each_iteration=True, metadata='', name=None):
    return apply('ShuffleDatasetV3', name, (input_dataset, buffer_size, seed, seed2, seed_generator), {'output_types': output_types, 'output_shapes': output_shapes, 'reshuffle_each_iteration': reshuffle_each_iteration, 'metadata': metadata}).outputs[0]


def sigmoid(x, name=None):
    return apply('Sigmoid', name, (x,), {}).outputs[0]


def sigmoid_grad(y, dy, name=None):
    return apply('SigmoidGrad', name, (y, dy), {}).outputs[0]


def sign(x, name=None):
    return apply('Sign', name, (x,), {}).outputs[0]


def sin(x, name=None):
    return apply('Sin', name, (x,), {}).outputs[0]


def sinh(x, name=None):
    return apply('Sinh', name, (x,), {}).outputs[0]


def size(input, out_type=dtypes.int32, name=None):
    return apply('Size', name, (input,), {'out_type': out_type}).outputs[0]


def skip_dataset(input_dataset, count, output_types, output_shapes, metadata='', name=None):
    return apply('SkipDataset', name, (input_dataset, count), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def slice(input, begin, size, name=None):
    return apply('Slice', name, (input, begin, size), {}).outputs[0]


def snapshot(input, name=None):
    return apply('Snapshot', name, (input,), {}).outputs[0]


def sobol_sample(dim, num_results, skip, dtype=dtypes.float32, name=None):
    return apply('SobolSample', name, (dim, num_results, skip), {'dtype': dtype}).outputs[0]


def softmax(logits, name=None):
    return apply('Softmax', name, (logits,), {}).outputs[0]


def softmax_cross_entropy_with_logits(features, labels, name=None):
    return results(apply('SoftmaxCrossEntropyWithLogits', name, (features, labels), {}))


def softplus(features, name=None):
    return apply('Softplus', name, (features,), {}).outputs[0]


def softplus_grad(gradients, features, name=None):
    return apply('SoftplusGrad', name, (gradients, features), {}).outputs[0]


def softsign(features, name=None):
    return apply('Softsign', name, (features,), {}).outputs[0]


def softsign_grad(gradients, features, name=None):
    return apply('SoftsignGrad', name, (gradients, features), {}).outputs[0]


def space_to_batch(input, paddings, block_size, name=None):
    return apply('SpaceToBatch', name, (input, paddings), {'block_size': block_size}).outputs[0]


def space_to_batch_nd(input, block_shape, paddings, name=None):
    return apply('SpaceToBatchND', name, (input, block_shape, paddings), {}).outputs[0]


def space_to_depth(input, block_size, data_format='NHWC', name=None):
    return apply('SpaceToDepth', name, (input,), {'block_size': block_size, 'data_format': data_format}).outputs[0]


def sparse_accumulator_apply_gradient(handle, local_step, gradient_indices, gradient_values, gradient_shape, has_known_shape, name=None):
    return apply('SparseAccumulatorApplyGradient', name, (handle, local_step, gradient_indices, gradient_values, gradient_shape), {'has_known_shape': has_known_shape})


def sparse_accumulator_take_gradient(handle, num_required, dtype, name=None):
    return results(apply('SparseAccumulatorTakeGradient', name, (handle, num_required), {'dtype': dtype}))


def sparse_add(a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh, name=None):
    return results(apply('SparseAdd', name, (a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh), {}))


def sparse_add_grad(backprop_val_grad, a_indices, b_indices, sum_indices, name=None):
    return results(apply('SparseAddGrad', name, (backprop_val_grad, a_indices, b_indices, sum_indices), {}))


def sparse_apply_adadelta(var, accum, accum_update, lr, rho, epsilon, grad, indices, use_locking=False, name=None):
    return apply('SparseApplyAdadelta', name, (var, accum, accum_update, lr, rho, epsilon, grad, indices), {'use_locking': use_locking}).outputs[0]


def sparse_apply_adagrad(var, accum, lr, grad, indices, use_locking=False, update_slots=True, name=None):
    return apply('SparseApplyAdagrad', name, (var, accum, lr, grad, indices), {'use_locking': use_locking, 'update_slots': update_slots}).outputs[0]


def sparse_apply_adagrad_da(var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step, use_locking=False, name=None):
    return apply('SparseApplyAdagradDA', name, (var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step), {'use_locking': use_locking}).outputs[0]


def sparse_apply_adagrad_v2(var, accum, lr, epsilon, grad, indices, use_locking=False, update_slots=True, name=None):
    return apply('SparseApplyAdagradV2', name, (var, accum, lr, epsilon, grad, indices), {'use_locking': use_locking, 'update_slots': update_slots}).outputs[0]


def sparse_apply_centered_rms_prop(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices, use_locking=False, name=None):
    return apply('SparseApplyCenteredRMSProp', name, (var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices), {'use_locking': use_locking}).outputs[0]


def sparse_apply_ftrl(var, accum, linear, grad, indices, lr, l1, l2, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('SparseApplyFtrl', name, (var, accum, linear, grad, indices, lr, l1, l2, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr}).outputs[0]


def sparse_apply_ftrl_v2(var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power, use_locking=False, multiply_linear_by_lr=False, name=None):
    return apply('SparseApplyFtrlV2', name, (var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power), {'use_locking': use_locking, 'multiply_linear_by_lr': multiply_linear_by_lr}).outputs[0]


def sparse_apply_momentum(var, accum, lr, grad, indices, momentum, use_locking=False, use_nesterov=False, name=None):
    return apply('SparseApplyMomentum', name, (var, accum, lr, grad, indices, momentum), {'use_locking': use_locking, 'use_nesterov': use_nesterov}).outputs[0]


def sparse_apply_proximal_adagrad(var, accum, lr, l1, l2, grad, indices, use_locking=False, name=None):
    return apply('SparseApplyProximalAdagrad', name, (var, accum, lr, l1, l2, grad, indices), {'use_locking': use_locking}).outputs[0]


def sparse_apply_proximal_gradient_descent(var, alpha, l1, l2, grad, indices, use_locking=False, name=None):
    return apply('SparseApplyProximalGradientDescent', name, (var, alpha, l1, l2, grad, indices), {'use_locking': use_locking}).outputs[0]


def sparse_apply_rms_prop(var, ms, mom, lr, rho, momentum, epsilon, grad, indices, use_locking=False, name=None):
    return apply('SparseApplyRMSProp', name, (var, ms, mom, lr, rho, momentum, epsilon, grad, indices), {'use_locking': use_locking}).outputs[0]


def sparse_bincount(indices, values, dense_shape, size, weights, binary_output=False, name=None):
    return apply('SparseBincount', name, (indices, values, dense_shape, size, weights), {'binary_output': binary_output}).outputs[0]


def sparse_concat(indices, values, shapes, concat_dim, name=None):
    return results(apply('SparseConcat', name, (indices, values, shapes), {'concat_dim': concat_dim}))


def sparse_conditional_accumulator(dtype, shape, container='', shared_name='', reduction_type='MEAN', name=None):
    return apply('SparseConditionalAccumulator', name, (), {'dtype': dtype, 'shape': shape, 'container': container, 'shared_name': shared_name, 'reduction_type': reduction_type}).outputs[0]


def sparse_count_sparse_output(indices, values, dense_shape, weights, binary_output, minlength=-1, maxlength=-1, name=None):
    return results(apply('SparseCountSparseOutput', name, (indices, values, dense_shape, weights), {'binary_output': binary_output, 'minlength': minlength, 'maxlength': maxlength}))


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


def sparse_matrix_mat_mul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, transpose_output=False, conjugate_output=False, name=None):
    return apply('SparseMatrixMatMul', name, (a, b), {'transpose_a': transpose_a, 'transpose_b': transpose_b, 'adjoint_a': adjoint_a, 'adjoint_b': adjoint_b, 'transpose_output': transpose_output, 'conjugate_output': conjugate_output}).outputs[0]


def sparse_matrix_nnz(sparse_matrix, name=None):
    return apply('SparseMatrixNNZ', name, (sparse_matrix,), {}).outputs[0]


def sparse_matrix_sparse_mat_mul(a, b, type, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, name=None):
    return apply('SparseMatrixSparseMatMul', name, (a, b), {'type': type, 'transpose_a': transpose_a, 'transpose_b': transpose_b, 'adjoint_a': adjoint_a, 'adjoint_b': adjoint_b}).outputs[0]


def sparse_matrix_transpose(input, type, conjugate=False, name=None):
    return apply('SparseMatrixTranspose', name, (input,), {'type': type, 'conjugate': conjugate}).outputs[0]


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


def sparse_segment_mean(data, indices, segment_ids, sparse_gradient=False, name=None):
    return apply('SparseSegmentMean', name, (data, indices, segment_ids), {'sparse_gradient': sparse_gradient}).outputs[0]


def sparse_segment_mean_grad(grad, indices, segment_ids, output_dim0, name=None):
    return apply('SparseSegmentMeanGrad', name, (grad, indices, segment_ids, output_dim0), {}).outputs[0]


def sparse_segment_mean_grad_v2(grad, indices, segment_ids, dense_output_dim0, name=None):
    return results(apply('SparseSegmentMeanGradV2', name, (grad, indices, segment_ids, dense_output_dim0), {}))


def sparse_segment_mean_with_num_segments(data, indices, segment_ids, num_segments, sparse_gradient=False, name=None):
    return apply('SparseSegmentMeanWithNumSegments', name, (data, indices, segment_ids, num_segments), {'sparse_gradient': sparse_gradient}).outputs[0]


def sparse_segment_sqrt_n(data, indices, segment_ids, sparse_gradient=False, name=None):
    return apply('SparseSegmentSqrtN', name, (data, indices, segment_ids), {'sparse_gradient': sparse_gradient}).outputs[0]


def sparse_segment_sqrt_n_grad(grad, indices, segment_ids, output_dim0, name=None):
    return apply('SparseSegmentSqrtNGrad', name, (grad, indices, segment_ids, output_dim0), {}).outputs[0]


def sparse_segment_sqrt_n_grad_v2(grad, indices, segment_ids, dense_output_dim0, name=None):
    return results(apply('SparseSegmentSqrtNGradV2', name, (grad, indices, segment_ids, dense_output_dim0), {}))


def sparse_segment_sqrt_n_with_num_segments(data, indices, segment_ids, num_segments, sparse_gradient=False, name=None):
    return apply('SparseSegmentSqrtNWithNumSegments', name, (data, indices, segment_ids, num_segments), {'sparse_gradient': sparse_gradient}).outputs[0]


def sparse_segment_sum(data, indices, segment_ids, sparse_gradient=False, name=None):
    return apply('SparseSegmentSum', name, (data, indices, segment_ids), {'sparse_gradient': sparse_gradient}).outputs[0]


def sparse_segment_sum_grad(grad, indices, segment_ids, output_dim0, name=None):
    return apply('SparseSegmentSumGrad', name, (grad, indices, segment_ids, output_dim0), {}).outputs[0]


def sparse_segment_sum_grad_v2(grad, indices, segment_ids, dense_output_dim0, name=None):
    return results(apply('SparseSegmentSumGradV2', name, (grad, indices, segment_ids, dense_output_dim0), {}))


def sparse_segment_sum_with_num_segments(data, indices, segment_ids, num_segments, sparse_gradient=False, name=None):
    return apply('SparseSegmentSumWithNumSegments', name, (data, indices, segment_ids, num_segments), {'sparse_gradient': sparse_gradient}).outputs[0]


def sparse_slice(indices, values, shape, start, size, name=None):
    return results(apply('SparseSlice', name, (indices, values, shape, start, size), {}))


def sparse_slice_grad(backprop_val_grad, input_indices, input_start, output_indices, name=None):
    return apply('SparseSliceGrad', name, (backprop_val_grad, input_indices, input_start, output_indices), {}).outputs[0]


def sparse_softmax(sp_indices, sp_values, sp_shape, name=None):
    return apply('SparseSoftmax', name, (sp_indices, sp_values, sp_shape), {}).outputs[0]


def sparse_softmax_cross_entropy_with_logits(features, labels, name=None):
    return results(apply('SparseSoftmaxCrossEntropyWithLogits', name, (features, labels), {}))


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


def sparse_tensor_to_csr_sparse_matrix(indices, values, dense_shape, name=None):
    return apply('SparseTensorToCSRSparseMatrix', name, (indices, values, dense_shape), {}).outputs[0]


def sparse_to_dense(sparse_indices, output_shape, sparse_values, default_value, validate_indices=True, name=None):
    return apply('SparseToDense', name, (sparse_indices, output_shape, sparse_values, default_value), {'validate_indices': validate_indices}).outputs[0]


def sparse_to_sparse_set_operation(set1_indices, set1_values, set1_shape, set2_indices, set2_values, set2_shape, set_operation, validate_indices=True, name=None):
    return results(apply('SparseToSparseSetOperation', name, (set1_indices, set1_values, set1_shape, set2_indices, set2_values, set2_shape), {'set_operation': set_operation, 'validate_indices': validate_indices}))


def spence(x, name=None):
    return apply('Spence', name, (x,), {}).outputs[0]


def split(split_dim, value, num_split, name=None):
    return apply('Split', name, (split_dim, value), {'num_split': num_split}).outputs


def split_v(value, size_splits, split_dim, num_split, name=None):
    return apply('SplitV', name, (value, size_splits, split_dim), {'num_split': num_split}).outputs


def sqrt(x, name=None):
    return apply('Sqrt', name, (x,), {}).outputs[0]


def sqrt_grad(y, dy, name=None):
    return apply('SqrtGrad', name, (y, dy), {}).outputs[0]


def square(x, name=None):
    return apply('Square', name, (x,), {}).outputs[0]


def squared_difference(x, y, name=None):
    return apply('SquaredDifference', name, (x, y), {}).outputs[0]


def squeeze(input, squeeze_dims=[], name=None):
    return apply('Squeeze', name, (input,), {'squeeze_dims': squeeze_dims}).outputs[0]


def stack(elem_type, stack_name='', name=None):
    return apply('Stack', name, (), {'elem_type': elem_type, 'stack_name': stack_name}).outputs[0]


def stack_close(handle, name=None):
    return apply('StackClose', name, (handle,), {})


def stack_close_v2(handle, name=None):
    return apply('StackCloseV2', name, (handle,), {})


def stack_pop(handle, elem_type, name=None):
    return apply('StackPop', name, (handle,), {'elem_type': elem_type}).outputs[0]


def stack_pop_v2(handle, elem_type, name=None):
    return apply('StackPopV2', name, (handle,), {'elem_type': elem_type}).outputs[0]


def stack_push(handle, elem, swap_memory=False, name=None):
    return apply('StackPush', name, (handle, elem), {'swap_memory': swap_memory}).outputs[0]


def stack_push_v2(handle, elem, swap_memory=False, name=None):
    return apply('StackPushV2', name, (handle, elem), {'swap_memory': swap_memory}).outputs[0]


def stack_v2(max_size, elem_type, stack_name='', name=None):
    return apply('StackV2', name, (max_size,), {'elem_type': elem_type, 'stack_name': stack_name}).outputs[0]


def stage(values, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('Stage', name, (values,), {'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name})


def stage_clear(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('StageClear', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name})


def stage_peek(index, dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('StagePeek', name, (index,), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs


def stage_size(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('StageSize', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs[0]


def stateful_partitioned_call(args, Tout, f, config='', config_proto='', executor_type='', name=None):
    return apply('StatefulPartitionedCall', name, (args,), {'Tout': Tout, 'f': f, 'config': config, 'config_proto': config_proto, 'executor_type': executor_type}).outputs


def stateful_standard_normal_v2(resource, algorithm, shape, dtype=dtypes.float32, name=None):
    return apply('StatefulStandardNormalV2', name, (resource, algorithm, shape), {'dtype': dtype}).outputs[0]


def stateful_truncated_normal(resource, algorithm, shape, dtype=dtypes.float32, name=None):
    return apply('StatefulTruncatedNormal', name, (resource, algorithm, shape), {'dtype': dtype}).outputs[0]


def stateful_uniform(resource, algorithm, shape, dtype=dtypes.float32, name=None):
    return apply('StatefulUniform', name, (resource, algorithm, shape), {'dtype': dtype}).outputs[0]


def stateful_uniform_full_int(resource, algorithm, shape, dtype=dtypes.uint64, name=None):
    return apply('StatefulUniformFullInt', name, (resource, algorithm, shape), {'dtype': dtype}).outputs[0]


def stateful_uniform_int(resource, algorithm, shape, minval, maxval, name=None):
    return apply('StatefulUniformInt', name, (resource, algorithm, shape, minval, maxval), {}).outputs[0]


def stateless_case(branch_index, input, Tout, branches, output_shapes=[], name=None):
    return apply('StatelessCase', name, (branch_index, input), {'Tout': Tout, 'branches': branches, 'output_shapes': output_shapes}).outputs


def stateless_if(cond, input, Tout, then_branch, else_branch, output_shapes=[], name=None):
    return apply('StatelessIf', name, (cond, input), {'Tout': Tout, 'then_branch': then_branch, 'else_branch': else_branch, 'output_shapes': output_shapes}).outputs


def stateless_multinomial(logits, num_samples, seed, output_dtype=dtypes.int64, name=None):
    return apply('StatelessMultinomial', name, (logits, num_samples, seed), {'output_dtype': output_dtype}).outputs[0]


def stateless_random_binomial(shape, seed, counts, probs, dtype=dtypes.int64, name=None):
    return apply('StatelessRandomBinomial', name, (shape, seed, counts, probs), {'dtype': dtype}).outputs[0]


def stateless_random_gamma_v2(shape, seed, alpha, name=None):
    return apply('StatelessRandomGammaV2', name, (shape, seed, alpha), {}).outputs[0]


def stateless_random_gamma_v3(shape, key, counter, alg, alpha, name=None):
    return apply('StatelessRandomGammaV3', name, (shape, key, counter, alg, alpha), {}).outputs[0]


def stateless_random_get_alg(name=None):
    return apply('StatelessRandomGetAlg', name, (), {}).outputs[0]


def stateless_random_get_key_counter(seed, name=None):
    return results(apply('StatelessRandomGetKeyCounter', name, (seed,), {}))


def stateless_random_get_key_counter_alg(seed, name=None):
    return results(apply('StatelessRandomGetKeyCounterAlg', name, (seed,), {}))


def stateless_random_normal(shape, seed, dtype=dtypes.float32, name=None):
    return apply('StatelessRandomNormal', name, (shape, seed), {'dtype': dtype}).outputs[0]


def stateless_random_normal_v2(shape, key, counter, alg, dtype=dtypes.float32, name=None):
    return apply('StatelessRandomNormalV2', name, (shape, key, counter, alg), {'dtype': dtype}).outputs[0]


def stateless_random_poisson(shape, seed, lam, dtype, name=None):
    return apply('StatelessRandomPoisson', name, (shape, seed, lam), {'dtype': dtype}).outputs[0]


def stateless_random_uniform(shape, seed, dtype=dtypes.float32, name=None):
    return apply('StatelessRandomUniform', name, (shape, seed), {'dtype': dtype}).outputs[0]


def stateless_random_uniform_full_int(shape, seed, dtype=dtypes.uint64, name=None):
    return apply('StatelessRandomUniformFullInt', name, (shape, seed), {'dtype': dtype}).outputs[0]


def stateless_random_uniform_full_int_v2(shape, key, counter, alg, dtype=dtypes.uint64, name=None):
    return apply('StatelessRandomUniformFullIntV2', name, (shape, key, counter, alg), {'dtype': dtype}).outputs[0]


def stateless_random_uniform_int(shape, seed, minval, maxval, name=None):
    return apply('StatelessRandomUniformInt', name, (shape, seed, minval, maxval), {}).outputs[0]


def stateless_random_uniform_int_v2(shape, key, counter, alg, minval, maxval, name=None):
    return apply('StatelessRandomUniformIntV2', name, (shape, key, counter, alg, minval, maxval), {}).outputs[0]


def stateless_random_uniform_v2(shape, key, counter, alg, dtype=dtypes.float32, name=None):
    return apply('StatelessRandomUniformV2', name, (shape, key, counter, alg), {'dtype': dtype}).outputs[0]


def stateless_shuffle(value, key, counter, alg, name=None):
    return apply('StatelessShuffle', name, (value, key, counter, alg), {}).outputs[0]


def stateless_truncated_normal(shape, seed, dtype=dtypes.float32, name=None):
    return apply('StatelessTruncatedNormal', name, (shape, seed), {'dtype': dtype}).outputs[0]


def stateless_truncated_normal_v2(shape, key, counter, alg, dtype=dtypes.float32, name=None):
    return apply('StatelessTruncatedNormalV2', name, (shape, key, counter, alg), {'dtype': dtype}).outputs[0]


def stateless_while(input, cond, body, output_shapes=[], parallel_iterations=10, name=None):
    return apply('StatelessWhile', name, (input,), {'cond': cond, 'body': body, 'output_shapes': output_shapes, 'parallel_iterations': parallel_iterations}).outputs


def static_regex_full_match(input, pattern, name=None):
    return apply('StaticRegexFullMatch', name, (input,), {'pattern': pattern}).outputs[0]


def static_regex_replace(input, pattern, rewrite, replace_global=True, name=None):
    return apply('StaticRegexReplace', name, (input,), {'pattern': pattern, 'rewrite': rewrite, 'replace_global': replace_global}).outputs[0]


def stop_gradient(input, name=None):
    return apply('StopGradient', name, (input,), {}).outputs[0]


def strided_slice(input, begin, end, strides, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, name=None):
    return apply('StridedSlice', name, (input, begin, end, strides), {'begin_mask': begin_mask, 'end_mask': end_mask, 'ellipsis_mask': ellipsis_mask, 'new_axis_mask': new_axis_mask, 'shrink_axis_mask': shrink_axis_mask}).outputs[0]


def strided_slice_assign(ref, begin, end, strides, value, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, name=None):
    return apply('StridedSliceAssign', name, (ref, begin, end, strides, value), {'begin_mask': begin_mask, 'end_mask': end_mask, 'ellipsis_mask': ellipsis_mask, 'new_axis_mask': new_axis_mask, 'shrink_axis_mask': shrink_axis_mask}).outputs[0]


def strided_slice_grad(shape, begin, end, strides, dy, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, name=None):
    return apply('StridedSliceGrad', name, (shape, begin, end, strides, dy), {'begin_mask': begin_mask, 'end_mask': end_mask, 'ellipsis_mask': ellipsis_mask, 'new_axis_mask': new_axis_mask, 'shrink_axis_mask': shrink_axis_mask}).outputs[0]


def string_format(inputs, template='%s', placeholder='%s', summarize=3, name=None):
    return apply('StringFormat', name, (inputs,), {'template': template, 'placeholder': placeholder, 'summarize': summarize}).outputs[0]


def string_join(inputs, separator='', name=None):
    return apply('StringJoin', name, (inputs,), {'separator': separator}).outputs[0]


def string_length(input, unit='BYTE', name=None):
    return apply('StringLength', name, (input,), {'unit': unit}).outputs[0]


def string_lower(input, encoding='', name=None):
    return apply('StringLower', name, (input,), {'encoding': encoding}).outputs[0]


def string_n_grams(data, data_splits, separator, ngram_widths, left_pad, right_pad, pad_width, preserve_short_sequences, name=None):
    return results(apply('StringNGrams', name, (data, data_splits), {'separator': separator, 'ngram_widths': ngram_widths, 'left_pad': left_pad, 'right_pad': right_pad, 'pad_width': pad_width, 'preserve_short_sequences': preserve_short_sequences}))


def string_split(input, delimiter, skip_empty=True, name=None):
    return results(apply('StringSplit', name, (input, delimiter), {'skip_empty': skip_empty}))


def string_split_v2(input, sep, maxsplit=-1, name=None):
    return results(apply('StringSplitV2', name, (input, sep), {'maxsplit': maxsplit}))


def string_strip(input, name=None):
    return apply('StringStrip', name, (input,), {}).outputs[0]


def string_to_hash_bucket(string_tensor, num_buckets, name=None):
    return apply('StringToHashBucket', name, (string_tensor,), {'num_buckets': num_buckets}).outputs[0]


def string_to_hash_bucket_fast(input, num_buckets, name=None):
    return apply('StringToHashBucketFast', name, (input,), {'num_buckets': num_buckets}).outputs[0]


def string_to_hash_bucket_strong(input, num_buckets, key, name=None):
    return apply('StringToHashBucketStrong', name, (input,), {'num_buckets': num_buckets, 'key': key}).outputs[0]


def string_to_number(string_tensor, out_type=dtypes.float32, name=None):
    return apply('StringToNumber', name, (string_tensor,), {'out_type': out_type}).outputs[0]


def string_upper(input, encoding='', name=None):
    return apply('StringUpper', name, (input,), {'encoding': encoding}).outputs[0]


def sub(x, y, name=None):
    return apply('Sub', name, (x, y), {}).outputs[0]


def substr(input, pos, len, unit='BYTE', name=None):
    return apply('Substr', name, (input, pos, len), {'unit': unit}).outputs[0]


def sum(input, reduction_indices, keep_dims=False, name=None):
    return apply('Sum', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def summary_writer(shared_name='', container='', name=None):
    return apply('SummaryWriter', name, (), {'shared_name': shared_name, 'container': container}).outputs[0]


def svd(input, compute_uv=True, full_matrices=False, name=None):
    return results(apply('Svd', name, (input,), {'compute_uv': compute_uv, 'full_matrices': full_matrices}))


def switch(data, pred, name=None):
    return results(apply('Switch', name, (data, pred), {}))


def symbolic_gradient(input, Tout, f, name=None):
    return apply('SymbolicGradient', name, (input,), {'Tout': Tout, 'f': f}).outputs


def tf_record_dataset(filenames, compression_type, buffer_size, metadata='', name=None):
    return apply('TFRecordDataset', name, (filenames, compression_type, buffer_size), {'metadata': metadata}).outputs[0]


def tf_record_dataset_v2(filenames, compression_type, buffer_size, byte_offsets, metadata='', name=None):
    return apply('TFRecordDatasetV2', name, (filenames, compression_type, buffer_size, byte_offsets), {'metadata': metadata}).outputs[0]


def tf_record_reader(container='', shared_name='', compression_type='', name=None):
    return apply('TFRecordReader', name, (), {'container': container, 'shared_name': shared_name, 'compression_type': compression_type}).outputs[0]


def tf_record_reader_v2(container='', shared_name='', compression_type='', name=None):
    return apply('TFRecordReaderV2', name, (), {'container': container, 'shared_name': shared_name, 'compression_type': compression_type}).outputs[0]


def take_dataset(input_dataset, count, output_types, output_shapes, metadata='', name=None):
    return apply('TakeDataset', name, (input_dataset, count), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def take_many_sparse_from_tensors_map(sparse_handles, dtype, container='', shared_name='', name=None):
    return results(apply('TakeManySparseFromTensorsMap', name, (sparse_handles,), {'dtype': dtype, 'container': container, 'shared_name': shared_name}))


def take_while_dataset(input_dataset, other_arguments, predicate, output_types, output_shapes, metadata='', name=None):
    return apply('TakeWhileDataset', name, (input_dataset, other_arguments), {'predicate': predicate, 'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def tan(x, name=None):
    return apply('Tan', name, (x,), {}).outputs[0]


def tanh(x, name=None):
    return apply('Tanh', name, (x,), {}).outputs[0]


def tanh_grad(y, dy, name=None):
    return apply('TanhGrad', name, (y, dy), {}).outputs[0]


def temporary_variable(shape, dtype, var_name='', name=None):
    return apply('TemporaryVariable', name, (), {'shape': shape, 'dtype': dtype, 'var_name': var_name}).outputs[0]


def tensor_array_close_v2(handle, name=None):
    return apply('TensorArrayCloseV2', name, (handle,), {})


def tensor_array_close_v3(handle, name=None):
    return apply('TensorArrayCloseV3', name, (handle,), {})


def tensor_array_concat_v2(handle, flow_in, dtype, element_shape_except0=None, name=None):
    return results(apply('TensorArrayConcatV2', name, (handle, flow_in), {'dtype': dtype, 'element_shape_except0': element_shape_except0}))


def tensor_array_concat_v3(handle, flow_in, dtype, element_shape_except0=None, name=None):
    return results(apply('TensorArrayConcatV3', name, (handle, flow_in), {'dtype': dtype, 'element_shape_except0': element_shape_except0}))


def tensor_array_gather_v2(handle, indices, flow_in, dtype, element_shape=None, name=None):
    return apply('TensorArrayGatherV2', name, (handle, indices, flow_in), {'dtype': dtype, 'element_shape': element_shape}).outputs[0]


def tensor_array_gather_v3(handle, indices, flow_in, dtype, element_shape=None, name=None):
    return apply('TensorArrayGatherV3', name, (handle, indices, flow_in), {'dtype': dtype, 'element_shape': element_shape}).outputs[0]


def tensor_array_grad_v2(handle, flow_in, source, name=None):
    return apply('TensorArrayGradV2', name, (handle, flow_in), {'source': source}).outputs[0]


def tensor_array_grad_v3(handle, flow_in, source, name=None):
    return results(apply('TensorArrayGradV3', name, (handle, flow_in), {'source': source}))


def tensor_array_grad_with_shape(handle, flow_in, shape_to_prepend, source, name=None):
    return results(apply('TensorArrayGradWithShape', name, (handle, flow_in, shape_to_prepend), {'source': source}))


def tensor_array_read_v2(handle, index, flow_in, dtype, name=None):
    return apply('TensorArrayReadV2', name, (handle, index, flow_in), {'dtype': dtype}).outputs[0]


def tensor_array_read_v3(handle, index, flow_in, dtype, name=None):
    return apply('TensorArrayReadV3', name, (handle, index, flow_in), {'dtype': dtype}).outputs[0]


def tensor_array_scatter_v2(handle, indices, value, flow_in, name=None):
    return apply('TensorArrayScatterV2', name, (handle, indices, value, flow_in), {}).outputs[0]


def tensor_array_scatter_v3(handle, indices, value, flow_in, name=None):
    return apply('TensorArrayScatterV3', name, (handle, indices, value, flow_in), {}).outputs[0]


def tensor_array_size_v2(handle, flow_in, name=None):
    return apply('TensorArraySizeV2', name, (handle, flow_in), {}).outputs[0]


def tensor_array_size_v3(handle, flow_in, name=None):
    return apply('TensorArraySizeV3', name, (handle, flow_in), {}).outputs[0]


def tensor_array_split_v2(handle, value, lengths, flow_in, name=None):
    return apply('TensorArraySplitV2', name, (handle, value, lengths, flow_in), {}).outputs[0]


def tensor_array_split_v3(handle, value, lengths, flow_in, name=None):
    return apply('TensorArraySplitV3', name, (handle, value, lengths, flow_in), {}).outputs[0]


def tensor_array_v2(size, dtype, element_shape=None, dynamic_size=False, clear_after_read=True, tensor_array_name='', name=None):
    return apply('TensorArrayV2', name, (size,), {'dtype': dtype, 'element_shape': element_shape, 'dynamic_size': dynamic_size, 'clear_after_read': clear_after_read, 'tensor_array_name': tensor_array_name}).outputs[0]


def tensor_array_v3(size, dtype, element_shape=None, dynamic_size=False, clear_after_read=True, identical_element_shapes=False, tensor_array_name='', name=None):
    return results(apply('TensorArrayV3', name, (size,), {'dtype': dtype, 'element_shape': element_shape, 'dynamic_size': dynamic_size, 'clear_after_read': clear_after_read, 'identical_element_shapes': identical_element_shapes, 'tensor_array_name': tensor_array_name}))


def tensor_array_write_v2(handle, index, value, flow_in, name=None):
    return apply('TensorArrayWriteV2', name, (handle, index, value, flow_in), {}).outputs[0]


def tensor_array_write_v3(handle, index, value, flow_in, name=None):
    return apply('TensorArrayWriteV3', name, (handle, index, value, flow_in), {}).outputs[0]


def tensor_dataset(components, output_shapes, metadata='', name=None):
    return apply('TensorDataset', name, (components,), {'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def tensor_list_concat(input_handle, element_dtype, element_shape=None, name=None):
    return results(apply('TensorListConcat', name, (input_handle,), {'element_dtype': element_dtype, 'element_shape': element_shape}))


def tensor_list_concat_lists(input_a, input_b, element_dtype, name=None):
    return apply('TensorListConcatLists', name, (input_a, input_b), {'element_dtype': element_dtype}).outputs[0]


def tensor_list_concat_v2(input_handle, element_shape, leading_dims, element_dtype, name=None):
    return results(apply('TensorListConcatV2', name, (input_handle, element_shape, leading_dims), {'element_dtype': element_dtype}))


def tensor_list_element_shape(input_handle, shape_type, name=None):
    return apply('TensorListElementShape', name, (input_handle,), {'shape_type': shape_type}).outputs[0]


def tensor_list_from_tensor(tensor, element_shape, name=None):
    return apply('TensorListFromTensor', name, (tensor, element_shape), {}).outputs[0]


def tensor_list_gather(input_handle, indices, element_shape, element_dtype, name=None):
    return apply('TensorListGather', name, (input_handle, indices, element_shape), {'element_dtype': element_dtype}).outputs[0]


def tensor_list_get_item(input_handle, index, element_shape, element_dtype, name=None):
    return apply('TensorListGetItem', name, (input_handle, index, element_shape), {'element_dtype': element_dtype}).outputs[0]


def tensor_list_length(input_handle, name=None):
    return apply('TensorListLength', name, (input_handle,), {}).outputs[0]


def tensor_list_pop_back(input_handle, element_shape, element_dtype, name=None):
    return results(apply('TensorListPopBack', name, (input_handle, element_shape), {'element_dtype': element_dtype}))


def tensor_list_push_back(input_handle, tensor, name=None):
    return apply('TensorListPushBack', name, (input_handle, tensor), {}).outputs[0]


def tensor_list_push_back_batch(input_handles, tensor, name=None):
    return apply('TensorListPushBackBatch', name, (input_handles, tensor), {}).outputs[0]


def tensor_list_reserve(element_shape, num_elements, element_dtype, name=None):
    return apply('TensorListReserve', name, (element_shape, num_elements), {'element_dtype': element_dtype}).outputs[0]


def tensor_list_resize(input_handle, size, name=None):
    return apply('TensorListResize', name, (input_handle, size), {}).outputs[0]


def tensor_list_scatter(tensor, indices, element_shape, name=None):
    return apply('TensorListScatter', name, (tensor, indices, element_shape), {}).outputs[0]


def tensor_list_scatter_into_existing_list(input_handle, tensor, indices, name=None):
    return apply('TensorListScatterIntoExistingList', name, (input_handle, tensor, indices), {}).outputs[0]


def tensor_list_scatter_v2(tensor, indices, element_shape, num_elements, name=None):
    return apply('TensorListScatterV2', name, (tensor, indices, element_shape, num_elements), {}).outputs[0]


def tensor_list_set_item(input_handle, index, item, resize_if_index_out_of_bounds=False, name=None):
    return apply('TensorListSetItem', name, (input_handle, index, item), {'resize_if_index_out_of_bounds': resize_if_index_out_of_bounds}).outputs[0]


def tensor_list_split(tensor, element_shape, lengths, name=None):
    return apply('TensorListSplit', name, (tensor, element_shape, lengths), {}).outputs[0]


def tensor_list_stack(input_handle, element_shape, element_dtype, num_elements=-1, name=None):
    return apply('TensorListStack', name, (input_handle, element_shape), {'element_dtype': element_dtype, 'num_elements': num_elements}).outputs[0]


def tensor_map_erase(input_handle, key, value_dtype, name=None):
    return apply('TensorMapErase', name, (input_handle, key), {'value_dtype': value_dtype}).outputs[0]


def tensor_map_has_key(input_handle, key, name=None):
    return apply('TensorMapHasKey', name, (input_handle, key), {}).outputs[0]


def tensor_map_insert(input_handle, key, value, name=None):
    return apply('TensorMapInsert', name, (input_handle, key, value), {}).outputs[0]


def tensor_map_lookup(input_handle, key, value_dtype, name=None):
    return apply('TensorMapLookup', name, (input_handle, key), {'value_dtype': value_dtype}).outputs[0]


def tensor_map_size(input_handle, name=None):
    return apply('TensorMapSize', name, (input_handle,), {}).outputs[0]


def tensor_map_stack_keys(input_handle, key_dtype, name=None):
    return apply('TensorMapStackKeys', name, (input_handle,), {'key_dtype': key_dtype}).outputs[0]


def tensor_scatter_add(tensor, indices, updates, bad_indices_policy='', name=None):
    return apply('TensorScatterAdd', name, (tensor, indices, updates), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def tensor_scatter_max(tensor, indices, updates, bad_indices_policy='', name=None):
    return apply('TensorScatterMax', name, (tensor, indices, updates), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def tensor_scatter_min(tensor, indices, updates, bad_indices_policy='', name=None):
    return apply('TensorScatterMin', name, (tensor, indices, updates), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def tensor_scatter_sub(tensor, indices, updates, bad_indices_policy='', name=None):
    return apply('TensorScatterSub', name, (tensor, indices, updates), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def tensor_scatter_update(tensor, indices, updates, bad_indices_policy='', name=None):
    return apply('TensorScatterUpdate', name, (tensor, indices, updates), {'bad_indices_policy': bad_indices_policy}).outputs[0]


def tensor_slice_dataset(components, output_shapes, is_files=False, metadata='', replicate_on_split=False, name=None):
    return apply('TensorSliceDataset', name, (components,), {'output_shapes': output_shapes, 'is_files': is_files, 'metadata': metadata, 'replicate_on_split': replicate_on_split}).outputs[0]


def tensor_strided_slice_update(input, begin, end, strides, value, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, name=None):
    return apply('TensorStridedSliceUpdate', name, (input, begin, end, strides, value), {'begin_mask': begin_mask, 'end_mask': end_mask, 'ellipsis_mask': ellipsis_mask, 'new_axis_mask': new_axis_mask, 'shrink_axis_mask': shrink_axis_mask}).outputs[0]


def tensor_summary(tensor, description='', labels=[], display_name='', name=None):
    return apply('TensorSummary', name, (tensor,), {'description': description, 'labels': labels, 'display_name': display_name}).outputs[0]


def tensor_summary_v2(tag, tensor, serialized_summary_metadata, name=None):
    return apply('TensorSummaryV2', name, (tag, tensor, serialized_summary_metadata), {}).outputs[0]


def text_line_dataset(filenames, compression_type, buffer_size, metadata='', name=None):
    return apply('TextLineDataset', name, (filenames, compression_type, buffer_size), {'metadata': metadata}).outputs[0]


def text_line_reader(skip_header_lines=0, container='', shared_name='', name=None):
    return apply('TextLineReader', name, (), {'skip_header_lines': skip_header_lines, 'container': container, 'shared_name': shared_name}).outputs[0]


def text_line_reader_v2(skip_header_lines=0, container='', shared_name='', name=None):
    return apply('TextLineReaderV2', name, (), {'skip_header_lines': skip_header_lines, 'container': container, 'shared_name': shared_name}).outputs[0]


def thread_unsafe_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=0, seed2=0, name=None):
    return results(apply('ThreadUnsafeUnigramCandidateSampler', name, (true_classes,), {'num_true': num_true, 'num_sampled': num_sampled, 'unique': unique, 'range_max': range_max, 'seed': seed, 'seed2': seed2}))


def tile(input, multiples, name=None):
    return apply('Tile', name, (input, multiples), {}).outputs[0]


def tile_grad(input, multiples, name=None):
    return apply('TileGrad', name, (input, multiples), {}).outputs[0]


def timestamp(name=None):
    return apply('Timestamp', name, (), {}).outputs[0]


def to_bool(input, name=None):
    return apply('ToBool', name, (input,), {}).outputs[0]


def top_k(input, k, sorted=True, name=None):
    return results(apply('TopK', name, (input,), {'k': k, 'sorted': sorted}))


def top_kv2(input, k, sorted=True, index_type=dtypes.int32, name=None):
    return results(apply('TopKV2', name, (input, k), {'sorted': sorted, 'index_type': index_type}))


def transpose(x, perm, name=None):
    return apply('Transpose', name, (x, perm), {}).outputs[0]


def tridiagonal_mat_mul(superdiag, maindiag, subdiag, rhs, name=None):
    return apply('TridiagonalMatMul', name, (superdiag, maindiag, subdiag, rhs), {}).outputs[0]


def tridiagonal_solve(diagonals, rhs, partial_pivoting=True, perturb_singular=False, name=None):
    return apply('TridiagonalSolve', name, (diagonals, rhs), {'partial_pivoting': partial_pivoting, 'perturb_singular': perturb_singular}).outputs[0]


def truncate_div(x, y, name=None):
    return apply('TruncateDiv', name, (x, y), {}).outputs[0]


def truncate_mod(x, y, name=None):
    return apply('TruncateMod', name, (x, y), {}).outputs[0]


def truncated_normal(shape, dtype, seed=0, seed2=0, name=None):
    return apply('TruncatedNormal', name, (shape,), {'dtype': dtype, 'seed': seed, 'seed2': seed2}).outputs[0]


def unbatch(batched_tensor, batch_index, id, timeout_micros, container='', shared_name='', name=None):
    return apply('Unbatch', name, (batched_tensor, batch_index, id), {'timeout_micros': timeout_micros, 'container': container, 'shared_name': shared_name}).outputs[0]


def unbatch_dataset(input_dataset, output_types, output_shapes, metadata='', name=None):
    return apply('UnbatchDataset', name, (input_dataset,), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def unbatch_grad(original_input, batch_index, grad, id, container='', shared_name='', name=None):
    return apply('UnbatchGrad', name, (original_input, batch_index, grad, id), {'container': container, 'shared_name': shared_name}).outputs[0]


def unicode_decode(input, input_encoding, errors='replace', replacement_char=65533, replace_control_characters=False, Tsplits=dtypes.int64, name=None):
    return results(apply('UnicodeDecode', name, (input,), {'input_encoding': input_encoding, 'errors': errors, 'replacement_char': replacement_char, 'replace_control_characters': replace_control_characters, 'Tsplits': Tsplits}))


def unicode_decode_with_offsets(input, input_encoding, errors='replace', replacement_char=65533, replace_control_characters=False, Tsplits=dtypes.int64, name=None):
    return results(apply('UnicodeDecodeWithOffsets', name, (input,), {'input_encoding': input_encoding, 'errors': errors, 'replacement_char': replacement_char, 'replace_control_characters': replace_control_characters, 'Tsplits': Tsplits}))


def unicode_encode(input_values, input_splits, output_encoding, errors='replace', replacement_char=65533, name=None):
    return apply('UnicodeEncode', name, (input_values, input_splits), {'output_encoding': output_encoding, 'errors': errors, 'replacement_char': replacement_char}).outputs[0]


def unicode_script(input, name=None):
    return apply('UnicodeScript', name, (input,), {}).outputs[0]


def unicode_transcode(input, input_encoding, output_encoding, errors='replace', replacement_char=65533, replace_control_characters=False, name=None):
    return apply('UnicodeTranscode', name, (input,), {'input_encoding': input_encoding, 'output_encoding': output_encoding, 'errors': errors, 'replacement_char': replacement_char, 'replace_control_characters': replace_control_characters}).outputs[0]


def uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=0, seed2=0, name=None):
    return results(apply('UniformCandidateSampler', name, (true_classes,), {'num_true': num_true, 'num_sampled': num_sampled, 'unique': unique, 'range_max': range_max, 'seed': seed, 'seed2': seed2}))


def unique(x, out_idx=dtypes.int32, name=None):
    return results(apply('Unique', name, (x,), {'out_idx': out_idx}))


def unique_v2(x, axis, out_idx=dtypes.int32, name=None):
    return results(apply('UniqueV2', name, (x, axis), {'out_idx': out_idx}))


def unique_with_counts(x, out_idx=dtypes.int32, name=None):
    return results(apply('UniqueWithCounts', name, (x,), {'out_idx': out_idx}))


def unique_with_counts_v2(x, axis, out_idx=dtypes.int32, name=None):
    return results(apply('UniqueWithCountsV2', name, (x, axis), {'out_idx': out_idx}))


def unpack(value, num, axis=0, name=None):
    return apply('Unpack', name, (value,), {'num': num, 'axis': axis}).outputs


def unravel_index(indices, dims, name=None):
    return apply('UnravelIndex', name, (indices, dims), {}).outputs[0]


def unsorted_segment_join(inputs, segment_ids, num_segments, separator='', name=None):
    return apply('UnsortedSegmentJoin', name, (inputs, segment_ids, num_segments), {'separator': separator}).outputs[0]


def unsorted_segment_max(data, segment_ids, num_segments, name=None):
    return apply('UnsortedSegmentMax', name, (data, segment_ids, num_segments), {}).outputs[0]


def unsorted_segment_min(data, segment_ids, num_segments, name=None):
    return apply('UnsortedSegmentMin', name, (data, segment_ids, num_segments), {}).outputs[0]


def unsorted_segment_prod(data, segment_ids, num_segments, name=None):
    return apply('UnsortedSegmentProd', name, (data, segment_ids, num_segments), {}).outputs[0]


def unsorted_segment_sum(data, segment_ids, num_segments, name=None):
    return apply('UnsortedSegmentSum', name, (data, segment_ids, num_segments), {}).outputs[0]


def unstage(dtypes_, capacity=0, memory_limit=0, container='', shared_name='', name=None):
    return apply('Unstage', name, (), {'dtypes': dtypes_, 'capacity': capacity, 'memory_limit': memory_limit, 'container': container, 'shared_name': shared_name}).outputs


def upper_bound(sorted_inputs, values, out_type=dtypes.int32, name=None):
    return apply('UpperBound', name, (sorted_inputs, values), {'out_type': out_type}).outputs[0]


def var_handle_op(dtype, shape, container='', shared_name='', debug_name='', allowed_devices=[], name=None):
    return apply('VarHandleOp', name, (), {'dtype': dtype, 'shape': shape, 'container': container, 'shared_name': shared_name, 'debug_name': debug_name, 'allowed_devices': allowed_devices}).outputs[0]


def var_is_initialized_op(resource, name=None):
    return apply('VarIsInitializedOp', name, (resource,), {}).outputs[0]


def variable(shape, dtype, container='', shared_name='', name=None):
    return apply('Variable', name, (), {'shape': shape, 'dtype': dtype, 'container': container, 'shared_name': shared_name}).outputs[0]


def variable_shape(input, out_type=dtypes.int32, name=None):
    return apply('VariableShape', name, (input,), {'out_type': out_type}).outputs[0]


def variable_v2(shape, dtype, container='', shared_name='', name=None):
    return apply('VariableV2', name, (), {'shape': shape, 'dtype': dtype, 'container': container, 'shared_name': shared_name}).outputs[0]


def where(input, name=None):
    return apply('Where', name, (input,), {}).outputs[0]


def while_(input, cond, body, output_shapes=[], parallel_iterations=10, name=None):
    return apply('While', name, (input,), {'cond': cond, 'body': body, 'output_shapes': output_shapes, 'parallel_iterations': parallel_iterations}).outputs


def whole_file_reader(container='', shared_name='', name=None):
    return apply('WholeFileReader', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def whole_file_reader_v2(container='', shared_name='', name=None):
    return apply('WholeFileReaderV2', name, (), {'container': container, 'shared_name': shared_name}).outputs[0]


def window_dataset(input_dataset, size, shift, stride, drop_remainder, output_types, output_shapes, metadata='', name=None):
    return apply('WindowDataset', name, (input_dataset, size, shift, stride, drop_remainder), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def write_audio_summary(writer, step, tag, tensor, sample_rate, max_outputs=3, name=None):
    return apply('WriteAudioSummary', name, (writer, step, tag, tensor, sample_rate), {'max_outputs': max_outputs})


def write_file(filename, contents, name=None):
    return apply('WriteFile', name, (filename, contents), {})


def write_graph_summary(writer, step, tensor, name=None):
    return apply('WriteGraphSummary', name, (writer, step, tensor), {})


def write_histogram_summary(writer, step, tag, values, name=None):
    return apply('WriteHistogramSummary', name, (writer, step, tag, values), {})


def write_image_summary(writer, step, tag, tensor, bad_color, max_images=3, name=None):
    return apply('WriteImageSummary', name, (writer, step, tag, tensor, bad_color), {'max_images': max_images})


def write_raw_proto_summary(writer, step, tensor, name=None):
    return apply('WriteRawProtoSummary', name, (writer, step, tensor), {})


def write_scalar_summary(writer, step, tag, value, name=None):
    return apply('WriteScalarSummary', name, (writer, step, tag, value), {})


def write_summary(writer, step, tensor, tag, summary_metadata, name=None):
    return apply('WriteSummary', name, (writer, step, tensor, tag, summary_metadata), {})


def xdivy(x, y, name=None):
    return apply('Xdivy', name, (x, y), {}).outputs[0]


def xlog1py(x, y, name=None):
    return apply('Xlog1py', name, (x, y), {}).outputs[0]


def xlogy(x, y, name=None):
    return apply('Xlogy', name, (x, y), {}).outputs[0]


def zeros_like(x, name=None):
    return apply('ZerosLike', name, (x,), {}).outputs[0]


def zeta(x, q, name=None):
    return apply('Zeta', name, (x, q), {}).outputs[0]


def zip_dataset(input_datasets, output_types, output_shapes, metadata='', name=None):
    return apply('ZipDataset', name, (input_datasets,), {'output_types': output_types, 'output_shapes': output_shapes, 'metadata': metadata}).outputs[0]


def _arg(T, index, name=None):
    return apply('_Arg', name, (), {'T': T, 'index': index}).outputs[0]


def _fused_batch_norm_ex(x, scale, offset, mean, variance, side_input, epsilon=9.99999975e-05, exponential_avg_factor=1.0, activation_mode='Identity', data_format='NHWC', is_training=True, name=None):
    return results(apply('_FusedBatchNormEx', name, (x, scale, offset, mean, variance, side_input), {'epsilon': epsilon, 'exponential_avg_factor': exponential_avg_factor, 'activation_mode': activation_mode, 'data_format': data_format, 'is_training': is_training}))


def _fused_conv2d(input, filter, args, host_args, num_args, strides, padding, explicit_paddings=[], data_format='NHWC', filter_format='HWIO', dilations=[1, 1, 1, 1], use_cudnn_on_gpu=True, fused_ops=[], epsilon=9.99999975e-05, leakyrelu_alpha=0.200000003, name=None):
    return apply('_FusedConv2D', name, (input, filter, args, host_args), {'num_args': num_args, 'strides': strides, 'padding': padding, 'explicit_paddings': explicit_paddings, 'data_format': data_format, 'filter_format': filter_format, 'dilations': dilations, 'use_cudnn_on_gpu': use_cudnn_on_gpu, 'fused_ops': fused_ops, 'epsilon': epsilon, 'leakyrelu_alpha': leakyrelu_alpha}).outputs[0]


def _fused_conv3d(input, filter, args, strides, padding, data_format='NDHWC', dilations=[1, 1, 1, 1, 1], padding_list=[], fused_ops=[], epsilon=9.99999975e-05, leakyrelu_alpha=0.200000003, name=None):
    return apply('_FusedConv3D', name, (input, filter, args), {'strides': strides, 'padding': padding, 'data_format': data_format, 'dilations': dilations, 'padding_list': padding_list, 'fused_ops': fused_ops, 'epsilon': epsilon, 'leakyrelu_alpha': leakyrelu_alpha}).outputs[0]


def _fused_depthwise_conv2d_native(input, filter, args, strides, padding, data_format='NHWC', dilations=[1, 1, 1, 1], fused_ops=[], epsilon=9.99999975e-05, leakyrelu_alpha=0.200000003, name=None):
    return apply('_FusedDepthwiseConv2dNative', name, (input, filter, args), {'strides': strides, 'padding': padding, 'data_format': data_format, 'dilations': dilations, 'fused_ops': fused_ops, 'epsilon': epsilon, 'leakyrelu_alpha': leakyrelu_alpha}).outputs[0]


def _fused_mat_mul(a, b, args, transpose_a=False, transpose_b=False, fused_ops=[], epsilon=9.99999975e-05, leakyrelu_alpha=0.200000003, name=None):
    return apply('_FusedMatMul', name, (a, b, args), {'transpose_a': transpose_a, 'transpose_b': transpose_b, 'fused_ops': fused_ops, 'epsilon': epsilon, 'leakyrelu_alpha': leakyrelu_alpha}).outputs[0]


def _host_recv(tensor_type, tensor_name, send_device, send_device_incarnation, recv_device, client_terminated=False, name=None):
    return apply('_HostRecv', name, (), {'tensor_type': tensor_type, 'tensor_name': tensor_name, 'send_device': send_device, 'send_device_incarnation': send_device_incarnation, 'recv_device': recv_device, 'client_terminated': client_terminated}).outputs[0]


def _host_send(tensor, tensor_name, send_device, send_device_incarnation, recv_device, client_terminated=False, name=None):
    return apply('_HostSend', name, (tensor,), {'tensor_name': tensor_name, 'send_device': send_device, 'send_device_incarnation': send_device_incarnation, 'recv_device': recv_device, 'client_terminated': client_terminated})


def _mkl_fused_batch_mat_mul_v2(x, y, args, adj_x=False, adj_y=False, fused_ops=[], epsilon=9.99999975e-05, leakyrelu_alpha=0.200000003, name=None):
    return apply('_MklFusedBatchMatMulV2', name, (x, y, args), {'adj_x': adj_x, 'adj_y': adj_y, 'fused_ops': fused_ops, 'epsilon': epsilon, 'leakyrelu_alpha': leakyrelu_alpha}).outputs[0]


def _mkl_fused_instance_norm(x, gamma, beta, reduction_axes, fused_ops=[], epsilon=9.99999975e-05, leakyrelu_alpha=0.200000003, name=None):
    return apply('_MklFusedInstanceNorm', name, (x, gamma, beta), {'reduction_axes': reduction_axes, 'fused_ops': fused_ops, 'epsilon': epsilon, 'leakyrelu_alpha': leakyrelu_alpha}).outputs[0]


def _mkl_fused_mish(features, name=None):
    return apply('_MklFusedMish', name, (features,), {}).outputs[0]


def _mkl_layer_norm(x, scale, offset, epsilon=0.00100000005, name=None):
    return apply('_MklLayerNorm', name, (x, scale, offset), {'epsilon': epsilon}).outputs[0]


def _mkl_swish(features, name=None):
    return apply('_MklSwish', name, (features,), {}).outputs[0]


def _recv(tensor_type, tensor_name, send_device, send_device_incarnation, recv_device, client_terminated=False, name=None):
    return apply('_Recv', name, (), {'tensor_type': tensor_type, 'tensor_name': tensor_name, 'send_device': send_device, 'send_device_incarnation': send_device_incarnation, 'recv_device': recv_device, 'client_terminated': client_terminated}).outputs[0]


def _retval(input, index, name=None):
    return apply('_Retval', name, (input,), {'index': index})


def _send(tensor, tensor_name, send_device, send_device_incarnation, recv_device, client_terminated=False, name=None):
    return apply('_Send', name, (tensor,), {'tensor_name': tensor_name, 'send_device': send_device, 'send_device_incarnation': send_device_incarnation, 'recv_device': recv_device, 'client_terminated': client_terminated})


def _switch_n(data, output_index, num_outs, name=None):
    return apply('_SwitchN', name, (data, output_index), {'num_outs': num_outs}).outputs


def _tensor_to_hash_bucket_fast(input, num_buckets, name=None):
    return apply('_TensorToHashBucketFast', name, (input,), {'num_buckets': num_buckets}).outputs[0]


def _unary_ops_composition(x, op_names, name=None):
    return apply('_UnaryOpsComposition', name, (x,), {'op_names': op_names}).outputs[0]
