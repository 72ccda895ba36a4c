/* ops/data/map.c - MapDataset, ParallelMapDataset: applies a function to each element. */
#include "ops/data/data_impl.h"

typedef struct map {
    weir_dataset base;
    weir_data_function f;
    bool same_count; /* one output per input element, whatever the function returns */
} map;

static void fini(weir_dataset *dataset)
{
    weir_data_function_fini(&((map *)dataset)->f);
}

static int64_t cardinality(const weir_dataset *dataset)
{
    return ((const map *)dataset)->same_count ? weir_dataset_cardinality(dataset->inputs[0])
                                              : WEIR_CARDINALITY_UNKNOWN;
}

static weir_status apply(const weir_dataset *dataset, weir_run *run, const weir_tensor *element,
                         weir_tensor *out)
{
    return weir_data_function_call(&((const map *)dataset)->f, run, element,
                                   dataset->inputs[0]->count, dataset->types, dataset->count, out);
}

/* OUT_OF_RANGE from the function ends the sequence, unless its length must be kept. */
static weir_status end_by(const map *map, weir_status status, bool *out_end)
{
    if (weir_status_code(status) != WEIR_OUT_OF_RANGE)
        return status;
    weir_status told =
        map->same_count
            ? weir_error(WEIR_INVALID_ARGUMENT, "Function invocation produced OutOfRangeError: %s",
                         weir_status_message(status))
            : WEIR_OK;
    weir_status_free(status);
    *out_end = !told;
    return told;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    const weir_dataset *dataset = it->dataset;
    weir_tensor *element = weir_element_create(dataset->inputs[0]->count);
    weir_status status = weir_iterator_pull(it, 0, run, element, out_end);
    if (!status && !*out_end)
        status = end_by((const map *)dataset, apply(dataset, run, element, out), out_end);
    weir_element_destroy(element, dataset->inputs[0]->count);
    return status;
}

static weir_status get(const weir_dataset *dataset, weir_run *run, int64_t index, weir_tensor *out)
{
    weir_tensor *element = weir_element_create(dataset->inputs[0]->count);
    weir_status status = weir_dataset_get(dataset->inputs[0], run, index, element);
    if (!status)
        status = apply(dataset, run, element, out);
    weir_element_destroy(element, dataset->inputs[0]->count);
    return status;
}

static const weir_dataset_fns fns = {
    .name = "Map",
    .bytes = sizeof(map),
    .iterator_bytes = sizeof(weir_iterator),
    .may_block = true,
    .next = next,
    .fini = fini,
    .cardinality = cardinality,
    .get = get,
};

static weir_status make(weir_call *call)
{
    map *map;
    int64_t calls = 1;
    WEIR_TRY(weir_data_int(call, "num_parallel_calls", &calls));
    if (calls < 1 && calls != -1)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_parallel_calls must be greater than zero.");
    WEIR_TRY(weir_dataset_new(call, &fns, &map));
    weir_data_function_init(&map->f, call, "f", "other_arguments");
    map->same_count = weir_data_attr(call->site, "preserve_cardinality")->b;
    weir_dataset_output(call, &map->base);
    return WEIR_OK;
}

#define FUNCTION "f: func; Targuments: list(type) >= 0; " WEIR_DATASET_TYPES
#define INTER_OP "; use_inter_op_parallelism: bool = true"

WEIR_DATASET_OP(map_dataset, "MapDataset", "input_dataset: variant; other_arguments: Targuments",
                FUNCTION INTER_OP "; preserve_cardinality: bool = false; force_synchronous: bool = "
                                  "false" WEIR_DATASET_META,
                0, make);
WEIR_DATASET_OP(parallel_map_dataset, "ParallelMapDataset",
                "input_dataset: variant; other_arguments: Targuments; num_parallel_calls: int32",
                FUNCTION INTER_OP
                "; sloppy: bool = false; preserve_cardinality: bool = false" WEIR_DATASET_META,
                0, make);
WEIR_DATASET_OP(parallel_map_dataset_v2, "ParallelMapDatasetV2",
                "input_dataset: variant; other_arguments: Targuments; num_parallel_calls: int64",
                FUNCTION INTER_OP
                "; deterministic: string = \"default\"; preserve_cardinality: bool = false; "
                "use_unbounded_threadpool: bool = false" WEIR_DATASET_META,
                0, make);
WEIR_DATASET_OP(experimental_map_dataset, "ExperimentalMapDataset",
                "input_dataset: variant; other_arguments: Targuments",
                FUNCTION INTER_OP
                "; preserve_cardinality: bool = false; force_synchronous: bool = false",
                0, make);
