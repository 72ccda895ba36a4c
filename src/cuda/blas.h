/* cuda/blas.h - matrix products by cublasLt. Not thread-safe. */
#ifndef WEIR_CUDA_BLAS_H
#define WEIR_CUDA_BLAS_H

#include "cuda/abi.h"
#include "cuda/tune.h"
#include "gpu/driver.h"

typedef struct weir_blas weir_blas;

/* Null when the library is absent or fails to initialise; the context is current. |workspace| is
 * device memory. */
weir_blas *weir_blas_create(weir_tuner *tuner, cu_stream stream, void *workspace, size_t bytes);
void weir_blas_destroy(weir_blas *blas); /* takes null */
/* UNIMPLEMENTED when cublasLt does not support the product. */
WEIR_CHECKED weir_status weir_blas_multiply(weir_blas *blas, const weir_gpu_product *product);

#endif
