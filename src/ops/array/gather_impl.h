/* ops/array/gather_impl.h - shared by the kernels and the gradients of Gather. */
#ifndef WEIR_OPS_ARRAY_GATHER_IMPL_H
#define WEIR_OPS_ARRAY_GATHER_IMPL_H

#include "grad/grad.h"

enum { WEIR_GATHER_BATCH_DIMS }; /* attr of GatherV2 */

weir_status weir_gather_grad_v1(weir_grad *grad);
weir_status weir_gather_grad_v2(weir_grad *grad);

#endif
