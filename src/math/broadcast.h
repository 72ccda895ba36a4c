/* math/broadcast.h - walking several arrays of broadcast-compatible shapes at once.
 *
 * Shapes align at their last dimension; a dimension of 1 is repeated. Neighbouring dimensions that
 * all operands walk alike are merged, so that common cases end as one or two dimensions.
 */
#ifndef WEIR_MATH_BROADCAST_H
#define WEIR_MATH_BROADCAST_H

#include <stdbool.h>
#include <stdint.h>

enum { WEIR_BCAST_RANK = 16, WEIR_BCAST_OPERANDS = 3 };

typedef struct weir_bcast {
    int rank;      /* at least 1 */
    int operands;  /* how many inputs */
    int64_t count; /* elements of the result */
    int64_t dims[WEIR_BCAST_RANK];
    /* Elements to step in operand o for one along dimension d; 0 where it is repeated. */
    int64_t strides[WEIR_BCAST_OPERANDS][WEIR_BCAST_RANK];
} weir_bcast;

/* Plans the walk. False when the shapes are not compatible. */
bool weir_bcast_init(weir_bcast *bcast, int operands, const int *ranks, const int64_t *const *dims);

/* Where operands are at result row |row|, rows running along the last merged dimension. */
void weir_bcast_seek(const weir_bcast *bcast, int64_t row, int64_t *offsets, int64_t *index);
/* Moves offsets to the next row; |index| is the odometer that seek started. */
static inline void weir_bcast_next(const weir_bcast *bcast, int64_t *offsets, int64_t *index)
{
    for (int d = bcast->rank - 2; d >= 0; d--) {
        for (int o = 0; o < bcast->operands; o++)
            offsets[o] += bcast->strides[o][d];
        if (++index[d] < bcast->dims[d])
            return;
        index[d] = 0;
        for (int o = 0; o < bcast->operands; o++)
            offsets[o] -= bcast->strides[o][d] * bcast->dims[d];
    }
}

#endif
