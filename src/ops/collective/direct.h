/* ops/collective/direct.h - a reduction in which every member takes everybody's whole value.
 *
 * It needs one exchange where a ring needs two rounds of them, and moves more bytes: for small
 * values, among members that are all Weir's. All add in the order of ranks, so that all have the
 * same result, bit by bit.
 */
#ifndef WEIR_OPS_COLLECTIVE_DIRECT_H
#define WEIR_OPS_COLLECTIVE_DIRECT_H

#include "ops/collective/ring.h"

typedef struct weir_direct weir_direct;

/* True where this is the faster way. The group is there. */
bool weir_direct_suits(const weir_exchange *exchange, const weir_ring_spec *spec);
/* Keeps the member's own value, which exchange->out has; to be freed with the exchange. */
weir_direct *weir_direct_new(weir_exchange *exchange, const weir_ring_spec *spec);
/* Starts it; the result goes to exchange->out. */
void weir_direct_run(weir_direct *direct);
void weir_direct_free(weir_direct *direct); /* takes null */

#endif
