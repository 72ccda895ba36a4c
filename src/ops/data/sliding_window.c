/* ops/data/sliding_window.c - SlidingWindowDataset: windows of elements, each as a batch. */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct sliding {
    weir_dataset base;
    int64_t size, shift, stride;
    bool drop; /* drop incomplete windows */
} sliding;

typedef struct sliding_iterator {
    weir_iterator base;
    weir_element_list held; /* elements that the next window may need */
    int64_t skip;           /* elements to skip before collecting */
    bool input_ended;
} sliding_iterator;

static void fini_iterator(weir_iterator *it)
{
    weir_elements_fini(&((sliding_iterator *)it)->held, it->dataset->count);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    const sliding *this_sliding = (const sliding *)dataset;
    int64_t n = weir_dataset_cardinality(dataset->inputs[0]);
    return n < 0 ? n : n / this_sliding->shift; /* TensorFlow's result, whatever the size */
}

static void forget(sliding_iterator *iterator, int64_t count)
{
    int64_t have = (int64_t)iterator->held.count, gone = count < have ? count : have;
    for (int64_t i = 0; i < gone; i++)
        weir_element_destroy(iterator->held.at[i], iterator->base.dataset->count);
    memmove(iterator->held.at, iterator->held.at + gone,
            (size_t)(have - gone) * sizeof *iterator->held.at);
    iterator->held.count -= (size_t)gone;
    iterator->skip = count - gone;
}

static weir_status hold(sliding_iterator *iterator, weir_run *run)
{
    const sliding *this_sliding = (const sliding *)iterator->base.dataset;
    size_t span = (size_t)((this_sliding->size - 1) * this_sliding->stride + 1);
    while (!iterator->input_ended && iterator->held.count < span) {
        WEIR_TRY(
            weir_elements_pull(&iterator->held, &iterator->base, 0, run, &iterator->input_ended));
        if (iterator->skip > 0 && !iterator->input_ended) {
            int64_t skip = iterator->skip - 1;
            forget(iterator, 1);
            iterator->skip = skip;
        }
    }
    return WEIR_OK;
}

static weir_status give(const sliding_iterator *iterator, weir_tensor *out)
{
    const sliding *this_sliding = (const sliding *)iterator->base.dataset;
    weir_element_list rows = {0};
    weir_status status = WEIR_OK;
    for (size_t i = 0; i < iterator->held.count; i += (size_t)this_sliding->stride)
        weir_vec_push(&rows, iterator->held.at[i]);
    for (int i = 0; !status && i < this_sliding->base.count; i++)
        status = weir_data_stack(rows.at, (int64_t)rows.count, i, &out[i]);
    weir_vec_fini(&rows);
    return status;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    sliding_iterator *iterator = (sliding_iterator *)it;
    const sliding *this_sliding = (const sliding *)it->dataset;
    WEIR_TRY(hold(iterator, run));
    size_t span = (size_t)((this_sliding->size - 1) * this_sliding->stride + 1);
    *out_end = !iterator->held.count || (this_sliding->drop && iterator->held.count < span);
    if (*out_end)
        return WEIR_OK;
    weir_status status = give(iterator, out);
    forget(iterator, this_sliding->shift);
    return status;
}

static const weir_dataset_fns fns = {
    .name = "SlidingWindow",
    .bytes = sizeof(sliding),
    .iterator_bytes = sizeof(sliding_iterator),
    .like_input = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .cardinality = cardinality,
};

enum { MOST = 1 << 30 }; /* keeps products of two parameters in range */

static weir_status positive(weir_call *call, const char *name, const char *words, int64_t *out)
{
    WEIR_TRY(weir_data_int(call, name, out));
    if (*out <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s must be greater than zero.", words);
    *out = *out > MOST ? MOST : *out;
    return WEIR_OK;
}

static weir_status make(weir_call *call)
{
    int64_t size, shift, stride;
    const weir_attr *drop = weir_data_attr(call->site, "drop_remainder");
    sliding *made;
    WEIR_TRY(positive(call, "window_size", "Window size", &size));
    WEIR_TRY(positive(call, "window_shift", "Window shift", &shift));
    WEIR_TRY(positive(call, "window_stride", "Window stride", &stride));
    WEIR_TRY(weir_dataset_new(call, &fns, &made));
    made->size = size;
    made->shift = shift;
    made->stride = stride;
    made->drop = !drop || drop->b;
    weir_dataset_output(call, &made->base);
    return WEIR_OK;
}

#define IN "input_dataset: variant; window_size: int64; window_shift: int64; window_stride: int64"
WEIR_DATASET_OP(sliding_window_dataset, "SlidingWindowDataset", IN,
                "drop_remainder: bool = true; " WEIR_DATASET_TYPES, 0, make);
WEIR_DATASET_OP(experimental_sliding_window_dataset, "ExperimentalSlidingWindowDataset", IN,
                WEIR_DATASET_TYPES, 0, make);
