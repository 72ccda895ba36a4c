/* dist/cluster_config.h - a task's configuration of its cluster, from any source.
 *
 * A configuration collects tasks and addresses from flags, TF_CONFIG, a ServerDef or Slurm's
 * variables; it opens no connections. weir_cluster_config_build creates the server's weir_cluster.
 * Start from a zeroed struct; one thread at a time. Every parser reports the error and its position
 * as INVALID_ARGUMENT, and may then have added some tasks.
 */
#ifndef WEIR_DIST_CLUSTER_CONFIG_H
#define WEIR_DIST_CLUSTER_CONFIG_H

#include "base/env.h"
#include "base/mem.h"
#include "base/str.h"
#include "dist/cluster.h"

enum { WEIR_MAX_TASKS = 10000 }; /* of one cluster; more must be an error in its description */

typedef struct weir_config_task {
    char *job;
    int index;
    char *address; /* "host:port" */
} weir_config_task;

typedef struct weir_cluster_config {
    WEIR_VEC(weir_config_task) tasks;
    char *job;               /* the own task's; null: not given */
    int index;               /* the own task's */
    int port;                /* a ServerDef's own port; 0: the address's */
    weir_buf session_config; /* bytes of a ServerDef's default ConfigProto */
} weir_cluster_config;

void weir_cluster_config_fini(weir_cluster_config *config); /* takes a zeroed one */

WEIR_CHECKED weir_status weir_cluster_config_add(weir_cluster_config *config, weir_str job,
                                                 int64_t index, weir_str address);
/* "a:1,b:2": the tasks 0, 1... of |job|. */
WEIR_CHECKED weir_status weir_cluster_config_hosts(weir_cluster_config *config, weir_str job,
                                                   weir_str hosts);
/* "ps=a:1,b:2;worker=c:3" */
WEIR_CHECKED weir_status weir_cluster_config_spec(weir_cluster_config *config, weir_str spec);
/* TF_CONFIG's form, {"cluster": {...}, "task": {"type": ..., "index": ...}}, or a bare cluster:
 * {"job": ["host:port", ...], "job": {"0": "host:port", ...}}. */
WEIR_CHECKED weir_status weir_cluster_config_json(weir_cluster_config *config, weir_str json);
/* A ServerDef message, as bytes or in text format. */
WEIR_CHECKED weir_status weir_cluster_config_server_def(weir_cluster_config *config, weir_str def);
/* The tasks of a Slurm step, by rank: first |ps| of job "ps", then of job "worker". One address
 * per task: its node, and the step's reserved port or one derived from the job's and step's ids. */
WEIR_CHECKED weir_status weir_cluster_config_slurm(weir_cluster_config *config,
                                                   const weir_slurm *slurm, int ps);

/* Whether the variables are those of a step started by srun. */
bool weir_slurm_is_step(const weir_slurm *slurm);
/* A port that the job's tasks derive without communication: number |count| after the first. */
int weir_slurm_port(const weir_slurm *slurm, int count);

const weir_config_task *weir_cluster_config_find(const weir_cluster_config *config, const char *job,
                                                 int index);
/* Appends "ps=a:1,b:2;worker=c:3", the syntax of weir_cluster_config_spec; a job with gaps in its
 * indices is written as "worker=0@c:3,7@d:4". */
void weir_cluster_config_print(const weir_cluster_config *config, weir_buf *out);
/* A sealed cluster, with the own task if the configuration has one. */
WEIR_CHECKED weir_status weir_cluster_config_build(const weir_cluster_config *config,
                                                   weir_cluster **out_cluster);

#endif
