/* ops/data/concatenate.c - ConcatenateDataset: one dataset after another. */
#include "ops/data/data_impl.h"

typedef struct concatenate_iterator {
    weir_iterator base;
    int at; /* index of the current input */
} concatenate_iterator;

static int64_t cardinality(const weir_dataset *dataset)
{
    int64_t a = weir_dataset_cardinality(dataset->inputs[0]);
    int64_t b = weir_dataset_cardinality(dataset->inputs[1]), sum;
    if (a == WEIR_CARDINALITY_INFINITE || b == WEIR_CARDINALITY_INFINITE)
        return WEIR_CARDINALITY_INFINITE;
    if (a < 0 || b < 0)
        return WEIR_CARDINALITY_UNKNOWN;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    concatenate_iterator *iterator = (concatenate_iterator *)it;
    for (; iterator->at < it->dataset->input_count; iterator->at++) {
        WEIR_TRY(weir_iterator_pull(it, iterator->at, run, out, out_end));
        if (!*out_end)
            return WEIR_OK;
    }
    *out_end = true;
    return WEIR_OK;
}

static weir_status get(const weir_dataset *dataset, weir_run *run, int64_t index, weir_tensor *out)
{
    int64_t first = weir_dataset_cardinality(dataset->inputs[0]);
    if (first < 0 || index < first)
        return weir_dataset_get(dataset->inputs[0], run, index, out);
    return weir_dataset_get(dataset->inputs[1], run, index - first, out);
}

static const weir_dataset_fns fns = {
    .name = "Concatenate",
    .bytes = sizeof(weir_dataset),
    .iterator_bytes = sizeof(concatenate_iterator),
    .like_input = true,
    .next = next,
    .cardinality = cardinality,
    .get = get,
};

static void types_text(const weir_dataset *dataset, weir_buf *out)
{
    weir_buf_addc(out, '{');
    for (int i = 0; i < dataset->count; i++)
        weir_buf_addf(out, "%s%s", i ? ", " : "", weir_dtype_name(dataset->types[i]));
    weir_buf_addc(out, '}');
}

static weir_status different(const weir_dataset *a, const weir_dataset *b)
{
    WEIR_BUF(left);
    WEIR_BUF(right);
    types_text(a, &left);
    types_text(b, &right);
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "input dataset and dataset to concatenate have different "
                      "output_types %s and %s",
                      left.at, right.at);
}

/* Shapes compatible with the elements of both inputs. */
static void merge_shapes(weir_dataset *dataset)
{
    for (int i = 0; i < dataset->count; i++) {
        const weir_shape *a = &dataset->inputs[0]->shapes[i], *b = &dataset->inputs[1]->shapes[i];
        dataset->shapes[i] = a->rank == b->rank ? *a : WEIR_UNKNOWN_SHAPE;
        for (int k = 0; k < dataset->shapes[i].rank; k++)
            if (a->dims[k] != b->dims[k])
                dataset->shapes[i].dims[k] = -1;
    }
}

static weir_status make(weir_call *call)
{
    weir_dataset *a, *b, *dataset;
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &a));
    WEIR_TRY(weir_dataset_of(weir_in(call, 1), &b));
    if (a->count != b->count || memcmp(a->types, b->types, sizeof *a->types * (size_t)a->count))
        return different(a, b);
    WEIR_TRY(weir_dataset_new(call, &fns, &dataset));
    merge_shapes(dataset);
    weir_dataset_output(call, dataset);
    return WEIR_OK;
}

WEIR_DATASET_OP(concatenate_dataset, "ConcatenateDataset",
                "input_dataset: variant; another_dataset: variant",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make);
