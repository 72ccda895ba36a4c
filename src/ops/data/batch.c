/* ops/data/batch.c - BatchDataset and its versions: batches consecutive elements. */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct batch {
    weir_dataset base;
    int64_t size;
    bool drop; /* drop an incomplete last batch */
} batch;

static int64_t cardinality(const weir_dataset *dataset)
{
    const batch *this_batch = (const batch *)dataset;
    int64_t n = weir_dataset_cardinality(dataset->inputs[0]);
    return n < 0 ? n : n / this_batch->size + (n % this_batch->size != 0 && !this_batch->drop);
}

static weir_status stack(const weir_dataset *dataset, const weir_element_list *rows,
                         weir_tensor *out)
{
    for (int i = 0; i < dataset->count; i++) {
        weir_status status = weir_data_stack(rows->at, (int64_t)rows->count, i, &out[i]);
        if (status) {
            weir_element_clear(out, i);
            return status;
        }
    }
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    const batch *this_batch = (const batch *)it->dataset;
    weir_element_list rows = {0};
    weir_status status = WEIR_OK;
    bool end = false;
    while (!status && !end && (int64_t)rows.count < this_batch->size)
        status = weir_elements_pull(&rows, it, 0, run, &end);
    *out_end = end && (rows.count == 0 || this_batch->drop);
    if (!status && !*out_end)
        status = stack(it->dataset, &rows, out);
    weir_elements_fini(&rows, it->dataset->count);
    return status;
}

static weir_status get(const weir_dataset *dataset, weir_run *run, int64_t index, weir_tensor *out)
{
    const batch *this_batch = (const batch *)dataset;
    int64_t count = weir_dataset_cardinality(dataset->inputs[0]);
    weir_element_list rows = {0};
    weir_status status = WEIR_OK;
    for (int64_t i = index * this_batch->size;
         !status && i < count && i < (index + 1) * this_batch->size; i++) {
        weir_tensor *element = weir_element_create(dataset->count);
        weir_vec_push(&rows, element);
        status = weir_dataset_get(dataset->inputs[0], run, i, element);
    }
    if (!status)
        status = stack(dataset, &rows, out);
    weir_elements_fini(&rows, dataset->count);
    return status;
}

static const weir_dataset_fns fns = {
    .name = "Batch",
    .bytes = sizeof(batch),
    .iterator_bytes = sizeof(weir_iterator),
    .like_input = true,
    .next = next,
    .cardinality = cardinality,
    .get = get,
};

static weir_status make(weir_call *call)
{
    int64_t size;
    bool drop = false;
    batch *batch;
    WEIR_TRY(weir_data_int(call, "batch_size", &size));
    WEIR_TRY(weir_data_bool(call, "drop_remainder", &drop));
    if (size <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Batch size must be greater than zero.");
    WEIR_TRY(weir_dataset_new(call, &fns, &batch));
    batch->size = size;
    batch->drop = drop;
    weir_dataset_output(call, &batch->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(batch_dataset, "BatchDataset", "input_dataset: variant; batch_size: int64",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make);
WEIR_DATASET_OP(batch_dataset_v2, "BatchDatasetV2",
                "input_dataset: variant; batch_size: int64; drop_remainder: bool",
                "parallel_copy: bool = false; " WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make);
WEIR_DATASET_OP(parallel_batch_dataset, "ParallelBatchDataset",
                "input_dataset: variant; batch_size: int64; num_parallel_calls: int64; "
                "drop_remainder: bool",
                "parallel_copy: bool = false; " WEIR_DATASET_TYPES
                "; deterministic: string = \"default\"" WEIR_DATASET_META,
                0, make);
