/* ops/collective/ops_impl.h - what the collective ops have in common: who and with whom. */
#ifndef WEIR_OPS_COLLECTIVE_OPS_IMPL_H
#define WEIR_OPS_COLLECTIVE_OPS_IMPL_H

#include "math/binary/binary.h"
#include "ops/collective/exchange.h"

/* The first fields of an exchange, but for the type and the shape. The group comes from the attrs
 * group_size, group_key and instance_key at 1, 2 and 3 ... */
WEIR_CHECKED weir_status weir_collective_of_attrs(weir_call *call, int timeout_attr,
                                                  weir_exchange *out);
/* ... or from three inputs of that order, from |first| on. */
WEIR_CHECKED weir_status weir_collective_of_inputs(weir_call *call, int first, int timeout_attr,
                                                   weir_exchange *out);

/* ... or from the communicator of input 1 and the row of input 2 that has the member's rank in it.
 */
WEIR_CHECKED weir_status weir_collective_of_communicator(weir_call *call, int timeout_attr,
                                                         weir_exchange *out);
/* What all of them begin with: size, key and instance of the group. */
WEIR_CHECKED weir_status weir_collective_begin(weir_call *call, const int64_t key[3],
                                               int timeout_attr, weir_exchange *out);
/* The reduction that an attr names. */
weir_binary_op weir_collective_merge(weir_str name);

#endif
