/* math/linalg/linalg_test.c - factors multiply back to the original. */
#include "math/linalg/linalg.h"

#include <stdlib.h>

#include "base/test.h"
#include "math/linalg/lapack.h"

enum { N = 6 };

static weir_c128 draw(bool real)
{
    double a = (double)rand() / RAND_MAX - 0.5, b = (double)rand() / RAND_MAX - 0.5;
    return CMPLX(a, real ? 0 : b);
}

static void fill(weir_c128 *a, int count, bool real)
{
    for (int i = 0; i < count; i++)
        a[i] = draw(real);
}

/* Largest element of a (m x k) b (k x n) - c. */
static double residual(int m, int k, int n, const weir_c128 *a, const weir_c128 *b,
                       const weir_c128 *c)
{
    double worst = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            weir_c128 sum = -c[i * n + j];
            for (int p = 0; p < k; p++)
                sum += a[i * k + p] * b[p * n + j];
            worst = fmax(worst, cabs(sum));
        }
    return worst;
}

static void both(void (*check)(bool real))
{
    check(true);
    check(false);
}

static void check_lu(bool real)
{
    weir_c128 a[N * N], lu[N * N], b[N * 2], x[N * 2], row[N];
    int64_t perm[N];
    int sign;
    fill(a, N * N, real);
    fill(b, N * 2, real);
    memcpy(lu, a, sizeof a);
    memcpy(x, b, sizeof b);
    CHECK(weir_lu(N, lu, perm, &sign));
    weir_lu_solve(N, lu, perm, 2, x, row);
    CHECK_NEAR(residual(N, N, 2, a, x, b), 0, 1e-12);
}

static void check_qr(bool real)
{
    weir_c128 a[N * 4], r[N * 4], q[N * N], scratch[N];
    fill(a, N * 4, real);
    memcpy(r, a, sizeof a);
    weir_qr(N, 4, r, q, scratch);
    CHECK_NEAR(residual(N, N, 4, q, r, a), 0, 1e-13);
}

static void check_svd(bool real)
{
    weir_c128 a[N * 4], u[N * 4], v[16], scaled[16];
    double s[4];
    fill(a, N * 4, real);
    memcpy(u, a, sizeof a);
    weir_svd(N, 4, u, s, v);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            scaled[i * 4 + j] = s[i] * conj(v[j * 4 + i]);
    CHECK_NEAR(residual(N, 4, 4, u, scaled, a), 0, 1e-13);
    CHECK(s[0] >= s[1] && s[1] >= s[2] && s[2] >= s[3]);
}

static void check_hermitian(bool real)
{
    weir_c128 x[N * N], a[N * N], copy[N * N], v[N * N], scaled[N * N];
    double w[N];
    fill(x, N * N, real);
    for (int i = 0; i < N * N; i++)
        copy[i] = a[i] = x[i] + conj(x[i % N * N + i / N]);
    weir_hermitian_eigen(N, copy, w, v);
    for (int i = 0; i < N * N; i++)
        scaled[i] = v[i] * w[i % N];
    CHECK_NEAR(residual(N, N, N, a, v, scaled), 0, 1e-12);
}

static void check_eigen(bool real)
{
    weir_c128 a[N * N], copy[N * N], w[N], v[N * N], scaled[N * N], scratch[N * N + N];
    fill(a, N * N, real);
    memcpy(copy, a, sizeof a);
    CHECK(weir_eigen(N, copy, w, v, scratch));
    for (int i = 0; i < N * N; i++)
        scaled[i] = v[i] * w[i % N];
    CHECK_NEAR(residual(N, N, N, a, v, scaled), 0, 1e-12);
}

static void check_functions(bool real)
{
    weir_c128 x[N * N], a[N * N], root[N * N], log[N * N], half[N * N], scratch[4 * N * N];
    fill(x, N * N, real);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i * N + j] = i == j ? 3 : 0;
            for (int k = 0; k < N; k++)
                a[i * N + j] += x[i * N + k] * conj(x[j * N + k]);
        }
    memcpy(root, a, sizeof a);
    CHECK(weir_matrix_root(N, root, scratch));
    CHECK_NEAR(residual(N, N, N, root, root, a), 0, 1e-12);
    memcpy(log, a, sizeof a);
    CHECK(weir_matrix_log(N, log, scratch));
    memcpy(half, root, sizeof root); /* log of the root is half the log */
    CHECK(weir_matrix_log(N, half, scratch));
    for (int i = 0; i < N * N; i++)
        CHECK_NEAR(cabs(2 * half[i] - log[i]), 0, 1e-11);
}

TEST(solves_by_lu)
{
    both(check_lu);
}
TEST(factors_orthogonally)
{
    both(check_qr);
}
TEST(finds_singular_values)
{
    both(check_svd);
}
TEST(finds_hermitian_eigenvalues)
{
    both(check_hermitian);
}
TEST(finds_any_eigenvalues)
{
    both(check_eigen);
}
TEST(takes_roots_and_logarithms)
{
    both(check_functions);
}

TEST(refuses_what_has_no_factor)
{
    weir_c128 indefinite[] = {1, 2, 2, 1}, singular[] = {1, 2, 2, 4};
    int64_t perm[2];
    int sign;
    CHECK(!weir_cholesky(2, indefinite));
    CHECK(!weir_lu(2, singular, perm, &sign));
}

/* ---- LAPACK, if installed, compared with our loops ------------------------------------------- */

enum { LARGE = 70 };
static weir_c128 input[LARGE * LARGE], ours[LARGE * LARGE], theirs[LARGE * LARGE];
static weir_c128 q[LARGE * LARGE], p[LARGE * LARGE], space[4 * LARGE * LARGE];

/* Random; with |symmetric|, also positive definite. */
static void fill_inputs(bool symmetric)
{
    fill(input, LARGE * LARGE, true);
    for (int i = 0; symmetric && i < LARGE; i++)
        for (int j = 0; j <= i; j++)
            input[j * LARGE + i] = input[i * LARGE + j] += i == j ? LARGE : 0;
    memcpy(ours, input, sizeof input);
    memcpy(theirs, input, sizeof input);
}

static double difference(const weir_c128 *a, const weir_c128 *b, int count)
{
    double worst = 0;
    for (int i = 0; i < count; i++)
        worst = fmax(worst, cabs(a[i] - b[i]));
    return worst;
}

TEST(lapack_has_our_triangular_factors)
{
    int64_t perm[LARGE], our_perm[LARGE];
    int sign, our_sign = 0;
    bool regular;
    fill_inputs(false);
    if (!weir_lapack_lu(LARGE, theirs, perm, &sign, &regular))
        return;
    CHECK(regular && weir_lu(LARGE, ours, our_perm, &our_sign));
    CHECK(sign == our_sign && memcmp(perm, our_perm, sizeof perm) == 0);
    CHECK_NEAR(difference(ours, theirs, LARGE * LARGE), 0, 1e-10);
    fill_inputs(true);
    CHECK(weir_lapack_cholesky(LARGE, theirs) && weir_cholesky(LARGE, ours));
    CHECK_NEAR(difference(ours, theirs, LARGE * LARGE), 0, 1e-10);
}

static void check_lapack_qr(int m, int n)
{
    fill_inputs(false);
    if (!weir_lapack_qr(m, n, theirs, p))
        return;
    weir_qr(m, n, ours, q, space);
    CHECK_NEAR(difference(ours, theirs, m * n), 0, 1e-10);
    CHECK_NEAR(difference(q, p, m * m), 0, 1e-10);
}
TEST(lapack_has_our_orthogonal_factors)
{
    check_lapack_qr(LARGE, LARGE);
    check_lapack_qr(LARGE, 40);
    check_lapack_qr(40, LARGE);
}

TEST(lapack_has_our_eigenvalues)
{
    double w[LARGE], our_w[LARGE];
    fill_inputs(true);
    if (!weir_lapack_hermitian_eigen(LARGE, theirs, w, p))
        return;
    weir_hermitian_eigen(LARGE, ours, our_w, q);
    for (int k = 0; k < LARGE; k++) {
        CHECK_NEAR(w[k], our_w[k], 1e-9);
        for (int i = 0; i < LARGE; i++)
            space[i * LARGE + k] = w[k] * p[i * LARGE + k];
    }
    CHECK_NEAR(residual(LARGE, LARGE, LARGE, input, p, space), 0, 1e-9);
}

TEST(lapack_has_our_singular_values)
{
    double s[LARGE], our_s[LARGE];
    enum { COLUMNS = 50 };
    fill_inputs(false);
    if (!weir_lapack_svd(LARGE, COLUMNS, theirs, s, p))
        return;
    weir_svd(LARGE, COLUMNS, ours, our_s, q);
    for (int k = 0; k < COLUMNS; k++) {
        CHECK_NEAR(s[k], our_s[k], 1e-9);
        for (int i = 0; i < COLUMNS; i++)
            space[k * COLUMNS + i] = s[k] * p[i * COLUMNS + k];
    }
    CHECK_NEAR(residual(LARGE, COLUMNS, COLUMNS, theirs, space, input), 0, 1e-9);
}

TEST(lapack_finds_any_eigenvalues)
{
    weir_c128 w[LARGE];
    fill_inputs(false);
    if (!weir_lapack_eigen(LARGE, theirs, w, p))
        return;
    for (int k = 0; k < LARGE; k++)
        for (int i = 0; i < LARGE; i++)
            space[i * LARGE + k] = w[k] * p[i * LARGE + k];
    CHECK_NEAR(residual(LARGE, LARGE, LARGE, input, p, space), 0, 1e-9);
}

TEST(lapack_leaves_complex_and_small_matrices_alone)
{
    fill_inputs(true);
    theirs[3] = CMPLX(0, 1);
    CHECK(!weir_lapack_cholesky(LARGE, theirs));
    theirs[3] = NAN;
    CHECK(!weir_lapack_cholesky(LARGE, theirs));
    CHECK(!weir_lapack_cholesky(2, theirs));
}

TEST_MAIN()
