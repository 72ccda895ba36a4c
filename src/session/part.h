/* session/part.h - a partition of a master's graph for this task, ready to run.
 *
 * Its nodes have full device names, its edges to other tasks are _Send and _Recv, and it includes
 * its functions. Reference-counted; any number of steps run at once. Thread-safe.
 */
#ifndef WEIR_SESSION_PART_H
#define WEIR_SESSION_PART_H

#include "op/rendezvous.h"
#include "session/session.h"

typedef struct weir_strs weir_strs;

typedef struct weir_registered weir_registered;

typedef struct weir_registered_options {
    weir_str graph_def;                /* attrs with default values may be omitted */
    const weir_session_config *config; /* threads, passes; null: defaults */
    const char *task;                  /* the task of its nodes' devices */
    const weir_devices *devices;       /* the task's; null: by the config */
    weir_resources *resources;         /* they outlive the session; retained */
    weir_resources *own;               /* shared by the session's partitions only; retained */
    weir_remote_calls *calls; /* of functions on other tasks; null: none. Must outlive this */
    struct weir_collectives *collectives; /* of the task; null: only its own. Retained */
} weir_registered_options;

/* INVALID_ARGUMENT for a node without a device, or on another task's; NOT_FOUND for an op that is
 * not in the catalogue. */
WEIR_CHECKED weir_status weir_registered_create(const weir_registered_options *options,
                                                weir_registered **out_graph);
weir_registered *weir_registered_retain(weir_registered *registered);
void weir_registered_release(weir_registered *registered); /* takes null */

typedef struct weir_registered_step {
    int64_t id;
    weir_rendezvous *rendezvous;
    weir_cancel *cancel;         /* of this step only: an error fires it too */
    weir_run_metadata *metadata; /* receives the step's times; null: not requested */
    const char *master;          /* the task that requests the step; null: not known */
} weir_registered_step;

/* Runs one step to its end. Values pass through the rendezvous, which an error aborts. */
WEIR_CHECKED weir_status weir_registered_run(weir_registered *registered,
                                             const weir_registered_step *step);
/* True when steps are so short that any thread may run them; see weir_plan_brief. */
bool weir_registered_brief(const weir_registered *registered);
/* The same as weir_registered_run for a short step, without blocking: runs on this thread as far as
 * possible, and later on the threads that deliver its inputs. Calls |done| once; |step| must stay
 * valid until then. */
void weir_registered_start(weir_registered *registered, const weir_registered_step *step,
                           void (*done)(void *arg, weir_status status), void *arg);
/* The GraphDefs that run, one per device, in |arena|. */
weir_strs weir_registered_graphs(const weir_registered *registered, weir_arena *arena);

#endif
