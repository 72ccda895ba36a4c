/* opencl/opencl.c - the driver table over OpenCL: one context and one in-order queue per device. */
#include "opencl/opencl.h"

#include <stdio.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "gpu/text.h"
#include "opencl/abi.h"

enum { PLATFORMS = 16, DEVICES = 64 };

/* An allocation. Its public address is in a PROT_NONE range, so that host code that dereferences it
 * faults immediately; launches and copies get the driver's address. */
typedef struct range {
    char *at;
    size_t bytes; /* of the range: whole pages */
    char *real;
} range;

struct weir_gpu_device {
    const weir_opencl_functions *cl;
    cl_device device;
    cl_context context;
    cl_queue queue;
    WEIR_VEC(range) ranges; /* by address */
    int64_t *marks;         /* times of the events */
    int mark_count;
};

struct weir_gpu_module {
    weir_gpu_device *device;
    cl_program program;
    cl_kernel *kernels; /* created so far */
    size_t count;
};

static weir_status failure(const char *call, cl_result result)
{
    weir_code code = result == CL_OUT_OF_DEVICE_MEMORY || result == CL_OUT_OF_RESOURCES ||
                             result == CL_OUT_OF_HOST_MEMORY
                         ? WEIR_RESOURCE_EXHAUSTED
                         : WEIR_INTERNAL;
    return weir_error(code, "OpenCL %s: error %d", call, (int)result);
}

static weir_status check(const char *call, cl_result result)
{
    return result == 0 ? WEIR_OK : failure(call, result);
}

/* ---- enumeration ----------------------------------------------------------------------------- */

typedef struct listing {
    const weir_opencl_functions *cl;
    cl_device devices[DEVICES];
    cl_platform platforms[DEVICES]; /* of each device */
    int count;
} listing;

static void add_platform(listing *listing, cl_platform platform)
{
    uint32_t count = 0;
    cl_device *room = listing->devices + listing->count;
    uint32_t left = (uint32_t)(DEVICES - listing->count);
    if (!left || listing->cl->devices(platform, CL_ALL_DEVICES, left, room, &count) != 0)
        return;
    for (uint32_t i = 0; i < count && i < left; i++)
        listing->platforms[listing->count++] = platform;
}

static weir_status list_devices(listing *listing)
{
    cl_platform platforms[PLATFORMS];
    uint32_t count = 0;
    listing->count = 0;
    WEIR_TRY(weir_opencl_open(&listing->cl));
    if (listing->cl->platforms(PLATFORMS, platforms, &count) != 0 || count == 0)
        return weir_error(WEIR_UNAVAILABLE, "no driver of OpenCL is installed");
    for (uint32_t i = 0; i < count && i < PLATFORMS; i++)
        add_platform(listing, platforms[i]);
    return WEIR_OK;
}

static weir_status count_devices(int *out_count)
{
    listing listing;
    WEIR_TRY(list_devices(&listing));
    *out_count = listing.count;
    return WEIR_OK;
}

static weir_status get_device(listing *listing, int index)
{
    WEIR_TRY(list_devices(listing));
    if (index < 0 || index >= listing->count)
        return weir_error(WEIR_NOT_FOUND, "there is no device opencl:%d; there are %d", index,
                          listing->count);
    return WEIR_OK;
}

/* Queries a string, truncated to fit; devices return an error if the buffer is too small. */
static void ask_text(const weir_opencl_functions *cl, cl_device device, uint32_t what, char *out,
                     size_t room)
{
    char text[1024] = "";
    if (cl->device_info(device, what, sizeof text - 1, text, NULL) != 0)
        *text = 0;
    snprintf(out, room, "%.*s", (int)room - 1, text);
}

/* "OpenCL 3.0", without the vendor's suffix. */
static void describe_version(const weir_opencl_functions *cl, cl_device device, weir_gpu_info *info)
{
    char version[256];
    int major = 0, minor = 0;
    ask_text(cl, device, CL_DEVICE_VERSION, version, sizeof version);
    if (sscanf(version, "OpenCL %d.%d", &major, &minor) == 2)
        snprintf(info->capability, sizeof info->capability, "OpenCL %d.%d", major, minor);
}

/* An integer of at most 64 bits; 0 if the query fails. */
static uint64_t ask(const weir_opencl_functions *cl, cl_device device, uint32_t what)
{
    uint64_t value = 0;
    size_t bytes = 0;
    return cl->device_info(device, what, sizeof value, &value, &bytes) == 0 ? value : 0;
}

/* Why Weir cannot use the device; null if it can. */
static const char *trouble_of(const weir_opencl_functions *cl, cl_device device)
{
    if (!(ask(cl, device, CL_DEVICE_SVM) & CL_SVM_COARSE))
        return "it has no shared virtual memory";
    if (!ask(cl, device, CL_DEVICE_DOUBLE))
        return "it has no double precision";
    if (ask(cl, device, CL_DEVICE_GROUP_SIZE) < WEIR_GPU_LANES)
        return "its groups have fewer than 256 work items";
    return NULL;
}

static const char *kind_of(const weir_opencl_functions *cl, cl_device device)
{
    uint64_t kind = ask(cl, device, CL_DEVICE_KIND);
    return kind & CL_KIND_GPU           ? "GPU"
           : kind & CL_KIND_CPU         ? "CPU"
           : kind & CL_KIND_ACCELERATOR ? "accelerator"
                                        : "other";
}

/* "Portable Computing Language 3.1". */
static void describe_driver(const listing *listing, int index, weir_gpu_info *info)
{
    char platform[80] = "", version[40] = "";
    listing->cl->platform_info(listing->platforms[index], CL_PLATFORM_NAME, sizeof platform - 1,
                               platform, NULL);
    ask_text(listing->cl, listing->devices[index], CL_DEVICE_DRIVER, version, sizeof version);
    snprintf(info->driver, sizeof info->driver, "%s %s", platform, version);
}

static weir_status describe(int index, weir_gpu_info *out_info)
{
    listing listing;
    weir_gpu_info info = {0};
    WEIR_TRY(get_device(&listing, index));
    cl_device device = listing.devices[index];
    const char *trouble = trouble_of(listing.cl, device);
    ask_text(listing.cl, device, CL_DEVICE_NAME, info.name, sizeof info.name);
    describe_version(listing.cl, device, &info);
    snprintf(info.kind, sizeof info.kind, "%s", kind_of(listing.cl, device));
    snprintf(info.trouble, sizeof info.trouble, "%s", trouble ? trouble : "");
    info.memory_bytes = (int64_t)ask(listing.cl, device, CL_DEVICE_MEMORY);
    info.units = (int64_t)ask(listing.cl, device, CL_DEVICE_UNITS);
    describe_driver(&listing, index, &info);
    *out_info = info;
    return WEIR_OK;
}

/* ---- an opened device ---- */

static void close_device(weir_gpu_device *device)
{
    if (!device)
        return;
    if (device->queue)
        device->cl->queue_release(device->queue);
    if (device->context)
        device->cl->context_release(device->context);
    weir_vec_fini(&device->ranges);
    weir_free(device->marks);
    weir_free(device);
}

static weir_status set_up(weir_gpu_device *device, const listing *listing, int index)
{
    cl_result result;
    device->cl = listing->cl;
    device->device = listing->devices[index];
    const char *trouble = trouble_of(device->cl, device->device);
    if (trouble)
        return weir_error(WEIR_FAILED_PRECONDITION, "opencl:%d cannot be used: %s", index, trouble);
    device->context = device->cl->context_create(NULL, 1, &device->device, NULL, NULL, &result);
    if (!device->context)
        return failure("clCreateContext", result);
    device->queue = device->cl->queue_create(device->context, device->device, 0, &result);
    return device->queue ? WEIR_OK : failure("clCreateCommandQueue", result);
}

static weir_status open_device(int index, weir_gpu_device **out_device)
{
    listing listing;
    WEIR_TRY(get_device(&listing, index));
    weir_gpu_device *device = WEIR_NEW(weir_gpu_device);
    weir_status status = set_up(device, &listing, index);
    if (status)
        close_device(device);
    else
        *out_device = device;
    return status;
}

/* The index of the first range that starts after |at|. */
static size_t behind(const weir_gpu_device *device, const void *at)
{
    size_t low = 0, high = device->ranges.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (device->ranges.at[middle].at > (const char *)at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The driver's address; addresses not allocated here are the host's. */
static void *real_address(const weir_gpu_device *device, const void *at)
{
    size_t next = behind(device, at);
    if (next == 0)
        return (void *)at;
    const range *range = &device->ranges.at[next - 1];
    size_t offset = (size_t)((const char *)at - range->at);
    return offset < range->bytes ? range->real + offset : (void *)at;
}

static weir_status alloc_memory(weir_gpu_device *device, size_t bytes, void **out_at)
{
    enum { PAGE = 4096 };
    range range = {.bytes = (bytes + PAGE) / PAGE * PAGE};
    range.real = device->cl->svm_alloc(device->context, CL_READ_WRITE, bytes ? bytes : 1, 0);
    if (!range.real)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "OpenCL has no %zu bytes", bytes);
    range.at =
        mmap(NULL, range.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range.at == MAP_FAILED) {
        device->cl->svm_free(device->context, range.real);
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "no addresses for %zu bytes", bytes);
    }
    size_t at = behind(device, range.at);
    weir_vec_push(&device->ranges, range);
    memmove(&device->ranges.at[at + 1], &device->ranges.at[at],
            (device->ranges.count - 1 - at) * sizeof range);
    device->ranges.at[at] = range;
    *out_at = range.at;
    return WEIR_OK;
}

/* Waits for queued work that may use it. */
static void free_memory(weir_gpu_device *device, void *at)
{
    size_t next = behind(device, at);
    if (!at || next == 0 || device->ranges.at[next - 1].at != at)
        return;
    range range = device->ranges.at[next - 1];
    device->cl->finish(device->queue);
    device->cl->svm_free(device->context, range.real);
    munmap(range.at, range.bytes);
    memmove(&device->ranges.at[next - 1], &device->ranges.at[next],
            (device->ranges.count - next) * sizeof range);
    device->ranges.count--;
}

static weir_status copy_bytes(weir_gpu_device *device, void *to, const void *from, size_t bytes,
                              uint32_t blocking)
{
    if (!bytes)
        return WEIR_OK;
    return check("clEnqueueSVMMemcpy",
                 device->cl->svm_copy(device->queue, blocking, real_address(device, to),
                                      real_address(device, from), bytes, 0, NULL, NULL));
}

static weir_status copy(weir_gpu_device *device, void *to, const void *from, size_t bytes)
{
    return copy_bytes(device, to, from, bytes, 1);
}

static weir_status copy_within(weir_gpu_device *device, void *to, const void *from, size_t bytes)
{
    return copy_bytes(device, to, from, bytes, 0);
}

static weir_status synchronize(weir_gpu_device *device)
{
    return check("clFinish", device->cl->finish(device->queue));
}

/* The host synchronises and reads its clock: drivers differ in the meaning of their event times. */
static weir_status mark(weir_gpu_device *device, int number)
{
    WEIR_TRY(synchronize(device));
    if (number >= device->mark_count) {
        device->marks = weir_realloc(device->marks, sizeof *device->marks * (size_t)(number + 1));
        device->mark_count = number + 1;
    }
    device->marks[number] = weir_now_ns();
    return WEIR_OK;
}

static weir_status between(weir_gpu_device *device, int first, int last, float *out_ms)
{
    *out_ms = (float)((double)(device->marks[last] - device->marks[first]) * 1e-6);
    return WEIR_OK;
}

/* ---- programs ---- */

static void unload(weir_gpu_module *module)
{
    if (!module)
        return;
    for (size_t i = 0; i < module->count; i++)
        module->device->cl->kernel_release(module->kernels[i]);
    module->device->cl->program_release(module->program);
    weir_free(module->kernels);
    weir_free(module);
}

static weir_status build_error(const weir_gpu_module *module, cl_result result)
{
    char log[2048] = "";
    size_t bytes = 0;
    WEIR_BUF(all);
    const weir_gpu_device *device = module->device;
    device->cl->program_info(module->program, device->device, CL_BUILD_LOG, 0, NULL, &bytes);
    weir_buf_reserve(&all, bytes + 1);
    if (bytes && device->cl->program_info(module->program, device->device, CL_BUILD_LOG, bytes,
                                          all.at, NULL) == 0)
        snprintf(log, sizeof log, "%.*s", (int)bytes, all.at);
    return weir_error(WEIR_INTERNAL, "OpenCL does not compile a kernel text (error %d): %s",
                      (int)result, log);
}

static weir_status compile(weir_gpu_device *device, const char *text, weir_gpu_module **out_module)
{
    cl_result result;
    cl_program program =
        device->cl->program_create(device->context, 1, (const char *[]){text}, NULL, &result);
    if (!program)
        return failure("clCreateProgramWithSource", result);
    weir_gpu_module *module = WEIR_NEW(weir_gpu_module);
    *module = (weir_gpu_module){.device = device, .program = program};
    result = device->cl->program_build(program, 1, &device->device, "-cl-std=CL1.2", NULL, NULL);
    weir_status status = result == 0 ? WEIR_OK : build_error(module, result);
    if (status)
        unload(module);
    else
        *out_module = module;
    return status;
}

static weir_status find(weir_gpu_module *module, const char *name, weir_gpu_kernel **out_kernel)
{
    cl_result result;
    cl_kernel kernel = module->device->cl->kernel_create(module->program, name, &result);
    if (!kernel)
        return weir_status_note(failure("clCreateKernel", result), "for kernel '%s'", name);
    module->kernels = weir_realloc(module->kernels, (module->count + 1) * sizeof(cl_kernel));
    module->kernels[module->count++] = kernel;
    *out_kernel = (weir_gpu_kernel *)kernel; /* the driver's handle is the kernel */
    return WEIR_OK;
}

static cl_result set_arg(const weir_gpu_device *device, cl_kernel kernel, int index,
                         weir_gpu_arg arg)
{
    return arg.bytes
               ? device->cl->kernel_value(kernel, (uint32_t)index, arg.bytes, arg.at)
               : device->cl->kernel_address(kernel, (uint32_t)index, real_address(device, arg.at));
}

static weir_status launch(weir_gpu_device *device, weir_gpu_kernel *kernel, int64_t groups,
                          const weir_gpu_arg *args, int count)
{
    const size_t group = WEIR_GPU_LANES, all = (size_t)groups * WEIR_GPU_LANES;
    cl_kernel handle = (cl_kernel)kernel;
    for (int i = 0; i < count; i++)
        WEIR_TRY_NOTE(check("clSetKernelArg", set_arg(device, handle, i, args[i])),
                      "for argument %d", i);
    return check("clEnqueueNDRangeKernel",
                 device->cl->launch(device->queue, handle, 1, NULL, &all, &group, 0, NULL, NULL));
}

const weir_gpu_driver weir_gpu_opencl = {
    .name = "opencl",
    .count = count_devices,
    .describe = describe,
    .open = open_device,
    .close = close_device,
    .alloc = alloc_memory,
    .free = free_memory,
    .copy_in = copy,
    .copy_out = copy,
    .compile = compile,
    .unload = unload,
    .find = find,
    .launch = launch,
    .synchronize = synchronize,
    .copy = copy_within,
    .mark = mark,
    .between = between,
};
