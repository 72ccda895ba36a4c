/* net/channel_test.c - channels over gRPC, and how they find a server. */
#define TRANSPORT BY_GRPC
#include "net/channel_suite.h"

/* Before anything reads the environment. */
__attribute__((constructor)) static void choose_transport(void)
{
    setenv("WEIR_TRANSPORTS", "grpc", 1);
}

TEST(bad_addresses)
{
    static const struct {
        const char *address, *text;
    } cases[] = {{"nohost", "no port"},
                 {"127.0.0.1:", "no port"},
                 {"no.such.host.invalid:1", "DNS resolution failed"},
                 {"127.0.0.1:notaport", "DNS resolution failed"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weir_channel *c = weir_channel_open(cases[i].address);
        CHECK_STR(weir_channel_address(c), cases[i].address);
        CHECK_FAILS(ask_only(c, "/t/Echo", ""), WEIR_UNAVAILABLE, cases[i].text);
        weir_channel_release(c);
    }
}

TEST(names_are_resolved)
{
    weir_rpc_server *s = serve(0);
    char address[64];
    snprintf(address, sizeof address, "localhost:%d", weir_rpc_port(s));
    weir_channel *c = weir_channel_open(address);
    CHECK_OK(ask_only(c, "/t/Echo", "x"));
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

/* Each end says how large the messages are that it wants. */
TEST(messages_of_streams_are_as_large_as_wanted)
{
    static const struct {
        size_t wanted, limit;
    } cases[] = {{1000, 1000}, {SIZE_MAX, WEIR_H2_MESSAGE_LIMIT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weir_stream_accept(cases[i].wanted);
        weir_rpc_server *s = serve(0);
        weir_channel *c = open_port(weir_rpc_port(s));
        stream_log h = {0};
        CHECK_OK(ask_only(c, "/t/Echo", "")); /* connected */
        weir_stream *stream = start_stream(c, &h, NULL);
        CHECK(stream != NULL);
        CHECK_EQ(weir_stream_message_limit(stream), cases[i].limit);
        weir_rpc_message nothing = {0};
        CHECK_OK(weir_stream_send(stream, weir_str_of("end"), &nothing));
        wait_for(&h.ended, 1);
        weir_stream_release(stream);
        weir_channel_release(c);
        weir_rpc_server_destroy(s);
    }
}

/* ---- the order of large messages ------------------------------------------------------------- */

enum { LARGE_CALLS = 6 };

typedef struct large_call {
    struct large_order *of;
    int number;
    atomic_int ended;
    weir_code code;
} large_call;

typedef struct large_order {
    large_call calls[LARGE_CALLS];
    int order[LARGE_CALLS], count; /* on the client I/O thread */
} large_order;

static void note_order(void *arg, weir_status status, weir_rpc_message *answer)
{
    large_call *call = arg;
    call->of->order[call->of->count++] = call->number;
    call->code = weir_status_code(status);
    weir_status_free(status);
    atomic_store(&call->ended, 1);
}

/* The first is the largest: were they sent side by side, it would be there last. */
static void start_large(weir_channel *c, large_order *all, weir_cancel *cancel, int cancelled_call)
{
    for (int i = 0; i < LARGE_CALLS; i++) {
        all->calls[i] = (large_call){.of = all, .number = i};
        weir_rpc_message request = {.payload_bytes = (size_t)(LARGE_CALLS - i) << 20};
        CHECK_OK(weir_buffer_alloc(request.payload_bytes, &request.payload));
        memset(request.payload->data, 'a' + i, request.payload_bytes);
        weir_channel_start(c, &(weir_channel_call){.path = "/t/QuickEcho",
                                                   .request = &request,
                                                   .cancel = i == cancelled_call ? cancel : NULL,
                                                   .done = note_order,
                                                   .arg = &all->calls[i]});
    }
}

TEST(large_messages_arrive_one_after_the_other)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    CHECK_OK(ask_only(c, "/t/Echo", "x")); /* the server's windows are known */
    large_order all = {0};
    start_large(c, &all, NULL, -1);
    for (int i = 0; i < LARGE_CALLS; i++) {
        wait_for(&all.calls[i].ended, 1);
        CHECK_EQ(all.calls[i].code, WEIR_CODE_OK);
    }
    /* A server that is held up may answer neighbours in another order. */
    CHECK(all.order[LARGE_CALLS - 1] != 0);
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

TEST(a_large_message_that_is_cancelled_holds_up_no_other)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    CHECK_OK(ask_only(c, "/t/Echo", "x"));
    for (int which = 0; which < LARGE_CALLS; which++) {
        weir_cancel *cancel = weir_cancel_create(NULL);
        large_order all = {0};
        start_large(c, &all, cancel, which);
        weir_cancel_fire(cancel, weir_error(WEIR_ABORTED, "enough"));
        for (int i = 0; i < LARGE_CALLS; i++)
            wait_for(&all.calls[i].ended, 1);
        for (int i = 0; i < LARGE_CALLS; i++)
            CHECK(all.calls[i].code == WEIR_CODE_OK || i == which);
        weir_cancel_release(cancel);
    }
    CHECK_OK(ask_only(c, "/t/Echo", "x"));
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

TEST_MAIN()
