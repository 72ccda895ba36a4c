/* ops/data/batch.c - BatchDataset and its versions: elements in a row become one. */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct batch {
    weir_dataset base;
    int64_t size;
    bool drop; /* a last batch that is not full */
} batch;

static int64_t cardinality(const weir_dataset *d)
{
    const batch *b = (const batch *)d;
    int64_t n = weir_dataset_cardinality(d->inputs[0]);
    return n < 0 ? n : n / b->size + (n % b->size != 0 && !b->drop);
}

static weir_status stack(const weir_dataset *d, const weir_element_list *rows, weir_tensor *out)
{
    for (int i = 0; i < d->count; i++) {
        weir_status s = weir_data_stack(rows->at, (int64_t)rows->count, i, &out[i]);
        if (s) {
            weir_element_clear(out, i);
            return s;
        }
    }
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    const batch *b = (const batch *)it->dataset;
    weir_element_list rows = {0};
    weir_status s = WEIR_OK;
    bool end = false;
    while (!s && !end && (int64_t)rows.count < b->size)
        s = weir_elements_pull(&rows, it, 0, run, &end);
    *out_end = end && (rows.count == 0 || b->drop);
    if (!s && !*out_end)
        s = stack(it->dataset, &rows, out);
    weir_elements_fini(&rows, it->dataset->count);
    return s;
}

static weir_status get(const weir_dataset *d, weir_run *run, int64_t index, weir_tensor *out)
{
    const batch *b = (const batch *)d;
    int64_t n = weir_dataset_cardinality(d->inputs[0]);
    weir_element_list rows = {0};
    weir_status s = WEIR_OK;
    for (int64_t i = index * b->size; !s && i < n && i < (index + 1) * b->size; i++) {
        weir_tensor *element = weir_element_create(d->count);
        weir_vec_push(&rows, element);
        s = weir_dataset_get(d->inputs[0], run, i, element);
    }
    if (!s)
        s = stack(d, &rows, out);
    weir_elements_fini(&rows, d->count);
    return s;
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

static weir_status make(weir_call *c)
{
    int64_t size;
    bool drop = false;
    batch *d;
    WEIR_TRY(weir_data_int(c, "batch_size", &size));
    WEIR_TRY(weir_data_bool(c, "drop_remainder", &drop));
    if (size <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Batch size must be greater than zero.");
    WEIR_TRY(weir_dataset_new(c, &fns, &d));
    d->size = size;
    d->drop = drop;
    weir_dataset_output(c, &d->base);
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
