/* pass/reread.h - reads of reference variables that come after updates. */
#ifndef WEIR_PASS_REREAD_H
#define WEIR_PASS_REREAD_H

#include "graph/graph.h"

/* Part of what a graph means, so it runs before and besides the passes: a node that uses a
 * reference variable's value and waits for an update of it gets the value after the update. */
WEIR_CHECKED weir_status weir_reread(weir_graph *g);

#endif
