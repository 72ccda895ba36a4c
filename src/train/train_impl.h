/* train/train_impl.h - the inside of jobs and trainers, for train/ only. */
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

/* A variable, or one piece of one that is cut. */
typedef struct variable {
    char *name; /* of its node: "w", "w/part_0" */
    char device[DEVICE_NAME];
    TF_DataType type;
    int rank;
    int64_t dims[LARGEST_RANK];
    TF_Output ref, value; /* to be updated; as a step read it */
    TF_Output initial;    /* what |initialize| assigns */
    TF_Operation *initialize;
    char *saved_as; /* in checkpoints: the whole variable's name */
    char *slice;    /* which part of it; "": all */
    bool trained;
    bool of_worker;           /* not shared: neither saved nor awaited */
    struct variable *average; /* null: none is kept */
} variable;

/* A variable that is cut: its pieces follow each other among the trainer's variables. */
typedef struct cut {
    TF_Output whole; /* all pieces together */
    size_t first;
    int count;
} cut;

/* ---- placement ------------------------------------------------------------------------------ */

typedef struct placement {
    char worker[DEVICE_NAME]; /* where everything goes that keeps no state */
    int ps_count;             /* 0: no parameter servers */
    weir_balance balance;
    int next;             /* of WEIR_ROUND_ROBIN */
    int64_t *loads;       /* of WEIR_GREEDY: bytes on each */
    char at[DEVICE_NAME]; /* the answer last given */
} placement;

const char *weir_placement_choose(void *placement, const char *type, int64_t bytes);

/* ---- checkpoints ---------------------------------------------------------------------------- */

/* A variable, or a piece of one, and what checkpoints call it. */
typedef struct saved {
    TF_Output variable;
    bool resource; /* a handle; otherwise a reference */
    TF_DataType type;
    const char *device; /* the node's */
    const char *name, *slice;
} saved;

struct weir_saver {
    char parts[40];      /* what the folder of parts is called behind the prefix */
    WEIR_VEC(saved) all; /* with strings of their own */
    int keep;            /* 0: 5; below 0: all */
    TF_Output path;      /* to be fed */
    TF_Operation *save, *restore;
};

void weir_saver_add(weir_saver *saver, const saved *what);
/* Adds the nodes for what was added. */
void weir_saver_build(weir_builder *builder, weir_saver *saver);

/* After the checkpoint |path| could not be saved: removes what was written of it and, where the
 * disk is full, the oldest checkpoint of |dir|. True: there is room for another try. */
bool weir_saver_make_room(const weir_saver *saver, const char *dir, const char *path, TF_Code why);

/* The latest checkpoint of a folder, to be freed; null when there is none. */
WEIR_CHECKED weir_status weir_train_latest(const char *dir, char **out_prefix);
/* Makes |prefix| the latest of |dir| and deletes the oldest. |keep| as above. */
WEIR_CHECKED weir_status weir_train_note(const char *dir, const char *prefix, int keep);

/* ---- a trainer ------------------------------------------------------------------------------ */

/* A hook, and how much it wished for of the step that runs. */
typedef struct hooked {
    weir_hook hook;
    int wished;
} hooked;

struct weir_trainer {
    weir_trainer_options options; /* with its own strings */
    WEIR_VEC(hooked) hooks;
    TF_Graph *graph;
    weir_builder *b;
    placement placement;
    WEIR_VEC(variable *) variables;
    WEIR_VEC(cut) cuts;
    variable *global_step;
    weir_average average; /* a decay of 0: none */
    WEIR_VEC(TF_Output) summaries;
    struct weir_event_writer *events; /* the chief's; null: none are written */
    /* What minimize added: */
    TF_Operation *train;           /* one step of this worker */
    TF_Output step_output;         /* the global step after it */
    WEIR_VEC(TF_Operation *) also; /* what else runs with it */
    /* What synchronous updates added: */
    TF_Operation *chief_update, *chief_init, *worker_init, *first_tokens, *more_tokens,
        *close_tokens;
    /* What all-reduce added: */
    TF_Output vote,
        votes; /* to be fed: not 0 to end; the sum of everybody's. Null: no all-reduce */
    int32_t group_key, instances; /* of its collective ops; the last instance's number */
    TF_Operation *share;          /* gives everybody the chief's variables */
    bool voted;                   /* somebody's vote ended the training */
    /* What start added: */
    TF_Operation *initialize, *tell_done;
    TF_Output ready;
    weir_saver *saver;
    /* The running session: */
    TF_Session *session;
    pthread_t updater; /* the chief's, of synchronous updates */
    bool updating;
    pthread_mutex_t lock;
    weir_status updater_status; /* why it ended; under lock */
    bool closing;               /* it is meant to end; under lock */
    int64_t ready_by_ns;        /* when to give up making a session ready; 0: never */
    int64_t at;                 /* the global step last seen */
    bool started, stop_asked;
    int64_t saved_step;
    int64_t saved_ns;
    /* Of the step that runs, kept for the next: */
    WEIR_VEC(TF_Output) feeds; /* the caller's, and the vote */
    WEIR_VEC(TF_Tensor *) fed;
    WEIR_VEC(TF_Output) fetches; /* the caller's, the global step, those of hooks, the votes */
    WEIR_VEC(TF_Tensor *) fetched;
};

bool weir_trainer_failed(const weir_trainer *trainer);
bool weir_trainer_is_chief(const weir_trainer *trainer);
variable *weir_trainer_add_variable(weir_trainer *trainer, const variable *like, const char *device,
                                    const weir_initial *initial);
/* Nodes that use |variable| by reference go where it is. */
TF_Output weir_trainer_assign(weir_trainer *trainer, const variable *variable, const char *name,
                              TF_Output value);

/* The one whose value |value| is; null when there is none. */
variable *weir_trainer_find_variable(const weir_trainer *trainer, TF_Output value);
/* A variable like |this_variable| beside it, called "v/NAME". */
variable *weir_trainer_add_slot(weir_trainer *trainer, const variable *this_variable,
                                const char *name, const weir_initial *initial);

/* Variables and what changes them. */
typedef struct updates {
    const weir_optimizer *o;
    variable *const *v;
    const weir_gradient *gradients;
    int count;
} updates;

const char *weir_optimizer_scope(const weir_optimizer *optimizer); /* of its nodes: "Adam" */
/* Adds the updates, one operation for each. */
void weir_trainer_apply(weir_trainer *trainer, const updates *all, TF_Operation **out_done);
/* Ends the step: updates, then averages, then the global step. */
void weir_trainer_finish_async(weir_trainer *trainer, const updates *updates);
void weir_trainer_finish_sync(weir_trainer *trainer, const updates *updates);
void weir_trainer_finish_allreduce(weir_trainer *trainer, const updates *updates);
/* Adds |share|, when all variables are there. */
void weir_trainer_add_share(weir_trainer *trainer);
TF_Output weir_trainer_count_step(weir_trainer *trainer, const updates *updates,
                                  TF_Operation *const *done);
/* The averages of |count| variables follow, after |after|. */
TF_Operation *weir_trainer_follow(weir_trainer *trainer, variable *const *variables, int count,
                                  TF_Operation *after);

WEIR_CHECKED weir_status weir_trainer_save_now(weir_trainer *trainer, char *path,
                                               size_t path_bytes);

/* Runs targets in the trainer's session. */
WEIR_CHECKED weir_status weir_trainer_run_op(weir_trainer *trainer, TF_Operation *op);
WEIR_CHECKED weir_status weir_trainer_run_fed(weir_trainer *trainer, TF_Output feed,
                                              TF_Tensor *value, TF_Operation *op);
WEIR_CHECKED weir_status weir_trainer_read_step(weir_trainer *trainer); /* into t->at */
/* Why a step failed: the updater's reason, when that is what ended the session. */
WEIR_CHECKED weir_status weir_trainer_cause(weir_trainer *trainer, weir_status status);
bool weir_trainer_can_recover(weir_status status); /* a task was lost or restarted */
/* True where workers train by all-reduce; one worker alone needs none. */
bool weir_trainer_allreduces(const weir_trainer *trainer);
/* Makes a session and readies it; again and again while tasks are missing. */
WEIR_CHECKED weir_status weir_trainer_open(weir_trainer *trainer);
void weir_trainer_close(weir_trainer *trainer);

/* Nodes through which |worker| tells the parameter servers that it is done. */
TF_Operation *weir_job_add_tell_done(const weir_job *job, weir_builder *builder);
/* A ConfigProto under which missing workers do not matter. */
TF_Buffer *weir_job_session_config(const weir_job *job);

#endif
