/* model/model_saver.h - nodes that save and restore variables, as a SavedModel names them. */
#ifndef WEIR_MODEL_MODEL_SAVER_H
#define WEIR_MODEL_MODEL_SAVER_H

#include "model/variables.h"

typedef struct weir_model_saver {
    weir_node *filename; /* a scalar string that is fed */
    weir_node *save;     /* gives the file name when all is saved */
    weir_node *restore;  /* runs when all is restored */
    weir_nodes reads;    /* one per variable: what has its value */
    weir_nodes assigns;  /* one per variable: what restores it */
} weir_model_saver;

/* Adds the nodes for |variables| (at least one) to their graph, whose lock is held. */
WEIR_CHECKED weir_status weir_model_saver_add(const weir_nodes *variables,
                                              weir_model_saver *out_saver);
void weir_model_saver_fini(weir_model_saver *saver);

#endif
