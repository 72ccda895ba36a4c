/* lab/bench/experiment.h - reproduction of a published experiment.
 *
 * An experiment is a constant in a file of experiments/ and a line in experiments.inc. Its .plan
 * defines the trials; these are run; its .present adds the results to the report, beside the
 * published figures.
 */
#ifndef WEIR_LAB_BENCH_EXPERIMENT_H
#define WEIR_LAB_BENCH_EXPERIMENT_H

#include "lab/bench/tensorflow.h"
#include "lab/bench/trial.h"
#include "lab/report/report.h"

/* The scale of a run. */
typedef enum experiment_scale { SCALE_TINY, SCALE_QUICK, SCALE_FULL } experiment_scale;

enum { EXPERIMENT_LABEL = 96, EXPERIMENT_PUBLISHED = 8 };

typedef struct experiment_case {
    trial_plan plan;
    char label[EXPERIMENT_LABEL];           /* "async, 2 workers" */
    int group;                              /* table index, defined by the experiment */
    double published[EXPERIMENT_PUBLISHED]; /* in the experiment's order; NaN: unknown */
    bool timeline;                          /* plot its samples */
    bool beside;                            /* also run it on TensorFlow, if installed */
    trial result, tensorflow;               /* the second: no steps if it was not run */
    char *why_not;                          /* why TensorFlow failed; null: it did not */
} experiment_case;

typedef struct experiment_options {
    experiment_scale scale;
    const char *data; /* null: synthetic */
    const char *transports;
    const char *tensorflow; /* a Python interpreter with TensorFlow; null: none */
    char tensorflow_version[BENCH_TF_VERSION];
    long steps;         /* overrides the experiment's; 0: no */
    int format;         /* output format: command/output.h */
    const char *before; /* printed before the report */
    bool printed;       /* set once it was printed */
    trial_field field;
} experiment_options;

typedef struct experiment experiment;

typedef struct experiment_run {
    const experiment *of;
    experiment_options *options;
    WEIR_VEC(experiment_case) cases;
    weir_report *report;
    int timelines; /* number in the report so far */
} experiment_run;

struct experiment {
    const char *name, *title;
    const char *about;   /* a short description */
    const char *compare; /* what to compare with the published figures */
    bool digits;         /* uses a dataset of 28x28 images in ten classes if available */
    double mbit;         /* bandwidth between machines; 0: 1000 */
    void (*plan)(experiment_run *run);
    void (*present)(experiment_run *run);
};

#define BENCH_EXPERIMENT(name) extern const experiment experiment_##name;
#include "lab/bench/experiments.inc"
#undef BENCH_EXPERIMENT

/* The argument that the scale selects. */
long experiment_pick(const experiment_run *run, long tiny, long quick, long full);
/* Adds a case; its label is formatted by printf's rules. Published figures start as NaN. */
experiment_case *experiment_add(experiment_run *run, const trial_plan *plan, const char *fmt, ...)
    WEIR_PRINTF(3, 4);

/* ---- for .present ---------------------------------------------------------------------------- */

/* Adds columns of one kind: "title|unit" each, null-terminated. */
void experiment_columns(weir_table *table, weir_column_kind kind, const char *const *titles);
/* Adds a cell per number. */
void experiment_numbers(weir_table *table, const double *values, size_t count);
#define EXPERIMENT_NUMBERS(t, ...)                                                                 \
    experiment_numbers(t, ((const double[]){__VA_ARGS__}),                                         \
                       (sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))
double experiment_mb(double bytes);
/* A case's samples and steps over time: one panel per quantity. */
void experiment_timeline(experiment_run *run, const experiment_case *experiment_case);

int experiment_count(void);
const experiment *experiment_at(int i);
const experiment *experiment_find(const char *name); /* null if there is none */
/* Runs the experiment and writes the report to |folder|. */
WEIR_CHECKED weir_status experiment_do(const experiment *experiment, experiment_options *options,
                                       const char *command, const char *folder);

#endif
