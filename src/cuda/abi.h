/* cuda/abi.h - the functions of NVIDIA's driver and run-time compiler that are used here.
 *
 * Declared from their documented binary interfaces, so building needs none of NVIDIA's headers. The
 * libraries are opened by soname when a device is first asked for.
 */
#ifndef WEIR_CUDA_ABI_H
#define WEIR_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef int cu_result; /* 0 is success */
typedef int cu_device;
typedef uint64_t cu_address;
typedef struct cu_context *cu_context;
typedef struct cu_module *cu_module;
typedef struct cu_function *cu_function;
typedef struct cu_stream *cu_stream;

enum { CU_SUCCESS = 0, CU_OUT_OF_MEMORY = 2, CU_NO_DEVICE = 100 };
/* Attributes of devices. */
enum { CU_MULTIPROCESSORS = 16, CU_CAPABILITY_MAJOR = 75, CU_CAPABILITY_MINOR = 76 };
enum { CU_STREAM_NON_BLOCKING = 1 };

/* X(field, symbol, arguments): every function returns a cu_result. */
#define WEIR_CUDA_FUNCTIONS(X)                                                                     \
    X(init, cuInit, (unsigned flags))                                                              \
    X(version, cuDriverGetVersion, (int *version))                                                 \
    X(error_name, cuGetErrorName, (cu_result result, const char **out))                            \
    X(error_text, cuGetErrorString, (cu_result result, const char **out))                          \
    X(device_count, cuDeviceGetCount, (int *count))                                                \
    X(device_get, cuDeviceGet, (cu_device * device, int index))                                    \
    X(device_name, cuDeviceGetName, (char *name, int length, cu_device device))                    \
    X(device_memory, cuDeviceTotalMem_v2, (size_t * bytes, cu_device device))                      \
    X(device_attribute, cuDeviceGetAttribute, (int *out, int attribute, cu_device device))         \
    X(context_retain, cuDevicePrimaryCtxRetain, (cu_context * context, cu_device device))          \
    X(context_release, cuDevicePrimaryCtxRelease_v2, (cu_device device))                           \
    X(context_set, cuCtxSetCurrent, (cu_context context))                                          \
    X(alloc, cuMemAlloc_v2, (cu_address * at, size_t bytes))                                       \
    X(free, cuMemFree_v2, (cu_address at))                                                         \
    X(copy_in, cuMemcpyHtoDAsync_v2,                                                               \
      (cu_address to, const void *from, size_t bytes, cu_stream stream))                           \
    X(copy_out, cuMemcpyDtoHAsync_v2, (void *to, cu_address from, size_t bytes, cu_stream stream)) \
    X(stream_create, cuStreamCreate, (cu_stream * stream, unsigned flags))                         \
    X(stream_destroy, cuStreamDestroy_v2, (cu_stream stream))                                      \
    X(stream_wait, cuStreamSynchronize, (cu_stream stream))                                        \
    X(module_load, cuModuleLoadData, (cu_module * module, const void *image))                      \
    X(module_unload, cuModuleUnload, (cu_module module))                                           \
    X(module_function, cuModuleGetFunction,                                                        \
      (cu_function * function, cu_module module, const char *name))                                \
    X(launch, cuLaunchKernel,                                                                      \
      (cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,  \
       unsigned block_y, unsigned block_z, unsigned shared_bytes, cu_stream stream, void **args,   \
       void **extra))

typedef struct weir_cuda_functions {
#define WEIR_CUDA_FIELD(field, symbol, args) cu_result(*field) args;
    WEIR_CUDA_FUNCTIONS(WEIR_CUDA_FIELD)
#undef WEIR_CUDA_FIELD
} weir_cuda_functions;

typedef int nvrtc_result; /* 0 is success */
typedef struct nvrtc_program *nvrtc_program;

#define WEIR_NVRTC_FUNCTIONS(X)                                                                    \
    X(version, nvrtcVersion, (int *major, int *minor))                                             \
    X(create, nvrtcCreateProgram,                                                                  \
      (nvrtc_program * program, const char *text, const char *name, int header_count,              \
       const char *const *headers, const char *const *header_names))                               \
    X(destroy, nvrtcDestroyProgram, (nvrtc_program * program))                                     \
    X(compile, nvrtcCompileProgram,                                                                \
      (nvrtc_program program, int count, const char *const *options))                              \
    X(log_size, nvrtcGetProgramLogSize, (nvrtc_program program, size_t * bytes))                   \
    X(log, nvrtcGetProgramLog, (nvrtc_program program, char *log))                                 \
    X(binary_size, nvrtcGetCUBINSize, (nvrtc_program program, size_t * bytes))                     \
    X(binary, nvrtcGetCUBIN, (nvrtc_program program, char *binary))

typedef struct weir_nvrtc_functions {
#define WEIR_NVRTC_FIELD(field, symbol, args) nvrtc_result(*field) args;
    WEIR_NVRTC_FUNCTIONS(WEIR_NVRTC_FIELD)
#undef WEIR_NVRTC_FIELD
} weir_nvrtc_functions;

/* The functions, opened at the first call; UNAVAILABLE, with where was looked, when the library is
 * not there. Thread-safe. */
WEIR_CHECKED weir_status weir_cuda_open(const weir_cuda_functions **out_functions);
WEIR_CHECKED weir_status weir_nvrtc_open(const weir_nvrtc_functions **out_functions);

#endif
