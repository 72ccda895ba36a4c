/* weir/ops/math/reduce.h - reductions, segments, counts, ranges, clusters.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_MATH_REDUCE_OPS_H
#define WEIR_MATH_REDUCE_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AccumulateNV2(inputs: N * T) -> sum: T: the sum of tensors of one shape. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
static inline TF_Output weir_accumulate_n_v2(weir_builder *builder, const char *node,
                                             const TF_Output *inputs, int inputs_count,
                                             const weir_dims *shape)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AccumulateNV2", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made) {
        weir_attr_shape(made, "shape", shape);
    }
    return weir_build_end(builder, made);
}

/* AddN(inputs: N * T) -> sum: T: the sum of tensors of one shape. T: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64, variant. */
static inline TF_Output weir_add_n(weir_builder *builder, const char *node, const TF_Output *inputs,
                                   int inputs_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AddN", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    return weir_build_end(builder, made);
}

/* All(input: bool, reduction_indices: Tidx) -> output: bool: whether all elements along axes are
 * true. Tidx: int32, int64. */
typedef struct weir_all_options {
    bool keep_dims;
} weir_all_options;
static inline TF_Output weir_all(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output reduction_indices, const weir_all_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "All", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* Any(input: bool, reduction_indices: Tidx) -> output: bool: whether some element along axes is
 * true. Tidx: int32, int64. */
typedef struct weir_any_options {
    bool keep_dims;
} weir_any_options;
static inline TF_Output weir_any(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output reduction_indices, const weir_any_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Any", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* ArgMax(input: T, dimension: Tidx) -> output: output_type: the index of the extreme element along
 * an axis. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32,
 * uint64, qint8, quint8, qint32, qint16, quint16, bool. Tidx: int16, int32, int64. output_type:
 * int16, uint16, int32, int64. */
typedef struct weir_arg_max_options {
    TF_DataType output_type; /* 0: TF_INT64; int16, uint16, int32, int64 */
} weir_arg_max_options;
static inline TF_Output weir_arg_max(weir_builder *builder, const char *node, TF_Output input,
                                     TF_Output dimension, const weir_arg_max_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ArgMax", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, dimension);
    if (made && options) {
        if (options->output_type)
            TF_SetAttrType(made, "output_type", options->output_type);
    }
    return weir_build_end(builder, made);
}

/* ArgMin(input: T, dimension: Tidx) -> output: output_type: the index of the extreme element along
 * an axis. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32,
 * uint64, qint8, quint8, qint32, qint16, quint16, bool. Tidx: int32, int64. output_type: int32,
 * int64. */
typedef struct weir_arg_min_options {
    TF_DataType output_type; /* 0: TF_INT64; int32, int64 */
} weir_arg_min_options;
static inline TF_Output weir_arg_min(weir_builder *builder, const char *node, TF_Output input,
                                     TF_Output dimension, const weir_arg_min_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ArgMin", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, dimension);
    if (made && options) {
        if (options->output_type)
            TF_SetAttrType(made, "output_type", options->output_type);
    }
    return weir_build_end(builder, made);
}

/* Bincount(arr: int32, size: int32, weights: T) -> bins: T: counts of values, or sums of their
 * weights. T: int32, int64, float, double. */
static inline TF_Output weir_bincount(weir_builder *builder, const char *node, TF_Output arr,
                                      TF_Output size, TF_Output weights)
{
    const TF_Output inputs[] = {arr, size, weights};
    return weir_build_op(builder, "Bincount", node, inputs, 3);
}

/* Bucketize(input: T) -> output: int32: the interval of each value. T: int32, int64, float, double.
 * */
static inline TF_Output weir_bucketize(weir_builder *builder, const char *node, TF_Output input,
                                       const float *boundaries, int boundaries_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Bucketize", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrFloatList(made, "boundaries", boundaries, boundaries_count);
    }
    return weir_build_end(builder, made);
}

/* Cumprod(x: T, axis: Tidx) -> out: T: cumulative products along an axis. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. Tidx: int32, int64. */
typedef struct weir_cumprod_options {
    bool exclusive;
    bool reverse;
} weir_cumprod_options;
static inline TF_Output weir_cumprod(weir_builder *builder, const char *node, TF_Output x,
                                     TF_Output axis, const weir_cumprod_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Cumprod", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, axis);
    if (made && options) {
        TF_SetAttrBool(made, "exclusive", options->exclusive);
        TF_SetAttrBool(made, "reverse", options->reverse);
    }
    return weir_build_end(builder, made);
}

/* Cumsum(x: T, axis: Tidx) -> out: T: cumulative sums along an axis. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. Tidx: int32, int64. */
typedef struct weir_cumsum_options {
    bool exclusive;
    bool reverse;
} weir_cumsum_options;
static inline TF_Output weir_cumsum(weir_builder *builder, const char *node, TF_Output x,
                                    TF_Output axis, const weir_cumsum_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Cumsum", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, axis);
    if (made && options) {
        TF_SetAttrBool(made, "exclusive", options->exclusive);
        TF_SetAttrBool(made, "reverse", options->reverse);
    }
    return weir_build_end(builder, made);
}

/* CumulativeLogsumexp(x: T, axis: Tidx) -> out: T: cumulative logarithms of sums of exponentials
 * along an axis. T: bfloat16, half, float, double. Tidx: int32, int64. */
typedef struct weir_cumulative_logsumexp_options {
    bool exclusive;
    bool reverse;
} weir_cumulative_logsumexp_options;
static inline TF_Output weir_cumulative_logsumexp(weir_builder *builder, const char *node,
                                                  TF_Output x, TF_Output axis,
                                                  const weir_cumulative_logsumexp_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CumulativeLogsumexp", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, axis);
    if (made && options) {
        TF_SetAttrBool(made, "exclusive", options->exclusive);
        TF_SetAttrBool(made, "reverse", options->reverse);
    }
    return weir_build_end(builder, made);
}

/* DenseBincount(input: Tidx, size: Tidx, weights: T) -> output: T: counts of values, or sums of
 * their weights. Tidx: int32, int64. T: int32, int64, float, double. */
typedef struct weir_dense_bincount_options {
    bool binary_output;
} weir_dense_bincount_options;
static inline TF_Output weir_dense_bincount(weir_builder *builder, const char *node,
                                            TF_Output input, TF_Output size, TF_Output weights,
                                            const weir_dense_bincount_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DenseBincount", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, size);
    weir_build_input(builder, made, weights);
    if (made && options) {
        TF_SetAttrBool(made, "binary_output", options->binary_output);
    }
    return weir_build_end(builder, made);
}

/* EuclideanNorm(input: T, reduction_indices: Tidx) -> output: T: the root of the sum of squares
 * along axes. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tidx: int32, int64. */
typedef struct weir_euclidean_norm_options {
    bool keep_dims;
} weir_euclidean_norm_options;
static inline TF_Output weir_euclidean_norm(weir_builder *builder, const char *node,
                                            TF_Output input, TF_Output reduction_indices,
                                            const weir_euclidean_norm_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "EuclideanNorm", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* HistogramFixedWidth(values: T, value_range: T, nbins: int32) -> out: dtype: the interval of each
 * value. T: int32, int64, float, double. dtype: int32, int64. */
typedef struct weir_histogram_fixed_width_options {
    TF_DataType dtype; /* 0: TF_INT32; int32, int64 */
} weir_histogram_fixed_width_options;
static inline TF_Output
weir_histogram_fixed_width(weir_builder *builder, const char *node, TF_Output values,
                           TF_Output value_range, TF_Output nbins,
                           const weir_histogram_fixed_width_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "HistogramFixedWidth", node);
    weir_build_input(builder, made, values);
    weir_build_input(builder, made, value_range);
    weir_build_input(builder, made, nbins);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* KMC2ChainInitialization(distances: float, seed: int64) -> index: int64: selection of centres
 * among points, and nearest neighbours. */
static inline TF_Output weir_kmc2_chain_initialization(weir_builder *builder, const char *node,
                                                       TF_Output distances, TF_Output seed)
{
    const TF_Output inputs[] = {distances, seed};
    return weir_build_op(builder, "KMC2ChainInitialization", node, inputs, 2);
}

/* KmeansPlusPlusInitialization(points: float, num_to_sample: int64, seed: int64,
 * num_retries_per_sample: int64) -> samples: float: selection of centres among points, and nearest
 * neighbours. */
static inline TF_Output weir_kmeans_plus_plus_initialization(weir_builder *builder,
                                                             const char *node, TF_Output points,
                                                             TF_Output num_to_sample,
                                                             TF_Output seed,
                                                             TF_Output num_retries_per_sample)
{
    const TF_Output inputs[] = {points, num_to_sample, seed, num_retries_per_sample};
    return weir_build_op(builder, "KmeansPlusPlusInitialization", node, inputs, 4);
}

/* LinSpace(start: T, stop: T, num: Tidx) -> output: T: evenly spaced values. T: bfloat16, half,
 * float, double. Tidx: int32, int64. */
static inline TF_Output weir_lin_space(weir_builder *builder, const char *node, TF_Output start,
                                       TF_Output stop, TF_Output num)
{
    const TF_Output inputs[] = {start, stop, num};
    return weir_build_op(builder, "LinSpace", node, inputs, 3);
}

/* Max(input: T, reduction_indices: Tidx) -> output: T: the largest element along axes. T: float,
 * double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8,
 * qint32, qint16, quint16. Tidx: int32, int64. */
typedef struct weir_max_options {
    bool keep_dims;
} weir_max_options;
static inline TF_Output weir_max(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output reduction_indices, const weir_max_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Max", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* Mean(input: T, reduction_indices: Tidx) -> output: T: segments of selected rows, and their
 * gradients. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tidx: int32, int64. */
typedef struct weir_mean_options {
    bool keep_dims;
} weir_mean_options;
static inline TF_Output weir_mean(weir_builder *builder, const char *node, TF_Output input,
                                  TF_Output reduction_indices, const weir_mean_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Mean", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* Min(input: T, reduction_indices: Tidx) -> output: T: the smallest element along axes. T: float,
 * double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8,
 * qint32, qint16, quint16. Tidx: int32, int64. */
typedef struct weir_min_options {
    bool keep_dims;
} weir_min_options;
static inline TF_Output weir_min(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output reduction_indices, const weir_min_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Min", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* NearestNeighbors(points: float, centers: float, k: int64) -> nearest_center_indices: int64,
 * nearest_center_distances: float: selection of centres among points, and nearest neighbours. */
typedef struct weir_nearest_neighbors_outputs {
    TF_Output nearest_center_indices;
    TF_Output nearest_center_distances;
} weir_nearest_neighbors_outputs;
static inline weir_nearest_neighbors_outputs weir_nearest_neighbors(weir_builder *builder,
                                                                    const char *node,
                                                                    TF_Output points,
                                                                    TF_Output centers, TF_Output k)
{
    const TF_Output inputs[] = {points, centers, k};
    TF_Operation *op = weir_build_op(builder, "NearestNeighbors", node, inputs, 3).oper;
    weir_nearest_neighbors_outputs out;
    out.nearest_center_indices = weir_output(op, 0);
    out.nearest_center_distances = weir_output(op, 1);
    return out;
}

/* Prod(input: T, reduction_indices: Tidx) -> output: T: the product of elements along axes. T:
 * float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
 * qint16, quint16, uint16, complex128, half, uint32, uint64. Tidx: int32, int64. */
typedef struct weir_prod_options {
    bool keep_dims;
} weir_prod_options;
static inline TF_Output weir_prod(weir_builder *builder, const char *node, TF_Output input,
                                  TF_Output reduction_indices, const weir_prod_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Prod", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* RaggedBincount(splits: int64, values: Tidx, size: Tidx, weights: T) -> output: T: counts of
 * values, or sums of their weights. Tidx: int32, int64. T: int32, int64, float, double. */
typedef struct weir_ragged_bincount_options {
    bool binary_output;
} weir_ragged_bincount_options;
static inline TF_Output weir_ragged_bincount(weir_builder *builder, const char *node,
                                             TF_Output splits, TF_Output values, TF_Output size,
                                             TF_Output weights,
                                             const weir_ragged_bincount_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RaggedBincount", node);
    weir_build_input(builder, made, splits);
    weir_build_input(builder, made, values);
    weir_build_input(builder, made, size);
    weir_build_input(builder, made, weights);
    if (made && options) {
        TF_SetAttrBool(made, "binary_output", options->binary_output);
    }
    return weir_build_end(builder, made);
}

/* Range(start: Tidx, limit: Tidx, delta: Tidx) -> output: Tidx: evenly spaced values. Tidx:
 * bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64. */
static inline TF_Output weir_range(weir_builder *builder, const char *node, TF_Output start,
                                   TF_Output limit, TF_Output delta)
{
    const TF_Output inputs[] = {start, limit, delta};
    return weir_build_op(builder, "Range", node, inputs, 3);
}

/* SegmentMax(data: T, segment_ids: Tindices) -> output: T: the maximum of the rows of each segment;
 * segment ids are sorted. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16,
 * half, uint32, uint64. Tindices: int32, int64. */
static inline TF_Output weir_segment_max(weir_builder *builder, const char *node, TF_Output data,
                                         TF_Output segment_ids)
{
    const TF_Output inputs[] = {data, segment_ids};
    return weir_build_op(builder, "SegmentMax", node, inputs, 2);
}

/* SegmentMaxV2(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> output: T: the
 * maximum of the rows of each segment; segment ids are sorted. T: float, double, int32, uint8,
 * int16, int8, int64, bfloat16, uint16, half, uint32, uint64. Tindices: int32, int64. Tnumsegments:
 * int32, int64. */
static inline TF_Output weir_segment_max_v2(weir_builder *builder, const char *node, TF_Output data,
                                            TF_Output segment_ids, TF_Output num_segments)
{
    const TF_Output inputs[] = {data, segment_ids, num_segments};
    return weir_build_op(builder, "SegmentMaxV2", node, inputs, 3);
}

/* SegmentMean(data: T, segment_ids: Tindices) -> output: T: the mean of the rows of each segment;
 * segment ids are sorted. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices:
 * int32, int64. */
static inline TF_Output weir_segment_mean(weir_builder *builder, const char *node, TF_Output data,
                                          TF_Output segment_ids)
{
    const TF_Output inputs[] = {data, segment_ids};
    return weir_build_op(builder, "SegmentMean", node, inputs, 2);
}

/* SegmentMin(data: T, segment_ids: Tindices) -> output: T: the minimum of the rows of each segment;
 * segment ids are sorted. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16,
 * half, uint32, uint64. Tindices: int32, int64. */
static inline TF_Output weir_segment_min(weir_builder *builder, const char *node, TF_Output data,
                                         TF_Output segment_ids)
{
    const TF_Output inputs[] = {data, segment_ids};
    return weir_build_op(builder, "SegmentMin", node, inputs, 2);
}

/* SegmentMinV2(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> output: T: the
 * minimum of the rows of each segment; segment ids are sorted. T: float, double, int32, uint8,
 * int16, int8, int64, bfloat16, uint16, half, uint32, uint64. Tindices: int32, int64. Tnumsegments:
 * int32, int64. */
static inline TF_Output weir_segment_min_v2(weir_builder *builder, const char *node, TF_Output data,
                                            TF_Output segment_ids, TF_Output num_segments)
{
    const TF_Output inputs[] = {data, segment_ids, num_segments};
    return weir_build_op(builder, "SegmentMinV2", node, inputs, 3);
}

/* SegmentProd(data: T, segment_ids: Tindices) -> output: T: the product of the rows of each
 * segment; segment ids are sorted. T: float, double, int32, uint8, int16, int8, complex64, int64,
 * qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64.
 * Tindices: int32, int64. */
static inline TF_Output weir_segment_prod(weir_builder *builder, const char *node, TF_Output data,
                                          TF_Output segment_ids)
{
    const TF_Output inputs[] = {data, segment_ids};
    return weir_build_op(builder, "SegmentProd", node, inputs, 2);
}

/* SegmentProdV2(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> output: T: the
 * product of the rows of each segment; segment ids are sorted. T: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. Tindices: int32, int64. Tnumsegments: int32, int64. */
static inline TF_Output weir_segment_prod_v2(weir_builder *builder, const char *node,
                                             TF_Output data, TF_Output segment_ids,
                                             TF_Output num_segments)
{
    const TF_Output inputs[] = {data, segment_ids, num_segments};
    return weir_build_op(builder, "SegmentProdV2", node, inputs, 3);
}

/* SegmentSum(data: T, segment_ids: Tindices) -> output: T: the sum of the rows of each segment;
 * segment ids are sorted. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices:
 * int32, int64. */
static inline TF_Output weir_segment_sum(weir_builder *builder, const char *node, TF_Output data,
                                         TF_Output segment_ids)
{
    const TF_Output inputs[] = {data, segment_ids};
    return weir_build_op(builder, "SegmentSum", node, inputs, 2);
}

/* SegmentSumV2(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> output: T: the sum of
 * the rows of each segment; segment ids are sorted. T: float, double, int32, uint8, int16, int8,
 * complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half,
 * uint32, uint64. Tindices: int32, int64. Tnumsegments: int32, int64. */
static inline TF_Output weir_segment_sum_v2(weir_builder *builder, const char *node, TF_Output data,
                                            TF_Output segment_ids, TF_Output num_segments)
{
    const TF_Output inputs[] = {data, segment_ids, num_segments};
    return weir_build_op(builder, "SegmentSumV2", node, inputs, 3);
}

/* SparseBincount(indices: int64, values: Tidx, dense_shape: int64, size: Tidx, weights: T) ->
 * output: T: counts of values, or sums of their weights. Tidx: int32, int64. T: int32, int64,
 * float, double. */
typedef struct weir_sparse_bincount_options {
    bool binary_output;
} weir_sparse_bincount_options;
static inline TF_Output weir_sparse_bincount(weir_builder *builder, const char *node,
                                             TF_Output indices, TF_Output values,
                                             TF_Output dense_shape, TF_Output size,
                                             TF_Output weights,
                                             const weir_sparse_bincount_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseBincount", node);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, values);
    weir_build_input(builder, made, dense_shape);
    weir_build_input(builder, made, size);
    weir_build_input(builder, made, weights);
    if (made && options) {
        TF_SetAttrBool(made, "binary_output", options->binary_output);
    }
    return weir_build_end(builder, made);
}

/* SparseSegmentMean(data: T, indices: Tidx, segment_ids: Tsegmentids) -> output: T: SegmentMean
 * over rows chosen by indices. T: bfloat16, half, float, double. Tidx: int32, int64. Tsegmentids:
 * int32, int64. */
typedef struct weir_sparse_segment_mean_options {
    bool sparse_gradient;
} weir_sparse_segment_mean_options;
static inline TF_Output weir_sparse_segment_mean(weir_builder *builder, const char *node,
                                                 TF_Output data, TF_Output indices,
                                                 TF_Output segment_ids,
                                                 const weir_sparse_segment_mean_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseSegmentMean", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, segment_ids);
    if (made && options) {
        TF_SetAttrBool(made, "sparse_gradient", options->sparse_gradient);
    }
    return weir_build_end(builder, made);
}

/* SparseSegmentMeanGrad(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32) ->
 * output: T: the gradient of SparseSegmentMean. T: bfloat16, half, float, double. Tidx: int32,
 * int64. Tsegmentids: int32, int64. */
static inline TF_Output weir_sparse_segment_mean_grad(weir_builder *builder, const char *node,
                                                      TF_Output grad, TF_Output indices,
                                                      TF_Output segment_ids, TF_Output output_dim0)
{
    const TF_Output inputs[] = {grad, indices, segment_ids, output_dim0};
    return weir_build_op(builder, "SparseSegmentMeanGrad", node, inputs, 4);
}

/* SparseSegmentMeanGradV2(grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0:
 * int32) -> output: T, sorted_unique_indices: Tidx: the gradient of SparseSegmentMean. T: bfloat16,
 * half, float, double. Tidx: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_mean_grad_v2_outputs {
    TF_Output output;
    TF_Output sorted_unique_indices;
} weir_sparse_segment_mean_grad_v2_outputs;
static inline weir_sparse_segment_mean_grad_v2_outputs
weir_sparse_segment_mean_grad_v2(weir_builder *builder, const char *node, TF_Output grad,
                                 TF_Output indices, TF_Output segment_ids,
                                 TF_Output dense_output_dim0)
{
    const TF_Output inputs[] = {grad, indices, segment_ids, dense_output_dim0};
    TF_Operation *op = weir_build_op(builder, "SparseSegmentMeanGradV2", node, inputs, 4).oper;
    weir_sparse_segment_mean_grad_v2_outputs out;
    out.output = weir_output(op, 0);
    out.sorted_unique_indices = weir_output(op, 1);
    return out;
}

/* SparseSegmentMeanWithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments:
 * Tnumsegments) -> output: T: SparseSegmentMean into a given number of rows. T: bfloat16, half,
 * float, double. Tidx: int32, int64. Tnumsegments: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_mean_with_num_segments_options {
    bool sparse_gradient;
} weir_sparse_segment_mean_with_num_segments_options;
static inline TF_Output
weir_sparse_segment_mean_with_num_segments(weir_builder *builder, const char *node, TF_Output data,
    TF_Output indices, TF_Output segment_ids, TF_Output num_segments,
    const weir_sparse_segment_mean_with_num_segments_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "SparseSegmentMeanWithNumSegments", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, segment_ids);
    weir_build_input(builder, made, num_segments);
    if (made && options) {
        TF_SetAttrBool(made, "sparse_gradient", options->sparse_gradient);
    }
    return weir_build_end(builder, made);
}

/* SparseSegmentSqrtN(data: T, indices: Tidx, segment_ids: Tsegmentids) -> output: T:
 * SparseSegmentSum divided by the square root of the number of rows. T: bfloat16, half, float,
 * double. Tidx: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_sqrt_n_options {
    bool sparse_gradient;
} weir_sparse_segment_sqrt_n_options;
static inline TF_Output
weir_sparse_segment_sqrt_n(weir_builder *builder, const char *node, TF_Output data,
                           TF_Output indices, TF_Output segment_ids,
                           const weir_sparse_segment_sqrt_n_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseSegmentSqrtN", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, segment_ids);
    if (made && options) {
        TF_SetAttrBool(made, "sparse_gradient", options->sparse_gradient);
    }
    return weir_build_end(builder, made);
}

/* SparseSegmentSqrtNGrad(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32) ->
 * output: T: the gradient of SparseSegmentSqrtN. T: bfloat16, half, float, double. Tidx: int32,
 * int64. Tsegmentids: int32, int64. */
static inline TF_Output weir_sparse_segment_sqrt_n_grad(weir_builder *builder, const char *node,
                                                        TF_Output grad, TF_Output indices,
                                                        TF_Output segment_ids,
                                                        TF_Output output_dim0)
{
    const TF_Output inputs[] = {grad, indices, segment_ids, output_dim0};
    return weir_build_op(builder, "SparseSegmentSqrtNGrad", node, inputs, 4);
}

/* SparseSegmentSqrtNGradV2(grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0:
 * int32) -> output: T, sorted_unique_indices: Tidx: the gradient of SparseSegmentSqrtN. T:
 * bfloat16, half, float, double. Tidx: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_sqrt_n_grad_v2_outputs {
    TF_Output output;
    TF_Output sorted_unique_indices;
} weir_sparse_segment_sqrt_n_grad_v2_outputs;
static inline weir_sparse_segment_sqrt_n_grad_v2_outputs
weir_sparse_segment_sqrt_n_grad_v2(weir_builder *builder, const char *node, TF_Output grad,
                                   TF_Output indices, TF_Output segment_ids,
                                   TF_Output dense_output_dim0)
{
    const TF_Output inputs[] = {grad, indices, segment_ids, dense_output_dim0};
    TF_Operation *op = weir_build_op(builder, "SparseSegmentSqrtNGradV2", node, inputs, 4).oper;
    weir_sparse_segment_sqrt_n_grad_v2_outputs out;
    out.output = weir_output(op, 0);
    out.sorted_unique_indices = weir_output(op, 1);
    return out;
}

/* SparseSegmentSqrtNWithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments:
 * Tnumsegments) -> output: T: SparseSegmentSqrtN into a given number of rows. T: bfloat16, half,
 * float, double. Tidx: int32, int64. Tnumsegments: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_sqrt_n_with_num_segments_options {
    bool sparse_gradient;
} weir_sparse_segment_sqrt_n_with_num_segments_options;
static inline TF_Output
weir_sparse_segment_sqrt_n_with_num_segments(weir_builder *builder, const char *node,
    TF_Output data, TF_Output indices, TF_Output segment_ids, TF_Output num_segments,
    const weir_sparse_segment_sqrt_n_with_num_segments_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "SparseSegmentSqrtNWithNumSegments", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, segment_ids);
    weir_build_input(builder, made, num_segments);
    if (made && options) {
        TF_SetAttrBool(made, "sparse_gradient", options->sparse_gradient);
    }
    return weir_build_end(builder, made);
}

/* SparseSegmentSum(data: T, indices: Tidx, segment_ids: Tsegmentids) -> output: T: segments of
 * selected rows, and their gradients. T: float, double, int32, uint8, int16, int8, int64, bfloat16,
 * uint16, half, uint32, uint64. Tidx: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_sum_options {
    bool sparse_gradient;
} weir_sparse_segment_sum_options;
static inline TF_Output weir_sparse_segment_sum(weir_builder *builder, const char *node,
                                                TF_Output data, TF_Output indices,
                                                TF_Output segment_ids,
                                                const weir_sparse_segment_sum_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseSegmentSum", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, segment_ids);
    if (made && options) {
        TF_SetAttrBool(made, "sparse_gradient", options->sparse_gradient);
    }
    return weir_build_end(builder, made);
}

/* SparseSegmentSumGrad(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32) ->
 * output: T: the gradient of SparseSegmentSum. T: bfloat16, half, float, double. Tidx: int32,
 * int64. Tsegmentids: int32, int64. */
static inline TF_Output weir_sparse_segment_sum_grad(weir_builder *builder, const char *node,
                                                     TF_Output grad, TF_Output indices,
                                                     TF_Output segment_ids, TF_Output output_dim0)
{
    const TF_Output inputs[] = {grad, indices, segment_ids, output_dim0};
    return weir_build_op(builder, "SparseSegmentSumGrad", node, inputs, 4);
}

/* SparseSegmentSumGradV2(grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0:
 * int32) -> output: T, sorted_unique_indices: Tidx: the gradient of SparseSegmentSum. T: bfloat16,
 * half, float, double. Tidx: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_sum_grad_v2_outputs {
    TF_Output output;
    TF_Output sorted_unique_indices;
} weir_sparse_segment_sum_grad_v2_outputs;
static inline weir_sparse_segment_sum_grad_v2_outputs
weir_sparse_segment_sum_grad_v2(weir_builder *builder, const char *node, TF_Output grad,
                                TF_Output indices, TF_Output segment_ids,
                                TF_Output dense_output_dim0)
{
    const TF_Output inputs[] = {grad, indices, segment_ids, dense_output_dim0};
    TF_Operation *op = weir_build_op(builder, "SparseSegmentSumGradV2", node, inputs, 4).oper;
    weir_sparse_segment_sum_grad_v2_outputs out;
    out.output = weir_output(op, 0);
    out.sorted_unique_indices = weir_output(op, 1);
    return out;
}

/* SparseSegmentSumWithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments:
 * Tnumsegments) -> output: T: SparseSegmentSum into a given number of rows. T: float, double,
 * int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. Tidx: int32, int64.
 * Tnumsegments: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_sum_with_num_segments_options {
    bool sparse_gradient;
} weir_sparse_segment_sum_with_num_segments_options;
static inline TF_Output
weir_sparse_segment_sum_with_num_segments(weir_builder *builder, const char *node, TF_Output data,
    TF_Output indices, TF_Output segment_ids, TF_Output num_segments,
    const weir_sparse_segment_sum_with_num_segments_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "SparseSegmentSumWithNumSegments", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, segment_ids);
    weir_build_input(builder, made, num_segments);
    if (made && options) {
        TF_SetAttrBool(made, "sparse_gradient", options->sparse_gradient);
    }
    return weir_build_end(builder, made);
}

/* Sum(input: T, reduction_indices: Tidx) -> output: T: the sum of elements along axes. T: float,
 * double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16,
 * quint16, uint16, complex128, half, uint32, uint64. Tidx: int32, int64. */
typedef struct weir_sum_options {
    bool keep_dims;
} weir_sum_options;
static inline TF_Output weir_sum(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output reduction_indices, const weir_sum_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Sum", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* UnsortedSegmentMax(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> output: T: the
 * maximum of the rows of each segment. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. Tindices: int32, int64. Tnumsegments: int32, int64. */
static inline TF_Output weir_unsorted_segment_max(weir_builder *builder, const char *node,
                                                  TF_Output data, TF_Output segment_ids,
                                                  TF_Output num_segments)
{
    const TF_Output inputs[] = {data, segment_ids, num_segments};
    return weir_build_op(builder, "UnsortedSegmentMax", node, inputs, 3);
}

/* UnsortedSegmentMin(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> output: T: the
 * minimum of the rows of each segment. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. Tindices: int32, int64. Tnumsegments: int32, int64. */
static inline TF_Output weir_unsorted_segment_min(weir_builder *builder, const char *node,
                                                  TF_Output data, TF_Output segment_ids,
                                                  TF_Output num_segments)
{
    const TF_Output inputs[] = {data, segment_ids, num_segments};
    return weir_build_op(builder, "UnsortedSegmentMin", node, inputs, 3);
}

/* UnsortedSegmentProd(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> output: T: the
 * product of the rows of each segment. T: float, double, int32, uint8, int16, int8, complex64,
 * int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,
 * uint64. Tindices: int32, int64. Tnumsegments: int32, int64. */
static inline TF_Output weir_unsorted_segment_prod(weir_builder *builder, const char *node,
                                                   TF_Output data, TF_Output segment_ids,
                                                   TF_Output num_segments)
{
    const TF_Output inputs[] = {data, segment_ids, num_segments};
    return weir_build_op(builder, "UnsortedSegmentProd", node, inputs, 3);
}

/* UnsortedSegmentSum(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> output: T: the
 * sum of the rows of each segment. T: float, double, int32, uint8, int16, int8, complex64, int64,
 * qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64.
 * Tindices: int16, int32, int64. Tnumsegments: int32, int64. */
static inline TF_Output weir_unsorted_segment_sum(weir_builder *builder, const char *node,
                                                  TF_Output data, TF_Output segment_ids,
                                                  TF_Output num_segments)
{
    const TF_Output inputs[] = {data, segment_ids, num_segments};
    return weir_build_op(builder, "UnsortedSegmentSum", node, inputs, 3);
}

#ifdef __cplusplus
}
#endif
#endif
