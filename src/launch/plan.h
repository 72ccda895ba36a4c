/* launch/plan.h - from the command line to a job: its tasks and their hosts. */
#ifndef WEIR_LAUNCH_PLAN_H
#define WEIR_LAUNCH_PLAN_H

#include "launch/program.h"

typedef struct run_options {
    long ps, workers; /* -1: not given */
    long restarts;
    long start_timeout;                      /* seconds for every server to be ready; 0: no limit */
    const char *jobs, *layout, *hosts, *ssh; /* null: not given */
    const char *env;                         /* "NAME,NAME=VALUE": for programs on remote hosts */
    const char *logs;                        /* folder for a log of each task; null: none */
    bool push, no_ps_program, dry_run;
    run_program program;
} run_options;

/* A task and its host. */
typedef struct run_place {
    char *job;
    int index;
    char *host; /* ssh's argument; null: this machine */
} run_place;
typedef WEIR_VEC(run_place) run_places;

/* The tasks of the options, distributed over the hosts. */
WEIR_CHECKED weir_status run_plan(const run_options *options, run_places *out);
void run_places_fini(run_places *places);

/* Runs the program as the task of TF_CONFIG or Slurm, or as a whole cluster here or on hosts.
 * Returns the exit status. */
int run_command(const run_options *options);
int run_slurm(const run_options *options); /* one task of a Slurm step */
int run_agent(void);                       /* one task for a launcher on another machine */

#endif
