/* cuda/dnn_graph.h - a convolution as a graph of cuDNN's operations, for cuda only. */
#ifndef WEIR_CUDA_DNN_GRAPH_H
#define WEIR_CUDA_DNN_GRAPH_H

#include "cuda/abi.h"
#include "gpu/driver.h"

enum { DNN_MOST_DESCS = 96, DNN_MOST_WAYS = 10 };

/* Names of the tensors in a graph. */
enum { DNN_ID_X = 1, DNN_ID_W, DNN_ID_Y, DNN_ID_BIAS, DNN_ID_SUM, DNN_ID_RELU };

/* A graph and what the library offers for it, best first by its own reckoning. */
typedef struct dnn_graph {
    const weir_dnn_functions *fn;
    dnn_desc made[DNN_MOST_DESCS]; /* all of it, in the order in which they were made */
    int made_count;
    bool failed;
    dnn_desc configs[DNN_MOST_WAYS];
    int config_count;
} dnn_graph;

/* |device| is null, or describes a chip instead of |handle|. False: it is not served. */
bool dnn_graph_make(dnn_graph *graph, const weir_gpu_convolution *convolution, dnn_handle handle,
                    dnn_desc device);
void dnn_graph_free(dnn_graph *graph);

/* Descriptors that the graph owns; after a failure all of these do nothing. */
dnn_desc dnn_begin(dnn_graph *graph, int what);
void dnn_set(dnn_graph *graph, dnn_desc desc, int attribute, int type, int64_t count,
             const void *values);
dnn_desc dnn_end(dnn_graph *graph, dnn_desc desc);

#endif
