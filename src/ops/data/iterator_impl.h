/* ops/data/iterator_impl.h - what the ops that make and use iterators share. */
#ifndef WEIR_OPS_DATA_ITERATOR_IMPL_H
#define WEIR_OPS_DATA_ITERATOR_IMPL_H

#include "ops/data/data_impl.h"
#include "state/iterator.h"

/* Sets a new iterator over |dataset|, once its elements are what |resource| expects. */
WEIR_CHECKED weir_status weir_iterator_resource_adopt(weir_iterator_resource *resource,
                                                      weir_dataset *dataset);
/* Output 0 becomes a handle that holds |resource| (taken over); output 1, where there is one, a
 * deleter: a variant that means nothing here, because handles hold what they name. */
void weir_data_anonymous(weir_call *call, weir_resource *resource);

#endif
