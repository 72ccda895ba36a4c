/* base/recycle_test.c - size classes, and blocks that move between threads. */
#include "base/recycle.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/test.h"

TEST(a_class_holds_what_asks_for_it)
{
    for (size_t bytes = 0; bytes <= WEIR_RECYCLE_MOST; bytes += bytes < 5000 ? 1 : 61) {
        int c = weir_recycle_class(bytes);
        CHECK(c >= 0 && weir_recycle_bytes(c) >= bytes);
        CHECK(c == 0 || weir_recycle_bytes(c - 1) < bytes);
    }
    CHECK_EQ(weir_recycle_class(WEIR_RECYCLE_MOST + 1), -1);
}

TEST(a_block_serves_the_largest_class_that_it_holds)
{
    for (size_t bytes = 24; bytes < WEIR_RECYCLE_MOST + 1000; bytes += bytes < 5000 ? 1 : 61) {
        int c = weir_recycle_serves(bytes), above = c + 1;
        CHECK(c >= 0 && weir_recycle_bytes(c) <= bytes);
        CHECK(weir_recycle_bytes(c) == WEIR_RECYCLE_MOST || weir_recycle_bytes(above) > bytes);
    }
    CHECK_EQ(weir_recycle_serves(8), -1);
    CHECK_EQ(weir_recycle_serves((size_t)1 << 30), -1);
}

TEST(what_grows_keeps_its_bytes)
{
    char *p = NULL;
    for (size_t n = 1; n < (size_t)3 << 20; n = n * 3 + 1) {
        p = weir_realloc(p, n);
        CHECK(n < 13 || p[n / 4] == (char)(n / 4));
        for (size_t i = 0; i < n; i++)
            p[i] = (char)i;
    }
    p = weir_realloc(p, 100);
    CHECK(p[99] == 99);
    weir_free(p);
}

TEST(aligned_blocks_are_used_again)
{
    size_t before = weir_recycle_misses();
    for (int i = 0; i < 10000; i++) {
        char *p = weir_zalloc_aligned(1000);
        CHECK_EQ((uintptr_t)p % 64, 0);
        CHECK(p[0] == 0 && p[999] == 0);
        memset(p, 1, 1000);
        weir_free_aligned(p);
    }
#if !defined(__SANITIZE_ADDRESS__)
    CHECK(weir_recycle_misses() - before < 100);
#endif
    (void)before;
}

enum { HELD = 100, SIZES = 7 };
static const size_t sizes[SIZES] = {1, 24, 100, 1032, 1033, 5000, 200000};
static void *held[SIZES][HELD];

static void *free_all(void *arg)
{
    (void)arg;
    for (int s = 0; s < SIZES; s++)
        for (int i = 0; i < HELD; i++)
            weir_free(held[s][i]);
    return NULL;
}

static void take_all(void)
{
    for (int s = 0; s < SIZES; s++)
        for (int i = 0; i < HELD; i++) {
            held[s][i] = weir_alloc(sizes[s]);
            memset(held[s][i], i, sizes[s]);
        }
}

/* One thread allocates and others, which exit, free: no block is lost. */
TEST(blocks_come_back_from_other_threads)
{
    size_t before = 0;
    for (int round = 0; round < 4; round++) {
        if (round == 1)
            before = weir_recycle_misses();
        take_all();
        pthread_t other;
        pthread_create(&other, NULL, free_all, NULL);
        pthread_join(other, NULL);
    }
#if !defined __SANITIZE_ADDRESS__
    CHECK_EQ(weir_recycle_misses(), before);
#else
    CHECK(weir_recycle_misses() > before);
#endif
}

TEST_MAIN()
