/* base/room_test.c - sizes from outside are counted and refused, not fatal. */
#include "base/room.h"

#include "base/stop.h"
#include "base/test.h"

static bool parses(const char *text, size_t want)
{
    size_t bytes = 0;
    return weir_room_parse(weir_str_of(text), &bytes) && bytes == want;
}

static weir_code asked(size_t bytes)
{
    weir_status status = weir_room_for(bytes, "a test");
    weir_code code = weir_status_code(status);
    weir_status_free(status);
    return code;
}

TEST(sizes_are_read_with_their_unit)
{
    size_t bytes;
    CHECK(parses("2000", 2000) && parses("3K", 3 << 10) && parses("300M", 300 << 20));
    CHECK(parses("2G", (size_t)2 << 30) && parses("0", 0));
    CHECK(!weir_room_parse(weir_str_of(""), &bytes));
    CHECK(!weir_room_parse(weir_str_of("-1"), &bytes));
    CHECK(!weir_room_parse(weir_str_of("M"), &bytes));
    CHECK(!weir_room_parse(weir_str_of("99999999999999T"), &bytes));
}

TEST(what_is_taken_counts_until_it_is_given_back)
{
    weir_room_set_limit(1000);
    size_t before = weir_room_used();
    CHECK_EQ(before, 0);
    CHECK(weir_room_take(600) && !weir_room_take(600) && weir_room_take(400));
    CHECK_EQ(asked(1), WEIR_RESOURCE_EXHAUSTED);
    weir_room_give(1000);
    CHECK_EQ(asked(1000), 0);
    CHECK(!weir_room_take(SIZE_MAX));
    weir_room_set_limit(0);
    CHECK(weir_room_take(SIZE_MAX / 4));
    weir_room_give(SIZE_MAX / 4);
}

TEST(what_no_machine_has_is_refused)
{
    WEIR_BUF(text);
    weir_buf_adds(&text, "abc");
    CHECK_EQ(asked((size_t)1 << 50), WEIR_RESOURCE_EXHAUSTED);
    CHECK_EQ(asked(1 << 21), 0);
    weir_status status = weir_room_grow(&text, SIZE_MAX - 2, "a test");
    CHECK_EQ(weir_status_code(status), WEIR_RESOURCE_EXHAUSTED);
    weir_status_free(status);
    CHECK(!weir_room_grow(&text, 100, "a test"));
}

TEST(what_an_op_makes_is_refused_beyond_the_limit)
{
    weir_stop stop;
    weir_room_set_limit(1000);
    CHECK(weir_room_grants(2000)); /* outside of ops always granted */
    weir_stop_begin(&stop, NULL);
    CHECK(weir_room_grants(900) && !atomic_load(&stop.no_room));
    CHECK(!weir_room_grants(2000) && atomic_load(&stop.no_room));
    weir_room_set_limit(0);
    CHECK(weir_room_grants(2000));
    CHECK(!weir_stop_end(&stop));
}

TEST_MAIN()
