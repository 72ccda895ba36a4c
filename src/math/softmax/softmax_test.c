/* math/softmax/softmax_test.c - softmax and cross-entropies against their definition in double. */
#include "math/softmax/softmax.h"

#include "base/mem.h"
#include "base/test.h"
#include "math/softmax/softmax_impl.h"

enum { MOST = 300 };

static uint32_t seed = 5;

static double draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(int)(seed >> 20) / 200.0 - 10.0;
}

static void fill(const weir_softmax_loops *l, bool wide, int64_t n)
{
    double x[MOST], labels[MOST], sum = 0, loss = 0, max = -INFINITY;
    float xf[MOST], lf[MOST], yf[MOST];
    double yd[MOST];
    for (int64_t i = 0; i < n; i++) {
        xf[i] = (float)(x[i] = draw());
        lf[i] = (float)(labels[i] = fabs(draw()) / 50);
        x[i] = wide ? x[i] : xf[i];
        labels[i] = wide ? labels[i] : lf[i];
        max = fmax(max, x[i]);
    }
    for (int64_t i = 0; i < n; i++)
        sum += exp(x[i] - max);
    for (int64_t i = 0; i < n; i++)
        loss += labels[i] * (log(sum) - (x[i] - max));
    const void *in = wide ? (void *)x : xf, *given = wide ? (void *)labels : lf;
    void *out = wide ? (void *)yd : yf;
    double unit = wide ? 1e-13 : 2e-6;
#define Y(i) (wide ? yd[i] : (double)yf[i])
    l->row(false, n, in, out);
    for (int64_t i = 0; i < n; i++)
        CHECK_NEAR(Y(i), exp(x[i] - max) / sum, unit);
    l->row(true, n, in, out);
    for (int64_t i = 0; i < n; i++)
        CHECK_NEAR(Y(i), x[i] - max - log(sum), unit * 20);
    CHECK_NEAR(l->dense(n, in, given, out), loss, unit * (10 + loss));
    for (int64_t i = 0; i < n; i++)
        CHECK_NEAR(Y(i), exp(x[i] - max) / sum - labels[i], unit);
    CHECK_NEAR(l->sparse(n, in, n / 2, out), log(sum) - (x[n / 2] - max), unit * 20);
    for (int64_t i = 0; i < n; i++)
        CHECK_NEAR(Y(i), exp(x[i] - max) / sum - (i == n / 2), unit);
}

TEST(rows_of_every_level)
{
    static const int sizes[] = {1, 2, 10, 16, 33, 64, 100, MOST};
    for (weir_isa isa = 0; isa <= weir_cpu_isa(); isa++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            fill(WEIR_ISA_AT(weir_softmax_loops_f32, isa), false, sizes[i]);
            fill(WEIR_ISA_AT(weir_softmax_loops_f64, isa), true, sizes[i]);
        }
}

TEST(labels_outside_give_nan)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, loss[2], back[6];
    int32_t labels[2] = {1, 3};
    weir_xent w = {.elem = WEIR_E_f32,
                   .rows = 2,
                   .cols = 3,
                   .logits = x,
                   .labels = labels,
                   .loss = loss,
                   .backprop = back};
    weir_xent_sparse(NULL, &w, false);
    CHECK(isfinite(loss[0]) && isnan(loss[1]) && isnan(back[5]));
}

TEST(operands_are_repeated)
{
    float x[4] = {1, 2, 3, 4}, labels[1] = {0.5f}, loss[2], back[4];
    weir_xent w = {.elem = WEIR_E_f32,
                   .rows = 2,
                   .cols = 2,
                   .logits = x,
                   .logits_row = 2,
                   .logits_col = 1,
                   .labels = labels,
                   .loss = loss,
                   .backprop = back};
    weir_xent_dense(NULL, &w);
    double p = 1 / (1 + exp(1.0));
    CHECK_NEAR(loss[0], -0.5 * (log(p) + log(1 - p)), 1e-6);
    CHECK_NEAR(loss[1], loss[0], 1e-6);
    CHECK_NEAR(back[0], p - 0.5, 1e-6);
}

TEST_MAIN()
