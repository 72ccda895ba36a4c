/* data/order.c - the order of examples. */
#include "data/order.h"

#include "base/mem.h"
#include "data/random.h"

enum {
    HELD_OUT = 10, /* every tenth example of a source without splits is for testing */
    SHUFFLE_RECORDS = 10000,
    SHUFFLE_BYTES = 256 << 20, /* limit of the buffer for large records */
};

struct weir_order {
    weir_source *source;
    bool shuffle;
    uint64_t seed;
    int epochs, epoch;
    int shard, shards;
    weir_split split; /* for a source without splits; NONE: all */
    uint64_t given;
    bool started; /* the epoch's order is computed, or the stream is at its start */
    /* Of a random-access source: */
    int64_t count; /* examples of the split */
    int64_t *order;
    int64_t at;
    /* Of a stream: */
    weir_item *buffer; /* shuffle buffer */
    int64_t held, room;
    size_t held_bytes;
    int64_t read; /* records seen in this epoch */
    bool drained; /* the stream is at its end */
    weir_draws draws;
};

weir_order *weir_order_create(const weir_data_options *options, weir_source *source)
{
    weir_order *order = WEIR_NEW(weir_order);
    *order = (weir_order){
        .source = source,
        .shuffle = options->shuffle,
        .seed = options->seed,
        .epochs = options->epochs,
        .shard = source->sharded ? 0 : options->shard,
        .shards = source->sharded || options->shards < 1 ? 1 : options->shards,
        .split = source->is_whole ? weir_split_wanted(options) : WEIR_SPLIT_NONE,
        .room = !options->shuffle             ? 1
                : options->shuffle_buffer > 0 ? options->shuffle_buffer
                                              : SHUFFLE_RECORDS,
    };
    int64_t tests = source->count / HELD_OUT;
    order->count = order->split == WEIR_SPLIT_TEST    ? tests
                   : order->split == WEIR_SPLIT_TRAIN ? source->count - tests
                                                      : source->count;
    return order;
}

void weir_order_destroy(weir_order *order)
{
    if (!order)
        return;
    for (int64_t i = 0; order->buffer && i < order->room; i++)
        weir_buf_fini(&order->buffer[i].bytes);
    weir_free(order->buffer);
    weir_free(order->order);
    weir_free(order);
}

int64_t weir_order_examples(const weir_order *order)
{
    return order->source->count < 0 ? -1 : order->count;
}

/* ---- random-access sources ------------------------------------------------------------------- */

static void draw_order(weir_order *order)
{
    weir_draws draws = weir_draws_of(order->seed, (uint64_t)order->epoch);
    if (!order->order)
        order->order = WEIR_NEW_ARRAY(int64_t, order->count);
    for (int64_t i = 0; i < order->count; i++) {
        int64_t j = weir_draw_below(&draws, i + 1);
        order->order[i] = order->order[j];
        order->order[j] = i;
    }
}

/* The index in the source of the |nth| example of the split. */
static int64_t number_of(const weir_order *order, int64_t nth)
{
    switch (order->split) {
    case WEIR_SPLIT_TRAIN:
        return nth / (HELD_OUT - 1) * HELD_OUT + nth % (HELD_OUT - 1);
    case WEIR_SPLIT_TEST:
        return nth * HELD_OUT + HELD_OUT - 1;
    default:
        return nth;
    }
}

static void start_numbered(weir_order *order)
{
    if (order->shuffle)
        draw_order(order);
    order->at = order->shard;
}

/* False at the end of the epoch. */
static bool next_numbered(weir_order *order, weir_item *item)
{
    if (order->at >= order->count)
        return false;
    item->index = number_of(order, order->shuffle ? order->order[order->at] : order->at);
    order->at += order->shards;
    return true;
}

/* ---- streams --------------------------------------------------------------------------------- */

static weir_status start_stream(weir_order *order)
{
    WEIR_TRY(order->source->class->rewind(order->source));
    order->draws = weir_draws_of(order->seed, (uint64_t)order->epoch);
    order->read = 0;
    order->drained = false;
    if (!order->buffer)
        order->buffer = WEIR_NEW_ARRAY(weir_item, order->room);
    return WEIR_OK;
}

/* Whether record number |count| of the stream belongs to this split and shard. */
static bool is_ours(const weir_order *order, int64_t count)
{
    bool held_out = count % HELD_OUT == HELD_OUT - 1;
    int64_t nth = count; /* index within the split */
    if (order->split == WEIR_SPLIT_TRAIN)
        nth = count - count / HELD_OUT;
    else if (order->split == WEIR_SPLIT_TEST)
        nth = count / HELD_OUT;
    if (order->split != WEIR_SPLIT_NONE && held_out != (order->split == WEIR_SPLIT_TEST))
        return false;
    return nth % order->shards == order->shard;
}

static weir_status read_ours(weir_order *order, weir_item *item)
{
    do
        WEIR_TRY(order->source->class->read(order->source, item));
    while (!is_ours(order, order->read++));
    item->index = order->read - 1;
    return WEIR_OK;
}

static weir_status fill_buffer(weir_order *order)
{
    while (!order->drained && order->held < order->room && order->held_bytes < SHUFFLE_BYTES) {
        weir_item *item = &order->buffer[order->held];
        weir_status status = read_ours(order, item);
        if (weir_status_code(status) == WEIR_OUT_OF_RANGE) {
            weir_status_free(status);
            order->drained = true;
            return WEIR_OK;
        }
        WEIR_TRY(status);
        order->held_bytes += item->bytes.length;
        order->held++;
    }
    return WEIR_OK;
}

static void swap_items(weir_item *a, weir_item *b)
{
    weir_item other = *a;
    *a = *b;
    *b = other;
}

/* Swaps the caller's item with the drawn one, so that their buffers are reused. */
static weir_status next_of_stream(weir_order *order, weir_item *item, bool *out_more)
{
    WEIR_TRY(fill_buffer(order));
    *out_more = order->held > 0;
    if (!*out_more)
        return WEIR_OK;
    int64_t drawn = weir_draw_below(&order->draws, order->held);
    swap_items(item, &order->buffer[drawn]);
    order->held--;
    order->held_bytes -= item->bytes.length;
    swap_items(&order->buffer[drawn], &order->buffer[order->held]);
    return WEIR_OK;
}

/* ---- epochs ---------------------------------------------------------------------------------- */

static weir_status start_epoch(weir_order *order)
{
    order->started = true;
    if (order->source->count < 0)
        return start_stream(order);
    start_numbered(order);
    return WEIR_OK;
}

/* One step: an example (*out_more), or the end of an epoch. */
static weir_status next_or_turn(weir_order *order, weir_item *item, bool *out_more)
{
    if (!order->started)
        WEIR_TRY(start_epoch(order));
    *out_more = false;
    if (order->source->count < 0)
        WEIR_TRY(next_of_stream(order, item, out_more));
    else
        *out_more = next_numbered(order, item);
    if (*out_more)
        return WEIR_OK;
    order->started = false;
    order->epoch++;
    return WEIR_OK;
}

weir_status weir_order_next(weir_order *order, weir_item *item, bool *out_end)
{
    bool more = false;
    for (int turns = 0; !more; turns++) {
        *out_end = order->epochs > 0 && order->epoch >= order->epochs;
        if (*out_end)
            return WEIR_OK;
        if (turns > 1) /* a complete epoch was empty */
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "shard %d of %d has no examples: give fewer shards, or more data",
                              order->shard, order->shards);
        WEIR_TRY(next_or_turn(order, item, &more));
    }
    item->order = order->given++;
    return WEIR_OK;
}
