/* op/device.h - where the arguments of a node lie, and kernels for devices with memory of their
 * own.
 *
 * A site whose |memory| is not null has its plain arguments there, but for those that the op lists
 * in .host. Strings, handles and variants are always in the host's memory.
 */
#ifndef WEIR_OP_DEVICE_H
#define WEIR_OP_DEVICE_H

#include "memory/device.h"
#include "op/op.h"

bool weir_site_in_on_host(const weir_site *site, int input);
bool weir_site_out_on_host(const weir_site *site, int output);
/* Null memory: the host's. */
WEIR_CHECKED weir_status weir_tensor_alloc_in(weir_memory *memory, weir_dtype dtype,
                                              const weir_shape *shape, weir_tensor *out_tensor);
/* A copy of a plain tensor in |memory|, wherever it lies now; null: the host's. The host waits
 * unless it is the one who gives. */
WEIR_CHECKED weir_status weir_tensor_copy_to(weir_memory *memory, const weir_tensor *tensor,
                                             weir_tensor *out_tensor);
/* Whether the attrs of |site| are those of a kernel's .types. */
bool weir_kernel_fits(const weir_site *site, const char *types);

/* How a node can run on a device with memory of its own. */
typedef enum weir_device_way {
    WEIR_DEVICE_NONE,   /* not there */
    WEIR_DEVICE_KERNEL, /* by a kernel for it */
    WEIR_DEVICE_HOST,   /* only when asked for: by the processor's kernel, in host memory */
    WEIR_DEVICE_EITHER, /* as HOST; by a kernel for it when site->memory is set */
} weir_device_way;

/* What placement and plans ask of whoever knows the devices. */
typedef struct weir_device_kernels {
    /* |out_kernel| may be null; it is set for WEIR_DEVICE_KERNEL of ops with kernels. */
    weir_device_way (*find)(const weir_site *site, const weir_kernel **out_kernel);
    /* The memory of the device of that full name; null: it has the host's. */
    weir_memory *(*memory)(void *arg, const char *device);
    void *arg;
} weir_device_kernels;

#endif
