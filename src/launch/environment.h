/* launch/environment.h - the variables that a task's program finds. */
#ifndef WEIR_LAUNCH_ENVIRONMENT_H
#define WEIR_LAUNCH_ENVIRONMENT_H

#include <sys/types.h>

#include "dist/cluster_config.h"

typedef struct run_task_environment {
    const weir_cluster_config *cluster;
    const char *job;
    int index;
    const char *hook;    /* the folder of hook.h */
    const char *control; /* the socket that joins come to */
    const char *target;  /* of its server; null: it has none */
    pid_t server;        /* 0: it has none */
    bool tf1;            /* tensorflow.compat.v1 is imported as tensorflow */
} run_task_environment;

/* Sets them in this process, which then becomes the program. The cluster's hosts are added to those
 * that are reached without a proxy. */
void run_environment_set(const run_task_environment *task);

#endif
