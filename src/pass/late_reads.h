/* pass/late_reads.h - who comes after an update of a variable reads it updated. */
#ifndef WEIR_PASS_LATE_READS_H
#define WEIR_PASS_LATE_READS_H

#include "graph/graph.h"

/* Not an improvement, so no option turns it off: it gives reads through references the moment that
 * TensorFlow gives them. Nodes must have their devices. */
WEIR_CHECKED weir_status weir_late_reads(weir_graph *g);

#endif
