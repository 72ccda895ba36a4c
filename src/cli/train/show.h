/* cli/train/show.h - what the user sees of a training: a bar, lines, or JSON; and its sum. */
#ifndef WEIR_CLI_TRAIN_SHOW_H
#define WEIR_CLI_TRAIN_SHOW_H

#include "cli/train/event.h"
#include "cli/train/train.h"

/* The figures of one worker. */
typedef struct train_worker {
    train_event latest; /* its last STEP */
    train_event done;   /* its DONE; kind is TRAIN_DONE once it came */
    bool started, ended;
    bool waits; /* in a step, for the others */
} train_worker;

typedef struct train_show train_show;

typedef struct train_show_options {
    train_output output;
    int ps, workers;
    const char *title; /* of the bar */
    const char *name;  /* of this task, before each line; null: none */
    bool quiet;        /* no words but the bar, on a terminal */
} train_show_options;

train_show *train_show_create(const train_show_options *options);
/* A train_listener's tell. */
void train_show_event(void *show, const train_event *event);
/* A line that has nothing to do with events, above the bar. */
void train_show_line(train_show *show, const char *line);
/* Ends the bar and says how it all ended, by |status|, the exit status: the sum over the workers,
 * or the cause of a failure (weir_cli_failure). */
void train_show_end(train_show *show, int status);
/* Whether a training of this process has said how it ended. */
bool train_show_ended(void);
/* Ends the bar and says nothing. */
void train_show_drop(train_show *show);
void train_show_destroy(train_show *show);

/* Adds "0.42 ms", "420 ms", "12.3 s", "2:05", "1:02:03". */
void train_show_time(weir_buf *out, double seconds);

/* How it goes right now: the mean loss, the sum of the rates. */
void train_show_now(const train_show *show, double *out_loss, double *out_examples_per_s);

/* The sum over the workers. */
typedef struct train_sum {
    int64_t steps;    /* the global step at the end */
    int64_t examples; /* of all workers */
    double seconds, examples_per_s;
    double first_loss, loss;
    double accuracy; /* of the last test; below 0: none */
    int64_t tested;  /* examples */
    bool interrupted;
    const char *checkpoint; /* "" when there is none */
    int workers;
} train_sum;
void train_show_sum(const train_show *show, train_sum *out);

#endif
