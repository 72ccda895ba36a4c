/* math/linalg/qr.c - orthogonal factors. */
#include <math.h>

#include "base/stop.h"
#include "math/linalg/linalg.h"

/* The reflection I - tau v v^H that leaves column |j| of a with one number below row j: beta. v is
 * written from scratch[j] on, with v[j] = 1. Returns tau. */
static weir_c128 reflector(int64_t m, int64_t n, const weir_c128 *a, int64_t j, weir_c128 *v,
                           weir_c128 *beta)
{
    weir_c128 head = a[j * n + j];
    double tail = 0;
    for (int64_t i = j + 1; i < m; i++)
        tail += weir_cnorm2(a[i * n + j]);
    if (tail == 0 && cimag(head) == 0) {
        *beta = head;
        for (int64_t i = j; i < m; i++)
            v[i] = i == j;
        return 0;
    }
    double norm = sqrt(weir_cnorm2(head) + tail), b = creal(head) >= 0 ? -norm : norm;
    for (int64_t i = j; i < m; i++)
        v[i] = i == j ? 1 : a[i * n + j] / (head - b);
    *beta = b;
    return conj((b - head) / b);
}

/* rows [j, m) of x (width columns) -= tau v (v^H x) */
static void reflect_rows(int64_t m, int64_t width, int64_t j, weir_c128 *x, const weir_c128 *v,
                         weir_c128 tau, int64_t from)
{
    for (int64_t c = from; c < width; c++) {
        weir_c128 dot = 0;
        for (int64_t i = j; i < m; i++)
            dot += weir_cmul(conj(v[i]), x[i * width + c]);
        dot = weir_cmul(dot, tau);
        for (int64_t i = j; i < m; i++)
            x[i * width + c] -= weir_cmul(dot, v[i]);
    }
}

/* columns [j, m) of q -= tau (q v) v^H */
static void reflect_columns(int64_t m, int64_t j, weir_c128 *q, const weir_c128 *v, weir_c128 tau)
{
    for (int64_t r = 0; r < m; r++) {
        weir_c128 dot = 0;
        for (int64_t i = j; i < m; i++)
            dot += weir_cmul(q[r * m + i], v[i]);
        dot = weir_cmul(dot, tau);
        for (int64_t i = j; i < m; i++)
            q[r * m + i] -= weir_cmul(dot, conj(v[i]));
    }
}

void weir_qr(int64_t m, int64_t n, weir_c128 *a, weir_c128 *q, weir_c128 *scratch)
{
    for (int64_t i = 0; i < m * m; i++)
        q[i] = i / m == i % m;
    for (int64_t j = 0; j < n && j < m && !weir_stopped(); j++) {
        weir_c128 beta, tau = reflector(m, n, a, j, scratch, &beta);
        /* a becomes H a; q collects the adjoints from the right. */
        reflect_rows(m, n, j, a, scratch, tau, j + 1);
        reflect_columns(m, j, q, scratch, conj(tau));
        a[j * n + j] = beta;
        for (int64_t i = j + 1; i < m; i++)
            a[i * n + j] = 0;
    }
}
