/* math/unary/unary_test.c - every instruction set against the baseline, odd lengths and in place.
 */
#include "math/unary/unary.h"

#include "base/half.h"
#include "base/test.h"
#include "math/unary/unary_impl.h"

enum { COUNT = 67 };

static void fill(float *f, double *d)
{
    for (int i = 0; i < COUNT; i++)
        d[i] = f[i] = 0.05f + 0.013f * (float)i; /* inside the domain of all but acosh */
}

static bool close_to(double a, double b, double relative)
{
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= relative * fmax(fabs(a), fabs(b));
}

TEST(levels_agree)
{
    float x[COUNT], y[COUNT], want[COUNT];
    double xd[COUNT], yd[COUNT], want_d[COUNT];
    fill(x, xd);
    for (int isa = 0; isa <= (int)weir_cpu_isa(); isa++)
        for (int op = 0; op < WEIR_UNARY_COUNT; op++) {
            const weir_unary_floats *level = WEIR_ISA_AT(weir_unary_floats, isa);
            const weir_unary_floats *base = WEIR_ISA_AT(weir_unary_floats, 0);
            if (!base->f32[op] || weir_unary_out(op, WEIR_E_f32) != WEIR_E_f32)
                continue;
            base->f32[op](COUNT, x, want);
            level->f32[op](COUNT, x, y);
            base->f64[op](COUNT, xd, want_d);
            level->f64[op](COUNT, xd, yd);
            for (int i = 0; i < COUNT; i++) {
                CHECK_MSG(close_to((double)y[i], (double)want[i], 1e-6), "op %d level %d: %g, %g",
                          op, isa, (double)y[i], (double)want[i]);
                CHECK_MSG(close_to(yd[i], want_d[i], 1e-12), "op %d level %d in double", op, isa);
            }
        }
}

TEST(may_overwrite_its_argument)
{
    float x[COUNT], y[COUNT];
    double unused[COUNT];
    weir_par alone = {0};
    for (int op = 0; op < WEIR_UNARY_COUNT; op++) {
        if (!weir_unary_find(op, WEIR_E_f32) || weir_unary_out(op, WEIR_E_f32) != WEIR_E_f32)
            continue;
        fill(x, unused);
        weir_unary_run(&alone, op, WEIR_E_f32, COUNT, x, y);
        weir_unary_run(&alone, op, WEIR_E_f32, COUNT, x, x);
        CHECK_MSG(memcmp(x, y, sizeof x) == 0, "op %d", op);
    }
}

TEST(rounds_halves_once)
{
    uint16_t x[COUNT], y[COUNT];
    weir_par alone = {0};
    for (int i = 0; i < COUNT; i++)
        x[i] = weir_f32_f16(0.1f * (float)i);
    weir_unary_run(&alone, WEIR_U_sqrt, WEIR_E_f16, COUNT, x, y);
    for (int i = 0; i < COUNT; i++)
        CHECK_EQ(y[i], weir_f32_f16(sqrtf(weir_f16_f32(x[i]))));
}

TEST(large_angles_go_to_libm)
{
    float x[] = {1e6f, -3e5f, 2.0f, 1e20f}, y[4];
    weir_unary_run(&(weir_par){0}, WEIR_U_sin, WEIR_E_f32, 4, x, y);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR((double)y[i], (double)(sinf)(x[i]), 1e-6);
}

TEST(integers_wrap)
{
    int8_t x[] = {-128, 127, -1}, y[3];
    weir_unary_run(&(weir_par){0}, WEIR_U_neg, WEIR_E_i8, 3, x, y);
    CHECK_EQ(y[0], -128);
    CHECK_EQ(y[1], -127);
    weir_unary_run(&(weir_par){0}, WEIR_U_abs, WEIR_E_i8, 3, x, y);
    CHECK_EQ(y[2], 1);
}

TEST_MAIN()
