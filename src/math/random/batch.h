/* math/random/batch.h - vectorized generation of many groups of floats.
 *
 * Normals are within a few ulp of the scalar code in fill.c, which is the reference; uniform
 * numbers are bit-identical to it.
 */
#ifndef WEIR_MATH_RANDOM_BATCH_H
#define WEIR_MATH_RANDOM_BATCH_H

#include "math/isa.h"
#include "math/random/philox.h"

enum { WEIR_BATCH = 64 }; /* groups of four */

typedef struct weir_random_batch {
    /* Group i uses the block |blocks|[i] after |gen|. */
    void (*normals)(const weir_philox *gen, const uint64_t blocks[WEIR_BATCH], float *out);
    void (*uniforms)(const weir_philox *gen, const uint64_t blocks[WEIR_BATCH], float *out);
    /* y = x * scale where u >= rate, else 0; and the mask, eight elements per byte, lowest bit
     * first. One batch of elements, of which |n| are valid; x may be y. */
    void (*drop)(const float *u, float rate, float scale, int64_t n, const float *x, float *y,
                 uint8_t *bits);
    /* y = x * scale where the bit is set, else 0. */
    void (*mask)(const uint8_t *bits, float scale, int64_t n, const float *x, float *y);
} weir_random_batch;

WEIR_ISA_DECLARE(const weir_random_batch, weir_random_batch);

#endif
