/* state/groups_test.c - groups: completion, mismatches, cancellation. */
#include "state/groups.h"

#include "base/test.h"

typedef struct got {
    int calls, source;
    weir_code code;
    weir_group *group;
} got;

static void group_came(void *arg, weir_status s, weir_group *group)
{
    got *g = arg;
    g->calls++;
    g->code = weir_status_code(s);
    g->group = group;
    weir_status_free(s);
}

static void instance_came(void *arg, weir_status s, int source)
{
    got *g = arg;
    g->calls++;
    g->code = weir_status_code(s);
    g->source = source;
    weir_status_free(s);
}

static void join(weir_groups *g, int size, const char *device, uint64_t incarnation,
                 weir_cancel *cancel, got *out)
{
    weir_group_device d = {weir_str_of(device), weir_str_of("CPU"), incarnation};
    weir_groups_join(g, 1, size, &d, cancel, group_came, out);
}

#define DEVICE(task, n) "/job:w/replica:0/task:" #task "/device:CPU:" #n

TEST(a_group_knows_whether_all_members_are_weirs)
{
    for (int own = 0; own <= 2; own++) {
        weir_groups *g = weir_groups_create();
        got both[2] = {0};
        weir_group_device d[2] = {{weir_str_of(DEVICE(0, 0)), weir_str_of("CPU"), 1, own > 0},
                                  {weir_str_of(DEVICE(1, 0)), weir_str_of("CPU"), 2, own > 1}};
        for (int i = 0; i < 2; i++)
            weir_groups_join(g, 1, 2, &d[i], NULL, group_came, &both[i]);
        CHECK_EQ(both[0].group->all_weir, own == 2);
        weir_group_release(both[0].group);
        weir_group_release(both[1].group);
        weir_groups_destroy(g);
    }
}

TEST(members_are_ranked_by_the_names_of_tasks_and_the_numbers_of_devices)
{
    static const char *const order[] = {DEVICE(0, 2), DEVICE(0, 10), DEVICE(10, 0), DEVICE(2, 0)};
    weir_groups *g = weir_groups_create();
    got all[4] = {0};
    join(g, 4, DEVICE(2, 0), 1, NULL, &all[0]);
    join(g, 4, DEVICE(0, 10), 2, NULL, &all[1]);
    join(g, 4, DEVICE(10, 0), 3, NULL, &all[2]);
    CHECK_EQ(all[0].calls + all[1].calls + all[2].calls, 0);
    CHECK(!weir_groups_find(g, 1));
    join(g, 4, DEVICE(0, 2), 4, NULL, &all[3]);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(all[i].calls, 1);
        CHECK_STR(all[3].group->members[i].device, order[i]);
    }
    CHECK_EQ(weir_group_rank(all[0].group, weir_str_of(DEVICE(2, 0))), 3);
    got again = {0};
    join(g, 4, DEVICE(2, 0), 1, NULL, &again);
    CHECK(again.group == all[0].group);
    for (int i = 0; i < 4; i++)
        weir_group_release(all[i].group);
    weir_group_release(again.group);
    weir_groups_destroy(g);
}

TEST(who_does_not_fit_ends_the_wait)
{
    weir_groups *g = weir_groups_create();
    got a = {0}, b = {0}, c = {0}, d = {0}, e = {0};
    join(g, 2, DEVICE(0, 0), 1, NULL, &a);
    join(g, 3, DEVICE(1, 0), 2, NULL, &b);
    CHECK_EQ(a.code, WEIR_INTERNAL);
    CHECK_EQ(b.code, WEIR_INTERNAL);
    join(g, 1, DEVICE(0, 0), 1, NULL, &c); /* restarted */
    CHECK_EQ(c.code, WEIR_CODE_OK);
    join(g, 1, DEVICE(1, 0), 1, NULL, &d);
    CHECK_EQ(d.code, WEIR_INTERNAL); /* full */
    join(g, 1, DEVICE(0, 0), 9, NULL, &e);
    CHECK_EQ(e.code, WEIR_FAILED_PRECONDITION); /* restarted */
    weir_group_release(c.group);
    weir_groups_destroy(g);
}

TEST(who_waits_may_give_up)
{
    weir_groups *g = weir_groups_create();
    weir_cancel *cancel = weir_cancel_create(NULL);
    got a = {0}, b = {0}, late = {0}, again = {0};
    join(g, 2, DEVICE(0, 0), 1, cancel, &a);
    weir_cancel_fire(cancel, weir_error(WEIR_CANCELLED, "enough"));
    CHECK_EQ(a.calls, 1);
    CHECK_EQ(a.code, WEIR_CANCELLED);
    join(g, 2, DEVICE(0, 0), 1, cancel, &late);
    CHECK_EQ(late.code, WEIR_CANCELLED);
    join(g, 2, DEVICE(1, 0), 1, NULL, &b);
    CHECK_EQ(b.calls, 0); /* the other members have left */
    join(g, 2, DEVICE(0, 0), 9, NULL, &again);
    CHECK_EQ(again.code, WEIR_CODE_OK); /* it was restarted meanwhile */
    CHECK_EQ(b.code, WEIR_CODE_OK);
    CHECK_EQ(b.group->members[0].incarnation, 9);
    weir_group_release(again.group);
    weir_group_release(b.group);
    weir_cancel_release(cancel);
    weir_groups_destroy(g);
}

TEST(a_broadcast_needs_one_source)
{
    weir_groups *g = weir_groups_create();
    got a = {0}, b = {0}, x = {0}, y = {0};
    join(g, 2, DEVICE(0, 0), 1, NULL, &a);
    join(g, 2, DEVICE(1, 0), 2, NULL, &b);
    weir_collective what = {.type = WEIR_COLLECTIVE_BROADCAST,
                            .group_key = 1,
                            .group_size = 2,
                            .instance_key = 5,
                            .dtype = WEIR_FLOAT,
                            .shape = {.rank = 1, .dims = {3}},
                            .device = DEVICE(0, 0)};
    weir_groups_instance(g, a.group, &what, 0, NULL, instance_came, &x);
    CHECK_EQ(x.calls, 0);
    CHECK(!weir_groups_has_instance(g, &what, 0));
    what.device = DEVICE(1, 0);
    what.is_source = true;
    weir_groups_instance(g, a.group, &what, 0, NULL, instance_came, &y);
    CHECK_EQ(x.source, 1);
    CHECK_EQ(y.source, 1);
    CHECK(weir_groups_has_instance(g, &what, 0));
    what.instance_key = 6;
    weir_groups_instance(g, a.group, &what, 0, NULL, instance_came, &x);
    what.device = DEVICE(0, 0);
    weir_groups_instance(g, a.group, &what, 0, NULL, instance_came, &y);
    CHECK_EQ(x.code, WEIR_INTERNAL);
    CHECK_EQ(y.code, WEIR_INTERNAL);
    weir_group_release(a.group);
    weir_group_release(b.group);
    weir_groups_destroy(g);
}

TEST_MAIN()
