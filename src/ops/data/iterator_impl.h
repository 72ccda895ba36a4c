/* ops/data/iterator_impl.h - what the ops that make and use iterators share. */
#ifndef WEIR_OPS_DATA_ITERATOR_IMPL_H
#define WEIR_OPS_DATA_ITERATOR_IMPL_H

#include "ops/data/data_impl.h"
#include "state/iterator.h"

/* Sets a new iterator over |d|, once its elements are what |r| expects. */
WEIR_CHECKED weir_status weir_iterator_resource_adopt(weir_iterator_resource *r, weir_dataset *d);
/* Output 0 becomes a handle that holds |r| (taken over); output 1, where there is one, a deleter:
 * a variant that means nothing here, because handles hold what they name. */
void weir_data_anonymous(weir_call *c, weir_resource *r);

#endif
