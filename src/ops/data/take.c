/* ops/data/take.c - TakeDataset, SkipDataset, ShardDataset: some of the elements. */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct part {
    weir_dataset base;
    int64_t count; /* of Take and Skip; < 0: all */
    int64_t shards, index;
    bool must_have; /* a shard without elements is an error */
} part;

typedef struct part_iterator {
    weir_iterator base;
    int64_t done; /* elements given, or passed over at the start */
    bool skipped;
} part_iterator;

/* ---- TakeDataset ----------------------------------------------------------------------------- */

static int64_t take_cardinality(const weir_dataset *d)
{
    int64_t n = weir_dataset_cardinality(d->inputs[0]), count = ((const part *)d)->count;
    if (count == 0)
        return 0;
    if (n == WEIR_CARDINALITY_UNKNOWN || count < 0)
        return n;
    return n == WEIR_CARDINALITY_INFINITE || count < n ? count : n;
}

static weir_status take_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    int64_t count = ((const part *)it->dataset)->count;
    part_iterator *p = (part_iterator *)it;
    *out_end = count >= 0 && p->done >= count;
    if (*out_end)
        return WEIR_OK;
    p->done++;
    return weir_iterator_pull(it, 0, run, out, out_end);
}

static weir_status take_get(const weir_dataset *d, weir_run *run, int64_t index, weir_tensor *out)
{
    return weir_dataset_get(d->inputs[0], run, index, out);
}

/* ---- SkipDataset ----------------------------------------------------------------------------- */

static int64_t skip_cardinality(const weir_dataset *d)
{
    int64_t n = weir_dataset_cardinality(d->inputs[0]), count = ((const part *)d)->count;
    if (count < 0)
        return 0;
    return n < 0 ? n : n > count ? n - count : 0;
}

/* Passes over |count| elements of the input. */
static weir_status pass_over(weir_iterator *it, weir_run *run, int64_t count, bool *out_end)
{
    int components = it->dataset->count;
    weir_tensor *unused = weir_element_create(components);
    weir_status s = WEIR_OK;
    *out_end = false;
    for (int64_t i = 0; !s && !*out_end && i < count; i++) {
        s = weir_iterator_pull(it, 0, run, unused, out_end);
        weir_element_clear(unused, components);
    }
    weir_element_destroy(unused, components);
    return s;
}

static weir_status skip_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    int64_t count = ((const part *)it->dataset)->count;
    part_iterator *p = (part_iterator *)it;
    *out_end = count < 0;
    if (*out_end)
        return WEIR_OK;
    if (!p->skipped)
        WEIR_TRY(pass_over(it, run, count, out_end));
    p->skipped = true;
    return *out_end ? WEIR_OK : weir_iterator_pull(it, 0, run, out, out_end);
}

static weir_status skip_get(const weir_dataset *d, weir_run *run, int64_t index, weir_tensor *out)
{
    return weir_dataset_get(d->inputs[0], run, index + ((const part *)d)->count, out);
}

/* ---- ShardDataset ---------------------------------------------------------------------------- */

static int64_t shard_cardinality(const weir_dataset *d)
{
    const part *p = (const part *)d;
    int64_t n = weir_dataset_cardinality(d->inputs[0]);
    return n < 0 ? n : n / p->shards + (p->index < n % p->shards);
}

static weir_status shard_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    const part *d = (const part *)it->dataset;
    part_iterator *p = (part_iterator *)it;
    WEIR_TRY(pass_over(it, run, p->skipped ? d->shards - 1 : d->index, out_end));
    if (!*out_end)
        WEIR_TRY(weir_iterator_pull(it, 0, run, out, out_end));
    if (*out_end && !p->skipped && d->must_have)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Could not apply FILE based sharding: the dataset only has %" PRId64
                          " file(s), which is not enough for the required %" PRId64
                          " shards/workers.If you are using datasets with distribution strategy, "
                          "consider setting the auto sharding policy to either DATA or OFF using "
                          "the `experimental_distribute.auto_shard_policy` option of "
                          "`tf.data.Options()`. Or, split your input files into a larger number of "
                          "small files such that number of files is greater than number of "
                          "shards/workers.",
                          weir_iterator_input(it, 0)->produced, d->shards);
    p->skipped = true;
    return WEIR_OK;
}

static weir_status shard_get(const weir_dataset *d, weir_run *run, int64_t index, weir_tensor *out)
{
    const part *p = (const part *)d;
    return weir_dataset_get(d->inputs[0], run, index * p->shards + p->index, out);
}

/* ---- ops ------------------------------------------------------------------------------------- */

#define PART .bytes = sizeof(part), .iterator_bytes = sizeof(part_iterator), .like_input = true

static const weir_dataset_fns take_fns = {PART, .name = "Take", .next = take_next,
                                          .cardinality = take_cardinality, .get = take_get};
static const weir_dataset_fns skip_fns = {PART, .name = "Skip", .next = skip_next,
                                          .cardinality = skip_cardinality, .get = skip_get};
static const weir_dataset_fns shard_fns = {PART, .name = "Shard", .next = shard_next,
                                           .cardinality = shard_cardinality, .get = shard_get};

static weir_status make(weir_call *c, const weir_dataset_fns *fns, const part *wanted)
{
    part *d;
    WEIR_TRY(weir_dataset_new(c, fns, &d));
    d->count = wanted->count;
    d->shards = wanted->shards;
    d->index = wanted->index;
    d->must_have = wanted->must_have;
    weir_dataset_output(c, &d->base);
    return WEIR_OK;
}

static weir_status make_take(weir_call *c)
{
    part p = {0};
    WEIR_TRY(weir_data_int(c, "count", &p.count));
    return make(c, &take_fns, &p);
}

static weir_status make_skip(weir_call *c)
{
    part p = {0};
    WEIR_TRY(weir_data_int(c, "count", &p.count));
    return make(c, &skip_fns, &p);
}

static weir_status make_shard(weir_call *c)
{
    part p = {.must_have = weir_data_attr(c->site, "require_non_empty")->b};
    WEIR_TRY(weir_data_int(c, "num_shards", &p.shards));
    WEIR_TRY(weir_data_int(c, "index", &p.index));
    if (p.shards < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of shards must be greater than zero (currently num_shards = "
                          "%" PRId64 ").",
                          p.shards);
    if (p.index < 0 || p.index >= p.shards)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Index must be between 0 and %" PRId64 " (currently index = %" PRId64
                          ").",
                          p.shards - 1, p.index);
    return make(c, &shard_fns, &p);
}

WEIR_DATASET_OP(take_dataset, "TakeDataset", "input_dataset: variant; count: int64",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make_take);
WEIR_DATASET_OP(skip_dataset, "SkipDataset", "input_dataset: variant; count: int64",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make_skip);
WEIR_DATASET_OP(shard_dataset, "ShardDataset",
                "input_dataset: variant; num_shards: int64; index: int64",
                "require_non_empty: bool = false; " WEIR_DATASET_TYPES WEIR_DATASET_META, 0,
                make_shard);
