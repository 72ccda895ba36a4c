/* ops/nn/pool.h - the geometry of a pool, from the shapes and attrs of its node. */
#ifndef WEIR_OPS_NN_POOL_H
#define WEIR_OPS_NN_POOL_H

#include "math/window/window.h"
#include "op/op.h"
#include "ops/nn/window.h"

typedef struct weir_pool_plan {
    weir_slide slide;
    weir_window window; /* complete only if the shape is */
    weir_shape out;     /* in the node's data format; unknown dims -1 */
    bool transposed;    /* the image is channels first and is transposed for the loops */
} weir_pool_plan;

/* Plans the pool over an image of shape |in|. |ksize| and |strides| are the values of the op's
 * inputs, or null to read the attrs. A window along channels (max pools only) is planned as one
 * along the width of single-channel images. While |building| only the output's shape is
 * planned. */
WEIR_CHECKED weir_status weir_pool_plan_make(const weir_site *site, bool building,
                                             const weir_shape *in, const int64_t *ksize,
                                             const int64_t *strides, weir_pool_plan *out_plan);
/* The same, where |ksize| and |strides| are inputs |first| and |first| + 1 of a running call
 * (first < 0: attrs). */
WEIR_CHECKED weir_status weir_pool_plan_of_call(const weir_call *call, const weir_shape *in,
                                                int first, weir_pool_plan *out_plan);
/* For shape inference: false if ksize or strides are inputs of unknown value. */
WEIR_CHECKED weir_status weir_pool_infer_plan(weir_infer *infer, const weir_shape *in, int first,
                                              bool *out_known, weir_pool_plan *out_plan);

/* An operand in the layout of the loops: itself, or a copy with channels last. The caller releases
 * it. */
WEIR_CHECKED weir_status weir_pool_operand(const weir_pool_plan *plan, const weir_tensor *tensor,
                                           weir_tensor *out_tensor);

#endif
