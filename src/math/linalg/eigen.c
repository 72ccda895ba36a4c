/* math/linalg/eigen.c - Jacobi's methods: plane rotations until convergence. */
#include <float.h>
#include <math.h>

#include "base/stop.h"
#include "math/linalg/linalg.h"

enum { SWEEPS = 60 };

/* The rotation [c, -conj(s); s, c] that makes a 2 x 2 Hermitian matrix [p, conj(r); r, q] diagonal,
 * r below the diagonal. */
static void rotation(double p, double q, weir_c128 r, double *c, weir_c128 *s)
{
    double size = cabs(r), theta = (q - p) / (2 * size);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    *c = 1 / sqrt(t * t + 1);
    *s = r / size * (t * *c);
}

/* Rotates columns i and j of x (rows x width): x_i = c x_i - conj... see rotation. */
static void turn_columns(weir_c128 *x, int64_t rows, int64_t width, int64_t i, int64_t j, double c,
                         weir_c128 s)
{
    for (int64_t k = 0; k < rows; k++) {
        weir_c128 a = x[k * width + i], b = x[k * width + j];
        x[k * width + i] = c * a - weir_cmul(s, b);
        x[k * width + j] = weir_cmul(conj(s), a) + c * b;
    }
}

static void turn_rows(weir_c128 *x, int64_t n, int64_t i, int64_t j, double c, weir_c128 s)
{
    for (int64_t k = 0; k < n; k++) {
        weir_c128 a = x[i * n + k], b = x[j * n + k];
        x[i * n + k] = c * a - weir_cmul(conj(s), b);
        x[j * n + k] = weir_cmul(s, a) + c * b;
    }
}

static void identity(int64_t n, weir_c128 *v)
{
    for (int64_t i = 0; i < n * n; i++)
        v[i] = i / n == i % n;
}

static void swap_columns(weir_c128 *x, int64_t rows, int64_t width, int64_t i, int64_t j)
{
    for (int64_t k = 0; k < rows; k++) {
        weir_c128 t = x[k * width + i];
        x[k * width + i] = x[k * width + j];
        x[k * width + j] = t;
    }
}

/* Checks for cancellation before work on columns of |n|; skipped for short ones. */
static bool is_stopped(int64_t n)
{
    enum { SHORT = 64 };
    return n > SHORT && weir_stopped();
}

static double off_diagonal(int64_t n, const weir_c128 *a)
{
    double sum = 0;
    for (int64_t i = 0; i < n && !is_stopped(n); i++)
        for (int64_t j = 0; j < i; j++)
            sum += weir_cnorm2(a[i * n + j]);
    return sum;
}

void weir_hermitian_eigen(int64_t n, weir_c128 *a, double *w, weir_c128 *v)
{
    double total = 0;
    identity(n, v);
    for (int64_t i = 0; i < n; i++) {
        a[i * n + i] = creal(a[i * n + i]);
        total += weir_cnorm2(a[i * n + i]);
        for (int64_t j = 0; j < i; j++)
            a[j * n + i] = conj(a[i * n + j]);
    }
    total += 2 * off_diagonal(n, a);
    for (int sweep = 0; sweep < SWEEPS && off_diagonal(n, a) > total * 1e-32; sweep++)
        for (int64_t i = 0; i < n && !is_stopped(n); i++)
            for (int64_t j = i + 1; j < n && !is_stopped(n); j++) {
                if (a[j * n + i] == 0)
                    continue;
                double c;
                weir_c128 s;
                rotation(creal(a[i * n + i]), creal(a[j * n + j]), a[j * n + i], &c, &s);
                turn_columns(a, n, n, i, j, c, s);
                turn_rows(a, n, i, j, c, s);
                turn_columns(v, n, n, i, j, c, s);
            }
    for (int64_t i = 0; i < n; i++)
        w[i] = creal(a[i * n + i]);
    for (int64_t i = 0; i < n && !is_stopped(n); i++) {
        int64_t least = i;
        for (int64_t j = i + 1; j < n; j++)
            least = w[j] < w[least] ? j : least;
        double t = w[i];
        w[i] = w[least];
        w[least] = t;
        if (least != i)
            swap_columns(v, n, n, i, least);
    }
}

/* One-sided Jacobi: rotates columns of a to be orthogonal; their lengths are singular values. */
static bool orthogonalise(int64_t m, int64_t n, weir_c128 *a, weir_c128 *v, int64_t i, int64_t j)
{
    double p = 0, q = 0, c;
    weir_c128 r = 0, s;
    for (int64_t k = 0; k < m; k++) {
        p += weir_cnorm2(a[k * n + i]);
        q += weir_cnorm2(a[k * n + j]);
        r += weir_cmul(conj(a[k * n + j]), a[k * n + i]);
    }
    if (cabs(r) <= 1e-16 * sqrt(p * q) || cabs(r) < DBL_MIN)
        return false;
    rotation(p, q, r, &c, &s);
    turn_columns(a, m, n, i, j, c, s);
    turn_columns(v, n, n, i, j, c, s);
    return true;
}

static void sort_columns(int64_t m, int64_t n, weir_c128 *a, double *s, weir_c128 *v)
{
    for (int64_t i = 0; i < n && !is_stopped(n); i++) {
        int64_t most = i;
        for (int64_t j = i + 1; j < n; j++)
            most = s[j] > s[most] ? j : most;
        if (most == i)
            continue;
        double t = s[i];
        s[i] = s[most];
        s[most] = t;
        swap_columns(a, m, n, i, most);
        swap_columns(v, n, n, i, most);
    }
}

void weir_svd(int64_t m, int64_t n, weir_c128 *a, double *s, weir_c128 *v)
{
    identity(n, v);
    bool turned = true;
    for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
        turned = false;
        for (int64_t i = 0; i < n && !is_stopped(n); i++)
            for (int64_t j = i + 1; j < n && !is_stopped(n); j++)
                turned |= orthogonalise(m, n, a, v, i, j);
    }
    for (int64_t j = 0; j < n && !is_stopped(n); j++) {
        double sum = 0;
        for (int64_t k = 0; k < m; k++)
            sum += weir_cnorm2(a[k * n + j]);
        s[j] = sqrt(sum);
    }
    sort_columns(m, n, a, s, v);
    for (int64_t j = 0; j < n && !is_stopped(n); j++)
        for (int64_t k = 0; k < m && s[j] > 0; k++)
            a[k * n + j] /= s[j];
}
