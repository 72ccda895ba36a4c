/* model/model_saver.h - adds save and restore nodes in a SavedModel's conventions. */
#ifndef WEIR_MODEL_MODEL_SAVER_H
#define WEIR_MODEL_MODEL_SAVER_H

#include "model/variables.h"

typedef struct weir_model_saver {
    weir_node *filename; /* a string scalar, to be fed */
    weir_node *save;     /* outputs the file name after saving */
    weir_node *restore;  /* completes after restoring */
    weir_nodes reads;    /* one per variable: its value */
    weir_nodes assigns;  /* one per variable: restores it */
} weir_model_saver;

/* Adds the nodes for |variables| (at least one) to their graph; the caller holds its lock. */
WEIR_CHECKED weir_status weir_model_saver_add(const weir_nodes *variables,
                                              weir_model_saver *out_saver);
void weir_model_saver_fini(weir_model_saver *saver);

#endif
