/* cuda/cuda.h - NVIDIA's implementation of gpu/driver.h. */
#ifndef WEIR_CUDA_CUDA_H
#define WEIR_CUDA_CUDA_H

#include "gpu/driver.h"

extern const weir_gpu_driver weir_gpu_cuda;

#endif
