/* train/nodes.h - a trainer's graph, for callers that run it with another library. */
#ifndef WEIR_TRAIN_NODES_H
#define WEIR_TRAIN_NODES_H

#include "weir/train.h"

/* What a worker runs. All but |init|, |ready| and |at| are null if not needed. */
typedef struct weir_trainer_nodes {
    TF_Operation *init;        /* run once by the chief: initialises the variables */
    TF_Output ready;           /* bools: which variables are initialised */
    TF_Output at;              /* the step, run by fetching the global step after it */
    TF_Operation *worker_init; /* run before the first step, with synchronous updates */
    /* Run by the chief, if synchronous: once; once; repeatedly until the end; at the end. */
    TF_Operation *chief_init, *first_tokens, *chief_update, *close_tokens;
} weir_trainer_nodes;

/* Finalises the graph as weir_trainer_start does, without a session. */
void weir_trainer_get_nodes(weir_trainer *trainer, weir_trainer_nodes *out, TF_Status *status);

#endif
