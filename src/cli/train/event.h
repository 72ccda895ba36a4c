/* cli/train/event.h - progress events of a training, one JSON object a line from each task.
 *
 * Tasks of a cluster tell the process that started them by the same lines that -o json prints, so
 * there is one table of fields, which writes them and reads them back.
 */
#ifndef WEIR_CLI_TRAIN_EVENT_H
#define WEIR_CLI_TRAIN_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

typedef enum train_event_kind {
    TRAIN_START, /* the variables are ready, the first step comes */
    TRAIN_STEP,  /* some steps were made */
    TRAIN_TEST,  /* the model was judged on data that it does not learn from */
    TRAIN_SAVED, /* a checkpoint was written */
    TRAIN_NOTE,  /* something the user should know */
    TRAIN_WAIT,  /* a synchronous step has been waiting for the other workers for a while */
    TRAIN_DONE,  /* this worker has ended; its figures */
    TRAIN_END,   /* the whole has ended as it should: the last event */
    TRAIN_ERROR, /* or it failed: the last event, with the cause */
    TRAIN_EVENT_KINDS,
} train_event_kind;

typedef struct train_event {
    train_event_kind kind;
    int64_t worker;    /* the sender; the chief is 0 */
    int64_t pid;       /* its process */
    int64_t step;      /* the global step, which all workers count */
    int64_t last_step; /* at which training ends; 0: it does not */
    double epoch;      /* how often the data was seen, by all workers together; 0: not known */
    double seconds;    /* since the start, without tests */
    double loss;       /* mean since the last event; DONE: of the last steps; TEST: of the test */
    double examples_per_s; /* of this worker, lately; DONE: over all */
    int64_t steps;         /* made by this worker */
    int64_t examples;      /* seen by this worker; TEST: judged */
    double accuracy;       /* of the test, 0 to 1; below 0: the model has none */
    double waited;         /* WAIT: seconds since the step began */
    double first_loss;     /* of this worker's first step */
    bool interrupted;      /* ended by a signal */
    int64_t status;        /* END, ERROR: the exit status */
    char checkpoint[1024]; /* ERROR: the last one that is whole; "" when there is none */
    char text[1024];       /* START: what is trained on what; SAVED: the path; NOTE: a sentence;
                              ERROR: the cause */
} train_event;

/* Appends {"event": "step", ...} and a newline. */
void train_event_write(const train_event *event, weir_buf *out);
/* The same as a row of a CSV file, whose columns the header names; what an event does not have is
 * empty. */
void train_event_write_csv(const train_event *event, weir_buf *out);
void train_event_csv_header(weir_buf *out);
/* Reads such a line; false when it is none. */
bool train_event_read(weir_str line, train_event *out_event);

/* In quotes, escaped. */
void train_json_text(weir_buf *out, const char *text);
/* A number, or null when it is none. */
void train_json_number(weir_buf *out, double value);

#endif
