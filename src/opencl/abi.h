/* opencl/abi.h - the functions of OpenCL that are used here.
 *
 * Declared from the specification's ABI, so building needs no OpenCL headers. The loader,
 * libOpenCL.so.1, is loaded when a device is first requested.
 */
#ifndef WEIR_OPENCL_ABI_H
#define WEIR_OPENCL_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef int32_t cl_result; /* 0 is success */
typedef struct cl_platform *cl_platform;
typedef struct cl_device *cl_device;
typedef struct cl_context *cl_context;
typedef struct cl_queue *cl_queue;
typedef struct cl_program *cl_program;
typedef struct cl_kernel *cl_kernel;
typedef struct cl_event *cl_event;

enum { CL_OUT_OF_DEVICE_MEMORY = -4, CL_OUT_OF_RESOURCES = -5, CL_OUT_OF_HOST_MEMORY = -6 };
/* Queries of devices, programs and contexts. */
#define CL_ALL_DEVICES 0xFFFFFFFFu
enum { CL_KIND_CPU = 2, CL_KIND_GPU = 4, CL_KIND_ACCELERATOR = 8 };
enum {
    CL_DEVICE_KIND = 0x1000,
    CL_DEVICE_UNITS = 0x1002,
    CL_DEVICE_GROUP_SIZE = 0x1004,
    CL_DEVICE_MEMORY = 0x101F,
    CL_DEVICE_NAME = 0x102B,
    CL_DEVICE_DRIVER = 0x102D,
    CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_DOUBLE = 0x1032,
    CL_DEVICE_SVM = 0x1053,
    CL_PLATFORM_NAME = 0x0902,
    CL_BUILD_LOG = 0x1183,
};
enum { CL_SVM_COARSE = 1, CL_READ_WRITE = 1 };

/* X(field, symbol, result, arguments). */
#define WEIR_OPENCL_FUNCTIONS(X)                                                                   \
    X(platforms, clGetPlatformIDs, cl_result,                                                      \
      (uint32_t room, cl_platform * platforms, uint32_t * count))                                  \
    X(platform_info, clGetPlatformInfo, cl_result,                                                 \
      (cl_platform platform, uint32_t what, size_t room, void *value, size_t *bytes))              \
    X(devices, clGetDeviceIDs, cl_result,                                                          \
      (cl_platform platform, uint64_t kind, uint32_t room, cl_device * devices, uint32_t * count)) \
    X(device_info, clGetDeviceInfo, cl_result,                                                     \
      (cl_device device, uint32_t what, size_t room, void *value, size_t *bytes))                  \
    X(context_create, clCreateContext, cl_context,                                                 \
      (const intptr_t *properties, uint32_t count, const cl_device *devices,                       \
       void (*notify)(const char *, const void *, size_t, void *), void *arg, cl_result *result))  \
    X(context_release, clReleaseContext, cl_result, (cl_context context))                          \
    X(queue_create, clCreateCommandQueue, cl_queue,                                                \
      (cl_context context, cl_device device, uint64_t properties, cl_result * result))             \
    X(queue_release, clReleaseCommandQueue, cl_result, (cl_queue queue))                           \
    X(finish, clFinish, cl_result, (cl_queue queue))                                               \
    X(program_create, clCreateProgramWithSource, cl_program,                                       \
      (cl_context context, uint32_t count, const char **texts, const size_t *lengths,              \
       cl_result *result))                                                                         \
    X(program_build, clBuildProgram, cl_result,                                                    \
      (cl_program program, uint32_t count, const cl_device *devices, const char *options,          \
       void (*notify)(cl_program, void *), void *arg))                                             \
    X(program_info, clGetProgramBuildInfo, cl_result,                                              \
      (cl_program program, cl_device device, uint32_t what, size_t room, void *value,              \
       size_t *bytes))                                                                             \
    X(program_release, clReleaseProgram, cl_result, (cl_program program))                          \
    X(kernel_create, clCreateKernel, cl_kernel,                                                    \
      (cl_program program, const char *name, cl_result *result))                                   \
    X(kernel_release, clReleaseKernel, cl_result, (cl_kernel kernel))                              \
    X(kernel_value, clSetKernelArg, cl_result,                                                     \
      (cl_kernel kernel, uint32_t index, size_t bytes, const void *value))                         \
    X(kernel_address, clSetKernelArgSVMPointer, cl_result,                                         \
      (cl_kernel kernel, uint32_t index, const void *address))                                     \
    X(launch, clEnqueueNDRangeKernel, cl_result,                                                   \
      (cl_queue queue, cl_kernel kernel, uint32_t rank, const size_t *offset, const size_t *all,   \
       const size_t *group, uint32_t wait_count, const cl_event *waits, cl_event *event))          \
    X(svm_alloc, clSVMAlloc, void *,                                                               \
      (cl_context context, uint64_t flags, size_t bytes, uint32_t alignment))                      \
    X(svm_free, clSVMFree, void, (cl_context context, void *at))                                   \
    X(svm_copy, clEnqueueSVMMemcpy, cl_result,                                                     \
      (cl_queue queue, uint32_t blocking, void *to, const void *from, size_t bytes,                \
       uint32_t wait_count, const cl_event *waits, cl_event *event))

typedef struct weir_opencl_functions {
#define WEIR_OPENCL_FIELD(field, symbol, result, args) result(*field) args;
    WEIR_OPENCL_FUNCTIONS(WEIR_OPENCL_FIELD)
#undef WEIR_OPENCL_FIELD
} weir_opencl_functions;

/* The functions, loaded at the first call; UNAVAILABLE without the loader. Thread-safe. */
WEIR_CHECKED weir_status weir_opencl_open(const weir_opencl_functions **out_functions);

#endif
