/* observe/account_test.c - recorded steps, their totals, causes, running steps. */
#include "observe/account.h"

#include "base/test.h"
#include "observe/trace.h"

static void describe(const weir_live_step *self, weir_buf *out)
{
    weir_buf_adds(out, "{\"node\":\"n\"},");
}

static void run_step(int64_t id, bool failed)
{
    weir_live_step live = {.describe = describe, .entry.step_id = id};
    weir_account_begin(&live);
    live.entry.failed = failed;
    live.entry.wait_ns[WEIR_WAIT_RECV] = 5;
    weir_account_end(&live);
}

TEST(steps_are_kept_and_added_up)
{
    for (int i = 0; i < 3; i++)
        run_step(100 + i, i == 1);
    weir_step_entry got[8];
    CHECK_EQ(weir_account_steps(0, got, 8), 3);
    CHECK(got[0].number == 1 && got[2].step_id == 102 && got[1].failed);
    CHECK(got[1].start_ns >= got[0].end_ns && got[1].between_ns >= 0);
    CHECK_EQ(weir_account_steps(2, got, 8), 1);
    CHECK_EQ(weir_account_steps(3, got, 8), 0);
    CHECK_EQ(weir_account_steps(9, got, 8), 0);
    weir_account_totals totals = weir_account_get_totals();
    CHECK(totals.steps == 3 && totals.failed == 1 && totals.live == 0);
    CHECK_EQ(totals.wait_ns[WEIR_WAIT_RECV], 15);
}

TEST(the_oldest_steps_give_way)
{
    static weir_step_entry got[WEIR_STEPS_KEPT + 10];
    for (int i = 0; i < WEIR_STEPS_KEPT + 50; i++)
        run_step(i, false);
    CHECK_EQ(weir_account_steps(0, got, WEIR_STEPS_KEPT + 10), WEIR_STEPS_KEPT);
    CHECK_EQ(got[WEIR_STEPS_KEPT - 1].step_id, WEIR_STEPS_KEPT + 49);
    CHECK_EQ(got[0].number, got[WEIR_STEPS_KEPT - 1].number - WEIR_STEPS_KEPT + 1);
    CHECK_EQ(weir_account_steps(0, got, 4), 4);
    CHECK_EQ(got[3].step_id, WEIR_STEPS_KEPT + 49);
}

TEST(steps_in_flight_say_what_they_wait_for)
{
    weir_live_step a = {.describe = describe, .entry.step_id = 7}, b = {.describe = describe};
    WEIR_BUF(out);
    weir_account_begin(&a);
    weir_account_begin(&b);
    weir_account_live(&out);
    CHECK(strstr(out.at, "\"step_id\":7,") && strstr(out.at, "\"waits\":[{\"node\":\"n\"}]"));
    weir_account_end(&a);
    weir_account_end(&b);
    out.length = 0;
    weir_account_live(&out);
    CHECK_STR(out.at, "[]");
}

TEST(causes_are_numbered_once)
{
    int a = weir_cause_number(WEIR_WAIT_RECV, WEIR_STR("/job:ps/task:0"), WEIR_STR(""));
    int b = weir_cause_number(WEIR_WAIT_RESOURCE, WEIR_STR("queue"), WEIR_STR("FIFOQueueV2"));
    CHECK_EQ(weir_cause_number(WEIR_WAIT_RECV, WEIR_STR("/job:ps/task:0"), WEIR_STR("")), a);
    CHECK(a != b);
    weir_cause_add(b, 10);
    weir_cause_add(b, 20);
    CHECK(weir_cause_get(b).ns == 30 && weir_cause_get(b).count == 2);
    CHECK_STR(weir_cause_get(b).op, "FIFOQueueV2");
    for (int i = 0; i < 2 * WEIR_CAUSES; i++) {
        char name[16];
        snprintf(name, sizeof name, "q%d", i);
        int number = weir_cause_number(WEIR_WAIT_OTHER, weir_str_of(name), WEIR_STR(""));
        CHECK(number >= 0 && number < WEIR_CAUSES);
    }
    CHECK_EQ(weir_cause_count(), WEIR_CAUSES);
}

TEST(traces_are_asked_for_once_each)
{
    CHECK(!weir_trace_wanted());
    weir_trace_next(2);
    CHECK(weir_trace_wanted() && weir_trace_wanted() && !weir_trace_wanted());
    WEIR_BUF(events);
    weir_trace_keep(WEIR_STR("{1},"));
    weir_trace_keep(WEIR_STR("{2},"));
    CHECK_EQ(weir_trace_take(2, 1000, &events), 2);
    CHECK_STR(events.at, "{1},{2},");
    CHECK_EQ(weir_trace_take(2, 1, &events), 0);
}

TEST_MAIN()
