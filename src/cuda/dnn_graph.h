/* cuda/dnn_graph.h - a convolution as a cuDNN operation graph, for cuda only. */
#ifndef WEIR_CUDA_DNN_GRAPH_H
#define WEIR_CUDA_DNN_GRAPH_H

#include "cuda/abi.h"
#include "gpu/driver.h"

enum { DNN_MOST_DESCS = 96, DNN_MOST_WAYS = 10 };

/* Ids of the tensors in a graph. */
enum { DNN_ID_X = 1, DNN_ID_W, DNN_ID_Y, DNN_ID_BIAS, DNN_ID_SUM, DNN_ID_RELU };

/* A graph and the library's engine configurations for it, in order of its own heuristic. */
typedef struct dnn_graph {
    const weir_dnn_functions *fn;
    dnn_desc made[DNN_MOST_DESCS]; /* all descriptors, in order of creation */
    int made_count;
    bool failed;
    dnn_desc configs[DNN_MOST_WAYS];
    int config_count;
} dnn_graph;

/* |device| is null, or describes a chip instead of |handle|. False: not supported. */
bool dnn_graph_make(dnn_graph *graph, const weir_gpu_convolution *convolution, dnn_handle handle,
                    dnn_desc device);
void dnn_graph_free(dnn_graph *graph);

/* Descriptors owned by the graph; after a failure all of these are no-ops. */
dnn_desc dnn_begin(dnn_graph *graph, int what);
void dnn_set(dnn_graph *graph, dnn_desc desc, int attribute, int type, int64_t count,
             const void *values);
dnn_desc dnn_end(dnn_graph *graph, dnn_desc desc);

#endif
