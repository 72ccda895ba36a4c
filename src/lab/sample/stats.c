/* lab/sample/stats.c - quantiles and ranks. */
#include "lab/sample/stats.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double weir_quantile(double *values, size_t count, double part)
{
    if (!count)
        return NAN;
    qsort(values, count, sizeof *values, by_value);
    double at = part * (double)(count - 1);
    size_t below = (size_t)at, above = below + 1 < count ? below + 1 : below;
    return values[below] + (at - (double)below) * (values[above] - values[below]);
}

bool weir_samples_differ(const double *a, size_t a_count, const double *b, size_t b_count)
{
    double wins = 0, n = (double)a_count, m = (double)b_count;
    for (size_t i = 0; i < a_count; i++)
        for (size_t k = 0; k < b_count; k++)
            wins += a[i] > b[k] ? 1 : a[i] == b[k] ? 0.5 : 0;
    double spread = sqrt(n * m * (n + m + 1) / 12);
    return spread > 0 && fabs(wins - n * m / 2) / spread > 2.576;
}
