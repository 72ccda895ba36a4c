/* math/special/erf.c - inverse error functions and integrals related to them. */
#include <math.h>

#include "math/elem.h"
#include "math/special/special.h"

/* y >= 0 with erfc(y) = q, 0 < q <= 1: a closed form good to two digits, then Halley steps, each
 * of which triples the digits. */
static double erfc_inverse(double q)
{
    const double a = 0.147;
    double l = log(q * (2 - q)), t = 2 / (M_PI * a) + l / 2;
    double y = sqrt(sqrt(t * t - l / a) - t);
    for (int i = 0; i < 4; i++) {
        double over = q > 0.5 ? erf(y) - (1 - q) : q - erfc(y);
        double u = over / (M_2_SQRTPI * exp(-y * y));
        y -= u / (1 + y * u);
    }
    return y;
}

double weir_erfinv(double x)
{
    double a = fabs(x);
    if (!(a <= 1))
        return NAN;
    if (a == 1)
        return copysign(INFINITY, x);
    if (a < 1e-8)
        return x / M_2_SQRTPI;
    return copysign(erfc_inverse(1 - a), x);
}

double weir_ndtri(double p)
{
    if (!(p >= 0 && p <= 1))
        return NAN;
    if (p == 0 || p == 1)
        return p == 0 ? -INFINITY : INFINITY;
    if (p == 0.5)
        return 0;
    return p < 0.5 ? -M_SQRT2 * erfc_inverse(2 * p) : M_SQRT2 * erfc_inverse(2 * (1 - p));
}

/* Rybicki's sum: exponentially accurate samples of a Gaussian at odd multiples of h around x. */
double weir_dawsn(double x)
{
    const double h = 0.2;
    double a = fabs(x);
    if (a < 1e-4)
        return x * (1 - 2.0 / 3 * x * x);
    if (a > 1e4)
        return 0.5 / x;
    double n0 = 2 * round(a / (2 * h)), sum = 0;
    for (int k = -33; k <= 33; k += 2) {
        double d = a - (n0 + k) * h;
        sum += exp(-d * d) / (n0 + k);
    }
    return copysign(sum / sqrt(M_PI), x);
}

/* E1 by its continued fraction, scaled by e^x; x > 1. */
static double e1_scaled(double x)
{
    double b = x + 1, c = 1e300, d = 1 / b, h = d;
    for (int i = 1; i < 1000; i++) {
        double a = -(double)i * i;
        b += 2;
        d = 1 / (a * d + b);
        c = b + a / c;
        h *= c * d;
        if (fabs(c * d - 1) < 1e-16)
            break;
    }
    return h;
}

double weir_expint(double x)
{
    if (x != x)
        return x;
    if (x == 0)
        return -INFINITY;
    if (x < -1)
        return -exp(x) * e1_scaled(-x);
    if (x > 40) { /* asymptotic: 40! / 40^40 is below the last bit */
        double term = 1, sum = 1;
        for (int k = 1; k < 40 && term > 1e-17; k++)
            sum += term *= k / x;
        return exp(x) / x * sum;
    }
    double term = 1, sum = 0;
    for (int k = 1; k < 500; k++) {
        term *= x / k;
        sum += term / k;
        if (fabs(term / k) < fabs(sum) * 1e-17)
            break;
    }
    return 0.57721566490153286061 + log(fabs(x)) + sum;
}

/* C(x) + i S(x), x >= 0: the power series near 0, else the continued fraction of erfc at
 * sqrt(pi)/2 (1 - i) x. */
static double _Complex fresnel(double x)
{
    if (x < 1.6) {
        double t = M_PI_2 * x * x;
        double _Complex term = x, sum = x;
        for (int k = 1; k < 100; k++) {
            term *= CMPLX(0, t) / k;
            sum += term / (2 * k + 1);
            if (cabs(term) < 1e-18 * cabs(sum))
                break;
        }
        return sum;
    }
    if (x > 1e8)
        return CMPLX(0.5, 0.5);
    double p = M_PI * x * x;
    double _Complex b = CMPLX(1, -p), c = 1e300, d = 1 / b, h = d;
    for (int n = 1, k = -1; n < 1000; n++) {
        k += 2;
        double a = -(double)k * (k + 1);
        b += 4;
        d = 1 / (a * d + b);
        c = b + a / c;
        h *= c * d;
        if (cabs(c * d - 1) < 1e-16)
            break;
    }
    h *= CMPLX(x, -x);
    double turn = M_PI_2 * fmod(x * x, 4);
    return CMPLX(0.5, 0.5) * (1 - CMPLX(cos(turn), sin(turn)) * h);
}

double weir_fresnel_cos(double x)
{
    return copysign(creal(fresnel(fabs(x))), x);
}

double weir_fresnel_sin(double x)
{
    return copysign(cimag(fresnel(fabs(x))), x);
}

/* Li2(y) for y in [-1, 1/2] by the series of Bernoulli numbers in u = -log(1 - y). */
static double dilog(double y)
{
    static const double b[] = {1.0 / 36,
                               -1.0 / 3600,
                               1.0 / 211680,
                               -1.0 / 10886400,
                               1.0 / 526901760,
                               -4.0647616451442255e-11,
                               8.9216910204564526e-13,
                               -1.9939295860721076e-14,
                               4.5189800296199182e-16,
                               -1.0356517612182470e-17};
    double u = -log1p(-y), u2 = u * u, p = 0;
    for (int i = 9; i >= 0; i--)
        p = (p + b[i]) * u2;
    return u * (1 + p) - u2 / 4;
}

double weir_spence(double x)
{
    const double zeta2 = M_PI * M_PI / 6;
    if (!(x >= 0))
        return NAN;
    if (x == 0)
        return zeta2;
    if (x < 0.5) /* y = 1 - x in (1/2, 1) */
        return zeta2 - log(x) * log1p(-x) - dilog(x);
    if (x <= 2)
        return dilog(1 - x);
    /* y = 1 - x < -1: by 1 / (1 - y) = 1 / x, which lies in (0, 1/2) */
    double l = log(x);
    return dilog(1 / x) - zeta2 + l * (l / 2 - log(x - 1));
}
