/* math/special/bessel.c - modified Bessel functions of order 0 and 1. */
#include <math.h>

#include "math/special/special.h"

/* e^-x I_order(x), x >= 0. The power series has positive terms only; from 30 on the asymptotic
 * series reaches the last bit before it diverges. */
static double i_scaled(int order, double x)
{
    if (x < 30) {
        double q = x * x / 4, term = order ? x / 2 : 1, sum = term;
        for (int k = 1; k < 200 && term > sum * 1e-18; k++)
            sum += term *= q / (k * (double)(k + order));
        return sum * exp(-x);
    }
    double mu = 4.0 * order * order, term = 1, sum = 1;
    for (int k = 1; k < 30; k++) {
        double odd = 2 * k - 1;
        term *= -(mu - odd * odd) / (k * 8 * x);
        sum += term;
        if (fabs(term) < 1e-17)
            break;
    }
    return sum / sqrt(2 * M_PI * x);
}

/* e^x K_order(x) = integral over t >= 0 of exp(-x (cosh t - 1)) cosh(order t). The trapezoidal
 * rule converges exponentially on it. */
static double k_scaled(int order, double x)
{
    if (!(x >= 0))
        return NAN;
    if (x == 0)
        return INFINITY;
    if (x > 1e9) /* where the steps below would be lost to rounding */
        return sqrt(M_PI / (2 * x)) * (1 + (4.0 * order - 1) / (8 * x));
    double end = acosh(1 + 750 / x), h = end / 400, sum = 0.5;
    if (h > 1.0 / 16)
        h = 1.0 / 16;
    for (double t = h; t <= end; t += h) {
        double s = sinh(t / 2);
        sum += exp(-2 * x * s * s) * (order ? cosh(t) : 1);
    }
    return sum * h;
}

double weir_bessel_i0e(double x)
{
    return i_scaled(0, fabs(x));
}

double weir_bessel_i1e(double x)
{
    return copysign(i_scaled(1, fabs(x)), x);
}

double weir_bessel_i0(double x)
{
    return i_scaled(0, fabs(x)) * exp(fabs(x));
}

double weir_bessel_i1(double x)
{
    return copysign(i_scaled(1, fabs(x)), x) * exp(fabs(x));
}

double weir_bessel_k0e(double x)
{
    return k_scaled(0, x);
}

double weir_bessel_k1e(double x)
{
    return k_scaled(1, x);
}

double weir_bessel_k0(double x)
{
    return k_scaled(0, x) * exp(-x);
}

double weir_bessel_k1(double x)
{
    return k_scaled(1, x) * exp(-x);
}
