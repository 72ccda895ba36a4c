/* cuda/dnn.h - convolutions by cuDNN. One thread at a time. */
#ifndef WEIR_CUDA_DNN_H
#define WEIR_CUDA_DNN_H

#include "cuda/abi.h"
#include "cuda/tune.h"
#include "gpu/driver.h"

typedef struct weir_dnn weir_dnn;

/* Null when the library is not there or does not start; the context is current. |workspace| is
 * device memory. */
weir_dnn *weir_dnn_create(weir_tuner *tuner, cu_stream stream, void *workspace, size_t bytes);
void weir_dnn_destroy(weir_dnn *dnn); /* takes null */
/* UNIMPLEMENTED when it does not serve the convolution. */
WEIR_CHECKED weir_status weir_dnn_convolve(weir_dnn *dnn, const weir_gpu_convolution *convolution);

/* How many ways the library has for it on the chip that |json| describes, without a device; -1: the
 * library is not there. */
int weir_dnn_count_ways(const weir_gpu_convolution *convolution, const char *json);

#endif
