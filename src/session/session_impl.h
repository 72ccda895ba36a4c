/* session/session_impl.h - a session's private types, for session/ only. */
#ifndef WEIR_SESSION_SESSION_IMPL_H
#define WEIR_SESSION_SESSION_IMPL_H

#include "base/mutex.h"
#include "exec/plan.h"
#include "exec/stats.h"
#include "exec/step.h"
#include "graph/device_name.h"
#include "op/function.h"
#include "op/rendezvous.h"
#include "session/collective.h"
#include "session/remote.h"
#include "session/session.h"

typedef struct weir_msg_cost_graph_def weir_msg_cost_graph_def;
typedef struct weir_strs weir_strs;

/* The times of a step's nodes, as a CostGraphDef in |arena|. */
const weir_msg_cost_graph_def *weir_cost_graph(const weir_graph *graph,
                                               const weir_collector *collector, weir_arena *arena);
/* The graphs that run on each of |devices|, as GraphDefs in |arena|. */
weir_strs weir_device_graphs(const weir_graph *g, const weir_devices *devices, weir_arena *arena);

/* A plan and its key. */
typedef struct prepared {
    weir_plan *plan;
    weir_buf key;
    weir_dtype *feed_types;
    weir_shape *feed_shapes; /* assumed by the plan */
    char **feed_names;
    char **fetch_names;
    int feed_count, fetch_count;
    atomic_llong steps;                 /* so far, if costs are requested */
    weir_remote *remote;                /* the remote with ... */
    weir_remote_partitions *registered; /* ... partitions on other tasks; null: none */
    int64_t graph_key;                  /* identifies graphs with collective ops; 0: none */
    size_t held;                        /* its bytes in base/room.h, estimated */
} prepared;

/* A session in this process. */
typedef struct weir_local_session {
    weir_session base;
    weir_session_config config;
    weir_par par;
    int runners;           /* maximum number of threads per step */
    atomic_int open_calls; /* of functions, over all its steps */
    weir_pool *own_pool;   /* null: the shared one */
    weir_devices devices;
    weir_device_kernels kernels; /* of its devices other than CPUs, if ... */
    bool has_kernels;            /* ... there are any */
    weir_remote *remote;         /* null: this process only */
    weir_remote_calls *calls;    /* of functions on other tasks; null: none */
    char *task;                  /* the own one: prefix of device names */
    atomic_llong next_cut;       /* numbers the nodes that partitioning adds */
    bool placed;                 /* graphs are placed already: runs partitions for masters */
    weir_resources *resources;
    weir_resources *own;           /* private objects of this session's nodes */
    weir_collectives *collectives; /* the groups of its devices */
    weir_mutex lock;
    weir_cond idle;                       /* signalled when the last step ends */
    weir_map plans WEIR_GUARDED_BY(lock); /* key -> prepared */
    WEIR_VEC(prepared *) plan_list WEIR_GUARDED_BY(lock);
    weir_graph *library WEIR_GUARDED_BY(lock);    /* functions of every plan so far */
    int64_t id;                                   /* unique among the process's sessions */
    weir_library *snapshot WEIR_GUARDED_BY(lock); /* of the library; null until requested */
    weir_map adopted WEIR_GUARDED_BY(lock);       /* libraries of other sessions that it includes */
    weir_map bound WEIR_GUARDED_BY(lock);         /* function and attrs -> weir_bound */
    weir_map partial_runs WEIR_GUARDED_BY(lock);  /* handle -> partial run */
    int steps WEIR_GUARDED_BY(lock);              /* running */
    int64_t next_step_id WEIR_GUARDED_BY(lock);
    int64_t next_partial WEIR_GUARDED_BY(lock);
    weir_cancel *cancel; /* every step's parent */
    bool closed WEIR_GUARDED_BY(lock);
} weir_local_session;

extern const weir_session_fns weir_local_fns;
static inline weir_local_session *weir_local_of(weir_session *session)
{
    return (weir_local_session *)session;
}
/* Functions of weir_local_fns outside local.c. */
WEIR_CHECKED weir_status weir_local_run(weir_session *session, const weir_request *request,
                                        weir_tensor *out_fetched);
WEIR_CHECKED weir_status weir_local_partial_setup(weir_session *session,
                                                  const weir_request *request, char **out_handle);
WEIR_CHECKED weir_status weir_local_partial_run(weir_session *session, const char *handle,
                                                const weir_request *request,
                                                weir_tensor *out_fetched);
WEIR_CHECKED weir_status weir_local_make_callable(weir_session *session,
                                                  const weir_request *request,
                                                  weir_callable **out_callable);
WEIR_CHECKED weir_status weir_local_run_callable(weir_callable *callable, const weir_request *call,
                                                 weir_tensor *out_fetched);
WEIR_CHECKED weir_status weir_local_release_callable(weir_callable *callable);

/* As in TensorFlow, a fed value's shape may differ from the graph's. */
typedef enum plan_kind {
    PLAN_EXACT,
    PLAN_LOOSE,   /* assumes no shapes that depend on feeds */
    PLAN_PARTIAL, /* the same, for fetches that the client gets one by one */
} plan_kind;

/* The plan for a request; created if new. */
WEIR_CHECKED weir_status weir_local_prepare(weir_local_session *session,
                                            const weir_request *request, plan_kind kind,
                                            prepared **out_prepared);
/* The same without creating one; null: none. */
prepared *weir_local_find_plan(weir_local_session *session, const weir_request *request,
                               plan_kind kind);
void weir_prepared_free(prepared *prepared);
/* A graph to be compiled to a plan. */
typedef struct plan_source {
    weir_local_session *s;
    weir_graph *g;
    weir_node *const *keep;
    int keep_count;
    const char *device;          /* default device of nodes; null: the session's first one */
    weir_partitions *partitions; /* out: for other tasks; null: all run on the own devices */
    bool read_last;              /* variables are fetched after all other nodes of the step */
    bool plain;                  /* no passes: with them the plan could not be prepared */
} plan_source;
/* Takes over the graph. */
WEIR_CHECKED weir_status weir_local_make_plan(const plan_source *source, weir_plan **out_plan);
/* Whether to retry a plan that failed with |failed| without passes. */
bool weir_local_may_prepare_plainly(const weir_local_session *session, weir_status failed);
/* The status of a plan that was retried: |failed| is of the first try, |plain| of the second. If
 * the latter succeeded, the first is logged and counted. Takes over both. */
WEIR_CHECKED weir_status weir_local_prepared_plainly(weir_status failed, weir_status plain);
/* last_reads.c: fetched variables are read after all that the step waits for. For graphs whose
 * _Retvals are returned together. */
WEIR_CHECKED weir_status weir_read_variables_last(weir_graph *graph);
/* Whether the program trains replicas synchronously: each contributes a gradient to every round. */
bool weir_is_synchronous_training(const weir_graph *program);

/* Makes the functions of |graph| callable by the session's plans. */
void weir_local_add_library(weir_local_session *session, const weir_graph *graph);

/* remote_function.c: resolves |target| to a full device name for a caller on |from|. */
WEIR_CHECKED weir_status weir_local_find_target(const weir_local_session *session, weir_str target,
                                                const char *from, char *out_device);
/* True for a device of another task. */
bool weir_local_is_elsewhere(const weir_local_session *session, const char *device);
/* Registers a function with the task of |device|, and waits for the answer. */
WEIR_CHECKED weir_status weir_local_send_function(weir_local_session *session,
                                                  const weir_func *func, const char *device,
                                                  weir_cancel *cancel, weir_remote_function **out);

extern const weir_function_runner weir_local_function_runner; /* its argument is the session */
void weir_local_free_functions(weir_local_session *session);
/* library.c: the runner's library and adopt. */
weir_library *weir_local_library(void *session);
weir_status weir_local_adopt(void *session, weir_library *library);
void weir_local_free_libraries(weir_local_session *session);

/* What the steps of a callable pass on to the next one, if it is as if new after a step, as it is
 * after most: a cancellation under the session's, and the resources of a step. */
typedef struct step_spare {
    weir_cancel *cancel;
    weir_following follow; /* of the steps' caller, which is retained; null: it has none */
    weir_resources *step_resources;
} step_spare;
typedef _Atomic(step_spare *) step_spare_slot;
void weir_step_spare_free(step_spare *spare); /* takes null */

/* A step's context. begin fails when the session is closed. */
typedef struct step_context {
    weir_run run;
    step_spare_slot *slot; /* of the callable; null: none */
    step_spare *spare;     /* for it after the step, with what |run| uses; null: without a slot */
    weir_run_options options; /* without the message */
    int64_t timer;
    int64_t timeout_ms;
    weir_remote *remote;           /* the remote whose ... */
    weir_remote_step *remote_step; /* ... partitions run; null: none */
    int64_t graph_key;             /* of collective ops; 0: none */
} step_context;
/* |slot|: of a callable; null: none. |caller|: cancels the step, where the caller has it follow. */
WEIR_CHECKED weir_status weir_step_context_begin(weir_local_session *session,
                                                 const weir_run_options *options,
                                                 step_spare_slot *slot, weir_cancel *caller,
                                                 step_context *context);
/* Starts the partitions on other tasks, if |prepared| has any; they end with the step. */
void weir_step_context_start_remote(const prepared *prepared, step_context *context,
                                    bool wants_metadata);
void weir_step_context_finish_remote(step_context *context, weir_status own,
                                     weir_run_metadata *metadata,
                                     void (*done)(void *arg, weir_status status), void *arg);
void weir_step_context_end(weir_local_session *session, step_context *context);
void weir_local_free_partial_runs(weir_local_session *session);

#endif
