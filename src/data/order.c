/* data/order.c - which example comes when. */
#include "data/order.h"

#include "base/mem.h"
#include "data/random.h"

enum {
    HELD_OUT = 10, /* every so manieth example of a source without parts is for testing */
    SHUFFLE_RECORDS = 10000,
    SHUFFLE_BYTES = 256 << 20, /* the buffer holds no more, however large records are */
};

struct weir_order {
    weir_source *source;
    bool shuffle;
    uint64_t seed;
    int epochs, epoch;
    int shard, shards;
    weir_split split; /* which examples of a source without parts; NONE: all */
    uint64_t given;
    bool started; /* the epoch's order is drawn, or the stream is at its front */
    /* Of a source with numbers: */
    int64_t count; /* examples of the split */
    int64_t *order;
    int64_t at;
    /* Of a stream: */
    weir_item *buffer; /* records to choose among */
    int64_t held, room;
    size_t held_bytes;
    int64_t read; /* records seen in this epoch */
    bool drained; /* the stream is at its end */
    weir_draws draws;
};

weir_order *weir_order_create(const weir_data_options *options, weir_source *source)
{
    weir_order *o = WEIR_NEW(weir_order);
    *o = (weir_order){
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
    o->count = o->split == WEIR_SPLIT_TEST    ? tests
               : o->split == WEIR_SPLIT_TRAIN ? source->count - tests
                                              : source->count;
    return o;
}

void weir_order_destroy(weir_order *o)
{
    if (!o)
        return;
    for (int64_t i = 0; o->buffer && i < o->room; i++)
        weir_buf_fini(&o->buffer[i].bytes);
    weir_free(o->buffer);
    weir_free(o->order);
    weir_free(o);
}

int64_t weir_order_examples(const weir_order *o)
{
    return o->source->count < 0 ? -1 : o->count;
}

/* ---- sources with numbers ---- */

static void draw_order(weir_order *o)
{
    weir_draws d = weir_draws_of(o->seed, (uint64_t)o->epoch);
    if (!o->order)
        o->order = WEIR_NEW_ARRAY(int64_t, o->count);
    for (int64_t i = 0; i < o->count; i++) {
        int64_t j = weir_draw_below(&d, i + 1);
        o->order[i] = o->order[j];
        o->order[j] = i;
    }
}

/* The number that the |nth| example of the split has in the source. */
static int64_t number_of(const weir_order *o, int64_t nth)
{
    switch (o->split) {
    case WEIR_SPLIT_TRAIN:
        return nth / (HELD_OUT - 1) * HELD_OUT + nth % (HELD_OUT - 1);
    case WEIR_SPLIT_TEST:
        return nth * HELD_OUT + HELD_OUT - 1;
    default:
        return nth;
    }
}

static void start_numbered(weir_order *o)
{
    if (o->shuffle)
        draw_order(o);
    o->at = o->shard;
}

/* False at the end of the epoch. */
static bool next_numbered(weir_order *o, weir_item *item)
{
    if (o->at >= o->count)
        return false;
    item->index = number_of(o, o->shuffle ? o->order[o->at] : o->at);
    o->at += o->shards;
    return true;
}

/* ---- streams ---- */

static weir_status start_stream(weir_order *o)
{
    WEIR_TRY(o->source->class->rewind(o->source));
    o->draws = weir_draws_of(o->seed, (uint64_t)o->epoch);
    o->read = 0;
    o->drained = false;
    if (!o->buffer)
        o->buffer = WEIR_NEW_ARRAY(weir_item, o->room);
    return WEIR_OK;
}

/* Whether the record of number |n| in the stream is one of ours. */
static bool is_ours(const weir_order *o, int64_t n)
{
    bool held_out = n % HELD_OUT == HELD_OUT - 1;
    int64_t nth = n; /* among those of the split */
    if (o->split == WEIR_SPLIT_TRAIN)
        nth = n - n / HELD_OUT;
    else if (o->split == WEIR_SPLIT_TEST)
        nth = n / HELD_OUT;
    if (o->split != WEIR_SPLIT_NONE && held_out != (o->split == WEIR_SPLIT_TEST))
        return false;
    return nth % o->shards == o->shard;
}

static weir_status read_ours(weir_order *o, weir_item *item)
{
    do
        WEIR_TRY(o->source->class->read(o->source, item));
    while (!is_ours(o, o->read++));
    item->index = o->read - 1;
    return WEIR_OK;
}

static weir_status fill_buffer(weir_order *o)
{
    while (!o->drained && o->held < o->room && o->held_bytes < SHUFFLE_BYTES) {
        weir_item *item = &o->buffer[o->held];
        weir_status s = read_ours(o, item);
        if (weir_status_code(s) == WEIR_OUT_OF_RANGE) {
            weir_status_free(s);
            o->drained = true;
            return WEIR_OK;
        }
        WEIR_TRY(s);
        o->held_bytes += item->bytes.length;
        o->held++;
    }
    return WEIR_OK;
}

static void swap_items(weir_item *a, weir_item *b)
{
    weir_item other = *a;
    *a = *b;
    *b = other;
}

/* The caller's item and the drawn one change places, so that their rooms are used again. */
static weir_status next_of_stream(weir_order *o, weir_item *item, bool *out_more)
{
    WEIR_TRY(fill_buffer(o));
    *out_more = o->held > 0;
    if (!*out_more)
        return WEIR_OK;
    int64_t drawn = weir_draw_below(&o->draws, o->held);
    swap_items(item, &o->buffer[drawn]);
    o->held--;
    o->held_bytes -= item->bytes.length;
    swap_items(&o->buffer[drawn], &o->buffer[o->held]);
    return WEIR_OK;
}

/* ---- epochs ---- */

static weir_status start_epoch(weir_order *o)
{
    o->started = true;
    if (o->source->count < 0)
        return start_stream(o);
    start_numbered(o);
    return WEIR_OK;
}

/* One step: an example (*out_more), or the end of an epoch. */
static weir_status next_or_turn(weir_order *o, weir_item *item, bool *out_more)
{
    if (!o->started)
        WEIR_TRY(start_epoch(o));
    *out_more = false;
    if (o->source->count < 0)
        WEIR_TRY(next_of_stream(o, item, out_more));
    else
        *out_more = next_numbered(o, item);
    if (*out_more)
        return WEIR_OK;
    o->started = false;
    o->epoch++;
    return WEIR_OK;
}

weir_status weir_order_next(weir_order *o, weir_item *item, bool *out_end)
{
    bool more = false;
    for (int turns = 0; !more; turns++) {
        *out_end = o->epochs > 0 && o->epoch >= o->epochs;
        if (*out_end)
            return WEIR_OK;
        if (turns > 1) /* a whole epoch gave nothing */
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "shard %d of %d has no examples: give fewer shards, or more data",
                              o->shard, o->shards);
        WEIR_TRY(next_or_turn(o, item, &more));
    }
    item->order = o->given++;
    return WEIR_OK;
}
