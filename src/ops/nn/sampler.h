/* ops/nn/sampler.h - distributions over [0, range) that candidate samplers draw from.
 *
 * The numbers drawn, and how often each is expected, are TensorFlow's for the same stream. One
 * thread at a time.
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
    WEIR_SAMPLER_UNIGRAM,     /* by how often a class was seen, plus one */
    WEIR_SAMPLER_FIXED,       /* by given weights */
} weir_sampler_kind;

typedef struct weir_candidate_sampler {
    weir_sampler_kind kind;
    int64_t range;
    double log_range;
    /* unigram: a tree of sums; leaf k is tree[leaves + k], node i sums 2i and 2i + 1 */
    int64_t leaves;
    weir_buffer *counts; /* in which the tree lies */
    int32_t *tree;
    /* fixed: alias table */
    float *weights, total_weight;
    float *keep;  /* probability of staying in a bucket ... */
    int32_t *alt; /* ... and where to go otherwise */
} weir_candidate_sampler;

/* FIXED takes |weights| (range of them, allocated by weir_alloc), which are null otherwise.
 * RESOURCE_EXHAUSTED where there is no room for UNIGRAM's tree. */
WEIR_CHECKED weir_status weir_candidate_sampler_init(weir_candidate_sampler *sampler,
                                                     weir_sampler_kind kind, int64_t range,
                                                     float *weights);
void weir_candidate_sampler_fini(weir_candidate_sampler *sampler);

typedef struct weir_sample {
    bool unique;
    int64_t count;  /* candidates to draw; at most range when unique */
    int64_t *drawn; /* count */
    float *drawn_expected;
    int64_t true_count;
    const int64_t *truth;
    float *true_expected;
} weir_sample;

/* Draws, and fills in the expected counts of each drawn and each true class. */
void weir_candidate_sampler_draw(const weir_candidate_sampler *sampler, weir_philox gen,
                                 weir_sample *what);
/* Counts |classes| as seen; those outside the range are ignored. Only UNIGRAM learns. */
void weir_candidate_sampler_learn(weir_candidate_sampler *sampler, const int64_t *classes,
                                  int64_t count);

#endif
