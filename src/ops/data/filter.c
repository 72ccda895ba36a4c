/* ops/data/filter.c - FilterDataset, TakeWhileDataset: elements that satisfy a predicate. */
#include "ops/data/data_impl.h"

typedef struct filter {
    weir_dataset base;
    weir_data_function f;
} filter;

static void fini(weir_dataset *dataset)
{
    weir_data_function_fini(&((filter *)dataset)->f);
}

static weir_status test(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end,
                        bool *out_kept)
{
    WEIR_TRY(weir_iterator_pull(it, 0, run, out, out_end));
    if (*out_end)
        return WEIR_OK;
    const filter *this_filter = (const filter *)it->dataset;
    weir_status status =
        weir_data_function_test(&this_filter->f, run, out, it->dataset->count, out_kept);
    if (status || !*out_kept)
        weir_element_clear(out, it->dataset->count);
    return status;
}

static weir_status filter_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    bool kept = false;
    while (!kept && !*out_end)
        WEIR_TRY(test(it, run, out, out_end, &kept));
    return WEIR_OK;
}

static weir_status while_next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    bool kept = false;
    WEIR_TRY(test(it, run, out, out_end, &kept));
    *out_end |= !kept;
    return WEIR_OK;
}

static const weir_dataset_fns filter_fns = {
    .name = "Filter",
    .bytes = sizeof(filter),
    .iterator_bytes = sizeof(weir_iterator),
    .like_input = true,
    .may_block = true,
    .next = filter_next,
    .fini = fini,
};

static const weir_dataset_fns while_fns = {
    .name = "TakeWhile",
    .bytes = sizeof(filter),
    .iterator_bytes = sizeof(weir_iterator),
    .like_input = true,
    .may_block = true,
    .next = while_next,
    .fini = fini,
};

static weir_status make(weir_call *call, const weir_dataset_fns *fns)
{
    filter *filter;
    WEIR_TRY(weir_dataset_new(call, fns, &filter));
    weir_data_function_init(&filter->f, call, "predicate", "other_arguments");
    weir_dataset_output(call, &filter->base);
    return WEIR_OK;
}

static weir_status make_filter(weir_call *call)
{
    return make(call, &filter_fns);
}

static weir_status make_while(weir_call *call)
{
    return make(call, &while_fns);
}

#define ATTRS "predicate: func; Targuments: list(type) >= 0; " WEIR_DATASET_TYPES WEIR_DATASET_META

WEIR_DATASET_OP(filter_dataset, "FilterDataset",
                "input_dataset: variant; other_arguments: Targuments", ATTRS, 0, make_filter);
WEIR_DATASET_OP(take_while_dataset, "TakeWhileDataset",
                "input_dataset: variant; other_arguments: Targuments", ATTRS, 0, make_while);
WEIR_DATASET_OP(experimental_take_while_dataset, "ExperimentalTakeWhileDataset",
                "input_dataset: variant; other_arguments: Targuments",
                "predicate: func; Targuments: list(type) >= 0; " WEIR_DATASET_TYPES, 0, make_while);
WEIR_DATASET_OP(parallel_filter_dataset, "ParallelFilterDataset",
                "input_dataset: variant; other_arguments: Targuments; num_parallel_calls: int64",
                "predicate: func; deterministic: string = \"default\"; Targuments: list(type) >= "
                "0; " WEIR_DATASET_TYPES WEIR_DATASET_META,
                0, make_filter);
