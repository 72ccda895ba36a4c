/* ops/data/unbatch.c - UnbatchDataset: each row of an element becomes an element. */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct unbatch_iterator {
    weir_iterator base;
    weir_tensor *batch; /* null: no current batch */
    int64_t row, rows;
} unbatch_iterator;

static void drop_batch(unbatch_iterator *iterator)
{
    weir_element_destroy(iterator->batch, iterator->base.dataset->count);
    iterator->batch = NULL;
}

static void fini_iterator(weir_iterator *it)
{
    drop_batch((unbatch_iterator *)it);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    int64_t n = weir_dataset_cardinality(dataset->inputs[0]), all;
    if (n <= 0)
        return n;
    const weir_shape *shape = &dataset->inputs[0]->shapes[0];
    if (shape->rank < 1 || shape->dims[0] < 1)
        return WEIR_CARDINALITY_UNKNOWN;
    return __builtin_mul_overflow(n, shape->dims[0], &all) ? INT64_MAX : all;
}

static weir_status check_batch(unbatch_iterator *iterator)
{
    for (int i = 0; i < iterator->base.dataset->count; i++) {
        if (iterator->batch[i].shape.rank == 0)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Input element must have a non-scalar value in each component.");
        if (iterator->batch[i].shape.dims[0] != iterator->batch[0].shape.dims[0])
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Input element must have the same batch size in each component. "
                "Component 0 had size %" PRId64 " but component %d had size, %" PRId64 ".",
                iterator->batch[0].shape.dims[0], i, iterator->batch[i].shape.dims[0]);
    }
    iterator->row = 0;
    iterator->rows = iterator->batch[0].shape.dims[0];
    return WEIR_OK;
}

static weir_status next_batch(unbatch_iterator *iterator, weir_run *run, bool *out_end)
{
    drop_batch(iterator);
    weir_tensor *batch = weir_element_create(iterator->base.dataset->count);
    weir_status status = weir_iterator_pull(&iterator->base, 0, run, batch, out_end);
    if (status || *out_end) {
        weir_element_destroy(batch, iterator->base.dataset->count);
        return status;
    }
    iterator->batch = batch;
    status = check_batch(iterator);
    if (status)
        drop_batch(iterator);
    return status;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    unbatch_iterator *iterator = (unbatch_iterator *)it;
    while (!*out_end && (!iterator->batch || iterator->row == iterator->rows))
        WEIR_TRY(next_batch(iterator, run, out_end));
    for (int i = 0; !*out_end && i < it->dataset->count; i++)
        WEIR_TRY(weir_data_row(&iterator->batch[i], iterator->row, &out[i]));
    iterator->row++;
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "Unbatch",
    .bytes = sizeof(weir_dataset),
    .iterator_bytes = sizeof(unbatch_iterator),
    .like_input = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .cardinality = cardinality,
};

static weir_status make(weir_call *call)
{
    weir_dataset *dataset;
    WEIR_TRY(weir_dataset_new(call, &fns, &dataset));
    weir_dataset_output(call, dataset);
    return WEIR_OK;
}

WEIR_DATASET_OP(unbatch_dataset, "UnbatchDataset", "input_dataset: variant",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make);
WEIR_DATASET_OP(experimental_unbatch_dataset, "ExperimentalUnbatchDataset",
                "input_dataset: variant", WEIR_DATASET_TYPES, 0, make);
