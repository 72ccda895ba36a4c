/* ops/data/global_shuffle.c - GlobalShuffleDataset: random permutation of a dataset with random
 * access.
 */
#include "math/random/permute.h"
#include "ops/data/data_impl.h"

enum { ROUNDS = 8 };

typedef struct global {
    weir_dataset base;
    weir_seeder *seeder;
} global;

typedef struct global_iterator {
    weir_iterator base;
    bool seeded;
    uint32_t key[3];
    int64_t index;
} global_iterator;

static void fini(weir_dataset *dataset)
{
    weir_ref_release((weir_ref *)((global *)dataset)->seeder);
}

static void start(global_iterator *iterator)
{
    weir_seeder *seeder = ((const global *)iterator->base.dataset)->seeder;
    int64_t first[2], second[2];
    if (iterator->seeded)
        return;
    weir_seeder_next(seeder, first);
    weir_seeder_next(seeder, second);
    iterator->key[0] = (uint32_t)first[0];
    iterator->key[1] = (uint32_t)first[1];
    iterator->key[2] = (uint32_t)second[0];
    iterator->seeded = true;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    global_iterator *iterator = (global_iterator *)it;
    int64_t count = weir_data_input_cardinality(it->dataset);
    start(iterator);
    *out_end = iterator->index >= count;
    if (*out_end)
        return WEIR_OK;
    uint64_t at = weir_permute_index((uint64_t)iterator->index++, iterator->key,
                                     (uint64_t)(count - 1), ROUNDS);
    return weir_dataset_get(it->dataset->inputs[0], run, (int64_t)at, out);
}

static const weir_dataset_fns fns = {
    .name = "GlobalShuffle",
    .bytes = sizeof(global),
    .iterator_bytes = sizeof(global_iterator),
    .like_input = true,
    .next = next,
    .fini = fini,
    .cardinality = weir_data_input_cardinality,
};

static weir_status check_input(const weir_dataset *dataset)
{
    int64_t count = weir_dataset_cardinality(dataset);
    if (count == WEIR_CARDINALITY_INFINITE)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`global_shuffle` requires the input dataset to have a non-empty finite "
                          "cardinality. Got an infinite cardinality for %sDataset.",
                          dataset->fns->name);
    if (count == WEIR_CARDINALITY_UNKNOWN)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`global_shuffle` requires the input dataset to have a non-empty finite "
                          "cardinality. Got an unknown cardinality for %sDataset.",
                          dataset->fns->name);
    if (count == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`global_shuffle` requires the input dataset to have a non-empty finite "
                          "cardinality. Got an empty %sDataset.",
                          dataset->fns->name);
    if (!weir_dataset_has_get(dataset))
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "`global_shuffle` requires all upstream transformations be compatible "
                          "with random access. Got %sDataset.",
                          dataset->fns->name);
    return WEIR_OK;
}

static weir_status make(weir_call *call)
{
    int64_t seeds[2];
    weir_dataset *input;
    weir_seeder *seeder;
    global *global;
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &input));
    WEIR_TRY(check_input(input));
    WEIR_TRY(weir_data_seeds(call, seeds));
    WEIR_TRY(weir_dataset_new(call, &fns, &global));
    weir_status status = weir_seeder_of(
        call, seeds, weir_data_attr(call->site, "reshuffle_each_iteration")->b, &seeder);
    if (status) {
        weir_dataset_release(&global->base);
        return status;
    }
    global->seeder = seeder;
    weir_dataset_output(call, &global->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(global_shuffle_dataset, "GlobalShuffleDataset",
                "input_dataset: variant; seed: int64; seed2: int64; seed_generator: resource",
                "reshuffle_each_iteration: bool = true; " WEIR_DATASET_TYPES WEIR_DATASET_META,
                WEIR_STATEFUL, make);
