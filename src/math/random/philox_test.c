/* math/random/philox_test.c - known answers of the generator, and arrays that do not depend on the
 * partitioning. */
#include "math/random/philox.h"

#include "base/test.h"
#include "math/random/fill.h"
#include "math/random/permute.h"

TEST(known_answers)
{
    static const struct {
        weir_philox from;
        uint32_t want[4];
    } rows[] = {
        {{{0, 0, 0, 0}, {0, 0}}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (int r = 0; r < 3; r++) {
        weir_philox p = rows[r].from;
        weir_philox_block b = weir_philox_next(&p);
        for (int k = 0; k < 4; k++)
            CHECK_EQ(b.u[k], rows[r].want[k]);
    }
}

TEST(skipping_is_drawing)
{
    weir_philox a = weir_philox_seeded(7, ~0ull), b = a;
    a.counter[0] = b.counter[0] = a.counter[1] = b.counter[1] =
        ~0u; /* carries into the upper half */
    for (int i = 0; i < 5; i++)
        weir_philox_next(&a);
    weir_philox_skip(&b, 5);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
}

TEST(arrays_begin_alike)
{
    float whole[103], part[5];
    weir_philox gen = weir_philox_seeded(1, 2);
    weir_par many = {weir_pool_shared(), 4};
    void (*const fills[])(const weir_par *, weir_philox, weir_elem, int64_t, void *) = {
        weir_random_uniform, weir_random_normal, weir_random_truncated_normal};
    for (int f = 0; f < 3; f++) {
        fills[f](&many, gen, WEIR_E_f32, 103, whole);
        fills[f](NULL, gen, WEIR_E_f32, 5, part);
        CHECK(memcmp(whole, part, sizeof part) == 0);
        for (int i = 0; i < 103; i++)
            CHECK(f == 0 ? whole[i] >= 0 && whole[i] < 1 : fabsf(whole[i]) < (f == 1 ? 7 : 2));
    }
}

TEST(permutations_hit_every_index_once)
{
    enum { COUNT = 1000 };
    bool hit[COUNT] = {false};
    uint32_t key[3] = {1, 2, 3};
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t to = weir_permute_index(i, key, COUNT - 1, 4);
        CHECK(to < COUNT && !hit[to]);
        hit[to] = true;
    }
}

TEST_MAIN()
