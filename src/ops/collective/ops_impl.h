/* ops/collective/ops_impl.h - group parameters of the collective ops. */
#ifndef WEIR_OPS_COLLECTIVE_OPS_IMPL_H
#define WEIR_OPS_COLLECTIVE_OPS_IMPL_H

#include "math/binary/binary.h"
#include "ops/collective/exchange.h"

/* Initialises an exchange, except for the type and the shape. The group comes from the attrs
 * group_size, group_key and instance_key at 1, 2 and 3 ... */
WEIR_CHECKED weir_status weir_collective_of_attrs(weir_call *call, int timeout_attr,
                                                  weir_exchange *out);
/* ... or from three inputs in this order, starting at |first|. */
WEIR_CHECKED weir_status weir_collective_of_inputs(weir_call *call, int first, int timeout_attr,
                                                   weir_exchange *out);

/* ... or from the communicator of input 1; the member's rank comes from input 2. */
WEIR_CHECKED weir_status weir_collective_of_communicator(weir_call *call, int timeout_attr,
                                                         weir_exchange *out);
/* Common to all: size, key and instance of the group. */
WEIR_CHECKED weir_status weir_collective_begin(weir_call *call, const int64_t key[3],
                                               int timeout_attr, weir_exchange *out);
/* The reduction named by an attr. */
weir_binary_op weir_collective_merge(weir_str name);

#endif
