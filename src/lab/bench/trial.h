/* lab/bench/trial.h - one measured run of a cluster.
 *
 * Every task is a process. Meanwhile the resource usage of each, and the traffic on the interfaces
 * of each machine, are sampled ten times a second; the steps come from the workers' step logs, with
 * the same clock.
 */
#ifndef WEIR_LAB_BENCH_TRIAL_H
#define WEIR_LAB_BENCH_TRIAL_H

#include "base/mem.h"
#include "lab/bench/machines.h"
#include "lab/sample/step_log.h"
#include "observe/sample.h"

enum { TRIAL_MOST_TASKS = 64, TRIAL_PERIOD_MS = 100 };

typedef struct trial_plan {
    const char *model, *data;
    int ps, workers;    /* ps 0 and workers 1: a single process */
    const char *layout; /* "PS-W-W", "PW-W": placement on machines; null: all on this one */
    bool sync;
    int aggregate; /* for sync: gradients per update; 0: one per worker */
    long batch;    /* per worker; 0: the model's default */
    long size, classes, bytes;
    long cut;   /* bytes above which variables are partitioned, and placed by bytes; 0: none */
    long steps; /* global */
    double rate;
    double straggle_ms; /* delay of the last worker in each step */
    long straggle_every;
    long test;              /* number of test examples at the end; 0: none */
    const char *transports; /* WEIR_TRANSPORTS of the tasks; null: all */
    int threads;            /* WEIR_THREADS of the tasks; 0: one per CPU of the task */
    const char *tensorflow; /* interpreter whose TensorFlow runs the tasks; null: Weir */
} trial_plan;

typedef struct trial_task {
    char name[24]; /* "ps 0", "worker 1" */
    bool is_ps;
    int machine; /* where it ran */
    int source;  /* index in the sampler */
    weir_step_log *log;
} trial_task;

typedef struct trial {
    trial_plan plan;
    int task_count, machine_count;
    trial_task tasks[TRIAL_MOST_TASKS];
    bool simulated; /* the machines are network namespaces */
    bool shared_processors;
    int eth[BENCH_MOST_MACHINES], lo[BENCH_MOST_MACHINES]; /* sources; eth -1: not simulated */
    int host;                                              /* source: the whole machine */
    weir_sampler *sampler;
    int64_t started_ns;       /* of the first process */
    int64_t first_ns, end_ns; /* of the first step and of the last */
    int64_t from_ns, to_ns;   /* of the samples around them */
    /* Results: */
    double seconds; /* from the first step to the last */
    double start_s; /* from the launch of the processes to the first step */
    int64_t steps;  /* completed global steps */
    double steps_per_s, examples_per_s;
    double median_ms, low_ms, high_ms; /* of a worker's step, and its quartiles */
    double first_loss, loss;           /* means over the first and last tenth of the steps */
    double accuracy, test_loss;        /* NaN: no test */
} trial;

/* Environment of trials: determined once per experiment. */
typedef struct trial_field {
    bool plain; /* never simulate machines */
    bench_link link;
    bool refused;  /* simulated machines were requested, but creating them failed */
    char why[256]; /* the reason */
    bool lacked_delay;
    volatile int interrupted; /* by this signal; 0: no */
} trial_field;

/* Runs |plan|; |label| is for the progress bar. The caller ends the trial, also on failure. */
WEIR_CHECKED weir_status trial_run(trial_field *field, const trial_plan *plan, const char *label,
                                   trial *out);
void trial_fini(trial *this_trial); /* accepts a zeroed one */

/* Growth per second (for memory: value) of the tasks on |machine| (-1: all) over the steps. */
weir_summary trial_tasks_use(const trial *trial, int machine, weir_quantity quantity);
/* The same for the parameter servers or the workers. */
weir_summary trial_job_uses(const trial *trial, bool ps, weir_quantity quantity);
/* The same for an interface source. */
weir_summary trial_net(const trial *trial, int source, weir_quantity quantity);
/* Bytes or packets per second between tasks: over the interfaces of all machines, or over loopback
 * if they share one. */
double trial_traffic(const trial *trial, weir_quantity quantity);

#endif
