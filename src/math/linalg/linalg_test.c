/* math/linalg/linalg_test.c - factors multiply back to what they came from. */
#include "math/linalg/linalg.h"

#include <stdlib.h>

#include "base/test.h"

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

TEST_MAIN()
