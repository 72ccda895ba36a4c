/* dist/identity.h - determines this process's cluster and task.
 *
 * Used by `weir server`, `weir train`, `weir run`, TF_NewServer and weir_job. The command line has
 * precedence over TF_CONFIG, and that over the variables of a Slurm step.
 */
#ifndef WEIR_DIST_IDENTITY_H
#define WEIR_DIST_IDENTITY_H

#include "dist/cluster_config.h"
#include "dist/server.h"

/* A job's addresses, "a:1,b:2", of a flag like --ps_hosts. */
typedef struct weir_job_hosts {
    weir_str job;
    const char *hosts;
} weir_job_hosts;

/* The command line's values. The caller owns the texts; null: not given. */
typedef struct weir_task_flags {
    const char *job_name;
    long task_index; /* below 0: not given */
    WEIR_VEC(weir_job_hosts) hosts;
    const char *cluster_file; /* JSON */
    const char *cluster_spec; /* "ps=a:1,b:2;worker=c:3" */
    const char *server_def;   /* a ServerDef as text, or the name of its file */
    long ps;                  /* parameter servers of a Slurm step; below 0: 1 */
    bool no_environment;      /* ignores TF_CONFIG and Slurm */
    bool may_be_outside;      /* the own task need not be in the cluster, as for an evaluator */
} weir_task_flags;

/* Defaults: not given. */
#define WEIR_NO_TASK_FLAGS .task_index = -1, .ps = -1
void weir_task_flags_fini(weir_task_flags *flags);

/* Whether a flag is one of job_name, task_index, JOB_hosts, cluster and ps. */
bool weir_is_task_flag(weir_str name);
/* Stores such a flag. INVALID_ARGUMENT when the value is malformed. */
WEIR_CHECKED weir_status weir_task_flags_take(weir_task_flags *flags, weir_str name,
                                              const char *value);
/* Whether the flags name a cluster or a task. */
bool weir_task_flags_given(const weir_task_flags *flags);

typedef enum weir_task_source {
    WEIR_TASK_ALONE, /* no cluster given */
    WEIR_TASK_TF_CONFIG,
    WEIR_TASK_SLURM,
} weir_task_source;
/* The environment's source. */
weir_task_source weir_task_environment(void);

/* The cluster, with the own task set and found in it; no tasks: a single process. |out| starts
 * zeroed; the caller must fini it, on failure too. */
WEIR_CHECKED weir_status weir_identity_find(const weir_task_flags *flags, weir_cluster_config *out);

/* Starts the own task's server. */
WEIR_CHECKED weir_status weir_identity_serve(const weir_cluster_config *config,
                                             weir_server **out_server);

#endif
