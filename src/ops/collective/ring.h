/* ops/collective/ring.h - reduction and gathering over rings of a group's members.
 *
 * The result is cut into as many chunks as there are members, and each chunk travels round a ring:
 * once while members merge their own part into it, once more while they take the merged one. A
 * gathering needs one round. Further rings through the members, in other orders, carry subdivisions
 * of the chunks. Chunks, rings and keys are TensorFlow's, so that its tasks can be members.
 */
#ifndef WEIR_OPS_COLLECTIVE_RING_H
#define WEIR_OPS_COLLECTIVE_RING_H

#include "math/binary/binary.h"
#include "ops/collective/exchange.h"

typedef struct weir_ring_spec {
    bool reduces;           /* else it gathers */
    weir_binary_op merge;   /* of a reduction */
    bool divides;           /* the merged value, by the group's size */
    const int64_t *offsets; /* of the rings; none: as |most_subdivisions| says */
    int offset_count;
    int most_subdivisions; /* per device; -1: one ring; 0: a default */
} weir_ring_spec;

/* Divides |count| elements by the group's size. */
void weir_ring_divide(const weir_exchange *exchange, void *data, int64_t count);

/* An exchange with these first fields; its out is the result to be: a reduction's has the member's
 * own value, a gathering's is empty, and |own| is what the member gives (shared). |spec| and what
 * it points to must last as long as the call. */
void weir_ring_start(const weir_exchange *first, const weir_ring_spec *spec,
                     const weir_tensor *own);

#endif
