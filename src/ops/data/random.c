/* ops/data/random.c - RandomDataset: an infinite sequence of random 32-bit numbers. */
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

static void fini(weir_dataset *dataset)
{
    weir_ref_release((weir_ref *)((numbers *)dataset)->seeder);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    (void)dataset;
    return WEIR_CARDINALITY_INFINITE;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    (void)run;
    (void)out_end;
    numbers_iterator *iterator = (numbers_iterator *)it;
    if (!iterator->seeded) {
        int64_t seeds[2];
        weir_seeder_next_at(((const numbers *)it->dataset)->seeder, it, seeds);
        iterator->stream = weir_philox_seeded((uint64_t)seeds[0], (uint64_t)seeds[1]);
        iterator->single = weir_philox_singles(&iterator->stream);
        iterator->seeded = true;
    }
    *out = weir_tensor_scalar(WEIR_INT64, &(int64_t){weir_philox_u32(&iterator->single)});
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

static weir_status make(weir_call *call)
{
    int64_t seeds[2];
    numbers *numbers;
    const weir_attr *again = weir_data_attr(call->site, "rerandomize_each_iteration");
    const weir_attr *types = weir_data_attr(call->site, "output_types");
    if (types->count != 1 || types->types[0] != WEIR_INT64)
        return weir_error(WEIR_INVALID_ARGUMENT, "RandomDataset has one component of type int64");
    WEIR_TRY(weir_data_seeds(call, seeds));
    WEIR_TRY(weir_dataset_new(call, &fns, &numbers));
    weir_status status = weir_seeder_of(call, seeds, again && again->b, &numbers->seeder);
    if (status)
        weir_dataset_release(&numbers->base);
    else
        weir_dataset_output(call, &numbers->base);
    return status;
}

WEIR_DATASET_OP(random_dataset, "RandomDataset", "seed: int64; seed2: int64",
                WEIR_DATASET_TYPES WEIR_DATASET_META, WEIR_STATEFUL, make);
WEIR_DATASET_OP(random_dataset_v2, "RandomDatasetV2",
                "seed: int64; seed2: int64; seed_generator: resource",
                "rerandomize_each_iteration: bool = false; " WEIR_DATASET_TYPES WEIR_DATASET_META,
                WEIR_STATEFUL, make);
WEIR_DATASET_OP(experimental_random_dataset, "ExperimentalRandomDataset",
                "seed: int64; seed2: int64", WEIR_DATASET_TYPES, WEIR_STATEFUL, make);
