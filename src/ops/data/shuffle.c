/* ops/data/shuffle.c - ShuffleDataset and its versions, ShuffleAndRepeatDataset.
 *
 * A shuffle buffer: a random element is returned and replaced by the next of the input. The random
 * numbers are TensorFlow's, so equal seeds give the same order. If the input is repeated, the
 * buffer may contain several rounds, but elements of an earlier round are returned first.
 */
#include <inttypes.h>

#include "math/random/philox.h"
#include "ops/data/data_impl.h"

typedef struct shuffle {
    weir_dataset base;
    int64_t size;  /* of the buffer; WEIR_CARDINALITY_UNKNOWN: unlimited */
    int64_t count; /* rounds over the input; < 0: infinite */
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
    weir_element_list buffer; /* free entries are null */
    int64_t held;
    WEIR_VEC(slice) slices;
} shuffle_iterator;

static void fini(weir_dataset *dataset)
{
    weir_ref_release((weir_ref *)((shuffle *)dataset)->seeder);
}

static void fini_iterator(weir_iterator *it)
{
    shuffle_iterator *iterator = (shuffle_iterator *)it;
    weir_elements_fini(&iterator->buffer, it->dataset->count);
    weir_vec_fini(&iterator->slices);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    int64_t n = weir_dataset_cardinality(dataset->inputs[0]),
            count = ((const shuffle *)dataset)->count, all;
    if (count == 0 || n == 0)
        return 0;
    if (count < 0)
        return WEIR_CARDINALITY_INFINITE;
    return n < 0 ? n : __builtin_mul_overflow(n, count, &all) ? INT64_MAX : all;
}

/* Each round has its own random stream. */
static void seed(shuffle_iterator *iterator)
{
    int64_t seeds[2];
    weir_seeder_next_at(((const shuffle *)iterator->base.dataset)->seeder, &iterator->base, seeds);
    iterator->stream = weir_philox_seeded((uint64_t)seeds[0], (uint64_t)seeds[1]);
    iterator->single = weir_philox_singles(&iterator->stream);
}

static void start(shuffle_iterator *iterator)
{
    if (iterator->seeded)
        return;
    seed(iterator);
    weir_vec_push(&iterator->slices, (slice){0, 0});
    iterator->seeded = true;
}

/* Appends |element| to the last slice: in a new entry, or in one that is free. */
static void add(shuffle_iterator *iterator, weir_tensor *element)
{
    int64_t size = ((const shuffle *)iterator->base.dataset)->size;
    slice *last = &iterator->slices.at[iterator->slices.count - 1];
    int64_t at = size > 0 ? last->end % size : last->end;
    if (at == (int64_t)iterator->buffer.count)
        weir_vec_push(&iterator->buffer, element);
    else
        iterator->buffer.at[at] = element;
    last->end++;
    iterator->held++;
    iterator->any = true;
}

static void next_round(shuffle_iterator *iterator)
{
    const shuffle *this_shuffle = (const shuffle *)iterator->base.dataset;
    int64_t end = iterator->slices.at[iterator->slices.count - 1].end;
    iterator->round++;
    /* An empty input would loop forever. */
    iterator->input_ended = (this_shuffle->count >= 0 && iterator->round >= this_shuffle->count) ||
                            (this_shuffle->count < 0 && !iterator->any);
    if (iterator->input_ended)
        return;
    weir_iterator_restart(&iterator->base, 0);
    weir_vec_push(&iterator->slices, (slice){end, end});
}

static weir_status fill(shuffle_iterator *iterator, weir_run *run)
{
    const shuffle *this_shuffle = (const shuffle *)iterator->base.dataset;
    while (!iterator->input_ended &&
           (this_shuffle->size < 0 || iterator->held < this_shuffle->size)) {
        bool end;
        weir_tensor *element = weir_element_create(this_shuffle->base.count);
        weir_status st = weir_iterator_pull(&iterator->base, 0, run, element, &end);
        if (st || end)
            weir_element_destroy(element, this_shuffle->base.count);
        WEIR_TRY(st);
        if (end)
            next_round(iterator);
        else
            add(iterator, element);
    }
    return WEIR_OK;
}

static slice *first_slice(shuffle_iterator *iterator)
{
    size_t empty = 0;
    for (; empty + 1 < iterator->slices.count &&
           iterator->slices.at[empty].start == iterator->slices.at[empty].end;
         empty++)
        seed(iterator);
    iterator->slices.count -= empty;
    memmove(iterator->slices.at, iterator->slices.at + empty,
            iterator->slices.count * sizeof(slice));
    return iterator->slices.at;
}

static void draw(shuffle_iterator *iterator, weir_tensor *out)
{
    slice *from = first_slice(iterator);
    int64_t room = (int64_t)iterator->buffer.count,
            size = ((const shuffle *)iterator->base.dataset)->size;
    if (size > 0)
        room = size;
    int64_t offset = weir_philox_u32(&iterator->single) % (from->end - from->start);
    int64_t at = (from->start + offset) % room, first = from->start % room;
    weir_tensor *element = iterator->buffer.at[at];
    iterator->buffer.at[at] = iterator->buffer.at[first];
    iterator->buffer.at[first] = NULL;
    for (int i = 0; i < iterator->base.dataset->count; i++)
        weir_tensor_move(&out[i], &element[i]);
    weir_free(element);
    from->start++;
    iterator->held--;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    shuffle_iterator *iterator = (shuffle_iterator *)it;
    start(iterator);
    if (((const shuffle *)it->dataset)->count == 0)
        iterator->input_ended = true;
    WEIR_TRY(fill(iterator, run));
    *out_end = iterator->held == 0;
    if (!*out_end)
        draw(iterator, out);
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

static weir_status make(weir_call *call)
{
    int64_t size, count = 1, seeds[2];
    const weir_attr *again = weir_data_attr(call->site, "reshuffle_each_iteration");
    shuffle *shuffle;
    weir_seeder *seeder;
    WEIR_TRY(weir_data_int(call, "buffer_size", &size));
    WEIR_TRY(weir_data_int(call, "count", &count));
    if (size < 1 && size != WEIR_CARDINALITY_UNKNOWN)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "buffer_size must be greater than zero or UNKNOWN_CARDINALITY");
    if (size < 0 && count != 1)
        return weir_error(WEIR_UNIMPLEMENTED, "A repeated shuffle needs a buffer_size");
    WEIR_TRY(weir_data_seeds(call, seeds));
    WEIR_TRY(weir_seeder_of(call, seeds, !again || again->b, &seeder));
    weir_status status = weir_dataset_new(call, &fns, &shuffle);
    if (status) {
        weir_ref_release((weir_ref *)seeder);
        return status;
    }
    shuffle->size = size;
    shuffle->count = count;
    shuffle->seeder = seeder;
    weir_dataset_output(call, &shuffle->base);
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
