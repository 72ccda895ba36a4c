/* pass/fuse.h - element-wise ops that follow each other become one loop. */
#ifndef WEIR_PASS_FUSE_H
#define WEIR_PASS_FUSE_H

#include "pass/pass.h"

/* For the graph of one task, when nothing will be sent elsewhere any more: the op that it makes is
 * our own. Shapes must be known; results keep their bits. */
WEIR_CHECKED weir_status weir_fuse_elements(weir_graph *g, const weir_pass_options *options);
/* After that: equal loops over few elements that need nothing of each other become one. */
WEIR_CHECKED weir_status weir_stack_elements(weir_graph *g, const weir_pass_options *options);

#endif
