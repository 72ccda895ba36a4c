/* ops/linalg/decompose_grad.h - gradients of factorisations. */
#ifndef WEIR_OPS_LINALG_DECOMPOSE_GRAD_H
#define WEIR_OPS_LINALG_DECOMPOSE_GRAD_H

#include "grad/grad.h"

weir_status weir_self_adjoint_eig_grad(weir_grad *grad);
weir_status weir_qr_grad(weir_grad *grad); /* of matrices with at least as many rows as columns */

#endif
