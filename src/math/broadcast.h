/* math/broadcast.h - iterates over several arrays of broadcast-compatible shapes.
 *
 * Shapes align at their last dimension; a dimension of 1 is repeated. Adjacent dimensions with
 * compatible strides in all operands are merged, so that common cases have one or two.
 */
#ifndef WEIR_MATH_BROADCAST_H
#define WEIR_MATH_BROADCAST_H

#include <stdbool.h>
#include <stdint.h>

enum { WEIR_BCAST_RANK = 16, WEIR_BCAST_OPERANDS = 3 };

typedef struct weir_bcast {
    int rank;      /* at least 1 */
    int operands;  /* number of inputs */
    int64_t count; /* elements of the result */
    int64_t dims[WEIR_BCAST_RANK];
    /* Stride of operand o along dimension d, in elements; 0 if broadcast. */
    int64_t strides[WEIR_BCAST_OPERANDS][WEIR_BCAST_RANK];
} weir_bcast;

/* Plans the iteration. False when the shapes are not compatible. */
bool weir_bcast_init(weir_bcast *bcast, int operands, const int *ranks, const int64_t *const *dims);

/* Sets the operands' offsets at result row |row|; rows run along the last merged dimension. */
void weir_bcast_seek(const weir_bcast *bcast, int64_t row, int64_t *offsets, int64_t *index);
/* Advances offsets to the next row; |index| is the odometer initialised by seek. */
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
