/* op/function.h - how kernels run functions: If, While, PartitionedCall, map functions.
 *
 * The session provides a runner; kernels bind functions in .prepare and run them in .start.
 */
#ifndef WEIR_OP_FUNCTION_H
#define WEIR_OP_FUNCTION_H

#include "op/op.h"

typedef struct weir_bound weir_bound; /* a function with its attrs, ready to run; shared */

/* Called once, on any thread, with the results (owned by the callee; null on error). */
typedef void (*weir_function_done)(void *arg, weir_status status, weir_tensor *rets, int count);

struct weir_graph;

/* A snapshot of a session's functions: shared, read-only, may outlive the session. */
typedef struct weir_library {
    weir_ref ref;
    const struct weir_graph *functions;
    int64_t owner; /* number of the session */
} weir_library;

typedef struct weir_function_runner {
    /* |device|: the caller's, the default for nodes without a requested device; null: the first. */
    weir_status (*bind)(void *runner_arg, const weir_func *func, const char *device,
                        weir_bound **out_bound);
    /* The same for a device that the program names partially; |from| supplies the rest. It may be
     * on another task: the first call sends the function there. */
    weir_status (*bind_to)(void *runner_arg, const weir_func *func, weir_str target,
                           const char *from, weir_bound **out_bound);
    void (*release)(weir_bound *bound);
    int (*arg_count)(const weir_bound *bound);
    int (*ret_count)(const weir_bound *bound);
    /* Runs within the step of |run|; |args| are shared, not taken over. */
    void (*call)(weir_bound *bound, weir_run *run, const weir_tensor *args, int count,
                 weir_function_done done, void *arg);
    weir_library *(*library)(void *runner_arg); /* current snapshot; retained */
    /* Adds its functions, so that they can be bound. Fails if one differs from a known function of
     * the same name. */
    weir_status (*adopt)(void *runner_arg, weir_library *library);
} weir_function_runner;

#endif
