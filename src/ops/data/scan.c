/* ops/data/scan.c - ScanDataset: a function of a state and an element gives both anew. */
#include "ops/data/data_impl.h"

typedef struct scan {
    weir_dataset base;
    weir_data_function f;
    int state_count;
    weir_tensor *initial;
    bool same_count;
} scan;

typedef struct scan_iterator {
    weir_iterator base;
    weir_tensor *state; /* null until first used */
} scan_iterator;

static void fini(weir_dataset *d)
{
    scan *s = (scan *)d;
    weir_data_function_fini(&s->f);
    weir_element_destroy(s->initial, s->state_count);
}

static void fini_iterator(weir_iterator *it)
{
    weir_element_destroy(((scan_iterator *)it)->state, ((const scan *)it->dataset)->state_count);
}

static int64_t cardinality(const weir_dataset *d)
{
    return ((const scan *)d)->same_count ? weir_dataset_cardinality(d->inputs[0])
                                         : WEIR_CARDINALITY_UNKNOWN;
}

static void start(scan_iterator *s)
{
    const scan *d = (const scan *)s->base.dataset;
    if (s->state)
        return;
    s->state = weir_element_create(d->state_count);
    for (int i = 0; i < d->state_count; i++)
        s->state[i] = weir_tensor_share(&d->initial[i]);
}

/* The function gives the new state and the element, one after another. */
static weir_status keep(scan_iterator *s, weir_tensor *rets, weir_tensor *out)
{
    const scan *d = (const scan *)s->base.dataset;
    for (int i = 0; i < d->state_count; i++)
        if (rets[i].dtype != d->initial[i].dtype)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Got wrong type for scan_func return value %d (expected %s, got %s).",
                              i, weir_dtype_name(d->initial[i].dtype),
                              weir_dtype_name(rets[i].dtype));
    for (int i = 0; i < d->base.count; i++)
        if (rets[d->state_count + i].dtype != d->base.types[i])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Got wrong type for scan_func return value %d (expected %s, got %s).",
                              d->state_count + i, weir_dtype_name(d->base.types[i]),
                              weir_dtype_name(rets[d->state_count + i].dtype));
    for (int i = 0; i < d->state_count; i++) {
        weir_tensor_release(&s->state[i]);
        weir_tensor_move(&s->state[i], &rets[i]);
    }
    for (int i = 0; i < d->base.count; i++)
        weir_tensor_move(&out[i], &rets[d->state_count + i]);
    return WEIR_OK;
}

static weir_status apply(scan_iterator *s, weir_run *run, const weir_tensor *element,
                         weir_tensor *out)
{
    const scan *d = (const scan *)s->base.dataset;
    int count = d->base.inputs[0]->count, ret_count = d->state_count + d->base.count;
    weir_tensor *args = weir_element_create(d->state_count + count);
    weir_tensor *rets = weir_element_create(ret_count);
    for (int i = 0; i < d->state_count; i++)
        args[i] = s->state[i];
    for (int i = 0; i < count; i++)
        args[d->state_count + i] = element[i];
    weir_status st =
        weir_data_function_call(&d->f, run, args, d->state_count + count, NULL, ret_count, rets);
    if (!st)
        st = keep(s, rets, out);
    weir_free(args);
    weir_element_destroy(rets, ret_count);
    return st;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    int count = it->dataset->inputs[0]->count;
    weir_tensor *element = weir_element_create(count);
    start((scan_iterator *)it);
    weir_status s = weir_iterator_pull(it, 0, run, element, out_end);
    if (!s && !*out_end)
        s = apply((scan_iterator *)it, run, element, out);
    weir_element_destroy(element, count);
    if (weir_status_code(s) != WEIR_OUT_OF_RANGE)
        return s;
    if (((const scan *)it->dataset)->same_count)
        return weir_status_prefix(s, "Function invocation produced OutOfRangeError: ");
    weir_status_free(s);
    *out_end = true;
    return WEIR_OK;
}

static const weir_dataset_fns fns = {
    .name = "Scan",
    .bytes = sizeof(scan),
    .iterator_bytes = sizeof(scan_iterator),
    .may_block = true,
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
    .cardinality = cardinality,
};

static weir_status make(weir_call *c)
{
    scan *d;
    weir_range initial = weir_data_range(c, "initial_state");
    WEIR_TRY(weir_dataset_new(c, &fns, &d));
    weir_data_function_init(&d->f, c, "f", "other_arguments");
    d->state_count = initial.count;
    d->initial = weir_element_create(initial.count);
    for (int i = 0; i < initial.count; i++)
        d->initial[i] = weir_tensor_share(weir_in(c, initial.start + i));
    d->same_count = weir_data_attr(c->site, "preserve_cardinality")->b;
    weir_dataset_output(c, &d->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(scan_dataset, "ScanDataset",
                "input_dataset: variant; initial_state: Tstate; other_arguments: Targuments",
                "f: func; Tstate: list(type) >= 1; Targuments: list(type) >= 0; " WEIR_DATASET_TYPES
                "; preserve_cardinality: bool = false; use_default_device: bool = "
                "true" WEIR_DATASET_META,
                0, make);
