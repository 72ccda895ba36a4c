/* dist/steps_test.c - tables of steps: order of arrival, lifetime, cleanup. */
#include "dist/steps.h"

#include "base/test.h"

/* The arguments of a receiver. */
typedef struct got {
    int calls;
    weir_code code;
    bool derived, dead;
    float value;
} got;

static void receive(void *arg, weir_status status, weir_tensor tensor, bool dead)
{
    got *got = arg;
    got->calls++;
    got->code = weir_status_code(status);
    got->derived = weir_status_is(status, WEIR_DERIVED);
    got->dead = dead;
    got->value = tensor.buffer ? *(float *)tensor.data : 0;
    weir_status_free(status);
    weir_tensor_release(&tensor);
}

static const weir_str key = {"/job:a/replica:0/task:0/device:CPU:0;0000000000000001;d;e;0:0", 61};

static weir_status send(weir_rendezvous *rendezvous, float value)
{
    return rendezvous->send(rendezvous, key, weir_tensor_scalar(WEIR_FLOAT, &value), false);
}

TEST(a_value_may_be_asked_for_before_its_step_runs)
{
    weir_steps *s = weir_steps_create();
    got g = {0};
    weir_steps_serve(s, 7, key, receive, &g);
    CHECK_EQ(g.calls, 0);
    weir_rendezvous *r = weir_steps_join(s, 7, NULL, NULL);
    CHECK_OK(send(r, 2.5f));
    CHECK_EQ(g.calls, 1);
    CHECK_NEAR(g.value, 2.5, 0);
    CHECK_OK(send(r, 3.5f)); /* ... and after it ended */
    weir_rendezvous_release(r);
    weir_steps_serve(s, 7, key, receive, &g);
    CHECK_EQ(g.calls, 2);
    CHECK_NEAR(g.value, 3.5, 0);
    CHECK_EQ(weir_steps_count(s), 1);
    weir_steps_cleanup(s, 7);
    CHECK_EQ(weir_steps_count(s), 0);
    weir_steps_destroy(s);
}

TEST(a_participant_that_leaves_nothing_retires_its_step)
{
    weir_steps *s = weir_steps_create();
    got g = {0};
    weir_rendezvous *r = weir_steps_join(s, 7, NULL, NULL);
    CHECK_OK(send(r, 1));
    CHECK(!weir_steps_retire(r)); /* the value may still be requested */
    weir_steps_serve(s, 7, key, receive, &g);
    CHECK_EQ(g.calls, 1);
    weir_rendezvous *other = weir_steps_join(s, 7, NULL, NULL);
    CHECK(!weir_steps_retire(r)); /* another participant runs here */
    weir_rendezvous_release(other);
    CHECK(weir_steps_retire(r));
    CHECK_EQ(weir_steps_count(s), 0);
    CHECK(!weir_steps_retire(r));
    weir_rendezvous_release(r);
    weir_steps_destroy(s);
}

TEST(who_waits_is_told_of_the_end)
{
    weir_steps *s = weir_steps_create();
    got g = {0};
    weir_rendezvous *r = weir_steps_join(s, 7, NULL, NULL);
    weir_steps_serve(s, 7, key, receive, &g);
    weir_steps_cleanup(s, 7);
    CHECK_EQ(g.calls, 1);
    CHECK_EQ(g.code, WEIR_ABORTED);
    CHECK(g.derived);
    CHECK_FAILS(send(r, 1), WEIR_ABORTED, "Cleanup 7");
    weir_rendezvous_release(r);
    weir_steps_destroy(s);
}

TEST(an_error_reaches_others_as_it_is_and_a_stop_as_derived)
{
    weir_steps *s = weir_steps_create();
    for (int stop = 0; stop < 2; stop++) {
        got g = {0};
        weir_code code = stop ? WEIR_CANCELLED : WEIR_INVALID_ARGUMENT;
        weir_rendezvous *r = weir_steps_join(s, 3 + stop, NULL, NULL);
        weir_steps_serve(s, 3 + stop, key, receive, &g);
        r->abort(r, weir_error(code, "so it is"));
        CHECK_EQ(g.code, code);
        CHECK_EQ(g.derived, stop);
        weir_steps_serve(s, 3 + stop, key, receive, &g); /* late ones are notified too */
        CHECK_EQ(g.calls, 2);
        CHECK_EQ(g.code, code);
        weir_rendezvous_release(r);
    }
    weir_steps_destroy(s);
}

TEST(what_nobody_joined_goes_with_the_last_who_waits)
{
    weir_steps *s = weir_steps_create();
    got a = {0}, b = {0};
    weir_steps_serve(s, 9, key, receive, &a);
    weir_steps_serve(s, 9, key, receive, &b);
    weir_steps_forget(s, 9, key, &a, receive, weir_error(WEIR_CANCELLED, "gone"));
    CHECK_EQ(a.code, WEIR_CANCELLED);
    CHECK_EQ(b.calls, 0);
    CHECK_EQ(weir_steps_count(s), 1);
    weir_steps_forget(s, 9, key, &b, receive, weir_error(WEIR_CANCELLED, "gone"));
    CHECK_EQ(b.calls, 1);
    CHECK_EQ(weir_steps_count(s), 0);
    /* it is not registered any more */
    weir_steps_forget(s, 9, key, &b, receive, weir_error(WEIR_CANCELLED, "gone"));
    CHECK_EQ(b.calls, 1);
    CHECK_EQ(weir_steps_count(s), 0);
    weir_steps_destroy(s);
}

TEST(an_owner_takes_its_steps_along)
{
    weir_steps *s = weir_steps_create();
    int me, other;
    for (int64_t id = 1; id <= 6; id++) {
        weir_rendezvous *r = weir_steps_join(s, id, NULL, NULL);
        weir_steps_own(s, id, id % 2 ? &me : &other);
        CHECK_OK(send(r, 1));
        weir_rendezvous_release(r);
    }
    weir_steps_drop_owned(s, &me);
    CHECK_EQ(weir_steps_count(s), 3);
    weir_steps_destroy(s);
}

TEST(ids_are_small_and_not_zero)
{
    for (int i = 0; i < 1000; i++) {
        int64_t id = weir_steps_new_id();
        CHECK(id > 0 && id < 1ll << 57);
    }
}

TEST(keys_come_apart_as_they_were_made)
{
    WEIR_BUF(b);
    weir_rendezvous_key(&b, WEIR_STR("/job:a/device:CPU:0"), 0xfedcba9876543210u, WEIR_STR("d"),
                        WEIR_STR("edge_5_x"));
    weir_rendezvous_frame(&b, 1297487728751926515u, 4);
    CHECK_STR(b.at, "/job:a/device:CPU:0;fedcba9876543210;d;edge_5_x;1297487728751926515:4");
    weir_parsed_key k;
    CHECK_OK(weir_rendezvous_parse(weir_view(&b), &k));
    CHECK(weir_str_is(k.src_device, "/job:a/device:CPU:0"));
    CHECK(k.incarnation == 0xfedcba9876543210u);
    CHECK(weir_str_is(k.edge, "edge_5_x"));
    static const char *const bad[] = {"",
                                      "foo",
                                      "a;b;c;d;e",
                                      "a;0000000000000001;c;d",
                                      "a;0000000000000001;c;d;e;f",
                                      ";0000000000000001;c;d;e",
                                      "a;00000000000001;c;d;e"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_FAILS(weir_rendezvous_parse(weir_str_of(bad[i]), &k), WEIR_INVALID_ARGUMENT,
                    "Invalid  rendezvous key");
}

TEST_MAIN()
