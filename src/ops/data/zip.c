/* ops/data/zip.c - ZipDataset: elements made of one element of each input. */
#include "ops/data/data_impl.h"

static int64_t cardinality(const weir_dataset *d)
{
    int64_t least = WEIR_CARDINALITY_INFINITE;
    for (int i = 0; i < d->input_count; i++) {
        int64_t n = weir_dataset_cardinality(d->inputs[i]);
        if (n == WEIR_CARDINALITY_UNKNOWN)
            return n;
        if (n >= 0 && (least < 0 || n < least))
            least = n;
    }
    return least;
}

/* Every input is asked, even after one has ended, so that all stay in step. */
static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    const weir_dataset *d = it->dataset;
    weir_status first = WEIR_OK;
    for (int i = 0, at = 0; i < d->input_count; at += d->inputs[i++]->count) {
        bool end = false;
        weir_status s = weir_iterator_pull(it, i, run, out + at, &end);
        *out_end |= end;
        if (!first)
            first = s;
        else
            weir_status_free(s);
        if (*out_end && !first)
            break;
    }
    if (first || *out_end)
        weir_element_clear(out, d->count);
    return first;
}

static weir_status get(const weir_dataset *d, weir_run *run, int64_t index, weir_tensor *out)
{
    for (int i = 0, at = 0; i < d->input_count; at += d->inputs[i++]->count)
        WEIR_TRY(weir_dataset_get(d->inputs[i], run, index, out + at));
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

static weir_status make(weir_call *c)
{
    weir_dataset *d;
    WEIR_TRY(weir_dataset_new(c, &fns, &d));
    int count = 0;
    for (int i = 0; i < d->input_count; i++)
        count += d->inputs[i]->count;
    if (count != d->count) {
        weir_status s =
            weir_error(WEIR_INVALID_ARGUMENT, "ZipDataset has %d output_types, but its inputs %d",
                       d->count, count);
        weir_dataset_release(d);
        return s;
    }
    for (int i = 0, at = 0; i < d->input_count; at += d->inputs[i++]->count)
        memcpy(d->types + at, d->inputs[i]->types, sizeof *d->types * (size_t)d->inputs[i]->count);
    weir_dataset_output(c, d);
    return WEIR_OK;
}

WEIR_DATASET_OP(zip_dataset, "ZipDataset", "input_datasets: N * variant",
                WEIR_DATASET_TYPES "; N: int >= 1" WEIR_DATASET_META, 0, make);
