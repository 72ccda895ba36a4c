/* ops/data/shuffle.c - ShuffleDataset and its versions, ShuffleAndRepeatDataset.
 *
 * A buffer of elements; one of them, drawn at random, goes out and the next of the input comes in.
 * The draws are TensorFlow's, so equal seeds give the same order. Where the input is repeated, its
 * rounds may be in the buffer together, but those of an earlier one go out first.
 */
#include <inttypes.h>

#include "math/random/philox.h"
#include "ops/data/data_impl.h"

typedef struct shuffle {
    weir_dataset base;
    int64_t size;  /* of the buffer; WEIR_CARDINALITY_UNKNOWN: everything */
    int64_t count; /* rounds over the input; < 0: for ever */
    weir_seeder *seeder;
} shuffle;

/* The elements of one round that are in the buffer: [start, end) modulo its size. */
typedef struct slice {
    int64_t start, end;
} slice;

typedef struct shuffle_iterator {
    weir_iterator base;
    bool seeded, input_ended, any;
    int64_t round;
    weir_philox stream;
    weir_philox_single single;
    weir_element_list buffer; /* entries are null while free */
    int64_t held;
    WEIR_VEC(slice) slices;
} shuffle_iterator;

static void fini(weir_dataset *d)
{
    weir_ref_release((weir_ref *)((shuffle *)d)->seeder);
}

static void fini_iterator(weir_iterator *it)
{
    shuffle_iterator *s = (shuffle_iterator *)it;
    weir_elements_fini(&s->buffer, it->dataset->count);
    weir_vec_fini(&s->slices);
}

static int64_t cardinality(const weir_dataset *d)
{
    int64_t n = weir_dataset_cardinality(d->inputs[0]), count = ((const shuffle *)d)->count, all;
    if (count == 0 || n == 0)
        return 0;
    if (count < 0)
        return WEIR_CARDINALITY_INFINITE;
    return n < 0 ? n : __builtin_mul_overflow(n, count, &all) ? INT64_MAX : all;
}

/* Each round draws from a stream of its own. */
static void seed(shuffle_iterator *s)
{
    int64_t seeds[2];
    weir_seeder_next_at(((const shuffle *)s->base.dataset)->seeder, &s->base, seeds);
    s->stream = weir_philox_seeded((uint64_t)seeds[0], (uint64_t)seeds[1]);
    s->single = weir_philox_singles(&s->stream);
}

static void start(shuffle_iterator *s)
{
    if (s->seeded)
        return;
    seed(s);
    weir_vec_push(&s->slices, (slice){0, 0});
    s->seeded = true;
}

/* Puts |element| behind the last slice: at a new place, or at one that is free again. */
static void add(shuffle_iterator *s, weir_tensor *element)
{
    int64_t size = ((const shuffle *)s->base.dataset)->size;
    slice *last = &s->slices.at[s->slices.count - 1];
    int64_t at = size > 0 ? last->end % size : last->end;
    if (at == (int64_t)s->buffer.count)
        weir_vec_push(&s->buffer, element);
    else
        s->buffer.at[at] = element;
    last->end++;
    s->held++;
    s->any = true;
}

static void next_round(shuffle_iterator *s)
{
    const shuffle *d = (const shuffle *)s->base.dataset;
    int64_t end = s->slices.at[s->slices.count - 1].end;
    s->round++;
    /* An empty input would be asked for ever. */
    s->input_ended = (d->count >= 0 && s->round >= d->count) || (d->count < 0 && !s->any);
    if (s->input_ended)
        return;
    weir_iterator_restart(&s->base, 0);
    weir_vec_push(&s->slices, (slice){end, end});
}

static weir_status fill(shuffle_iterator *s, weir_run *run)
{
    const shuffle *d = (const shuffle *)s->base.dataset;
    while (!s->input_ended && (d->size < 0 || s->held < d->size)) {
        bool end;
        weir_tensor *element = weir_element_create(d->base.count);
        weir_status st = weir_iterator_pull(&s->base, 0, run, element, &end);
        if (st || end)
            weir_element_destroy(element, d->base.count);
        WEIR_TRY(st);
        if (end)
            next_round(s);
        else
            add(s, element);
    }
    return WEIR_OK;
}

static slice *first_slice(shuffle_iterator *s)
{
    size_t empty = 0;
    for (; empty + 1 < s->slices.count && s->slices.at[empty].start == s->slices.at[empty].end;
         empty++)
        seed(s);
    s->slices.count -= empty;
    memmove(s->slices.at, s->slices.at + empty, s->slices.count * sizeof(slice));
    return s->slices.at;
}

static void draw(shuffle_iterator *s, weir_tensor *out)
{
    slice *from = first_slice(s);
    int64_t room = (int64_t)s->buffer.count, size = ((const shuffle *)s->base.dataset)->size;
    if (size > 0)
        room = size;
    int64_t offset = weir_philox_u32(&s->single) % (from->end - from->start);
    int64_t at = (from->start + offset) % room, first = from->start % room;
    weir_tensor *element = s->buffer.at[at];
    s->buffer.at[at] = s->buffer.at[first];
    s->buffer.at[first] = NULL;
    for (int i = 0; i < s->base.dataset->count; i++)
        weir_tensor_move(&out[i], &element[i]);
    weir_free(element);
    from->start++;
    s->held--;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    shuffle_iterator *s = (shuffle_iterator *)it;
    start(s);
    if (((const shuffle *)it->dataset)->count == 0)
        s->input_ended = true;
    WEIR_TRY(fill(s, run));
    *out_end = s->held == 0;
    if (!*out_end)
        draw(s, out);
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "Shuffle",
    .bytes = sizeof(shuffle),
    .iterator_bytes = sizeof(shuffle_iterator),
    .like_input = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
    .cardinality = cardinality,
};

static weir_status make(weir_call *c)
{
    int64_t size, count = 1, seeds[2];
    const weir_attr *again = weir_data_attr(c->site, "reshuffle_each_iteration");
    shuffle *d;
    weir_seeder *seeder;
    WEIR_TRY(weir_data_int(c, "buffer_size", &size));
    WEIR_TRY(weir_data_int(c, "count", &count));
    if (size < 1 && size != WEIR_CARDINALITY_UNKNOWN)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "buffer_size must be greater than zero or UNKNOWN_CARDINALITY");
    if (size < 0 && count != 1)
        return weir_error(WEIR_UNIMPLEMENTED, "A repeated shuffle needs a buffer_size");
    WEIR_TRY(weir_data_seeds(c, seeds));
    WEIR_TRY(weir_seeder_of(c, seeds, !again || again->b, &seeder));
    weir_status s = weir_dataset_new(c, &fns, &d);
    if (s) {
        weir_ref_release((weir_ref *)seeder);
        return s;
    }
    d->size = size;
    d->count = count;
    d->seeder = seeder;
    weir_dataset_output(c, &d->base);
    return WEIR_OK;
}

#define AGAIN "reshuffle_each_iteration: bool = true"
#define BUFFER "input_dataset: variant; buffer_size: int64"
#define SEEDS "; seed: int64; seed2: int64"

WEIR_DATASET_OP(shuffle_dataset, "ShuffleDataset", BUFFER SEEDS,
                AGAIN "; " WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make);
WEIR_DATASET_OP(shuffle_dataset_v2, "ShuffleDatasetV2", BUFFER "; seed_generator: resource",
                WEIR_DATASET_TYPES WEIR_DATASET_META, WEIR_STATEFUL, make);
WEIR_DATASET_OP(shuffle_dataset_v3, "ShuffleDatasetV3", BUFFER SEEDS "; seed_generator: resource",
                AGAIN "; " WEIR_DATASET_TYPES WEIR_DATASET_META, WEIR_STATEFUL, make);
WEIR_DATASET_OP(shuffle_and_repeat_dataset, "ShuffleAndRepeatDataset",
                BUFFER SEEDS "; count: int64", WEIR_DATASET_TYPES "; " AGAIN WEIR_DATASET_META, 0,
                make);
WEIR_DATASET_OP(shuffle_and_repeat_dataset_v2, "ShuffleAndRepeatDatasetV2",
                BUFFER SEEDS "; count: int64; seed_generator: resource",
                AGAIN "; " WEIR_DATASET_TYPES WEIR_DATASET_META, WEIR_STATEFUL, make);
