/* cli/train/show.h - displays a training: a bar, lines, or JSON; and a summary. */
#ifndef WEIR_CLI_TRAIN_SHOW_H
#define WEIR_CLI_TRAIN_SHOW_H

#include "cli/train/event.h"
#include "cli/train/train.h"

/* The state of one worker. */
typedef struct train_worker {
    train_event latest; /* its last STEP event */
    train_event done;   /* its DONE event; kind is TRAIN_DONE once received */
    bool started, ended;
    bool waits; /* in a step, for other workers */
} train_worker;

typedef struct train_show train_show;

typedef struct train_show_options {
    train_output output;
    int ps, workers;
    const char *title; /* of the bar */
    const char *name;  /* prefix of each line: this task's name; null: none */
    bool quiet;        /* show nothing but the bar, on a terminal */
} train_show_options;

train_show *train_show_create(const train_show_options *options);
/* Callback of a train_listener. */
void train_show_event(void *show, const train_event *event);
/* Prints a line unrelated to events, above the bar. */
void train_show_line(train_show *show, const char *line);
/* Removes the bar and prints the outcome, by the exit status |status|: the summary over the
 * workers, or the cause of a failure (weir_cli_failure). */
void train_show_end(train_show *show, int status);
/* Whether an outcome has been printed in this process. */
bool train_show_ended(void);
/* Removes the bar without printing an outcome. */
void train_show_drop(train_show *show);
void train_show_destroy(train_show *show);

/* Appends "0.42 ms", "420 ms", "12.3 s", "2:05", "1:02:03". */
void train_show_time(weir_buf *out, double seconds);

/* Current progress: the mean loss, the sum of the rates. */
void train_show_now(const train_show *show, double *out_loss, double *out_examples_per_s);

/* Summary over the workers. */
typedef struct train_sum {
    int64_t steps;    /* the final global step */
    int64_t examples; /* of all workers */
    double seconds, examples_per_s;
    double first_loss, loss;
    double accuracy; /* of the last test; below 0: none */
    int64_t tested;  /* examples */
    bool interrupted;
    const char *checkpoint; /* "" if there is none */
    int workers;
} train_sum;
void train_show_sum(const train_show *show, train_sum *out);

#endif
