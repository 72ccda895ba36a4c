/* ops/flow/functions_impl.h - functions bound to a node, and calls of them. */
#ifndef WEIR_OPS_FLOW_FUNCTIONS_IMPL_H
#define WEIR_OPS_FLOW_FUNCTIONS_IMPL_H

#include "op/function.h"

/* What .prepare leaves: the functions of a node, in the order of its attrs. */
typedef struct weir_functions {
    const weir_function_runner *runner;
    int count;
    weir_bound *at[];
} weir_functions;

/* Binds the func attrs of the node (those of a list one after another). */
weir_status weir_functions_prepare(weir_prepare *preparation);
void weir_functions_cleanup(void *functions);
/* Fields of a kernel that calls functions; .start follows. */
#define WEIR_FUNCTIONS_KERNEL                                                                      \
    WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, .prepare = weir_functions_prepare,         \
                                                        .cleanup = weir_functions_cleanup

/* The tensors of inputs [from, in_count) as an array that the caller frees (weir_free); the
 * references stay the inputs'. */
weir_tensor *weir_functions_args(const weir_call *call, int from);
/* Calls function |f| with inputs from |from| on; its results become the outputs. */
void weir_functions_forward(weir_call *call, int f, int from);
/* Sets the outputs (taking the tensors over) after checking count and types, and finishes. */
void weir_functions_return(weir_call *call, weir_status status, weir_tensor *rets, int count);

/* What conditionals make of a value: a scalar that is not zero or empty; of anything else, whether
 * it has elements. */
WEIR_CHECKED weir_status weir_truth_of(const weir_tensor *tensor, bool *out_truth);

#endif
