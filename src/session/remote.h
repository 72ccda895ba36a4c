/* session/remote.h - other tasks that a session's steps also run on.
 *
 * A session over a cluster places nodes on devices of other tasks too. What lies there is handed to
 * its task once, when a plan is made, and started with every step of that plan. dist/ implements
 * the table; a session without one has only its own devices. Thread-safe.
 */
#ifndef WEIR_SESSION_REMOTE_H
#define WEIR_SESSION_REMOTE_H

#include <stdatomic.h>

#include "op/function.h"
#include "place/partition.h"
#include "session/session.h"

typedef struct weir_remote_partitions weir_remote_partitions; /* partitions that their tasks have */
typedef struct weir_remote_step weir_remote_step;             /* one run of them */

/* What a step's caller wants to know of the other tasks, and which step it is. */
typedef struct weir_remote_ask {
    bool stats, partition_graphs;
    int64_t step_id;   /* as |next_step| gave it; 0: any new one */
    int64_t graph_key; /* for which it did */
} weir_remote_ask;

struct weir_remote {
    const weir_device_info *devices; /* of the other tasks */
    int device_count;
    /* Hands every partition to its task; all or nothing. |graph_key|: 0, or what tells graphs with
     * collective ops apart; there may be no partitions then. */
    weir_status (*register_partitions)(weir_remote *remote, const weir_partitions *partitions,
                                       int64_t graph_key, weir_remote_partitions **out_partitions);
    void (*unregister)(weir_remote_partitions *partitions);
    /* The id that the next step with a graph key has for all masters; may wait for it. */
    weir_status (*next_step)(weir_remote *remote, int64_t graph_key, weir_cancel *cancel,
                             int64_t *out_step_id);
    /* Starts the partitions. Gives |run|, which must outlive the step, its step id and a rendezvous
     * (retained for the caller) that also receives from the other tasks. An error of a partition
     * fires run->cancel. */
    weir_remote_step *(*start)(weir_remote_partitions *partitions, weir_run *run,
                               weir_remote_ask ask);
    /* The own partition has ended as |own| says (taken over); when it failed, the others are
     * stopped. Calls |done| once, now or later, when every partition has ended, with the step's
     * status; before that, what was asked for is added to |metadata| (null when nothing was). */
    void (*finish)(weir_remote_step *step, weir_status own, weir_run_metadata *metadata,
                   void (*done)(void *arg, weir_status status), void *arg);
    /* What this thread sends to the other tasks is seen by them when it waits, not before. */
    void (*cork)(void);
    /* Returns when |over|, 0 until then, was changed and woken (base/word.h) by a step of
     * |partitions|. Meanwhile this thread may do what comes from the other tasks. */
    void (*wait)(weir_remote_partitions *partitions, atomic_int *over);
};

/* ---- functions that are called while a step runs ----------------------------------------------
 */

/* A function as another task gets it. */
typedef struct weir_remote_body {
    const char *device;            /* of its nodes; full */
    weir_str graph_def;            /* arguments come by _Recv, results go by _Send, ... */
    weir_str *arg_keys, *ret_keys; /* ... under these keys */
    int arg_count, ret_count;
} weir_remote_body;

typedef struct weir_remote_function weir_remote_function; /* one that its task has */

struct weir_remote_calls {
    /* Hands the function to its task; may block. INVALID_ARGUMENT when there is no such task. */
    weir_status (*add)(weir_remote_calls *calls, const weir_remote_body *body, weir_cancel *cancel,
                       weir_remote_function **out_function);
    void (*release)(weir_remote_function *function);
    /* Runs it in a step of its own, which |cancel| ends. |args| are read during the call only.
     * Calls |done| once, now or later. */
    void (*call)(weir_remote_function *function, weir_cancel *cancel, const weir_tensor *args,
                 int count, weir_function_done done, void *arg);
};

#endif
