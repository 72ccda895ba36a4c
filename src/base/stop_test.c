/* base/stop_test.c */
#include "base/stop.h"

#include "base/deadline.h"
#include "base/pool.h"
#include "base/stack.h"
#include "base/test.h"

typedef struct work {
    weir_cancel *cancel;
    atomic_llong done;
} work;

static void part(void *ctx, int64_t begin, int64_t end)
{
    work *this_work = ctx;
    if (atomic_fetch_add(&this_work->done, end - begin) > 100)
        weir_cancel_fire(this_work->cancel, weir_error(WEIR_CANCELLED, "enough"));
}

enum { COUNT = 1 << 30 };

TEST(a_long_loop_ends_when_it_is_stopped_and_another_does_not)
{
    weir_pool *pool = weir_pool_create(3);
    for (int threads = 1; threads <= 4; threads += 3) {
        work work = {weir_cancel_create(NULL), 0};
        weir_stop stop;
        weir_stop_begin(&stop, work.cancel);
        weir_par_for_long(&(weir_par){pool, threads}, COUNT, 1, part, &work);
        CHECK(atomic_load(&work.done) < COUNT);
        weir_par_for(&(weir_par){pool, threads}, 1000, 1, part, &work);
        CHECK(weir_stop_end(&stop));
        weir_cancel_release(work.cancel);
    }
    weir_pool_destroy(pool);
}

TEST(a_loop_that_nobody_stops_is_done)
{
    weir_pool *pool = weir_pool_create(3);
    work work = {weir_cancel_create(NULL), 0};
    weir_stop stop;
    weir_par_for_long(&(weir_par){pool, 4}, 100, 3, part, &work);
    weir_stop_begin(&stop, work.cancel);
    CHECK(!weir_stopped() && !weir_stop_end(&stop));
    CHECK_EQ(atomic_load(&work.done), 100);
    weir_cancel_release(work.cancel);
    weir_pool_destroy(pool);
}

TEST(a_deadline_that_the_op_had_stops_too_and_no_other)
{
    weir_cancel *cancel = weir_cancel_create(NULL);
    weir_deadline before, within;
    weir_stop stop;
    weir_deadline_begin(&before, 0, cancel);
    weir_stop_begin(&stop, NULL);
    CHECK(!weir_stopped());
    weir_cancel_fire(cancel, weir_error(WEIR_CANCELLED, "enough"));
    CHECK(weir_stopped());
    CHECK(weir_stop_end(&stop));
    weir_deadline_end(&before);

    weir_stop_begin(&stop, NULL); /* a thread with a deadline of its own helps another's op */
    weir_deadline_begin(&within, 0, cancel);
    CHECK(!weir_stopped());
    weir_deadline_end(&within);
    CHECK(!weir_stop_end(&stop));
    weir_cancel_release(cancel);
}

/* Frames of some size: the thread sanitizer has room for 65,536 of them. */
static int descend(int level, volatile char *outer)
{
    volatile char here[1000]; /* on the stack, whatever the compiler makes of recursion */
    here[0] = outer[0];
    weir_status status = weir_stack_check("A test");
    bool ended = status != WEIR_OK;
    weir_status_free(status);
    return (ended ? level : descend(level + 1, here)) + here[0];
}

TEST(recursion_ends_before_the_stack_does)
{
    volatile char top = 0;
    CHECK(descend(1, &top) > 1000);
}

TEST_MAIN()
