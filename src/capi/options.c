/* capi/options.c - TF_SessionOptions: a ConfigProto and a target. */
#include "dist/options.h"
#include "capi/capi_impl.h"
#include "tensorflow/c/c_api_experimental.h"
#include "wire/messages.h"

TF_SessionOptions *TF_NewSessionOptions(void)
{
    TF_SessionOptions *options = WEIR_NEW(TF_SessionOptions);
    options->target = weir_strdup("");
    return options;
}

void TF_DeleteSessionOptions(TF_SessionOptions *options)
{
    if (!options)
        return;
    weir_buf_fini(&options->config);
    weir_free(options->target);
    weir_free(options);
}

void TF_SetTarget(TF_SessionOptions *options, const char *target)
{
    char *old = options->target;
    options->target = weir_strdup(target);
    weir_free(old);
}

void TF_SetConfig(TF_SessionOptions *options, const void *proto, size_t proto_len,
                  TF_Status *status)
{
    weir_session_config checked;
    weir_status result = weir_session_config_read((weir_str){proto, proto_len}, &checked);
    if (!weir_capi_end(status, result))
        return;
    weir_buf_fini(&options->config);
    weir_buf_add(&options->config, proto, proto_len);
}

/* ---- ready-made messages --------------------------------------------------------------------- */

static weir_msg_optimizer_options jit_options(bool enable)
{
    return (weir_msg_optimizer_options){.global_jit_level =
                                            enable ? WEIR_optimizer_options_global_jit_level_ON_1
                                                   : WEIR_optimizer_options_global_jit_level_OFF};
}

/* Nothing is compiled ahead here, so the switch is only stored. */
void TF_EnableXLACompilation(TF_SessionOptions *options, unsigned char enable)
{
    weir_msg_optimizer_options optimizer = jit_options(enable);
    weir_msg_graph_options graph = {.optimizer_options = &optimizer};
    weir_msg_config_proto_write(&(weir_msg_config_proto){.graph_options = &graph},
                                &options->config);
}

TF_Buffer *TF_CreateConfig(unsigned char enable_xla_compilation,
                           unsigned char gpu_memory_allow_growth, unsigned int num_cpu_devices)
{
    weir_buf config = {0};
    weir_msg_config_proto_device_count_entry cpus = {.key = weir_str_of("CPU"),
                                                     .value = (int32_t)num_cpu_devices};
    weir_msg_gpu_options gpu = {.allow_growth = gpu_memory_allow_growth != 0};
    weir_msg_optimizer_options optimizer = jit_options(enable_xla_compilation);
    weir_msg_graph_options graph = {.optimizer_options = &optimizer};
    weir_msg_config_proto_write(&(weir_msg_config_proto){.device_count = {&cpus, 1},
                                                         .gpu_options = &gpu,
                                                         .graph_options = &graph},
                                &config);
    return weir_capi_buffer(&config);
}

TF_Buffer *TF_CreateRunOptions(unsigned char enable_full_trace)
{
    weir_buf options = {0};
    weir_msg_run_options full = {.trace_level = WEIR_run_options_trace_level_FULL_TRACE};
    if (enable_full_trace)
        weir_msg_run_options_write(&full, &options);
    return weir_capi_buffer(&options);
}

/* ---- options and metadata of steps ----------------------------------------------------------- */

weir_status weir_capi_run_options(const TF_Buffer *buffer, weir_arena *arena,
                                  weir_run_options *out_options)
{
    *out_options = (weir_run_options){0};
    weir_str proto = weir_capi_bytes(buffer);
    return proto.length ? weir_run_options_read(proto, arena, out_options) : WEIR_OK;
}

weir_status weir_capi_fill_metadata(TF_Buffer *buffer, const weir_run_metadata *metadata)
{
    weir_buf bytes = {0};
    weir_run_metadata_write(metadata, &bytes);
    return weir_capi_fill(buffer, &bytes);
}
