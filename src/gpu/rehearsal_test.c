/* gpu/rehearsal_test.c - offsets by live ranges: none overlap, and a deviating step is detected. */
#include "gpu/rehearsal.h"

#include "base/test.h"

enum { KB = 1024 };

/* Allocates a, b, c; frees b, allocates d, frees all. */
static weir_rehearsal *rehearse(void)
{
    weir_rehearsal *rehearsal = WEIR_NEW(weir_rehearsal);
    int a = weir_rehearsal_take(rehearsal, KB), b = weir_rehearsal_take(rehearsal, 4 * KB);
    int c = weir_rehearsal_take(rehearsal, KB);
    weir_rehearsal_give(rehearsal, b);
    int d = weir_rehearsal_take(rehearsal, 3 * KB);
    weir_rehearsal_give(rehearsal, a);
    weir_rehearsal_give(rehearsal, c);
    weir_rehearsal_give(rehearsal, d);
    weir_rehearsal_end(rehearsal, 0);
    return rehearsal;
}

TEST(a_place_is_used_again_when_it_is_free)
{
    weir_rehearsal *rehearsal = rehearse();
    CHECK_EQ(rehearsal->most, 6 * KB);
    CHECK_EQ(rehearsal->bytes, 6 * KB);
    CHECK_EQ(rehearsal->stays.at[3].at, rehearsal->stays.at[1].at);
    weir_rehearsal_free(rehearsal);
}

TEST(few_bytes_share_no_place)
{
    weir_rehearsal rehearsal = {0};
    weir_rehearsal_give(&rehearsal, weir_rehearsal_take(&rehearsal, KB));
    weir_rehearsal_give(&rehearsal, weir_rehearsal_take(&rehearsal, KB));
    weir_rehearsal_end(&rehearsal, 2 * KB);
    CHECK_EQ(rehearsal.bytes, 2 * KB);
    CHECK_EQ(rehearsal.stays.at[1].at, KB);
    weir_vec_fini(&rehearsal.stays);
}

TEST(a_step_that_differs_gets_no_place)
{
    static char block[6 * KB];
    weir_rehearsal *rehearsal = rehearse();
    weir_gpu_places *places = weir_gpu_places_create(rehearsal, block, NULL);
    struct weir_gpu_place *a = weir_gpu_places_take(places, KB);
    struct weir_gpu_place *b = weir_gpu_places_take(places, 4 * KB);
    CHECK(a && b);
    CHECK(weir_gpu_places_take(places, 2 * KB) == NULL); /* larger than it was */
    CHECK(weir_gpu_places_take(places, 3 * KB) == NULL); /* b is still live */
    CHECK(weir_gpu_places_take(places, 1) == NULL);      /* there were no more */
    CHECK(!weir_gpu_places_give(a));
    CHECK(!weir_gpu_places_end(places));
    CHECK(weir_gpu_places_give(b));
    weir_rehearsal_free(rehearsal);
}

static bool overlap(const weir_gpu_stay *a, const weir_gpu_stay *b)
{
    return a->from <= b->to && b->from <= a->to && a->at < b->at + b->bytes &&
           b->at < a->at + a->bytes;
}

TEST(many_at_random)
{
    enum { COUNT = 400, MOST = 60 };
    weir_rehearsal rehearsal = {0};
    int live[MOST], count = 0;
    unsigned seed = 7;
    while (rehearsal.stays.count < COUNT) {
        seed = seed * 1664525 + 1013904223;
        if (count == MOST || (count && seed >> 30 == 0)) {
            int at = (int)(seed >> 8) % count;
            weir_rehearsal_give(&rehearsal, live[at]);
            live[at] = live[--count];
        } else {
            live[count++] = weir_rehearsal_take(&rehearsal, seed >> 12 & 0xffff);
        }
    }
    weir_rehearsal_end(&rehearsal, 0);
    CHECK(rehearsal.bytes >= rehearsal.most && rehearsal.bytes < rehearsal.most * 5 / 4);
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < i; k++)
            CHECK(!overlap(&rehearsal.stays.at[i], &rehearsal.stays.at[k]));
    weir_vec_fini(&rehearsal.stays);
}

TEST_MAIN()
