/* dist/cluster_test.c - tasks, their order and their messages. */
#include "dist/cluster.h"

#include "base/test.h"
#include "wire/messages.h"

static weir_cluster *sample(void)
{
    weir_cluster *cluster = weir_cluster_create();
    CHECK_OK(weir_cluster_add(cluster, "worker", 5, "h:5"));
    CHECK_OK(weir_cluster_add(cluster, "ps", 1, "p:1"));
    CHECK_OK(weir_cluster_add(cluster, "worker", 0, "[::1]:2222"));
    CHECK_OK(weir_cluster_add(cluster, "ps", 0, "p:0"));
    return cluster;
}

TEST(tasks_are_sorted_within_their_job)
{
    weir_cluster *c = sample();
    CHECK_OK(weir_cluster_seal(c, "ps", 1));
    CHECK_STR(c->tasks[0].name, "/job:worker/replica:0/task:0");
    CHECK_STR(c->tasks[1].name, "/job:worker/replica:0/task:5");
    CHECK_STR(c->tasks[2].name, "/job:ps/replica:0/task:0");
    CHECK_EQ(c->own, 3);
    CHECK_STR(weir_cluster_self(c)->address, "p:1");
    weir_cluster_release(c);
}

TEST(a_task_is_found_by_its_name_and_by_its_devices)
{
    weir_cluster *c = sample();
    CHECK_OK(weir_cluster_seal(c, NULL, 0));
    CHECK(!weir_cluster_self(c));
    const weir_task *t =
        weir_cluster_find(c, WEIR_STR("/job:worker/replica:0/task:5/device:CPU:0"));
    CHECK(t && t->index == 5);
    t = weir_cluster_find(c, WEIR_STR("/job:ps/replica:0/task:0"));
    CHECK(t && strcmp(t->address, "p:0") == 0);
    CHECK(!weir_cluster_find(c, WEIR_STR("/job:ps/replica:0/task:7/device:CPU:0")));
    CHECK(!weir_cluster_find(c, (weir_str){"", 0}));
    weir_cluster_release(c);
}

TEST(a_message_comes_back_as_it_went)
{
    weir_cluster *c = sample(), *d = weir_cluster_create();
    WEIR_BUF(bytes);
    WEIR_BUF(again);
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_cluster_def def = weir_cluster_describe(c, &arena);
    weir_msg_cluster_def_write(&def, &bytes);
    CHECK_OK(weir_msg_cluster_def_read(weir_view(&bytes), &arena, &def));
    CHECK_OK(weir_cluster_add_def(d, &def));
    weir_msg_cluster_def back = weir_cluster_describe(d, &arena);
    weir_msg_cluster_def_write(&back, &again);
    CHECK(weir_str_eq(weir_view(&bytes), weir_view(&again)));
    CHECK_FAILS(weir_cluster_add_def(d, &def), WEIR_INVALID_ARGUMENT, "named twice");
    weir_cluster_release(c);
    weir_cluster_release(d);
}

TEST(bad_tasks_are_refused)
{
    weir_cluster *c = sample();
    CHECK_FAILS(weir_cluster_add(c, "a b", 0, "h:1"), WEIR_INVALID_ARGUMENT, "'a b'");
    CHECK_FAILS(weir_cluster_add(c, "", 0, "h:1"), WEIR_INVALID_ARGUMENT, "job name");
    CHECK_FAILS(weir_cluster_add(c, "ps", -1, "h:1"), WEIR_INVALID_ARGUMENT, "-1");
    CHECK_FAILS(weir_cluster_add(c, "ps", 0, "h:1"), WEIR_INVALID_ARGUMENT, "twice");
    static const char *const bad[] = {"",        "h",        ":1",    "h:",     "h:x",
                                      "h:65536", "h:123456", "::1:1", "[::1:1", "::1]:1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_FAILS(weir_cluster_add(c, "ps", 9, bad[i]), WEIR_INVALID_ARGUMENT, "host-port");
    CHECK_FAILS(weir_cluster_seal(c, "ps", 7), WEIR_NOT_FOUND, "Task 7 of job \"ps\"");
    weir_cluster_release(c);
}

TEST_MAIN()
