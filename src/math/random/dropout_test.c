/* math/random/dropout_test.c - dropout equals the random numbers that it does not keep. */
#include "math/random/dropout.h"

#include "base/test.h"
#include "math/random/fill.h"

enum { MOST = 3000 };

static float x[MOST], u[MOST], y[MOST], again[MOST];
static uint8_t bits[MOST / 8 + 32];

static void check(int64_t count, float rate, float scale)
{
    weir_par one = {0};
    weir_philox gen = weir_philox_seeded(11, (uint64_t)count);
    for (int64_t i = 0; i < count; i++)
        x[i] = (float)(i % 37) - 18;
    weir_random_uniform(&one, gen, WEIR_E_f32, count, u);
    weir_dropout(&one, gen, rate, scale, count, x, y, bits);
    weir_dropout_again(&one, bits, scale, count, x, again);
    int wrong = 0;
    for (int64_t i = 0; i < count; i++) {
        float want = u[i] >= rate ? x[i] * scale : 0;
        wrong += memcmp(&y[i], &want, sizeof want) != 0;
        wrong += memcmp(&again[i], &want, sizeof want) != 0;
    }
    CHECK_MSG(wrong == 0, "%d of %" PRId64 " differ", wrong, count);
}

TEST(what_is_kept_is_what_the_numbers_say)
{
    static const int64_t counts[] = {1, 7, 8, 9, 255, 256, 257, 1000, MOST};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        check(counts[i], 0.5f, 2);
        check(counts[i], 0.1f, 1 / 0.9f);
        check(counts[i], 0, 1);
        check(counts[i], 1, 1);
    }
}

TEST(the_mask_may_be_read_in_place)
{
    weir_par one = {0};
    for (int i = 0; i < MOST; i++)
        x[i] = (float)i + 1;
    weir_dropout(&one, weir_philox_seeded(1, 2), 0.5f, 2, MOST, x, y, bits);
    memcpy(again, x, sizeof again);
    weir_dropout_again(&one, bits, 2, MOST, again, again);
    CHECK(memcmp(again, y, sizeof y) == 0);
}

TEST_MAIN()
