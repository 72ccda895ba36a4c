/* observe/marks_test.c - marks, lines of the log, and bytes between tasks. */
#include "observe/marks.h"

#include "base/log.h"
#include "base/test.h"
#include "observe/traffic.h"

TEST(marks_are_listed_from_a_number)
{
    weir_mark got[4];
    weir_mark_add("checkpoint", "saved %d", 1);
    weir_mark_add("task", "came");
    CHECK_EQ(weir_mark_list(0, got, 4), 2);
    CHECK_STR(got[0].text, "saved 1");
    CHECK_EQ(weir_mark_list(1, got, 4), 1);
    CHECK_STR(got[0].kind, "task");
    CHECK_EQ(weir_mark_list(2, got, 4), 0);
    CHECK(weir_mark_count("checkpoint") == 1 && weir_mark_count("other") == 0);
}

TEST(the_oldest_marks_give_way)
{
    static weir_mark got[2 * WEIR_MARKS_KEPT];
    for (int i = 0; i < 3 * WEIR_MARKS_KEPT; i++)
        weir_mark_add("task", "%d", i);
    CHECK_EQ(weir_mark_list(0, got, 2 * WEIR_MARKS_KEPT), WEIR_MARKS_KEPT);
    CHECK_EQ(weir_mark_list(0, got, 2), 2);
    CHECK_STR(got[1].text, "767");
}

TEST(lines_of_the_log_are_kept_whatever_their_level)
{
    weir_mark got[4];
    weir_lines_keep();
    weir_log(WEIR_LOG_DEBUG, "hello %d", 5);
    CHECK_EQ(weir_lines_list(0, got, 4), 1);
    CHECK(strstr(got[0].text, "D hello 5"));
}

static void sum(void *arg, const weir_traffic *traffic)
{
    weir_traffic *sums = arg;
    CHECK_STR(traffic->peer, "/job:ps/replica:0/task:0");
    sums->in_bytes += traffic->in_bytes;
    sums->out_bytes += traffic->out_bytes;
    sums->in_count++;
}

TEST(bytes_are_counted_by_task_and_transport)
{
    weir_traffic sums = {0};
    weir_traffic_in(WEIR_STR("/job:ps/replica:0/task:0/device:CPU:0"), "shm", 10);
    weir_traffic_in(WEIR_STR("/job:ps/replica:0/task:0/device:CPU:1"), "shm", 10);
    weir_traffic_out(WEIR_STR("/job:ps/replica:0/task:0"), "grpc", 7);
    weir_traffic_each(sum, &sums);
    CHECK(sums.in_bytes == 20 && sums.out_bytes == 7 && sums.in_count == 2);
}

TEST_MAIN()
