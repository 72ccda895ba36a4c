/* base/stack.h - recursion whose depth a client chooses.
 *
 * Recursive functions check the stack here at each level, so that deep nesting by a client results
 * in a status instead of a stack overflow.
 */
#ifndef WEIR_BASE_STACK_H
#define WEIR_BASE_STACK_H

#include "base/status.h"

/* RESOURCE_EXHAUSTED, "|what| is nested too deeply", when the calling thread has used most of its
 * stack. Cheap. */
WEIR_CHECKED weir_status weir_stack_check(const char *what);

#endif
