/* math/reduce/reduce.h - reductions over any set of dimensions, and arguments of extrema.
 *
 * Floats are summed in blocks that are combined pairwise, so that the error grows with the
 * logarithm of the length; the order does not depend on the number of threads. NaN propagates
 * through maxima and minima.
 */
#ifndef WEIR_MATH_REDUCE_H
#define WEIR_MATH_REDUCE_H

#include "base/pool.h"
#include "base/status.h"
#include "math/elem.h"

enum { WEIR_REDUCE_RANK = 16 };

typedef enum weir_reduce_op {
    WEIR_R_sum,
    WEIR_R_mean,
    WEIR_R_prod,
    WEIR_R_max,
    WEIR_R_min,
    WEIR_R_norm, /* Euclidean */
    WEIR_R_any,
    WEIR_R_all,
    WEIR_REDUCE_COUNT
} weir_reduce_op;

bool weir_reduce_has(weir_reduce_op op, weir_elem elem);
/* Reduces x, of |rank| |dims|, over the dimensions whose |reduced| is set; y holds the others in
 * order. Fails only when out of scratch memory (16-bit floats are widened first). */
WEIR_CHECKED weir_status weir_reduce_run(const weir_par *par, weir_reduce_op op, weir_elem elem,
                                         int rank, const int64_t *dims, const bool *reduced,
                                         const void *x, void *y);

/* y[o, i] = index along the middle dimension of the first largest (or smallest) element of
 * x[o, :, i]. y is int64, or int32, int16, uint16 by |out|. */
void weir_arg_extreme(const weir_par *par, bool largest, weir_elem elem, weir_elem out,
                      int64_t outer, int64_t length, int64_t inner, const void *x, void *y);

#endif
