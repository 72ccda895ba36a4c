/* weir/ops/nn/norm.h - normalisation.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_NN_NORM_OPS_H
#define WEIR_NN_NORM_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* BatchNormWithGlobalNormalization(t: T, m: T, v: T, beta: T, gamma: T) -> result: T: the
 * predecessors of FusedBatchNorm. T: float, double, int32, uint8, int16, int8, complex64, int64,
 * qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
static inline TF_Output weir_batch_norm_with_global_normalization(weir_builder *builder,
                                                                  const char *node, TF_Output t,
                                                                  TF_Output m, TF_Output v,
                                                                  TF_Output beta, TF_Output gamma,
                                                                  float variance_epsilon,
                                                                  bool scale_after_normalization)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "BatchNormWithGlobalNormalization", node);
    weir_build_input(builder, made, t);
    weir_build_input(builder, made, m);
    weir_build_input(builder, made, v);
    weir_build_input(builder, made, beta);
    weir_build_input(builder, made, gamma);
    if (made) {
        TF_SetAttrFloat(made, "variance_epsilon", variance_epsilon);
        TF_SetAttrBool(made, "scale_after_normalization", scale_after_normalization);
    }
    return weir_build_end(builder, made);
}

/* BatchNormWithGlobalNormalizationGrad(t: T, m: T, v: T, gamma: T, backprop: T) -> dx: T, dm: T,
 * dv: T, db: T, dg: T: the predecessors of FusedBatchNorm. T: float, double, int32, uint8, int16,
 * int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128,
 * half, uint32, uint64. */
typedef struct weir_batch_norm_with_global_normalization_grad_outputs {
    TF_Output dx;
    TF_Output dm;
    TF_Output dv;
    TF_Output db;
    TF_Output dg;
} weir_batch_norm_with_global_normalization_grad_outputs;
static inline weir_batch_norm_with_global_normalization_grad_outputs
weir_batch_norm_with_global_normalization_grad(weir_builder *builder, const char *node, TF_Output t,
                                               TF_Output m, TF_Output v, TF_Output gamma,
                                               TF_Output backprop, float variance_epsilon,
                                               bool scale_after_normalization)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "BatchNormWithGlobalNormalizationGrad", node);
    weir_build_input(builder, made, t);
    weir_build_input(builder, made, m);
    weir_build_input(builder, made, v);
    weir_build_input(builder, made, gamma);
    weir_build_input(builder, made, backprop);
    if (made) {
        TF_SetAttrFloat(made, "variance_epsilon", variance_epsilon);
        TF_SetAttrBool(made, "scale_after_normalization", scale_after_normalization);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_batch_norm_with_global_normalization_grad_outputs out;
    out.dx = weir_output(op, 0);
    out.dm = weir_output(op, 1);
    out.dv = weir_output(op, 2);
    out.db = weir_output(op, 3);
    out.dg = weir_output(op, 4);
    return out;
}

/* FusedBatchNorm(x: T, scale: T, offset: T, mean: T, variance: T) -> y: T, batch_mean: T,
 * batch_variance: T, reserve_space_1: T, reserve_space_2: T: channels normalised to mean 0 and
 * variance 1, then scaled and shifted. T: float. */
typedef struct weir_fused_batch_norm_options {
    float epsilon; /* 0: 0.0001 */
    float exponential_avg_factor; /* 0: 1 */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    bool not_is_training;
} weir_fused_batch_norm_options;
typedef struct weir_fused_batch_norm_outputs {
    TF_Output y;
    TF_Output batch_mean;
    TF_Output batch_variance;
    TF_Output reserve_space_1;
    TF_Output reserve_space_2;
} weir_fused_batch_norm_outputs;
static inline weir_fused_batch_norm_outputs
weir_fused_batch_norm(weir_builder *builder, const char *node, TF_Output x, TF_Output scale,
                      TF_Output offset, TF_Output mean, TF_Output variance,
                      const weir_fused_batch_norm_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedBatchNorm", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, offset);
    weir_build_input(builder, made, mean);
    weir_build_input(builder, made, variance);
    if (made && options) {
        if (options->epsilon != 0)
            TF_SetAttrFloat(made, "epsilon", weir_float_of(options->epsilon));
        if (options->exponential_avg_factor != 0)
            TF_SetAttrFloat(made, "exponential_avg_factor",
                weir_float_of(options->exponential_avg_factor));
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        TF_SetAttrBool(made, "is_training", !options->not_is_training);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fused_batch_norm_outputs out;
    out.y = weir_output(op, 0);
    out.batch_mean = weir_output(op, 1);
    out.batch_variance = weir_output(op, 2);
    out.reserve_space_1 = weir_output(op, 3);
    out.reserve_space_2 = weir_output(op, 4);
    return out;
}

/* FusedBatchNormGrad(y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T) ->
 * x_backprop: T, scale_backprop: T, offset_backprop: T, reserve_space_3: T, reserve_space_4: T: the
 * gradient of FusedBatchNorm. T: float. */
typedef struct weir_fused_batch_norm_grad_options {
    float epsilon; /* 0: 0.0001 */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    bool not_is_training;
} weir_fused_batch_norm_grad_options;
typedef struct weir_fused_batch_norm_grad_outputs {
    TF_Output x_backprop;
    TF_Output scale_backprop;
    TF_Output offset_backprop;
    TF_Output reserve_space_3;
    TF_Output reserve_space_4;
} weir_fused_batch_norm_grad_outputs;
static inline weir_fused_batch_norm_grad_outputs
weir_fused_batch_norm_grad(weir_builder *builder, const char *node, TF_Output y_backprop,
                           TF_Output x, TF_Output scale, TF_Output reserve_space_1,
                           TF_Output reserve_space_2,
                           const weir_fused_batch_norm_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedBatchNormGrad", node);
    weir_build_input(builder, made, y_backprop);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, reserve_space_1);
    weir_build_input(builder, made, reserve_space_2);
    if (made && options) {
        if (options->epsilon != 0)
            TF_SetAttrFloat(made, "epsilon", weir_float_of(options->epsilon));
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        TF_SetAttrBool(made, "is_training", !options->not_is_training);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fused_batch_norm_grad_outputs out;
    out.x_backprop = weir_output(op, 0);
    out.scale_backprop = weir_output(op, 1);
    out.offset_backprop = weir_output(op, 2);
    out.reserve_space_3 = weir_output(op, 3);
    out.reserve_space_4 = weir_output(op, 4);
    return out;
}

/* FusedBatchNormGradV2(y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U)
 * -> x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_3: U, reserve_space_4: U:
 * the gradient of FusedBatchNorm. T: half, bfloat16, float. U: float. */
typedef struct weir_fused_batch_norm_grad_v2_options {
    float epsilon; /* 0: 0.0001 */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    bool not_is_training;
} weir_fused_batch_norm_grad_v2_options;
typedef struct weir_fused_batch_norm_grad_v2_outputs {
    TF_Output x_backprop;
    TF_Output scale_backprop;
    TF_Output offset_backprop;
    TF_Output reserve_space_3;
    TF_Output reserve_space_4;
} weir_fused_batch_norm_grad_v2_outputs;
static inline weir_fused_batch_norm_grad_v2_outputs
weir_fused_batch_norm_grad_v2(weir_builder *builder, const char *node, TF_Output y_backprop,
                              TF_Output x, TF_Output scale, TF_Output reserve_space_1,
                              TF_Output reserve_space_2,
                              const weir_fused_batch_norm_grad_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedBatchNormGradV2", node);
    weir_build_input(builder, made, y_backprop);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, reserve_space_1);
    weir_build_input(builder, made, reserve_space_2);
    if (made && options) {
        if (options->epsilon != 0)
            TF_SetAttrFloat(made, "epsilon", weir_float_of(options->epsilon));
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        TF_SetAttrBool(made, "is_training", !options->not_is_training);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fused_batch_norm_grad_v2_outputs out;
    out.x_backprop = weir_output(op, 0);
    out.scale_backprop = weir_output(op, 1);
    out.offset_backprop = weir_output(op, 2);
    out.reserve_space_3 = weir_output(op, 3);
    out.reserve_space_4 = weir_output(op, 4);
    return out;
}

/* FusedBatchNormGradV3(y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U,
 * reserve_space_3: U) -> x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_4: U,
 * reserve_space_5: U: the gradient of FusedBatchNorm. T: half, bfloat16, float. U: float. */
typedef struct weir_fused_batch_norm_grad_v3_options {
    float epsilon; /* 0: 0.0001 */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW', 'NDHWC', 'NCDHW' */
    bool not_is_training;
} weir_fused_batch_norm_grad_v3_options;
typedef struct weir_fused_batch_norm_grad_v3_outputs {
    TF_Output x_backprop;
    TF_Output scale_backprop;
    TF_Output offset_backprop;
    TF_Output reserve_space_4;
    TF_Output reserve_space_5;
} weir_fused_batch_norm_grad_v3_outputs;
static inline weir_fused_batch_norm_grad_v3_outputs
weir_fused_batch_norm_grad_v3(weir_builder *builder, const char *node, TF_Output y_backprop,
                              TF_Output x, TF_Output scale, TF_Output reserve_space_1,
                              TF_Output reserve_space_2, TF_Output reserve_space_3,
                              const weir_fused_batch_norm_grad_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedBatchNormGradV3", node);
    weir_build_input(builder, made, y_backprop);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, reserve_space_1);
    weir_build_input(builder, made, reserve_space_2);
    weir_build_input(builder, made, reserve_space_3);
    if (made && options) {
        if (options->epsilon != 0)
            TF_SetAttrFloat(made, "epsilon", weir_float_of(options->epsilon));
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        TF_SetAttrBool(made, "is_training", !options->not_is_training);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fused_batch_norm_grad_v3_outputs out;
    out.x_backprop = weir_output(op, 0);
    out.scale_backprop = weir_output(op, 1);
    out.offset_backprop = weir_output(op, 2);
    out.reserve_space_4 = weir_output(op, 3);
    out.reserve_space_5 = weir_output(op, 4);
    return out;
}

/* FusedBatchNormV2(x: T, scale: U, offset: U, mean: U, variance: U) -> y: T, batch_mean: U,
 * batch_variance: U, reserve_space_1: U, reserve_space_2: U: channels normalised to mean 0 and
 * variance 1, then scaled and shifted. T: half, bfloat16, float. U: float. */
typedef struct weir_fused_batch_norm_v2_options {
    float epsilon; /* 0: 0.0001 */
    float exponential_avg_factor; /* 0: 1 */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW' */
    bool not_is_training;
} weir_fused_batch_norm_v2_options;
typedef struct weir_fused_batch_norm_v2_outputs {
    TF_Output y;
    TF_Output batch_mean;
    TF_Output batch_variance;
    TF_Output reserve_space_1;
    TF_Output reserve_space_2;
} weir_fused_batch_norm_v2_outputs;
static inline weir_fused_batch_norm_v2_outputs
weir_fused_batch_norm_v2(weir_builder *builder, const char *node, TF_Output x, TF_Output scale,
                         TF_Output offset, TF_Output mean, TF_Output variance,
                         const weir_fused_batch_norm_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedBatchNormV2", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, offset);
    weir_build_input(builder, made, mean);
    weir_build_input(builder, made, variance);
    if (made && options) {
        if (options->epsilon != 0)
            TF_SetAttrFloat(made, "epsilon", weir_float_of(options->epsilon));
        if (options->exponential_avg_factor != 0)
            TF_SetAttrFloat(made, "exponential_avg_factor",
                weir_float_of(options->exponential_avg_factor));
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        TF_SetAttrBool(made, "is_training", !options->not_is_training);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fused_batch_norm_v2_outputs out;
    out.y = weir_output(op, 0);
    out.batch_mean = weir_output(op, 1);
    out.batch_variance = weir_output(op, 2);
    out.reserve_space_1 = weir_output(op, 3);
    out.reserve_space_2 = weir_output(op, 4);
    return out;
}

/* FusedBatchNormV3(x: T, scale: U, offset: U, mean: U, variance: U) -> y: T, batch_mean: U,
 * batch_variance: U, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U: channels
 * normalised to mean 0 and variance 1, then scaled and shifted. T: half, bfloat16, float. U:
 * bfloat16, float. */
typedef struct weir_fused_batch_norm_v3_options {
    float epsilon; /* 0: 0.0001 */
    float exponential_avg_factor; /* 0: 1 */
    const char *data_format; /* null: "NHWC"; 'NHWC', 'NCHW', 'NDHWC', 'NCDHW' */
    bool not_is_training;
} weir_fused_batch_norm_v3_options;
typedef struct weir_fused_batch_norm_v3_outputs {
    TF_Output y;
    TF_Output batch_mean;
    TF_Output batch_variance;
    TF_Output reserve_space_1;
    TF_Output reserve_space_2;
    TF_Output reserve_space_3;
} weir_fused_batch_norm_v3_outputs;
static inline weir_fused_batch_norm_v3_outputs
weir_fused_batch_norm_v3(weir_builder *builder, const char *node, TF_Output x, TF_Output scale,
                         TF_Output offset, TF_Output mean, TF_Output variance,
                         const weir_fused_batch_norm_v3_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FusedBatchNormV3", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, scale);
    weir_build_input(builder, made, offset);
    weir_build_input(builder, made, mean);
    weir_build_input(builder, made, variance);
    if (made && options) {
        if (options->epsilon != 0)
            TF_SetAttrFloat(made, "epsilon", weir_float_of(options->epsilon));
        if (options->exponential_avg_factor != 0)
            TF_SetAttrFloat(made, "exponential_avg_factor",
                weir_float_of(options->exponential_avg_factor));
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        TF_SetAttrBool(made, "is_training", !options->not_is_training);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fused_batch_norm_v3_outputs out;
    out.y = weir_output(op, 0);
    out.batch_mean = weir_output(op, 1);
    out.batch_variance = weir_output(op, 2);
    out.reserve_space_1 = weir_output(op, 3);
    out.reserve_space_2 = weir_output(op, 4);
    out.reserve_space_3 = weir_output(op, 5);
    return out;
}

/* L2Loss(t: T) -> output: T: half the sum of squares. T: half, bfloat16, float, double. */
static inline TF_Output weir_l2_loss(weir_builder *builder, const char *node, TF_Output t)
{
    const TF_Output inputs[] = {t};
    return weir_build_op(builder, "L2Loss", node, inputs, 1);
}

/* LRN(input: T) -> output: T: local response normalisation over neighbouring channels, and LRNGrad.
 * T: half, bfloat16, float. */
typedef struct weir_lrn_options {
    int64_t depth_radius; /* 0: 5 */
    float bias; /* 0: 1 */
    float alpha; /* 0: 1 */
    float beta; /* 0: 0.5 */
} weir_lrn_options;
static inline TF_Output weir_lrn(weir_builder *builder, const char *node, TF_Output input,
                                 const weir_lrn_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LRN", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->depth_radius != 0)
            TF_SetAttrInt(made, "depth_radius", weir_int_of(options->depth_radius));
        if (options->bias != 0)
            TF_SetAttrFloat(made, "bias", weir_float_of(options->bias));
        if (options->alpha != 0)
            TF_SetAttrFloat(made, "alpha", weir_float_of(options->alpha));
        if (options->beta != 0)
            TF_SetAttrFloat(made, "beta", weir_float_of(options->beta));
    }
    return weir_build_end(builder, made);
}

/* LRNGrad(input_grads: T, input_image: T, output_image: T) -> output: T: the gradient of LRN. T:
 * half, bfloat16, float. */
typedef struct weir_lrn_grad_options {
    int64_t depth_radius; /* 0: 5 */
    float bias; /* 0: 1 */
    float alpha; /* 0: 1 */
    float beta; /* 0: 0.5 */
} weir_lrn_grad_options;
static inline TF_Output weir_lrn_grad(weir_builder *builder, const char *node,
                                      TF_Output input_grads, TF_Output input_image,
                                      TF_Output output_image, const weir_lrn_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LRNGrad", node);
    weir_build_input(builder, made, input_grads);
    weir_build_input(builder, made, input_image);
    weir_build_input(builder, made, output_image);
    if (made && options) {
        if (options->depth_radius != 0)
            TF_SetAttrInt(made, "depth_radius", weir_int_of(options->depth_radius));
        if (options->bias != 0)
            TF_SetAttrFloat(made, "bias", weir_float_of(options->bias));
        if (options->alpha != 0)
            TF_SetAttrFloat(made, "alpha", weir_float_of(options->alpha));
        if (options->beta != 0)
            TF_SetAttrFloat(made, "beta", weir_float_of(options->beta));
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
