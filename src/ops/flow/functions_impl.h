/* ops/flow/functions_impl.h - functions bound to a node, and their calls. */
#ifndef WEIR_OPS_FLOW_FUNCTIONS_IMPL_H
#define WEIR_OPS_FLOW_FUNCTIONS_IMPL_H

#include "op/function.h"

/* Result of .prepare: the functions of a node, in the order of its attrs. */
typedef struct weir_functions {
    const weir_function_runner *runner;
    int count;
    weir_bound *at[];
} weir_functions;

/* Binds the node's func attrs (a list's elements consecutively). */
weir_status weir_functions_prepare(weir_prepare *preparation);
void weir_functions_cleanup(void *functions);
/* Fields of a kernel that calls functions; .start follows. */
#define WEIR_FUNCTIONS_KERNEL                                                                      \
    WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .prepare = weir_functions_prepare,         \
                                                        .cleanup = weir_functions_cleanup

/* The tensors of inputs [from, in_count) as an array that the caller frees (weir_free); the inputs
 * keep the references. */
weir_tensor *weir_functions_args(const weir_call *call, int from);
/* Calls function |f| with the inputs from |from| on; its results become the outputs. */
void weir_functions_forward(weir_call *call, int f, int from);
/* Checks count and types, sets the outputs (takes ownership of the tensors), and finishes. */
void weir_functions_return(weir_call *call, weir_status status, weir_tensor *rets, int count);

/* The truth value of a conditional: a scalar that is not zero or empty; for other shapes, whether
 * there are elements. */
WEIR_CHECKED weir_status weir_truth_of(const weir_tensor *tensor, bool *out_truth);

#endif
