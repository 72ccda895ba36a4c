/* math/vec_test.c - the vector functions against libm in double, in units of the last place. */
#include "math/vec.h"

#include "base/test.h"

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}
static double softplus(double x)
{
    return x > 40 ? x : log1p(exp(x));
}

static double worst_error(float (*fast)(float), double (*exact)(double), double low, double high)
{
    enum { POINTS = 100000 };
    double worst = 0;
    for (int i = 0; i <= POINTS; i++) {
        float x = (float)(low + (high - low) * i / POINTS);
        double want = exact((double)x);
        float rounded = fabsf((float)want);
        if (!isfinite(rounded)) {
            worst = fast(x) == (float)want ? worst : INFINITY;
            continue;
        }
        double unit = (double)(nextafterf(rounded, INFINITY) - rounded);
        double error = fabs((double)fast(x) - want) / unit;
        worst = error > worst || isnan(error) ? error : worst;
    }
    return worst;
}

TEST(stays_within_a_few_units_of_the_last_place)
{
    static const struct {
        const char *name;
        float (*fast)(float);
        double (*exact)(double);
        double low, high, bound;
    } rows[] = {
        {"exp", weir_v_exp, exp, -104, 90, 1.5},
        {"expm1", weir_v_expm1, expm1, -20, 89, 2},
        {"expm1", weir_v_expm1, expm1, -1e-3, 1e-3, 2},
        {"log", weir_v_log, log, 1e-6, 3, 1.5},
        {"log", weir_v_log, log, 1e-45, 1e-37, 1.5},
        {"log", weir_v_log, log, 1, 1e38, 1.5},
        {"log1p", weir_v_log1p, log1p, -0.999, 3, 2},
        {"log1p", weir_v_log1p, log1p, -1e-4, 1e-4, 2},
        {"tanh", weir_v_tanh, tanh, -10, 10, 3},
        {"tanh", weir_v_tanh, tanh, -0.01, 0.01, 3},
        {"sigmoid", weir_v_sigmoid, sigmoid, -80, 80, 3},
        {"softplus", weir_v_softplus, softplus, -80, 80, 3},
        {"sin", weir_v_sin, sin, -7, 7, 2},
        {"cos", weir_v_cos, cos, -7, 7, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double worst = worst_error(rows[i].fast, rows[i].exact, rows[i].low, rows[i].high);
        CHECK_MSG(worst <= rows[i].bound, "%s on [%g, %g]: %.2f units", rows[i].name, rows[i].low,
                  rows[i].high, worst);
    }
}

TEST(keeps_infinities_and_not_a_number)
{
    CHECK(weir_v_exp(INFINITY) == INFINITY && weir_v_exp(-INFINITY) == 0);
    CHECK(weir_v_log(0) == -INFINITY && isnan(weir_v_log(-1)) && weir_v_log(INFINITY) == INFINITY);
    CHECK(weir_v_log1p(-1) == -INFINITY && isnan(weir_v_log1p(-2)));
    CHECK(weir_v_tanh(INFINITY) == 1 && weir_v_tanh(-INFINITY) == -1);
    CHECK(signbit(weir_v_tanh(-0.0f)) && signbit(weir_v_expm1(-0.0f)));
    CHECK(isnan(weir_v_exp(NAN)) && isnan(weir_v_log(NAN)) && isnan(weir_v_tanh(NAN)));
    CHECK(isnan(weir_v_sigmoid(NAN)) && isnan(weir_v_softplus(NAN)) && isnan(weir_v_sin(NAN)));
}

TEST_MAIN()
