/* net/channel_stream_suite.h - the part of the suite about streams; included by channel_suite.h. */
#ifndef WEIR_NET_CHANNEL_STREAM_SUITE_H
#define WEIR_NET_CHANNEL_STREAM_SUITE_H

#include "net/channel_suite.h"

typedef struct stream_log {
    atomic_int messages, ended;
    int wrong;       /* messages that are not the next expected one */
    int large_bytes; /* of the message "large" */
    weir_code code;
    char answer[16];
} stream_log;

static void hear_message(void *arg, weir_str label, weir_rpc_message *message)
{
    stream_log *heard = arg;
    char next[16];
    snprintf(next, sizeof next, "%d", atomic_load(&heard->messages));
    if (weir_str_is(label, "large"))
        heard->large_bytes = (int)weir_rpc_message_bytes(message);
    else
        heard->wrong += !weir_str_is(label, next) || message->head.length != 5;
    atomic_fetch_add(&heard->messages, 1);
    weir_rpc_message_fini(message);
}

static void hear_end(void *arg, weir_status status, weir_rpc_message *answer)
{
    stream_log *heard = arg;
    heard->code = weir_status_code(status);
    if (!status)
        snprintf(heard->answer, sizeof heard->answer, "%s", answer->head.at);
    weir_status_free(status);
    weir_rpc_message_fini(answer);
    atomic_store(&heard->ended, 1);
}

static weir_stream *start_stream_of(weir_channel *channel, const char *path, stream_log *heard,
                                    weir_cancel *cancel)
{
    weir_rpc_message request = {0};
    weir_buf_adds(&request.head, "go");
    weir_stream *stream =
        weir_channel_start_stream(channel, &(weir_channel_call){.path = path,
                                                                .request = &request,
                                                                .cancel = cancel,
                                                                .on_message = hear_message,
                                                                .message_payload = after_head,
                                                                .done = hear_end,
                                                                .arg = heard});
    weir_rpc_message_fini(&request);
    return stream;
}

static weir_stream *start_stream(weir_channel *channel, stream_log *heard, weir_cancel *cancel)
{
    return start_stream_of(channel, "/t/Stream", heard, cancel);
}

static weir_status send_text(weir_stream *stream, const char *label, const char *text)
{
    weir_rpc_message message = {0};
    weir_buf_adds(&message.head, text);
    return weir_stream_send(stream, weir_str_of(label), &message);
}

TEST(messages_travel_both_ways_in_order_until_the_answer)
{
    weir_rpc_server *server = serve(0);
    weir_channel *c = open_port(weir_rpc_port(server));
    CHECK_OK(ask_only(c, "/t/Echo", "")); /* support for streams is known once connected */
    stream_log h = {0};
    weir_stream *s = start_stream(c, &h, NULL);
    CHECK(s != NULL);
    for (int i = 0; i < 1000; i++) {
        char label[16];
        snprintf(label, sizeof label, "%d", i);
        CHECK_OK(send_text(s, label, "hello"));
    }
    weir_rpc_message large = {.payload_bytes = 300000};
    CHECK_OK(weir_buffer_alloc(large.payload_bytes, &large.payload));
    CHECK_OK(weir_stream_send(s, weir_str_of("large"), &large));
    CHECK_OK(send_text(s, "end", "over"));
    wait_for(&h.ended, 1);
    CHECK_EQ(atomic_load(&h.messages), 1001);
    CHECK_EQ(h.wrong, 0);
    CHECK_EQ(h.large_bytes, 300000);
    CHECK_STR(h.answer, "over");
    CHECK_OK(send_text(s, "late", "goes nowhere"));
    weir_stream_release(s);
    weir_channel_release(c);
    weir_rpc_server_destroy(server);
}

/* Messages of all sizes are echoed unchanged, whether they are copied or lent, read in one piece or
 * many. A message's contents depend only on its number. */
enum { ECHOES = 400, MOST_ECHOED = 150000 };

static uint32_t echoed_number(uint32_t i)
{
    i = (i + 1) * 2654435761u;
    return (i ^ i >> 15) * 2246822519u >> 8;
}

static size_t echoed_bytes(uint32_t i)
{
    static const size_t limits[] = {1, 64, 5000, 9000, MOST_ECHOED};
    return echoed_number(i) % limits[i % 5];
}

static char echoed_byte(uint32_t i, size_t at)
{
    return (char)(echoed_number(i) + at * 7 + at / 251);
}

typedef struct echo_log {
    atomic_int came, ended;
    int wrong;
} echo_log;

static void hear_echo(void *arg, weir_str label, weir_rpc_message *message)
{
    echo_log *heard = arg;
    uint32_t i = (uint32_t)atomic_load(&heard->came);
    char next[16];
    snprintf(next, sizeof next, "%u", i);
    bool fine = weir_str_is(label, next) && weir_rpc_message_flatten(message) == WEIR_OK &&
                message->head.length == 5 + echoed_bytes(i);
    for (size_t at = 0; fine && at < echoed_bytes(i); at++)
        fine = message->head.at[5 + at] == echoed_byte(i, at);
    heard->wrong += !fine;
    atomic_fetch_add(&heard->came, 1);
    weir_rpc_message_fini(message);
}

static void hear_end_of_echoes(void *arg, weir_status status, weir_rpc_message *answer)
{
    echo_log *heard = arg;
    heard->wrong += status != WEIR_OK;
    weir_status_free(status);
    weir_rpc_message_fini(answer);
    atomic_store(&heard->ended, 1);
}

static void send_echoed(weir_stream *stream, uint32_t i)
{
    char label[16];
    snprintf(label, sizeof label, "%u", i);
    weir_rpc_message message = {.payload_at = i % 3, .payload_bytes = echoed_bytes(i)};
    weir_buf_adds(&message.head, "hello");
    CHECK_OK(weir_buffer_alloc(message.payload_at + message.payload_bytes + 1, &message.payload));
    for (size_t at = 0; at < message.payload_bytes; at++)
        ((char *)message.payload->data)[message.payload_at + at] = echoed_byte(i, at);
    CHECK_OK(weir_stream_send(stream, weir_str_of(label), &message));
}

TEST(messages_of_all_sizes_come_back_as_they_were)
{
    weir_rpc_server *server = serve(0);
    weir_channel *c = open_port(weir_rpc_port(server));
    CHECK_OK(ask_only(c, "/t/Echo", ""));
    echo_log heard = {0};
    weir_rpc_message request = {0};
    weir_stream *s =
        weir_channel_start_stream(c, &(weir_channel_call){.path = "/t/Stream",
                                                          .request = &request,
                                                          .on_message = hear_echo,
                                                          .message_payload = after_head,
                                                          .done = hear_end_of_echoes,
                                                          .arg = &heard});
    CHECK(s != NULL);
    for (uint32_t i = 0; i < ECHOES; i++) {
        send_echoed(s, i);
        if (i % 50 == 49) /* some alone, others together */
            wait_for(&heard.came, (int)i + 1);
    }
    CHECK_OK(send_text(s, "end", "over"));
    wait_for(&heard.ended, 1);
    CHECK_EQ(atomic_load(&heard.came), ECHOES);
    CHECK_EQ(heard.wrong, 0);
    weir_stream_release(s);
    weir_channel_release(c);
    weir_rpc_server_destroy(server);
}

/* The handler and messages block the I/O thread, which is replaced: the order is preserved. */
TEST(messages_stay_in_order_though_the_server_is_held_up)
{
    weir_rpc_server *server = serve(0);
    weir_channel *c = open_port(weir_rpc_port(server));
    CHECK_OK(ask_only(c, "/t/Echo", ""));
    stream_log h = {0};
    weir_stream *s = start_stream_of(c, "/t/SlowStream", &h, NULL);
    CHECK(s != NULL);
    for (int i = 0; i < 60; i++) {
        char label[16];
        snprintf(label, sizeof label, "%d", i);
        CHECK_OK(send_text(s, label, i % 20 == 7 ? "slow" : "hello"));
        if (i % 20 == 9) /* to be read by the replacement thread */
            nanosleep(&(struct timespec){.tv_nsec = 15000000}, NULL);
    }
    CHECK_OK(send_text(s, "end", "over"));
    wait_for(&h.ended, 1);
    CHECK_EQ(atomic_load(&h.messages), 60);
    CHECK_EQ(h.wrong, 3); /* those of four bytes: see hear_message */
    CHECK_STR(h.answer, "over");
    weir_stream_release(s);
    weir_channel_release(c);
    weir_rpc_server_destroy(server);
}

TEST(a_stream_ends_with_its_cancellation_or_its_server)
{
    weir_rpc_server *server = serve(0);
    weir_channel *c = open_port(weir_rpc_port(server));
    CHECK_OK(ask_only(c, "/t/Echo", ""));
    weir_cancel *cancel = weir_cancel_create(NULL);
    stream_log one = {0}, two = {0}, three = {0};
    weir_stream *a = start_stream(c, &one, cancel), *b = start_stream(c, &two, NULL);
    weir_cancel_fire(cancel, weir_error(WEIR_CANCELLED, "enough"));
    wait_for(&one.ended, 1);
    CHECK_EQ(one.code, WEIR_CANCELLED);
    wait_for(&cancelled, 1);
    CHECK(start_stream(c, &three, cancel) == NULL);
    weir_rpc_server_destroy(server);
    wait_for(&two.ended, 1);
    CHECK(two.code == WEIR_UNAVAILABLE || two.code == WEIR_CANCELLED);
    CHECK_OK(send_text(b, "0", "goes nowhere"));
    CHECK(start_stream(c, &three, NULL) == NULL); /* no connection, no stream */
    CHECK_EQ(atomic_load(&three.ended), 0);
    weir_stream_release(a);
    weir_stream_release(b);
    weir_cancel_release(cancel);
    weir_channel_release(c);
}

TEST(streams_fail_with_the_status_of_their_server)
{
    weir_rpc_server *server = serve(0);
    weir_channel *c = open_port(weir_rpc_port(server));
    CHECK_OK(ask_only(c, "/t/Echo", ""));
    static const struct {
        const char *path;
        weir_code code;
    } cases[] = {{"/t/Fail", WEIR_ABORTED}, {"/t/Nothing", WEIR_UNIMPLEMENTED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stream_log h = {0};
        weir_stream *s = start_stream_of(c, cases[i].path, &h, NULL);
        CHECK(s != NULL);
        CHECK_OK(send_text(s, "0", "to nobody"));
        wait_for(&h.ended, 1);
        CHECK_EQ(h.code, cases[i].code);
        weir_stream_release(s);
    }
    stream_log h = {0}; /* after messages */
    weir_stream *s = start_stream(c, &h, NULL);
    CHECK_OK(send_text(s, "0", "hello"));
    wait_for(&h.messages, 1);
    CHECK_OK(send_text(s, "fail", ""));
    wait_for(&h.ended, 1);
    CHECK_EQ(h.code, WEIR_ABORTED);
    weir_stream_release(s);
    weir_channel_release(c);
    weir_rpc_server_destroy(server);
}

enum { STREAMS = 64 };

TEST(many_streams_at_once)
{
    weir_rpc_server *server = serve(0);
    weir_channel *c = open_port(weir_rpc_port(server));
    CHECK_OK(ask_only(c, "/t/Echo", ""));
    static stream_log h[STREAMS];
    weir_stream *s[STREAMS];
    memset(h, 0, sizeof h);
    for (int i = 0; i < STREAMS; i++)
        CHECK((s[i] = start_stream(c, &h[i], NULL)) != NULL);
    for (int k = 0; k < 50; k++)
        for (int i = 0; i < STREAMS; i++) {
            char label[16];
            snprintf(label, sizeof label, "%d", k);
            CHECK_OK(send_text(s[i], label, "hello"));
        }
    for (int i = 0; i < STREAMS; i++)
        CHECK_OK(send_text(s[i], "end", "over"));
    for (int i = 0; i < STREAMS; i++) {
        wait_for(&h[i].ended, 1);
        CHECK_EQ(atomic_load(&h[i].messages), 50);
        CHECK_EQ(h[i].wrong, 0);
        CHECK_EQ(h[i].code, WEIR_CODE_OK);
        weir_stream_release(s[i]);
    }
    weir_channel_release(c);
    weir_rpc_server_destroy(server);
}

#endif
