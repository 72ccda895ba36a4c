/* op/device.h - the memory of a node's arguments, and kernels for devices that have memory of their
 * own.
 *
 * The plain arguments of a site with a non-null |memory| are in that memory, except for those that
 * the op lists in .host. Strings, handles and variants are always in host memory.
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
/* Copies a plain tensor to |memory| (null: the host's), wherever it is now. Blocks unless the copy
 * is from the host. */
WEIR_CHECKED weir_status weir_tensor_copy_to(weir_memory *memory, const weir_tensor *tensor,
                                             weir_tensor *out_tensor);
/* Whether the attrs of |site| match a kernel's .types. */
bool weir_kernel_fits(const weir_site *site, const char *types);

/* How a node can run on a device with memory of its own. */
typedef enum weir_device_way {
    WEIR_DEVICE_NONE,   /* not supported */
    WEIR_DEVICE_KERNEL, /* by a kernel for it */
    WEIR_DEVICE_HOST,   /* by the CPU kernel, in host memory; only if requested */
    WEIR_DEVICE_EITHER, /* as HOST; by a kernel for it when site->memory is set */
} weir_device_way;

/* The interface of the device kernels for placement and plans. */
typedef struct weir_device_kernels {
    /* |out_kernel| may be null; it is set for WEIR_DEVICE_KERNEL of ops with kernels. */
    weir_device_way (*find)(const weir_site *site, const weir_kernel **out_kernel);
    /* The memory of the device with that full name; null: the host's. */
    weir_memory *(*memory)(void *arg, const char *device);
    void *arg;
} weir_device_kernels;

#endif
