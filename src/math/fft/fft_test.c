/* math/fft/fft_test.c - against the definition, for lengths of every kind. */
#include "math/fft/fft.h"

#include "base/mem.h"
#include "base/test.h"

static void check_length(int64_t n)
{
    weir_fft *fft;
    CHECK_OK(weir_fft_create(n, &fft));
    weir_c128 *x = weir_alloc((size_t)(2 * n + weir_fft_scratch(fft)) * sizeof *x);
    weir_c128 *y = x + n, *scratch = y + n;
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] = CMPLX((double)(i * 7 % 11) - 5, (double)(i * 5 % 13) - 6);
    weir_fft_line(fft, false, y, scratch);
    double worst = 0, back = 0;
    for (int64_t k = 0; k < n; k++) {
        weir_c128 sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += x[j] * cexp(CMPLX(0, -2 * M_PI * (double)(j * k % n) / (double)n));
        worst = fmax(worst, cabs(sum - y[k]));
    }
    weir_fft_line(fft, true, y, scratch);
    for (int64_t k = 0; k < n; k++)
        back = fmax(back, cabs(y[k] - x[k]));
    CHECK_MSG(worst < 1e-11 * (double)(n + 10), "length %lld: off by %g", (long long)n, worst);
    CHECK_MSG(back < 1e-12 * (double)(n + 10), "length %lld: back off by %g", (long long)n, back);
    weir_free(x);
    weir_fft_destroy(fft);
}

TEST(any_length)
{
    for (int64_t n = 1; n <= 64; n++)
        check_length(n);
    check_length(97);  /* a prime beyond the radices */
    check_length(194); /* twice that */
    check_length(360);
    check_length(512);
}

TEST_MAIN()
