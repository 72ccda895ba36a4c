/* ops/data_flow/tensor_array_grad_impl.h - gradients of the ops over tensor arrays.
 *
 * The gradient of an array is another array, found by TensorArrayGradV3 under the name of the
 * gradient computation; reading becomes writing to it and writing becomes reading from it.
 */
#ifndef WEIR_OPS_DATA_FLOW_TENSOR_ARRAY_GRAD_IMPL_H
#define WEIR_OPS_DATA_FLOW_TENSOR_ARRAY_GRAD_IMPL_H

#include "op/op.h"

weir_status weir_ta_read_grad(weir_grad *g);
weir_status weir_ta_write_grad(weir_grad *g);
weir_status weir_ta_gather_grad(weir_grad *g);
weir_status weir_ta_scatter_grad(weir_grad *g);
weir_status weir_ta_concat_grad(weir_grad *g);
weir_status weir_ta_split_grad(weir_grad *g);

#endif
