/* cuda/dnn.h - convolutions by cuDNN. Not thread-safe. */
#ifndef WEIR_CUDA_DNN_H
#define WEIR_CUDA_DNN_H

#include "cuda/abi.h"
#include "cuda/tune.h"
#include "gpu/driver.h"

typedef struct weir_dnn weir_dnn;

/* Null when the library is absent or fails to initialise; the context is current. |workspace| is
 * device memory. */
weir_dnn *weir_dnn_create(weir_tuner *tuner, cu_stream stream, void *workspace, size_t bytes);
void weir_dnn_destroy(weir_dnn *dnn); /* takes null */
/* UNIMPLEMENTED when cuDNN does not support the convolution. */
WEIR_CHECKED weir_status weir_dnn_convolve(weir_dnn *dnn, const weir_gpu_convolution *convolution);

/* The number of engine configurations for it on the chip that |json| describes, without a device;
 * -1: the library is absent. */
int weir_dnn_count_ways(const weir_gpu_convolution *convolution, const char *json);

#endif
