/* base/cancel_test.c - cancellation, and the ways it can end. */
#include "base/cancel.h"

#include "base/test.h"

static void count(void *arg)
{
    ++*(int *)arg;
}

static void let_go(void *arg)
{
    weir_cancel_release(arg);
}

static weir_status reason(void)
{
    return weir_error(WEIR_CANCELLED, "enough");
}

TEST(calls_back_once)
{
    int calls = 0;
    weir_cancel *c = weir_cancel_create(NULL);
    CHECK(weir_cancel_add(c, count, &calls) > 0);
    CHECK(!weir_cancel_fired(c));
    weir_cancel_fire(c, reason());
    weir_cancel_fire(c, reason());
    CHECK_EQ(calls, 1);
    CHECK(weir_cancel_fired(c));
    CHECK_FAILS(weir_cancel_status(c), WEIR_CANCELLED, "enough");
    CHECK_EQ(weir_cancel_add(c, count, &calls), 0);
    weir_cancel_release(c);
}

TEST(removed_callbacks_are_not_called)
{
    int calls = 0;
    weir_cancel *c = weir_cancel_create(NULL);
    int64_t token = weir_cancel_add(c, count, &calls);
    CHECK(weir_cancel_remove(c, token));
    CHECK(!weir_cancel_remove(c, token));
    weir_cancel_fire(c, reason());
    CHECK_EQ(calls, 0);
    weir_cancel_release(c);
}

TEST(parents_cancel_children)
{
    int calls = 0;
    weir_cancel *parent = weir_cancel_create(NULL), *child = weir_cancel_create(parent);
    weir_cancel_add(child, count, &calls);
    weir_cancel_fire(parent, reason());
    CHECK_EQ(calls, 1);
    weir_cancel *late = weir_cancel_create(parent);
    CHECK(weir_cancel_fired(late));
    weir_cancel_release(late);
    weir_cancel_release(child);
    weir_cancel_release(parent);
}

/* A step that ends because of its cancellation may release the cancel within the callback. */
TEST(callbacks_may_let_go)
{
    int calls = 0;
    weir_cancel *parent = weir_cancel_create(NULL), *child = weir_cancel_create(parent);
    weir_cancel_add(child, count, &calls);
    weir_cancel_add(child, let_go, child);
    weir_cancel_fire(parent, reason());
    CHECK_EQ(calls, 1);
    weir_cancel_release(parent);
}

TEST(idle_ones_are_as_if_new)
{
    int calls = 0;
    weir_cancel *parent = weir_cancel_create(NULL), *c = weir_cancel_create(parent);
    CHECK(weir_cancel_idle(c));
    CHECK(!weir_cancel_idle(parent)); /* has a child */
    int64_t token = weir_cancel_add(c, count, &calls);
    CHECK(!weir_cancel_idle(c));
    CHECK(weir_cancel_remove(c, token));
    CHECK(weir_cancel_idle(c));
    weir_cancel_retain(c);
    CHECK(!weir_cancel_idle(c));
    weir_cancel_release(c);
    weir_cancel_fire(parent, reason());
    CHECK(!weir_cancel_idle(c));
    CHECK_EQ(calls, 0);
    weir_cancel_release(c);
    weir_cancel_release(parent);
}

TEST_MAIN()
