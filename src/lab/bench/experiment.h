/* lab/bench/experiment.h - a published experiment, run again.
 *
 * An experiment is a constant in a file of experiments/ and a line in experiments.inc. Its .plan
 * says which trials there are; they are run; its .present puts what came out into the report,
 * beside what was published.
 */
#ifndef WEIR_LAB_BENCH_EXPERIMENT_H
#define WEIR_LAB_BENCH_EXPERIMENT_H

#include "lab/bench/tensorflow.h"
#include "lab/bench/trial.h"
#include "lab/report/report.h"

/* How much of it is run. */
typedef enum experiment_scale { SCALE_TINY, SCALE_QUICK, SCALE_FULL } experiment_scale;

enum { EXPERIMENT_LABEL = 96, EXPERIMENT_PUBLISHED = 8 };

typedef struct experiment_case {
    trial_plan plan;
    char label[EXPERIMENT_LABEL];           /* "async, 2 workers" */
    int group;                              /* which table it belongs to, as the experiment likes */
    double published[EXPERIMENT_PUBLISHED]; /* in the experiment's order; NaN: not known */
    bool timeline;                          /* its samples are plotted */
    bool beside;                            /* TensorFlow runs it too, where it is installed */
    trial result, tensorflow;               /* the second: no steps where it was not run */
    char *why_not;                          /* TensorFlow's failure; null: none */
} experiment_case;

typedef struct experiment_options {
    experiment_scale scale;
    const char *data; /* null: synthetic */
    const char *transports;
    const char *tensorflow; /* an interpreter that has it; null: not beside */
    char tensorflow_version[BENCH_TF_VERSION];
    long steps;         /* instead of the experiment's own; 0: those */
    int format;         /* of what is printed: command/output.h */
    const char *before; /* is printed before it */
    bool printed;       /* set when it was */
    trial_field field;
} experiment_options;

typedef struct experiment experiment;

typedef struct experiment_run {
    const experiment *of;
    experiment_options *options;
    WEIR_VEC(experiment_case) cases;
    weir_report *report;
    int timelines; /* in the report so far */
} experiment_run;

struct experiment {
    const char *name, *title;
    const char *about;   /* what is run, a sentence or two */
    const char *compare; /* what to compare with what was published */
    bool digits;         /* learns from pictures of 28x28 in ten classes where there are some */
    double mbit;         /* of the links between machines; 0: 1000 */
    void (*plan)(experiment_run *run);
    void (*present)(experiment_run *run);
};

#define BENCH_EXPERIMENT(name) extern const experiment experiment_##name;
#include "lab/bench/experiments.inc"
#undef BENCH_EXPERIMENT

/* The one of three that the scale asks for. */
long experiment_pick(const experiment_run *run, long tiny, long quick, long full);
/* Adds a case; its label is made like printf's. Published figures are NaN at first. */
experiment_case *experiment_add(experiment_run *run, const trial_plan *plan, const char *fmt, ...)
    WEIR_PRINTF(3, 4);

/* ---- for .present ---------------------------------------------------------------------------- */

/* Many columns of one kind: "title|unit" each, the last null. */
void experiment_columns(weir_table *table, weir_column_kind kind, const char *const *titles);
/* A cell for each number. */
void experiment_numbers(weir_table *table, const double *values, size_t count);
#define EXPERIMENT_NUMBERS(t, ...)                                                                 \
    experiment_numbers(t, ((const double[]){__VA_ARGS__}),                                         \
                       (sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))
double experiment_mb(double bytes);
/* A case's samples and steps over time: one panel for each kind of thing. */
void experiment_timeline(experiment_run *run, const experiment_case *experiment_case);

int experiment_count(void);
const experiment *experiment_at(int i);
const experiment *experiment_find(const char *name); /* null when there is none */
/* Runs all of it and writes the report to |folder|. */
WEIR_CHECKED weir_status experiment_do(const experiment *experiment, experiment_options *options,
                                       const char *command, const char *folder);

#endif
