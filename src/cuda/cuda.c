/* cuda/cuda.c - the driver table over libcuda: the primary context and one stream per device. */
#include "cuda/cuda.h"

#include <stdio.h>

#include "base/env.h"
#include "base/mem.h"
#include "base/str.h"
#include "cuda/abi.h"
#include "cuda/blas.h"
#include "cuda/compile.h"
#include "cuda/dnn.h"
#include "cuda/feed.h"
#include "cuda/tune.h"
#include "gpu/text.h"

struct weir_gpu_device {
    const weir_cuda_functions *cuda;
    cu_device device;
    cu_context context; /* the primary context, shared with libraries */
    cu_stream stream;
    int chip;             /* 90 for compute capability 9.0 */
    weir_tuner *tuner;    /* null: not created yet */
    weir_blas *blas;      /* null: unavailable, or not created yet */
    cu_address workspace; /* its scratch memory */
    bool blas_tried;
    cu_event *marks;
    int mark_count;
    weir_dnn *dnn;  /* the same for cuDNN */
    int recordings; /* which refer to its workspaces */
    bool dnn_tried;
    weir_cuda_feed *feed;
};

struct weir_gpu_module {
    weir_gpu_device *device;
    cu_module module;
};

/* Whether the context is permanently unusable. */
static bool is_lost(cu_result result)
{
    return (result >= CU_FIRST_LOST && result <= CU_LAST_LOST) || result == CU_UNKNOWN ||
           result == CU_DEVICE_UNAVAILABLE || result == CU_UNCORRECTABLE_MEMORY ||
           result == CU_LINK_LOST;
}

/* "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (out of memory)". */
static weir_status failure(const weir_cuda_functions *cuda, const char *call, cu_result result)
{
    const char *name = NULL, *text = NULL;
    cuda->error_name(result, &name);
    cuda->error_text(result, &text);
    return weir_error(result == CU_OUT_OF_MEMORY ? WEIR_RESOURCE_EXHAUSTED
                      : result == CU_NO_DEVICE   ? WEIR_UNAVAILABLE
                                                 : WEIR_INTERNAL,
                      "%s: %s (%s)%s", call, name ? name : "unknown error", text ? text : "",
                      is_lost(result) ? ". " WEIR_GPU_LOST : "");
}

#define CALL(functions, field, ...)                                                                \
    check(functions, "CUDA " #field, (functions)->field(__VA_ARGS__))
static weir_status check(const weir_cuda_functions *cuda, const char *call, cu_result result)
{
    return result == CU_SUCCESS ? WEIR_OK : failure(cuda, call, result);
}

static weir_status start(const weir_cuda_functions **out_cuda)
{
    WEIR_TRY(weir_cuda_open(out_cuda));
    return CALL(*out_cuda, init, 0);
}

static weir_status count_devices(int *out_count)
{
    const weir_cuda_functions *cuda;
    WEIR_TRY(start(&cuda));
    return CALL(cuda, device_count, out_count);
}

static weir_status read_chip(const weir_cuda_functions *cuda, cu_device device, int *out_chip)
{
    int major, minor;
    WEIR_TRY(CALL(cuda, device_attribute, &major, CU_CAPABILITY_MAJOR, device));
    WEIR_TRY(CALL(cuda, device_attribute, &minor, CU_CAPABILITY_MINOR, device));
    *out_chip = major * 10 + minor;
    return WEIR_OK;
}

static void describe_software(const weir_cuda_functions *cuda, weir_gpu_info *info)
{
    const weir_nvrtc_functions *nvrtc;
    char compiler[32];
    int version = 0;
    cuda->version(&version);
    weir_cuda_compiler_version(compiler, sizeof compiler);
    snprintf(info->driver, sizeof info->driver, "CUDA %d.%d, NVRTC %s", version / 1000,
             version % 1000 / 10, *compiler ? compiler : "missing");
    weir_status status = weir_nvrtc_open(&nvrtc);
    snprintf(info->trouble, sizeof info->trouble, "%s", weir_status_message(status));
    weir_status_free(status);
}

static weir_status describe(int index, weir_gpu_info *out_info)
{
    const weir_cuda_functions *cuda;
    weir_gpu_info info = {.kind = "GPU"};
    cu_device device;
    size_t bytes;
    int chip, units;
    WEIR_TRY(start(&cuda));
    WEIR_TRY(CALL(cuda, device_get, &device, index));
    WEIR_TRY(CALL(cuda, device_name, info.name, sizeof info.name, device));
    WEIR_TRY(CALL(cuda, device_memory, &bytes, device));
    WEIR_TRY(CALL(cuda, device_attribute, &units, CU_MULTIPROCESSORS, device));
    WEIR_TRY(read_chip(cuda, device, &chip));
    snprintf(info.capability, sizeof info.capability, "%d.%d", chip / 10, chip % 10);
    cuda->device_address(info.address, sizeof info.address, device); /* "" if unknown */
    info.memory_bytes = (int64_t)bytes;
    info.units = units;
    describe_software(cuda, &info);
    *out_info = info;
    return WEIR_OK;
}

static void close_device(weir_gpu_device *device)
{
    if (!device)
        return;
    weir_blas_destroy(device->blas);
    weir_dnn_destroy(device->dnn);
    weir_tuner_destroy(device->tuner);
    weir_cuda_feed_destroy(device->feed);
    for (int i = 0; i < device->mark_count; i++)
        device->cuda->event_destroy(device->marks[i]);
    weir_free(device->marks);
    if (device->workspace)
        device->cuda->free(device->workspace);
    if (device->stream)
        device->cuda->stream_destroy(device->stream);
    if (device->context)
        device->cuda->context_release(device->device);
    weir_free(device);
}

static weir_status set_up(weir_gpu_device *device, int index)
{
    const weir_nvrtc_functions *nvrtc;
    WEIR_TRY(weir_nvrtc_open(&nvrtc));
    WEIR_TRY(start(&device->cuda));
    WEIR_TRY(CALL(device->cuda, device_get, &device->device, index));
    WEIR_TRY(read_chip(device->cuda, device->device, &device->chip));
    WEIR_TRY(CALL(device->cuda, context_retain, &device->context, device->device));
    WEIR_TRY(CALL(device->cuda, context_set, device->context));
    WEIR_TRY(CALL(device->cuda, stream_create, &device->stream, CU_STREAM_NON_BLOCKING));
    device->feed = weir_cuda_feed_create(device->cuda, device->stream);
    return WEIR_OK;
}

static weir_status open_device(int index, weir_gpu_device **out_device)
{
    weir_gpu_device *device = WEIR_NEW(weir_gpu_device);
    weir_status status = set_up(device, index);
    if (status)
        close_device(device);
    else
        *out_device = device;
    return status;
}

/* The current context is per thread; every call may come from another. */
static weir_status enter(weir_gpu_device *device)
{
    return CALL(device->cuda, context_set, device->context);
}

static weir_status alloc_memory(weir_gpu_device *device, size_t bytes, void **out_at)
{
    cu_address at;
    WEIR_TRY(enter(device));
    WEIR_TRY_NOTE(CALL(device->cuda, alloc, &at, bytes ? bytes : 1), "for %zu bytes", bytes);
    *out_at = (void *)(uintptr_t)at;
    return WEIR_OK;
}

static void free_memory(weir_gpu_device *device, void *at)
{
    if (at && device->cuda->context_set(device->context) == CU_SUCCESS)
        device->cuda->free((uintptr_t)at);
}

static weir_status synchronize(weir_gpu_device *device)
{
    WEIR_TRY(enter(device));
    return CALL(device->cuda, stream_wait, device->stream);
}

static weir_status copy_in(weir_gpu_device *device, void *to, const void *from, size_t bytes)
{
    WEIR_TRY(enter(device));
    cu_result fed = weir_env_get()->no_pinned
                        ? WEIR_CUDA_FEED_IMPOSSIBLE
                        : weir_cuda_feed_copy(device->feed, (uintptr_t)to, from, bytes);
    if (fed != WEIR_CUDA_FEED_IMPOSSIBLE)
        return check(device->cuda, "CUDA copy to the device", fed);
    WEIR_TRY(CALL(device->cuda, copy_in, (uintptr_t)to, from, bytes, device->stream));
    return synchronize(device);
}

static weir_status copy_out(weir_gpu_device *device, void *to, const void *from, size_t bytes)
{
    WEIR_TRY(enter(device));
    cu_result fetched = weir_env_get()->no_pinned
                            ? WEIR_CUDA_FEED_IMPOSSIBLE
                            : weir_cuda_feed_fetch(device->feed, to, (uintptr_t)from, bytes);
    if (fetched != WEIR_CUDA_FEED_IMPOSSIBLE)
        return check(device->cuda, "CUDA copy from the device", fetched);
    WEIR_TRY(CALL(device->cuda, copy_out, to, (uintptr_t)from, bytes, device->stream));
    return synchronize(device);
}

static weir_status copy_within(weir_gpu_device *device, void *to, const void *from, size_t bytes)
{
    WEIR_TRY(enter(device));
    return CALL(device->cuda, copy_within, (uintptr_t)to, (uintptr_t)from, bytes, device->stream);
}

static weir_status compile(weir_gpu_device *device, const char *text, weir_gpu_module **out_module)
{
    WEIR_BUF(binary);
    cu_module module;
    WEIR_TRY(enter(device));
    WEIR_TRY(weir_cuda_compile_cached(text, device->chip, &binary));
    WEIR_TRY(CALL(device->cuda, module_load, &module, binary.at));
    weir_gpu_module *made = WEIR_NEW(weir_gpu_module);
    *made = (weir_gpu_module){.device = device, .module = module};
    *out_module = made;
    return WEIR_OK;
}

static void unload(weir_gpu_module *module)
{
    if (module && module->device->cuda->context_set(module->device->context) == CU_SUCCESS)
        module->device->cuda->module_unload(module->module);
    weir_free(module);
}

static weir_status find(weir_gpu_module *module, const char *name, weir_gpu_kernel **out_kernel)
{
    cu_function function;
    WEIR_TRY(enter(module->device));
    WEIR_TRY_NOTE(CALL(module->device->cuda, module_function, &function, module->module, name),
                  "for kernel '%s'", name);
    *out_kernel = (weir_gpu_kernel *)function; /* the driver's handle is the kernel */
    return WEIR_OK;
}

static weir_status launch(weir_gpu_device *device, weir_gpu_kernel *kernel, int64_t groups,
                          const weir_gpu_arg *args, int count)
{
    void *places[WEIR_GPU_ARGS]; /* argument values' addresses; a device address is a value
                                  */
    for (int i = 0; i < count; i++)
        places[i] = args[i].bytes ? (void *)args[i].at : (void *)&args[i].at;
    WEIR_TRY(enter(device));
    return CALL(device->cuda, launch, (cu_function)kernel, (unsigned)groups, 1, 1, WEIR_GPU_LANES,
                1, 1, 0, device->stream, places, NULL);
}

enum { WORKSPACE = 64 << 20, DNN_WORKSPACE = 512 << 20 };

static weir_tuner *tuner_of(weir_gpu_device *device)
{
    char version[32];
    weir_cuda_compiler_version(version, sizeof version);
    if (!device->tuner)
        device->tuner = weir_tuner_create(device->cuda, device->stream, device->chip, version);
    return device->tuner;
}

static weir_blas *blas_of(weir_gpu_device *device)
{
    if (device->blas_tried)
        return device->blas;
    device->blas_tried = true;
    if (device->cuda->alloc(&device->workspace, WORKSPACE) == CU_SUCCESS)
        device->blas = weir_blas_create(tuner_of(device), device->stream,
                                        (void *)(uintptr_t)device->workspace, WORKSPACE);
    return device->blas;
}

static weir_status multiply(weir_gpu_device *device, const weir_gpu_product *product)
{
    WEIR_TRY(enter(device));
    weir_blas *blas = blas_of(device);
    return blas ? weir_blas_multiply(blas, product)
                : weir_error(WEIR_UNIMPLEMENTED, "there is no libcublasLt");
}

static weir_dnn *dnn_of(weir_gpu_device *device)
{
    if (device->dnn_tried)
        return device->dnn;
    device->dnn_tried = true;
    if (weir_dnn_open())
        device->dnn = weir_dnn_create(tuner_of(device), device->cuda, device->stream, DNN_WORKSPACE,
                                      &device->recordings);
    return device->dnn;
}

static weir_status convolve(weir_gpu_device *device, const weir_gpu_convolution *convolution)
{
    WEIR_TRY(enter(device));
    weir_dnn *dnn = dnn_of(device);
    return dnn ? weir_dnn_convolve(dnn, convolution)
               : weir_error(WEIR_UNIMPLEMENTED, "there is no libcudnn");
}

static weir_status mark(weir_gpu_device *device, int number)
{
    WEIR_TRY(enter(device));
    if (number >= device->mark_count)
        device->marks = weir_realloc(device->marks, sizeof *device->marks * (size_t)(number + 1));
    while (number >= device->mark_count) {
        WEIR_TRY(CALL(device->cuda, event_create, &device->marks[device->mark_count], 0));
        device->mark_count++;
    }
    return CALL(device->cuda, event_record, device->marks[number], device->stream);
}

static weir_status between(weir_gpu_device *device, int first, int last, float *out_ms)
{
    WEIR_TRY(enter(device));
    return CALL(device->cuda, event_elapsed, out_ms, device->marks[first], device->marks[last]);
}

/* Free memory, minus a reserve for the libraries and the driver, by TensorFlow's formula. */
static weir_status room(weir_gpu_device *device, int64_t *out_bytes)
{
    static const int reserve_mb[] = {500, 1050, 1536, 1800}; /* by compute capability, 6 to 9 */
    int major = device->chip / 10, row = major <= 6 ? 0 : major >= 9 ? 3 : major - 6;
    size_t free, total;
    WEIR_TRY(enter(device));
    WEIR_TRY(CALL(device->cuda, memory, &free, &total));
    int64_t reserve = (int64_t)reserve_mb[row] << 20;
    *out_bytes = (int64_t)free > 2 * reserve ? (int64_t)free - reserve : (int64_t)free / 2;
    return WEIR_OK;
}

static int64_t held(const weir_gpu_device *device)
{
    return (device->workspace ? WORKSPACE : 0) + weir_dnn_held(device->dnn) +
           weir_cuda_feed_held(device->feed);
}

static void release(weir_gpu_device *device)
{
    if (device->cuda->context_set(device->context) == CU_SUCCESS)
        weir_cuda_feed_release(device->feed);
}

/* ---- graphs ---- */

static weir_status capture_begin(weir_gpu_device *device)
{
    WEIR_TRY(enter(device));
    weir_status status = CALL(device->cuda, capture_begin, device->stream, CU_CAPTURE_RELAXED);
    device->recordings += !status;
    return status;
}

static weir_status capture_end(weir_gpu_device *device, weir_gpu_graph **out_graph)
{
    cu_graph graph = NULL;
    cu_graph_exec exec = NULL;
    weir_status status = CALL(device->cuda, capture_end, device->stream, &graph);
    if (!status) {
        status = CALL(device->cuda, graph_instantiate, &exec, graph, 0);
        device->cuda->graph_destroy(graph);
    }
    device->recordings -= status != NULL;
    if (!status)
        *out_graph = (weir_gpu_graph *)exec; /* the driver's handle is the graph */
    return status;
}

static weir_status replay(weir_gpu_device *device, weir_gpu_graph *graph)
{
    WEIR_TRY(enter(device));
    return CALL(device->cuda, graph_launch, (cu_graph_exec)graph, device->stream);
}

static void graph_free(weir_gpu_device *device, weir_gpu_graph *graph)
{
    device->recordings--;
    if (device->cuda->context_set(device->context) == CU_SUCCESS)
        device->cuda->graph_exec_destroy((cu_graph_exec)graph);
}

const weir_gpu_driver weir_gpu_cuda = {
    .name = "cuda",
    .count = count_devices,
    .describe = describe,
    .open = open_device,
    .close = close_device,
    .alloc = alloc_memory,
    .free = free_memory,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .compile = compile,
    .unload = unload,
    .find = find,
    .launch = launch,
    .synchronize = synchronize,
    .copy = copy_within,
    .product = multiply,
    .convolve = convolve,
    .mark = mark,
    .between = between,
    .room = room,
    .held = held,
    .release = release,
    .capture_begin = capture_begin,
    .capture_end = capture_end,
    .replay = replay,
    .graph_free = graph_free,
};
