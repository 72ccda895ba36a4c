/* cli/train/work_impl.h - one task's training, shared by the files of this folder. */
#ifndef WEIR_CLI_TRAIN_WORK_IMPL_H
#define WEIR_CLI_TRAIN_WORK_IMPL_H

#include "base/mutex.h"
#include "cli/train/train.h"
#include "weir/events.h"

enum { LAST_LOSSES = 20 };

/* A step that may block on other workers; a timer thread reports a long wait. */
typedef struct step_wait {
    weir_mutex lock;
    bool in_step WEIR_GUARDED_BY(lock);
    int64_t token WEIR_GUARDED_BY(lock); /* of the timer */
    int64_t step, began_ns;              /* constant while a timer is set */
} step_wait;

typedef struct work {
    const train_options *o;
    const train_listener *listener;
    train_plan plan;
    weir_job *job; /* null: single process */
    bool chief;
    bool tests; /* this task evaluates the model */
    int worker, workers;
    weir_data *data;
    weir_trainer *t;
    weir_model_graph graph;      /* to train with */
    weir_model_graph test_graph; /* shares the variables; no dropout, any batch size */
    weir_event_writer *events;   /* the chief's, with --dir; null otherwise */
    TF_Status *status;
    step_wait wait;
    int sessions; /* created so far: more than one after a recovery */
    /* Figures: */
    int64_t steps, examples;
    double first_loss, last_losses[LAST_LOSSES];
    int64_t started_ns, ended_ns; /* of the steps; 0: not yet */
    int64_t paused_ns;            /* part of that time not spent training */
    int64_t told_ns, told_examples;
    double told_loss; /* sum of the losses since the last reported event */
    int64_t told_steps;
    int64_t tested_step; /* the global step of the last test; -1: none */
    int64_t next_test;   /* the global step of the next; 0: only at the end */
} work;

/* Reports an event of |kind|; fills in the other fields. */
void work_tell(work *work, train_event *event);
void work_note(work *work, const char *fmt, ...) WEIR_PRINTF(2, 3);
double work_seconds(const work *work); /* of training so far */
/* Reports a failed status as the task's error. Returns WEIR_EXIT_FAILED. */
int work_fail(work *work, const char *what, const char *cure);

/* Called before and after each step: reports a long step, which may wait for other tasks. */
void work_wait_begin(work *work);
void work_wait_end(work *work);

/* Evaluates the model on the test split and reports it; no-op if there is none. */
int work_test(work *work);
/* Opens that split and reads a batch before the first step, so that a missing split is detected
 * early. */
int work_test_check(work *work);

/* Writes files for TensorBoard, with --dir, on the chief. */
int work_events_open(work *work);
void work_events_step(work *work, const train_event *event);
void work_events_test(work *work, const train_event *event);
void work_events_close(work *work);

/* Writes a SavedModel of the trained model to --export. */
int work_export(work *work);

/* Handles SIGINT, SIGTERM, SIGHUP: the first is recorded, a second terminates the process. With
 * |patience_s| the process is terminated that long after the first. */
void work_catch_signals(int patience_s);
int work_signal(void);          /* 0: none received */
double work_signal_age_s(void); /* since the first */
/* Until then a signal terminates the process, after completing the output. */
void work_end_on_signals(train_output output);
void work_handle_signals(void (*handler)(int number));

#endif
