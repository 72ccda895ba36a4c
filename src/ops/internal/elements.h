/* ops/internal/elements.h - programs of element-wise ops, for the ops that run them.
 *
 * A program has four numbers for every op, the result being that of the last:
 *
 *   which loop (below 0: -1 - a loop of two arguments), result, first argument, second argument
 *
 * A result is a slot, numbered from 0; an argument is a slot, or below 0: -1 - an input.
 */
#ifndef WEIR_OPS_INTERNAL_ELEMENTS_H
#define WEIR_OPS_INTERNAL_ELEMENTS_H

#include "math/binary/binary.h"
#include "math/finite/finite.h"
#include "math/unary/unary.h"
#include "op/op.h"

enum {
    WEIR_TILE_BYTES = 4096, /* of a slot: all ops run on so much of a tensor at once */
    WEIR_TILE_SLOTS = 8,
    WEIR_TILE_INPUTS = 32,
    WEIR_TILE_NUMBERS = 4,
};

typedef struct weir_tile {
    _Alignas(64) char slots[WEIR_TILE_SLOTS][WEIR_TILE_BYTES];
} weir_tile;

typedef struct weir_tile_op {
    weir_unary_fn unary; /* null: the other */
    weir_binary_fn binary;
    int to, x, y;
    bool looked;     /* may make a NaN or an infinity of ordinary numbers: weir_tile_look */
    int first, sets; /* of the programs side by side, those that it is for */
} weir_tile_op;

/* Reads one op of a program over |inputs| inputs. */
WEIR_CHECKED weir_status weir_tile_op_read(const int64_t *numbers, weir_elem elem, int inputs,
                                           weir_tile_op *out_op);
/* Looks at what |op| made within a loop, which the ops after it may hide, where that is asked for
 * (weir_call.nonfinite). */
static inline void weir_tile_look(const weir_tile_op *op, atomic_int *nonfinite, weir_elem elem,
                                  const void *made, int64_t count)
{
    if (nonfinite && op->looked && !weir_finite(elem, made, count))
        atomic_store_explicit(nonfinite, -1, memory_order_relaxed);
}
/* The shape of a result: that of the inputs that are not single values. */
void weir_tile_infer(const weir_shape *const *in, int count, weir_shape *out);

#endif
