/* cli/train/event.h - progress events of a training, as JSON lines.
 *
 * Tasks of a cluster report to the process that started them by the same lines that -o json prints,
 * so one table of fields serves for writing and parsing.
 */
#ifndef WEIR_CLI_TRAIN_EVENT_H
#define WEIR_CLI_TRAIN_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

typedef enum train_event_kind {
    TRAIN_START,     /* variables are ready, steps begin */
    TRAIN_STEP,      /* some steps were completed */
    TRAIN_TEST,      /* the model was evaluated on test data */
    TRAIN_SAVED,     /* a checkpoint was written */
    TRAIN_NOTE,      /* a message for the user */
    TRAIN_WAIT,      /* a synchronous step has been waiting for the other workers for a while */
    TRAIN_DONE,      /* this worker has finished; its totals */
    TRAIN_PERMANENT, /* of a task to its launcher: its failure would recur after a restart */
    TRAIN_END,       /* the training succeeded: the last event */
    TRAIN_ERROR,     /* or it failed: the last event, with the cause */
    TRAIN_EVENT_KINDS,
} train_event_kind;

typedef struct train_event {
    train_event_kind kind;
    int64_t worker;    /* the sender; the chief is 0 */
    int64_t pid;       /* its process */
    int64_t step;      /* the global step, shared by all workers */
    int64_t last_step; /* final global step; 0: unlimited */
    double epoch;      /* passes over the data, by all workers together; 0: unknown */
    double seconds;    /* since the start, without tests */
    double loss;       /* mean since the last event; DONE: of the last steps; TEST: of the test */
    double examples_per_s; /* of this worker, recently; DONE: overall */
    int64_t steps;         /* completed by this worker */
    int64_t examples;      /* processed by this worker; TEST: evaluated */
    double accuracy;       /* of the test, 0 to 1; below 0: not available */
    double waited;         /* WAIT: seconds since the step began */
    double first_loss;     /* of this worker's first step */
    bool interrupted;      /* ended by a signal */
    int64_t status;        /* END, ERROR: the exit status */
    char checkpoint[1024]; /* ERROR: the last complete one; "" if there is none */
    char text[1024];       /* START: what is trained on what; SAVED: the path; NOTE: the message;
                              ERROR: the cause */
} train_event;

/* Appends {"event": "step", ...} and a newline. */
void train_event_write(const train_event *event, weir_buf *out);
/* The same as a row of a CSV file with the header's columns; missing fields are
 * empty. */
void train_event_write_csv(const train_event *event, weir_buf *out);
void train_event_csv_header(weir_buf *out);
/* Parses such a line; false on a syntax error. */
bool train_event_read(weir_str line, train_event *out_event);

/* Appends a quoted and escaped string. */
void train_json_text(weir_buf *out, const char *text);
/* Appends a number; NaN and infinities become null. */
void train_json_number(weir_buf *out, double value);

#endif
