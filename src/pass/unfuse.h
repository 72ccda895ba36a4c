/* pass/unfuse.h - ops that TensorFlow's optimiser made of several become single ops again. */
#ifndef WEIR_PASS_UNFUSE_H
#define WEIR_PASS_UNFUSE_H

#include "graph/graph.h"

/* Not an improvement, so no option turns it off: the fused ops have no kernels. UNIMPLEMENTED when
 * one is made of something that is not known. */
WEIR_CHECKED weir_status weir_unfuse(weir_graph *g);

#endif
