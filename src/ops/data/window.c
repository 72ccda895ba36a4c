/* ops/data/window.c - WindowDataset: runs of elements as datasets. */
#include "ops/data/data_impl.h"

typedef struct window {
    weir_dataset base;
    int64_t size, shift, stride;
    bool drop; /* windows that are not full */
} window;

typedef struct window_iterator {
    weir_iterator base;
    weir_element_list held; /* elements from |first| on */
    int64_t first, next;    /* number of the first held element, of the next window's first */
    bool input_ended;
} window_iterator;

static void fini_iterator(weir_iterator *it)
{
    weir_elements_fini(&((window_iterator *)it)->held, it->dataset->inputs[0]->count);
}

static int64_t cardinality(const weir_dataset *d)
{
    const window *w = (const window *)d;
    int64_t n = weir_dataset_cardinality(d->inputs[0]), span;
    if (n < 0)
        return n;
    if (!w->drop)
        return n / w->shift + (n % w->shift != 0);
    if (__builtin_mul_overflow(w->size - 1, w->stride, &span) || n <= span)
        return 0;
    return (n - span - 1) / w->shift + 1;
}

/* Lets go of the elements before |number|. */
static void forget(window_iterator *w, int64_t number)
{
    int count = w->base.dataset->inputs[0]->count;
    size_t gone = 0;
    while (gone < w->held.count && w->first + (int64_t)gone < number)
        weir_element_destroy(w->held.at[gone++], count);
    if (!gone)
        return;
    memmove(w->held.at, w->held.at + gone, (w->held.count - gone) * sizeof *w->held.at);
    w->held.count -= gone;
    w->first += (int64_t)gone;
}

/* Makes sure that element |number| is held, unless the input ends before. */
static weir_status hold(window_iterator *w, weir_run *run, int64_t number)
{
    while (!w->input_ended && w->first + (int64_t)w->held.count <= number) {
        WEIR_TRY(weir_elements_pull(&w->held, &w->base, 0, run, &w->input_ended));
        forget(w, w->next);
    }
    return WEIR_OK;
}

/* Component |c| of the |have| elements of the window at hand, as a dataset. */
static weir_tensor component(const window_iterator *w, int c, int64_t have)
{
    const window *d = (const window *)w->base.dataset;
    weir_element_list items = {0};
    for (int64_t i = 0; i < have; i++) {
        weir_tensor *item = weir_element_create(1);
        *item = weir_tensor_share(&w->held.at[w->next + i * d->stride - w->first][c]);
        weir_vec_push(&items, item);
    }
    weir_dataset *made = weir_dataset_of_elements(&items, &d->base.inputs[0]->types[c], 1);
    return weir_tensor_from_variant(&made->base);
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    window_iterator *w = (window_iterator *)it;
    const window *d = (const window *)it->dataset;
    int64_t have = 0;
    forget(w, w->next);
    while (have < d->size) {
        int64_t number = w->next + have * d->stride;
        WEIR_TRY(hold(w, run, number));
        if (w->first + (int64_t)w->held.count <= number)
            break;
        have++;
    }
    *out_end = have == 0 || (d->drop && have < d->size);
    if (*out_end)
        return WEIR_OK;
    for (int c = 0; c < d->base.count; c++)
        out[c] = component(w, c, have);
    w->next += d->shift;
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

static weir_status positive(weir_call *c, const char *name, int64_t *out)
{
    WEIR_TRY(weir_data_int(c, name, out));
    if (*out <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Window %s must be greater than zero.", name);
    *out = *out > MOST ? MOST : *out;
    return WEIR_OK;
}

static weir_status make(weir_call *c)
{
    int64_t size, shift, stride;
    bool drop;
    window *d;
    WEIR_TRY(positive(c, "size", &size));
    WEIR_TRY(positive(c, "shift", &shift));
    WEIR_TRY(positive(c, "stride", &stride));
    WEIR_TRY(weir_data_bool(c, "drop_remainder", &drop));
    WEIR_TRY(weir_dataset_new(c, &fns, &d));
    for (int i = 0; i < d->base.count; i++) {
        d->base.types[i] = WEIR_VARIANT;
        d->base.shapes[i] = WEIR_SCALAR;
    }
    d->size = size;
    d->shift = shift;
    d->stride = stride;
    d->drop = drop;
    weir_dataset_output(c, &d->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(window_dataset, "WindowDataset",
                "input_dataset: variant; size: int64; shift: int64; stride: int64; "
                "drop_remainder: bool",
                WEIR_DATASET_TYPES WEIR_DATASET_META, 0, make);
