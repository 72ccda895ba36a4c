/* ops/data/directed_interleave.c - DirectedInterleaveDataset: a selector dataset chooses the input
 * of each element.
 */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct directed {
    weir_dataset base;
    bool stop; /* stop when the chosen dataset has ended */
} directed;

typedef struct directed_iterator {
    weir_iterator base;
    bool *ended; /* per data input; null until first use */
    int active;
} directed_iterator;

static void fini_iterator(weir_iterator *it)
{
    weir_free(((directed_iterator *)it)->ended);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    bool stop = ((const directed *)dataset)->stop;
    int64_t selector = weir_dataset_cardinality(dataset->inputs[0]);
    if (selector == 0)
        return 0;
    int64_t total = 0;
    for (int i = 1; i < dataset->input_count; i++) {
        int64_t n = weir_dataset_cardinality(dataset->inputs[i]);
        if (n == WEIR_CARDINALITY_INFINITE && !stop && selector < 0)
            return n;
        total += n != 0;
    }
    return total ? WEIR_CARDINALITY_UNKNOWN : 0;
}

static weir_status choose(weir_iterator *it, weir_run *run, int64_t *out_index, bool *out_end)
{
    weir_tensor tensor = {0};
    WEIR_TRY(weir_iterator_pull(it, 0, run, &tensor, out_end));
    if (*out_end)
        return WEIR_OK;
    *out_index = weir_tensor_count(&tensor) == 1 ? *(const int64_t *)tensor.data : -1;
    weir_tensor_release(&tensor);
    if (*out_index < 0 || *out_index >= it->dataset->input_count - 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Selector index out of range: %" PRId64 " >= %d",
                          *out_index, it->dataset->input_count - 1);
    return WEIR_OK;
}

static void start(directed_iterator *iterator)
{
    if (iterator->ended)
        return;
    iterator->active = iterator->base.dataset->input_count - 1;
    iterator->ended = WEIR_NEW_ARRAY(bool, iterator->active);
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    directed_iterator *iterator = (directed_iterator *)it;
    start(iterator);
    while (iterator->active > 0) {
        int64_t i = 0;
        bool end;
        WEIR_TRY(choose(it, run, &i, out_end));
        if (*out_end)
            return WEIR_OK;
        if (iterator->ended[i])
            continue;
        WEIR_TRY(weir_iterator_pull(it, (int)i + 1, run, out, &end));
        if (!end)
            return WEIR_OK;
        if (((const directed *)it->dataset)->stop)
            break;
        iterator->ended[i] = true;
        iterator->active--;
    }
    *out_end = true;
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "DirectedInterleave",
    .bytes = sizeof(directed),
    .iterator_bytes = sizeof(directed_iterator),
    .next = next,
    .fini_iterator = fini_iterator,
    .cardinality = cardinality,
};

static weir_status check(const weir_dataset *dataset)
{
    const weir_dataset *selector = dataset->inputs[0];
    if (selector->count != 1 || selector->types[0] != WEIR_INT64)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The selector dataset must be a dataset of scalar int64 elements.");
    for (int i = 1; i < dataset->input_count; i++)
        if (dataset->inputs[i]->count != dataset->count ||
            memcmp(dataset->inputs[i]->types, dataset->types,
                   sizeof *dataset->types * (size_t)dataset->count))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All inputs must have the same output_types. First input has types "
                              "other than input %d",
                              i - 1);
    return WEIR_OK;
}

static weir_status make(weir_call *call)
{
    directed *directed;
    WEIR_TRY(weir_dataset_new(call, &fns, &directed));
    const weir_attr *stop = weir_data_attr(call->site, "stop_on_empty_dataset");
    directed->stop = stop && stop->b;
    weir_status status = check(&directed->base);
    if (status)
        weir_dataset_release(&directed->base);
    else
        weir_dataset_output(call, &directed->base);
    return status;
}

WEIR_DATASET_OP(directed_interleave_dataset, "DirectedInterleaveDataset",
                "selector_input_dataset: variant; data_input_datasets: N * variant",
                WEIR_DATASET_TYPES "; N: int >= 1; stop_on_empty_dataset: bool = false", 0, make);
WEIR_DATASET_OP(experimental_directed_interleave_dataset, "ExperimentalDirectedInterleaveDataset",
                "selector_input_dataset: variant; data_input_datasets: N * variant",
                WEIR_DATASET_TYPES "; N: int >= 1", 0, make);
