/* session/remote.h - the other tasks that take part in a session's steps.
 *
 * A session over a cluster places nodes on devices of other tasks too. Their partitions are
 * registered with their tasks once, when a plan is created, and started with every step of that
 * plan. dist/ implements the table; a session without one has only its own devices. Thread-safe.
 */
#ifndef WEIR_SESSION_REMOTE_H
#define WEIR_SESSION_REMOTE_H

#include <stdatomic.h>

#include "op/function.h"
#include "place/partition.h"
#include "session/session.h"

typedef struct weir_remote_partitions weir_remote_partitions; /* registered partitions */
typedef struct weir_remote_step weir_remote_step;             /* one run of them */

/* A step's identity, and the metadata requested from the other tasks. */
typedef struct weir_remote_ask {
    bool stats, partition_graphs;
    int64_t step_id;   /* from |next_step|; 0: any new one */
    int64_t graph_key; /* the key of that call */
} weir_remote_ask;

struct weir_remote {
    const weir_device_info *devices; /* of the other tasks */
    int device_count;
    /* Registers every partition with its task; all or nothing. |graph_key|: 0, or the key of graphs
     * with collective ops; there may be no partitions then. */
    weir_status (*register_partitions)(weir_remote *remote, const weir_partitions *partitions,
                                       int64_t graph_key, weir_remote_partitions **out_partitions);
    void (*unregister)(weir_remote_partitions *partitions);
    /* The id of the next step with a graph key, the same for all masters; may block. */
    weir_status (*next_step)(weir_remote *remote, int64_t graph_key, weir_cancel *cancel,
                             int64_t *out_step_id);
    /* Starts the partitions. Sets the step id of |run|, which must outlive the step, and its
     * rendezvous (retained for the caller), which also receives from the other tasks. An error of a
     * partition fires run->cancel. */
    weir_remote_step *(*start)(weir_remote_partitions *partitions, weir_run *run,
                               weir_remote_ask ask);
    /* The own partition has ended with |own| (taken over); if it failed, the others are cancelled.
     * Calls |done| once, now or later, when every partition has ended, with the step's status;
     * before that, the requested data is added to |metadata| (null: none). */
    void (*finish)(weir_remote_step *step, weir_status own, weir_run_metadata *metadata,
                   void (*done)(void *arg, weir_status status), void *arg);
    /* This thread's sends to the other tasks are delayed until it waits. */
    void (*cork)(void);
    /* Returns when |over|, 0 until then, was changed and woken (base/word.h) by a step of
     * |partitions|. Meanwhile this thread may handle messages of the other tasks. */
    void (*wait)(weir_remote_partitions *partitions, atomic_int *over);
};

/* ---- function calls within a step -------------------------------------------------------------
 */

/* A function in the form for another task. */
typedef struct weir_remote_body {
    const char *device;            /* of its nodes; full */
    weir_str graph_def;            /* its arguments are _Recv, its results _Send, ... */
    weir_str *arg_keys, *ret_keys; /* ... under these keys */
    int arg_count, ret_count;
} weir_remote_body;

typedef struct weir_remote_function weir_remote_function; /* a registered one */

struct weir_remote_calls {
    /* Registers the function with its task; may block. INVALID_ARGUMENT for an unknown task. */
    weir_status (*add)(weir_remote_calls *calls, const weir_remote_body *body, weir_cancel *cancel,
                       weir_remote_function **out_function);
    void (*release)(weir_remote_function *function);
    /* Runs it in a step of its own, which |cancel| cancels. |args| are read during this call only.
     * Calls |done| once, now or later. */
    void (*call)(weir_remote_function *function, weir_cancel *cancel, const weir_tensor *args,
                 int count, weir_function_done done, void *arg);
};

#endif
