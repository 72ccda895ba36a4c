/* math/binary/binary.h - z = f(x, y), element by element with broadcasting.
 *
 * The functions are the lines of binary.inc. z may alias x or y unless that operand is broadcast or
 * the element type changes. The 16-bit floats are computed in float and rounded once. Results do
 * not depend on the number of threads.
 */
#ifndef WEIR_MATH_BINARY_H
#define WEIR_MATH_BINARY_H

#include "base/pool.h"
#include "math/broadcast.h"
#include "math/elem.h"

typedef enum weir_binary_op {
#define WEIR_BINARY(name, f, i, c) WEIR_B_##name,
#define WEIR_COMPARE(name, r, c) WEIR_B_##name,
#define WEIR_LOGICAL(name, b) WEIR_B_##name,
#include "math/binary/binary.inc"
    WEIR_BINARY_COUNT
} weir_binary_op;

/* Which operand is a broadcast scalar. */
typedef enum weir_binary_mode { WEIR_BOTH_VARY, WEIR_X_REPEATS, WEIR_Y_REPEATS } weir_binary_mode;

/* False when some element is undefined (integer division by zero, a negative power); that element
 * is 0 and the others are valid. */
typedef bool (*weir_binary_fn)(int64_t count, const void *x, const void *y, void *z,
                               weir_binary_mode mode);

/* The loop for one thread; null when |op| is not defined for |elem|. Not to be called for the
 * 16-bit floats, which need the functions below. */
weir_binary_fn weir_binary_find(weir_binary_op op, weir_elem elem);
/* Element type of the result. */
weir_elem weir_binary_out(weir_binary_op op, weir_elem elem);

/* Arrays of |count| elements, or one of them a scalar. Returns as above. */
bool weir_binary_flat(const weir_par *par, weir_binary_op op, weir_elem elem, int64_t count,
                      const void *x, const void *y, void *z, weir_binary_mode mode);
/* Any broadcast of two operands. */
bool weir_binary_bcast(const weir_par *par, weir_binary_op op, weir_elem elem,
                       const weir_bcast *bcast, const void *x, const void *y, void *z);

#endif
