/* base/stack.h - recursion whose depth a client chooses.
 *
 * Functions that follow objects within objects ask here at each level, so that a client that nests
 * them deeply gets a status and no overflow.
 */
#ifndef WEIR_BASE_STACK_H
#define WEIR_BASE_STACK_H

#include "base/status.h"

/* RESOURCE_EXHAUSTED when the calling thread has used most of its stack; |what| is nested too
 * deeply then. Cheap. */
WEIR_CHECKED weir_status weir_stack_check(const char *what);

#endif
