/* dist/ids_test.c - new ids differ, old ones are recognised and evicted in order. */
#include "dist/ids.h"

#include "base/test.h"

TEST(new_ids_differ)
{
    weir_seen_ids *s = weir_seen_ids_create(10000);
    for (int i = 0; i < 10000; i++)
        CHECK(weir_seen_ids_add(s, (int64_t)weir_new_id()));
    weir_seen_ids_destroy(s);
}

TEST(the_latest_are_remembered)
{
    enum { ROOM = 100 };
    weir_seen_ids *s = weir_seen_ids_create(ROOM);
    for (int64_t id = 1; id <= 5000; id++) {
        CHECK(weir_seen_ids_add(s, id));
        for (int64_t old = id; old > 0 && old > id - ROOM; old -= 7)
            CHECK(!weir_seen_ids_add(s, old));
    }
    CHECK(weir_seen_ids_add(s, 1)); /* evicted long ago */
    CHECK(!weir_seen_ids_add(s, 1));
    CHECK(!weir_seen_ids_add(s, 4902));
    CHECK(weir_seen_ids_add(s, 4901)); /* the one that was evicted for 1 */
    weir_seen_ids_destroy(s);
}

TEST(zero_is_never_checked)
{
    weir_seen_ids *s = weir_seen_ids_create(4);
    CHECK(weir_seen_ids_add(s, 0));
    CHECK(weir_seen_ids_add(s, 0));
    CHECK(weir_seen_ids_add(s, -5));
    CHECK(!weir_seen_ids_add(s, -5));
    weir_seen_ids_destroy(s);
}

TEST_MAIN()
