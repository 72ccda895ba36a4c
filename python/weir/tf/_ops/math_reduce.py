"""Ops: math, reduce. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AccumulateNV2': 'inputs:N*T|sum:T|N:i T:t shape:S|0',
    'AddN': 'inputs:N*T|sum:T|N:i T:t|0',
    'All': 'input:10 reduction_indices:Tidx|output:10|keep_dims:b Tidx:t=3|0',
    'Any': 'input:10 reduction_indices:Tidx|output:10|keep_dims:b Tidx:t=3|0',
    'ArgMax': 'input:T dimension:Tidx|output:output_type|T:t Tidx:t=3 output_type:t=9|0',
    'ArgMin': 'input:T dimension:Tidx|output:output_type|T:t Tidx:t=3 output_type:t=9|0',
    'Bincount': 'arr:3 size:3 weights:T|bins:T|T:t|0',
    'Bucketize': 'input:T|output:3|T:t boundaries:[f|0',
    'Cumprod': 'x:T axis:Tidx|out:T|exclusive:b reverse:b T:t Tidx:t=3|0',
    'Cumsum': 'x:T axis:Tidx|out:T|exclusive:b reverse:b T:t Tidx:t=3|0',
    'CumulativeLogsumexp': 'x:T axis:Tidx|out:T|exclusive:b reverse:b T:t Tidx:t=3|0',
    'DenseBincount': 'input:Tidx size:Tidx weights:T|output:T|Tidx:t T:t binary_output:b|0',
    'EuclideanNorm': 'input:T reduction_indices:Tidx|output:T|keep_dims:b T:t Tidx:t=3|0',
    'HistogramFixedWidth': 'values:T value_range:T nbins:3|out:dtype|T:t dtype:t=3|0',
    'KMC2ChainInitialization': 'distances:1 seed:9|index:9||0',
    'KmeansPlusPlusInitialization': 'points:1 num_to_sample:9 seed:9 num_retries_per_sample:9|samples:1||0',
    'LinSpace': 'start:T stop:T num:Tidx|output:T|T:t Tidx:t=3|0',
    'Max': 'input:T reduction_indices:Tidx|output:T|keep_dims:b T:t Tidx:t=3|0',
    'Mean': 'input:T reduction_indices:Tidx|output:T|keep_dims:b T:t Tidx:t=3|0',
    'Min': 'input:T reduction_indices:Tidx|output:T|keep_dims:b T:t Tidx:t=3|0',
    'NearestNeighbors': 'points:1 centers:1 k:9|nearest_center_indices:9 nearest_center_distances:1||0',
    'Prod': 'input:T reduction_indices:Tidx|output:T|keep_dims:b T:t Tidx:t=3|0',
    'RaggedBincount': 'splits:9 values:Tidx size:Tidx weights:T|output:T|Tidx:t T:t binary_output:b|0',
    'Range': 'start:Tidx limit:Tidx delta:Tidx|output:Tidx|Tidx:t=3|0',
    'SegmentMax': 'data:T segment_ids:Tindices|output:T|T:t Tindices:t|0',
    'SegmentMaxV2': 'data:T segment_ids:Tindices num_segments:Tnumsegments|output:T|T:t Tindices:t Tnumsegments:t=3|0',
    'SegmentMean': 'data:T segment_ids:Tindices|output:T|T:t Tindices:t|0',
    'SegmentMin': 'data:T segment_ids:Tindices|output:T|T:t Tindices:t|0',
    'SegmentMinV2': 'data:T segment_ids:Tindices num_segments:Tnumsegments|output:T|T:t Tindices:t Tnumsegments:t=3|0',
    'SegmentProd': 'data:T segment_ids:Tindices|output:T|T:t Tindices:t|0',
    'SegmentProdV2': 'data:T segment_ids:Tindices num_segments:Tnumsegments|output:T|T:t Tindices:t Tnumsegments:t=3|0',
    'SegmentSum': 'data:T segment_ids:Tindices|output:T|T:t Tindices:t|0',
    'SegmentSumV2': 'data:T segment_ids:Tindices num_segments:Tnumsegments|output:T|T:t Tindices:t Tnumsegments:t=3|0',
    'SparseBincount': 'indices:9 values:Tidx dense_shape:9 size:Tidx weights:T|output:T|Tidx:t T:t binary_output:b|0',
    'SparseSegmentMean': 'data:T indices:Tidx segment_ids:Tsegmentids|output:T|T:t Tidx:t=3 Tsegmentids:t=3 sparse_gradient:b|0',
    'SparseSegmentMeanGrad': 'grad:T indices:Tidx segment_ids:Tsegmentids output_dim0:3|output:T|T:t Tidx:t=3 Tsegmentids:t=3|0',
    'SparseSegmentMeanGradV2': 'grad:T indices:Tidx segment_ids:Tsegmentids dense_output_dim0:3|output:T sorted_unique_indices:Tidx|T:t Tidx:t=3 Tsegmentids:t=3|0',
    'SparseSegmentMeanWithNumSegments': 'data:T indices:Tidx segment_ids:Tsegmentids num_segments:Tnumsegments|output:T|T:t Tidx:t=3 Tnumsegments:t=3 Tsegmentids:t=3 sparse_gradient:b|0',
    'SparseSegmentSqrtN': 'data:T indices:Tidx segment_ids:Tsegmentids|output:T|T:t Tidx:t=3 Tsegmentids:t=3 sparse_gradient:b|0',
    'SparseSegmentSqrtNGrad': 'grad:T indices:Tidx segment_ids:Tsegmentids output_dim0:3|output:T|T:t Tidx:t=3 Tsegmentids:t=3|0',
    'SparseSegmentSqrtNGradV2': 'grad:T indices:Tidx segment_ids:Tsegmentids dense_output_dim0:3|output:T sorted_unique_indices:Tidx|T:t Tidx:t=3 Tsegmentids:t=3|0',
    'SparseSegmentSqrtNWithNumSegments': 'data:T indices:Tidx segment_ids:Tsegmentids num_segments:Tnumsegments|output:T|T:t Tidx:t=3 Tnumsegments:t=3 Tsegmentids:t=3 sparse_gradient:b|0',
    'SparseSegmentSum': 'data:T indices:Tidx segment_ids:Tsegmentids|output:T|T:t Tidx:t=3 Tsegmentids:t=3 sparse_gradient:b|0',
    'SparseSegmentSumGrad': 'grad:T indices:Tidx segment_ids:Tsegmentids output_dim0:3|output:T|T:t Tidx:t=3 Tsegmentids:t=3|0',
    'SparseSegmentSumGradV2': 'grad:T indices:Tidx segment_ids:Tsegmentids dense_output_dim0:3|output:T sorted_unique_indices:Tidx|T:t Tidx:t=3 Tsegmentids:t=3|0',
    'SparseSegmentSumWithNumSegments': 'data:T indices:Tidx segment_ids:Tsegmentids num_segments:Tnumsegments|output:T|T:t Tidx:t=3 Tnumsegments:t=3 Tsegmentids:t=3 sparse_gradient:b|0',
    'Sum': 'input:T reduction_indices:Tidx|output:T|keep_dims:b T:t Tidx:t=3|0',
    'UnsortedSegmentMax': 'data:T segment_ids:Tindices num_segments:Tnumsegments|output:T|T:t Tindices:t Tnumsegments:t=3|0',
    'UnsortedSegmentMin': 'data:T segment_ids:Tindices num_segments:Tnumsegments|output:T|T:t Tindices:t Tnumsegments:t=3|0',
    'UnsortedSegmentProd': 'data:T segment_ids:Tindices num_segments:Tnumsegments|output:T|T:t Tindices:t Tnumsegments:t=3|0',
    'UnsortedSegmentSum': 'data:T segment_ids:Tindices num_segments:Tnumsegments|output:T|T:t Tindices:t Tnumsegments:t=3|0',
}


def accumulate_nv2(inputs, shape, name=None):
    return apply('AccumulateNV2', name, (inputs,), {'shape': shape}).outputs[0]


def add_n(inputs, name=None):
    return apply('AddN', name, (inputs,), {}).outputs[0]


def all(input, reduction_indices, keep_dims=False, name=None):
    return apply('All', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def any(input, reduction_indices, keep_dims=False, name=None):
    return apply('Any', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def arg_max(input, dimension, output_type=dtypes.int64, name=None):
    return apply('ArgMax', name, (input, dimension), {'output_type': output_type}).outputs[0]


def arg_min(input, dimension, output_type=dtypes.int64, name=None):
    return apply('ArgMin', name, (input, dimension), {'output_type': output_type}).outputs[0]


def bincount(arr, size, weights, name=None):
    return apply('Bincount', name, (arr, size, weights), {}).outputs[0]


def bucketize(input, boundaries, name=None):
    return apply('Bucketize', name, (input,), {'boundaries': boundaries}).outputs[0]


def cumprod(x, axis, exclusive=False, reverse=False, name=None):
    return apply('Cumprod', name, (x, axis), {'exclusive': exclusive, 'reverse': reverse}).outputs[0]


def cumsum(x, axis, exclusive=False, reverse=False, name=None):
    return apply('Cumsum', name, (x, axis), {'exclusive': exclusive, 'reverse': reverse}).outputs[0]


def cumulative_logsumexp(x, axis, exclusive=False, reverse=False, name=None):
    return apply('CumulativeLogsumexp', name, (x, axis), {'exclusive': exclusive, 'reverse': reverse}).outputs[0]


def dense_bincount(input, size, weights, binary_output=False, name=None):
    return apply('DenseBincount', name, (input, size, weights), {'binary_output': binary_output}).outputs[0]


def euclidean_norm(input, reduction_indices, keep_dims=False, name=None):
    return apply('EuclideanNorm', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def histogram_fixed_width(values, value_range, nbins, dtype=dtypes.int32, name=None):
    return apply('HistogramFixedWidth', name, (values, value_range, nbins), {'dtype': dtype}).outputs[0]


def kmc2_chain_initialization(distances, seed, name=None):
    return apply('KMC2ChainInitialization', name, (distances, seed), {}).outputs[0]


def kmeans_plus_plus_initialization(points, num_to_sample, seed, num_retries_per_sample, name=None):
    return apply('KmeansPlusPlusInitialization', name, (points, num_to_sample, seed, num_retries_per_sample), {}).outputs[0]


def lin_space(start, stop, num, name=None):
    return apply('LinSpace', name, (start, stop, num), {}).outputs[0]


def max(input, reduction_indices, keep_dims=False, name=None):
    return apply('Max', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def mean(input, reduction_indices, keep_dims=False, name=None):
    return apply('Mean', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def min(input, reduction_indices, keep_dims=False, name=None):
    return apply('Min', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def nearest_neighbors(points, centers, k, name=None):
    return results(apply('NearestNeighbors', name, (points, centers, k), {}))


def prod(input, reduction_indices, keep_dims=False, name=None):
    return apply('Prod', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def ragged_bincount(splits, values, size, weights, binary_output=False, name=None):
    return apply('RaggedBincount', name, (splits, values, size, weights), {'binary_output': binary_output}).outputs[0]


def range(start, limit, delta, name=None):
    return apply('Range', name, (start, limit, delta), {}).outputs[0]


def segment_max(data, segment_ids, name=None):
    return apply('SegmentMax', name, (data, segment_ids), {}).outputs[0]


def segment_max_v2(data, segment_ids, num_segments, name=None):
    return apply('SegmentMaxV2', name, (data, segment_ids, num_segments), {}).outputs[0]


def segment_mean(data, segment_ids, name=None):
    return apply('SegmentMean', name, (data, segment_ids), {}).outputs[0]


def segment_min(data, segment_ids, name=None):
    return apply('SegmentMin', name, (data, segment_ids), {}).outputs[0]


def segment_min_v2(data, segment_ids, num_segments, name=None):
    return apply('SegmentMinV2', name, (data, segment_ids, num_segments), {}).outputs[0]


def segment_prod(data, segment_ids, name=None):
    return apply('SegmentProd', name, (data, segment_ids), {}).outputs[0]


def segment_prod_v2(data, segment_ids, num_segments, name=None):
    return apply('SegmentProdV2', name, (data, segment_ids, num_segments), {}).outputs[0]


def segment_sum(data, segment_ids, name=None):
    return apply('SegmentSum', name, (data, segment_ids), {}).outputs[0]


def segment_sum_v2(data, segment_ids, num_segments, name=None):
    return apply('SegmentSumV2', name, (data, segment_ids, num_segments), {}).outputs[0]


def sparse_bincount(indices, values, dense_shape, size, weights, binary_output=False, name=None):
    return apply('SparseBincount', name, (indices, values, dense_shape, size, weights), {'binary_output': binary_output}).outputs[0]


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


def sum(input, reduction_indices, keep_dims=False, name=None):
    return apply('Sum', name, (input, reduction_indices), {'keep_dims': keep_dims}).outputs[0]


def unsorted_segment_max(data, segment_ids, num_segments, name=None):
    return apply('UnsortedSegmentMax', name, (data, segment_ids, num_segments), {}).outputs[0]


def unsorted_segment_min(data, segment_ids, num_segments, name=None):
    return apply('UnsortedSegmentMin', name, (data, segment_ids, num_segments), {}).outputs[0]


def unsorted_segment_prod(data, segment_ids, num_segments, name=None):
    return apply('UnsortedSegmentProd', name, (data, segment_ids, num_segments), {}).outputs[0]


def unsorted_segment_sum(data, segment_ids, num_segments, name=None):
    return apply('UnsortedSegmentSum', name, (data, segment_ids, num_segments), {}).outputs[0]
