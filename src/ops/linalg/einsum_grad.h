/* ops/linalg/einsum_grad.h - the gradient of Einsum, by Einsum. */
#ifndef WEIR_OPS_LINALG_EINSUM_GRAD_H
#define WEIR_OPS_LINALG_EINSUM_GRAD_H

#include "grad/grad.h"

weir_status weir_einsum_grad(weir_grad *grad);

#endif
