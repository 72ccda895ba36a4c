/* ops/data/scan.c - ScanDataset: a function maps state and element to a new state and element. */
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
    weir_tensor *state; /* null until first use */
} scan_iterator;

static void fini(weir_dataset *dataset)
{
    scan *this_scan = (scan *)dataset;
    weir_data_function_fini(&this_scan->f);
    weir_element_destroy(this_scan->initial, this_scan->state_count);
}

static void fini_iterator(weir_iterator *it)
{
    weir_element_destroy(((scan_iterator *)it)->state, ((const scan *)it->dataset)->state_count);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    return ((const scan *)dataset)->same_count ? weir_dataset_cardinality(dataset->inputs[0])
                                               : WEIR_CARDINALITY_UNKNOWN;
}

static void start(scan_iterator *iterator)
{
    const scan *this_scan = (const scan *)iterator->base.dataset;
    if (iterator->state)
        return;
    iterator->state = weir_element_create(this_scan->state_count);
    for (int i = 0; i < this_scan->state_count; i++)
        iterator->state[i] = weir_tensor_share(&this_scan->initial[i]);
}

/* The function returns the new state, followed by the element. */
static weir_status keep(scan_iterator *iterator, weir_tensor *rets, weir_tensor *out)
{
    const scan *this_scan = (const scan *)iterator->base.dataset;
    for (int i = 0; i < this_scan->state_count; i++)
        if (rets[i].dtype != this_scan->initial[i].dtype)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Got wrong type for scan_func return value %d (expected %s, got %s).",
                              i, weir_dtype_name(this_scan->initial[i].dtype),
                              weir_dtype_name(rets[i].dtype));
    for (int i = 0; i < this_scan->base.count; i++)
        if (rets[this_scan->state_count + i].dtype != this_scan->base.types[i])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Got wrong type for scan_func return value %d (expected %s, got %s).",
                              this_scan->state_count + i, weir_dtype_name(this_scan->base.types[i]),
                              weir_dtype_name(rets[this_scan->state_count + i].dtype));
    for (int i = 0; i < this_scan->state_count; i++) {
        weir_tensor_release(&iterator->state[i]);
        weir_tensor_move(&iterator->state[i], &rets[i]);
    }
    for (int i = 0; i < this_scan->base.count; i++)
        weir_tensor_move(&out[i], &rets[this_scan->state_count + i]);
    return WEIR_OK;
}

static weir_status apply(scan_iterator *iterator, weir_run *run, const weir_tensor *element,
                         weir_tensor *out)
{
    const scan *this_scan = (const scan *)iterator->base.dataset;
    int count = this_scan->base.inputs[0]->count,
        ret_count = this_scan->state_count + this_scan->base.count;
    weir_tensor *args = weir_element_create(this_scan->state_count + count);
    weir_tensor *rets = weir_element_create(ret_count);
    for (int i = 0; i < this_scan->state_count; i++)
        args[i] = iterator->state[i];
    for (int i = 0; i < count; i++)
        args[this_scan->state_count + i] = element[i];
    weir_status st = weir_data_function_call(&this_scan->f, run, args,
                                             this_scan->state_count + count, NULL, ret_count, rets);
    if (!st)
        st = keep(iterator, rets, out);
    weir_free(args);
    weir_element_destroy(rets, ret_count);
    return st;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    int count = it->dataset->inputs[0]->count;
    weir_tensor *element = weir_element_create(count);
    start((scan_iterator *)it);
    weir_status status = weir_iterator_pull(it, 0, run, element, out_end);
    if (!status && !*out_end)
        status = apply((scan_iterator *)it, run, element, out);
    weir_element_destroy(element, count);
    if (weir_status_code(status) != WEIR_OUT_OF_RANGE)
        return status;
    if (((const scan *)it->dataset)->same_count)
        return weir_status_prefix(status, "Function invocation produced OutOfRangeError: ");
    weir_status_free(status);
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

static weir_status make(weir_call *call)
{
    scan *scan;
    weir_range initial = weir_data_range(call, "initial_state");
    WEIR_TRY(weir_dataset_new(call, &fns, &scan));
    weir_data_function_init(&scan->f, call, "f", "other_arguments");
    scan->state_count = initial.count;
    scan->initial = weir_element_create(initial.count);
    for (int i = 0; i < initial.count; i++)
        scan->initial[i] = weir_tensor_share(weir_in(call, initial.start + i));
    scan->same_count = weir_data_attr(call->site, "preserve_cardinality")->b;
    weir_dataset_output(call, &scan->base);
    return WEIR_OK;
}

WEIR_DATASET_OP(scan_dataset, "ScanDataset",
                "input_dataset: variant; initial_state: Tstate; other_arguments: Targuments",
                "f: func; Tstate: list(type) >= 1; Targuments: list(type) >= 0; " WEIR_DATASET_TYPES
                "; preserve_cardinality: bool = false; use_default_device: bool = "
                "true" WEIR_DATASET_META,
                0, make);
WEIR_DATASET_OP(experimental_scan_dataset, "ExperimentalScanDataset",
                "input_dataset: variant; initial_state: Tstate; other_arguments: Targuments",
                "f: func; Tstate: list(type) >= 1; Targuments: list(type) >= 0; " WEIR_DATASET_TYPES
                "; preserve_cardinality: bool = false",
                0, make);
