/* ops/data/handles.c - ThreadPoolHandle, StatsAggregatorHandle and their like: handles that
 * datasets accept. Datasets run on the threads of the step, and no statistics are collected: these
 * objects are empty.
 */
#include "ops/declare.h"
#include "ops/state/named.h"
#include "tensor/tstring.h"

static const weir_resource_type pool_type = {
    "N10tensorflow4data12_GLOBAL__N_118ThreadPoolResourceE", "thread pool"};
static const weir_resource_type stats_type = {"N10tensorflow4data15StatsAggregatorE",
                                              "statistics aggregator"};

static void destroy(weir_ref *ref)
{
    weir_free(ref);
}

static weir_status create(void *arg, weir_resource **out)
{
    weir_resource *resource = WEIR_NEW(weir_resource);
    weir_ref_init(&resource->ref, destroy);
    resource->type = arg;
    *out = resource;
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation, const weir_resource_type *type)
{
    const weir_opdef *def = preparation->site->def;
    return weir_named_prepare(preparation, weir_opdef_attr(def, "container"),
                              weir_opdef_attr(def, "shared_name"), WEIR_BY_NODE_NAME, type);
}

static weir_status prepare_pool(weir_prepare *preparation)
{
    return prepare(preparation, &pool_type);
}

static weir_status prepare_stats(weir_prepare *preparation)
{
    return prepare(preparation, &stats_type);
}

static weir_status run(weir_call *call)
{
    weir_resource *resource;
    const weir_named *named = call->state;
    WEIR_TRY(weir_named_open(call, create, (void *)named->type, &resource));
    weir_ref_release(&resource->ref);
    weir_named_output(call, 0);
    return WEIR_OK;
}

#define HANDLE(prepare_it)                                                                         \
    .out = "handle: resource", .flags = WEIR_STATEFUL, .infer = weir_infer_scalar,                 \
    .no_grad = true,                                                                               \
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP, .prepare = prepare_it,         \
                 .cleanup = weir_named_cleanup}}
#define POOL_ATTRS                                                                                 \
    "num_threads: int; max_intra_op_parallelism: int = 1; display_name: string; "                  \
    "container: string = \"\"; shared_name: string = \"\""
#define STATS_ATTRS "container: string = \"\"; shared_name: string = \"\""

WEIR_DEFINE_OP(thread_pool_handle, "ThreadPoolHandle", HANDLE(prepare_pool), .attrs = POOL_ATTRS);
WEIR_DEFINE_OP(experimental_thread_pool_handle, "ExperimentalThreadPoolHandle",
               HANDLE(prepare_pool), .attrs = POOL_ATTRS);
WEIR_DEFINE_OP(stats_aggregator_handle, "StatsAggregatorHandle", HANDLE(prepare_stats),
               .attrs = STATS_ATTRS);
WEIR_DEFINE_OP(stats_aggregator_handle_v2, "StatsAggregatorHandleV2", HANDLE(prepare_stats),
               .attrs = STATS_ATTRS);
WEIR_DEFINE_OP(experimental_stats_aggregator_handle, "ExperimentalStatsAggregatorHandle",
               HANDLE(prepare_stats), .attrs = STATS_ATTRS);

/* ---- statistics ------------------------------------------------------------------------------ */

static weir_status summary(weir_call *call)
{
    weir_resource *resource;
    WEIR_TRY(weir_named_input(call, 0, &stats_type, &resource));
    weir_ref_release(&resource->ref);
    if (call->site->out_count)
        weir_tstring_set(weir_out(call, 0)->data, "", 0);
    return WEIR_OK;
}

#define SUMMARY                                                                                    \
    .in = "iterator: resource", .out = "summary: string", .flags = WEIR_STATEFUL,                  \
    .infer = weir_infer_scalar, .no_grad = true, .kernels = {{WEIR_CPU, "*", summary, WEIR_CHEAP}}
WEIR_DEFINE_OP(stats_aggregator_summary, "StatsAggregatorSummary", SUMMARY);
WEIR_DEFINE_OP(experimental_stats_aggregator_summary, "ExperimentalStatsAggregatorSummary",
               SUMMARY);
WEIR_DEFINE_OP(stats_aggregator_set_summary_writer, "StatsAggregatorSetSummaryWriter",
               .in = "stats_aggregator: resource; summary: resource", .flags = WEIR_STATEFUL,
               .infer = weir_infer_no_outputs, .no_grad = true,
               .kernels = {{WEIR_CPU, "*", summary, WEIR_CHEAP}});
