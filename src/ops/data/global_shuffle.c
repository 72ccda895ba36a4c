/* ops/data/global_shuffle.c - GlobalShuffleDataset: all elements of a dataset with random access,
 * in a random order.
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

static void fini(weir_dataset *d)
{
    weir_ref_release((weir_ref *)((global *)d)->seeder);
}

static int64_t cardinality(const weir_dataset *d)
{
    return weir_dataset_cardinality(d->inputs[0]);
}

static void start(global_iterator *g)
{
    weir_seeder *seeder = ((const global *)g->base.dataset)->seeder;
    int64_t first[2], second[2];
    if (g->seeded)
        return;
    weir_seeder_next(seeder, first);
    weir_seeder_next(seeder, second);
    g->key[0] = (uint32_t)first[0];
    g->key[1] = (uint32_t)first[1];
    g->key[2] = (uint32_t)second[0];
    g->seeded = true;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    global_iterator *g = (global_iterator *)it;
    int64_t count = cardinality(it->dataset);
    start(g);
    *out_end = g->index >= count;
    if (*out_end)
        return WEIR_OK;
    uint64_t at = weir_permute_index((uint64_t)g->index++, g->key, (uint64_t)(count - 1), ROUNDS);
    return weir_dataset_get(it->dataset->inputs[0], run, (int64_t)at, out);
}

static const weir_dataset_fns fns = {
    .name = "GlobalShuffle",
    .bytes = sizeof(global),
    .iterator_bytes = sizeof(global_iterator),
    .like_input = true,
    .next = next,
    .fini = fini,
    .cardinality = cardinality,
};

static weir_status check_input(const weir_dataset *d)
{
    int64_t count = weir_dataset_cardinality(d);
    if (count == WEIR_CARDINALITY_INFINITE)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`global_shuffle` requires the input dataset to have a non-empty finite "
                          "cardinality. Got an infinite cardinality for %sDataset.",
                          d->fns->name);
    if (count == WEIR_CARDINALITY_UNKNOWN)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`global_shuffle` requires the input dataset to have a non-empty finite "
                          "cardinality. Got an unknown cardinality for %sDataset.",
                          d->fns->name);
    if (count == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`global_shuffle` requires the input dataset to have a non-empty finite "
                          "cardinality. Got an empty %sDataset.",
                          d->fns->name);
    if (!weir_dataset_has_get(d))
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "`global_shuffle` requires all upstream transformations be compatible "
                          "with random access. Got %sDataset.",
                          d->fns->name);
    return WEIR_OK;
}

static weir_status make(weir_call *c)
{
    int64_t seeds[2];
    weir_dataset *input;
    weir_seeder *seeder;
    global *d;
    WEIR_TRY(weir_dataset_of(weir_in(c, 0), &input));
    WEIR_TRY(check_input(input));
    WEIR_TRY(weir_data_seeds(c, seeds));
    WEIR_TRY(weir_dataset_new(c, &fns, &d));
    weir_status s =
        weir_seeder_of(c, seeds, weir_data_attr(c->site, "reshuffle_each_iteration")->b, &seeder);
    if (s) {
        weir_dataset_release(&d->base);
        return s;
    }
    d->seeder = seeder;
    weir_dataset_output(c, &d->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(global_shuffle_dataset, "GlobalShuffleDataset",
                "input_dataset: variant; seed: int64; seed2: int64; seed_generator: resource",
                "reshuffle_each_iteration: bool = true; " WEIR_DATASET_TYPES WEIR_DATASET_META,
                WEIR_STATEFUL, make);
