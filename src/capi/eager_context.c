/* capi/eager_context.c - TFE_Context: options, devices, functions, metadata. */
#include <ctype.h>
#include <stdlib.h>

#include "capi/eager_impl.h"

const char weir_eager_host[] = "/job:localhost/replica:0/task:0/device:CPU:0";

/* ---- options --------------------------------------------------------------------------------- */

TFE_ContextOptions *TFE_NewContextOptions(void)
{
    TFE_ContextOptions *options = WEIR_NEW(TFE_ContextOptions);
    options->session = TF_NewSessionOptions();
    options->policy = TFE_DEVICE_PLACEMENT_SILENT;
    return options;
}

void TFE_DeleteContextOptions(TFE_ContextOptions *options)
{
    if (!options)
        return;
    TF_DeleteSessionOptions(options->session);
    weir_free(options);
}

void TFE_ContextOptionsSetConfig(TFE_ContextOptions *options, const void *proto, size_t proto_len,
                                 TF_Status *status)
{
    TF_SetConfig(options->session, proto, proto_len, status);
}

void TFE_ContextOptionsSetAsync(TFE_ContextOptions *options, unsigned char enable)
{
    options->async = enable;
}

void TFE_ContextOptionsSetDevicePlacementPolicy(TFE_ContextOptions *options,
                                                TFE_ContextDevicePlacementPolicy policy)
{
    options->policy = policy;
}

/* ---- life ------------------------------------------------------------------------------------ */

TFE_Context *TFE_NewContext(const TFE_ContextOptions *opts, TF_Status *status)
{
    TF_Graph *graph = TF_NewGraph();
    TF_Session *session = TF_NewSession(graph, opts->session, status);
    if (!session) {
        TF_DeleteGraph(graph);
        return NULL;
    }
    TF_DeviceList *devices = TF_SessionListDevices(session, status);
    if (!devices) {
        weir_capi_session_delete(session);
        TF_DeleteGraph(graph);
        return NULL;
    }
    TFE_Context *ctx = WEIR_NEW(TFE_Context);
    ctx->graph = graph;
    ctx->session = session;
    ctx->devices = devices;
    ctx->async = opts->async;
    ctx->policy = opts->policy;
    return ctx;
}

void TFE_DeleteContext(TFE_Context *ctx)
{
    if (!ctx)
        return;
    weir_map_fini(&ctx->calls);
    weir_buf_fini(&ctx->metadata);
    TF_DeleteDeviceList(ctx->devices);
    weir_capi_session_delete(ctx->session);
    TF_DeleteGraph(ctx->graph);
    weir_free(ctx);
}

/* Later calls get new nodes; those of earlier calls stay in the graph. */
void TFE_ContextClearCaches(TFE_Context *ctx)
{
    weir_capi_lock(ctx->graph);
    weir_map_fini(&ctx->calls);
    weir_capi_unlock(ctx->graph);
}

void TFE_ContextSetServerDef(TFE_Context *ctx, int keep_alive_secs, const void *proto,
                             size_t proto_len, TF_Status *status)
{
    weir_capi_end(status, weir_error(WEIR_UNIMPLEMENTED, "An eager context has only the devices of "
                                                         "its own process"));
}

/* ---- devices --------------------------------------------------------------------------------- */

TF_DeviceList *TFE_ContextListDevices(TFE_Context *ctx, TF_Status *status)
{
    return TF_SessionListDevices(ctx->session, status);
}

/* All values are in host memory, accessible by every CPU device: the policy has no effect. */
void TFE_ContextSetThreadLocalDevicePlacementPolicy(TFE_Context *ctx,
                                                    TFE_ContextDevicePlacementPolicy policy)
{
    ctx->policy = policy;
}

TFE_ContextDevicePlacementPolicy TFE_ContextGetDevicePlacementPolicy(TFE_Context *ctx)
{
    return ctx->policy;
}

/* The type and number in a device's name: "CPU:0" in any form. */
static weir_str short_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *at = slash ? slash + 1 : name;
    if (strncmp(at, "device:", 7) == 0)
        at += 7;
    return weir_str_of(at);
}

static bool same_device(weir_str a, weir_str b)
{
    return a.length == b.length && strncasecmp(a.at, b.at, a.length) == 0;
}

const char *weir_eager_find_device(const TFE_Context *ctx, const char *name)
{
    weir_str wanted = short_name(name ? name : "");
    for (int i = 0; i < ctx->devices->devices.count; i++) {
        weir_str has = short_name(ctx->devices->devices.at[i].name);
        const char *colon = memchr(has.at, ':', has.length);
        weir_str type = {has.at, colon ? (size_t)(colon - has.at) : has.length};
        if (!wanted.length || same_device(wanted, has) || same_device(wanted, type))
            return ctx->devices->devices.at[i].name;
    }
    return NULL;
}

/* ---- functions ------------------------------------------------------------------------------- */

void TFE_ContextAddFunction(TFE_Context *ctx, TF_Function *function, TF_Status *status)
{
    TF_GraphCopyFunction(ctx->graph, function, NULL, status);
}

void TFE_ContextAddFunctionDef(TFE_Context *ctx, const char *serialized_function_def, size_t size,
                               TF_Status *status)
{
    weir_function *function = NULL;
    weir_status result = weir_function_import((weir_str){serialized_function_def, size}, &function);
    if (result) {
        weir_status_free(result);
        weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT, "Invalid FunctionDef proto"));
        return;
    }
    weir_capi_lock(ctx->graph);
    weir_capi_end(status, weir_graph_add_function(ctx->graph->graph, function));
    weir_capi_unlock(ctx->graph);
    weir_function_release(function);
}

unsigned char TFE_ContextHasFunction(TFE_Context *ctx, const char *name)
{
    weir_capi_lock(ctx->graph);
    bool has = weir_graph_find_function(ctx->graph->graph, weir_str_of(name)) != NULL;
    weir_capi_unlock(ctx->graph);
    return has;
}

/* ---- metadata -------------------------------------------------------------------------------- */

static void set_collect(TFE_Context *ctx, bool collect)
{
    weir_capi_lock(ctx->graph);
    ctx->collect = collect;
    weir_capi_unlock(ctx->graph);
}

void TFE_ContextEnableRunMetadata(TFE_Context *ctx)
{
    set_collect(ctx, true);
}

void TFE_ContextDisableRunMetadata(TFE_Context *ctx)
{
    set_collect(ctx, false);
}

void TFE_ContextExportRunMetadata(TFE_Context *ctx, TF_Buffer *buf, TF_Status *status)
{
    weir_capi_lock(ctx->graph);
    weir_buf taken = ctx->metadata;
    ctx->metadata = (weir_buf){0};
    weir_capi_unlock(ctx->graph);
    weir_capi_end(status, weir_capi_fill(buf, &taken));
}

/* Steps only delimit traces; every call is a step of its own here. */
void TFE_ContextStartStep(TFE_Context *ctx)
{
}

void TFE_ContextEndStep(TFE_Context *ctx)
{
}
