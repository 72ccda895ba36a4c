/* weir/ops/random.h - random numbers.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_RANDOM_OPS_H
#define WEIR_RANDOM_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Multinomial(logits: T, num_samples: int32) -> output: output_dtype: classes drawn by their log
 * odds. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64.
 * output_dtype: int32, int64. */
typedef struct weir_multinomial_options {
    int64_t seed;
    int64_t seed2;
    TF_DataType output_dtype; /* 0: TF_INT64; int32, int64 */
} weir_multinomial_options;
static inline TF_Output weir_multinomial(weir_builder *builder, const char *node, TF_Output logits,
                                         TF_Output num_samples,
                                         const weir_multinomial_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Multinomial", node);
    weir_build_input(builder, made, logits);
    weir_build_input(builder, made, num_samples);
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
        if (options->output_dtype)
            TF_SetAttrType(made, "output_dtype", options->output_dtype);
    }
    return weir_build_end(builder, made);
}

/* NonDeterministicInts(shape: shape_dtype) -> output: dtype: random integers, from the system. */
typedef struct weir_non_deterministic_ints_options {
    TF_DataType dtype; /* 0: TF_INT64 */
} weir_non_deterministic_ints_options;
static inline TF_Output
weir_non_deterministic_ints(weir_builder *builder, const char *node, TF_Output shape,
                            const weir_non_deterministic_ints_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "NonDeterministicInts", node);
    weir_build_input(builder, made, shape);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* ParameterizedTruncatedNormal(shape: T, means: dtype, stdevs: dtype, minvals: dtype, maxvals:
 * dtype) -> output: dtype: truncated normal samples, with parameters per index of the first
 * dimension, or broadcast. dtype: half, bfloat16, float, double. T: int32, int64. */
typedef struct weir_parameterized_truncated_normal_options {
    int64_t seed;
    int64_t seed2;
} weir_parameterized_truncated_normal_options;
static inline TF_Output
weir_parameterized_truncated_normal(weir_builder *builder, const char *node, TF_Output shape,
                                    TF_Output means, TF_Output stdevs, TF_Output minvals,
                                    TF_Output maxvals,
                                    const weir_parameterized_truncated_normal_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ParameterizedTruncatedNormal", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, means);
    weir_build_input(builder, made, stdevs);
    weir_build_input(builder, made, minvals);
    weir_build_input(builder, made, maxvals);
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    return weir_build_end(builder, made);
}

/* RandomGamma(shape: S, alpha: T) -> output: T: draws of gamma distributions. S: int32, int64. T:
 * half, float, double. */
typedef struct weir_random_gamma_options {
    int64_t seed;
    int64_t seed2;
} weir_random_gamma_options;
static inline TF_Output weir_random_gamma(weir_builder *builder, const char *node, TF_Output shape,
                                          TF_Output alpha, const weir_random_gamma_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomGamma", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, alpha);
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    return weir_build_end(builder, made);
}

/* RandomIndexShuffle(index: dtype, seed: Tseed, max_index: dtype) -> output: dtype: the image of an
 * index under a random permutation. dtype: int32, uint32, int64, uint64. Tseed: int32, uint32,
 * int64, uint64. */
typedef struct weir_random_index_shuffle_options {
    int64_t rounds; /* 0: 4 */
} weir_random_index_shuffle_options;
static inline TF_Output weir_random_index_shuffle(weir_builder *builder, const char *node,
                                                  TF_Output index, TF_Output seed,
                                                  TF_Output max_index,
                                                  const weir_random_index_shuffle_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomIndexShuffle", node);
    weir_build_input(builder, made, index);
    weir_build_input(builder, made, seed);
    weir_build_input(builder, made, max_index);
    if (made && options) {
        if (options->rounds != 0)
            TF_SetAttrInt(made, "rounds", weir_int_of(options->rounds));
    }
    return weir_build_end(builder, made);
}

/* RandomPoisson(shape: S, rate: dtype) -> output: dtype: draws of Poisson distributions. S: int32,
 * int64. dtype: half, float, double. */
typedef struct weir_random_poisson_options {
    int64_t seed;
    int64_t seed2;
} weir_random_poisson_options;
static inline TF_Output weir_random_poisson(weir_builder *builder, const char *node,
                                            TF_Output shape, TF_Output rate,
                                            const weir_random_poisson_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomPoisson", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, rate);
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    return weir_build_end(builder, made);
}

/* RandomPoissonV2(shape: S, rate: R) -> output: dtype: draws of Poisson distributions. S: int32,
 * int64. R: half, float, double, int32, int64. dtype: half, float, double, int32, int64. */
typedef struct weir_random_poisson_v2_options {
    int64_t seed;
    int64_t seed2;
    TF_DataType dtype; /* 0: TF_INT64; half, float, double, int32, int64 */
} weir_random_poisson_v2_options;
static inline TF_Output weir_random_poisson_v2(weir_builder *builder, const char *node,
                                               TF_Output shape, TF_Output rate,
                                               const weir_random_poisson_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomPoissonV2", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, rate);
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* RandomShuffle(value: T) -> output: T: rows in random order. */
typedef struct weir_random_shuffle_options {
    int64_t seed;
    int64_t seed2;
} weir_random_shuffle_options;
static inline TF_Output weir_random_shuffle(weir_builder *builder, const char *node,
                                            TF_Output value,
                                            const weir_random_shuffle_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomShuffle", node);
    weir_build_input(builder, made, value);
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    return weir_build_end(builder, made);
}

/* RandomStandardNormal(shape: T) -> output: dtype: draws of the normal distribution. dtype: half,
 * bfloat16, float, double. T: int32, int64. */
typedef struct weir_random_standard_normal_options {
    int64_t seed;
    int64_t seed2;
} weir_random_standard_normal_options;
static inline TF_Output
weir_random_standard_normal(weir_builder *builder, const char *node, TF_Output shape,
                            TF_DataType dtype, const weir_random_standard_normal_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomStandardNormal", node);
    weir_build_input(builder, made, shape);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    return weir_build_end(builder, made);
}

/* RandomUniform(shape: T) -> output: dtype: draws from [0, 1). dtype: half, bfloat16, float,
 * double. T: int32, int64. */
typedef struct weir_random_uniform_options {
    int64_t seed;
    int64_t seed2;
} weir_random_uniform_options;
static inline TF_Output weir_random_uniform(weir_builder *builder, const char *node,
                                            TF_Output shape, TF_DataType dtype,
                                            const weir_random_uniform_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomUniform", node);
    weir_build_input(builder, made, shape);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    return weir_build_end(builder, made);
}

/* RandomUniformInt(shape: T, minval: Tout, maxval: Tout) -> output: Tout: integers from a lower up
 * to an upper bound. Tout: int32, int64. T: int32, int64. */
typedef struct weir_random_uniform_int_options {
    int64_t seed;
    int64_t seed2;
} weir_random_uniform_int_options;
static inline TF_Output weir_random_uniform_int(weir_builder *builder, const char *node,
                                                TF_Output shape, TF_Output minval, TF_Output maxval,
                                                const weir_random_uniform_int_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RandomUniformInt", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, minval);
    weir_build_input(builder, made, maxval);
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    return weir_build_end(builder, made);
}

/* RngReadAndSkip(resource: resource, alg: int32, delta: uint64) -> value: int64: a generator's
 * state, which is then advanced. */
static inline TF_Output weir_rng_read_and_skip(weir_builder *builder, const char *node,
                                               TF_Output resource, TF_Output alg, TF_Output delta)
{
    const TF_Output inputs[] = {resource, alg, delta};
    return weir_build_op(builder, "RngReadAndSkip", node, inputs, 3);
}

/* RngSkip(resource: resource, algorithm: int64, delta: int64): advances a generator. */
static inline TF_Operation *weir_rng_skip(weir_builder *builder, const char *node,
                                          TF_Output resource, TF_Output algorithm, TF_Output delta)
{
    const TF_Output inputs[] = {resource, algorithm, delta};
    return weir_build_op(builder, "RngSkip", node, inputs, 3).oper;
}

/* SobolSample(dim: int32, num_results: int32, skip: int32) -> samples: dtype: consecutive points of
 * Sobol's sequence. dtype: float, double. */
typedef struct weir_sobol_sample_options {
    TF_DataType dtype; /* 0: TF_FLOAT; float, double */
} weir_sobol_sample_options;
static inline TF_Output weir_sobol_sample(weir_builder *builder, const char *node, TF_Output dim,
                                          TF_Output num_results, TF_Output skip,
                                          const weir_sobol_sample_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SobolSample", node);
    weir_build_input(builder, made, dim);
    weir_build_input(builder, made, num_results);
    weir_build_input(builder, made, skip);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatefulRandomBinomial(resource: resource, algorithm: int64, shape: S, counts: T, probs: T) ->
 * output: dtype. S: int32, int64. T: half, float, double, int32, int64. dtype: half, float, double,
 * int32, int64. */
typedef struct weir_stateful_random_binomial_options {
    TF_DataType dtype; /* 0: TF_INT64; half, float, double, int32, int64 */
} weir_stateful_random_binomial_options;
static inline TF_Output
weir_stateful_random_binomial(weir_builder *builder, const char *node, TF_Output resource,
                              TF_Output algorithm, TF_Output shape, TF_Output counts,
                              TF_Output probs, const weir_stateful_random_binomial_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatefulRandomBinomial", node);
    weir_build_input(builder, made, resource);
    weir_build_input(builder, made, algorithm);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, counts);
    weir_build_input(builder, made, probs);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatefulStandardNormal(resource: resource, shape: shape_dtype) -> output: dtype: draws of the
 * normal distribution by a generator. */
typedef struct weir_stateful_standard_normal_options {
    TF_DataType dtype; /* 0: TF_FLOAT */
} weir_stateful_standard_normal_options;
static inline TF_Output
weir_stateful_standard_normal(weir_builder *builder, const char *node, TF_Output resource,
                              TF_Output shape, const weir_stateful_standard_normal_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatefulStandardNormal", node);
    weir_build_input(builder, made, resource);
    weir_build_input(builder, made, shape);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatefulStandardNormalV2(resource: resource, algorithm: int64, shape: shape_dtype) -> output:
 * dtype: draws of the normal distribution by a generator. */
typedef struct weir_stateful_standard_normal_v2_options {
    TF_DataType dtype; /* 0: TF_FLOAT */
} weir_stateful_standard_normal_v2_options;
static inline TF_Output
weir_stateful_standard_normal_v2(weir_builder *builder, const char *node, TF_Output resource,
                                 TF_Output algorithm, TF_Output shape,
                                 const weir_stateful_standard_normal_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatefulStandardNormalV2", node);
    weir_build_input(builder, made, resource);
    weir_build_input(builder, made, algorithm);
    weir_build_input(builder, made, shape);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatefulTruncatedNormal(resource: resource, algorithm: int64, shape: shape_dtype) -> output:
 * dtype: normal draws within two deviations, by a generator. */
typedef struct weir_stateful_truncated_normal_options {
    TF_DataType dtype; /* 0: TF_FLOAT */
} weir_stateful_truncated_normal_options;
static inline TF_Output
weir_stateful_truncated_normal(weir_builder *builder, const char *node, TF_Output resource,
                               TF_Output algorithm, TF_Output shape,
                               const weir_stateful_truncated_normal_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatefulTruncatedNormal", node);
    weir_build_input(builder, made, resource);
    weir_build_input(builder, made, algorithm);
    weir_build_input(builder, made, shape);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatefulUniform(resource: resource, algorithm: int64, shape: shape_dtype) -> output: dtype: draws
 * from [0, 1), by a generator. */
typedef struct weir_stateful_uniform_options {
    TF_DataType dtype; /* 0: TF_FLOAT */
} weir_stateful_uniform_options;
static inline TF_Output weir_stateful_uniform(weir_builder *builder, const char *node,
                                              TF_Output resource, TF_Output algorithm,
                                              TF_Output shape,
                                              const weir_stateful_uniform_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatefulUniform", node);
    weir_build_input(builder, made, resource);
    weir_build_input(builder, made, algorithm);
    weir_build_input(builder, made, shape);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatefulUniformFullInt(resource: resource, algorithm: int64, shape: shape_dtype) -> output:
 * dtype: integers of any value, by a generator. */
typedef struct weir_stateful_uniform_full_int_options {
    TF_DataType dtype; /* 0: TF_UINT64 */
} weir_stateful_uniform_full_int_options;
static inline TF_Output
weir_stateful_uniform_full_int(weir_builder *builder, const char *node, TF_Output resource,
                               TF_Output algorithm, TF_Output shape,
                               const weir_stateful_uniform_full_int_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatefulUniformFullInt", node);
    weir_build_input(builder, made, resource);
    weir_build_input(builder, made, algorithm);
    weir_build_input(builder, made, shape);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatefulUniformInt(resource: resource, algorithm: int64, shape: shape_dtype, minval: dtype,
 * maxval: dtype) -> output: dtype: integers from a lower up to an upper bound, by a generator. */
static inline TF_Output weir_stateful_uniform_int(weir_builder *builder, const char *node,
                                                  TF_Output resource, TF_Output algorithm,
                                                  TF_Output shape, TF_Output minval,
                                                  TF_Output maxval)
{
    const TF_Output inputs[] = {resource, algorithm, shape, minval, maxval};
    return weir_build_op(builder, "StatefulUniformInt", node, inputs, 5);
}

/* StatelessMultinomial(logits: T, num_samples: int32, seed: Tseed) -> output: output_dtype: classes
 * drawn by their log odds, from a seed alone. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. Tseed: int32, int64. output_dtype: int32, int64. */
typedef struct weir_stateless_multinomial_options {
    TF_DataType output_dtype; /* 0: TF_INT64; int32, int64 */
} weir_stateless_multinomial_options;
static inline TF_Output
weir_stateless_multinomial(weir_builder *builder, const char *node, TF_Output logits,
                           TF_Output num_samples, TF_Output seed,
                           const weir_stateless_multinomial_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatelessMultinomial", node);
    weir_build_input(builder, made, logits);
    weir_build_input(builder, made, num_samples);
    weir_build_input(builder, made, seed);
    if (made && options) {
        if (options->output_dtype)
            TF_SetAttrType(made, "output_dtype", options->output_dtype);
    }
    return weir_build_end(builder, made);
}

/* StatelessParameterizedTruncatedNormal(shape: S, seed: Tseed, means: dtype, stddevs: dtype,
 * minvals: dtype, maxvals: dtype) -> output: dtype: truncated normal samples, with parameters per
 * index of the first dimension, or broadcast. S: int32, int64. Tseed: int32, int64. dtype: half,
 * float, double. */
static inline TF_Output weir_stateless_parameterized_truncated_normal(weir_builder *builder,
                                                                      const char *node,
                                                                      TF_Output shape,
                                                                      TF_Output seed,
                                                                      TF_Output means,
                                                                      TF_Output stddevs,
                                                                      TF_Output minvals,
                                                                      TF_Output maxvals)
{
    const TF_Output inputs[] = {shape, seed, means, stddevs, minvals, maxvals};
    return weir_build_op(builder, "StatelessParameterizedTruncatedNormal", node, inputs, 6);
}

/* StatelessRandomBinomial(shape: S, seed: Tseed, counts: T, probs: T) -> output: dtype: draws of
 * binomial distributions, from a seed alone. S: int32, int64. Tseed: int32, int64. T: half, float,
 * double, int32, int64. dtype: half, float, double, int32, int64. */
typedef struct weir_stateless_random_binomial_options {
    TF_DataType dtype; /* 0: TF_INT64; half, float, double, int32, int64 */
} weir_stateless_random_binomial_options;
static inline TF_Output
weir_stateless_random_binomial(weir_builder *builder, const char *node, TF_Output shape,
                               TF_Output seed, TF_Output counts, TF_Output probs,
                               const weir_stateless_random_binomial_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatelessRandomBinomial", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, seed);
    weir_build_input(builder, made, counts);
    weir_build_input(builder, made, probs);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatelessRandomGammaV2(shape: T, seed: Tseed, alpha: dtype) -> output: dtype: draws of gamma
 * distributions, from a seed alone. dtype: half, float, double. T: int32, int64. Tseed: int32,
 * int64. */
static inline TF_Output weir_stateless_random_gamma_v2(weir_builder *builder, const char *node,
                                                       TF_Output shape, TF_Output seed,
                                                       TF_Output alpha)
{
    const TF_Output inputs[] = {shape, seed, alpha};
    return weir_build_op(builder, "StatelessRandomGammaV2", node, inputs, 3);
}

/* StatelessRandomGammaV3(shape: shape_dtype, key: uint64, counter: uint64, alg: int32, alpha:
 * dtype) -> output: dtype: draws of gamma distributions, from a seed alone. dtype: half, float,
 * double. shape_dtype: int32, int64. */
static inline TF_Output weir_stateless_random_gamma_v3(weir_builder *builder, const char *node,
                                                       TF_Output shape, TF_Output key,
                                                       TF_Output counter, TF_Output alg,
                                                       TF_Output alpha)
{
    const TF_Output inputs[] = {shape, key, counter, alg, alpha};
    return weir_build_op(builder, "StatelessRandomGammaV3", node, inputs, 5);
}

/* StatelessRandomGetAlg() -> alg: int32: the algorithm that this device draws by. */
static inline TF_Output weir_stateless_random_get_alg(weir_builder *builder, const char *node)
{
    return weir_build_op(builder, "StatelessRandomGetAlg", node, NULL, 0);
}

/* StatelessRandomGetKeyCounter(seed: Tseed) -> key: uint64, counter: uint64: key and counter of a
 * seed. Tseed: int32, int64. */
typedef struct weir_stateless_random_get_key_counter_outputs {
    TF_Output key;
    TF_Output counter;
} weir_stateless_random_get_key_counter_outputs;
static inline weir_stateless_random_get_key_counter_outputs
weir_stateless_random_get_key_counter(weir_builder *builder, const char *node, TF_Output seed)
{
    const TF_Output inputs[] = {seed};
    TF_Operation *op = weir_build_op(builder, "StatelessRandomGetKeyCounter", node, inputs, 1).oper;
    weir_stateless_random_get_key_counter_outputs out;
    out.key = weir_output(op, 0);
    out.counter = weir_output(op, 1);
    return out;
}

/* StatelessRandomGetKeyCounterAlg(seed: Tseed) -> key: uint64, counter: uint64, alg: int32: key,
 * counter and algorithm of a seed. Tseed: int32, int64. */
typedef struct weir_stateless_random_get_key_counter_alg_outputs {
    TF_Output key;
    TF_Output counter;
    TF_Output alg;
} weir_stateless_random_get_key_counter_alg_outputs;
static inline weir_stateless_random_get_key_counter_alg_outputs
weir_stateless_random_get_key_counter_alg(weir_builder *builder, const char *node, TF_Output seed)
{
    const TF_Output inputs[] = {seed};
    TF_Operation *op = weir_build_op(builder, "StatelessRandomGetKeyCounterAlg", node, inputs, 1).oper;
    weir_stateless_random_get_key_counter_alg_outputs out;
    out.key = weir_output(op, 0);
    out.counter = weir_output(op, 1);
    out.alg = weir_output(op, 2);
    return out;
}

/* StatelessRandomNormal(shape: T, seed: Tseed) -> output: dtype: draws of the normal distribution,
 * from a seed alone. dtype: half, bfloat16, float, double. T: int32, int64. Tseed: int32, int64. */
typedef struct weir_stateless_random_normal_options {
    TF_DataType dtype; /* 0: TF_FLOAT; half, bfloat16, float, double */
} weir_stateless_random_normal_options;
static inline TF_Output
weir_stateless_random_normal(weir_builder *builder, const char *node, TF_Output shape,
                             TF_Output seed, const weir_stateless_random_normal_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatelessRandomNormal", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, seed);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatelessRandomNormalV2(shape: Tshape, key: uint64, counter: uint64, alg: int32) -> output:
 * dtype: draws of the normal distribution, from a seed alone. dtype: half, bfloat16, float, double.
 * Tshape: int32, int64. */
typedef struct weir_stateless_random_normal_v2_options {
    TF_DataType dtype; /* 0: TF_FLOAT; half, bfloat16, float, double */
} weir_stateless_random_normal_v2_options;
static inline TF_Output
weir_stateless_random_normal_v2(weir_builder *builder, const char *node, TF_Output shape,
                                TF_Output key, TF_Output counter, TF_Output alg,
                                const weir_stateless_random_normal_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatelessRandomNormalV2", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, key);
    weir_build_input(builder, made, counter);
    weir_build_input(builder, made, alg);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatelessRandomPoisson(shape: T, seed: Tseed, lam: Rtype) -> output: dtype: draws of Poisson
 * distributions, from a seed alone. Rtype: half, float, double, int32, int64. dtype: half, float,
 * double, int32, int64. T: int32, int64. Tseed: int32, int64. */
static inline TF_Output weir_stateless_random_poisson(weir_builder *builder, const char *node,
                                                      TF_Output shape, TF_Output seed,
                                                      TF_Output lam, TF_DataType dtype)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatelessRandomPoisson", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, seed);
    weir_build_input(builder, made, lam);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    return weir_build_end(builder, made);
}

/* StatelessRandomUniform(shape: T, seed: Tseed) -> output: dtype: draws from [0, 1), from a seed
 * alone. dtype: half, bfloat16, float, double. T: int32, int64. Tseed: int32, int64. */
typedef struct weir_stateless_random_uniform_options {
    TF_DataType dtype; /* 0: TF_FLOAT; half, bfloat16, float, double */
} weir_stateless_random_uniform_options;
static inline TF_Output
weir_stateless_random_uniform(weir_builder *builder, const char *node, TF_Output shape,
                              TF_Output seed, const weir_stateless_random_uniform_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatelessRandomUniform", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, seed);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatelessRandomUniformFullInt(shape: T, seed: Tseed) -> output: dtype: integers of any value,
 * from a seed alone. dtype: int32, int64, uint32, uint64. T: int32, int64. Tseed: int32, int64,
 * uint32, uint64. */
typedef struct weir_stateless_random_uniform_full_int_options {
    TF_DataType dtype; /* 0: TF_UINT64; int32, int64, uint32, uint64 */
} weir_stateless_random_uniform_full_int_options;
static inline TF_Output
weir_stateless_random_uniform_full_int(weir_builder *builder, const char *node, TF_Output shape,
    TF_Output seed, const weir_stateless_random_uniform_full_int_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "StatelessRandomUniformFullInt", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, seed);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatelessRandomUniformFullIntV2(shape: Tshape, key: uint64, counter: uint64, alg: int32) ->
 * output: dtype: integers of any value, from a seed alone. dtype: int32, int64, uint32, uint64.
 * Tshape: int32, int64. */
typedef struct weir_stateless_random_uniform_full_int_v2_options {
    TF_DataType dtype; /* 0: TF_UINT64; int32, int64, uint32, uint64 */
} weir_stateless_random_uniform_full_int_v2_options;
static inline TF_Output
weir_stateless_random_uniform_full_int_v2(weir_builder *builder, const char *node, TF_Output shape,
    TF_Output key, TF_Output counter, TF_Output alg,
    const weir_stateless_random_uniform_full_int_v2_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "StatelessRandomUniformFullIntV2", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, key);
    weir_build_input(builder, made, counter);
    weir_build_input(builder, made, alg);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatelessRandomUniformInt(shape: T, seed: Tseed, minval: dtype, maxval: dtype) -> output: dtype:
 * integers from a lower up to an upper bound, from a seed alone. dtype: int32, int64. T: int32,
 * int64. Tseed: int32, int64. */
static inline TF_Output weir_stateless_random_uniform_int(weir_builder *builder, const char *node,
                                                          TF_Output shape, TF_Output seed,
                                                          TF_Output minval, TF_Output maxval)
{
    const TF_Output inputs[] = {shape, seed, minval, maxval};
    return weir_build_op(builder, "StatelessRandomUniformInt", node, inputs, 4);
}

/* StatelessRandomUniformIntV2(shape: Tshape, key: uint64, counter: uint64, alg: int32, minval:
 * dtype, maxval: dtype) -> output: dtype: integers from a lower up to an upper bound, from a seed
 * alone. dtype: int32, int64, uint32, uint64. Tshape: int32, int64. */
static inline TF_Output weir_stateless_random_uniform_int_v2(weir_builder *builder,
                                                             const char *node, TF_Output shape,
                                                             TF_Output key, TF_Output counter,
                                                             TF_Output alg, TF_Output minval,
                                                             TF_Output maxval)
{
    const TF_Output inputs[] = {shape, key, counter, alg, minval, maxval};
    return weir_build_op(builder, "StatelessRandomUniformIntV2", node, inputs, 6);
}

/* StatelessRandomUniformV2(shape: Tshape, key: uint64, counter: uint64, alg: int32) -> output:
 * dtype: draws from [0, 1), from a seed alone. dtype: half, bfloat16, float, double. Tshape: int32,
 * int64. */
typedef struct weir_stateless_random_uniform_v2_options {
    TF_DataType dtype; /* 0: TF_FLOAT; half, bfloat16, float, double */
} weir_stateless_random_uniform_v2_options;
static inline TF_Output
weir_stateless_random_uniform_v2(weir_builder *builder, const char *node, TF_Output shape,
                                 TF_Output key, TF_Output counter, TF_Output alg,
                                 const weir_stateless_random_uniform_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatelessRandomUniformV2", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, key);
    weir_build_input(builder, made, counter);
    weir_build_input(builder, made, alg);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatelessShuffle(value: T, key: uint64, counter: uint64, alg: int32) -> output: T: rows in random
 * order. */
static inline TF_Output weir_stateless_shuffle(weir_builder *builder, const char *node,
                                               TF_Output value, TF_Output key, TF_Output counter,
                                               TF_Output alg)
{
    const TF_Output inputs[] = {value, key, counter, alg};
    return weir_build_op(builder, "StatelessShuffle", node, inputs, 4);
}

/* StatelessTruncatedNormal(shape: T, seed: Tseed) -> output: dtype: normal draws within two
 * deviations, from a seed alone. dtype: half, bfloat16, float, double. T: int32, int64. Tseed:
 * int32, int64. */
typedef struct weir_stateless_truncated_normal_options {
    TF_DataType dtype; /* 0: TF_FLOAT; half, bfloat16, float, double */
} weir_stateless_truncated_normal_options;
static inline TF_Output
weir_stateless_truncated_normal(weir_builder *builder, const char *node, TF_Output shape,
                                TF_Output seed,
                                const weir_stateless_truncated_normal_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatelessTruncatedNormal", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, seed);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StatelessTruncatedNormalV2(shape: Tshape, key: uint64, counter: uint64, alg: int32) -> output:
 * dtype: normal draws within two deviations, from a seed alone. dtype: half, bfloat16, float,
 * double. Tshape: int32, int64. */
typedef struct weir_stateless_truncated_normal_v2_options {
    TF_DataType dtype; /* 0: TF_FLOAT; half, bfloat16, float, double */
} weir_stateless_truncated_normal_v2_options;
static inline TF_Output
weir_stateless_truncated_normal_v2(weir_builder *builder, const char *node, TF_Output shape,
                                   TF_Output key, TF_Output counter, TF_Output alg,
                                   const weir_stateless_truncated_normal_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StatelessTruncatedNormalV2", node);
    weir_build_input(builder, made, shape);
    weir_build_input(builder, made, key);
    weir_build_input(builder, made, counter);
    weir_build_input(builder, made, alg);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* StochasticCastToInt(input: Tin, key: uint64, counter: uint64, alg: int32) -> output: Tout: rounds
 * to one of the two adjacent integers with probabilities that preserve the mean. Tin: half,
 * bfloat16, float, double. Tout: int8, int16, int32. */
static inline TF_Output weir_stochastic_cast_to_int(weir_builder *builder, const char *node,
                                                    TF_Output input, TF_Output key,
                                                    TF_Output counter, TF_Output alg,
                                                    TF_DataType Tout)
{
    TF_OperationDescription *made = weir_build_begin(builder, "StochasticCastToInt", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, key);
    weir_build_input(builder, made, counter);
    weir_build_input(builder, made, alg);
    if (made) {
        TF_SetAttrType(made, "Tout", Tout);
    }
    return weir_build_end(builder, made);
}

/* TruncatedNormal(shape: T) -> output: dtype: normal draws within two deviations. dtype: half,
 * bfloat16, float, double. T: int32, int64. */
typedef struct weir_truncated_normal_options {
    int64_t seed;
    int64_t seed2;
} weir_truncated_normal_options;
static inline TF_Output weir_truncated_normal(weir_builder *builder, const char *node,
                                              TF_Output shape, TF_DataType dtype,
                                              const weir_truncated_normal_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TruncatedNormal", node);
    weir_build_input(builder, made, shape);
    if (made) {
        TF_SetAttrType(made, "dtype", dtype);
    }
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
        TF_SetAttrInt(made, "seed2", options->seed2);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
