/* ops/data/optional_impl.h - an element, or none: what a variant of an Optional op holds. */
#ifndef WEIR_OPS_DATA_OPTIONAL_IMPL_H
#define WEIR_OPS_DATA_OPTIONAL_IMPL_H

#include "ops/data/data_impl.h"

/* Output |out| becomes an optional that takes over the tensors of |element|; null: no value. */
void weir_optional_output(weir_call *call, int out, weir_tensor *element, int count);

#endif
