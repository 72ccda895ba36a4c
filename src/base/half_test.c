/* base/half_test.c - the 16-bit floats, against their definition. */
#include "base/half.h"

#include <math.h>

#include "base/test.h"

static double half_value(uint16_t h)
{
    int exponent = (h >> 10) & 31, mantissa = h & 1023;
    double v = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
    return h & 0x8000 ? -v : v;
}

TEST(half_round_trip)
{
    for (int h = 0; h < 65536; h++) {
        float f = weir_f16_f32((uint16_t)h);
        if ((h & 0x7c00) == 0x7c00) {
            CHECK((h & 1023) ? isnan(f) : isinf(f));
            continue;
        }
        CHECK_NEAR(f, half_value((uint16_t)h), 0);
        CHECK_EQ(weir_f32_f16(f), h);
    }
}

TEST(half_rounds_to_even)
{
    for (int h = 0; h < 0x7bff; h++) {
        float a = weir_f16_f32((uint16_t)h), b = weir_f16_f32((uint16_t)(h + 1));
        float middle = (a + b) / 2;
        CHECK_EQ(weir_f32_f16(middle), h & 1 ? h + 1 : h);
        CHECK_EQ(weir_f32_f16(nextafterf(middle, b)), h + 1);
    }
    CHECK_EQ(weir_f32_f16(65519.0f), 0x7bff);
    CHECK_EQ(weir_f32_f16(65520.0f), 0x7c00);
    CHECK_EQ(weir_f32_f16(1e30f), 0x7c00);
    CHECK(isnan(weir_f16_f32(weir_f32_f16(NAN))));
}

TEST(bfloat16_rounds_to_even)
{
    CHECK_EQ(weir_f32_bf16(1.0f), 0x3f80);
    CHECK_EQ(weir_f32_bf16(1.00390625f), 0x3f80);
    CHECK_EQ(weir_f32_bf16(1.01171875f), 0x3f82);
    CHECK(isnan(weir_bf16_f32(weir_f32_bf16(NAN))));
}

TEST_MAIN()
