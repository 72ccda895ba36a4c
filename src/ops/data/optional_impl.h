/* ops/data/optional_impl.h - the variant of an Optional: an element, or none. */
#ifndef WEIR_OPS_DATA_OPTIONAL_IMPL_H
#define WEIR_OPS_DATA_OPTIONAL_IMPL_H

#include "ops/data/data_impl.h"

/* Sets output |out| to an optional that owns the tensors of |element|; null: no value. */
void weir_optional_output(weir_call *call, int out, weir_tensor *element, int count);

#endif
