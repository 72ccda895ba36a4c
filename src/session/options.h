/* session/options.h - options of sessions and steps, and a step's metadata: as structs.
 *
 * Clients send them as messages (ConfigProto, RunOptions, RunMetadata), which capi and dist parse
 * and write; lower rooms use these structs only.
 */
#ifndef WEIR_SESSION_OPTIONS_H
#define WEIR_SESSION_OPTIONS_H

#include "base/mem.h"
#include "pass/pass.h"

typedef struct weir_msg_config_proto weir_msg_config_proto;
typedef struct weir_msg_run_metadata weir_msg_run_metadata;
typedef struct weir_msg_run_options weir_msg_run_options;

enum { WEIR_GPUS = 16, WEIR_GPU_LIST = 128 };

/* The accelerators of a session, and the memory limit of each: GPUOptions. Zeroed: all of them,
 * without limits. */
typedef struct weir_gpu_choice {
    bool limited;                /* at most ... */
    int most;                    /* ... so many */
    bool too_long;               /* the list exceeds the array */
    char visible[WEIR_GPU_LIST]; /* their numbers, in order, separated by commas; "": all */
    double fraction;             /* of a device's memory; 0: the free memory less a reserve */
    int divided;                 /* the first so many are divided into virtual devices */
    int parts;                   /* virtual devices in all */
    struct {
        int device;    /* index among the divided ones */
        int64_t bytes; /* 0: as for an undivided device */
    } part[WEIR_GPUS];
    int parts_each; /* instead: each device is divided into so many equal parts */
} weir_gpu_choice;

/* Options of a session. Zeroed: defaults. */
typedef struct weir_session_config {
    int cpu_devices; /* 0: one */
    weir_gpu_choice gpus;
    int intra_threads, inter_threads; /* 0: number of processors */
    int64_t timeout_ms;               /* default of steps; 0: none */
    bool soft_placement, log_placement, per_session_threads;
    bool check_numerics;            /* name the first op that makes a NaN or an infinity */
    int64_t cost_every, cost_after; /* steps with cost reports: interval and first; 0: none */
    weir_pass_options passes;       /* which passes run; each plan sets what to keep */
} weir_session_config;

/* The options in a ConfigProto. */
weir_session_config weir_session_config_of(const weir_msg_config_proto *message);

/* Options of a step. Zeroed: defaults. */
typedef struct weir_run_options {
    int64_t timeout_ms;    /* 0: the session's */
    int trace_level;       /* above 0: the metadata has times */
    int inter_op_pool;     /* below 0: the step's nodes run on the caller's thread alone */
    bool partition_graphs; /* the metadata has the graphs that ran */
    int64_t graph_key;     /* of collective ops; 0: the graph's */
    const weir_msg_run_options *message; /* parsed from this, which is forwarded whole to other
                                          * servers; null: those get the fields above */
} weir_run_options;

weir_run_options weir_run_options_of(const weir_msg_run_options *message);

/* A step's metadata: a RunMetadata in parts, which merge like messages. Zeroed, it is empty. One
 * thread at a time. */
typedef struct weir_run_metadata {
    weir_arena arena; /* owns the parts */
    WEIR_VEC(const weir_msg_run_metadata *) parts;
} weir_run_metadata;

void weir_run_metadata_fini(weir_run_metadata *metadata);

#endif
