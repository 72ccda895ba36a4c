/* pass/remap.h - several ops become one of our own that does their work at once. */
#ifndef WEIR_PASS_REMAP_H
#define WEIR_PASS_REMAP_H

#include "pass/pass.h"

/* For the graph of one task, when nothing will be sent elsewhere any more: the ops that it makes
 * are our own. Results keep their bits, but for the order of the sums in products. */
WEIR_CHECKED weir_status weir_remap(weir_graph *g, const weir_pass_options *options);

#endif
