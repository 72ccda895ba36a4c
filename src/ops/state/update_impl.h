/* ops/state/update_impl.h - in-place updates of whole tensors by tensors of the same shape. */
#ifndef WEIR_OPS_STATE_UPDATE_IMPL_H
#define WEIR_OPS_STATE_UPDATE_IMPL_H

#include "base/pool.h"
#include "math/update/update.h"
#include "tensor/tensor.h"

/* y = y op x, in parallel if large enough. Counts and dtypes must match, and the operation must be
 * defined for them; no division of integers by 0. */
void weir_update_tensor(const weir_par *par, weir_update_op op, weir_tensor *y,
                        const weir_tensor *x);

#endif
