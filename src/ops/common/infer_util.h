/* ops/common/infer_util.h - helpers for shape functions of several families. */
#ifndef WEIR_OPS_COMMON_INFER_UTIL_H
#define WEIR_OPS_COMMON_INFER_UTIL_H

#include <inttypes.h>

#include "op/op.h"

/* True when inference runs before a kernel: all shapes and values are known. */
static inline bool weir_infer_running(const weir_infer *infer)
{
    return infer->in_handles == NULL && infer->out_handles == NULL;
}

/* Appends a dim, failing past WEIR_MAX_RANK; an unknown rank stays unknown. */
WEIR_CHECKED weir_status weir_infer_append(weir_shape *shape, int64_t dim);

/* A shape of known |rank| with unknown dims. */
static inline weir_shape weir_shape_of_rank(int rank)
{
    weir_shape shape = {.rank = rank};
    for (int i = 0; i < rank; i++)
        shape.dims[i] = -1;
    return shape;
}

/* The sum and product of dims that may be unknown (-1); overflow fails. */
WEIR_CHECKED weir_status weir_dim_add(int64_t a, int64_t b, int64_t *out);
WEIR_CHECKED weir_status weir_dim_mul(int64_t a, int64_t b, int64_t *out);

/* The common shape of inputs 0 to |count| - 1, for element-wise ops; before a kernel runs, a
 * mismatch is reported in the wording of TensorFlow's kernels. */
WEIR_CHECKED weir_status weir_infer_alike(weir_infer *infer, int count, weir_shape *out);

/* For the gradient of a unary function: a value and a gradient with the same number of
 * elements. */
WEIR_CHECKED weir_status weir_infer_value_and_gradient(weir_infer *infer);

/* Reads input |in| as the shape of a new tensor: like weir_infer_value_as_shape, but before a
 * kernel no dim may be negative and the element count must not overflow. */
WEIR_CHECKED weir_status weir_infer_new_shape(weir_infer *infer, int in, weir_shape *out_shape);

/* Checks a client's dims: they must be >= 0 and the element count must fit in an int64. */
WEIR_CHECKED weir_status weir_shape_check(const weir_shape *shape);

#endif
