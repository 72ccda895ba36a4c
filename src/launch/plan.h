/* launch/plan.h - from the command line to a job: which tasks there are, where, and how many. */
#ifndef WEIR_LAUNCH_PLAN_H
#define WEIR_LAUNCH_PLAN_H

#include "launch/program.h"

typedef struct run_options {
    long ps, workers; /* -1: not said */
    long restarts;
    long start_timeout;                      /* seconds for every server to be ready; 0: no limit */
    const char *jobs, *layout, *hosts, *ssh; /* null: not said */
    const char *env;                         /* "NAME,NAME=VALUE": for programs on other hosts */
    const char *logs;                        /* folder for a log of each task; null: none */
    bool push, no_ps_program, dry_run;
    run_program program;
} run_options;

/* A task and where it runs. */
typedef struct run_place {
    char *job;
    int index;
    char *host; /* ssh's argument; null: this machine */
} run_place;
typedef WEIR_VEC(run_place) run_places;

/* The tasks that the options ask for, dealt out to the hosts. */
WEIR_CHECKED weir_status run_plan(const run_options *options, run_places *out);
void run_places_fini(run_places *places);

/* Runs the program in the way that fits: as the task that TF_CONFIG or Slurm names, or as a whole
 * cluster here or on hosts. Returns the exit status. */
int run_command(const run_options *options);
int run_slurm(const run_options *options); /* one task of a Slurm step */
int run_agent(void);                       /* one task for a launcher on another machine */

#endif
