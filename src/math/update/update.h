/* math/update/update.h - y[i] = y[i] op x[i], in place.
 *
 * The arithmetic of assign-add, scatter and accumulator ops. Element types are those of
 * math/elem.h. Integers wrap; the 16-bit floats are computed in float and rounded once. x may be
 * one element for all of y. Single-threaded: callers split the work.
 */
#ifndef WEIR_MATH_UPDATE_H
#define WEIR_MATH_UPDATE_H

#include "math/elem.h"

typedef enum weir_update_op {
    WEIR_UPDATE_ADD,
    WEIR_UPDATE_SUB,
    WEIR_UPDATE_MUL,
    WEIR_UPDATE_DIV, /* truncating for integers, which must not be divided by 0 */
    WEIR_UPDATE_MIN,
    WEIR_UPDATE_MAX,
    WEIR_UPDATE_OPS,
} weir_update_op;

/* |x_step| is 1, or 0 to broadcast *x. y and x do not overlap. */
typedef void (*weir_update_fn)(void *y, const void *x, int64_t count, int x_step);

/* Null when |op| is not defined for |elem|. */
weir_update_fn weir_update_find(weir_update_op op, weir_elem elem);
/* True when |elem| is an integer type and one of |count| elements is 0. */
bool weir_update_has_zero(weir_elem elem, const void *x, int64_t count);

#endif
