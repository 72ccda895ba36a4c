/* session/options.c - parses options from messages. */
#include "session/options.h"
#include "wire/messages.h"

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

static void read_visible(weir_str list, weir_gpu_choice *choice)
{
    choice->too_long = list.length >= sizeof choice->visible;
    if (!choice->too_long && list.length)
        memcpy(choice->visible, list.at, list.length);
}

static void add_part(weir_gpu_choice *choice, int device, double megabytes)
{
    choice->too_long |= choice->parts == WEIR_GPUS;
    if (choice->parts == WEIR_GPUS)
        return;
    choice->part[choice->parts].device = device;
    choice->part[choice->parts++].bytes = megabytes > 0 ? (int64_t)(megabytes * (1 << 20)) : 0;
}

/* One entry per divided device; an empty one is the whole device. */
static void read_parts(const weir_msg_gpu_options_experimental *message, weir_gpu_choice *choice)
{
    choice->parts_each = message->num_virtual_devices_per_gpu;
    choice->divided = (int)message->virtual_devices.count;
    for (int i = 0; i < choice->divided && !choice->too_long; i++) {
        weir_floats limits = message->virtual_devices.at[i].memory_limit_mb;
        if (!limits.count)
            add_part(choice, i, 0);
        for (size_t j = 0; j < limits.count; j++)
            add_part(choice, i, (double)limits.at[j]);
    }
}

static weir_gpu_choice read_gpus(const weir_msg_config_proto *message)
{
    weir_gpu_choice choice = {0};
    const weir_msg_gpu_options *options = message->gpu_options;
    const weir_msg_config_proto_device_count_entry *entry =
        WEIR_MAP_FIND(message->device_count, "GPU");
    choice.limited = entry && entry->value >= 0;
    choice.most = choice.limited ? entry->value : 0;
    if (!options)
        return choice;
    choice.fraction = options->per_process_gpu_memory_fraction;
    read_visible(options->visible_device_list, &choice);
    if (options->experimental)
        read_parts(options->experimental, &choice);
    return choice;
}

/* At level L0 only explicitly requested passes run. */
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

/* Either switch requests bfloat16 on devices; float16 would need loss scaling. */
static bool wants_bfloat16(const weir_msg_rewriter_config *message)
{
    int toggles[] = {message->auto_mixed_precision, message->auto_mixed_precision_onednn_bfloat16};
    bool wanted = false;
    for (size_t i = 0; i < sizeof toggles / sizeof *toggles; i++)
        wanted |= toggles[i] == WEIR_rewriter_config_toggle_ON ||
                  toggles[i] == WEIR_rewriter_config_toggle_AGGRESSIVE;
    return wanted;
}

/* Each toggle turns off the nearest equivalent here. */
static void read_rewriter(const weir_msg_rewriter_config *message, weir_pass_options *passes)
{
    enum { OFF = WEIR_rewriter_config_toggle_OFF };
    passes->off |= message->disable_meta_optimizer;
    skip(passes, WEIR_OPTION_FOLDING, message->constant_folding == OFF);
    skip(passes, WEIR_OPTION_ARITHMETIC, message->arithmetic_optimization == OFF);
    skip(passes, WEIR_OPTION_DEPENDENCIES, message->dependency_optimization == OFF);
    skip(passes, WEIR_OPTION_COMMON, message->common_subgraph_elimination == OFF);
    passes->bfloat16 = wants_bfloat16(message);
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

/* A field that every client can set, and that is sent to all tasks. */
static bool wants_numerics(const weir_msg_config_proto_experimental *message)
{
    return message && weir_str_is(message->executor_type, "CHECK_NUMERICS");
}

weir_session_config weir_session_config_of(const weir_msg_config_proto *message)
{
    weir_session_config config = {.cpu_devices = cpu_devices_of(message),
                                  .intra_threads = message->intra_op_parallelism_threads,
                                  .inter_threads = message->inter_op_parallelism_threads,
                                  .timeout_ms = message->operation_timeout_in_ms,
                                  .soft_placement = message->allow_soft_placement,
                                  .log_placement = message->log_device_placement,
                                  .per_session_threads = message->use_per_session_threads,
                                  .gpus = read_gpus(message),
                                  .check_numerics = wants_numerics(message->experimental)};
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
