/* memory/region_test.c - blocks of a region never overlap, and are coalesced. */
#include "memory/region.h"

#include <stdint.h>

#include "base/test.h"

enum { PLACES = 60, TURNS = 20000 };

typedef struct place {
    unsigned char *at;
    size_t bytes;
    unsigned char mark;
} place;

static uint32_t seed = 7;

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* Both ends and the middle contain the mark: an overlapping block would overwrite it. */
static void put(place *p, size_t bytes, unsigned char mark)
{
    size_t room = 0;
    *p = (place){weir_region_alloc(bytes, &room), bytes, mark};
    CHECK(p->at && room >= bytes && (uintptr_t)p->at % 64 == 0);
    p->at[0] = p->at[bytes / 2] = p->at[bytes - 1] = mark;
}

static void take(place *p)
{
    CHECK(p->at[0] == p->mark && p->at[p->bytes / 2] == p->mark && p->at[p->bytes - 1] == p->mark);
    weir_region_free(p->at);
    p->at = NULL;
}

TEST(blocks_do_not_overlap)
{
    static place places[PLACES];
    for (int turn = 0; turn < TURNS; turn++) {
        place *p = &places[next_random() % PLACES];
        if (p->at)
            take(p);
        else
            put(p, 1 + next_random() % (next_random() % 8 ? 100000 : 3000000), (unsigned char)turn);
    }
    for (int i = 0; i < PLACES; i++)
        if (places[i].at)
            take(&places[i]);
    CHECK_EQ(weir_region_get_stats().live_bytes, 0);
}

/* A step with other block sizes reuses the memory of the last one. */
TEST(free_neighbours_join)
{
    place many[32], one;
    put(&one, 64 << 20, 1); /* a piece that is large enough for all of this */
    take(&one);
    size_t mappings = weir_region_get_stats().mappings;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 32; i++)
            put(&many[i], (2 << 20) - 100, (unsigned char)i);
        for (int i = 0; i < 32; i += 2)
            take(&many[i]);
        for (int i = 31; i > 0; i -= 2)
            take(&many[i]);
        put(&one, 64 << 20, 2);
        take(&one);
    }
    CHECK_EQ(weir_region_get_stats().mappings, mappings);
}

TEST(the_smallest_that_fits_is_taken)
{
    place a, b, c, d, e, f;
    put(&a, 1000000, 1);
    put(&b, 100000, 2);
    put(&c, 300000, 3);
    put(&d, 100000, 4);
    unsigned char *hole = c.at;
    take(&a);
    take(&c);
    put(&e, 299000, 5);
    CHECK(e.at == hole);
    put(&f, 900000, 6);
    place *all[] = {&b, &d, &e, &f};
    for (int i = 0; i < 4; i++)
        take(all[i]);
}

TEST(trimmed_memory_is_clear_and_usable)
{
    place p;
    put(&p, 8 << 20, 9);
    unsigned char *at = p.at;
    take(&p);
    weir_region_trim();
    CHECK_EQ(weir_region_get_stats().free_bytes, 0);
    put(&p, 8 << 20, 1);
    CHECK(p.at == at && p.at[4097] == 0);
    take(&p);
}

TEST(what_no_machine_has_is_refused)
{
    size_t room;
    CHECK(weir_region_alloc(SIZE_MAX, &room) == NULL);
    CHECK(weir_region_alloc(SIZE_MAX - 64, &room) == NULL);
    CHECK(weir_region_alloc((size_t)1 << 46, &room) == NULL);
}

TEST_MAIN()
