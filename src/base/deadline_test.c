/* base/deadline_test.c - deadlines of a thread. */
#include "base/deadline.h"

#include <unistd.h>

#include "base/test.h"

static weir_code checked(void)
{
    weir_status status = weir_deadline_check();
    weir_code code = weir_status_code(status);
    weir_status_free(status);
    return code;
}

TEST(without_a_deadline_there_is_all_the_time)
{
    CHECK(checked() == 0);
}

TEST(a_deadline_that_has_passed_is_told_until_it_ends)
{
    weir_deadline outer, inner;
    weir_deadline_begin(&outer, 1, NULL);
    usleep(5000);
    weir_deadline_begin(&inner, 1000000, NULL); /* a later one within changes nothing */
    CHECK(checked() == WEIR_DEADLINE_EXCEEDED);
    weir_deadline_end(&inner);
    weir_deadline_end(&outer);
    CHECK(checked() == 0);
}

TEST(a_deadline_follows_a_cancellation)
{
    weir_cancel *cancel = weir_cancel_create(NULL);
    weir_deadline deadline;
    weir_deadline_begin(&deadline, INT64_MAX, cancel);
    CHECK(checked() == 0);
    weir_cancel_fire(cancel, weir_error(WEIR_ABORTED, "enough"));
    CHECK(checked() == WEIR_ABORTED);
    weir_deadline_end(&deadline);
    weir_cancel_release(cancel);
}

TEST_MAIN()
