/* ops/collective/ops_impl.h - what the collective ops have in common: who and with whom. */
#ifndef WEIR_OPS_COLLECTIVE_OPS_IMPL_H
#define WEIR_OPS_COLLECTIVE_OPS_IMPL_H

#include "ops/collective/exchange.h"

/* The first fields of an exchange, but for the type and the shape. The group comes from the attrs
 * group_size, group_key and instance_key at 1, 2 and 3 ... */
WEIR_CHECKED weir_status weir_collective_of_attrs(weir_call *call, int timeout_attr,
                                                  weir_exchange *out);
/* ... or from three inputs of that order, from |first| on. */
WEIR_CHECKED weir_status weir_collective_of_inputs(weir_call *call, int first, int timeout_attr,
                                                   weir_exchange *out);

#endif
