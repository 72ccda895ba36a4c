/* math/unary/unary.h - y[i] = f(x[i]).
 *
 * The functions are the lines of unary.inc. x and y are arrays of |count| elements, equal or
 * disjoint; y has the element type weir_unary_out says. The 16-bit floats are computed in float
 * and rounded once. Results do not depend on the number of threads; the last bits of float
 * functions may depend on the instruction set.
 */
#ifndef WEIR_MATH_UNARY_H
#define WEIR_MATH_UNARY_H

#include "base/pool.h"
#include "math/elem.h"

typedef enum weir_unary_op {
#define WEIR_UNARY(name, f, i, c) WEIR_U_##name,
#define WEIR_TRIG(name) WEIR_U_##name,
#define WEIR_PREDICATE(name, f) WEIR_U_##name,
#define WEIR_COUNT_BITS(name) WEIR_U_##name,
#define WEIR_PART(name, c) WEIR_U_##name,
#include "math/unary/unary.inc"
    WEIR_UNARY_COUNT
} weir_unary_op;

/* Selu's constants: scale, and scale times alpha. */
#define WEIR_SELU_SCALE 1.0507009873554804934193349852946
#define WEIR_SELU_ALPHA 1.7580993408473768599402175208123

typedef void (*weir_unary_fn)(int64_t count, const void *x, void *y);

/* The loop for one thread; null when |op| is not defined for |elem|. Never null for the 16-bit
 * floats where float has one, but those need weir_unary_run. */
weir_unary_fn weir_unary_find(weir_unary_op op, weir_elem elem);
/* Element type of the result. */
weir_elem weir_unary_out(weir_unary_op op, weir_elem elem);
/* Runs the loop, in parallel when it is long. |op| must be defined for |elem|. */
void weir_unary_run(const weir_par *par, weir_unary_op op, weir_elem elem, int64_t count,
                    const void *x, void *y);

#endif
