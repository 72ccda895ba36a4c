/* opencl/opencl.h - implementation of gpu/driver.h for devices of any vendor.
 *
 * A device must support coarse-grained shared virtual memory, because memory is passed by address,
 * and double precision; others are listed with the missing feature.
 */
#ifndef WEIR_OPENCL_OPENCL_H
#define WEIR_OPENCL_OPENCL_H

#include "gpu/driver.h"

extern const weir_gpu_driver weir_gpu_opencl;

#endif
