/* ops/device/device.h - kernels for devices with memory of their own.
 *
 * Most ops get one from their kind: an element-wise loop, an optimiser's rule, control flow. The
 * others have a row in kernels.inc.
 */
#ifndef WEIR_OPS_DEVICE_DEVICE_H
#define WEIR_OPS_DEVICE_DEVICE_H

#include "math/elem.h"
#include "op/device.h"

/* Implements weir_device_kernels.find. |out_kernel| may be null. */
weir_device_way weir_device_find(const weir_site *site, const weir_kernel **out_kernel);
/* Whether an op has a kernel for some of its types. */
bool weir_device_serves(const weir_op *op);
/* The same, with the types: appends "T: half, float" as in weir_kernel.types; nothing: all. */
bool weir_device_types(const weir_op *op, weir_buf *out_types);
/* z = x + y of |count| elements in |memory|. */
WEIR_CHECKED weir_status weir_device_add_to(weir_memory *memory, weir_elem elem, int64_t count,
                                            const void *x, const void *y, void *z);

#endif
