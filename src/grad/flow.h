/* grad/flow.h - gradient functions that need the engine's internals: those of conditionals,
 * of the stacks of loops and of TensorArrays. They are the .grad of the ops they are named
 * after. */
#ifndef WEIR_GRAD_FLOW_H
#define WEIR_GRAD_FLOW_H

#include "grad/grad.h"

/* flow.c */
weir_status weir_grad_switch(weir_grad *grad);
weir_status weir_grad_merge(weir_grad *grad);
/* history.c: what makes loops twice differentiable. */
weir_status weir_grad_stack_push(weir_grad *grad);
weir_status weir_grad_stack_pop(weir_grad *grad);
/* tensor_array.c */
weir_status weir_grad_tensor_array_read(weir_grad *grad);
weir_status weir_grad_tensor_array_write(weir_grad *grad);
weir_status weir_grad_tensor_array_gather(weir_grad *grad);
weir_status weir_grad_tensor_array_scatter(weir_grad *grad);
weir_status weir_grad_tensor_array_concat(weir_grad *grad);
weir_status weir_grad_tensor_array_split(weir_grad *grad);

#endif
