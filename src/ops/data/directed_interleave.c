/* ops/data/directed_interleave.c - DirectedInterleaveDataset: a dataset of numbers says which of
 * the others gives the next element.
 */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct directed {
    weir_dataset base;
    bool stop; /* as soon as the chosen dataset has ended */
} directed;

typedef struct directed_iterator {
    weir_iterator base;
    bool *ended; /* of each data input; null until first used */
    int active;
} directed_iterator;

static void fini_iterator(weir_iterator *it)
{
    weir_free(((directed_iterator *)it)->ended);
}

static int64_t cardinality(const weir_dataset *d)
{
    bool stop = ((const directed *)d)->stop;
    int64_t selector = weir_dataset_cardinality(d->inputs[0]);
    if (selector == 0)
        return 0;
    int64_t total = 0;
    for (int i = 1; i < d->input_count; i++) {
        int64_t n = weir_dataset_cardinality(d->inputs[i]);
        if (n == WEIR_CARDINALITY_INFINITE && !stop && selector < 0)
            return n;
        total += n != 0;
    }
    return total ? WEIR_CARDINALITY_UNKNOWN : 0;
}

static weir_status choose(weir_iterator *it, weir_run *run, int64_t *out_index, bool *out_end)
{
    weir_tensor t = {0};
    WEIR_TRY(weir_iterator_pull(it, 0, run, &t, out_end));
    if (*out_end)
        return WEIR_OK;
    *out_index = weir_tensor_count(&t) == 1 ? *(const int64_t *)t.data : -1;
    weir_tensor_release(&t);
    if (*out_index < 0 || *out_index >= it->dataset->input_count - 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Selector index out of range: %" PRId64 " >= %d",
                          *out_index, it->dataset->input_count - 1);
    return WEIR_OK;
}

static void start(directed_iterator *d)
{
    if (d->ended)
        return;
    d->active = d->base.dataset->input_count - 1;
    d->ended = WEIR_NEW_ARRAY(bool, d->active);
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    directed_iterator *d = (directed_iterator *)it;
    start(d);
    while (d->active > 0) {
        int64_t i = 0;
        bool end;
        WEIR_TRY(choose(it, run, &i, out_end));
        if (*out_end)
            return WEIR_OK;
        if (d->ended[i])
            continue;
        WEIR_TRY(weir_iterator_pull(it, (int)i + 1, run, out, &end));
        if (!end)
            return WEIR_OK;
        if (((const directed *)it->dataset)->stop)
            break;
        d->ended[i] = true;
        d->active--;
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

static weir_status check(const weir_dataset *d)
{
    const weir_dataset *selector = d->inputs[0];
    if (selector->count != 1 || selector->types[0] != WEIR_INT64)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The selector dataset must be a dataset of scalar int64 elements.");
    for (int i = 1; i < d->input_count; i++)
        if (d->inputs[i]->count != d->count ||
            memcmp(d->inputs[i]->types, d->types, sizeof *d->types * (size_t)d->count))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "All inputs must have the same output_types. First input has types "
                              "other than input %d",
                              i - 1);
    return WEIR_OK;
}

static weir_status make(weir_call *c)
{
    directed *d;
    WEIR_TRY(weir_dataset_new(c, &fns, &d));
    d->stop = weir_data_attr(c->site, "stop_on_empty_dataset")->b;
    weir_status s = check(&d->base);
    if (s)
        weir_dataset_release(&d->base);
    else
        weir_dataset_output(c, &d->base);
    return s;
}

WEIR_DATASET_OP(directed_interleave_dataset, "DirectedInterleaveDataset",
                "selector_input_dataset: variant; data_input_datasets: N * variant",
                WEIR_DATASET_TYPES "; N: int >= 1; stop_on_empty_dataset: bool = false", 0, make);
