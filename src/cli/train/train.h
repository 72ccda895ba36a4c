/* cli/train/train.h - weir train: its options and its parts.
 *
 * One process is one task: alone, or a worker or parameter server of a cluster (work.c). A cluster
 * on this machine is one process more, which starts the tasks and shows what they tell (local.c,
 * show.c).
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

/* The command line. Numbers that were not given are -1, texts null, unless a default is said. */
typedef struct train_options {
    const char *model; /* the word */
    bool check_numerics;
    const char *op_library; /* "a.so:b.so"; null: none */
    const char *data;       /* a folder or file; "synthetic" */
    long epochs, steps, batch;
    double rate; /* 0: not given */
    const char *optimizer;
    int schedule; /* train_schedule */
    bool augment;
    long seed;                 /* 0: the model's own */
    long bytes, size, classes; /* of models that come in sizes; 0: their own */
    long ps, workers;
    int mode;    /* train_mode */
    int wire;    /* the floats between tasks, of TRAIN_WIRE */
    long backup; /* workers that are not waited for */
    long restarts;
    const char *straggle; /* "1:50": worker 1 waits 50 ms before each step */
    const char *dir;      /* of checkpoints and event files; null: none */
    long save_steps;
    double save_seconds; /* 0: not given */
    long keep;
    bool resume, summary;
    const char *eval;       /* "epoch", "end", "never", or a number of steps */
    const char *export_dir; /* null: no SavedModel */
    const char *device;     /* null: as WEIR_DEVICES says */
    int precision;          /* an index into WEIR_PRECISIONS */
    long start_timeout;     /* seconds to wait for the tasks; 0: no limit */
    long threads;           /* 0: what the machine has */
    long log_steps;         /* 0: by time */
    int output;             /* train_output */
    bool part;              /* a task of a cluster that another weir train runs */
    weir_task_flags task;   /* which task of a given cluster this is */
    weir_status wrong_flag; /* what was wrong with one of them */
} train_options;

/* How often to test. */
typedef enum train_eval_kind {
    TRAIN_EVAL_STEPS,
    TRAIN_EVAL_EPOCH,
    TRAIN_EVAL_END,
    TRAIN_EVAL_NEVER
} train_eval_kind;

/* What is done, once the model is known; see plan.c. */
typedef struct train_plan {
    const weir_model *model;
    weir_model_options build;
    weir_model_input input;
    weir_optimizer optimizer;
    const char *optimizer_name;
    train_schedule schedule;
    const char *data;
    int batch;
    int gradients; /* batches that make one global step */
    train_eval_kind eval;
    int64_t eval_steps;
    int straggler, straggle_ms; /* -1: none */
    /* Once the data is open: */
    int64_t examples;   /* to learn from; -1: not known */
    int64_t last_step;  /* of the global step */
    double epoch_steps; /* global steps in an epoch; 0: not known */
} train_plan;

/* Reads the options; complains and gives WEIR_EXIT_USAGE or WEIR_EXIT_FAILED when they do not fit.
 * |workers| is how many there are. */
int train_plan_make(const train_options *options, int workers, train_plan *out_plan);
/* Decides how long to train, from |examples| of the data. */
void train_plan_length(const train_options *options, int64_t examples, train_plan *plan);
/* Makes the optimiser's rate a node of the trainer's graph, where it changes. */
void train_plan_schedule(train_plan *plan, weir_trainer *trainer);
/* "batch 100, Adam at 0.001, 10 epochs" */
void train_plan_about(const train_plan *plan, weir_buf *out);
/* The batches in one global step with so many workers. */
int train_gradients(const train_options *options, int workers);

/* Receives the events. */
typedef struct train_listener {
    void (*tell)(void *arg, const train_event *event);
    void *arg;
} train_listener;

/* One task: alone when |job| is null or of no cluster. Returns the exit status. */
int train_work(const train_options *options, weir_job *job, const train_listener *listener);

/* Takes the folder of a training for this process: *out_lock is a descriptor that holds it until it
 * is closed. FAILED_PRECONDITION that names who has it. */
WEIR_CHECKED weir_status train_lock(const char *dir, int *out_lock);

/* From here on SIGUSR1 prints what steps wait for and SIGUSR2 traces the next ten. Before any other
 * thread starts. */
void train_answer_signals(void);

/* A cluster of processes on this machine. */
int train_local(const train_options *options, const train_listener *listener);

/* The words that make |o| again: "--steps", "100"...; the caller's, by train_words_fini. */
typedef WEIR_VEC(char *) train_words;
void train_words_make(const train_options *options, train_words *out);
void train_words_fini(train_words *words);

#endif
