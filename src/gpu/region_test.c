/* gpu/region_test.c - ranges of a region: best fit, merging, chunks, and random operations. */
#include "gpu/region.h"

#include <stdint.h>

#include "base/test.h"

static char memory[1 << 22];

TEST(the_smallest_range_that_fits)
{
    weir_gpu_region region = {0};
    CHECK(weir_gpu_region_take(&region, 1) == NULL);
    CHECK(weir_gpu_region_wants(&region, 1) >= 256);
    weir_gpu_region_add(&region, memory, 4096, memory);
    char *a = weir_gpu_region_take(&region, 1000), *b = weir_gpu_region_take(&region, 256);
    char *c = weir_gpu_region_take(&region, 500), *d = weir_gpu_region_take(&region, 1);
    CHECK(a == memory && b == a + 1024 && c == b + 256 && d == c + 512);
    weir_gpu_region_give(&region, a);
    weir_gpu_region_give(&region, c);
    CHECK(weir_gpu_region_take(&region, 512) == c); /* the smallest that is large enough */
    weir_gpu_region_give(&region, c);
    weir_gpu_region_give(&region, b); /* merges with both neighbours */
    CHECK(weir_gpu_region_take(&region, 1792) == a);
    weir_gpu_region_give(&region, a);
    weir_gpu_region_give(&region, d);
    CHECK_EQ(region.ranges.count, 1);
    CHECK(weir_gpu_region_take(&region, 4096) == memory);
    CHECK(weir_gpu_region_drop(&region) == NULL);
    weir_gpu_region_give(&region, memory);
    CHECK(weir_gpu_region_drop(&region) == memory);
    CHECK_EQ(region.bytes, 0);
    CHECK(weir_gpu_region_drop(&region) == NULL);
}

/* Adjacent chunks are freed separately, so they must not merge. */
TEST(chunks_stay_apart)
{
    weir_gpu_region region = {0};
    weir_gpu_region_add(&region, memory + 4096, 4096, memory + 4096);
    weir_gpu_region_add(&region, memory, 4096, memory);
    CHECK(weir_gpu_region_take(&region, 4097) == NULL);
    char *a = weir_gpu_region_take(&region, 4096), *b = weir_gpu_region_take(&region, 4096);
    CHECK(a && b && a != b);
    weir_gpu_region_give(&region, a);
    weir_gpu_region_give(&region, b);
    CHECK_EQ(region.ranges.count, 2);
    CHECK(weir_gpu_region_drop(&region) == memory);
    CHECK(weir_gpu_region_drop(&region) == memory + 4096);
    CHECK(weir_gpu_region_drop(&region) == NULL);
}

/* Live ranges never overlap. */
TEST(ranges_do_not_overlap)
{
    enum { SLOTS = 64, TURNS = 20000 };
    weir_gpu_region region = {0};
    char *held[SLOTS] = {0};
    uint8_t written[SLOTS];
    size_t sizes[SLOTS];
    uint32_t random = 7;
    weir_gpu_region_add(&region, memory, sizeof memory, memory);
    for (int turn = 0; turn < TURNS; turn++) {
        random = random * 1664525u + 1013904223u;
        int slot = (int)(random >> 8) % SLOTS;
        if (held[slot]) {
            for (size_t i = 0; i < sizes[slot]; i += 61)
                if ((uint8_t)held[slot][i] != written[slot])
                    CHECK(!"a range was written by another");
            weir_gpu_region_give(&region, held[slot]);
            held[slot] = NULL;
            continue;
        }
        sizes[slot] = (random >> 16) % 40000 + 1;
        held[slot] = weir_gpu_region_take(&region, sizes[slot]);
        written[slot] = (uint8_t)turn;
        if (held[slot])
            memset(held[slot], (uint8_t)turn, sizes[slot]);
    }
    for (int slot = 0; slot < SLOTS; slot++)
        if (held[slot])
            weir_gpu_region_give(&region, held[slot]);
    CHECK_EQ(region.ranges.count, 1);
    CHECK(weir_gpu_region_drop(&region) == memory);
}

TEST_MAIN()
