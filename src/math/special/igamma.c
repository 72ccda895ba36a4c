/* math/special/igamma.c - incomplete gamma functions and their derivative in a.
 *
 * Below the peak the power series converges, above it the continued fraction. The derivative
 * carries d/da of every quantity beside its value: x * d/da is written da_x.
 */
#include <math.h>
#include <stdbool.h>

#include "math/special/special.h"

enum { STEPS = 10000 };
static const double epsilon = 1e-17;

typedef struct dual {
    double v, da; /* value, derivative in a */
} dual;

/* x^a e^-x / gamma(a) */
static dual front(double a, double x)
{
    double v = exp(a * log(x) - x - weir_lgamma(a));
    return (dual){v, v * (log(x) - weir_digamma(a))};
}

/* sum of x^n / (a (a+1) ... (a+n)) */
static dual series(double a, double x)
{
    double term = 1 / a, da_term = -1 / (a * a);
    dual sum = {term, da_term};
    for (int n = 1; n < STEPS; n++) {
        double f = x / (a + n);
        da_term = da_term * f - term * f / (a + n);
        term *= f;
        sum.v += term;
        sum.da += da_term;
        if (term < sum.v * epsilon && fabs(da_term) <= fabs(sum.da) * epsilon)
            break;
    }
    return sum;
}

/* The fraction 1/(x+1-a- 1(1-a)/(x+3-a- ...)) by Lentz's method, differentiated step by step. */
static dual fraction(double a, double x)
{
    const double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, da_c = 0;
    double d = 1 / b, da_d = d * d, h = d, da_h = da_d;
    for (int n = 1; n < STEPS; n++) {
        double an = -n * (n - a), da_an = n;
        b += 2;
        double t = an * d + b, da_t = da_an * d + an * da_d - 1;
        if (fabs(t) < tiny)
            t = tiny;
        da_d = -da_t / (t * t);
        d = 1 / t;
        double s = b + an / c, da_s = -1 + da_an / c - an * da_c / (c * c);
        if (fabs(s) < tiny)
            s = tiny;
        c = s;
        da_c = da_s;
        double delta = c * d, da_delta = da_c * d + c * da_d;
        da_h = da_h * delta + h * da_delta;
        h *= delta;
        if (fabs(delta - 1) < 1e-16 && fabs(da_delta * h) <= fabs(da_h) * 1e-16)
            break;
    }
    return (dual){h, da_h};
}

static bool below_peak(double a, double x)
{
    return x <= 1 || x <= a;
}

double weir_igamma(double a, double x)
{
    if (!(x >= 0) || !(a > 0))
        return NAN;
    if (x == 0)
        return 0;
    if (isinf(a))
        return isinf(x) ? NAN : 0;
    if (isinf(x))
        return 1;
    if (!below_peak(a, x))
        return 1 - weir_igammac(a, x);
    return front(a, x).v * series(a, x).v;
}

double weir_igammac(double a, double x)
{
    if (!(x >= 0) || !(a > 0))
        return NAN;
    if (x == 0)
        return 1;
    if (isinf(a))
        return isinf(x) ? NAN : 1;
    if (isinf(x))
        return 0;
    if (below_peak(a, x))
        return 1 - weir_igamma(a, x);
    return front(a, x).v * fraction(a, x).v;
}

double weir_igamma_grad_a(double a, double x)
{
    if (x == 0)
        return 0;
    if (!(x > 0) || !(a > 0))
        return NAN;
    dual this_dual = front(a, x);
    if (below_peak(a, x)) {
        dual dual = series(a, x);
        return this_dual.da * dual.v + this_dual.v * dual.da;
    }
    dual dual = fraction(a, x);
    return -(this_dual.da * dual.v + this_dual.v * dual.da);
}

/* By the implicit function theorem: -dP/da over the density x^(a-1) e^-x / gamma(a). The common
 * factor front() is divided out so that neither under- nor overflows alone. */
double weir_gamma_sample_grad(double a, double x)
{
    if (x == 0)
        return 0;
    if (!(x > 0) || !(a > 0))
        return NAN;
    double rate = log(x) - weir_digamma(a);
    if (below_peak(a, x)) {
        dual dual = series(a, x);
        return -x * (rate * dual.v + dual.da);
    }
    dual dual = fraction(a, x);
    return x * (rate * dual.v + dual.da);
}
