/* weir/train.h - training over a cluster, from C.
 *
 * Every process is a task: a parameter server ("ps"), which keeps variables, or a worker, which
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
 * The graphs are those that TensorFlow's replica_device_setter, SyncReplicasOptimizer and Saver
 * build, with the same names and the same shared state, so that workers of both can train one model
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

/* From the flags that `weir server` takes (--job_name, --task_index, --ps_hosts, --worker_hosts,
 * --cluster), which are taken out of argv, or else from TF_CONFIG, or else from the variables of a
 * Slurm step, whose first --ps tasks (1) are parameter servers. Without any the process is alone.
 * Null on failure. */
TF_CAPI_EXPORT extern weir_job *weir_job_from_args(int *argc, char **argv, TF_Status *status);
TF_CAPI_EXPORT extern void weir_job_delete(weir_job *j); /* ends its server; takes null */
TF_CAPI_EXPORT extern const char *weir_job_name(const weir_job *j); /* "worker"; "" when alone */
/* This task's number in its job, from 0. */
TF_CAPI_EXPORT extern int weir_job_index(const weir_job *j);
/* Tasks of a job: "ps", "worker". */
TF_CAPI_EXPORT extern int weir_job_count(const weir_job *j, const char *job);
/* Whether this task is a parameter server. */
TF_CAPI_EXPORT extern bool weir_job_is_ps(const weir_job *j);
/* Whether this task is the chief: it initialises, restores and saves. */
TF_CAPI_EXPORT extern bool weir_job_is_chief(const weir_job *j);
/* Which of the workers this is, the chief being 0, and how many there are. */
TF_CAPI_EXPORT extern int weir_job_worker(const weir_job *j);
/* How many workers there are, the chief among them. */
TF_CAPI_EXPORT extern int weir_job_workers(const weir_job *j);
/* Makes this process the task: starts its server, unless `weir run` has one for it already. Nothing
 * to do when alone. */
TF_CAPI_EXPORT extern void weir_job_start(weir_job *j, TF_Status *status);
/* Uses a server that runs already, in another process, instead: "grpc://host:port". */
TF_CAPI_EXPORT extern void weir_job_set_target(weir_job *j, const char *target);
/* "grpc://host:port" of this task's server; "" when alone or not started. */
TF_CAPI_EXPORT extern const char *weir_job_target(const weir_job *j);
/* For a parameter server: returns when every worker's trainer has stopped. */
TF_CAPI_EXPORT extern void weir_job_serve(weir_job *j, TF_Status *status);

/* ---- how to train ---------------------------------------------------------------------------- */

typedef enum weir_update {
    WEIR_ASYNC, /* every worker's gradients are applied as they come */
    WEIR_SYNC,  /* the mean of several workers' gradients is applied, and all go on from there */
    WEIR_ALLREDUCE, /* the same without parameter servers: every worker has all variables, and takes
                       the mean by collective ops. A worker that is lost ends the training */
} weir_update;

typedef enum weir_balance {
    WEIR_ROUND_ROBIN, /* variables go to the parameter servers in turn */
    WEIR_GREEDY,      /* each to the one with the fewest bytes so far */
} weir_balance;

typedef struct weir_trainer weir_trainer;

/* What a hook wants of the next step, beside what the caller of the step wants. */
typedef struct weir_wish {
    const TF_Output *fetches; /* stay the hook's, until the step has ended */
    int fetch_count;
    bool trace; /* every op is timed */
} weir_wish;

/* What came of it. */
typedef struct weir_outcome {
    TF_Tensor *const *fetched; /* in the order of the wish; the trainer's */
    const TF_Buffer *trace;    /* a serialised RunMetadata; null when no hook wanted one */
} weir_outcome;

/* Called at points of the training; any may be null. A trainer may be asked for its step and
 * session in them. Steps that only look are not told of. */
typedef struct weir_hook {
    void *arg;
    void (*session_made)(void *arg, weir_trainer *t); /* also after each recovery */
    bool (*after_step)(void *arg, weir_trainer *t);   /* true asks to stop */
    void (*saved)(void *arg, weir_trainer *t, const char *checkpoint);
    void (*stopping)(void *arg, weir_trainer *t);
    void (*starting)(void *arg, weir_trainer *t); /* the graph may still grow */
    void (*before_step)(void *arg, weir_trainer *t, weir_wish *wish);
    /* With what was wished for; true asks to stop. A status that fails makes the step fail. */
    bool (*got)(void *arg, weir_trainer *t, const weir_outcome *outcome, TF_Status *status);
    void (*deleted)(void *arg); /* with the trainer */
} weir_hook;

typedef struct weir_trainer_options {
    weir_job *job; /* must outlive the trainer; null: this process alone */
    weir_update update;
    int replicas_to_aggregate; /* of WEIR_SYNC: gradients per update. 0: one of each worker; with
                                  fewer, the slowest workers are backups */
    weir_balance balance;
    const char *checkpoint_dir; /* null: none are written or read */
    int64_t save_steps;         /* a checkpoint after so many steps; 0: not by steps */
    double save_seconds;        /* after so much time; 0: 600 s, unless save_steps is set */
    int keep;                   /* checkpoints to keep; 0: 5 */
    int64_t last_step;          /* training ends when the global step is there; 0: it does not */
    double give_up_seconds;     /* how long to wait for the others to be ready; 0: for ever */
    const weir_hook *hooks;     /* copied */
    int hook_count;
} weir_trainer_options;

/* Never null: what is wrong shows in the builder's status and at the start. */
TF_CAPI_EXPORT extern weir_trainer *weir_trainer_new(const weir_trainer_options *options);
TF_CAPI_EXPORT extern void weir_trainer_delete(weir_trainer *t); /* takes null */
/* Nodes go to this worker's device unless they keep state. */
TF_CAPI_EXPORT extern weir_builder *weir_trainer_builder(weir_trainer *t);

/* ---- ready hooks ------------------------------------------------------------------------------
 */

/* All of these go before the start. Steps are those of the global step; where several workers share
 * it, a hook acts after the first step of its own that passes another multiple of |steps|. */
TF_CAPI_EXPORT extern void weir_trainer_add_hook(weir_trainer *t, const weir_hook *hook);
/* Ends the training after so many steps of this worker or so much time; 0: not by that. */
TF_CAPI_EXPORT extern void weir_trainer_stop_after(weir_trainer *t, int64_t steps, double seconds);
/* Prints "step 100: loss = 0.25 (400 steps/s)" to standard error. */
TF_CAPI_EXPORT extern void weir_trainer_log_every(weir_trainer *t, int64_t steps,
                                                  const char *const *names, const TF_Output *values,
                                                  int count);
/* A step whose loss is not a number fails; with |stop| it ends the training instead. */
TF_CAPI_EXPORT extern void weir_trainer_guard_nan(weir_trainer *t, TF_Output loss, bool stop);

/* Summaries of the graph, for TensorBoard: of a number, of many numbers, of images. */
TF_CAPI_EXPORT extern void weir_trainer_scalar(weir_trainer *t, const char *tag, TF_Output value);
/* Adds a histogram of |values| to the summaries, under a tag; copied. */
TF_CAPI_EXPORT extern void weir_trainer_histogram(weir_trainer *t, const char *tag,
                                                  TF_Output values);
/* |images|: [batch, height, width, 1, 3 or 4 channels]; |most| of a batch are kept. */
TF_CAPI_EXPORT extern void weir_trainer_image(weir_trainer *t, const char *tag, TF_Output images,
                                              int most);
/* What any other summary op gives. */
TF_CAPI_EXPORT extern void weir_trainer_add_summary(weir_trainer *t, TF_Output summary);
/* The chief writes them all to an event file in |dir|, with the steps per second, the graph and
 * notes of the checkpoints. */
TF_CAPI_EXPORT extern void weir_trainer_write_summaries(weir_trainer *t, const char *dir,
                                                        int64_t steps);
/* The chief times every op of a step and writes DIR/timeline-STEP.json, a trace for
 * chrome://tracing or Perfetto. */
TF_CAPI_EXPORT extern void weir_trainer_profile(weir_trainer *t, const char *dir, int64_t steps);

/* ---- variables ------------------------------------------------------------------------------- */

typedef enum weir_initial_kind {
    WEIR_ZEROS,
    WEIR_CONSTANT,         /* a everywhere */
    WEIR_NORMAL,           /* mean a, deviation b */
    WEIR_TRUNCATED_NORMAL, /* the same, within two deviations */
    WEIR_UNIFORM,          /* from a up to b */
    WEIR_VALUES,           /* those given; not for a variable in pieces */
} weir_initial_kind;

typedef struct weir_initial {
    weir_initial_kind kind;
    double a, b;
    int64_t seed;       /* as the seed of TensorFlow's initialisers: the same numbers; 0: any */
    const void *values; /* of WEIR_VALUES: every element, of the variable's type */
} weir_initial;

typedef struct weir_variable_options {
    const char *name;
    TF_DataType type; /* 0: TF_FLOAT */
    int rank;
    const int64_t *dims;
    weir_initial initial;
    int partitions;   /* cut along the first axis into so many; 0: one piece */
    bool not_trained; /* the optimiser leaves it alone */
} weir_variable_options;

/* Adds a variable and gives its value. */
TF_CAPI_EXPORT extern TF_Output weir_trainer_variable(weir_trainer *t,
                                                      const weir_variable_options *options);
/* Rows of a variable, whole or cut, given by its value: taken where the variable or each piece is,
 * so that it does not travel; neither does more than those rows of its gradient. */
TF_CAPI_EXPORT extern TF_Output weir_trainer_gather(weir_trainer *t, const char *name,
                                                    TF_Output variable, TF_Output indices);
/* The step counter that all workers share (int64); made with the first call. */
TF_CAPI_EXPORT extern TF_Output weir_trainer_global_step(weir_trainer *t);

/* ---- optimisers ------------------------------------------------------------------------------ */

/* Each with the numbers that it takes. A number that is 0 is the one in brackets; WEIR_ZERO is 0.
 */
typedef enum weir_optimizer_kind {
    WEIR_GRADIENT_DESCENT,
    WEIR_MOMENTUM, /* momentum; nesterov */
    WEIR_ADAGRAD,  /* accumulator: its start (0.1) */
    WEIR_ADAM,     /* rate (0.001), beta1 (0.9), beta2 (0.999), epsilon (1e-8) */
    WEIR_RMSPROP,  /* decay (0.9), momentum, epsilon (1e-10); centered */
    WEIR_ADADELTA, /* rate (0.001), decay (0.95), epsilon (1e-8) */
    WEIR_FTRL,     /* power of the rate (-0.5), accumulator (0.1), l1, l2, l2_shrinkage */
    WEIR_PROXIMAL_GRADIENT_DESCENT, /* l1, l2 */
    WEIR_PROXIMAL_ADAGRAD,          /* accumulator (0.1), l1, l2 */
} weir_optimizer_kind;

/* "momentum" for WEIR_MOMENTUM; null when there is no such kind. */
TF_CAPI_EXPORT extern const char *weir_optimizer_name(weir_optimizer_kind kind);
/* The other way round; false when there is none of that name. */
TF_CAPI_EXPORT extern bool weir_optimizer_find(const char *name, weir_optimizer_kind *out);

typedef enum weir_clip_kind {
    WEIR_CLIP_NONE,
    WEIR_CLIP_BY_VALUE,       /* every element, to |low| .. |limit| */
    WEIR_CLIP_BY_NORM,        /* each gradient whose norm is above |limit| is scaled down to it */
    WEIR_CLIP_BY_GLOBAL_NORM, /* all of them together, by their common norm */
} weir_clip_kind;

typedef struct weir_clip {
    weir_clip_kind kind;
    float limit;
    float low; /* of values; 0: -limit */
} weir_clip;

/* Replaces each of |gradients| by its clipped form, as tf.clip_by_... would. */
TF_CAPI_EXPORT extern void weir_build_clip(weir_builder *b, const weir_clip *clip,
                                           weir_gradient *gradients, int count);

typedef struct weir_optimizer {
    weir_optimizer_kind kind;
    float rate;
    float momentum, beta1, beta2, epsilon, decay, accumulator;
    bool nesterov;
    bool centered;
    float l1, l2, l2_shrinkage, power;
    TF_Output rate_from; /* a scalar in place of |rate|: a schedule, or what is fed */
    weir_clip clip;      /* of the gradients, before they are applied or sent */
} weir_optimizer;

/* Adds gradients of |loss| and the updates of every trained variable that it depends on. Once. */
TF_CAPI_EXPORT extern void weir_trainer_minimize(weir_trainer *t, TF_Output loss,
                                                 const weir_optimizer *optimizer);

/* The same in two parts, for gradients that are to be looked at or changed in between. */
typedef struct weir_trained {
    TF_Output variable; /* its value; a piece's, where a variable is cut */
    weir_gradient gradient;
} weir_trained;

/* Gives how many trained variables |loss| depends on; at most |most| of them are written to |out|.
 */
TF_CAPI_EXPORT extern int weir_trainer_gradients(weir_trainer *t, TF_Output loss, weir_trained *out,
                                                 int most);
/* Adds the updates of variables by gradients that the caller made. */
TF_CAPI_EXPORT extern void weir_trainer_apply_gradients(weir_trainer *t, const weir_trained *pairs,
                                                        int count, const weir_optimizer *optimizer);
/* Every step of this worker that trains runs |op| too: moving averages and the like. */
TF_CAPI_EXPORT extern void weir_trainer_also_run(weir_trainer *t, TF_Operation *op);

/* ---- learning rates that change ---------------------------------------------------------------
 */

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
    float rate; /* the first */
    int64_t steps;
    float decay;
    bool staircase; /* p is rounded down */
    float end;      /* of the polynomial, TensorFlow's default is 0.0001; of the cosine, a share */
    float power;    /* 0: 1 */
    bool cycle;     /* the polynomial begins anew, over a longer time, where it would end */
    const int64_t *boundaries;
    const float *values; /* one more than boundaries */
    int boundary_count;
} weir_schedule;

/* The rate at |step|, an integer scalar such as weir_trainer_global_step: for rate_from. */
TF_CAPI_EXPORT extern TF_Output weir_build_schedule(weir_builder *b, const weir_schedule *schedule,
                                                    TF_Output step);

/* ---- averages of variables --------------------------------------------------------------------
 */

typedef struct weir_average {
    float decay;
    bool by_step; /* smaller at first: at most (1 + step) / (10 + step) */
} weir_average;

/* Keeps an exponential moving average beside each trained variable, as
 * "w/ExponentialMovingAverage", which follows after each update. Before minimize. */
TF_CAPI_EXPORT extern void weir_trainer_average(weir_trainer *t, const weir_average *average);
/* The average of a variable, given by its value; after minimize. */
TF_CAPI_EXPORT extern TF_Output weir_trainer_averaged(weir_trainer *t, TF_Output variable);

/* ---- the training ---------------------------------------------------------------------------- */

/* Ends the graph and makes the session. The chief restores the latest checkpoint of the folder or
 * initialises; the others wait until it has. */
TF_CAPI_EXPORT extern void weir_trainer_start(weir_trainer *t, TF_Status *status);
/* Instead of start, for who runs the graph elsewhere: ends the graph, and gives what initialises
 * the variables and what runs one step (null without minimize). */
TF_CAPI_EXPORT extern void weir_trainer_end_graph(weir_trainer *t, TF_Operation **init,
                                                  TF_Operation **step, TF_Status *status);

typedef struct weir_step_io {
    const TF_Output *feeds;
    TF_Tensor *const *feed_values; /* stay the caller's */
    int feed_count;
    const TF_Output *fetches;
    TF_Tensor **fetched; /* the caller's to delete; null after a failure or at the end */
    int fetch_count;
    bool only_look; /* no update: to evaluate */
} weir_step_io;

/* Runs one step. When a task was lost (ABORTED, UNAVAILABLE) it makes a new session, waits for the
 * variables to be restored, and runs the step there. False: nothing was run, because training is
 * over or the status says why. */
TF_CAPI_EXPORT extern bool weir_trainer_step(weir_trainer *t, const weir_step_io *io,
                                             TF_Status *status);
TF_CAPI_EXPORT extern int64_t
weir_trainer_at(const weir_trainer *t); /* the global step last seen */
/* The session that steps run in; it is the trainer's, and another one after a recovery. */
TF_CAPI_EXPORT extern TF_Session *weir_trainer_session(weir_trainer *t);
/* Asks every later step to be the end. */
TF_CAPI_EXPORT extern void weir_trainer_ask_stop(weir_trainer *t);
/* Writes a checkpoint now; its path goes to |path| when that is not null. */
TF_CAPI_EXPORT extern void weir_trainer_save(weir_trainer *t, char *path, size_t path_bytes,
                                             TF_Status *status);
/* The last checkpoint, then the end of the session; tells the parameter servers. */
TF_CAPI_EXPORT extern void weir_trainer_stop(weir_trainer *t, TF_Status *status);

#ifdef __cplusplus
}
#endif
#endif
