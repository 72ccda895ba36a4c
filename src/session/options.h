/* session/options.h - how sessions and their steps run, and what a step reports: as structs.
 *
 * Clients describe both by messages (ConfigProto, RunOptions, RunMetadata), which capi and dist
 * read and write; what lies below sees these structs only.
 */
#ifndef WEIR_SESSION_OPTIONS_H
#define WEIR_SESSION_OPTIONS_H

#include "base/mem.h"
#include "pass/pass.h"

typedef struct weir_msg_config_proto weir_msg_config_proto;
typedef struct weir_msg_run_metadata weir_msg_run_metadata;
typedef struct weir_msg_run_options weir_msg_run_options;

enum { WEIR_GPUS = 16, WEIR_GPU_LIST = 128 };

/* Which devices beside the processors a session uses, and how much memory of each: GPUOptions.
 * Zeroed, all of them, each as a whole. */
typedef struct weir_gpu_choice {
    bool limited;                /* at most ... */
    int most;                    /* ... so many */
    bool too_long;               /* the list does not fit */
    char visible[WEIR_GPU_LIST]; /* their numbers, in order, with commas between; "": all */
    double fraction;             /* of a device's memory; 0: what is free, less a reserve */
    int divided;                 /* how many of them are divided into virtual devices: the first */
    int parts;                   /* virtual devices in all */
    struct {
        int device;    /* which of the divided ones */
        int64_t bytes; /* 0: as if it were the whole */
    } part[WEIR_GPUS];
    int parts_each; /* instead: each device is divided into so many equal parts */
} weir_gpu_choice;

/* How a session runs. Zeroed, all has its default. */
typedef struct weir_session_config {
    int cpu_devices; /* 0: one */
    weir_gpu_choice gpus;
    int intra_threads, inter_threads; /* 0: as many as there are processors */
    int64_t timeout_ms;               /* of a step that sets none; 0: none */
    bool soft_placement, log_placement, per_session_threads;
    bool check_numerics;            /* name the first op that makes a NaN or an infinity */
    int64_t cost_every, cost_after; /* steps report costs every so many, from one on; 0: never */
    weir_pass_options passes;       /* which of them run; what to keep is a plan's own */
} weir_session_config;

/* What a ConfigProto says of it. */
weir_session_config weir_session_config_of(const weir_msg_config_proto *message);

/* How a step runs. Zeroed, all has its default. */
typedef struct weir_run_options {
    int64_t timeout_ms;    /* 0: the session's */
    int trace_level;       /* above 0: the metadata has times */
    int inter_op_pool;     /* below 0: the step's nodes run on the caller's thread alone */
    bool partition_graphs; /* the metadata has the graphs that ran */
    int64_t graph_key;     /* of collective ops; 0: as the graph has it */
    const weir_msg_run_options *message; /* what it was read from, which servers elsewhere get
                                          * whole; null: they get the fields above */
} weir_run_options;

weir_run_options weir_run_options_of(const weir_msg_run_options *message);

/* What a step reports: a RunMetadata in parts, which merge as messages do. Zeroed, it is empty. One
 * thread at a time. */
typedef struct weir_run_metadata {
    weir_arena arena; /* holds the parts */
    WEIR_VEC(const weir_msg_run_metadata *) parts;
} weir_run_metadata;

void weir_run_metadata_fini(weir_run_metadata *metadata);

#endif
