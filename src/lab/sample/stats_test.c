/* lab/sample/stats_test.c - quantiles and ranks. */
#include "lab/sample/stats.h"

#include "base/test.h"

TEST(quantiles_lie_between)
{
    double v[] = {5, 1, 4, 2, 3};
    CHECK_NEAR(weir_quantile(v, 5, 0.5), 3, 0);
    CHECK_NEAR(weir_quantile(v, 5, 0.25), 2, 0);
    CHECK_NEAR(weir_quantile(v, 5, 0), 1, 0);
    CHECK_NEAR(weir_quantile(v, 5, 1), 5, 0);
    CHECK_NEAR(weir_quantile(v, 4, 0.5), 2.5, 0);
    CHECK_NEAR(weir_quantile(v, 1, 0.9), 1, 0);
    CHECK(isnan(weir_quantile(v, 0, 0.5)));
}

TEST(sets_differ_by_rank)
{
    double a[] = {10, 11, 10.5, 10.2, 10.7, 10.1, 10.9}, b[7], c[7];
    for (int i = 0; i < 7; i++) {
        b[i] = a[i] * 1.2;
        c[i] = a[6 - i] + 0.01;
    }
    CHECK(weir_samples_differ(a, 7, b, 7));
    CHECK(weir_samples_differ(b, 7, a, 7));
    CHECK(!weir_samples_differ(a, 7, c, 7));
    CHECK(!weir_samples_differ(a, 7, a, 7));
    b[3] = 1; /* one that was lucky does not make the others alike */
    CHECK(!weir_samples_differ(a, 7, b, 3));
    CHECK(!weir_samples_differ(a, 1, b, 1)); /* too few to tell */
    CHECK(!weir_samples_differ(a, 0, b, 7));
}

TEST_MAIN()
