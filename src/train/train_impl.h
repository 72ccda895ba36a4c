/* train/train_impl.h - internals of jobs and trainers, for train/ only. */
#ifndef WEIR_TRAIN_TRAIN_IMPL_H
#define WEIR_TRAIN_TRAIN_IMPL_H

#include <pthread.h>

#include "base/mem.h"
#include "capi/status.h"
#include "native/builder.h"
#include "weir/saver.h"
#include "weir/train.h"

enum { LARGEST_RANK = 8, DEVICE_NAME = 128 };

/* ---- variables ------------------------------------------------------------------------------ */

/* A variable, or one partition of one. */
typedef struct variable {
    char *name; /* of its node: "w", "w/part_0" */
    char device[DEVICE_NAME];
    TF_DataType type;
    int rank;
    int64_t dims[LARGEST_RANK];
    TF_Output ref, value; /* the reference or handle; the value read by a step */
    TF_Output initial;    /* the value that |initialize| assigns */
    TF_Operation *initialize;
    char *saved_as; /* name in checkpoints: the unpartitioned variable's */
    char *slice;    /* its slice; "": all */
    bool trained;
    bool of_worker;           /* local to the worker: neither saved nor waited for */
    struct variable *average; /* null: none */
} variable;

/* A partitioned variable: its partitions are consecutive among the trainer's variables. */
typedef struct cut {
    TF_Output whole; /* the concatenation of the partitions */
    size_t first;
    int count;
} cut;

/* ---- placement ------------------------------------------------------------------------------ */

typedef struct placement {
    char worker[DEVICE_NAME]; /* device of nodes without state */
    int ps_count;             /* 0: no parameter servers */
    weir_balance balance;
    int next;             /* of WEIR_ROUND_ROBIN */
    int64_t *loads;       /* of WEIR_GREEDY: bytes on each */
    char at[DEVICE_NAME]; /* result of the last call */
} placement;

const char *weir_placement_choose(void *placement, const char *type, int64_t bytes);
int64_t weir_trainer_bytes_of(const variable *variable); /* of its elements */

/* ---- checkpoints ---------------------------------------------------------------------------- */

/* A variable or partition, and its name in checkpoints. */
typedef struct saved {
    TF_Output variable;
    bool resource; /* a handle; otherwise a reference */
    TF_DataType type;
    const char *device; /* the node's */
    const char *name, *slice;
} saved;

struct weir_saver {
    char parts[40];      /* suffix of the folder of parts */
    WEIR_VEC(saved) all; /* with their own strings */
    int keep;            /* 0: 5; below 0: all */
    TF_Output path;      /* a placeholder */
    TF_Operation *save, *restore;
};

void weir_saver_add(weir_saver *saver, const saved *what);
/* Adds the nodes for the variables added so far. */
void weir_saver_build(weir_builder *builder, weir_saver *saver);

/* After saving the checkpoint |path| failed: removes its partial files and, if the disk is full,
 * the oldest checkpoint of |dir|. True: a retry has enough space. */
bool weir_saver_make_room(const weir_saver *saver, const char *dir, const char *path, TF_Code why);

/* The latest checkpoint of a folder, which the caller frees; null if there is none. */
WEIR_CHECKED weir_status weir_train_latest(const char *dir, char **out_prefix);
/* Records |prefix| as the latest of |dir| and deletes the oldest. |keep| as above. */
WEIR_CHECKED weir_status weir_train_note(const char *dir, const char *prefix, int keep);

/* ---- a trainer ------------------------------------------------------------------------------ */

/* A hook, and its share of the current step's fetches. */
typedef struct hooked {
    weir_hook hook;
    int wished;
} hooked;

struct weir_trainer {
    weir_trainer_options options; /* owns its strings */
    WEIR_VEC(hooked) hooks;
    TF_Graph *graph;
    weir_builder *b;
    placement placement;
    WEIR_VEC(variable *) variables;
    WEIR_VEC(cut) cuts;
    variable *global_step;
    weir_average average; /* decay 0: none */
    WEIR_VEC(TF_Output) summaries;
    struct weir_event_writer *events; /* the chief's; null: none */
    /* Nodes added by minimize: */
    TF_Operation *train;           /* one step of this worker */
    TF_Output step_output;         /* the global step after it */
    WEIR_VEC(TF_Operation *) also; /* additional targets of a step */
    /* Nodes added by synchronous updates: */
    TF_Operation *chief_update, *chief_init, *worker_init, *first_tokens, *more_tokens,
        *close_tokens;
    /* Nodes added by all-reduce: */
    TF_Output vote,
        votes; /* placeholder: non-zero to end; sum over all workers. Null: no all-reduce */
    int32_t group_key, instances; /* of its collective ops; number of the last instance */
    TF_Operation *share;          /* broadcasts the chief's variables */
    bool voted;                   /* a vote ended the training */
    /* Nodes added by start: */
    TF_Operation *initialize, *tell_done;
    TF_Output ready;
    weir_saver *saver;
    /* The running session: */
    TF_Session *session;
    pthread_t updater; /* the chief's thread for synchronous updates */
    bool updating;
    pthread_mutex_t lock;
    weir_status updater_status; /* why it ended; under lock */
    bool closing;               /* it should end; under lock */
    int64_t ready_by_ns;        /* deadline for making a session ready; 0: none */
    int64_t at;                 /* the last known global step */
    bool started, stop_asked;
    int64_t saved_step;
    int64_t saved_ns;
    /* Buffers of the current step, reused by the next: */
    WEIR_VEC(TF_Output) feeds; /* the caller's, and the vote */
    WEIR_VEC(TF_Tensor *) fed;
    WEIR_VEC(TF_Output) fetches; /* the caller's, the global step, those of hooks, the votes */
    WEIR_VEC(TF_Tensor *) fetched;
};

bool weir_trainer_failed(const weir_trainer *trainer);
bool weir_trainer_is_chief(const weir_trainer *trainer);
variable *weir_trainer_add_variable(weir_trainer *trainer, const variable *like, const char *device,
                                    const weir_initial *initial);
/* Nodes that take |variable| by reference are placed on its device. */
TF_Output weir_trainer_assign(weir_trainer *trainer, const variable *variable, const char *name,
                              TF_Output value);

/* The variable whose value is |value|; null if there is none. */
variable *weir_trainer_find_variable(const weir_trainer *trainer, TF_Output value);
/* Adds a slot variable of the same shape and device, called "v/NAME". */
variable *weir_trainer_add_slot(weir_trainer *trainer, const variable *this_variable,
                                const char *name, const weir_initial *initial);

/* Variables and their gradients. */
typedef struct updates {
    const weir_optimizer *o;
    variable *const *v;
    const weir_gradient *gradients;
    int count;
} updates;

const char *weir_optimizer_scope(const weir_optimizer *optimizer); /* its name scope: "Adam" */
/* Adds the updates, one operation per variable. */
void weir_trainer_apply(weir_trainer *trainer, const updates *all, TF_Operation **out_done);
/* Completes the step: updates, then averages, then the global step. */
void weir_trainer_finish_async(weir_trainer *trainer, const updates *updates);
void weir_trainer_finish_sync(weir_trainer *trainer, const updates *updates);
void weir_trainer_finish_allreduce(weir_trainer *trainer, const updates *updates);
/* Adds |share|; all variables must exist. */
void weir_trainer_add_share(weir_trainer *trainer);
TF_Output weir_trainer_count_step(weir_trainer *trainer, const updates *updates,
                                  TF_Operation *const *done);
/* Updates the averages of |count| variables, after |after|. */
TF_Operation *weir_trainer_follow(weir_trainer *trainer, variable *const *variables, int count,
                                  TF_Operation *after);

WEIR_CHECKED weir_status weir_trainer_save_now(weir_trainer *trainer, char *path,
                                               size_t path_bytes);

/* Runs targets in the trainer's session. */
WEIR_CHECKED weir_status weir_trainer_run_op(weir_trainer *trainer, TF_Operation *op);
WEIR_CHECKED weir_status weir_trainer_run_fed(weir_trainer *trainer, TF_Output feed,
                                              TF_Tensor *value, TF_Operation *op);
WEIR_CHECKED weir_status weir_trainer_read_step(weir_trainer *trainer); /* into t->at */
/* The cause of a failed step: the updater's status if that ended the session. */
WEIR_CHECKED weir_status weir_trainer_cause(weir_trainer *trainer, weir_status status);
bool weir_trainer_can_recover(weir_status status); /* a task was lost or restarted */
/* True when workers train by all-reduce; a single worker does not. */
bool weir_trainer_allreduces(const weir_trainer *trainer);
/* Creates a session and makes it ready; retries while tasks are missing. */
WEIR_CHECKED weir_status weir_trainer_open(weir_trainer *trainer);
/* Makes a new session for calls of its own: nothing is initialised, and no updater started. */
WEIR_CHECKED weir_status weir_trainer_reconnect(weir_trainer *trainer);
void weir_trainer_sleep(int ms);
void weir_trainer_close(weir_trainer *trainer);

/* Nodes by which |worker| notifies the parameter servers that it is done. */
TF_Operation *weir_job_add_tell_done(const weir_job *job, weir_builder *builder);
/* A ConfigProto that ignores missing workers. */
TF_Buffer *weir_job_session_config(const weir_job *job);

#endif
