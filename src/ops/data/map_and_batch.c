/* ops/data/map_and_batch.c - MapAndBatchDataset: applies a function and batches the results. */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct map_batch {
    weir_dataset base;
    weir_data_function f;
    int64_t size;
    bool drop;       /* drop an incomplete last batch */
    bool same_count; /* the function cannot end the sequence */
} map_batch;

typedef struct map_batch_iterator {
    weir_iterator base;
    bool input_ended;
} map_batch_iterator;

static void fini(weir_dataset *dataset)
{
    weir_data_function_fini(&((map_batch *)dataset)->f);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    const map_batch *this_batch = (const map_batch *)dataset;
    int64_t n = weir_dataset_cardinality(dataset->inputs[0]);
    if (!this_batch->same_count)
        return WEIR_CARDINALITY_UNKNOWN;
    return n < 0 ? n : n / this_batch->size + (n % this_batch->size != 0 && !this_batch->drop);
}

static weir_status apply(const map_batch *batch, weir_run *run, const weir_tensor *element,
                         weir_element_list *rows, bool *out_end)
{
    weir_tensor *row = weir_element_create(batch->base.count);
    weir_status status =
        weir_data_function_call(&batch->f, run, element, batch->base.inputs[0]->count,
                                batch->base.types, batch->base.count, row);
    if (!status) {
        weir_vec_push(rows, row);
        return WEIR_OK;
    }
    weir_element_destroy(row, batch->base.count);
    if (weir_status_code(status) != WEIR_OUT_OF_RANGE)
        return status;
    weir_status told =
        batch->same_count
            ? weir_error(WEIR_INVALID_ARGUMENT, "Function invocation produced OutOfRangeError: %s",
                         weir_status_message(status))
            : WEIR_OK;
    weir_status_free(status);
    *out_end = !told;
    return told;
}

static weir_status add_row(map_batch_iterator *iterator, weir_run *run, weir_element_list *rows)
{
    const weir_dataset *dataset = iterator->base.dataset;
    int count = dataset->inputs[0]->count;
    weir_tensor *element = weir_element_create(count);
    weir_status status =
        weir_iterator_pull(&iterator->base, 0, run, element, &iterator->input_ended);
    if (!status && !iterator->input_ended)
        status = apply((const map_batch *)dataset, run, element, rows, &iterator->input_ended);
    weir_element_destroy(element, count);
    return status;
}

static weir_status stack(const weir_dataset *dataset, const weir_element_list *rows,
                         weir_tensor *out)
{
    for (int i = 0; i < dataset->count; i++)
        WEIR_TRY(weir_data_stack(rows->at, (int64_t)rows->count, i, &out[i]));
    return WEIR_OK;
}

/* An error drops its whole batch: the next call continues with the next one. */
static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    map_batch_iterator *iterator = (map_batch_iterator *)it;
    const map_batch *this_batch = (const map_batch *)it->dataset;
    weir_element_list rows = {0};
    weir_status first = WEIR_OK;
    for (int64_t i = 0; i < this_batch->size && !iterator->input_ended; i++) {
        weir_status status = add_row(iterator, run, &rows);
        if (first)
            weir_status_free(status);
        else
            first = status;
    }
    bool short_batch = (int64_t)rows.count < this_batch->size;
    *out_end = !first && (!rows.count || (this_batch->drop && short_batch));
    if (!first && !*out_end)
        first = stack(it->dataset, &rows, out);
    weir_elements_fini(&rows, it->dataset->count);
    return first;
}

static const weir_dataset_fns fns = {
    .name = "MapAndBatch",
    .bytes = sizeof(map_batch),
    .iterator_bytes = sizeof(map_batch_iterator),
    .may_block = true,
    .next = next,
    .fini = fini,
    .cardinality = cardinality,
};

static weir_status make(weir_call *call)
{
    map_batch *made;
    int64_t size, calls;
    bool drop;
    WEIR_TRY(weir_data_int(call, "batch_size", &size));
    WEIR_TRY(weir_data_int(call, "num_parallel_calls", &calls));
    WEIR_TRY(weir_data_bool(call, "drop_remainder", &drop));
    if (size <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "batch_size must be greater than zero.");
    if (calls <= 0 && calls != -1)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_parallel_calls must be greater than zero.");
    WEIR_TRY(weir_dataset_new(call, &fns, &made));
    weir_data_function_init(&made->f, call, "f", "other_arguments");
    made->size = size;
    made->drop = drop;
    made->same_count = weir_data_attr(call->site, "preserve_cardinality")->b;
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

#define IN                                                                                         \
    "input_dataset: variant; other_arguments: Targuments; batch_size: int64; "                     \
    "num_parallel_calls: int64; drop_remainder: bool"
#define ATTRS                                                                                      \
    "f: func; Targuments: list(type) >= 0; " WEIR_DATASET_TYPES                                    \
    "; preserve_cardinality: bool = false"

WEIR_DATASET_OP(map_and_batch_dataset, "MapAndBatchDataset", IN, ATTRS WEIR_DATASET_META, 0, make);
WEIR_DATASET_OP(experimental_map_and_batch_dataset, "ExperimentalMapAndBatchDataset", IN, ATTRS, 0,
                make);
