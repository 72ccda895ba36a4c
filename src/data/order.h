/* data/order.h - the order of examples: epochs, shuffling, shards, the test
 * split.
 *
 * A random-access source is fully shuffled in each epoch; all shards compute the same permutation
 * and take every n-th example. A stream is shuffled through a buffer from which the next example is
 * drawn. Not thread-safe.
 */
#ifndef WEIR_DATA_ORDER_H
#define WEIR_DATA_ORDER_H

#include "data/source.h"

typedef struct weir_order weir_order;

/* |source| must outlive it. */
weir_order *weir_order_create(const weir_data_options *options, weir_source *source);
void weir_order_destroy(weir_order *order); /* takes null */
/* The next example, or *out_end. item->bytes is reused. */
WEIR_CHECKED weir_status weir_order_next(weir_order *order, weir_item *item, bool *out_end);
/* Examples per epoch in all shards; -1: a stream. */
int64_t weir_order_examples(const weir_order *order);

#endif
