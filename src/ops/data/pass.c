/* ops/data/pass.c - datasets that only request an execution mode (threads, buffers, pipeline
 * rewrites) and pass elements through.
 */
#include <inttypes.h>

#include "ops/data/data_impl.h"

typedef struct pass {
    weir_dataset base;
    int64_t promised; /* by AssertCardinalityDataset; else WEIR_CARDINALITY_UNKNOWN */
} pass;

static int64_t cardinality(const weir_dataset *dataset)
{
    int64_t promised = ((const pass *)dataset)->promised;
    return promised != WEIR_CARDINALITY_UNKNOWN ? promised
                                                : weir_dataset_cardinality(dataset->inputs[0]);
}

static weir_status check_promise(weir_iterator *it, bool end)
{
    int64_t promised = ((const pass *)it->dataset)->promised;
    int64_t read = weir_iterator_input(it, 0)->produced;
    if (promised == WEIR_CARDINALITY_UNKNOWN)
        return WEIR_OK;
    if (end && promised != read) /* ended too early */
        return promised < 0
                   ? weir_error(WEIR_FAILED_PRECONDITION,
                                "Input dataset was expected to contain an infinite number of "
                                "elements but contained only %" PRId64 " element%s.",
                                read, read == 1 ? "" : "s")
                   : weir_error(WEIR_FAILED_PRECONDITION,
                                "Input dataset was expected to contain %" PRId64
                                " element%s but contained only %" PRId64 " element%s.",
                                promised, promised == 1 ? "" : "s", read, read == 1 ? "" : "s");
    if (!end && promised >= 0 && read > promised)
        return weir_error(WEIR_FAILED_PRECONDITION,
                          "Input dataset was expected to contain %" PRId64
                          " element%s but contained at least %" PRId64 " element%s.",
                          promised, promised == 1 ? "" : "s", read, read == 1 ? "" : "s");
    return WEIR_OK;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    WEIR_TRY(weir_iterator_pull(it, 0, run, out, out_end));
    weir_status status = check_promise(it, *out_end);
    if (status)
        weir_element_clear(out, it->dataset->count);
    return status;
}

static const weir_dataset_fns fns = {
    .name = "Options",
    .bytes = sizeof(pass),
    .iterator_bytes = sizeof(weir_iterator),
    .like_input = true,
    .next = next,
    .cardinality = cardinality,
    .get = weir_data_input_get,
};

static weir_status make(weir_call *call)
{
    int64_t size = 0, promised = WEIR_CARDINALITY_UNKNOWN;
    pass *pass;
    WEIR_TRY(weir_data_int(call, "buffer_size", &size));
    if (size < -1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning");
    WEIR_TRY(weir_data_int(call, "cardinality", &promised));
    WEIR_TRY(weir_dataset_new(call, &fns, &pass));
    pass->promised = promised;
    weir_dataset_add_options(&pass->base, call->site);
    weir_dataset_output(call, &pass->base);
    return WEIR_OK;
}

#define IN "input_dataset: variant"
#define PASS(id, text, inputs, attributes) WEIR_DATASET_OP(id, text, inputs, attributes, 0, make)

PASS(prefetch_dataset, "PrefetchDataset", IN "; buffer_size: int64",
     WEIR_DATASET_TYPES "; slack_period: int = 0; legacy_autotune: bool = true; buffer_size_min: "
                        "int = 0" WEIR_DATASET_META);
PASS(options_dataset, "OptionsDataset", IN,
     "serialized_options: string; " WEIR_DATASET_TYPES WEIR_DATASET_META);
PASS(model_dataset, "ModelDataset", IN,
     "algorithm: int = 0; cpu_budget: int = 0; ram_budget: int = 0; " WEIR_DATASET_TYPES);
PASS(optimize_dataset, "OptimizeDataset", IN "; optimizations: string",
     WEIR_DATASET_TYPES "; optimization_configs: list(string) = []");
PASS(optimize_dataset_v2, "OptimizeDatasetV2",
     IN "; optimizations_enabled: string; optimizations_disabled: string; optimizations_default: "
        "string",
     WEIR_DATASET_TYPES "; optimization_configs: list(string) = []");
PASS(finalize_dataset, "FinalizeDataset", IN,
     "has_captured_ref: bool = false; " WEIR_DATASET_TYPES);
PASS(rewrite_dataset, "RewriteDataset", IN "; rewrite_name: string", WEIR_DATASET_TYPES);
PASS(assert_next_dataset, "AssertNextDataset", IN "; transformations: string", WEIR_DATASET_TYPES);
PASS(experimental_assert_next_dataset, "ExperimentalAssertNextDataset",
     IN "; transformations: string", WEIR_DATASET_TYPES);
PASS(assert_prev_dataset, "AssertPrevDataset", IN "; transformations: string", WEIR_DATASET_TYPES);
PASS(assert_cardinality_dataset, "AssertCardinalityDataset", IN "; cardinality: int64",
     WEIR_DATASET_TYPES);
PASS(non_serializable_dataset, "NonSerializableDataset", IN, WEIR_DATASET_TYPES);
PASS(bytes_produced_stats_dataset, "BytesProducedStatsDataset", IN "; tag: string",
     WEIR_DATASET_TYPES);
PASS(latency_stats_dataset, "LatencyStatsDataset", IN "; tag: string", WEIR_DATASET_TYPES);
PASS(max_intra_op_parallelism_dataset, "MaxIntraOpParallelismDataset",
     IN "; max_intra_op_parallelism: int64", WEIR_DATASET_TYPES);
PASS(private_thread_pool_dataset, "PrivateThreadPoolDataset", IN "; num_threads: int64",
     WEIR_DATASET_TYPES);
PASS(experimental_non_serializable_dataset, "ExperimentalNonSerializableDataset", IN,
     WEIR_DATASET_TYPES);
PASS(experimental_bytes_produced_stats_dataset, "ExperimentalBytesProducedStatsDataset",
     IN "; tag: string", WEIR_DATASET_TYPES);
PASS(experimental_latency_stats_dataset, "ExperimentalLatencyStatsDataset", IN "; tag: string",
     WEIR_DATASET_TYPES);
PASS(experimental_max_intra_op_parallelism_dataset, "ExperimentalMaxIntraOpParallelismDataset",
     IN "; max_intra_op_parallelism: int64", WEIR_DATASET_TYPES);
PASS(experimental_private_thread_pool_dataset, "ExperimentalPrivateThreadPoolDataset",
     IN "; num_threads: int64", WEIR_DATASET_TYPES);

#define STATEFUL_PASS(id, text, inputs)                                                            \
    WEIR_DATASET_OP(id, text, inputs, WEIR_DATASET_TYPES, WEIR_STATEFUL, make)
#define STATS IN "; stats_aggregator: resource; tag: string; counter_prefix: string"

STATEFUL_PASS(thread_pool_dataset, "ThreadPoolDataset", IN "; thread_pool: resource");
STATEFUL_PASS(experimental_thread_pool_dataset, "ExperimentalThreadPoolDataset",
              IN "; thread_pool: resource");
STATEFUL_PASS(set_stats_aggregator_dataset, "SetStatsAggregatorDataset", STATS);
STATEFUL_PASS(experimental_set_stats_aggregator_dataset, "ExperimentalSetStatsAggregatorDataset",
              STATS);

/* Datasets with equivalent alternatives: the first is used. */
#define CHOICE "N: int >= 2; num_experiments: int; " WEIR_DATASET_TYPES
PASS(choose_fastest_dataset, "ChooseFastestDataset", "input_datasets: N * variant", CHOICE);
PASS(experimental_choose_fastest_dataset, "ExperimentalChooseFastestDataset",
     "input_datasets: N * variant", CHOICE);
