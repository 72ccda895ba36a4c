/* math/update/update_test.c - in-place loops: wrapping, rounding, division, every level. */
#include "base/half.h"
#include "base/test.h"
#include "math/update/update_impl.h"

TEST(integers_wrap)
{
    int8_t y[] = {127, -128, 100}, x[] = {1, 1, 100};
    weir_update_find(WEIR_UPDATE_ADD, WEIR_E_i8)(y, x, 3, 1);
    CHECK_EQ(y[0], -128);
    CHECK_EQ(y[2], -56);
    weir_update_find(WEIR_UPDATE_SUB, WEIR_E_i8)(y, x, 3, 1);
    CHECK_EQ(y[0], 127);
    int64_t big[] = {INT64_MAX}, two[] = {2};
    weir_update_find(WEIR_UPDATE_MUL, WEIR_E_i64)(big, two, 1, 1);
    CHECK_EQ(big[0], -2);
}

TEST(division_truncates_and_never_traps)
{
    int32_t y[] = {-7, INT32_MIN, 7}, x[] = {2, -1, -1};
    weir_update_find(WEIR_UPDATE_DIV, WEIR_E_i32)(y, x, 3, 1);
    CHECK_EQ(y[0], -3);
    CHECK_EQ(y[1], INT32_MIN);
    CHECK_EQ(y[2], -7);
    uint8_t a[] = {255, 254, 0}, b[] = {255, 255, 255};
    weir_update_find(WEIR_UPDATE_DIV, WEIR_E_u8)(a, b, 3, 1);
    CHECK_EQ(a[0], 1);
    CHECK_EQ(a[1], 0);
    CHECK(weir_update_has_zero(WEIR_E_i32, (int32_t[]){1, 0, 2}, 3));
    CHECK(!weir_update_has_zero(WEIR_E_i32, (int32_t[]){1, 3, 2}, 3));
    CHECK(!weir_update_has_zero(WEIR_E_f32, (float[]){0}, 1));
}

TEST(one_serves_all)
{
    double y[] = {1, 2, 3}, x = 10;
    weir_update_find(WEIR_UPDATE_MAX, WEIR_E_f64)(y, &x, 2, 0);
    CHECK_NEAR(y[1], 10, 0);
    CHECK_NEAR(y[2], 3, 0);
}

TEST(sixteen_bits_round_once)
{
    uint16_t y[] = {weir_f32_f16(2048)}, x[] = {weir_f32_f16(1)};
    weir_update_find(WEIR_UPDATE_ADD, WEIR_E_f16)(y, x, 1, 1);
    CHECK_NEAR(weir_f16_f32(y[0]), 2048, 0); /* 2049 is not a half: to even */
}

TEST(instruction_sets_agree)
{
    enum { COUNT = 67 };
    for (int isa = 0; isa <= (int)weir_cpu_isa(); isa++)
        for (int op = 0; op < WEIR_UPDATE_OPS; op++) {
            float x[COUNT], got[COUNT], want[COUNT];
            for (int i = 0; i < COUNT; i++) {
                x[i] = 1.25f + (float)(i % 7);
                got[i] = want[i] = (float)(i * i % 11) - 5;
            }
            WEIR_ISA_AT(weir_update_loops, isa)->at[op][WEIR_E_f32](got, x, COUNT, 1);
            weir_update_loops_ref.at[op][WEIR_E_f32](want, x, COUNT, 1);
            CHECK(memcmp(got, want, sizeof got) == 0);
        }
}

TEST(what_is_not_defined)
{
    CHECK(!weir_update_find(WEIR_UPDATE_MIN, WEIR_E_c64));
    CHECK(!weir_update_find(WEIR_UPDATE_MUL, WEIR_E_b8));
    CHECK(!weir_update_find(WEIR_UPDATE_ADD, WEIR_ELEM_NONE));
}

TEST_MAIN()
