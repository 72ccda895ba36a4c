/* ops/nn/fused_batch_norm_grad.h - the gradient of FusedBatchNormGrad, in its three versions. */
#ifndef WEIR_OPS_NN_FUSED_BATCH_NORM_GRAD_H
#define WEIR_OPS_NN_FUSED_BATCH_NORM_GRAD_H

#include "grad/grad.h"

/* Gradients of y_backprop, x and scale; mean and variance, if inputs, have none. */
weir_status weir_fused_batch_norm_grad_grad(weir_grad *grad);

#endif
