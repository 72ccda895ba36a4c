/* math/special/special.h - special functions that libm lacks.
 *
 * All in double, accurate to about 1e-13 relative away from zeros; outside their domain they return
 * NaN (or the infinity of the pole) as TensorFlow's do. Pure and thread-safe.
 */
#ifndef WEIR_MATH_SPECIAL_H
#define WEIR_MATH_SPECIAL_H

/* gamma.c */
double weir_lgamma(double x); /* log |gamma(x)| */
double weir_digamma(double x);
double weir_zeta(double x, double q); /* Hurwitz */
double weir_polygamma(double n, double x);
double weir_betainc(double a, double b, double x); /* regularised */

/* igamma.c: regularised incomplete gamma functions, lower and upper */
double weir_igamma(double a, double x);
double weir_igammac(double a, double x);
double weir_igamma_grad_a(double a, double x);     /* d igamma / d a */
double weir_gamma_sample_grad(double a, double x); /* d x / d a of a Gamma(a, 1) sample x */

/* erf.c */
double weir_erfinv(double x);
double weir_ndtri(double p); /* quantile of the standard normal */
double weir_dawsn(double x);
double weir_expint(double x); /* Ei */
double weir_fresnel_cos(double x);
double weir_fresnel_sin(double x);
double weir_spence(double x); /* dilogarithm of 1 - x */

/* bessel.c: modified functions; a trailing e is scaled by e^-|x| (i) or e^x (k) */
double weir_bessel_i0(double x);
double weir_bessel_i0e(double x);
double weir_bessel_i1(double x);
double weir_bessel_i1e(double x);
double weir_bessel_k0(double x);
double weir_bessel_k0e(double x);
double weir_bessel_k1(double x);
double weir_bessel_k1e(double x);

#endif
