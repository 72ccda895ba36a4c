/* math/linalg/linalg.h - dense linear algebra on one small matrix.
 *
 * Matrices are row-major and of complex double, whatever the caller's type: real input stays real
 * in all of these, and narrow types gain accuracy. The algorithms are the unblocked textbook ones,
 * for small solvers and factorisations inside models.
 */
#ifndef WEIR_MATH_LINALG_H
#define WEIR_MATH_LINALG_H

#include "math/elem.h"

/* ---- lu.c ---- */

/* a = P L U in place, L with unit diagonal. perm[i] is the original index of row i; *sign is the
 * sign of the permutation. False when a pivot is 0 (the factors are still valid). */
bool weir_lu(int64_t n, weir_c128 *a, int64_t *perm, int *sign);
/* Solves with factors of weir_lu: overwrites b (|m| columns) with x; |row| is scratch for n. */
void weir_lu_solve(int64_t n, const weir_c128 *lu, const int64_t *perm, int64_t m, weir_c128 *b,
                   weir_c128 *row);
/* Solves a x = b, or adjoint(a) x = b, reading one triangle of a. False if its diagonal has a 0. */
bool weir_triangular_solve(int64_t n, const weir_c128 *a, bool lower, bool adjoint, int64_t m,
                           weir_c128 *b);
/* Cholesky factor L in place, the upper triangle cleared. False if the matrix is not Hermitian
 * positive definite. */
bool weir_cholesky(int64_t n, weir_c128 *a);

/* ---- qr.c ---- */

/* a (m x n) = q r by Householder reflections. a becomes r (upper triangle, the rest 0) and q is
 * m x m. |scratch| holds m numbers. */
void weir_qr(int64_t m, int64_t n, weir_c128 *a, weir_c128 *q, weir_c128 *scratch);

/* ---- eigen.c ---- */

/* Eigenvalues, ascending, of a Hermitian matrix (its lower triangle is read), and orthonormal
 * eigenvectors as the columns of v. a is destroyed. */
void weir_hermitian_eigen(int64_t n, weir_c128 *a, double *w, weir_c128 *v);
/* a (m x n, m >= n) = u diag(s) v^H with s descending; a becomes u (m x n), v is n x n. */
void weir_svd(int64_t m, int64_t n, weir_c128 *a, double *s, weir_c128 *v);

/* ---- schur.c ---- */

/* a = q t q^H, t upper triangular, in place of a. False when it did not converge. */
bool weir_schur(int64_t n, weir_c128 *a, weir_c128 *q);
/* Eigenvalues and unit eigenvectors (columns of v) of any square matrix; a is destroyed. */
bool weir_eigen(int64_t n, weir_c128 *a, weir_c128 *w, weir_c128 *v, weir_c128 *scratch);

/* ---- functions.c ---- */

/* The principal square root and logarithm of a square matrix, in place; |scratch| holds 4 n^2. */
bool weir_matrix_root(int64_t n, weir_c128 *a, weir_c128 *scratch);
bool weir_matrix_log(int64_t n, weir_c128 *a, weir_c128 *scratch);

/* The product without C's special handling of infinities. */
static inline weir_c128 weir_cmul(weir_c128 x, weir_c128 y)
{
    double a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
    return CMPLX(a * c - b * d, a * d + b * c);
}
static inline double weir_cnorm2(weir_c128 x)
{
    return creal(x) * creal(x) + cimag(x) * cimag(x);
}

#endif
