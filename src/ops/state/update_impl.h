/* ops/state/update_impl.h - whole tensors changed in place by others of their shape. */
#ifndef WEIR_OPS_STATE_UPDATE_IMPL_H
#define WEIR_OPS_STATE_UPDATE_IMPL_H

#include "base/pool.h"
#include "math/update/update.h"
#include "tensor/tensor.h"

/* y = y op x over several threads when that pays. Equal counts and dtypes, and the operation must
 * be defined for them; no division of integers by 0. */
void weir_update_tensor(const weir_par *par, weir_update_op op, weir_tensor *y,
                        const weir_tensor *x);

#endif
