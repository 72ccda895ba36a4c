/* session/options.c - options out of messages. */
#include "session/options.h"

enum { MAX_CPU_DEVICES = 1024 };

static void skip(weir_pass_options *options, weir_pass_option option, bool skipped)
{
    options->skip |= skipped ? weir_pass_of_option(option) : 0;
}

static int cpu_devices_of(const weir_msg_config_proto *message)
{
    const weir_msg_config_proto_device_count_entry *entry =
        WEIR_MAP_FIND(message->device_count, "CPU");
    return entry && entry->value > 0 && entry->value <= MAX_CPU_DEVICES ? entry->value : 0;
}

static void read_gpu_devices(const weir_msg_config_proto *message, weir_session_config *config)
{
    const weir_msg_config_proto_device_count_entry *entry =
        WEIR_MAP_FIND(message->device_count, "GPU");
    config->limit_gpus = entry && entry->value >= 0;
    config->gpu_devices = config->limit_gpus ? entry->value : 0;
}

/* At level L0 nothing is done but what is asked for by name. */
static void read_optimizer(const weir_msg_optimizer_options *message, weir_pass_options *passes)
{
    bool none = message->opt_level <= WEIR_optimizer_options_level_L0;
    bool common = message->do_common_subexpression_elimination;
    bool folding = message->do_constant_folding;
    if (message->max_folded_constant_in_bytes > 0)
        passes->fold_limit_bytes = message->max_folded_constant_in_bytes;
    passes->off |= none && !common && !folding;
    skip(passes, WEIR_OPTION_COMMON, none && !common);
    skip(passes, WEIR_OPTION_FOLDING, none && !folding);
}

/* Each toggle turns off what comes nearest to it here. */
static void read_rewriter(const weir_msg_rewriter_config *message, weir_pass_options *passes)
{
    enum { OFF = WEIR_rewriter_config_toggle_OFF };
    passes->off |= message->disable_meta_optimizer;
    skip(passes, WEIR_OPTION_FOLDING, message->constant_folding == OFF);
    skip(passes, WEIR_OPTION_ARITHMETIC, message->arithmetic_optimization == OFF);
    skip(passes, WEIR_OPTION_DEPENDENCIES, message->dependency_optimization == OFF);
    skip(passes, WEIR_OPTION_COMMON, message->common_subgraph_elimination == OFF);
}

static void read_graph_options(const weir_msg_graph_options *message, weir_session_config *config)
{
    config->cost_every = message->build_cost_model;
    config->cost_after = message->build_cost_model_after;
    if (message->optimizer_options)
        read_optimizer(message->optimizer_options, &config->passes);
    if (message->rewrite_options)
        read_rewriter(message->rewrite_options, &config->passes);
}

weir_session_config weir_session_config_of(const weir_msg_config_proto *message)
{
    weir_session_config config = {.cpu_devices = cpu_devices_of(message),
                                  .intra_threads = message->intra_op_parallelism_threads,
                                  .inter_threads = message->inter_op_parallelism_threads,
                                  .timeout_ms = message->operation_timeout_in_ms,
                                  .soft_placement = message->allow_soft_placement,
                                  .log_placement = message->log_device_placement,
                                  .per_session_threads = message->use_per_session_threads};
    read_gpu_devices(message, &config);
    if (message->graph_options)
        read_graph_options(message->graph_options, &config);
    return config;
}

weir_run_options weir_run_options_of(const weir_msg_run_options *message)
{
    return (weir_run_options){
        .timeout_ms = message->timeout_in_ms,
        .trace_level = message->trace_level,
        .inter_op_pool = message->inter_op_thread_pool,
        .partition_graphs = message->output_partition_graphs,
        .graph_key = message->experimental ? message->experimental->collective_graph_key : 0,
        .message = message};
}

void weir_run_metadata_fini(weir_run_metadata *metadata)
{
    weir_vec_fini(&metadata->parts);
    weir_arena_fini(&metadata->arena);
    *metadata = (weir_run_metadata){0};
}
