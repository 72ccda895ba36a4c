/* data/order.h - which example comes when: epochs, shuffling, shards, the part held out for
 * testing.
 *
 * A source that is not a stream is shuffled whole, anew each epoch; all shards draw the same order
 * and take every n-th of it. A stream goes through a buffer, out of which the next is drawn. One
 * thread at a time.
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
/* Examples an epoch has in all shards; -1: a stream. */
int64_t weir_order_examples(const weir_order *order);

#endif
