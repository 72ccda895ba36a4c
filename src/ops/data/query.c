/* ops/data/query.c - DatasetCardinality, GetOptions, DatasetToSingleElement, GetElementAtIndex,
 * ReduceDataset: ops that consume a dataset.
 */
#include <inttypes.h>

#include "ops/data/data_impl.h"
#include "tensor/tstring.h"

static weir_status run_cardinality(weir_call *call)
{
    weir_dataset *dataset;
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &dataset));
    *(int64_t *)weir_out(call, 0)->data = weir_dataset_cardinality(dataset);
    return WEIR_OK;
}

const weir_op weir_op_dataset_cardinality = {
    .name = "DatasetCardinality",
    .in = "input_dataset: variant",
    .out = "cardinality: int64",
    .attrs = "cardinality_options: string = \"\"",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run_cardinality, WEIR_CHEAP}},
};

const weir_op weir_op_experimental_dataset_cardinality = {
    .name = "ExperimentalDatasetCardinality",
    .in = "input_dataset: variant",
    .out = "cardinality: int64",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run_cardinality, WEIR_CHEAP}},
};

static weir_status get_options(weir_call *call)
{
    weir_dataset *dataset;
    WEIR_TRY(weir_dataset_of(weir_in(call, 0), &dataset));
    weir_tstring_set(weir_out(call, 0)->data, dataset->options.at, dataset->options.length);
    return WEIR_OK;
}

const weir_op weir_op_get_options = {
    .name = "GetOptions",
    .in = "input_dataset: variant",
    .out = "serialized_options: string",
    .flags = WEIR_NO_FOLD,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", get_options, WEIR_CHEAP}},
};

/* Starts |work| with the dataset of input 0, on a thread that may block if necessary. */
static void start_on(weir_call *c, weir_status (*work)(weir_call *c, void *dataset), bool calls)
{
    weir_dataset *dataset;
    weir_status status = weir_dataset_of(weir_in(c, 0), &dataset);
    if (status)
        weir_call_finish(c, status);
    else
        weir_data_start(c, calls || dataset->may_block, work, dataset);
}

/* ---- DatasetToSingleElement ------------------------------------------------------------------ */

static weir_status only_element(weir_iterator *it, weir_run *run, weir_tensor *element)
{
    int count = it->dataset->count;
    bool end;
    WEIR_TRY(weir_iterator_next(it, run, element, &end));
    if (end)
        return weir_error(WEIR_INVALID_ARGUMENT, "Dataset was empty.");
    weir_tensor *more = weir_element_create(count);
    weir_status status = weir_iterator_next(it, run, more, &end);
    weir_element_destroy(more, count);
    if (!status && !end)
        status = weir_error(WEIR_INVALID_ARGUMENT, "Dataset had more than one element.");
    return status;
}

static weir_status to_single(weir_call *call, void *dataset)
{
    weir_dataset *d = dataset;
    weir_iterator *it = weir_iterator_create(d);
    weir_tensor *element = weir_element_create(d->count);
    weir_status status = only_element(it, call->run, element);
    if (!status)
        status = weir_data_outputs(call, element, d->count);
    weir_element_destroy(element, d->count);
    weir_iterator_release(it);
    return status;
}

static void start_to_single(weir_call *call)
{
    start_on(call, to_single, false);
}

const weir_op weir_op_dataset_to_single_element = {
    .name = "DatasetToSingleElement",
    .in = "dataset: variant",
    .out = "components: output_types",
    .attrs = WEIR_DATASET_TYPES WEIR_DATASET_META,
    .flags = WEIR_STATEFUL,
    .infer = weir_data_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_to_single}},
};

/* ---- GetElementAtIndex ----------------------------------------------------------------------- */

static weir_status get_at(weir_call *call, void *dataset)
{
    weir_dataset *d = dataset;
    int64_t index;
    WEIR_TRY(weir_data_int(call, "index", &index));
    weir_tensor *element = weir_element_create(d->count);
    weir_status status = weir_dataset_get(d, call->run, index, element);
    if (!status)
        status = weir_data_outputs(call, element, d->count);
    weir_element_destroy(element, d->count);
    return status;
}

static void start_get_at(weir_call *call)
{
    start_on(call, get_at, false);
}

const weir_op weir_op_get_element_at_index = {
    .name = "GetElementAtIndex",
    .in = "dataset: variant; index: int64",
    .out = "components: output_types",
    .attrs = WEIR_DATASET_TYPES,
    .flags = WEIR_NO_FOLD,
    .infer = weir_data_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_get_at}},
};

/* ---- ReduceDataset --------------------------------------------------------------------------- */

/* Reduces one element: args hold the state, followed by room for the element. */
static weir_status reduce_one(weir_call *call, const weir_data_function *function,
                              weir_iterator *it, weir_tensor *args, int state_count, bool *out_end)
{
    int count = it->dataset->count;
    WEIR_TRY(weir_iterator_next(it, call->run, args + state_count, out_end));
    if (*out_end)
        return WEIR_OK;
    weir_tensor *state = weir_element_create(state_count);
    weir_status status = weir_data_function_call(function, call->run, args, state_count + count,
                                                 NULL, state_count, state);
    weir_element_clear(args, state_count + (status ? 0 : count));
    for (int i = 0; !status && i < state_count; i++)
        args[i] = state[i];
    weir_free(state);
    return status;
}

static weir_status reduce(weir_call *call, void *dataset)
{
    weir_dataset *d = dataset;
    weir_range initial = weir_data_range(call, "initial_state");
    weir_iterator *it = weir_iterator_create(d);
    weir_data_function function;
    weir_data_function_init(&function, call, "f", "other_arguments");
    weir_tensor *args = weir_element_create(initial.count + d->count);
    for (int i = 0; i < initial.count; i++)
        args[i] = weir_tensor_share(weir_in(call, initial.start + i));
    weir_status status = WEIR_OK;
    for (bool end = false; !status && !end;)
        status = reduce_one(call, &function, it, args, initial.count, &end);
    if (!status)
        status = weir_data_outputs(call, args, initial.count);
    weir_element_destroy(args, initial.count + d->count);
    weir_data_function_fini(&function);
    weir_iterator_release(it);
    return status;
}

static void start_reduce(weir_call *call)
{
    start_on(call, reduce, true);
}

const weir_op weir_op_reduce_dataset = {
    .name = "ReduceDataset",
    .in = "input_dataset: variant; initial_state: Tstate; other_arguments: Targuments",
    .out = "components: output_types",
    .attrs = "f: func; Tstate: list(type) >= 1; Targuments: list(type) >= 0; " WEIR_DATASET_TYPES
             "; use_inter_op_parallelism: bool = true" WEIR_DATASET_META,
    .flags = WEIR_STATEFUL,
    .infer = weir_data_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .start = start_reduce}},
};
