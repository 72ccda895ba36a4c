/* launch/environment.h - the environment variables of a task's program. */
#ifndef WEIR_LAUNCH_ENVIRONMENT_H
#define WEIR_LAUNCH_ENVIRONMENT_H

#include <sys/types.h>

#include "dist/cluster_config.h"

typedef struct run_task_environment {
    const weir_cluster_config *cluster;
    const char *job;
    int index;
    const char *hook;    /* the folder of hook.h */
    const char *control; /* the socket that reports joins */
    const char *target;  /* of its server; null: none */
    pid_t server;        /* 0: none */
    bool tf1;            /* imports tensorflow.compat.v1 as tensorflow */
} run_task_environment;

/* Sets them in this process, which then executes the program. Adds the cluster's hosts to those
 * that bypass the proxy. */
void run_environment_set(const run_task_environment *task);

#endif
