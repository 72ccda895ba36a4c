/* capi/options.c - TF_SessionOptions: a ConfigProto and a target. */
#include "capi/capi_impl.h"
#include "tensorflow/c/c_api_experimental.h"
#include "wire/pb.h"

TF_SessionOptions *TF_NewSessionOptions(void)
{
    TF_SessionOptions *o = WEIR_NEW(TF_SessionOptions);
    o->target = weir_strdup("");
    return o;
}

void TF_DeleteSessionOptions(TF_SessionOptions *o)
{
    if (!o)
        return;
    weir_buf_fini(&o->config);
    weir_free(o->target);
    weir_free(o);
}

void TF_SetTarget(TF_SessionOptions *o, const char *target)
{
    char *old = o->target;
    o->target = weir_strdup(target);
    weir_free(old);
}

void TF_SetConfig(TF_SessionOptions *o, const void *proto, size_t proto_len, TF_Status *status)
{
    if (!weir_capi_end(status, weir_session_check_config((weir_str){proto, proto_len})))
        return;
    weir_buf_fini(&o->config);
    weir_buf_add(&o->config, proto, proto_len);
}

/* ---- ready-made messages --------------------------------------------------------------------- */

enum {
    CONFIG_DEVICE_COUNT = 1,
    CONFIG_GPU_OPTIONS = 6,
    CONFIG_GRAPH_OPTIONS = 10,
    GPU_ALLOW_GROWTH = 4,
    GRAPH_OPTIMIZER_OPTIONS = 3,
    OPTIMIZER_GLOBAL_JIT_LEVEL = 5,
    RUN_TRACE_LEVEL = 1,
    FULL_TRACE = 3,
};

static void put_jit_level(weir_buf *out, bool enable)
{
    size_t graph = weir_pb_begin(out, CONFIG_GRAPH_OPTIONS);
    size_t optimizer = weir_pb_begin(out, GRAPH_OPTIMIZER_OPTIONS);
    weir_pb_put_varint(out, OPTIMIZER_GLOBAL_JIT_LEVEL, enable ? 1 : (uint64_t)-1);
    weir_pb_end(out, optimizer);
    weir_pb_end(out, graph);
}

/* Nothing here is compiled ahead, so the switch is only written down. */
void TF_EnableXLACompilation(TF_SessionOptions *options, unsigned char enable)
{
    put_jit_level(&options->config, enable);
}

TF_Buffer *TF_CreateConfig(unsigned char enable_xla_compilation,
                           unsigned char gpu_memory_allow_growth, unsigned int num_cpu_devices)
{
    weir_buf config = {0};
    size_t entry = weir_pb_begin(&config, CONFIG_DEVICE_COUNT);
    weir_pb_put_str(&config, 1, "CPU");
    weir_pb_put_varint(&config, 2, num_cpu_devices);
    weir_pb_end(&config, entry);
    size_t gpu = weir_pb_begin(&config, CONFIG_GPU_OPTIONS);
    weir_pb_put_varint_nz(&config, GPU_ALLOW_GROWTH, gpu_memory_allow_growth != 0);
    weir_pb_end(&config, gpu);
    put_jit_level(&config, enable_xla_compilation);
    return weir_capi_buffer(&config);
}

TF_Buffer *TF_CreateRunOptions(unsigned char enable_full_trace)
{
    weir_buf options = {0};
    if (enable_full_trace)
        weir_pb_put_varint(&options, RUN_TRACE_LEVEL, FULL_TRACE);
    return weir_capi_buffer(&options);
}
