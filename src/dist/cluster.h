/* dist/cluster.h - the members of a cluster: jobs, tasks, their addresses, and a channel to each.
 *
 * Read-only once created, reference-counted. cluster_config.h parses its sources (flags, a file,
 * TF_CONFIG, Slurm, a ServerDef or ClusterDef message).
 */
#ifndef WEIR_DIST_CLUSTER_H
#define WEIR_DIST_CLUSTER_H

#include "base/mem.h"
#include "base/ref.h"
#include "base/str.h"
#include "net/channel.h"

typedef struct weir_msg_cluster_def weir_msg_cluster_def;

typedef struct weir_task {
    char name[128]; /* "/job:worker/replica:0/task:1" */
    char *job;
    int index;             /* indices may have gaps */
    char *address;         /* "host:port", "[IPv6 address]:port" or "unix:path" */
    weir_channel *channel; /* opened with the cluster; null for the own task */
} weir_task;

typedef struct weir_cluster {
    weir_ref ref;
    weir_task *tasks; /* by job in the order given, then by index */
    int task_count;
    int own;          /* index into tasks; -1: this process is not a member */
    weir_map by_name; /* task's name -> weir_task, once sealed */
} weir_cluster;

/* Building: add every task, then seal. */
weir_cluster *weir_cluster_create(void);
/* INVALID_ARGUMENT for a malformed job name, a duplicate task, or an address without a port. */
WEIR_CHECKED weir_status weir_cluster_add(weir_cluster *cluster, const char *job, int index,
                                          const char *address);
/* Every task of a ClusterDef. */
WEIR_CHECKED weir_status weir_cluster_add_def(weir_cluster *cluster,
                                              const weir_msg_cluster_def *def);
/* Opens channels to the others. NOT_FOUND when job and index are not a task (job null: no own
 * task). */
WEIR_CHECKED weir_status weir_cluster_seal(weir_cluster *cluster, const char *own_job,
                                           int own_index);
void weir_cluster_release(weir_cluster *cluster); /* takes null */
static inline weir_cluster *weir_cluster_retain(weir_cluster *cluster)
{
    weir_ref_retain(&cluster->ref);
    return cluster;
}

/* The own task; null: none. */
static inline const weir_task *weir_cluster_self(const weir_cluster *cluster)
{
    return cluster->own < 0 ? NULL : &cluster->tasks[cluster->own];
}
/* The task of a full device name or a task name; null: none. */
const weir_task *weir_cluster_find(const weir_cluster *cluster, weir_str device);
/* The ClusterDef; a view of the cluster, with lists in the arena. */
weir_msg_cluster_def weir_cluster_describe(const weir_cluster *cluster, weir_arena *arena);

#endif
