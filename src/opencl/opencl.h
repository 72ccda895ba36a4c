/* opencl/opencl.h - devices of any maker behind gpu/driver.h.
 *
 * A device must have coarse-grained shared virtual memory, because memory is known by address, and
 * double precision; others are listed with what they lack.
 */
#ifndef WEIR_OPENCL_OPENCL_H
#define WEIR_OPENCL_OPENCL_H

#include "gpu/driver.h"

extern const weir_gpu_driver weir_gpu_opencl;

#endif
