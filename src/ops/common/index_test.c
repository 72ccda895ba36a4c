/* ops/common/index_test.c - indices out of range are detected at any position. */
#include "ops/common/index.h"

#include "base/test.h"

enum { COUNT = 77 };

static bool passes(weir_dtype type, int64_t count, int64_t bad_at, int64_t value, int64_t limit)
{
    weir_tensor t;
    CHECK_OK(weir_tensor_alloc(type, &(weir_shape){1, {count}}, &t));
    for (int64_t i = 0; i < count; i++) {
        int64_t x = i == bad_at ? value : limit > 0 ? (i * 31) % limit : 0;
        if (type == WEIR_INT32)
            ((int32_t *)t.data)[i] = (int32_t)x;
        else
            ((int64_t *)t.data)[i] = x;
    }
    weir_status s = weir_index_check(&t, limit);
    bool passed = !s;
    weir_status_free(s);
    weir_tensor_release(&t);
    return passed;
}

TEST(every_place_is_looked_at)
{
    static const int64_t limits[] = {1, 50, 1000, INT32_MAX};
    for (int type = 0; type < 2; type++) {
        weir_dtype of = type ? WEIR_INT64 : WEIR_INT32;
        for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
            int64_t limit = limits[l];
            CHECK(passes(of, COUNT, -1, 0, limit));
            CHECK(passes(of, 0, -1, 0, limit));
            for (int64_t at = 0; at < COUNT; at++) {
                CHECK(passes(of, COUNT, at, limit - 1, limit));
                CHECK(!passes(of, COUNT, at, limit, limit));
                CHECK(!passes(of, COUNT, at, -1, limit));
                CHECK(!passes(of, COUNT, at, INT32_MIN, limit));
            }
        }
    }
}

TEST(nothing_is_below_none)
{
    CHECK(!passes(WEIR_INT32, COUNT, -1, 0, 0));
    CHECK(!passes(WEIR_INT64, COUNT, -1, 0, 0));
    CHECK(passes(WEIR_INT32, 0, -1, 0, 0));
    CHECK(!passes(WEIR_INT64, COUNT, 5, INT64_MAX, 100));
    CHECK(!passes(WEIR_INT64, COUNT, 70, INT64_MIN, 100));
    CHECK(!passes(WEIR_INT64, COUNT, 3, (int64_t)1 << 32, 100)); /* 0 in its lower half */
    CHECK(passes(WEIR_INT64, COUNT, 3, (int64_t)1 << 40, (int64_t)1 << 41));
}

TEST_MAIN()
