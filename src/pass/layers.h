/* pass/layers.h - the ops of a layer become one: a convolution with its bias and Relu, and the
 * gradients back through Relu and the bias. */
#ifndef WEIR_PASS_LAYERS_H
#define WEIR_PASS_LAYERS_H

#include "pass/pass.h"

/* For the graph of one task, when nothing will be sent elsewhere any more: the ops that it makes
 * are our own (ops/internal/layers.c). Sums over pixels are added up in another order; all else
 * keeps its bits. */
WEIR_CHECKED weir_status weir_fuse_layers(weir_graph *g, const weir_pass_options *options);

#endif
