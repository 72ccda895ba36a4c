/* cuda/dnn.h - convolutions by cuDNN. One thread at a time. */
#ifndef WEIR_CUDA_DNN_H
#define WEIR_CUDA_DNN_H

#include "cuda/abi.h"
#include "gpu/driver.h"

typedef struct weir_dnn weir_dnn;

/* Null when the library is not there or does not start; the context is current. |workspace| is
 * device memory. */
weir_dnn *weir_dnn_create(cu_stream stream, void *workspace, size_t bytes);
void weir_dnn_destroy(weir_dnn *dnn); /* takes null */
/* UNIMPLEMENTED when it does not serve the convolution. */
WEIR_CHECKED weir_status weir_dnn_convolve(weir_dnn *dnn, const weir_gpu_convolution *convolution);

#endif
