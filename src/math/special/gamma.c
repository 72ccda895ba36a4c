/* math/special/gamma.c - gamma, digamma, zeta and beta functions. */
#include <math.h>

#include "math/special/special.h"

double weir_lgamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* Recurrence up to x >= 10, then the asymptotic series in 1/x^2 with Bernoulli numbers. */
static double digamma_positive(double x)
{
    static const double b[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                               1.0 / 132, -691.0 / 32760, 1.0 / 12};
    double below = 0;
    for (; x < 10; x++)
        below += 1 / x;
    double z = 1 / (x * x), p = 0;
    for (int i = 6; i >= 0; i--)
        p = (p + b[i]) * z;
    return log(x) - 0.5 / x - p - below;
}

double weir_digamma(double x)
{
    if (x > 0)
        return digamma_positive(x);
    if (x == floor(x))
        return NAN;
    /* Reflection; the tangent's argument is brought near 0 first. */
    double r = x - round(x);
    return digamma_positive(1 - x) - M_PI / tan(M_PI * r);
}

/* Euler-Maclaurin: a head of ten terms, an integral, and a tail of derivatives. */
static double zeta_sum(double x, double q)
{
    /* (2k)! / B_2k */
    static const double a[] = {12.0,
                               -720.0,
                               30240.0,
                               -1209600.0,
                               47900160.0,
                               -1.8924375803183791606e9,
                               7.47242496e10,
                               -2.950130727918164224e12,
                               1.1646782814350067249e14,
                               -4.5979787224074726105e15,
                               1.8152105401943546773e17,
                               -7.1661652561756670113e18};
    double sum = 0;
    int head = q < 10 ? 10 : 1;
    for (int i = 0; i < head; i++, q++)
        sum += pow(q, -x);
    double power = pow(q, -x);
    sum += power * q / (x - 1) + 0.5 * power;
    double factor = x * power / q, k = 0;
    for (int i = 0; i < 12; i++, k += 2) {
        double term = factor / a[i];
        sum += term;
        if (fabs(term) < fabs(sum) * 1e-17)
            break;
        factor *= (x + k + 1) * (x + k + 2) / (q * q);
    }
    return sum;
}

double weir_zeta(double x, double q)
{
    if (x == 1)
        return INFINITY;
    if (!(x > 1))
        return NAN;
    if (!(q <= 0))
        return zeta_sum(x, q);
    if (q == floor(q))
        return x == floor(x) && fmod(x, 2) == 0 ? INFINITY : NAN;
    if (x != floor(x))
        return NAN;
    double sum = 0; /* terms with a negative base, then the rest */
    for (; q < 1; q++)
        sum += pow(q, -x);
    return sum + zeta_sum(x, q);
}

double weir_polygamma(double n, double x)
{
    if (n == 0)
        return weir_digamma(x);
    if (!(n > 0) || n != floor(n))
        return NAN;
    double sign = fmod(n, 2) == 0 ? -1 : 1;
    return sign * exp(weir_lgamma(n + 1)) * weir_zeta(n + 1, x);
}

/* Lentz's method for the continued fraction of the incomplete beta function. */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double h = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double terms[] = {even, odd}, delta = 1;
        for (int i = 0; i < 2; i++) {
            d = 1 + terms[i] * d;
            c = 1 + terms[i] / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            delta = c * d;
            h *= delta;
        }
        if (fabs(delta - 1) < 1e-16)
            break;
    }
    return h;
}

double weir_betainc(double a, double b, double x)
{
    if (!(a > 0) || !(b > 0) || !(x >= 0 && x <= 1))
        return NAN;
    if (x == 0 || x == 1)
        return x;
    double front =
        exp(weir_lgamma(a + b) - weir_lgamma(a) - weir_lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}
