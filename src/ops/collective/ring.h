/* ops/collective/ring.h - ring reduction and ring gather over a group's members.
 *
 * The result is split into one chunk per member, and each chunk circulates on a ring: once while
 * members reduce their own part into it, once more to distribute the result. A gather needs one
 * cycle. Further rings, in other member orders, carry subdivisions of the chunks. Chunks, rings and
 * keys are TensorFlow's, so that its tasks can be members.
 */
#ifndef WEIR_OPS_COLLECTIVE_RING_H
#define WEIR_OPS_COLLECTIVE_RING_H

#include "math/binary/binary.h"
#include "ops/collective/exchange.h"

typedef struct weir_ring_spec {
    bool reduces;           /* false: gather */
    weir_binary_op merge;   /* of a reduction */
    bool divides;           /* divide the result by the group's size */
    const int64_t *offsets; /* of the rings; none: see |most_subdivisions| */
    int offset_count;
    int most_subdivisions; /* per device; -1: one ring; 0: a default */
} weir_ring_spec;

/* Divides |count| elements by the group's size. */
void weir_ring_divide(const weir_exchange *exchange, void *data, int64_t count);

/* Starts a ring over |first|'s fields; its out is the result: for a reduction the member's own
 * value, for a gather empty, and |own| is the member's contribution (shared). |spec| and what it
 * points to must outlive the call. */
void weir_ring_start(const weir_exchange *first, const weir_ring_spec *spec,
                     const weir_tensor *own);

#endif
