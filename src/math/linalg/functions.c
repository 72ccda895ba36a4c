/* math/linalg/functions.c - square roots and logarithms of matrices, on their triangular Schur
 * factors. */
#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "math/linalg/linalg.h"

/* The root r of triangular t: r^2 = t, diagonal by diagonal. */
static void triangular_root(int64_t n, const weir_c128 *t, weir_c128 *r)
{
    memset(r, 0, (size_t)(n * n) * sizeof *r);
    for (int64_t j = 0; j < n && !weir_stopped(); j++) {
        r[j * n + j] = csqrt(t[j * n + j]);
        for (int64_t i = j - 1; i >= 0; i--) {
            weir_c128 sum = t[i * n + j], d = r[i * n + i] + r[j * n + j];
            for (int64_t k = i + 1; k < j; k++)
                sum -= weir_cmul(r[i * n + k], r[k * n + j]);
            r[i * n + j] = d == 0 ? 0 : sum / d;
        }
    }
}

static double distance_to_one(int64_t n, const weir_c128 *t)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        double row = 0;
        for (int64_t j = i; j < n; j++)
            row += cabs(t[i * n + j] - (i == j));
        most = row > most ? row : most;
    }
    return most;
}

/* log(1 + x) of triangular x with a small norm, as the integral of x / (1 + s x) over s in [0, 1]
 * by Gauss-Legendre points: exact to rounding for a norm below a quarter. */
static void triangular_log1p(int64_t n, const weir_c128 *x, weir_c128 *out, weir_c128 *scratch)
{
    static const double point[] = {0.0254460438286207, 0.1292344072003028, 0.2970774243113014, 0.5,
                                   0.7029225756886986, 0.8707655927996972, 0.9745539561713793};
    static const double weight[] = {0.0647424830844348, 0.1398526957446383, 0.1909150252525595,
                                    0.2089795918367347, 0.1909150252525595, 0.1398526957446383,
                                    0.0647424830844348};
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    for (int p = 0; p < 7 && !weir_stopped(); p++) {
        weir_c128 *left = scratch, *right = scratch + n * n;
        for (int64_t i = 0; i < n * n; i++) {
            left[i] = (i / n == i % n) + point[p] * x[i];
            right[i] = x[i];
        }
        weir_triangular_solve(n, left, false, false, n, right);
        for (int64_t i = 0; i < n * n; i++)
            out[i] += weight[p] * right[i];
    }
}

/* a = q t q^H */
static void assemble(int64_t n, const weir_c128 *q, const weir_c128 *t, weir_c128 *a,
                     weir_c128 *scratch)
{
    for (int64_t i = 0; i < n && !weir_stopped(); i++)
        for (int64_t j = 0; j < n; j++) {
            weir_c128 sum = 0;
            for (int64_t k = 0; k <= j; k++)
                sum += weir_cmul(q[i * n + k], t[k * n + j]);
            scratch[i * n + j] = sum;
        }
    for (int64_t i = 0; i < n && !weir_stopped(); i++)
        for (int64_t j = 0; j < n; j++) {
            weir_c128 sum = 0;
            for (int64_t k = 0; k < n; k++)
                sum += weir_cmul(scratch[i * n + k], conj(q[j * n + k]));
            a[i * n + j] = sum;
        }
}

bool weir_matrix_root(int64_t n, weir_c128 *a, weir_c128 *scratch)
{
    weir_c128 *q = scratch, *r = q + n * n, *rest = r + n * n;
    if (!weir_schur(n, a, q))
        return false;
    triangular_root(n, a, r);
    assemble(n, q, r, a, rest);
    return true;
}

bool weir_matrix_log(int64_t n, weir_c128 *a, weir_c128 *scratch)
{
    enum { ROOTS = 100 };
    weir_c128 *q = scratch, *r = q + n * n, *rest = r + n * n;
    int roots = 0;
    if (!weir_schur(n, a, q))
        return false;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            a[i * n + j] = 0;
    /* Square roots bring the matrix near 1 for the integral; each doubles the result. */
    for (; roots < ROOTS && distance_to_one(n, a) > 0.1 && !weir_stopped(); roots++) {
        triangular_root(n, a, r);
        memcpy(a, r, (size_t)(n * n) * sizeof *a);
    }
    for (int64_t i = 0; i < n; i++)
        a[i * n + i] -= 1;
    triangular_log1p(n, a, r, rest);
    for (int64_t i = 0; i < n * n; i++)
        r[i] *= ldexp(1, roots);
    assemble(n, q, r, a, rest);
    return true;
}
