/* ops/lookup/lookup_impl.h - shared by the table ops. */
#ifndef WEIR_OPS_LOOKUP_LOOKUP_IMPL_H
#define WEIR_OPS_LOOKUP_LOOKUP_IMPL_H

#include "ops/state/named.h"
#include "state/lookup.h"

/* The table of input 0. Retained. */
WEIR_CHECKED weir_status weir_lookup_input(weir_call *call, weir_lookup **out_table);
/* The same; it must be an immutable table. */
WEIR_CHECKED weir_status weir_lookup_fixed_input(weir_call *call, weir_lookup **out_table);

#endif
