/* cuda/abi.h - the functions of NVIDIA's driver and run-time compiler that are used here.
 *
 * Declared from their documented ABIs, so building needs none of NVIDIA's headers. The libraries
 * are loaded by soname when a device is first requested.
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
typedef struct cu_event *cu_event;
typedef struct cu_graph *cu_graph;
typedef struct cu_graph_exec *cu_graph_exec;

enum {
    CU_SUCCESS = 0,
    CU_OUT_OF_MEMORY = 2,
    CU_DEVICE_UNAVAILABLE = 46,
    CU_NO_DEVICE = 100,
    CU_UNCORRECTABLE_MEMORY = 214,
    CU_LINK_LOST = 220,
    CU_FIRST_LOST = 700, /* from an illegal address on: the context is unusable */
    CU_LAST_LOST = 719,
    CU_UNKNOWN = 999,
};
/* Device attributes. */
enum { CU_MULTIPROCESSORS = 16, CU_CAPABILITY_MAJOR = 75, CU_CAPABILITY_MINOR = 76 };
enum { CU_STREAM_NON_BLOCKING = 1, CU_CAPTURE_RELAXED = 2, CU_EVENT_WITHOUT_TIME = 2 };

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
    X(device_address, cuDeviceGetPCIBusId, (char *address, int length, cu_device device))          \
    X(device_attribute, cuDeviceGetAttribute, (int *out, int attribute, cu_device device))         \
    X(context_retain, cuDevicePrimaryCtxRetain, (cu_context * context, cu_device device))          \
    X(context_release, cuDevicePrimaryCtxRelease_v2, (cu_device device))                           \
    X(context_set, cuCtxSetCurrent, (cu_context context))                                          \
    X(memory, cuMemGetInfo_v2, (size_t * free, size_t * total))                                    \
    X(alloc, cuMemAlloc_v2, (cu_address * at, size_t bytes))                                       \
    X(free, cuMemFree_v2, (cu_address at))                                                         \
    X(copy_in, cuMemcpyHtoDAsync_v2,                                                               \
      (cu_address to, const void *from, size_t bytes, cu_stream stream))                           \
    X(copy_out, cuMemcpyDtoHAsync_v2, (void *to, cu_address from, size_t bytes, cu_stream stream)) \
    X(copy_within, cuMemcpyDtoDAsync_v2,                                                           \
      (cu_address to, cu_address from, size_t bytes, cu_stream stream))                            \
    X(fill, cuMemsetD8Async, (cu_address to, unsigned char byte, size_t bytes, cu_stream stream))  \
    X(stream_create, cuStreamCreate, (cu_stream * stream, unsigned flags))                         \
    X(stream_destroy, cuStreamDestroy_v2, (cu_stream stream))                                      \
    X(stream_wait, cuStreamSynchronize, (cu_stream stream))                                        \
    X(stream_wait_event, cuStreamWaitEvent, (cu_stream stream, cu_event event, unsigned flags))    \
    X(host_alloc, cuMemHostAlloc, (void **at, size_t bytes, unsigned flags))                       \
    X(host_free, cuMemFreeHost, (void *at))                                                        \
    X(event_create, cuEventCreate, (cu_event * event, unsigned flags))                             \
    X(event_destroy, cuEventDestroy_v2, (cu_event event))                                          \
    X(event_record, cuEventRecord, (cu_event event, cu_stream stream))                             \
    X(event_wait, cuEventSynchronize, (cu_event event))                                            \
    X(event_elapsed, cuEventElapsedTime, (float *ms, cu_event before, cu_event after))             \
    X(capture_begin, cuStreamBeginCapture_v2, (cu_stream stream, int mode))                        \
    X(capture_end, cuStreamEndCapture, (cu_stream stream, cu_graph * graph))                       \
    X(graph_instantiate, cuGraphInstantiateWithFlags,                                              \
      (cu_graph_exec * exec, cu_graph graph, unsigned long long flags))                            \
    X(graph_launch, cuGraphLaunch, (cu_graph_exec exec, cu_stream stream))                         \
    X(graph_destroy, cuGraphDestroy, (cu_graph graph))                                             \
    X(graph_exec_destroy, cuGraphExecDestroy, (cu_graph_exec exec))                                \
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

/* ---- cublasLt: every function returns an int, 0 for success ---- */

typedef struct blas_handle *blas_handle;
typedef struct blas_desc *blas_desc;
typedef struct blas_layout *blas_layout;
typedef struct blas_preference *blas_preference;
typedef struct blas_algorithm {
    uint64_t data[8];
} blas_algorithm;
typedef struct blas_choice {
    blas_algorithm algorithm;
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
} blas_choice;

enum { BLAS_F32 = 0, BLAS_F64 = 1, BLAS_F16 = 2, BLAS_BF16 = 14 }; /* element types */
enum { BLAS_IN_F32 = 68, BLAS_IN_F64 = 70, BLAS_IN_TF32 = 77 };    /* arithmetic */
enum { BLAS_TRANSPOSE_A = 3, BLAS_TRANSPOSE_B = 4, BLAS_THEN = 7, BLAS_BIAS = 8 }; /* of products */
enum { BLAS_ADD_BIAS = 4, BLAS_ADD_BIAS_RELU = 6 };                                /* epilogues */
enum { BLAS_BATCH = 5, BLAS_BATCH_STEP = 6, BLAS_WORKSPACE = 1 }; /* of layouts; of preferences */

#define WEIR_BLAS_FUNCTIONS(X)                                                                     \
    X(create, cublasLtCreate, (blas_handle * handle))                                              \
    X(desc_create, cublasLtMatmulDescCreate, (blas_desc * desc, int arithmetic, int scale))        \
    X(desc_destroy, cublasLtMatmulDescDestroy, (blas_desc desc))                                   \
    X(desc_set, cublasLtMatmulDescSetAttribute,                                                    \
      (blas_desc desc, int what, const void *value, size_t bytes))                                 \
    X(layout_create, cublasLtMatrixLayoutCreate,                                                   \
      (blas_layout * layout, int type, uint64_t rows, uint64_t columns, int64_t step))             \
    X(layout_destroy, cublasLtMatrixLayoutDestroy, (blas_layout layout))                           \
    X(layout_set, cublasLtMatrixLayoutSetAttribute,                                                \
      (blas_layout layout, int what, const void *value, size_t bytes))                             \
    X(preference_create, cublasLtMatmulPreferenceCreate, (blas_preference * preference))           \
    X(preference_set, cublasLtMatmulPreferenceSetAttribute,                                        \
      (blas_preference preference, int what, const void *value, size_t bytes))                     \
    X(choose, cublasLtMatmulAlgoGetHeuristic,                                                      \
      (blas_handle handle, blas_desc desc, blas_layout a, blas_layout b, blas_layout c,            \
       blas_layout d, blas_preference preference, int most, blas_choice *out, int *count))         \
    X(multiply, cublasLtMatmul,                                                                    \
      (blas_handle handle, blas_desc desc, const void *alpha, const void *a, blas_layout a_layout, \
       const void *b, blas_layout b_layout, const void *beta, const void *c, blas_layout c_layout, \
       void *d, blas_layout d_layout, const blas_algorithm *algorithm, void *workspace,            \
       size_t workspace_bytes, cu_stream stream))

typedef struct weir_blas_functions {
#define WEIR_BLAS_FIELD(field, symbol, args) int(*field) args;
    WEIR_BLAS_FUNCTIONS(WEIR_BLAS_FIELD)
#undef WEIR_BLAS_FIELD
} weir_blas_functions;

/* ---- cuDNN, by its graphs of operations: every function returns an int, 0 for success ---- */

typedef struct dnn_handle *dnn_handle;
typedef struct dnn_desc *dnn_desc; /* of any kind: a tensor, an operation, a plan */

enum { DNN_F32 = 0, DNN_F64 = 1, DNN_F16 = 2, DNN_BF16 = 9 }; /* element types */
/* Kinds of descriptors. */
enum {
    DNN_POINTWISE = 0,
    DNN_CONVOLUTION = 1,
    DNN_CONFIG = 3,
    DNN_HEURISTIC = 4,
    DNN_PLAN = 5,
    DNN_FORWARD = 10,
    DNN_GRAD_W = 11,
    DNN_GRAD_X = 12,
    DNN_POINTWISE_OP = 13,
    DNN_GRAPH = 15,
    DNN_PACK = 16,
    DNN_TENSOR = 17,
    DNN_DEVICE = 38,
};
/* Attribute types. */
enum {
    DNN_IS_HANDLE = 0,
    DNN_IS_TYPE = 1,
    DNN_IS_BOOL = 2,
    DNN_IS_INT64 = 3,
    DNN_IS_FLOAT = 4,
    DNN_IS_DOUBLE = 5,
    DNN_IS_POINTER = 6,
    DNN_IS_CONV_MODE = 7,
    DNN_IS_HEURISTIC = 8,
    DNN_IS_POINTWISE = 14,
    DNN_IS_DESC = 15,
    DNN_IS_CHAR = 24,
};
/* Attributes. */
enum {
    DNN_POINTWISE_MODE = 0,
    DNN_POINTWISE_ARITHMETIC = 1,
    DNN_CONV_ARITHMETIC = 100,
    DNN_CONV_MODE = 101,
    DNN_CONV_DILATIONS = 102,
    DNN_CONV_STRIDES = 103,
    DNN_CONV_PAD_BEHIND = 104,
    DNN_CONV_PAD_BEFORE = 105,
    DNN_CONV_DIMS = 106,
    DNN_HEURISTIC_MODE = 200,
    DNN_HEURISTIC_GRAPH = 201,
    DNN_HEURISTIC_RESULTS = 202,
    DNN_HEURISTIC_DEVICE = 204,
    DNN_PLAN_HANDLE = 400,
    DNN_PLAN_CONFIG = 401,
    DNN_PLAN_WORKSPACE = 402,
    DNN_FORWARD_FIRST = 700, /* followed by alpha, beta, convolution, w, x, y */
    DNN_GRAD_X_FIRST = 706,
    DNN_GRAD_W_FIRST = 712,
    DNN_OP_POINTWISE = 750, /* followed by x, the second argument and y */
    DNN_GRAPH_HANDLE = 800,
    DNN_GRAPH_OPS = 801,
    DNN_TENSOR_ALIGNMENT = 900,
    DNN_TENSOR_TYPE = 901,
    DNN_TENSOR_DIMS = 902,
    DNN_TENSOR_STEPS = 903,
    DNN_TENSOR_ID = 906,
    DNN_TENSOR_VIRTUAL = 907,
    DNN_PACK_IDS = 1000,
    DNN_PACK_POINTERS = 1001,
    DNN_PACK_WORKSPACE = 1003,
    DNN_DEVICE_JSON = 2702,
};
enum { DNN_CROSS_CORRELATION = 1, DNN_ADD = 0, DNN_RELU = 100 };
enum { DNN_BY_DEFAULT = 3, DNN_BY_FALLBACK = 2 }; /* heuristic modes */

#define WEIR_DNN_FUNCTIONS(X)                                                                      \
    X(create, cudnnCreate, (dnn_handle * handle))                                                  \
    X(set_stream, cudnnSetStream, (dnn_handle handle, cu_stream stream))                           \
    X(version, cudnnGetVersion, (void))                                                            \
    X(desc_create, cudnnBackendCreateDescriptor, (int what, dnn_desc *desc))                       \
    X(desc_destroy, cudnnBackendDestroyDescriptor, (dnn_desc desc))                                \
    X(desc_finish, cudnnBackendFinalize, (dnn_desc desc))                                          \
    X(desc_set, cudnnBackendSetAttribute,                                                          \
      (dnn_desc desc, int attribute, int type, int64_t count, const void *values))                 \
    X(desc_get, cudnnBackendGetAttribute,                                                          \
      (dnn_desc desc, int attribute, int type, int64_t most, int64_t *count, void *values))        \
    X(execute, cudnnBackendExecute, (dnn_handle handle, dnn_desc plan, dnn_desc pack))

typedef struct weir_dnn_functions {
#define WEIR_DNN_FIELD(field, symbol, args) int(*field) args;
    WEIR_DNN_FUNCTIONS(WEIR_DNN_FIELD)
#undef WEIR_DNN_FIELD
} weir_dnn_functions;

/* The functions, loaded at the first call; UNAVAILABLE, with the paths tried, when a library is
 * absent. Thread-safe. */
WEIR_CHECKED weir_status weir_cuda_open(const weir_cuda_functions **out_functions);
WEIR_CHECKED weir_status weir_nvrtc_open(const weir_nvrtc_functions **out_functions);
/* Null when the library is absent. */
const weir_blas_functions *weir_blas_open(void);
const weir_dnn_functions *weir_dnn_open(void);

#endif
