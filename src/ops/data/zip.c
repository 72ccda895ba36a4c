/* ops/data/zip.c - ZipDataset: combines one element of each input. */
#include "ops/data/data_impl.h"

static int64_t cardinality(const weir_dataset *dataset)
{
    int64_t least = WEIR_CARDINALITY_INFINITE;
    for (int i = 0; i < dataset->input_count; i++) {
        int64_t n = weir_dataset_cardinality(dataset->inputs[i]);
        if (n == WEIR_CARDINALITY_UNKNOWN)
            return n;
        if (n >= 0 && (least < 0 || n < least))
            least = n;
    }
    return least;
}

/* Reads every input, even after one has ended or failed, so that all stay synchronised, and caches
 * of the same length see their end. */
static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    const weir_dataset *dataset = it->dataset;
    weir_status first = WEIR_OK;
    for (int i = 0, at = 0; i < dataset->input_count; at += dataset->inputs[i++]->count) {
        bool end = false;
        weir_status status = weir_iterator_pull(it, i, run, out + at, &end);
        if (first || *out_end)
            weir_status_free(status);
        else
            first = status;
        *out_end |= end;
    }
    if (first || *out_end)
        weir_element_clear(out, dataset->count);
    return first;
}

static weir_status get(const weir_dataset *dataset, weir_run *run, int64_t index, weir_tensor *out)
{
    for (int i = 0, at = 0; i < dataset->input_count; at += dataset->inputs[i++]->count)
        WEIR_TRY(weir_dataset_get(dataset->inputs[i], run, index, out + at));
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "Zip",
    .bytes = sizeof(weir_dataset),
    .iterator_bytes = sizeof(weir_iterator),
    .next = next,
    .cardinality = cardinality,
    .get = get,
};

static weir_status make(weir_call *call)
{
    weir_dataset *dataset;
    WEIR_TRY(weir_dataset_new(call, &fns, &dataset));
    int count = 0;
    for (int i = 0; i < dataset->input_count; i++)
        count += dataset->inputs[i]->count;
    if (count != dataset->count) {
        weir_status status =
            weir_error(WEIR_INVALID_ARGUMENT, "ZipDataset has %d output_types, but its inputs %d",
                       dataset->count, count);
        weir_dataset_release(dataset);
        return status;
    }
    for (int i = 0, at = 0; i < dataset->input_count; at += dataset->inputs[i++]->count)
        memcpy(dataset->types + at, dataset->inputs[i]->types,
               sizeof *dataset->types * (size_t)dataset->inputs[i]->count);
    weir_dataset_output(call, dataset);
    return WEIR_OK;
}

WEIR_DATASET_OP(zip_dataset, "ZipDataset", "input_datasets: N * variant",
                WEIR_DATASET_TYPES "; N: int >= 1" WEIR_DATASET_META, 0, make);
