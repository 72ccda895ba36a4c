/* math/linalg/lu.c - triangular factors and solves. */
#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "math/linalg/linalg.h"

static void swap_rows(weir_c128 *a, int64_t width, int64_t i, int64_t j)
{
    for (int64_t k = 0; k < width && i != j; k++) {
        weir_c128 t = a[i * width + k];
        a[i * width + k] = a[j * width + k];
        a[j * width + k] = t;
    }
}

/* row i -= f * row j over columns [from, width) */
static void subtract(weir_c128 *a, int64_t width, int64_t i, int64_t j, weir_c128 f, int64_t from)
{
    for (int64_t k = from; k < width; k++)
        a[i * width + k] -= weir_cmul(f, a[j * width + k]);
}

static bool is_real(int64_t count, const weir_c128 *a)
{
    for (int64_t i = 0; i < count; i++)
        if (cimag(a[i]) != 0)
            return false;
    return true;
}

/* row i -= (a[i, j] / a[j, j]) * row j. Of real numbers nothing imaginary comes: infinity * 0 would
 * be a NaN there, and then everywhere. */
static void eliminate(weir_c128 *a, int64_t n, int64_t i, int64_t j, bool real)
{
    if (!real) {
        weir_c128 f = a[i * n + j] /= a[j * n + j];
        subtract(a, n, i, j, f, j + 1);
        return;
    }
    double f = creal(a[i * n + j]) / creal(a[j * n + j]);
    a[i * n + j] = f;
    for (int64_t k = j + 1; k < n; k++)
        a[i * n + k] = creal(a[i * n + k]) - f * creal(a[j * n + k]);
}

bool weir_lu(int64_t n, weir_c128 *a, int64_t *perm, int *sign)
{
    bool regular = true, real = is_real(n * n, a);
    *sign = 1;
    for (int64_t i = 0; i < n; i++)
        perm[i] = i;
    for (int64_t j = 0; j < n && !weir_stopped(); j++) {
        int64_t p = j;
        for (int64_t i = j + 1; i < n; i++)
            if (weir_cnorm2(a[i * n + j]) > weir_cnorm2(a[p * n + j]))
                p = i;
        if (p != j) {
            int64_t t = perm[j];
            perm[j] = perm[p];
            perm[p] = t;
            *sign = -*sign;
            swap_rows(a, n, j, p);
        }
        if (a[j * n + j] == 0) {
            regular = false;
            continue;
        }
        for (int64_t i = j + 1; i < n; i++)
            eliminate(a, n, i, j, real);
    }
    return regular;
}

void weir_lu_solve(int64_t n, const weir_c128 *lu, const int64_t *perm, int64_t m, weir_c128 *b,
                   weir_c128 *row)
{
    for (int64_t c = 0; c < m && !weir_stopped(); c++) { /* permutes columns of b */
        for (int64_t i = 0; i < n; i++)
            row[i] = b[perm[i] * m + c];
        for (int64_t i = 0; i < n; i++)
            b[i * m + c] = row[i];
    }
    for (int64_t i = 0; i < n && !weir_stopped(); i++)
        for (int64_t j = 0; j < i; j++)
            subtract(b, m, i, j, lu[i * n + j], 0);
    for (int64_t i = n - 1; i >= 0 && !weir_stopped(); i--) {
        for (int64_t j = i + 1; j < n; j++)
            subtract(b, m, i, j, lu[i * n + j], 0);
        for (int64_t c = 0; c < m; c++)
            b[i * m + c] /= lu[i * n + i];
    }
}

bool weir_triangular_solve(int64_t n, const weir_c128 *a, bool lower, bool adjoint, int64_t m,
                           weir_c128 *b)
{
    bool forward = lower != adjoint; /* which unknown is alone in its equation */
    bool regular = true;
    for (int64_t step = 0; step < n && !weir_stopped(); step++) {
        int64_t i = forward ? step : n - 1 - step;
        weir_c128 d = adjoint ? conj(a[i * n + i]) : a[i * n + i];
        regular &= d != 0;
        int64_t from = forward ? 0 : i + 1, to = forward ? i : n;
        for (int64_t j = from; j < to; j++)
            subtract(b, m, i, j, adjoint ? conj(a[j * n + i]) : a[i * n + j], 0);
        for (int64_t c = 0; c < m; c++)
            b[i * m + c] = d != 0 ? b[i * m + c] / d : creal(b[i * m + c]) / creal(d);
    }
    return regular;
}

bool weir_cholesky(int64_t n, weir_c128 *a)
{
    for (int64_t j = 0; j < n && !weir_stopped(); j++) {
        double d = creal(a[j * n + j]);
        for (int64_t k = 0; k < j; k++)
            d -= weir_cnorm2(a[j * n + k]);
        if (!(d > 0))
            return false;
        d = sqrt(d);
        a[j * n + j] = d;
        for (int64_t i = j + 1; i < n; i++) {
            weir_c128 sum = a[i * n + j];
            for (int64_t k = 0; k < j; k++)
                sum -= weir_cmul(a[i * n + k], conj(a[j * n + k]));
            a[i * n + j] = sum / d;
        }
        for (int64_t k = j + 1; k < n; k++)
            a[j * n + k] = 0;
    }
    return true;
}
