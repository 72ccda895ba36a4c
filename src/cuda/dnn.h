/* cuda/dnn.h - convolutions by cuDNN. Not thread-safe. */
#ifndef WEIR_CUDA_DNN_H
#define WEIR_CUDA_DNN_H

#include "cuda/abi.h"
#include "cuda/tune.h"
#include "gpu/driver.h"

typedef struct weir_dnn weir_dnn;

/* Null when the library is absent or fails to initialise; the context is current. A convolution
 * uses at most |most| bytes of workspace, which grows to what the selected configurations need;
 * smaller workspaces are kept while there are |*recordings|, which refer to them. */
weir_dnn *weir_dnn_create(weir_tuner *tuner, const weir_cuda_functions *cuda, cu_stream stream,
                          int64_t most, const int *recordings);
void weir_dnn_destroy(weir_dnn *dnn);       /* takes null */
int64_t weir_dnn_held(const weir_dnn *dnn); /* bytes of workspaces; takes null */
/* UNIMPLEMENTED when cuDNN does not support the convolution. */
WEIR_CHECKED weir_status weir_dnn_convolve(weir_dnn *dnn, const weir_gpu_convolution *convolution);

/* The number of engine configurations for it on the chip that |json| describes, without a device;
 * -1: the library is absent. */
int weir_dnn_count_ways(const weir_gpu_convolution *convolution, const char *json);

#endif
