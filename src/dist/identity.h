/* dist/identity.h - which task of which cluster this process is.
 *
 * `weir server`, `weir train`, `weir run`, TF_NewServer and weir_job all ask here. What the command
 * line says comes first, then TF_CONFIG, then the variables of a Slurm step.
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

/* What the command line says. Texts are the caller's; null: not said. */
typedef struct weir_task_flags {
    const char *job_name;
    long task_index; /* below 0: not said */
    WEIR_VEC(weir_job_hosts) hosts;
    const char *cluster_file; /* JSON */
    const char *cluster_spec; /* "ps=a:1,b:2;worker=c:3" */
    const char *server_def;   /* a ServerDef as text, or a file that holds one */
    long ps;                  /* parameter servers of a Slurm step; below 0: 1 */
    bool no_environment;      /* neither TF_CONFIG nor Slurm count */
    bool may_be_outside;      /* the own task need not be in the cluster, as an evaluator is not */
} weir_task_flags;

/* A zeroed struct but for what is not said. */
#define WEIR_NO_TASK_FLAGS .task_index = -1, .ps = -1
void weir_task_flags_fini(weir_task_flags *flags);

/* Whether a flag is one of job_name, task_index, JOB_hosts, cluster and ps. */
bool weir_is_task_flag(weir_str name);
/* Takes such a flag. INVALID_ARGUMENT when the value is none. */
WEIR_CHECKED weir_status weir_task_flags_take(weir_task_flags *flags, weir_str name,
                                              const char *value);
/* Whether something names a cluster or a task. */
bool weir_task_flags_given(const weir_task_flags *flags);

typedef enum weir_task_source {
    WEIR_TASK_ALONE, /* nothing names a cluster */
    WEIR_TASK_TF_CONFIG,
    WEIR_TASK_SLURM,
} weir_task_source;
/* What the environment has. */
weir_task_source weir_task_environment(void);

/* The cluster, with the own task named and found in it; no tasks: the process is alone. |out|
 * starts zeroed and is the caller's to fini, on failure too. */
WEIR_CHECKED weir_status weir_identity_find(const weir_task_flags *flags, weir_cluster_config *out);

/* Starts the own task's server. */
WEIR_CHECKED weir_status weir_identity_serve(const weir_cluster_config *config,
                                             weir_server **out_server);

#endif
