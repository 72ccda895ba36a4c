/* train/nodes.h - the nodes of a trainer's graph, to run it with another library. */
#ifndef WEIR_TRAIN_NODES_H
#define WEIR_TRAIN_NODES_H

#include "weir/train.h"

/* What a worker runs. All but |init|, |ready| and |at| are null where there is nothing to do. */
typedef struct weir_trainer_nodes {
    TF_Operation *init;        /* the chief's, once: gives the variables their values */
    TF_Output ready;           /* bools: which variables have values */
    TF_Output at;              /* the step, run by fetching the global step after it */
    TF_Operation *worker_init; /* before the first step, with synchronous updates */
    /* The chief's, with synchronous updates: once, once, again and again until the end, then. */
    TF_Operation *chief_init, *first_tokens, *chief_update, *close_tokens;
} weir_trainer_nodes;

/* Ends the graph as weir_trainer_start does, and opens no session. */
void weir_trainer_get_nodes(weir_trainer *trainer, weir_trainer_nodes *out, TF_Status *status);

#endif
