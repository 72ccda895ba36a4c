/* ops/flow/symbolic_gradient.c - SymbolicGradient: the gradient of a function.
 *
 * It is expanded before a plan is created (grad/symbolic.h); no step runs it.
 */
#include "op/op.h"

static weir_status not_opened(weir_call *call)
{
    return weir_error(WEIR_UNIMPLEMENTED, "SymbolicGradient '%s' runs only as part of a graph",
                      call->site->name);
}

const weir_op weir_op_symbolic_gradient = {
    .name = "SymbolicGradient",
    .in = "input: Tin",
    .out = "output: Tout",
    .attrs = "Tin: list(type) >= 1; Tout: list(type) >= 1; f: func",
    .kernels = {{WEIR_CPU, "*", not_opened, WEIR_OWN_OUTPUTS}},
};
