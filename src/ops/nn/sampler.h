/* ops/nn/sampler.h - distributions over [0, range) of the candidate samplers.
 *
 * The samples and their expected counts equal TensorFlow's for the same stream. Not
 * thread-safe.
 */
#ifndef WEIR_OPS_NN_SAMPLER_H
#define WEIR_OPS_NN_SAMPLER_H

#include "base/mem.h"
#include "base/status.h"
#include "math/random/philox.h"
#include "memory/buffer.h"

typedef enum weir_sampler_kind {
    WEIR_SAMPLER_ALL, /* every class once */
    WEIR_SAMPLER_UNIFORM,
    WEIR_SAMPLER_LOG_UNIFORM, /* Zipf's law: P(k) = log((k + 2) / (k + 1)) / log(range + 1) */
    WEIR_SAMPLER_UNIGRAM,     /* proportional to a class's count plus one */
    WEIR_SAMPLER_FIXED,       /* proportional to given weights */
} weir_sampler_kind;

typedef struct weir_candidate_sampler {
    weir_sampler_kind kind;
    int64_t range;
    double log_range;
    /* unigram: a sum tree; leaf k is tree[leaves + k], node i is the sum of 2i and 2i + 1 */
    int64_t leaves;
    weir_buffer *counts; /* in which the tree lies */
    int32_t *tree;
    /* fixed: alias table */
    float *weights, total_weight;
    float *keep;  /* probability of keeping a bucket ... */
    int32_t *alt; /* ... and its alias otherwise */
} weir_candidate_sampler;

/* FIXED takes |weights| (range of them, allocated by weir_alloc), which are null otherwise.
 * RESOURCE_EXHAUSTED where there is no room for UNIGRAM's tree. */
WEIR_CHECKED weir_status weir_candidate_sampler_init(weir_candidate_sampler *sampler,
                                                     weir_sampler_kind kind, int64_t range,
                                                     float *weights);
void weir_candidate_sampler_fini(weir_candidate_sampler *sampler);

typedef struct weir_sample {
    bool unique;
    int64_t count;  /* number of candidates to draw; at most range when unique */
    int64_t *drawn; /* count */
    float *drawn_expected;
    int64_t true_count;
    const int64_t *truth;
    float *true_expected;
} weir_sample;

/* Draws, and computes the expected counts of each drawn and each true class. */
void weir_candidate_sampler_draw(const weir_candidate_sampler *sampler, weir_philox gen,
                                 weir_sample *what);
/* Adds |classes| to the counts; those out of range are ignored. Only for UNIGRAM. */
void weir_candidate_sampler_learn(weir_candidate_sampler *sampler, const int64_t *classes,
                                  int64_t count);

#endif
