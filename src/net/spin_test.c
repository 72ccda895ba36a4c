/* net/spin_test.c - spinning: events are seen, and failures make it rarer. */
#include "net/spin_impl.h"

#include "base/test.h"

typedef struct asked {
    int times, from; /* |from|: the first poll that succeeds; 0: none */
} asked;

static bool answer(const void *arg)
{
    asked *this_asked = (asked *)arg;
    return ++this_asked->times >= this_asked->from && this_asked->from;
}

TEST(what_comes_at_once_is_seen)
{
    weir_spin s = {0};
    for (int i = 0; i < 100; i++) {
        asked a = {.from = 3};
        CHECK(weir_spin_until(&s, answer, &a));
        CHECK_EQ(a.times, 3);
    }
}

TEST(waits_in_vain_become_rare_and_common_again)
{
    weir_spin s = {0};
    int tried = 0, seen = 0;
    for (int i = 0; i < 4000; i++) {
        asked never = {0};
        CHECK(!weir_spin_until(&s, answer, &never));
        tried += never.times > 0;
    }
    CHECK(tried > 0 && tried < 20);
    for (int i = 0; i < 4000; i++) {
        asked once = {.from = 1};
        seen += weir_spin_until(&s, answer, &once);
    }
    CHECK(seen > 2000);
}
TEST_MAIN()
