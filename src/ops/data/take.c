/* ops/data/take.c - TakeDataset, SkipDataset, ShardDataset: subsets of the elements. */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct part {
    weir_dataset base;
    int64_t count; /* of Take and Skip; < 0: all */
    int64_t shards, index;
    bool must_have; /* an empty shard is an error */
} part;

typedef struct part_iterator {
    weir_iterator base;
    int64_t done; /* elements returned, or skipped at the start */
    bool skipped;
} part_iterator;

/* ---- TakeDataset ----------------------------------------------------------------------------- */

static int64_t take_cardinality(const weir_dataset *dataset)
{
    int64_t total = weir_dataset_cardinality(dataset->inputs[0]),
            count = ((const part *)dataset)->count;
    if (count == 0)
        return 0;
    if (total == WEIR_CARDINALITY_UNKNOWN || count < 0)
        return total;
    return total == WEIR_CARDINALITY_INFINITE || count < total ? count : total;
}

static weir_status take_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    int64_t count = ((const part *)it->dataset)->count;
    part_iterator *iterator = (part_iterator *)it;
    *out_end = count >= 0 && iterator->done >= count;
    if (*out_end)
        return WEIR_OK;
    iterator->done++;
    return weir_iterator_pull(it, 0, run, out, out_end);
}

static weir_status take_get(const weir_dataset *dataset, weir_run *run, int64_t index,
                            weir_tensor *out)
{
    return weir_dataset_get(dataset->inputs[0], run, index, out);
}

/* ---- SkipDataset ----------------------------------------------------------------------------- */

static int64_t skip_cardinality(const weir_dataset *dataset)
{
    int64_t n = weir_dataset_cardinality(dataset->inputs[0]),
            count = ((const part *)dataset)->count;
    if (count < 0)
        return 0;
    return n < 0 ? n : n > count ? n - count : 0;
}

/* Skips |count| elements of the input. */
static weir_status pass_over(weir_iterator *it, weir_run *run, int64_t count, bool *out_end)
{
    int components = it->dataset->count;
    weir_tensor *unused = weir_element_create(components);
    weir_status status = WEIR_OK;
    *out_end = false;
    for (int64_t i = 0; !status && !*out_end && i < count; i++) {
        status = weir_iterator_pull(it, 0, run, unused, out_end);
        weir_element_clear(unused, components);
    }
    weir_element_destroy(unused, components);
    return status;
}

static weir_status skip_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    int64_t count = ((const part *)it->dataset)->count;
    part_iterator *iterator = (part_iterator *)it;
    *out_end = count < 0;
    if (*out_end)
        return WEIR_OK;
    if (!iterator->skipped)
        WEIR_TRY(pass_over(it, run, count, out_end));
    iterator->skipped = true;
    return *out_end ? WEIR_OK : weir_iterator_pull(it, 0, run, out, out_end);
}

static weir_status skip_get(const weir_dataset *dataset, weir_run *run, int64_t index,
                            weir_tensor *out)
{
    return weir_dataset_get(dataset->inputs[0], run, index + ((const part *)dataset)->count, out);
}

/* ---- ShardDataset ---------------------------------------------------------------------------- */

static int64_t shard_cardinality(const weir_dataset *dataset)
{
    const part *this_part = (const part *)dataset;
    int64_t count = weir_dataset_cardinality(dataset->inputs[0]);
    return count < 0 ? count
                     : count / this_part->shards + (this_part->index < count % this_part->shards);
}

static weir_status shard_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    const part *this_part = (const part *)it->dataset;
    part_iterator *iterator = (part_iterator *)it;
    WEIR_TRY(
        pass_over(it, run, iterator->skipped ? this_part->shards - 1 : this_part->index, out_end));
    if (!*out_end)
        WEIR_TRY(weir_iterator_pull(it, 0, run, out, out_end));
    if (*out_end && !iterator->skipped && this_part->must_have)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Could not apply FILE based sharding: the dataset only has %" PRId64
                          " file(s), which is not enough for the required %" PRId64
                          " shards/workers.If you are using datasets with distribution strategy, "
                          "consider setting the auto sharding policy to either DATA or OFF using "
                          "the `experimental_distribute.auto_shard_policy` option of "
                          "`tf.data.Options()`. Or, split your input files into a larger number of "
                          "small files such that number of files is greater than number of "
                          "shards/workers.",
                          weir_iterator_input(it, 0)->produced, this_part->shards);
    iterator->skipped = true;
    return WEIR_OK;
}

static weir_status shard_get(const weir_dataset *dataset, weir_run *run, int64_t index,
                             weir_tensor *out)
{
    const part *this_part = (const part *)dataset;
    return weir_dataset_get(dataset->inputs[0], run, index * this_part->shards + this_part->index,
                            out);
}

/* ---- ops ------------------------------------------------------------------------------------- */

#define PART .bytes = sizeof(part), .iterator_bytes = sizeof(part_iterator), .like_input = true

static const weir_dataset_fns take_fns = {PART, .name = "Take", .next = take_next,
                                          .cardinality = take_cardinality, .get = take_get};
static const weir_dataset_fns skip_fns = {PART, .name = "Skip", .next = skip_next,
                                          .cardinality = skip_cardinality, .get = skip_get};
static const weir_dataset_fns shard_fns = {PART, .name = "Shard", .next = shard_next,
                                           .cardinality = shard_cardinality, .get = shard_get};

static weir_status make(weir_call *call, const weir_dataset_fns *fns, const part *wanted)
{
    part *part;
    WEIR_TRY(weir_dataset_new(call, fns, &part));
    part->count = wanted->count;
    part->shards = wanted->shards;
    part->index = wanted->index;
    part->must_have = wanted->must_have;
    weir_dataset_output(call, &part->base);
    return WEIR_OK;
}

static weir_status make_take(weir_call *call)
{
    part part = {0};
    WEIR_TRY(weir_data_int(call, "count", &part.count));
    return make(call, &take_fns, &part);
}

static weir_status make_skip(weir_call *call)
{
    part part = {0};
    WEIR_TRY(weir_data_int(call, "count", &part.count));
    return make(call, &skip_fns, &part);
}

static weir_status make_shard(weir_call *call)
{
    part part = {.must_have = weir_data_attr(call->site, "require_non_empty")->b};
    WEIR_TRY(weir_data_int(call, "num_shards", &part.shards));
    WEIR_TRY(weir_data_int(call, "index", &part.index));
    if (part.shards < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of shards must be greater than zero (currently num_shards = "
                          "%" PRId64 ").",
                          part.shards);
    if (part.index < 0 || part.index >= part.shards)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Index must be between 0 and %" PRId64 " (currently index = %" PRId64
                          ").",
                          part.shards - 1, part.index);
    return make(call, &shard_fns, &part);
}

WEIR_DATASET_OP(take_dataset, "TakeDataset", "input_dataset: variant; count: int64",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make_take);
WEIR_DATASET_OP(skip_dataset, "SkipDataset", "input_dataset: variant; count: int64",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make_skip);
WEIR_DATASET_OP(shard_dataset, "ShardDataset",
                "input_dataset: variant; num_shards: int64; index: int64",
                "require_non_empty: bool = false; " WEIR_DATASET_TYPES WEIR_DATASET_META, 0,
                make_shard);

/* ---- AutoShardDataset: shards elements, not files -------------------------------------------- */

enum { POLICY_OFF = -1 };

static weir_status make_auto(weir_call *call)
{
    part part = {.count = -1};
    WEIR_TRY(weir_data_int(call, "num_workers", &part.shards));
    WEIR_TRY(weir_data_int(call, "index", &part.index));
    if (part.shards < 1 || part.index < 0 || part.index >= part.shards)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "index must be >= 0 and < %" PRId64 ", currently %" PRId64, part.shards,
                          part.index);
    bool off = weir_data_attr(call->site, "auto_shard_policy")->i == POLICY_OFF;
    return make(call, off ? &take_fns : &shard_fns, &part);
}

#define AUTO_IN "input_dataset: variant; num_workers: int64; index: int64"
WEIR_DATASET_OP(auto_shard_dataset, "AutoShardDataset", AUTO_IN,
                "auto_shard_policy: int = 0; " WEIR_DATASET_TYPES "; num_replicas: int = 0", 0,
                make_auto);
WEIR_DATASET_OP(experimental_auto_shard_dataset, "ExperimentalAutoShardDataset", AUTO_IN,
                "auto_shard_policy: int = 0; " WEIR_DATASET_TYPES, 0, make_auto);
