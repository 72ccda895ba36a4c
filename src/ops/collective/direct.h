/* ops/collective/direct.h - all-to-all reduction: every member receives all full values.
 *
 * It needs one round of transfers where a ring needs two full cycles, and moves more bytes: for
 * small values, if all members are Weir's. All members add in rank order, so that their results are
 * bit-identical.
 */
#ifndef WEIR_OPS_COLLECTIVE_DIRECT_H
#define WEIR_OPS_COLLECTIVE_DIRECT_H

#include "ops/collective/ring.h"

typedef struct weir_direct weir_direct;

/* True when this is faster. The group must be complete. */
bool weir_direct_suits(const weir_exchange *exchange, const weir_ring_spec *spec);
/* Copies the member's own value from exchange->out; free it with the exchange. */
weir_direct *weir_direct_new(weir_exchange *exchange, const weir_ring_spec *spec);
/* Starts it; the result goes to exchange->out. */
void weir_direct_run(weir_direct *direct);
void weir_direct_free(weir_direct *direct); /* takes null */

#endif
