/* ops/data/random.c - RandomDataset: random 32-bit numbers without end. */
#include "math/random/philox.h"
#include "ops/data/data_impl.h"

typedef struct numbers {
    weir_dataset base;
    weir_seeder *seeder;
} numbers;

typedef struct numbers_iterator {
    weir_iterator base;
    bool seeded;
    weir_philox stream;
    weir_philox_single single;
} numbers_iterator;

static void fini(weir_dataset *d)
{
    weir_ref_release((weir_ref *)((numbers *)d)->seeder);
}

static int64_t cardinality(const weir_dataset *d)
{
    (void)d;
    return WEIR_CARDINALITY_INFINITE;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    (void)run;
    (void)out_end;
    numbers_iterator *n = (numbers_iterator *)it;
    if (!n->seeded) {
        int64_t seeds[2];
        weir_seeder_next_at(((const numbers *)it->dataset)->seeder, it, seeds);
        n->stream = weir_philox_seeded((uint64_t)seeds[0], (uint64_t)seeds[1]);
        n->single = weir_philox_singles(&n->stream);
        n->seeded = true;
    }
    *out = weir_tensor_scalar(WEIR_INT64, &(int64_t){weir_philox_u32(&n->single)});
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "Random",
    .bytes = sizeof(numbers),
    .iterator_bytes = sizeof(numbers_iterator),
    .next = next,
    .fini = fini,
    .cardinality = cardinality,
};

static weir_status make(weir_call *c)
{
    int64_t seeds[2];
    numbers *d;
    const weir_attr *again = weir_data_attr(c->site, "rerandomize_each_iteration");
    const weir_attr *types = weir_data_attr(c->site, "output_types");
    if (types->count != 1 || types->types[0] != WEIR_INT64)
        return weir_error(WEIR_INVALID_ARGUMENT, "RandomDataset has one component of type int64");
    WEIR_TRY(weir_data_seeds(c, seeds));
    WEIR_TRY(weir_dataset_new(c, &fns, &d));
    weir_status s = weir_seeder_of(c, seeds, again && again->b, &d->seeder);
    if (s)
        weir_dataset_release(&d->base);
    else
        weir_dataset_output(c, &d->base);
    return s;
}

WEIR_DATASET_OP(random_dataset, "RandomDataset", "seed: int64; seed2: int64",
                WEIR_DATASET_TYPES WEIR_DATASET_META, WEIR_STATEFUL, make);
WEIR_DATASET_OP(random_dataset_v2, "RandomDatasetV2",
                "seed: int64; seed2: int64; seed_generator: resource",
                "rerandomize_each_iteration: bool = false; " WEIR_DATASET_TYPES WEIR_DATASET_META,
                WEIR_STATEFUL, make);
