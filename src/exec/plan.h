/* exec/plan.h - a graph prepared for execution. Read-only: any number of steps share one.
 *
 * A plan's graph has arguments (_Arg) and results (_Retval) instead of feeds and fetches, for
 * sessions and functions alike.
 */
#ifndef WEIR_EXEC_PLAN_H
#define WEIR_EXEC_PLAN_H

#include "graph/graph.h"
#include "op/device.h"
#include "op/function.h"

typedef struct weir_plan weir_plan;

typedef struct weir_plan_env {
    weir_resources *resources; /* retained */
    weir_resources *own;       /* of the session: see op.h; outlives the plan */
    const weir_function_runner *runner;
    void *runner_arg;
    const weir_device_kernels *kernels; /* of nodes with device memory; null: none */
    bool check_numerics; /* its steps check for the first NaN or infinity (numerics.h) */
} weir_plan_env;

/* Takes over |graph| (also on failure). Errors name the node. */
WEIR_CHECKED weir_status weir_plan_create(weir_graph *graph, const weir_plan_env *env,
                                          weir_plan **out_plan);
void weir_plan_retain(weir_plan *plan);
void weir_plan_release(weir_plan *plan); /* takes null */
int weir_plan_arg_count(const weir_plan *plan);
int weir_plan_ret_count(const weir_plan *plan);
const weir_graph *weir_plan_graph(const weir_plan *plan);
/* True when its nodes' measured times are so short that handing them to a thread would cost more.
 * Asynchronous nodes do not count. */
bool weir_plan_brief(const weir_plan *plan);

#endif
