/* cli/train/train.h - weir train: its options and its parts.
 *
 * One process is one task: on its own, or a worker or parameter server of a cluster (work.c). A
 * cluster on this machine has one more process, which starts the tasks and displays their events
 * (local.c, show.c).
 */
#ifndef WEIR_CLI_TRAIN_TRAIN_H
#define WEIR_CLI_TRAIN_TRAIN_H

#include "base/mem.h"
#include "cli/train/event.h"
#include "command/command.h"
#include "dist/identity.h"
#include "weir/data.h"
#include "weir/models.h"

typedef enum train_mode { TRAIN_ASYNC, TRAIN_SYNC, TRAIN_BACKUP, TRAIN_ALLREDUCE } train_mode;
#define TRAIN_WIRE "float32|bfloat16|float16"
typedef enum train_output { TRAIN_TEXT, TRAIN_JSON, TRAIN_CSV } train_output;
typedef enum train_schedule {
    TRAIN_OWN,
    TRAIN_CONSTANT,
    TRAIN_LINEAR,
    TRAIN_COSINE
} train_schedule;

/* The parsed command line. Unset numbers are -1 and unset strings null, unless noted. */
typedef struct train_options {
    const char *model; /* positional argument */
    bool check_numerics;
    const char *op_library; /* "a.so:b.so"; null: none */
    const char *data;       /* a folder or file; "synthetic" */
    long epochs, steps, batch;
    double rate; /* 0: unset */
    const char *optimizer;
    int schedule; /* train_schedule */
    bool augment;
    long seed;                 /* 0: the model's default */
    long bytes, size, classes; /* of scalable models; 0: their defaults */
    long ps, workers;
    int mode;    /* train_mode */
    int balance; /* weir_balance */
    long cut;    /* bytes above which variables are partitioned; 0: none */
    int wire;    /* float type for transfers between tasks, of TRAIN_WIRE */
    long backup; /* number of backup workers */
    long restarts;
    const char *straggle; /* "1:50": worker 1 sleeps 50 ms before each step */
    const char *dir;      /* of checkpoints and event files; null: none */
    long save_steps;
    double save_seconds; /* 0: unset */
    long keep;
    bool resume, summary;
    const char *eval;       /* "epoch", "end", "never", or a number of steps */
    const char *export_dir; /* null: no SavedModel */
    const char *device;     /* null: as set by WEIR_DEVICES */
    int precision;          /* an index into WEIR_PRECISIONS */
    long start_timeout;     /* seconds to wait for the tasks; 0: no limit */
    long threads;           /* 0: automatic */
    long log_steps;         /* 0: by time */
    int output;             /* train_output */
    bool part;              /* a task started by another weir train */
    weir_task_flags task;   /* identity of this task in a given cluster */
    weir_status wrong_flag; /* error in one of these flags */
} train_options;

/* When to test. */
typedef enum train_eval_kind {
    TRAIN_EVAL_STEPS,
    TRAIN_EVAL_EPOCH,
    TRAIN_EVAL_END,
    TRAIN_EVAL_NEVER
} train_eval_kind;

/* Settings derived from the options and the model; see plan.c. */
typedef struct train_plan {
    const weir_model *model;
    weir_model_options build;
    weir_model_input input;
    weir_optimizer optimizer;
    const char *optimizer_name;
    train_schedule schedule;
    const char *data;
    int batch;
    int gradients; /* batches per global step */
    train_eval_kind eval;
    int64_t eval_steps;
    int straggler, straggle_ms; /* -1: none */
    /* Set once the data is open: */
    int64_t examples;   /* in the training split; -1: unknown */
    int64_t last_step;  /* of the global step */
    double epoch_steps; /* global steps per epoch; 0: unknown */
} train_plan;

/* Derives the plan; prints an error and returns WEIR_EXIT_USAGE or WEIR_EXIT_FAILED if the options
 * conflict. |workers| is the number of workers. */
int train_plan_make(const train_options *options, int workers, train_plan *out_plan);
/* Sets the length of the training, given |examples| of data. */
void train_plan_length(const train_options *options, int64_t examples, train_plan *plan);
/* Replaces the optimiser's rate by a node of the trainer's graph, if there is a schedule. */
void train_plan_schedule(train_plan *plan, weir_trainer *trainer);
/* "batch 100, Adam at 0.001, 10 epochs" */
void train_plan_about(const train_plan *plan, weir_buf *out);
/* The number of batches per global step with |workers| workers. */
int train_gradients(const train_options *options, int workers);

/* Receives the events. */
typedef struct train_listener {
    void (*tell)(void *arg, const train_event *event);
    void *arg;
} train_listener;

/* Runs one task: on its own when |job| is null or of no cluster. Returns the exit status. */
int train_work(const train_options *options, weir_job *job, const train_listener *listener);

/* Locks the folder of a training for this process: *out_lock is a descriptor that holds the lock
 * until it is closed. FAILED_PRECONDITION names the owner. */
WEIR_CHECKED weir_status train_lock(const char *dir, int *out_lock);

/* Installs handlers: SIGUSR1 prints waits of steps, SIGUSR2 traces the next ten. Call before
 * starting any thread. */
void train_answer_signals(void);

/* Runs a cluster of processes on this machine. */
int train_local(const train_options *options, const train_listener *listener);

/* Arguments equivalent to |o|: "--steps", "100"...; freed by train_words_fini. */
typedef WEIR_VEC(char *) train_words;
void train_words_make(const train_options *options, train_words *out);
void train_words_fini(train_words *words);

#endif
