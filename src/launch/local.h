/* launch/local.h - one task on this machine: a weir server, and the program that uses it.
 *
 * A program that waits in tf.train.Server.join() reports so through a socket in the hook's folder
 * and is released by run_local_finish. All events are reported through run_events, from the loop.
 */
#ifndef WEIR_LAUNCH_LOCAL_H
#define WEIR_LAUNCH_LOCAL_H

#include "launch/program.h"
#include "launch/record.h"
#include "proc/loop.h"

/* In the message of a task that is started again: what it printed before is not why it fails. */
#define RUN_STARTED_AGAIN "is started again ("

/* Events of a task, local or remote. */
typedef struct run_events {
    void (*ready)(void *arg);                           /* its server answers */
    void (*line)(void *arg, int stream, weir_str text); /* of output; 1 or 2 */
    void (*joined)(void *arg, bool yes);                /* it waits for the others to end */
    void (*ended)(void *arg, int status);               /* program: exit status, 128 + signal */
    void (*gone)(void *arg);                            /* all its processes have exited */
    void (*account)(void *arg, weir_str line);          /* its server's work; parsed by closing.h */
    void *arg;
} run_events;

typedef struct run_local_options {
    const weir_cluster_config *cluster; /* must outlive the task, like all pointers here */
    const char *job;
    int index;
    const run_program *program;
    bool no_program;    /* the server alone; it counts as joined */
    const char *hook;   /* the folder of hook.h */
    run_record *record; /* of the program; null: none */
    int restarts;       /* maximum restarts of a failed program or server */
} run_local_options;

typedef struct run_local run_local;

run_local *run_local_create(run_loop *loop, const run_local_options *options,
                            const run_events *events);
void run_local_serve(run_local *task);                     /* then ready, or ended */
void run_local_begin(run_local *task);                     /* starts the program */
void run_local_finish(run_local *task);                    /* the others are done: joins return */
void run_local_signal(run_local *task, int signal_number); /* to the program and its children */
void run_local_close(run_local *task);                     /* kills the rest; then gone */
void run_local_destroy(run_local *task);                   /* takes null */

#endif
