/* ops/math/special.c - error, gamma and Bessel functions and their relatives. */
#include <math.h>

#include "ops/math/elementwise.h"
#include "ops/math/gradient.h"

/* value * exp(scale * a^2) */
static weir_edge gauss(weir_grad *grad, double value, double scale, weir_edge a)
{
    return TIMES(value, OP1("Exp", TIMES(scale, SQUARE(a))));
}

GRADIENT(erf_grad, MUL(DY, gauss(grad, M_2_SQRTPI, -1, X)))
GRADIENT(erfc_grad, MUL(DY, gauss(grad, -M_2_SQRTPI, -1, X)))
GRADIENT(erfinv_grad, MUL(DY, gauss(grad, 1 / M_2_SQRTPI, 1, Y)))
GRADIENT(ndtri_grad, MUL(DY, gauss(grad, sqrt(2 * M_PI), 0.5, Y)))
GRADIENT(lgamma_grad, MUL(DY, OP1("Digamma", X)))
GRADIENT(digamma_grad, MUL(DY, OP2("Polygamma", LIKE(X, 1), X)))
GRADIENT(dawsn_grad, MUL(DY, PLUS(1, MUL(TIMES(-2, X), Y))))
GRADIENT(expint_grad, DIV(MUL(DY, OP1("Exp", X)), X))
GRADIENT(fresnel_cos_grad, MUL(DY, OP1("Cos", TIMES(M_PI_2, SQUARE(X)))))
GRADIENT(fresnel_sin_grad, MUL(DY, OP1("Sin", TIMES(M_PI_2, SQUARE(X)))))

static weir_status spence_grad(weir_grad *grad)
{
    weir_edge x = X, one = LIKE(x, 1);
    weir_edge slope = DIV(OP1("Log", x), SUB(one, x));
    slope = WHERE(OP2("Equal", x, one), NEG(OP1("OnesLike", x)), slope);
    weir_grad_set(grad, 0, MUL(DY, slope));
    return WEIR_OK;
}

UNARY_OP(erf, "Erf", FLOATS, erf, .flags = WEIR_KEEPS_FINITE, .grad = erf_grad);
UNARY_OP(erfc, "Erfc", FLOATS, erfc, .flags = WEIR_KEEPS_FINITE, .grad = erfc_grad);
UNARY_OP(erfinv, "Erfinv", FLOATS, erfinv, .grad = erfinv_grad);
UNARY_OP(ndtri, "Ndtri", FLOATS, ndtri, .grad = ndtri_grad);
UNARY_OP(lgamma, "Lgamma", FLOATS, lgamma, .grad = lgamma_grad);
UNARY_OP(digamma, "Digamma", FLOATS, digamma, .grad = digamma_grad);
UNARY_OP(dawsn, "Dawsn", FLOATS, dawsn, .grad = dawsn_grad);
UNARY_OP(expint, "Expint", FLOATS, expint, .grad = expint_grad);
UNARY_OP(fresnel_cos, "FresnelCos", FLOATS, fresnel_cos, .grad = fresnel_cos_grad);
UNARY_OP(fresnel_sin, "FresnelSin", FLOATS, fresnel_sin, .grad = fresnel_sin_grad);
UNARY_OP(spence, "Spence", FLOATS, spence, .grad = spence_grad);

/* a - y / x, whose limit at 0 is a half for the functions of order 1. */
static weir_edge order_one(weir_grad *grad, weir_edge a, weir_edge quotient)
{
    weir_edge x = X, zero = OP2("Equal", x, LIKE(x, 0));
    weir_edge half = TIMES(0.5, OP1("OnesLike", x));
    return WHERE(zero, half, SUB(a, quotient));
}

GRADIENT(i0_grad, MUL(DY, OP1("BesselI1", X)))
GRADIENT(i0e_grad, MUL(DY, SUB(OP1("BesselI1e", X), MUL(OP1("Sign", X), Y))))
GRADIENT(i1_grad, MUL(DY, order_one(grad, OP1("BesselI0", X), DIV(Y, X))))
GRADIENT(i1e_grad,
         MUL(DY, order_one(grad, OP1("BesselI0e", X), MUL(Y, ADD(OP1("Sign", X), RECIPROCAL(X))))))
GRADIENT(k0_grad, MUL(NEG(DY), OP1("BesselK1", X)))
GRADIENT(k0e_grad, MUL(DY, SUB(Y, OP1("BesselK1e", X))))
GRADIENT(k1_grad, MUL(NEG(DY), ADD(OP1("BesselK0", X), DIV(Y, X))))
GRADIENT(k1e_grad, MUL(DY, SUB(MUL(Y, SUB(LIKE(X, 1), RECIPROCAL(X))), OP1("BesselK0e", X))))
GRADIENT(j0_grad, MUL(NEG(DY), OP1("BesselJ1", X)))
GRADIENT(j1_grad, MUL(DY, order_one(grad, OP1("BesselJ0", X), DIV(Y, X))))
GRADIENT(y0_grad, MUL(NEG(DY), OP1("BesselY1", X)))
GRADIENT(y1_grad, MUL(DY, SUB(OP1("BesselY0", X), DIV(Y, X))))

UNARY_OP(bessel_i0, "BesselI0", FLOATS, bessel_i0, .grad = i0_grad);
UNARY_OP(bessel_i0e, "BesselI0e", FLOATS, bessel_i0e, .grad = i0e_grad);
UNARY_OP(bessel_i1, "BesselI1", FLOATS, bessel_i1, .grad = i1_grad);
UNARY_OP(bessel_i1e, "BesselI1e", FLOATS, bessel_i1e, .grad = i1e_grad);
UNARY_OP(bessel_k0, "BesselK0", FLOATS, bessel_k0, .grad = k0_grad);
UNARY_OP(bessel_k0e, "BesselK0e", FLOATS, bessel_k0e, .grad = k0e_grad);
UNARY_OP(bessel_k1, "BesselK1", FLOATS, bessel_k1, .grad = k1_grad);
UNARY_OP(bessel_k1e, "BesselK1e", FLOATS, bessel_k1e, .grad = k1e_grad);
UNARY_OP(bessel_j0, "BesselJ0", FLOATS, bessel_j0, .grad = j0_grad);
UNARY_OP(bessel_j1, "BesselJ1", FLOATS, bessel_j1, .grad = j1_grad);
UNARY_OP(bessel_y0, "BesselY0", FLOATS, bessel_y0, .grad = y0_grad);
UNARY_OP(bessel_y1, "BesselY1", FLOATS, bessel_y1, .grad = y1_grad);

/* Density of the gamma distribution: the derivative of Igamma in x. */
static weir_edge gamma_density(weir_grad *grad)
{
    weir_edge a = X, x = X1, log_x = OP1("Log", x);
    weir_edge power = ADD(NEG(x), MUL(SUB(a, LIKE(a, 1)), log_x));
    return OP1("Exp", SUB(power, OP1("Lgamma", a)));
}
GRADIENT2(igamma_grad, MUL(DY, OP2("IgammaGradA", X, X1)), MUL(DY, gamma_density(grad)))
GRADIENT2(igammac_grad, NEG(MUL(DY, OP2("IgammaGradA", X, X1))), NEG(MUL(DY, gamma_density(grad))))
GRADIENT2(zeta_grad, NO_EDGE, MUL(NEG(MUL(X, DY)), OP2("Zeta", PLUS(1, X), X1)))
GRADIENT2(polygamma_grad, NO_EDGE, MUL(DY, OP2("Polygamma", PLUS(1, X), X1)))

#define ANY_FLOAT "T: {" FLOATS "}"
#define WIDE_FLOAT "T: {float, double}"
BINARY_OP(igamma, "Igamma", "a: T; x: T", "z: T", ANY_FLOAT, igamma, .grad = igamma_grad);
BINARY_OP(igammac, "Igammac", "a: T; x: T", "z: T", ANY_FLOAT, igammac, .grad = igammac_grad);
BINARY_OP(igamma_grad_a, "IgammaGradA", "a: T; x: T", "z: T", WIDE_FLOAT, igamma_grad_a, );
BINARY_OP(zeta, "Zeta", "x: T; q: T", "z: T", WIDE_FLOAT, zeta, .grad = zeta_grad);
BINARY_OP(polygamma, "Polygamma", "a: T; x: T", "z: T", WIDE_FLOAT, polygamma,
          .grad = polygamma_grad);
BINARY_OP(random_gamma_grad, "RandomGammaGrad", "alpha: T; sample: T", "output: T", WIDE_FLOAT,
          gamma_sample_grad, );
