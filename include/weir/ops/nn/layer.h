/* weir/ops/nn/layer.h - activations, losses, candidates, the largest elements.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_NN_LAYER_OPS_H
#define WEIR_NN_LAYER_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AllCandidateSampler(true_classes: int64) -> sampled_candidates: int64, true_expected_count:
 * float, sampled_expected_count: float: every class as a candidate. */
typedef struct weir_all_candidate_sampler_options {
    int64_t seed;
    int64_t seed2;
} weir_all_candidate_sampler_options;
typedef struct weir_all_candidate_sampler_outputs {
    TF_Output sampled_candidates;
    TF_Output true_expected_count;
    TF_Output sampled_expected_count;
} weir_all_candidate_sampler_outputs;
static inline weir_all_candidate_sampler_outputs
weir_all_candidate_sampler(weir_builder *builder, const char *node, TF_Output true_classes,
                           int64_t num_true, int64_t num_sampled, bool unique,
                           const weir_all_candidate_sampler_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AllCandidateSampler", node);
    weir_build_input(builder, made, true_classes);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
        TF_SetAttrInt(made, "num_sampled", num_sampled);
        TF_SetAttrBool(made, "unique", unique);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_all_candidate_sampler_outputs out;
    out.sampled_candidates = weir_output(op, 0);
    out.true_expected_count = weir_output(op, 1);
    out.sampled_expected_count = weir_output(op, 2);
    return out;
}

/* ApproxTopK(input: T) -> values: T, indices: int32: the largest or smallest numbers along a
 * dimension. T: half, bfloat16, float. */
typedef struct weir_approx_top_k_options {
    int64_t reduction_dimension; /* 0: -1 */
    float recall_target; /* 0: 0.95 */
    bool not_is_max_k;
    int64_t reduction_input_size_override; /* 0: -1 */
    bool not_aggregate_to_topk;
} weir_approx_top_k_options;
typedef struct weir_approx_top_k_outputs {
    TF_Output values;
    TF_Output indices;
} weir_approx_top_k_outputs;
static inline weir_approx_top_k_outputs weir_approx_top_k(weir_builder *builder, const char *node,
                                                          TF_Output input, int64_t k,
                                                          const weir_approx_top_k_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApproxTopK", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "k", k);
    }
    if (made && options) {
        if (options->reduction_dimension != 0)
            TF_SetAttrInt(made, "reduction_dimension", weir_int_of(options->reduction_dimension));
        if (options->recall_target != 0)
            TF_SetAttrFloat(made, "recall_target", weir_float_of(options->recall_target));
        TF_SetAttrBool(made, "is_max_k", !options->not_is_max_k);
        if (options->reduction_input_size_override != 0)
            TF_SetAttrInt(made, "reduction_input_size_override",
                weir_int_of(options->reduction_input_size_override));
        TF_SetAttrBool(made, "aggregate_to_topk", !options->not_aggregate_to_topk);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_approx_top_k_outputs out;
    out.values = weir_output(op, 0);
    out.indices = weir_output(op, 1);
    return out;
}

/* ComputeAccidentalHits(true_classes: int64, sampled_candidates: int64) -> indices: int32, ids:
 * int64, weights: float: sampled candidates that equal a true class. */
typedef struct weir_compute_accidental_hits_options {
    int64_t seed;
    int64_t seed2;
} weir_compute_accidental_hits_options;
typedef struct weir_compute_accidental_hits_outputs {
    TF_Output indices;
    TF_Output ids;
    TF_Output weights;
} weir_compute_accidental_hits_outputs;
static inline weir_compute_accidental_hits_outputs
weir_compute_accidental_hits(weir_builder *builder, const char *node, TF_Output true_classes,
                             TF_Output sampled_candidates, int64_t num_true,
                             const weir_compute_accidental_hits_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ComputeAccidentalHits", node);
    weir_build_input(builder, made, true_classes);
    weir_build_input(builder, made, sampled_candidates);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_compute_accidental_hits_outputs out;
    out.indices = weir_output(op, 0);
    out.ids = weir_output(op, 1);
    out.weights = weir_output(op, 2);
    return out;
}

/* Elu(features: T) -> activations: T: x where it is positive, e^x - 1 elsewhere. T: half, bfloat16,
 * float, double. */
static inline TF_Output weir_elu(weir_builder *builder, const char *node, TF_Output features)
{
    const TF_Output inputs[] = {features};
    return weir_build_op(builder, "Elu", node, inputs, 1);
}

/* EluGrad(gradients: T, outputs: T) -> backprops: T: the gradient of Elu. T: half, bfloat16, float,
 * double. */
static inline TF_Output weir_elu_grad(weir_builder *builder, const char *node, TF_Output gradients,
                                      TF_Output outputs)
{
    const TF_Output inputs[] = {gradients, outputs};
    return weir_build_op(builder, "EluGrad", node, inputs, 2);
}

/* FixedUnigramCandidateSampler(true_classes: int64) -> sampled_candidates: int64,
 * true_expected_count: float, sampled_expected_count: float: classes drawn with given frequencies.
 * */
typedef struct weir_fixed_unigram_candidate_sampler_options {
    const char *vocab_file; /* null: "" */
    float distortion; /* 0: 1 */
    int64_t num_reserved_ids;
    int64_t num_shards; /* 0: 1 */
    int64_t shard;
    const float *unigrams;
    int unigrams_count; /* null: [] */
    int64_t seed;
    int64_t seed2;
} weir_fixed_unigram_candidate_sampler_options;
typedef struct weir_fixed_unigram_candidate_sampler_outputs {
    TF_Output sampled_candidates;
    TF_Output true_expected_count;
    TF_Output sampled_expected_count;
} weir_fixed_unigram_candidate_sampler_outputs;
static inline weir_fixed_unigram_candidate_sampler_outputs
weir_fixed_unigram_candidate_sampler(weir_builder *builder, const char *node,
                                     TF_Output true_classes, int64_t num_true, int64_t num_sampled,
                                     bool unique, int64_t range_max,
                                     const weir_fixed_unigram_candidate_sampler_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "FixedUnigramCandidateSampler", node);
    weir_build_input(builder, made, true_classes);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
        TF_SetAttrInt(made, "num_sampled", num_sampled);
        TF_SetAttrBool(made, "unique", unique);
        TF_SetAttrInt(made, "range_max", range_max);
    }
    if (made && options) {
        if (options->vocab_file)
            weir_attr_string(made, "vocab_file", options->vocab_file);
        if (options->distortion != 0)
            TF_SetAttrFloat(made, "distortion", weir_float_of(options->distortion));
        TF_SetAttrInt(made, "num_reserved_ids", options->num_reserved_ids);
        if (options->num_shards != 0)
            TF_SetAttrInt(made, "num_shards", weir_int_of(options->num_shards));
        TF_SetAttrInt(made, "shard", options->shard);
        if (options->unigrams)
            TF_SetAttrFloatList(made, "unigrams", options->unigrams, options->unigrams_count);
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_fixed_unigram_candidate_sampler_outputs out;
    out.sampled_candidates = weir_output(op, 0);
    out.true_expected_count = weir_output(op, 1);
    out.sampled_expected_count = weir_output(op, 2);
    return out;
}

/* InTopK(predictions: float, targets: T) -> precision: bool: order statistics along the last
 * dimension. T: int32, int64. */
static inline TF_Output weir_in_top_k(weir_builder *builder, const char *node,
                                      TF_Output predictions, TF_Output targets, int64_t k)
{
    TF_OperationDescription *made = weir_build_begin(builder, "InTopK", node);
    weir_build_input(builder, made, predictions);
    weir_build_input(builder, made, targets);
    if (made) {
        TF_SetAttrInt(made, "k", k);
    }
    return weir_build_end(builder, made);
}

/* InTopKV2(predictions: float, targets: T, k: T) -> precision: bool: order statistics along the
 * last dimension. T: int32, int64. */
static inline TF_Output weir_in_top_k_v2(weir_builder *builder, const char *node,
                                         TF_Output predictions, TF_Output targets, TF_Output k)
{
    const TF_Output inputs[] = {predictions, targets, k};
    return weir_build_op(builder, "InTopKV2", node, inputs, 3);
}

/* IsotonicRegression(input: T) -> output: output_dtype, segments: int32: the closest non-increasing
 * rows. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64.
 * output_dtype: half, bfloat16, float, double. */
typedef struct weir_isotonic_regression_options {
    TF_DataType output_dtype; /* 0: TF_FLOAT; half, bfloat16, float, double */
} weir_isotonic_regression_options;
typedef struct weir_isotonic_regression_outputs {
    TF_Output output;
    TF_Output segments;
} weir_isotonic_regression_outputs;
static inline weir_isotonic_regression_outputs
weir_isotonic_regression(weir_builder *builder, const char *node, TF_Output input,
                         const weir_isotonic_regression_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IsotonicRegression", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->output_dtype)
            TF_SetAttrType(made, "output_dtype", options->output_dtype);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_isotonic_regression_outputs out;
    out.output = weir_output(op, 0);
    out.segments = weir_output(op, 1);
    return out;
}

/* LeakyRelu(features: T) -> activations: T: x where x > 0, alpha * x elsewhere. T: half, bfloat16,
 * float, double. */
typedef struct weir_leaky_relu_options {
    float alpha; /* 0: 0.2 */
} weir_leaky_relu_options;
static inline TF_Output weir_leaky_relu(weir_builder *builder, const char *node, TF_Output features,
                                        const weir_leaky_relu_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LeakyRelu", node);
    weir_build_input(builder, made, features);
    if (made && options) {
        if (options->alpha != 0)
            TF_SetAttrFloat(made, "alpha", weir_float_of(options->alpha));
    }
    return weir_build_end(builder, made);
}

/* LeakyReluGrad(gradients: T, features: T) -> backprops: T: the gradient of LeakyRelu. T: half,
 * bfloat16, float, double. */
typedef struct weir_leaky_relu_grad_options {
    float alpha; /* 0: 0.2 */
} weir_leaky_relu_grad_options;
static inline TF_Output weir_leaky_relu_grad(weir_builder *builder, const char *node,
                                             TF_Output gradients, TF_Output features,
                                             const weir_leaky_relu_grad_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LeakyReluGrad", node);
    weir_build_input(builder, made, gradients);
    weir_build_input(builder, made, features);
    if (made && options) {
        if (options->alpha != 0)
            TF_SetAttrFloat(made, "alpha", weir_float_of(options->alpha));
    }
    return weir_build_end(builder, made);
}

/* LearnedUnigramCandidateSampler(true_classes: int64) -> sampled_candidates: int64,
 * true_expected_count: float, sampled_expected_count: float: classes drawn by their frequencies so
 * far. */
typedef struct weir_learned_unigram_candidate_sampler_options {
    int64_t seed;
    int64_t seed2;
} weir_learned_unigram_candidate_sampler_options;
typedef struct weir_learned_unigram_candidate_sampler_outputs {
    TF_Output sampled_candidates;
    TF_Output true_expected_count;
    TF_Output sampled_expected_count;
} weir_learned_unigram_candidate_sampler_outputs;
static inline weir_learned_unigram_candidate_sampler_outputs
weir_learned_unigram_candidate_sampler(weir_builder *builder, const char *node,
    TF_Output true_classes, int64_t num_true, int64_t num_sampled, bool unique, int64_t range_max,
    const weir_learned_unigram_candidate_sampler_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "LearnedUnigramCandidateSampler", node);
    weir_build_input(builder, made, true_classes);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
        TF_SetAttrInt(made, "num_sampled", num_sampled);
        TF_SetAttrBool(made, "unique", unique);
        TF_SetAttrInt(made, "range_max", range_max);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_learned_unigram_candidate_sampler_outputs out;
    out.sampled_candidates = weir_output(op, 0);
    out.true_expected_count = weir_output(op, 1);
    out.sampled_expected_count = weir_output(op, 2);
    return out;
}

/* LogSoftmax(logits: T) -> logsoftmax: T: the logarithm of Softmax. T: half, bfloat16, float,
 * double. */
static inline TF_Output weir_log_softmax(weir_builder *builder, const char *node, TF_Output logits)
{
    const TF_Output inputs[] = {logits};
    return weir_build_op(builder, "LogSoftmax", node, inputs, 1);
}

/* LogUniformCandidateSampler(true_classes: int64) -> sampled_candidates: int64,
 * true_expected_count: float, sampled_expected_count: float: classes drawn by Zipf's law: smaller
 * numbers more often. */
typedef struct weir_log_uniform_candidate_sampler_options {
    int64_t seed;
    int64_t seed2;
} weir_log_uniform_candidate_sampler_options;
typedef struct weir_log_uniform_candidate_sampler_outputs {
    TF_Output sampled_candidates;
    TF_Output true_expected_count;
    TF_Output sampled_expected_count;
} weir_log_uniform_candidate_sampler_outputs;
static inline weir_log_uniform_candidate_sampler_outputs
weir_log_uniform_candidate_sampler(weir_builder *builder, const char *node, TF_Output true_classes,
                                   int64_t num_true, int64_t num_sampled, bool unique,
                                   int64_t range_max,
                                   const weir_log_uniform_candidate_sampler_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "LogUniformCandidateSampler", node);
    weir_build_input(builder, made, true_classes);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
        TF_SetAttrInt(made, "num_sampled", num_sampled);
        TF_SetAttrBool(made, "unique", unique);
        TF_SetAttrInt(made, "range_max", range_max);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_log_uniform_candidate_sampler_outputs out;
    out.sampled_candidates = weir_output(op, 0);
    out.true_expected_count = weir_output(op, 1);
    out.sampled_expected_count = weir_output(op, 2);
    return out;
}

/* MakeUnique(input: float) -> output: float. */
static inline TF_Output weir_make_unique(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "MakeUnique", node, inputs, 1);
}

/* NthElement(input: T, n: int32) -> values: T: order statistics along the last dimension. T: float,
 * double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_nth_element_options {
    bool reverse;
} weir_nth_element_options;
static inline TF_Output weir_nth_element(weir_builder *builder, const char *node, TF_Output input,
                                         TF_Output n, const weir_nth_element_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "NthElement", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, n);
    if (made && options) {
        TF_SetAttrBool(made, "reverse", options->reverse);
    }
    return weir_build_end(builder, made);
}

/* Relu(features: T) -> activations: T: x where it is positive, 0 elsewhere. T: float, double,
 * int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8. */
static inline TF_Output weir_relu(weir_builder *builder, const char *node, TF_Output features)
{
    const TF_Output inputs[] = {features};
    return weir_build_op(builder, "Relu", node, inputs, 1);
}

/* Relu6(features: T) -> activations: T: x between 0 and 6. T: float, double, int32, uint8, int16,
 * int8, int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_relu6(weir_builder *builder, const char *node, TF_Output features)
{
    const TF_Output inputs[] = {features};
    return weir_build_op(builder, "Relu6", node, inputs, 1);
}

/* Relu6Grad(gradients: T, features: T) -> backprops: T: the gradient of Relu6. T: float, double,
 * int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_relu6_grad(weir_builder *builder, const char *node,
                                        TF_Output gradients, TF_Output features)
{
    const TF_Output inputs[] = {gradients, features};
    return weir_build_op(builder, "Relu6Grad", node, inputs, 2);
}

/* ReluGrad(gradients: T, features: T) -> backprops: T: the gradient of Relu. T: float, double,
 * int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_relu_grad(weir_builder *builder, const char *node, TF_Output gradients,
                                       TF_Output features)
{
    const TF_Output inputs[] = {gradients, features};
    return weir_build_op(builder, "ReluGrad", node, inputs, 2);
}

/* Selu(features: T) -> activations: T: Elu, scaled so that layers keep their variance. T: half,
 * bfloat16, float, double. */
static inline TF_Output weir_selu(weir_builder *builder, const char *node, TF_Output features)
{
    const TF_Output inputs[] = {features};
    return weir_build_op(builder, "Selu", node, inputs, 1);
}

/* SeluGrad(gradients: T, outputs: T) -> backprops: T: the gradient of Selu. T: half, bfloat16,
 * float, double. */
static inline TF_Output weir_selu_grad(weir_builder *builder, const char *node, TF_Output gradients,
                                       TF_Output outputs)
{
    const TF_Output inputs[] = {gradients, outputs};
    return weir_build_op(builder, "SeluGrad", node, inputs, 2);
}

/* Softmax(logits: T) -> softmax: T: e^x, scaled so that each row sums to 1. T: half, bfloat16,
 * float, double. */
static inline TF_Output weir_softmax(weir_builder *builder, const char *node, TF_Output logits)
{
    const TF_Output inputs[] = {logits};
    return weir_build_op(builder, "Softmax", node, inputs, 1);
}

/* SoftmaxCrossEntropyWithLogits(features: T, labels: T) -> loss: T, backprop: T: for each row the
 * cross entropy of Softmax with a distribution, and its gradient. T: half, bfloat16, float, double.
 * */
typedef struct weir_softmax_cross_entropy_with_logits_outputs {
    TF_Output loss;
    TF_Output backprop;
} weir_softmax_cross_entropy_with_logits_outputs;
static inline weir_softmax_cross_entropy_with_logits_outputs
weir_softmax_cross_entropy_with_logits(weir_builder *builder, const char *node, TF_Output features,
                                       TF_Output labels)
{
    const TF_Output inputs[] = {features, labels};
    TF_Operation *op = weir_build_op(builder, "SoftmaxCrossEntropyWithLogits", node, inputs, 2).oper;
    weir_softmax_cross_entropy_with_logits_outputs out;
    out.loss = weir_output(op, 0);
    out.backprop = weir_output(op, 1);
    return out;
}

/* Softplus(features: T) -> activations: T: log(1 + e^x). T: half, bfloat16, float, double. */
static inline TF_Output weir_softplus(weir_builder *builder, const char *node, TF_Output features)
{
    const TF_Output inputs[] = {features};
    return weir_build_op(builder, "Softplus", node, inputs, 1);
}

/* SoftplusGrad(gradients: T, features: T) -> backprops: T: the gradient of Softplus. T: half,
 * bfloat16, float, double. */
static inline TF_Output weir_softplus_grad(weir_builder *builder, const char *node,
                                           TF_Output gradients, TF_Output features)
{
    const TF_Output inputs[] = {gradients, features};
    return weir_build_op(builder, "SoftplusGrad", node, inputs, 2);
}

/* Softsign(features: T) -> activations: T: x / (1 + |x|). T: half, bfloat16, float, double. */
static inline TF_Output weir_softsign(weir_builder *builder, const char *node, TF_Output features)
{
    const TF_Output inputs[] = {features};
    return weir_build_op(builder, "Softsign", node, inputs, 1);
}

/* SoftsignGrad(gradients: T, features: T) -> backprops: T: the gradient of Softsign. T: half,
 * bfloat16, float, double. */
static inline TF_Output weir_softsign_grad(weir_builder *builder, const char *node,
                                           TF_Output gradients, TF_Output features)
{
    const TF_Output inputs[] = {gradients, features};
    return weir_build_op(builder, "SoftsignGrad", node, inputs, 2);
}

/* SparseSoftmaxCrossEntropyWithLogits(features: T, labels: Tlabels) -> loss: T, backprop: T: for
 * each row the cross entropy of Softmax with a class, and its gradient. T: half, bfloat16, float,
 * double. Tlabels: int32, int64. */
typedef struct weir_sparse_softmax_cross_entropy_with_logits_outputs {
    TF_Output loss;
    TF_Output backprop;
} weir_sparse_softmax_cross_entropy_with_logits_outputs;
static inline weir_sparse_softmax_cross_entropy_with_logits_outputs
weir_sparse_softmax_cross_entropy_with_logits(weir_builder *builder, const char *node,
                                              TF_Output features, TF_Output labels)
{
    const TF_Output inputs[] = {features, labels};
    TF_Operation *op = weir_build_op(builder, "SparseSoftmaxCrossEntropyWithLogits", node, inputs, 2).oper;
    weir_sparse_softmax_cross_entropy_with_logits_outputs out;
    out.loss = weir_output(op, 0);
    out.backprop = weir_output(op, 1);
    return out;
}

/* ThreadUnsafeUnigramCandidateSampler(true_classes: int64) -> sampled_candidates: int64,
 * true_expected_count: float, sampled_expected_count: float: classes drawn by their frequencies so
 * far. */
typedef struct weir_thread_unsafe_unigram_candidate_sampler_options {
    int64_t seed;
    int64_t seed2;
} weir_thread_unsafe_unigram_candidate_sampler_options;
typedef struct weir_thread_unsafe_unigram_candidate_sampler_outputs {
    TF_Output sampled_candidates;
    TF_Output true_expected_count;
    TF_Output sampled_expected_count;
} weir_thread_unsafe_unigram_candidate_sampler_outputs;
static inline weir_thread_unsafe_unigram_candidate_sampler_outputs
weir_thread_unsafe_unigram_candidate_sampler(weir_builder *builder, const char *node,
    TF_Output true_classes, int64_t num_true, int64_t num_sampled, bool unique, int64_t range_max,
    const weir_thread_unsafe_unigram_candidate_sampler_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "ThreadUnsafeUnigramCandidateSampler", node);
    weir_build_input(builder, made, true_classes);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
        TF_SetAttrInt(made, "num_sampled", num_sampled);
        TF_SetAttrBool(made, "unique", unique);
        TF_SetAttrInt(made, "range_max", range_max);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_thread_unsafe_unigram_candidate_sampler_outputs out;
    out.sampled_candidates = weir_output(op, 0);
    out.true_expected_count = weir_output(op, 1);
    out.sampled_expected_count = weir_output(op, 2);
    return out;
}

/* TopK(input: T) -> values: T, indices: int32: order statistics along the last dimension. T: float,
 * double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
typedef struct weir_top_k_options {
    bool not_sorted;
} weir_top_k_options;
typedef struct weir_top_k_outputs {
    TF_Output values;
    TF_Output indices;
} weir_top_k_outputs;
static inline weir_top_k_outputs weir_top_k(weir_builder *builder, const char *node,
                                            TF_Output input, int64_t k,
                                            const weir_top_k_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TopK", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "k", k);
    }
    if (made && options) {
        TF_SetAttrBool(made, "sorted", !options->not_sorted);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_top_k_outputs out;
    out.values = weir_output(op, 0);
    out.indices = weir_output(op, 1);
    return out;
}

/* TopKUnique(input: float) -> topk: float, topk_indices: int32. */
typedef struct weir_top_k_unique_outputs {
    TF_Output topk;
    TF_Output topk_indices;
} weir_top_k_unique_outputs;
static inline weir_top_k_unique_outputs weir_top_k_unique(weir_builder *builder, const char *node,
                                                          TF_Output input, int64_t k)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TopKUnique", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrInt(made, "k", k);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_top_k_unique_outputs out;
    out.topk = weir_output(op, 0);
    out.topk_indices = weir_output(op, 1);
    return out;
}

/* TopKV2(input: T, k: Tk) -> values: T, indices: index_type: order statistics along the last
 * dimension. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32,
 * uint64. Tk: int16, int32, int64. index_type: int16, int32, int64. */
typedef struct weir_top_k_v2_options {
    bool not_sorted;
    TF_DataType index_type; /* 0: TF_INT32; int16, int32, int64 */
} weir_top_k_v2_options;
typedef struct weir_top_k_v2_outputs {
    TF_Output values;
    TF_Output indices;
} weir_top_k_v2_outputs;
static inline weir_top_k_v2_outputs weir_top_k_v2(weir_builder *builder, const char *node,
                                                  TF_Output input, TF_Output k,
                                                  const weir_top_k_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TopKV2", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, k);
    if (made && options) {
        TF_SetAttrBool(made, "sorted", !options->not_sorted);
        if (options->index_type)
            TF_SetAttrType(made, "index_type", options->index_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_top_k_v2_outputs out;
    out.values = weir_output(op, 0);
    out.indices = weir_output(op, 1);
    return out;
}

/* UniformCandidateSampler(true_classes: int64) -> sampled_candidates: int64, true_expected_count:
 * float, sampled_expected_count: float: classes drawn uniformly. */
typedef struct weir_uniform_candidate_sampler_options {
    int64_t seed;
    int64_t seed2;
} weir_uniform_candidate_sampler_options;
typedef struct weir_uniform_candidate_sampler_outputs {
    TF_Output sampled_candidates;
    TF_Output true_expected_count;
    TF_Output sampled_expected_count;
} weir_uniform_candidate_sampler_outputs;
static inline weir_uniform_candidate_sampler_outputs
weir_uniform_candidate_sampler(weir_builder *builder, const char *node, TF_Output true_classes,
                               int64_t num_true, int64_t num_sampled, bool unique,
                               int64_t range_max,
                               const weir_uniform_candidate_sampler_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "UniformCandidateSampler", node);
    weir_build_input(builder, made, true_classes);
    if (made) {
        TF_SetAttrInt(made, "num_true", num_true);
        TF_SetAttrInt(made, "num_sampled", num_sampled);
        TF_SetAttrBool(made, "unique", unique);
        TF_SetAttrInt(made, "range_max", range_max);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_uniform_candidate_sampler_outputs out;
    out.sampled_candidates = weir_output(op, 0);
    out.true_expected_count = weir_output(op, 1);
    out.sampled_expected_count = weir_output(op, 2);
    return out;
}

#ifdef __cplusplus
}
#endif
#endif
