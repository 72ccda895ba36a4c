/* weir/ops/nn/pool.h - means and largest elements of windows.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_NN_POOL_OPS_H
#define WEIR_NN_POOL_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AvgPool(value: T) -> output: T: the mean of every window of an image. padding: 'SAME', 'VALID'.
 * T: half, bfloat16, float, double. */
typedef struct weir_avg_pool_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_avg_pool_options;
static inline TF_Output weir_avg_pool(weir_builder *builder, const char *node, TF_Output value,
                                      const int64_t *ksize, int ksize_count, const int64_t *strides,
                                      int strides_count, const char *padding,
                                      const weir_avg_pool_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AvgPool", node);
    weir_build_input(builder, made, value);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* AvgPool3D(input: T) -> output: T: the mean of every window of a volume. padding: 'SAME', 'VALID'.
 * T: half, bfloat16, float, double. */
typedef struct weir_avg_pool3d_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
} weir_avg_pool3d_options;
static inline TF_Output weir_avg_pool3d(weir_builder *builder, const char *node, TF_Output input,
                                        const int64_t *ksize, int ksize_count,
                                        const int64_t *strides, int strides_count,
                                        const char *padding, const weir_avg_pool3d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AvgPool3D", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* AvgPool3DGrad(orig_input_shape: int32, grad: T) -> output: T: the gradient of AvgPool3D. padding:
 * 'SAME', 'VALID'. T: half, bfloat16, float, double. */
typedef struct weir_avg_pool3d_grad_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
} weir_avg_pool3d_grad_options;
static inline TF_Output weir_avg_pool3d_grad(weir_builder *builder, const char *node,
                                             TF_Output orig_input_shape, TF_Output grad,
                                             const int64_t *ksize, int ksize_count,
                                             const int64_t *strides, int strides_count,
                                             const char *padding,
                                             const weir_avg_pool3d_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AvgPool3DGrad", node);
    weir_build_input(builder, made, orig_input_shape);
    weir_build_input(builder, made, grad);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* AvgPoolGrad(orig_input_shape: int32, grad: T) -> output: T: the gradient of AvgPool. padding:
 * 'SAME', 'VALID'. T: half, bfloat16, float, double. */
typedef struct weir_avg_pool_grad_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_avg_pool_grad_options;
static inline TF_Output weir_avg_pool_grad(weir_builder *builder, const char *node,
                                           TF_Output orig_input_shape, TF_Output grad,
                                           const int64_t *ksize, int ksize_count,
                                           const int64_t *strides, int strides_count,
                                           const char *padding,
                                           const weir_avg_pool_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AvgPoolGrad", node);
    weir_build_input(builder, made, orig_input_shape);
    weir_build_input(builder, made, grad);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* FractionalAvgPool(value: T) -> output: T, row_pooling_sequence: int64, col_pooling_sequence:
 * int64: the mean of every region, whose sizes are random. T: float, double, int32, int64. */
typedef struct weir_fractional_avg_pool_options {
    bool pseudo_random;
    bool overlapping;
    bool deterministic;
    int64_t seed;
    int64_t seed2;
} weir_fractional_avg_pool_options;
typedef struct weir_fractional_avg_pool_outputs {
    TF_Output output;
    TF_Output row_pooling_sequence;
    TF_Output col_pooling_sequence;
} weir_fractional_avg_pool_outputs;
static inline weir_fractional_avg_pool_outputs
weir_fractional_avg_pool(weir_builder *builder, const char *node, TF_Output value,
                         const float *pooling_ratio, int pooling_ratio_count,
                         const weir_fractional_avg_pool_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FractionalAvgPool", node);
    weir_build_input(builder, made, value);
    if (made) {
        TF_SetAttrFloatList(made, "pooling_ratio", pooling_ratio, pooling_ratio_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "pseudo_random", options->pseudo_random);
        TF_SetAttrBool(made, "overlapping", options->overlapping);
        TF_SetAttrBool(made, "deterministic", options->deterministic);
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fractional_avg_pool_outputs out;
    out.output = weir_output(op, 0);
    out.row_pooling_sequence = weir_output(op, 1);
    out.col_pooling_sequence = weir_output(op, 2);
    return out;
}

/* FractionalAvgPoolGrad(orig_input_tensor_shape: int64, out_backprop: T, row_pooling_sequence:
 * int64, col_pooling_sequence: int64) -> output: T: the gradient of FractionalAvgPool. T: float,
 * double, int32, int64. */
typedef struct weir_fractional_avg_pool_grad_options {
    bool overlapping;
} weir_fractional_avg_pool_grad_options;
static inline TF_Output
weir_fractional_avg_pool_grad(weir_builder *builder, const char *node,
                              TF_Output orig_input_tensor_shape, TF_Output out_backprop,
                              TF_Output row_pooling_sequence, TF_Output col_pooling_sequence,
                              const weir_fractional_avg_pool_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FractionalAvgPoolGrad", node);
    weir_build_input(builder, made, orig_input_tensor_shape);
    weir_build_input(builder, made, out_backprop);
    weir_build_input(builder, made, row_pooling_sequence);
    weir_build_input(builder, made, col_pooling_sequence);
    if (made && options) {
        TF_SetAttrBool(made, "overlapping", options->overlapping);
    }
    return weir_build_end(builder, made);
}

/* FractionalMaxPool(value: T) -> output: T, row_pooling_sequence: int64, col_pooling_sequence:
 * int64: the maximum of every region, whose sizes are random. T: float, double, int32, int64. */
typedef struct weir_fractional_max_pool_options {
    bool pseudo_random;
    bool overlapping;
    bool deterministic;
    int64_t seed;
    int64_t seed2;
} weir_fractional_max_pool_options;
typedef struct weir_fractional_max_pool_outputs {
    TF_Output output;
    TF_Output row_pooling_sequence;
    TF_Output col_pooling_sequence;
} weir_fractional_max_pool_outputs;
static inline weir_fractional_max_pool_outputs
weir_fractional_max_pool(weir_builder *builder, const char *node, TF_Output value,
                         const float *pooling_ratio, int pooling_ratio_count,
                         const weir_fractional_max_pool_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FractionalMaxPool", node);
    weir_build_input(builder, made, value);
    if (made) {
        TF_SetAttrFloatList(made, "pooling_ratio", pooling_ratio, pooling_ratio_count);
    }
    if (made && options) {
        TF_SetAttrBool(made, "pseudo_random", options->pseudo_random);
        TF_SetAttrBool(made, "overlapping", options->overlapping);
        TF_SetAttrBool(made, "deterministic", options->deterministic);
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fractional_max_pool_outputs out;
    out.output = weir_output(op, 0);
    out.row_pooling_sequence = weir_output(op, 1);
    out.col_pooling_sequence = weir_output(op, 2);
    return out;
}

/* FractionalMaxPoolGrad(orig_input: T, orig_output: T, out_backprop: T, row_pooling_sequence:
 * int64, col_pooling_sequence: int64) -> output: T: the gradient of FractionalMaxPool. T: float,
 * double, int32, int64. */
typedef struct weir_fractional_max_pool_grad_options {
    bool overlapping;
} weir_fractional_max_pool_grad_options;
static inline TF_Output
weir_fractional_max_pool_grad(weir_builder *builder, const char *node, TF_Output orig_input,
                              TF_Output orig_output, TF_Output out_backprop,
                              TF_Output row_pooling_sequence, TF_Output col_pooling_sequence,
                              const weir_fractional_max_pool_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FractionalMaxPoolGrad", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, out_backprop);
    weir_build_input(builder, made, row_pooling_sequence);
    weir_build_input(builder, made, col_pooling_sequence);
    if (made && options) {
        TF_SetAttrBool(made, "overlapping", options->overlapping);
    }
    return weir_build_end(builder, made);
}

/* MaxPool(input: T) -> output: T: the maximum of every window of an image. T: half, bfloat16,
 * float, double, int32, int64, uint8, int16, int8, uint16, qint8. padding: 'SAME', 'VALID',
 * 'EXPLICIT'. */
typedef struct weir_max_pool_options {
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW', 'NCHW_VECT_C' */
} weir_max_pool_options;
static inline TF_Output weir_max_pool(weir_builder *builder, const char *node, TF_Output input,
                                      const int64_t *ksize, int ksize_count, const int64_t *strides,
                                      int strides_count, const char *padding,
                                      const weir_max_pool_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPool", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPool3D(input: T) -> output: T: the maximum of every window of a volume. padding: 'SAME',
 * 'VALID'. T: half, bfloat16, float. */
typedef struct weir_max_pool3d_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
} weir_max_pool3d_options;
static inline TF_Output weir_max_pool3d(weir_builder *builder, const char *node, TF_Output input,
                                        const int64_t *ksize, int ksize_count,
                                        const int64_t *strides, int strides_count,
                                        const char *padding, const weir_max_pool3d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPool3D", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPool3DGrad(orig_input: TInput, orig_output: TInput, grad: T) -> output: T: the gradient of
 * MaxPool3D. padding: 'SAME', 'VALID'. T: half, bfloat16, float. TInput: half, bfloat16, float. */
typedef struct weir_max_pool3d_grad_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
} weir_max_pool3d_grad_options;
static inline TF_Output weir_max_pool3d_grad(weir_builder *builder, const char *node,
                                             TF_Output orig_input, TF_Output orig_output,
                                             TF_Output grad, const int64_t *ksize, int ksize_count,
                                             const int64_t *strides, int strides_count,
                                             const char *padding,
                                             const weir_max_pool3d_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPool3DGrad", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, grad);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPool3DGradGrad(orig_input: T, orig_output: T, grad: T) -> output: T: the gradient of
 * MaxPool3DGrad. padding: 'SAME', 'VALID'. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool3d_grad_grad_options {
    const char *data_format; /* null: "NDHWC"; 'NDHWC', 'NCDHW' */
} weir_max_pool3d_grad_grad_options;
static inline TF_Output weir_max_pool3d_grad_grad(weir_builder *builder, const char *node,
                                                  TF_Output orig_input, TF_Output orig_output,
                                                  TF_Output grad, const int64_t *ksize,
                                                  int ksize_count, const int64_t *strides,
                                                  int strides_count, const char *padding,
                                                  const weir_max_pool3d_grad_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPool3DGradGrad", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, grad);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolGrad(orig_input: T, orig_output: T, grad: T) -> output: T: the gradient of MaxPool.
 * padding: 'SAME', 'VALID', 'EXPLICIT'. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool_grad_options {
    const int64_t *explicit_paddings;
    int explicit_paddings_count; /* null: [] */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_max_pool_grad_options;
static inline TF_Output weir_max_pool_grad(weir_builder *builder, const char *node,
                                           TF_Output orig_input, TF_Output orig_output,
                                           TF_Output grad, const int64_t *ksize, int ksize_count,
                                           const int64_t *strides, int strides_count,
                                           const char *padding,
                                           const weir_max_pool_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolGrad", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, grad);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->explicit_paddings)
            TF_SetAttrIntList(made, "explicit_paddings",
                options->explicit_paddings, options->explicit_paddings_count);
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolGradGrad(orig_input: T, orig_output: T, grad: T) -> output: T: the gradient of
 * MaxPoolGrad. padding: 'SAME', 'VALID'. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool_grad_grad_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_max_pool_grad_grad_options;
static inline TF_Output weir_max_pool_grad_grad(weir_builder *builder, const char *node,
                                                TF_Output orig_input, TF_Output orig_output,
                                                TF_Output grad, const int64_t *ksize,
                                                int ksize_count, const int64_t *strides,
                                                int strides_count, const char *padding,
                                                const weir_max_pool_grad_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolGradGrad", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, grad);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolGradGradV2(orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32) ->
 * output: T: the gradient of MaxPoolGrad. padding: 'SAME', 'VALID'. T: float, double, int32, uint8,
 * int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool_grad_grad_v2_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_max_pool_grad_grad_v2_options;
static inline TF_Output
weir_max_pool_grad_grad_v2(weir_builder *builder, const char *node, TF_Output orig_input,
                           TF_Output orig_output, TF_Output grad, TF_Output ksize,
                           TF_Output strides, const char *padding,
                           const weir_max_pool_grad_grad_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolGradGradV2", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, ksize);
    weir_build_input(builder, made, strides);
    if (made) {
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolGradGradWithArgmax(input: T, grad: T, argmax: Targmax) -> output: T. padding: 'SAME',
 * 'VALID'. Targmax: int32, int64. T: float, double, int32, uint8, int16, int8, int64, bfloat16,
 * uint16, half, uint32, uint64. */
typedef struct weir_max_pool_grad_grad_with_argmax_options {
    bool include_batch_in_index;
} weir_max_pool_grad_grad_with_argmax_options;
static inline TF_Output
weir_max_pool_grad_grad_with_argmax(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output grad, TF_Output argmax, const int64_t *ksize,
                                    int ksize_count, const int64_t *strides, int strides_count,
                                    const char *padding,
                                    const weir_max_pool_grad_grad_with_argmax_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolGradGradWithArgmax", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, argmax);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        TF_SetAttrBool(made, "include_batch_in_index", options->include_batch_in_index);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolGradV2(orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32) -> output: T:
 * the gradient of MaxPool. padding: 'SAME', 'VALID'. T: float, double, int32, uint8, int16, int8,
 * int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool_grad_v2_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
} weir_max_pool_grad_v2_options;
static inline TF_Output weir_max_pool_grad_v2(weir_builder *builder, const char *node,
                                              TF_Output orig_input, TF_Output orig_output,
                                              TF_Output grad, TF_Output ksize, TF_Output strides,
                                              const char *padding,
                                              const weir_max_pool_grad_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolGradV2", node);
    weir_build_input(builder, made, orig_input);
    weir_build_input(builder, made, orig_output);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, ksize);
    weir_build_input(builder, made, strides);
    if (made) {
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolGradWithArgmax(input: T, grad: T, argmax: Targmax) -> output: T: the gradient of
 * MaxPoolWithArgmax. padding: 'SAME', 'VALID'. Targmax: int32, int64. T: float, double, int32,
 * uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool_grad_with_argmax_options {
    bool include_batch_in_index;
} weir_max_pool_grad_with_argmax_options;
static inline TF_Output
weir_max_pool_grad_with_argmax(weir_builder *builder, const char *node, TF_Output input,
                               TF_Output grad, TF_Output argmax, const int64_t *ksize,
                               int ksize_count, const int64_t *strides, int strides_count,
                               const char *padding,
                               const weir_max_pool_grad_with_argmax_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolGradWithArgmax", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, grad);
    weir_build_input(builder, made, argmax);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        TF_SetAttrBool(made, "include_batch_in_index", options->include_batch_in_index);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolV2(input: T, ksize: int32, strides: int32) -> output: T: the maximum of every window of an
 * image. T: half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8.
 * padding: 'SAME', 'VALID'. */
typedef struct weir_max_pool_v2_options {
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW', 'NCHW_VECT_C' */
} weir_max_pool_v2_options;
static inline TF_Output weir_max_pool_v2(weir_builder *builder, const char *node, TF_Output input,
                                         TF_Output ksize, TF_Output strides, const char *padding,
                                         const weir_max_pool_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, ksize);
    weir_build_input(builder, made, strides);
    if (made) {
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* MaxPoolWithArgmax(input: T) -> output: T, argmax: Targmax: the maximum of every window and its
 * index. Targmax: int32, int64. padding: 'SAME', 'VALID'. T: float, double, int32, uint8, int16,
 * int8, int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_max_pool_with_argmax_options {
    TF_DataType Targmax; /* 0: TF_INT64; int32, int64 */
    bool include_batch_in_index;
} weir_max_pool_with_argmax_options;
typedef struct weir_max_pool_with_argmax_outputs {
    TF_Output output;
    TF_Output argmax;
} weir_max_pool_with_argmax_outputs;
static inline weir_max_pool_with_argmax_outputs
weir_max_pool_with_argmax(weir_builder *builder, const char *node, TF_Output input,
                          const int64_t *ksize, int ksize_count, const int64_t *strides,
                          int strides_count, const char *padding,
                          const weir_max_pool_with_argmax_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MaxPoolWithArgmax", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "padding", padding);
    }
    if (made && options) {
        if (options->Targmax)
            TF_SetAttrType(made, "Targmax", options->Targmax);
        TF_SetAttrBool(made, "include_batch_in_index", options->include_batch_in_index);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_max_pool_with_argmax_outputs out;
    out.output = weir_output(op, 0);
    out.argmax = weir_output(op, 1);
    return out;
}

#ifdef __cplusplus
}
#endif
#endif
