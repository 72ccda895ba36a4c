/* nn/nn_impl.h - shared by the layers, for nn/ only. */
#ifndef WEIR_NN_NN_IMPL_H
#define WEIR_NN_NN_IMPL_H

#include "weir/nn.h"

weir_builder *weir_nn_builder(const weir_net *net);
bool weir_nn_failed(const weir_net *net);
void weir_nn_fail(const weir_net *net, const char *message);

/* The value of the variable "layer/what" of |rank| dims. */
TF_Output weir_nn_part(const weir_net *net, const char *layer, const char *what, int rank,
                       const int64_t *dims, const weir_initial *initial, bool not_trained);
/* Glorot uniform: within sqrt(6 / (fan in + fan out)) of a kernel whose last two dims are inputs
 * and outputs (Glorot and Bengio, 2010). */
weir_initial weir_nn_glorot(int rank, const int64_t *dims);
/* activation(x + b) with the layer's "b" of |units|, if it has one. */
TF_Output weir_nn_finish(const weir_net *net, TF_Output x, const char *layer, int64_t units,
                         const weir_initial *initial, bool no_bias, weir_activation activation);

/* An int32 vector constant. */
TF_Output weir_nn_ints(const weir_net *net, const char *name, const int32_t *values, int count);
/* A random node's seed and seed2 for |seed|, as TensorFlow's Python derives them; 0: random. */
typedef struct weir_nn_seeds {
    int64_t graph, op;
} weir_nn_seeds;
weir_nn_seeds weir_nn_seeds_of(const weir_net *net, int64_t seed);

#endif
