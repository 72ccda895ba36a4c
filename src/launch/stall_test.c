/* launch/stall_test.c - when a job without progress is reported. */
#include "launch/stall.h"

#include "base/test.h"

static bool due_at(run_stall *stall, int64_t second, const char *first, const char *second_task)
{
    run_stall_add(stall, weir_str_of(first));
    run_stall_add(stall, weir_str_of(second_task));
    return run_stall_due(stall, (second + 1000) * 1000000000);
}

static int notices(run_stall *stall, const char *state, int64_t from, int64_t to)
{
    int count = 0;
    for (int64_t second = from; second < to; second++)
        count += due_at(stall, second, state, "{\"steps\":0,\"in_flight\":0}");
    return count;
}

TEST(notices_come_after_10_s_1_min_and_every_10_min)
{
    run_stall stall = {0};
    const char *stuck = "{\"job\":\"ps\",\"steps\":7,\"list\":[{\"steps\":1}],\"in_flight\":2}";
    CHECK_EQ(notices(&stall, stuck, 0, 10), 0);
    CHECK_EQ(notices(&stall, stuck, 10, 11), 1);
    CHECK_EQ(notices(&stall, stuck, 11, 60), 0);
    CHECK_EQ(notices(&stall, stuck, 60, 61), 1);
    CHECK_EQ(notices(&stall, stuck, 61, 600), 0);
    CHECK_EQ(notices(&stall, stuck, 600, 1801), 3);
}

TEST(a_step_of_any_task_is_progress)
{
    run_stall stall = {0};
    notices(&stall, "{\"steps\":7,\"in_flight\":2}", 0, 9);
    CHECK(!due_at(&stall, 9, "{\"steps\":7,\"in_flight\":2}", "{\"steps\":1,\"in_flight\":0}"));
    CHECK(!due_at(&stall, 18, "{\"steps\":7,\"in_flight\":2}", "{\"steps\":1,\"in_flight\":0}"));
    CHECK(due_at(&stall, 19, "{\"steps\":7,\"in_flight\":2}", "{\"steps\":1,\"in_flight\":0}"));
}

TEST(a_job_without_steps_in_flight_is_not_reported)
{
    run_stall stall = {0};
    CHECK_EQ(notices(&stall, "{\"steps\":7,\"in_flight\":0}", 0, 100), 0);
    CHECK_EQ(notices(&stall, "no JSON", 100, 200), 0);
}

TEST_MAIN()
