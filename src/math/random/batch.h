/* math/random/batch.h - many groups of float normals at once, as vector code.
 *
 * Within a few ulp of the group-by-group way of fill.c, which is the definition.
 */
#ifndef WEIR_MATH_RANDOM_BATCH_H
#define WEIR_MATH_RANDOM_BATCH_H

#include "math/isa.h"
#include "math/random/philox.h"

enum { WEIR_BATCH = 64 }; /* groups of four */

typedef struct weir_random_batch {
    /* Group i is made of the block |blocks|[i] after |gen|. */
    void (*normals)(const weir_philox *gen, const uint64_t blocks[WEIR_BATCH], float *out);
} weir_random_batch;

WEIR_ISA_DECLARE(const weir_random_batch, weir_random_batch);

#endif
