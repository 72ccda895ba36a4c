/* math/linalg/lapack.h - the larger factorizations by LAPACK, which is loaded on first use.
 *
 * Each function has the contract of its namesake in linalg.h, which is the reference. It returns
 * false, with |a| unchanged, if LAPACK is missing or fails, if the matrix has imaginary parts or
 * non-finite elements, or if it is so small that the reference is as fast.
 */
#ifndef WEIR_MATH_LINALG_LAPACK_H
#define WEIR_MATH_LINALG_LAPACK_H

#include "math/elem.h"

/* *out_regular is what weir_lu returns. */
bool weir_lapack_lu(int64_t n, weir_c128 *a, int64_t *perm, int *sign, bool *out_regular);
/* Also false for a matrix that is not positive definite. */
bool weir_lapack_cholesky(int64_t n, weir_c128 *a);
bool weir_lapack_qr(int64_t m, int64_t n, weir_c128 *a, weir_c128 *q);
bool weir_lapack_hermitian_eigen(int64_t n, weir_c128 *a, double *w, weir_c128 *v);
bool weir_lapack_svd(int64_t m, int64_t n, weir_c128 *a, double *s, weir_c128 *v);
bool weir_lapack_eigen(int64_t n, weir_c128 *a, weir_c128 *w, weir_c128 *v);

#endif
