/* ops/data_flow/tensor_list_grad_impl.h - gradients of TensorList ops: lists of gradients. */
#ifndef WEIR_OPS_DATA_FLOW_TENSOR_LIST_GRAD_IMPL_H
#define WEIR_OPS_DATA_FLOW_TENSOR_LIST_GRAD_IMPL_H

#include "op/op.h"

weir_status weir_list_push_back_grad(weir_grad *grad);
weir_status weir_list_pop_back_grad(weir_grad *grad);
weir_status weir_list_get_item_grad(weir_grad *grad);
weir_status weir_list_set_item_grad(weir_grad *grad);
weir_status weir_list_resize_grad(weir_grad *grad);
weir_status weir_list_stack_grad(weir_grad *grad);
weir_status weir_list_gather_grad(weir_grad *grad);
weir_status weir_list_from_tensor_grad(weir_grad *grad);
weir_status weir_list_scatter_grad(weir_grad *grad);
weir_status weir_list_scatter_into_grad(weir_grad *grad);
weir_status weir_list_split_grad(weir_grad *grad);
weir_status weir_list_concat_grad(weir_grad *grad);

#endif
