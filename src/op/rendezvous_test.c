/* op/rendezvous_test.c - order, receivers that are forgotten, values that are counted. */
#include "op/rendezvous.h"

#include "base/room.h"
#include "base/test.h"

enum { MOST = 8 };

typedef struct received_order {
    int count, ids[MOST];
    weir_code codes[MOST];
} received_order;

typedef struct receiver {
    received_order *order;
    int id;
} receiver;

static void came(void *arg, weir_status status, weir_tensor tensor, bool dead)
{
    const receiver *receiver = arg;
    received_order *order = receiver->order;
    order->ids[order->count] = tensor.buffer ? *(int32_t *)tensor.data : receiver->id;
    order->codes[order->count++] = weir_status_code(status);
    weir_status_free(status);
    weir_tensor_release(&tensor);
}

static weir_status give(weir_rendezvous *values, weir_str key, int32_t number)
{
    return values->send(values, key, weir_tensor_scalar(WEIR_INT32, &number), false);
}

static const weir_str key = {"a;b;c;d;0:0", 11};

TEST(values_of_one_key_keep_their_order)
{
    weir_rendezvous *values = weir_rendezvous_create();
    received_order order = {0};
    receiver receiver = {&order, 0};
    for (int i = 0; i < 3; i++)
        CHECK_OK(give(values, key, i));
    values->recv(values, key, came, &receiver);
    CHECK_OK(give(values, key, 3));
    for (int i = 0; i < 3; i++)
        values->recv(values, key, came, &receiver);
    CHECK_EQ(order.count, 4);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(order.ids[i], i);
    CHECK(weir_rendezvous_idle(values));
    weir_rendezvous_release(values);
}

TEST(a_receiver_that_is_forgotten_leaves_the_others_in_their_order)
{
    for (int gone = 0; gone < 4; gone++) {
        weir_rendezvous *values = weir_rendezvous_create();
        received_order order = {0};
        receiver receivers[4];
        for (int i = 0; i < 4; i++) {
            receivers[i] = (receiver){&order, i};
            values->recv(values, key, came, &receivers[i]);
        }
        CHECK(weir_rendezvous_forget(values, key, &receivers[gone]));
        CHECK(!weir_rendezvous_forget(values, key, &receivers[gone]));
        CHECK(weir_rendezvous_awaits(values, key));
        values->abort(values, weir_error(WEIR_ABORTED, "enough"));
        CHECK_EQ(order.count, 3);
        for (int i = 0; i < 3; i++) {
            CHECK_EQ(order.ids[i], i + (i >= gone));
            CHECK_EQ(order.codes[i], WEIR_ABORTED);
        }
        weir_rendezvous_release(values);
    }
}

TEST(the_only_receiver_is_forgotten)
{
    weir_rendezvous *values = weir_rendezvous_create();
    received_order order = {0};
    receiver receiver = {&order, 0};
    values->recv(values, key, came, &receiver);
    CHECK(weir_rendezvous_forget(values, key, &receiver));
    CHECK(weir_rendezvous_idle(values));
    CHECK_OK(give(values, key, 7));
    CHECK(!weir_rendezvous_forget(values, key, &receiver)); /* it is a value */
    values->recv(values, key, came, &receiver);
    CHECK_EQ(order.count, 1);
    CHECK_EQ(order.ids[0], 7);
    weir_rendezvous_release(values);
}

TEST(values_that_nobody_takes_are_counted)
{
    weir_rendezvous *values = weir_rendezvous_create();
    size_t before = weir_room_used();
    weir_status status = WEIR_OK;
    int count = 0;
    weir_room_set_limit(before + (4 << 20));
    for (; !status && count < 1000000; count++)
        status = give(values, key, count);
    CHECK_EQ(weir_status_code(status), WEIR_RESOURCE_EXHAUSTED);
    CHECK(count > 1000);
    weir_status_free(status);
    weir_rendezvous_release(values);
    CHECK_EQ(weir_room_used(), before);
    weir_room_set_limit(0);
}

TEST_MAIN()
