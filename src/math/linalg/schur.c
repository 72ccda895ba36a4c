/* math/linalg/schur.c - eigenvalues of general matrices: reduction to Hessenberg form, then shifted
 * QR steps by Givens rotations, all in complex numbers. */
#include <math.h>

#include "base/stop.h"
#include "math/linalg/linalg.h"

enum { STEPS_PER_VALUE = 60 };

typedef struct givens {
    double c;
    weir_c128 s;
} givens;

/* [c, s; -conj(s), c] takes (a, b) to (r, 0). */
static givens make_givens(weir_c128 a, weir_c128 b)
{
    double na = cabs(a), nb = cabs(b), r = hypot(na, nb);
    if (nb == 0)
        return (givens){1, 0};
    if (na == 0)
        return (givens){0, conj(b) / nb};
    return (givens){na / r, weir_cmul(a / na, conj(b)) / r};
}

static void rows_turn(weir_c128 *a, int64_t n, int64_t i, int64_t j, givens givens, int64_t from)
{
    for (int64_t k = from; k < n; k++) {
        weir_c128 x = a[i * n + k], y = a[j * n + k];
        a[i * n + k] = givens.c * x + weir_cmul(givens.s, y);
        a[j * n + k] = givens.c * y - weir_cmul(conj(givens.s), x);
    }
}

static void columns_turn(weir_c128 *a, int64_t n, int64_t i, int64_t j, givens givens, int64_t to)
{
    for (int64_t k = 0; k < to; k++) {
        weir_c128 x = a[k * n + i], y = a[k * n + j];
        a[k * n + i] = givens.c * x + weir_cmul(conj(givens.s), y);
        a[k * n + j] = givens.c * y - weir_cmul(givens.s, x);
    }
}

/* Zeros below the first subdiagonal, one rotation each. */
static void hessenberg(int64_t n, weir_c128 *a, weir_c128 *q)
{
    for (int64_t j = 0; j + 2 < n && !weir_stopped(); j++)
        for (int64_t i = n - 1; i > j + 1; i--) {
            givens givens = make_givens(a[(i - 1) * n + j], a[i * n + j]);
            rows_turn(a, n, i - 1, i, givens, j);
            columns_turn(a, n, i - 1, i, givens, n);
            columns_turn(q, n, i - 1, i, givens, n);
            a[i * n + j] = 0;
        }
}

static bool negligible(const weir_c128 *a, int64_t n, int64_t i)
{
    double around = cabs(a[(i - 1) * n + i - 1]) + cabs(a[i * n + i]);
    return cabs(a[i * n + i - 1]) <= 1e-16 * around || cabs(a[i * n + i - 1]) < 1e-300;
}

/* The eigenvalue of the last 2 x 2 block that is nearer to its corner. */
static weir_c128 wilkinson_shift(const weir_c128 *a, int64_t n, int64_t hi)
{
    weir_c128 p = a[(hi - 1) * n + hi - 1], q = a[(hi - 1) * n + hi], r = a[hi * n + hi - 1];
    weir_c128 d = a[hi * n + hi], half = (p - d) / 2, root = csqrt(half * half + q * r);
    weir_c128 one = d + half + root, two = d + half - root;
    return cabs(one - d) < cabs(two - d) ? one : two;
}

/* One QR step on rows and columns [lo, hi]. */
static void qr_step(int64_t n, weir_c128 *a, weir_c128 *q, int64_t lo, int64_t hi, weir_c128 shift)
{
    weir_c128 x = a[lo * n + lo] - shift, y = a[(lo + 1) * n + lo];
    for (int64_t k = lo; k < hi; k++) {
        givens givens = make_givens(x, y);
        rows_turn(a, n, k, k + 1, givens, k > lo ? k - 1 : lo);
        columns_turn(a, n, k, k + 1, givens, k + 3 < hi + 1 ? k + 3 : hi + 1);
        columns_turn(q, n, k, k + 1, givens, n);
        if (k > lo)
            a[(k + 1) * n + k - 1] = 0;
        if (k + 1 < hi) {
            x = a[(k + 1) * n + k];
            y = a[(k + 2) * n + k];
        }
    }
}

bool weir_schur(int64_t n, weir_c128 *a, weir_c128 *q)
{
    for (int64_t i = 0; i < n * n; i++)
        q[i] = i / n == i % n;
    hessenberg(n, a, q);
    int64_t hi = n - 1;
    for (int tries = 0; hi > 0 && !weir_stopped();) {
        int64_t lo = hi;
        while (lo > 0 && !negligible(a, n, lo))
            lo--;
        if (lo > 0)
            a[lo * n + lo - 1] = 0;
        if (lo == hi) {
            hi--;
            tries = 0;
            continue;
        }
        if (++tries > STEPS_PER_VALUE)
            return false;
        /* An exceptional shift breaks rare cycles. */
        weir_c128 shift = tries % 11 == 10 ? a[hi * n + hi] + cabs(a[hi * n + hi - 1])
                                           : wilkinson_shift(a, n, hi);
        qr_step(n, a, q, lo, hi, shift);
    }
    return true;
}

/* Solves (t - w_k) x = 0 by back substitution from x_k = 1; a repeated eigenvalue is perturbed. */
static void triangular_vector(int64_t n, const weir_c128 *t, int64_t k, weir_c128 *x)
{
    double small = 1e-16 * (cabs(t[k * n + k]) + 1e-300);
    for (int64_t i = 0; i < n; i++)
        x[i] = i == k;
    for (int64_t i = k - 1; i >= 0; i--) {
        weir_c128 sum = 0, d = t[i * n + i] - t[k * n + k];
        for (int64_t j = i + 1; j <= k; j++)
            sum += weir_cmul(t[i * n + j], x[j]);
        x[i] = -sum / (cabs(d) < small ? small : d);
    }
}

bool weir_eigen(int64_t n, weir_c128 *a, weir_c128 *w, weir_c128 *v, weir_c128 *scratch)
{
    weir_c128 *q = scratch, *x = scratch + n * n;
    if (!weir_schur(n, a, q))
        return false;
    for (int64_t k = 0; k < n; k++) {
        double norm = 0;
        w[k] = a[k * n + k];
        triangular_vector(n, a, k, x);
        for (int64_t i = 0; i < n; i++) {
            weir_c128 sum = 0;
            for (int64_t j = 0; j <= k; j++)
                sum += weir_cmul(q[i * n + j], x[j]);
            v[i * n + k] = sum;
            norm += weir_cnorm2(sum);
        }
        for (int64_t i = 0; i < n && norm > 0; i++)
            v[i * n + k] /= sqrt(norm);
    }
    return true;
}
