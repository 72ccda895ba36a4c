/* weir/train.h - training over a cluster, from C.
 *
 * Every process is a task: a parameter server ("ps"), which stores variables, or a worker, which
 * computes. Worker 0 (or the only task of job "chief") is the chief: it initialises or restores the
 * variables and writes checkpoints. A worker's program:
 *
 *   weir_job *job = weir_job_from_args(&argc, argv, status);
 *   weir_job_start(job, status);
 *   if (weir_job_is_ps(job))
 *       return weir_job_serve(job, status), TF_GetCode(status);
 *   weir_trainer *t = weir_trainer_new(&(weir_trainer_options){.job = job, .last_step = 1000});
 *   weir_builder *b = weir_trainer_builder(t);
 *   ... placeholders; weir_trainer_variable(t, ...); a loss ...
 *   weir_trainer_minimize(t, loss, &(weir_optimizer){WEIR_GRADIENT_DESCENT, .rate = 0.01f});
 *   weir_trainer_start(t, status);
 *   while (weir_trainer_step(t, &feeds_and_fetches, status))
 *       ;
 *   weir_trainer_stop(t, status);
 *
 * The graphs are those of TensorFlow's replica_device_setter, SyncReplicasOptimizer and Saver, with
 * the same names and the same shared state, so that workers of both systems can train one model
 * together and read each other's checkpoints.
 */
#ifndef WEIR_TRAIN_H
#define WEIR_TRAIN_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a process's place in a cluster ---------------------------------------------------------- */

typedef struct weir_job weir_job;

/* From the flags of `weir server` (--job_name, --task_index, --ps_hosts, --worker_hosts,
 * --cluster), which are removed from argv, or else from TF_CONFIG, or else from the environment of
 * a Slurm step, whose first --ps tasks (1) are parameter servers. Without any: a single process.
 * Null on failure. */
TF_CAPI_EXPORT extern weir_job *weir_job_from_args(int *argc, char **argv, TF_Status *status);
TF_CAPI_EXPORT extern void weir_job_delete(weir_job *j); /* stops its server; takes null */
TF_CAPI_EXPORT extern const char *weir_job_name(const weir_job *j); /* "worker"; "" without one */
/* This task's number in its job, from 0. */
TF_CAPI_EXPORT extern int weir_job_index(const weir_job *j);
/* Number of tasks of a job: "ps", "worker". */
TF_CAPI_EXPORT extern int weir_job_count(const weir_job *j, const char *job);
/* Whether this task is a parameter server. */
TF_CAPI_EXPORT extern bool weir_job_is_ps(const weir_job *j);
/* Whether this task is the chief: it initialises, restores and saves. */
TF_CAPI_EXPORT extern bool weir_job_is_chief(const weir_job *j);
/* This worker's index; the chief is 0. */
TF_CAPI_EXPORT extern int weir_job_worker(const weir_job *j);
/* The number of workers, including the chief. */
TF_CAPI_EXPORT extern int weir_job_workers(const weir_job *j);
/* Starts this task's server, unless `weir run` provides one. No-op for a single
 * process. */
TF_CAPI_EXPORT extern void weir_job_start(weir_job *j, TF_Status *status);
/* Uses a running server of another process instead: "grpc://host:port". */
TF_CAPI_EXPORT extern void weir_job_set_target(weir_job *j, const char *target);
/* "grpc://host:port" of this task's server; "" if there is none or it is not started. */
TF_CAPI_EXPORT extern const char *weir_job_target(const weir_job *j);
/* For a parameter server: returns when every worker's trainer has stopped. */
TF_CAPI_EXPORT extern void weir_job_serve(weir_job *j, TF_Status *status);

/* ---- how to train ---------------------------------------------------------------------------- */

typedef enum weir_update {
    WEIR_ASYNC,     /* every worker's gradients are applied when they arrive */
    WEIR_SYNC,      /* the mean of several workers' gradients is applied in lockstep */
    WEIR_ALLREDUCE, /* the same without parameter servers: every worker has all variables and
                       computes the mean by collective ops. A lost worker ends the training */
} weir_update;

typedef enum weir_balance {
    WEIR_ROUND_ROBIN, /* variables are assigned to the parameter servers in turn */
    WEIR_GREEDY,      /* each to the parameter server with the fewest bytes so far */
} weir_balance;

typedef struct weir_trainer weir_trainer;

/* A hook's requests for the next step, in addition to the caller's. */
typedef struct weir_wish {
    const TF_Output *fetches; /* owned by the hook, valid until the step ends */
    int fetch_count;
    bool trace; /* record the time of every op */
} weir_wish;

/* The results of the step. */
typedef struct weir_outcome {
    TF_Tensor *const *fetched; /* in the order of the request; owned by the trainer */
    const TF_Buffer *trace;    /* a serialised RunMetadata; null if no hook requested one */
} weir_outcome;

/* Callbacks; any may be null. They may query the trainer's step and session. Steps with only_look
 * are not reported. */
typedef struct weir_hook {
    void *arg;
    void (*session_made)(void *arg, weir_trainer *t); /* also after each recovery */
    bool (*after_step)(void *arg, weir_trainer *t);   /* returning true requests a stop */
    void (*saved)(void *arg, weir_trainer *t, const char *checkpoint);
    void (*stopping)(void *arg, weir_trainer *t);
    void (*starting)(void *arg, weir_trainer *t); /* nodes may still be added to the graph */
    void (*before_step)(void *arg, weir_trainer *t, weir_wish *wish);
    /* With the requested results; true requests a stop. An error status fails the step. */
    bool (*got)(void *arg, weir_trainer *t, const weir_outcome *outcome, TF_Status *status);
    void (*deleted)(void *arg); /* called when the trainer is deleted */
} weir_hook;

typedef struct weir_trainer_options {
    weir_job *job; /* must outlive the trainer; null: a single process */
    weir_update update;
    int replicas_to_aggregate; /* of WEIR_SYNC: gradients per update. 0: one per worker; with fewer,
                                  the slowest workers are backups */
    weir_balance balance;
    const char *checkpoint_dir; /* null: no checkpoints */
    int64_t save_steps;         /* steps between checkpoints; 0: not by steps */
    double save_seconds;        /* between checkpoints; 0: 600 s, unless save_steps is set */
    int keep;                   /* number of checkpoints to keep; 0: 5 */
    int64_t last_step;          /* training ends at this global step; 0: never */
    double give_up_seconds;     /* time-out for the other tasks to become ready; 0: none */
    const weir_hook *hooks;     /* copied */
    int hook_count;
    int64_t cut_bytes; /* with several parameter servers, a variable of more bytes is partitioned
                          over them, unless it has given values; 0: none */
} weir_trainer_options;

/* Never null: errors are in the builder's status and reported by start. */
TF_CAPI_EXPORT extern weir_trainer *weir_trainer_new(const weir_trainer_options *options);
TF_CAPI_EXPORT extern void weir_trainer_delete(weir_trainer *t); /* takes null */
/* Nodes without state are placed on this worker's device. */
TF_CAPI_EXPORT extern weir_builder *weir_trainer_builder(weir_trainer *t);

/* ---- built-in hooks -------------------------------------------------------------------------- */

/* To be called before start. Steps are global steps; where several workers share the counter, a
 * hook acts after the first of its own steps that passes another multiple of |steps|. */
TF_CAPI_EXPORT extern void weir_trainer_add_hook(weir_trainer *t, const weir_hook *hook);
/* Ends the training after that many steps of this worker or that time; 0: no limit. */
TF_CAPI_EXPORT extern void weir_trainer_stop_after(weir_trainer *t, int64_t steps, double seconds);
/* Prints "step 100: loss = 0.25 (400 steps/s)" to standard error. */
TF_CAPI_EXPORT extern void weir_trainer_log_every(weir_trainer *t, int64_t steps,
                                                  const char *const *names, const TF_Output *values,
                                                  int count);
/* Fails a step whose loss is NaN; with |stop| ends the training instead. */
TF_CAPI_EXPORT extern void weir_trainer_guard_nan(weir_trainer *t, TF_Output loss, bool stop);

/* Summaries of the graph, for TensorBoard: scalar, histogram, images. */
TF_CAPI_EXPORT extern void weir_trainer_scalar(weir_trainer *t, const char *tag, TF_Output value);
/* Adds a histogram of |values| to the summaries, under a tag; copied. */
TF_CAPI_EXPORT extern void weir_trainer_histogram(weir_trainer *t, const char *tag,
                                                  TF_Output values);
/* |images|: [batch, height, width, 1, 3 or 4 channels]; at most |most| per batch are written. */
TF_CAPI_EXPORT extern void weir_trainer_image(weir_trainer *t, const char *tag, TF_Output images,
                                              int most);
/* The output of any other summary op. */
TF_CAPI_EXPORT extern void weir_trainer_add_summary(weir_trainer *t, TF_Output summary);
/* The chief writes all summaries to an event file in |dir|, with the steps per second, the graph
 * and records of checkpoints. */
TF_CAPI_EXPORT extern void weir_trainer_write_summaries(weir_trainer *t, const char *dir,
                                                        int64_t steps);
/* The chief traces a step and writes DIR/timeline-STEP.json, for chrome://tracing or
 * Perfetto. */
TF_CAPI_EXPORT extern void weir_trainer_profile(weir_trainer *t, const char *dir, int64_t steps);

/* ---- variables ------------------------------------------------------------------------------- */

typedef enum weir_initial_kind {
    WEIR_ZEROS,
    WEIR_CONSTANT,         /* all elements are a */
    WEIR_NORMAL,           /* mean a, deviation b */
    WEIR_TRUNCATED_NORMAL, /* the same, truncated to two deviations */
    WEIR_UNIFORM,          /* in [a, b) */
    WEIR_VALUES,           /* the given values; not for a partitioned variable */
} weir_initial_kind;

typedef struct weir_initial {
    weir_initial_kind kind;
    double a, b;
    int64_t seed;       /* as in TensorFlow's initialisers: the same numbers; 0: random */
    const void *values; /* of WEIR_VALUES: all elements, of the variable's type */
} weir_initial;

typedef struct weir_variable_options {
    const char *name;
    TF_DataType type; /* 0: TF_FLOAT */
    int rank;
    const int64_t *dims;
    weir_initial initial;
    int partitions;   /* number of partitions along the first axis; 0: the trainer's choice */
    bool not_trained; /* excluded from training */
} weir_variable_options;

/* Adds a variable and returns its value. */
TF_CAPI_EXPORT extern TF_Output weir_trainer_variable(weir_trainer *t,
                                                      const weir_variable_options *options);
/* Gathers rows of a variable, partitioned or not, given by its value: on the device of the variable
 * or partition, so that only those rows, and their gradients, are transferred. */
TF_CAPI_EXPORT extern TF_Output weir_trainer_gather(weir_trainer *t, const char *name,
                                                    TF_Output variable, TF_Output indices);
/* The step counter shared by all workers (int64); created by the first call. */
TF_CAPI_EXPORT extern TF_Output weir_trainer_global_step(weir_trainer *t);

/* ---- optimisers ------------------------------------------------------------------------------ */

/* With their parameters. A parameter of 0 selects the default in brackets; WEIR_ZERO is 0. */
typedef enum weir_optimizer_kind {
    WEIR_GRADIENT_DESCENT,
    WEIR_MOMENTUM, /* momentum; nesterov */
    WEIR_ADAGRAD,  /* initial accumulator (0.1) */
    WEIR_ADAM,     /* rate (0.001), beta1 (0.9), beta2 (0.999), epsilon (1e-8) */
    WEIR_RMSPROP,  /* decay (0.9), momentum, epsilon (1e-10); centered */
    WEIR_ADADELTA, /* rate (0.001), decay (0.95), epsilon (1e-8) */
    WEIR_FTRL,     /* learning-rate power (-0.5), accumulator (0.1), l1, l2, l2_shrinkage */
    WEIR_PROXIMAL_GRADIENT_DESCENT, /* l1, l2 */
    WEIR_PROXIMAL_ADAGRAD,          /* accumulator (0.1), l1, l2 */
} weir_optimizer_kind;

/* "momentum" for WEIR_MOMENTUM; null for an invalid kind. */
TF_CAPI_EXPORT extern const char *weir_optimizer_name(weir_optimizer_kind kind);
/* The kind of a name; false if there is none. */
TF_CAPI_EXPORT extern bool weir_optimizer_find(const char *name, weir_optimizer_kind *out);

typedef enum weir_clip_kind {
    WEIR_CLIP_NONE,
    WEIR_CLIP_BY_VALUE,       /* clamps every element to |low| .. |limit| */
    WEIR_CLIP_BY_NORM,        /* scales each gradient whose norm exceeds |limit| down to it */
    WEIR_CLIP_BY_GLOBAL_NORM, /* scales all gradients by their common norm */
} weir_clip_kind;

typedef struct weir_clip {
    weir_clip_kind kind;
    float limit;
    float low; /* lower bound; 0: -limit */
} weir_clip;

/* Clips each of |gradients| like tf.clip_by_... */
TF_CAPI_EXPORT extern void weir_build_clip(weir_builder *b, const weir_clip *clip,
                                           weir_gradient *gradients, int count);

typedef struct weir_optimizer {
    weir_optimizer_kind kind;
    float rate;
    float momentum, beta1, beta2, epsilon, decay, accumulator;
    bool nesterov;
    bool centered;
    float l1, l2, l2_shrinkage, power;
    TF_Output rate_from; /* a scalar instead of |rate|: a schedule, or a placeholder */
    weir_clip clip;      /* of the gradients, before they are applied or sent */
} weir_optimizer;

/* Adds gradients of |loss| and updates of all trained variables it depends on. Call once. */
TF_CAPI_EXPORT extern void weir_trainer_minimize(weir_trainer *t, TF_Output loss,
                                                 const weir_optimizer *optimizer);

/* The same in two steps, to inspect or change gradients in between. */
typedef struct weir_trained {
    TF_Output variable; /* its value; of a partition, if the variable is partitioned */
    weir_gradient gradient;
} weir_trained;

/* Returns how many trained variables |loss| depends on; at most |most| are written to |out|. */
TF_CAPI_EXPORT extern int weir_trainer_gradients(weir_trainer *t, TF_Output loss, weir_trained *out,
                                                 int most);
/* Adds the updates of variables by the caller's gradients. */
TF_CAPI_EXPORT extern void weir_trainer_apply_gradients(weir_trainer *t, const weir_trained *pairs,
                                                        int count, const weir_optimizer *optimizer);
/* Runs |op| in every training step of this worker, e.g. for moving averages. */
TF_CAPI_EXPORT extern void weir_trainer_also_run(weir_trainer *t, TF_Operation *op);

/* ---- learning rate schedules ----------------------------------------------------------------- */

typedef enum weir_schedule_kind {
    WEIR_EXPONENTIAL_DECAY,  /* rate * decay^p, where p is step / steps */
    WEIR_INVERSE_TIME_DECAY, /* rate / (1 + decay * p) */
    WEIR_NATURAL_EXP_DECAY,  /* rate * e^(-decay * p) */
    WEIR_POLYNOMIAL_DECAY,   /* (rate - end) * (1 - p)^power + end; cycle */
    WEIR_COSINE_DECAY,       /* rate * ((1 - end) * (1 + cos(pi * p)) / 2 + end) */
    WEIR_PIECEWISE_CONSTANT, /* values[i] up to step boundaries[i]; values[boundary_count] after */
} weir_schedule_kind;

typedef struct weir_schedule {
    weir_schedule_kind kind;
    float rate; /* initial rate */
    int64_t steps;
    float decay;
    bool staircase; /* p is rounded down */
    float end;      /* polynomial: TensorFlow's default is 0.0001; cosine: a fraction of |rate| */
    float power;    /* 0: 1 */
    bool cycle;     /* restarts the polynomial, over a longer period, where it would end */
    const int64_t *boundaries;
    const float *values; /* one more than boundaries */
    int boundary_count;
} weir_schedule;

/* The rate at |step|, an integer scalar such as weir_trainer_global_step; use as rate_from. */
TF_CAPI_EXPORT extern TF_Output weir_build_schedule(weir_builder *b, const weir_schedule *schedule,
                                                    TF_Output step);

/* ---- moving averages of variables ------------------------------------------------------------ */

typedef struct weir_average {
    float decay;
    bool by_step; /* starts lower: at most (1 + step) / (10 + step) */
} weir_average;

/* Adds an exponential moving average of each trained variable, "w/ExponentialMovingAverage",
 * updated after each step. Call before minimize. */
TF_CAPI_EXPORT extern void weir_trainer_average(weir_trainer *t, const weir_average *average);
/* The average of a variable, given by its value; after minimize. */
TF_CAPI_EXPORT extern TF_Output weir_trainer_averaged(weir_trainer *t, TF_Output variable);

/* ---- training -------------------------------------------------------------------------------- */

/* Finalises the graph and creates the session. The chief restores the latest checkpoint of the
 * folder or initialises; the others wait for it. */
TF_CAPI_EXPORT extern void weir_trainer_start(weir_trainer *t, TF_Status *status);
/* Instead of start, for callers that run the graph elsewhere: finalises the graph, and returns the
 * ops that initialise the variables and that run one step (null without minimize). */
TF_CAPI_EXPORT extern void weir_trainer_end_graph(weir_trainer *t, TF_Operation **init,
                                                  TF_Operation **step, TF_Status *status);

typedef struct weir_step_io {
    const TF_Output *feeds;
    TF_Tensor *const *feed_values; /* owned by the caller */
    int feed_count;
    const TF_Output *fetches;
    TF_Tensor **fetched; /* deleted by the caller; null after a failure or at the end */
    int fetch_count;
    bool only_look; /* no update: for evaluation */
} weir_step_io;

/* Runs one step. If a task is lost (ABORTED, UNAVAILABLE), creates a new session, waits until the
 * variables are restored, and runs the step there. False: no step was run, because training is over
 * or failed with the status. */
TF_CAPI_EXPORT extern bool weir_trainer_step(weir_trainer *t, const weir_step_io *io,
                                             TF_Status *status);
TF_CAPI_EXPORT extern int64_t
weir_trainer_at(const weir_trainer *t); /* the last known global step */
/* The session that runs steps, owned by the trainer; replaced on recovery. */
TF_CAPI_EXPORT extern TF_Session *weir_trainer_session(weir_trainer *t);
/* Requests that training ends at the next step. */
TF_CAPI_EXPORT extern void weir_trainer_ask_stop(weir_trainer *t);
/* Writes a checkpoint now; its path is stored in |path| if not null. */
TF_CAPI_EXPORT extern void weir_trainer_save(weir_trainer *t, char *path, size_t path_bytes,
                                             TF_Status *status);
/* Writes the last checkpoint, closes the session and notifies the parameter servers. */
TF_CAPI_EXPORT extern void weir_trainer_stop(weir_trainer *t, TF_Status *status);

#ifdef __cplusplus
}
#endif
#endif
