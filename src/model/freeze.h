/* model/freeze.h - converts variables of a graph to constants. */
#ifndef WEIR_MODEL_FREEZE_H
#define WEIR_MODEL_FREEZE_H

#include "base/mutex.h"
#include "session/session.h"

typedef struct weir_freeze {
    weir_graph *graph; /* nodes that read variables may be added */
    weir_mutex *graph_lock;
    weir_session *session; /* over that graph, to read the variables; null: none */
    const weir_edge *outputs;
    int output_count;
} weir_freeze;

/* Appends the GraphDef that the outputs need, with the current values of the variables as
 * constants. */
WEIR_CHECKED weir_status weir_freeze_graph(const weir_freeze *what, weir_buf *out_def);

#endif
