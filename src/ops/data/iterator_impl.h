/* ops/data/iterator_impl.h - shared by the ops on iterators. */
#ifndef WEIR_OPS_DATA_ITERATOR_IMPL_H
#define WEIR_OPS_DATA_ITERATOR_IMPL_H

#include "ops/data/data_impl.h"
#include "state/iterator.h"

/* Sets a new iterator over |dataset|, after checking that its elements match |resource|. */
WEIR_CHECKED weir_status weir_iterator_resource_adopt(weir_iterator_resource *resource,
                                                      weir_dataset *dataset);
/* Sets output 0 to a handle that owns |resource| (takes ownership); output 1, if any, to a deleter:
 * a dummy variant, because handles own their objects. */
void weir_data_anonymous(weir_call *call, weir_resource *resource);

#endif
