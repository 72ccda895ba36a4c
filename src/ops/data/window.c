/* ops/data/window.c - WindowDataset: runs of elements as datasets. */
#include "ops/data/data_impl.h"

typedef struct window {
    weir_dataset base;
    int64_t size, shift, stride;
    bool drop; /* drop incomplete windows */
} window;

typedef struct window_iterator {
    weir_iterator base;
    weir_element_list held; /* elements from number |first| on */
    int64_t first, next;    /* number of the first held element, of the next window's first */
    bool input_ended;
} window_iterator;

static void fini_iterator(weir_iterator *it)
{
    weir_elements_fini(&((window_iterator *)it)->held, it->dataset->inputs[0]->count);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    const window *this_window = (const window *)dataset;
    int64_t n = weir_dataset_cardinality(dataset->inputs[0]), span;
    if (n < 0)
        return n;
    if (!this_window->drop)
        return n / this_window->shift + (n % this_window->shift != 0);
    if (__builtin_mul_overflow(this_window->size - 1, this_window->stride, &span) || n <= span)
        return 0;
    return (n - span - 1) / this_window->shift + 1;
}

/* Drops the elements before |number|. */
static void forget(window_iterator *iterator, int64_t number)
{
    int count = iterator->base.dataset->inputs[0]->count;
    size_t gone = 0;
    while (gone < iterator->held.count && iterator->first + (int64_t)gone < number)
        weir_element_destroy(iterator->held.at[gone++], count);
    if (!gone)
        return;
    memmove(iterator->held.at, iterator->held.at + gone,
            (iterator->held.count - gone) * sizeof *iterator->held.at);
    iterator->held.count -= gone;
    iterator->first += (int64_t)gone;
}

/* Reads up to element |number|, unless the input ends before. */
static weir_status hold(window_iterator *iterator, weir_run *run, int64_t number)
{
    while (!iterator->input_ended && iterator->first + (int64_t)iterator->held.count <= number) {
        WEIR_TRY(
            weir_elements_pull(&iterator->held, &iterator->base, 0, run, &iterator->input_ended));
        forget(iterator, iterator->next);
    }
    return WEIR_OK;
}

/* Component |c| of the |have| elements of the current window, as a dataset. */
static weir_tensor component(const window_iterator *iterator, int c, int64_t have)
{
    const window *this_window = (const window *)iterator->base.dataset;
    weir_element_list items = {0};
    for (int64_t i = 0; i < have; i++) {
        weir_tensor *item = weir_element_create(1);
        *item = weir_tensor_share(
            &iterator->held.at[iterator->next + i * this_window->stride - iterator->first][c]);
        weir_vec_push(&items, item);
    }
    weir_dataset *made =
        weir_dataset_of_elements(&items, &this_window->base.inputs[0]->types[c], 1);
    return weir_tensor_from_variant(&made->base);
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    window_iterator *iterator = (window_iterator *)it;
    const window *this_window = (const window *)it->dataset;
    int64_t have = 0;
    forget(iterator, iterator->next);
    while (have < this_window->size) {
        int64_t number = iterator->next + have * this_window->stride;
        WEIR_TRY(hold(iterator, run, number));
        if (iterator->first + (int64_t)iterator->held.count <= number)
            break;
        have++;
    }
    *out_end = have == 0 || (this_window->drop && have < this_window->size);
    if (*out_end)
        return WEIR_OK;
    for (int c = 0; c < this_window->base.count; c++)
        out[c] = component(iterator, c, have);
    iterator->next += this_window->shift;
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "Window",
    .bytes = sizeof(window),
    .iterator_bytes = sizeof(window_iterator),
    .like_input = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .cardinality = cardinality,
};

enum { MOST = 1 << 30 }; /* keeps products of two parameters in range */

static weir_status positive(weir_call *call, const char *name, int64_t *out)
{
    WEIR_TRY(weir_data_int(call, name, out));
    if (*out <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Window %s must be greater than zero.", name);
    *out = *out > MOST ? MOST : *out;
    return WEIR_OK;
}

static weir_status make(weir_call *call)
{
    int64_t size, shift, stride;
    bool drop;
    window *window;
    WEIR_TRY(positive(call, "size", &size));
    WEIR_TRY(positive(call, "shift", &shift));
    WEIR_TRY(positive(call, "stride", &stride));
    WEIR_TRY(weir_data_bool(call, "drop_remainder", &drop));
    WEIR_TRY(weir_dataset_new(call, &fns, &window));
    for (int i = 0; i < window->base.count; i++) {
        window->base.types[i] = WEIR_VARIANT;
        window->base.shapes[i] = WEIR_SCALAR;
    }
    window->size = size;
    window->shift = shift;
    window->stride = stride;
    window->drop = drop;
    weir_dataset_output(call, &window->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(window_dataset, "WindowDataset",
                "input_dataset: variant; size: int64; shift: int64; stride: int64; "
                "drop_remainder: bool",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make);
