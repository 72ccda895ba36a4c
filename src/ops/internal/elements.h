/* ops/internal/elements.h - fused programs of element-wise ops.
 *
 * A program has four numbers per op; the last op computes the result:
 *
 *   loop (below 0: -1 - a binary loop), result, first argument, second argument
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
    WEIR_TILE_BYTES = 4096, /* size of a slot: all ops process one tile of this size at a time */
    WEIR_TILE_SLOTS = 8,
    WEIR_TILE_INPUTS = 32,
    WEIR_TILE_NUMBERS = 4,
};

typedef struct weir_tile {
    _Alignas(64) char slots[WEIR_TILE_SLOTS][WEIR_TILE_BYTES];
} weir_tile;

typedef struct weir_tile_op {
    weir_unary_fn unary; /* null: binary */
    weir_binary_fn binary;
    int to, x, y;
    bool looked;     /* may produce NaN or infinity from finite numbers: weir_tile_look */
    int first, sets; /* range of the parallel programs that the op belongs to */
} weir_tile_op;

/* Decodes one op of a program over |inputs| inputs. */
WEIR_CHECKED weir_status weir_tile_op_read(const int64_t *numbers, weir_elem elem, int inputs,
                                           weir_tile_op *out_op);
/* Checks the intermediate result of |op| for non-finite values, which later ops may hide, if
 * requested (weir_call.nonfinite). */
static inline void weir_tile_look(const weir_tile_op *op, atomic_int *nonfinite, weir_elem elem,
                                  const void *made, int64_t count)
{
    if (nonfinite && op->looked && !weir_finite(elem, made, count))
        atomic_store_explicit(nonfinite, -1, memory_order_relaxed);
}
/* The shape of a result: that of the non-scalar inputs. */
void weir_tile_infer(const weir_shape *const *in, int count, weir_shape *out);

#endif
