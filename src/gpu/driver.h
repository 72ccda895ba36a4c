/* gpu/driver.h - a vendor's library, as one table of functions.
 *
 * cuda/ and opencl/ each have a constant of this type. No library is loaded before the first call.
 * Work on one device is ordered: a launch sees the results of earlier launches and copies. Calls
 * for one device must be serialised.
 */
#ifndef WEIR_GPU_DRIVER_H
#define WEIR_GPU_DRIVER_H

#include "base/status.h"

typedef struct weir_gpu_info {
    char name[128];       /* "NVIDIA H200" */
    char kind[16];        /* "GPU", "CPU", "accelerator" */
    char driver[128];     /* "CUDA 13.0, NVRTC 13.0" */
    char address[32];     /* on the PCI bus, "0000:06:00.0"; may be "" */
    char capability[32];  /* compute capability "9.0", or the version of OpenCL; may be "" */
    char trouble[256];    /* why it cannot be used; "" if it can */
    int64_t memory_bytes; /* total */
    int64_t units;        /* multiprocessors, or processors */
} weir_gpu_info;

/* A kernel argument: a device address, or |bytes| of host memory passed by
 * value. */
typedef struct weir_gpu_arg {
    const void *at;
    size_t bytes; /* 0: |at| is an address */
} weir_gpu_arg;

#define WEIR_GPU_AT(address) ((weir_gpu_arg){.at = (address)})
#define WEIR_GPU_VALUE(variable) ((weir_gpu_arg){.at = &(variable), .bytes = sizeof(variable)})

/* Error message of a call after which no later one can succeed. */
#define WEIR_GPU_LOST                                                                              \
    "The device is lost to this process: what lay in its memory is gone, and every step that "     \
    "uses "                                                                                        \
    "it will fail until the process is started again"

enum { WEIR_GPU_ARGS = 40 }; /* maximum number of kernel arguments */

typedef struct weir_gpu_device weir_gpu_device; /* an opened device; its driver's own struct */
typedef struct weir_gpu_module weir_gpu_module; /* a compiled source text */
typedef struct weir_gpu_kernel weir_gpu_kernel; /* one of its kernels; freed with it */
typedef struct weir_gpu_graph weir_gpu_graph;   /* a captured graph, launched as one */

/* |batch| products of row-major matrices whose batch strides are |*_step| elements. */
typedef struct weir_gpu_product {
    int elem; /* weir_elem: f32, f64, f16, bf16 */
    int64_t m, n, k, batch;
    bool a_transposed, b_transposed;
    const void *a, *b;
    void *c;
    int64_t a_step, b_step, c_step;
    const void *bias; /* added to every row of c; null: none */
    bool relu;        /* with a bias: negative elements of c become 0 */
} weir_gpu_product;

typedef enum weir_gpu_pass { WEIR_GPU_FORWARD, WEIR_GPU_GRAD_X, WEIR_GPU_GRAD_W } weir_gpu_pass;

/* A convolution of channels-last images, or one of its gradients. |w| is out_c x taps[0] x
 * taps[1] x filter_c; |channels| is a multiple of filter_c (grouped convolution when
 * larger). Of x, w and y, the pass writes its result. Padding after the image follows from
 * the sizes. */
typedef struct weir_gpu_convolution {
    int elem; /* weir_elem: f32, f64, f16, bf16 */
    weir_gpu_pass pass;
    int64_t batch, channels, filter_c, out_c;
    int64_t in[2], out[2], taps[2], stride[2], dilation[2], pad[2];
    int64_t relu;     /* forward with a bias: whether to apply ReLU to the result */
    const void *bias; /* forward: added to every pixel; null: none */
    void *x, *w, *y;
} weir_gpu_convolution;

typedef struct weir_gpu_driver {
    const char *name; /* "cuda", as in cuda:0 */
    /* The number of devices. UNAVAILABLE with the reason when there is no driver. */
    weir_status (*count)(int *out_count);
    weir_status (*describe)(int index, weir_gpu_info *out_info);
    weir_status (*open)(int index, weir_gpu_device **out_device);
    void (*close)(weir_gpu_device *device); /* takes null; first free modules and memory */
    /* RESOURCE_EXHAUSTED when out of memory. */
    weir_status (*alloc)(weir_gpu_device *device, size_t bytes, void **out_at);
    void (*free)(weir_gpu_device *device, void *at); /* takes null */
    /* Ordered with launches; both return once the host memory has been read or written. */
    weir_status (*copy_in)(weir_gpu_device *device, void *to, const void *from, size_t bytes);
    weir_status (*copy_out)(weir_gpu_device *device, void *to, const void *from, size_t bytes);
    /* Compiles a source of text.h; the error contains the compiler's messages. */
    weir_status (*compile)(weir_gpu_device *device, const char *text, weir_gpu_module **out_module);
    void (*unload)(weir_gpu_module *module); /* takes null */
    weir_status (*find)(weir_gpu_module *module, const char *name, weir_gpu_kernel **out_kernel);
    /* Launches |groups| groups of WEIR_GPU_LANES work items, at least one. Asynchronous. */
    weir_status (*launch)(weir_gpu_device *device, weir_gpu_kernel *kernel, int64_t groups,
                          const weir_gpu_arg *args, int count);
    /* Waits for all work; reports errors since the last call. */
    weir_status (*synchronize)(weir_gpu_device *device);
    /* Device to device, ordered with launches. */
    weir_status (*copy)(weir_gpu_device *device, void *to, const void *from, size_t bytes);
    /* c = a b (+ bias) by the vendor's library. Null, or UNIMPLEMENTED: use layers.cl instead. */
    weir_status (*product)(weir_gpu_device *device, const weir_gpu_product *product);
    weir_status (*convolve)(weir_gpu_device *device, const weir_gpu_convolution *convolution);
    /* Events in the stream, numbered from 0, and the time between two of them that have completed;
     * null: not supported. */
    weir_status (*mark)(weir_gpu_device *device, int number);
    weir_status (*between)(weir_gpu_device *device, int first, int last, float *out_ms);
    /* Bytes that this process may still allocate, and bytes that its libraries have allocated
     * themselves; null: all of the memory, and none. */
    weir_status (*room)(weir_gpu_device *device, int64_t *out_bytes);
    int64_t (*held)(const weir_gpu_device *device);
    /* Returns to the device what of that only makes copies faster; null: nothing is. */
    void (*release)(weir_gpu_device *device);
    /* Work between the two is captured into a graph instead of run; |replay| launches it by one
     * call. No graph on failure. Null: not supported, and work is enqueued again each time. */
    weir_status (*capture_begin)(weir_gpu_device *device);
    weir_status (*capture_end)(weir_gpu_device *device, weir_gpu_graph **out_graph);
    weir_status (*replay)(weir_gpu_device *device, weir_gpu_graph *graph);
    void (*graph_free)(weir_gpu_device *device, weir_gpu_graph *graph);
} weir_gpu_driver;

#endif
