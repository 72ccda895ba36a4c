/* ops/common/grads.h - gradients shared by many ops. */
#ifndef WEIR_OPS_COMMON_GRADS_H
#define WEIR_OPS_COMMON_GRADS_H

#include "grad/grad.h"

/* Passes the gradient of output |out| unchanged to input |in|, sparse or dense. */
void weir_grad_pass(weir_grad *grad, int out, int in);
/* The gradient of an op that is the identity of its input 0. */
weir_status weir_grad_identity(weir_grad *grad);
/* dx = Reshape(dy, Shape(x)): for ops that only change the shape. */
weir_status weir_grad_reshape_back(weir_grad *grad);

/* Small compositions. */
weir_edge weir_grad_int32(weir_grad *grad, int32_t value); /* a scalar constant */
weir_edge weir_grad_sum_all(weir_grad *grad, weir_edge a); /* a scalar */
weir_edge weir_grad_reshape(weir_grad *grad, weir_edge a, weir_edge shape);
weir_edge weir_grad_flatten(weir_grad *grad, weir_edge a); /* a vector */
/* Elements [from, from + count) of a vector; count -1: to the end. */
weir_edge weir_grad_subvector(weir_grad *grad, weir_edge value, int from, int count);
weir_edge weir_grad_concat(weir_grad *grad, const weir_edge *vectors, int count); /* at most 7 */
/* dx for an x that was broadcast to dy's shape: sums over the broadcast axes. */
weir_edge weir_grad_unbroadcast(weir_grad *grad, weir_edge dy, weir_edge x);

#endif
