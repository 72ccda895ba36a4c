/* net/channel_suite.h - requirements on every transport of a channel: a server and its clients in
 * one process. Each *_test.c that includes it defines TRANSPORT as BY_GRPC, BY_SHM or BY_UCX.
 */
#ifndef WEIR_NET_CHANNEL_SUITE_H
#define WEIR_NET_CHANNEL_SUITE_H

#ifndef TRANSPORT
#define TRANSPORT BY_GRPC
#endif

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/test.h"
#include "net/channel_impl.h"
#include "net/rpc.h"

enum { BY_GRPC, BY_SHM, BY_UCX };
enum { BIG = 100 << 20 };

/* ---- a server ------------------------------------------------------------------------------- */

static atomic_int cancelled, blocked;

static void echo(weir_rpc *call, void *ctx)
{
    weir_str rest = weir_rpc_request(call);
    weir_buf out = {0};
    weir_buf_add(&out, rest.at, rest.length);
    weir_rpc_reply(call, &out);
}

/* Answers with a head of five bytes and a payload of as many bytes as the request's number. */
static void with_payload(weir_rpc *call, void *ctx)
{
    size_t size = (size_t)atoll(weir_rpc_request(call).at);
    weir_rpc_message message = {.payload_bytes = size, .payload_at = 64};
    weir_buf_adds(&message.head, "head:");
    weir_status status = weir_buffer_alloc(size + 64, &message.payload);
    if (status) {
        weir_rpc_fail(call, status);
        return;
    }
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)message.payload->data)[64 + i] = (uint8_t)(i * 31 >> 3);
    weir_rpc_reply_message(call, &message);
}

static void fail(weir_rpc *call, void *ctx)
{
    weir_status status = weir_error(WEIR_ABORTED, "100%% of\n\xc3\xa9\t");
    weir_rpc_fail(call, weir_status_mark(status, WEIR_DERIVED | WEIR_PEER_RESTARTED));
}

static const char last_words[] = "the end of it";

static void fail_long(weir_rpc *call, void *ctx)
{
    WEIR_BUF(text);
    for (int i = 0; i < 20000; i++)
        weir_buf_addc(&text, '-');
    weir_buf_addf(&text, "%s", last_words);
    weir_rpc_fail(call, weir_error_text(WEIR_INVALID_ARGUMENT, text.at, text.length));
}

static void answer_cancelled(void *arg)
{
    atomic_fetch_add(&cancelled, 1);
    weir_rpc_fail(arg, weir_error(WEIR_CANCELLED, "the handler was told"));
}

static void block(weir_rpc *call, void *ctx)
{
    atomic_fetch_add(&blocked, 1);
    if (!weir_cancel_add(weir_rpc_cancel(call), answer_cancelled, call))
        answer_cancelled(call);
}

/* A stream that echoes every message, except those labelled "drop", and answers when one is
 * labelled "end" or "fail". */
typedef struct mirror {
    weir_ref ref;
    weir_rpc *call;
} mirror;

static void end_mirror(weir_ref *ref)
{
    weir_rpc_release(((mirror *)ref)->call);
    weir_free(ref);
}

static void reflect(weir_ref *arg, weir_str label, weir_rpc_message *message)
{
    mirror *this_mirror = (mirror *)arg;
    if (weir_str_is(label, "end"))
        weir_rpc_reply(this_mirror->call, &message->head);
    else if (weir_str_is(label, "fail"))
        weir_rpc_fail(this_mirror->call, weir_error(WEIR_ABORTED, "as it was asked to"));
    else if (!weir_str_is(label, "drop"))
        weir_status_free(weir_rpc_send_message(this_mirror->call, label, message));
}

/* Longer than the I/O thread may take for one event. */
static void dawdle(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
}

/* As reflect, but slow with a message of four bytes. */
static void reflect_slowly(weir_ref *arg, weir_str label, weir_rpc_message *message)
{
    if (message->head.length == 4)
        dawdle();
    reflect(arg, label, message);
}

static void mirror_by(weir_rpc *call, weir_rpc_listener *listener)
{
    if (!weir_rpc_is_stream(call)) {
        weir_rpc_fail(call, weir_error(WEIR_FAILED_PRECONDITION, "no stream"));
        return;
    }
    mirror *new_mirror = WEIR_NEW(mirror);
    weir_ref_init(&new_mirror->ref, end_mirror);
    new_mirror->call = weir_rpc_retain(call);
    weir_rpc_listen_to(call, listener, &new_mirror->ref);
    weir_ref_release(&new_mirror->ref); /* the call's reference remains */
    weir_cancel *cancel = weir_rpc_cancel(call);
    if (!weir_cancel_add(cancel, answer_cancelled, call))
        answer_cancelled(call);
}

static void stream(weir_rpc *call, void *ctx)
{
    mirror_by(call, reflect);
}

/* Blocks the I/O thread before it sets a listener and afterwards. */
static void slow_stream(weir_rpc *call, void *ctx)
{
    dawdle();
    mirror_by(call, reflect_slowly);
}

static size_t after_head(weir_str first)
{
    return first.length < 5 ? SIZE_MAX : 5;
}

static const weir_rpc_method methods[] = {
    {"/t/SlowStream", slow_stream, .quick = true},
    {"/t/Stream", stream, .quick = true, .message_payload = after_head},
    {"/t/Echo", echo},
    {"/t/QuickEcho", echo, .quick = true},
    {"/t/Payload", with_payload},
    {"/t/Fail", fail},
    {"/t/FailLong", fail_long},
    {"/t/Block", block, .quick = true},
};

static weir_rpc_server *serve(int port)
{
    weir_rpc_options options = {
        .port = port, .methods = methods, .method_count = sizeof methods / sizeof *methods};
    weir_rpc_server *server = NULL;
    CHECK_OK(weir_rpc_listen(&options, &server));
    atomic_store(&cancelled, 0);
    atomic_store(&blocked, 0);
    return server;
}

static bool has_transport(weir_channel *channel)
{
    weir_mutex_lock(&channel->lock);
    bool has = TRANSPORT == BY_UCX ? channel->ucx : channel->shm != NULL;
    weir_mutex_unlock(&channel->lock);
    return has;
}

/* A channel that uses the transport under test. */
static weir_channel *open_port(int port)
{
    char address[64];
    snprintf(address, sizeof address, "127.0.0.1:%d", port);
    weir_channel *channel = weir_channel_open(address);
    weir_rpc_message nothing = {0}, message = {0};
    for (int i = 0; i < 400 && TRANSPORT != BY_GRPC && !has_transport(channel); i++) {
        weir_status_free(weir_channel_wait(
            channel, &(weir_channel_call){.path = "/t/Echo", .request = &nothing}, &message));
        weir_rpc_message_fini(&message);
        usleep(5000);
    }
    CHECK_EQ(has_transport(channel), TRANSPORT != BY_GRPC);
    return channel;
}

/* ---- a client ------------------------------------------------------------------------------- */

static weir_status ask(weir_channel *channel, const char *path, const char *text,
                       weir_rpc_message *out)
{
    weir_rpc_message request = {0};
    weir_buf_adds(&request.head, text);
    return weir_channel_wait(
        channel,
        &(weir_channel_call){.path = path, .request = &request, .payload_offset = after_head}, out);
}

static weir_status ask_only(weir_channel *channel, const char *path, const char *text)
{
    weir_rpc_message message = {0};
    weir_status status = ask(channel, path, text, &message);
    weir_rpc_message_fini(&message);
    return status;
}

TEST(small_calls)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    for (int i = 0; i < 200; i++) {
        weir_rpc_message m = {0}, request = {0};
        weir_buf_addf(&request.head, "number %d", i);
        CHECK_OK(weir_channel_wait(
            c,
            &(weir_channel_call){.path = i % 2 ? "/t/Echo" : "/t/QuickEcho", .request = &request},
            &m));
        char want[32];
        snprintf(want, sizeof want, "number %d", i);
        CHECK_STR(m.head.at, want);
        CHECK(m.payload == NULL);
        weir_rpc_message_fini(&m);
    }
    weir_rpc_message m = {0};
    CHECK_OK(ask(c, "/t/Echo", "", &m));
    CHECK_EQ(m.head.length, 0);
    weir_rpc_message_fini(&m);
    CHECK_FAILS(ask_only(c, "/t/Nothing", ""), WEIR_UNIMPLEMENTED, "");
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

TEST(payloads_are_aligned_and_whole)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    size_t sizes[] = {0, 1, 500, 507, 508, 4096, 70001, 3 << 20, BIG};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char text[32];
        snprintf(text, sizeof text, "%zu", sizes[k]);
        weir_rpc_message m = {0};
        CHECK_OK(ask(c, "/t/Payload", text, &m));
        CHECK_STR(m.head.at, "head:");
        CHECK_EQ(m.head.length, 5);
        CHECK_EQ(m.payload_bytes, sizes[k]);
        if (m.payload) {
            const uint8_t *p = (uint8_t *)m.payload->data + m.payload_at;
            CHECK_EQ((uintptr_t)p % 64, 0);
            size_t bad = 0;
            for (size_t i = 0; i < sizes[k]; i++)
                bad += p[i] != (uint8_t)(i * 31 >> 3);
            CHECK_EQ(bad, 0);
        }
        weir_rpc_message_fini(&m);
    }
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

TEST(large_requests_with_payloads)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    weir_rpc_message request = {.payload_bytes = 20 << 20}, m = {0};
    weir_buf_adds(&request.head, "head:");
    CHECK_OK(weir_buffer_alloc(request.payload_bytes, &request.payload));
    memset(request.payload->data, 'q', request.payload_bytes);
    CHECK_OK(weir_channel_wait(
        c,
        &(weir_channel_call){.path = "/t/Echo", .request = &request, .payload_offset = after_head},
        &m));
    CHECK_EQ(m.payload_bytes, 20 << 20);
    CHECK(m.payload && memchr(m.payload->data, 'q', 1) &&
          ((char *)m.payload->data)[m.payload_bytes - 1] == 'q');
    weir_rpc_message_fini(&m);
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

typedef struct call_counter {
    weir_channel *c;
    weir_mutex lock;
    weir_cond all;
    int left, bad;
} call_counter;

static void one_done(void *arg, weir_status status, weir_rpc_message *answer)
{
    call_counter *many = arg;
    weir_mutex_lock(&many->lock);
    many->bad += status != WEIR_OK;
    if (--many->left == 0)
        weir_cond_signal(&many->all);
    weir_mutex_unlock(&many->lock);
    weir_status_free(status);
}

static void *start_many(void *arg)
{
    call_counter *many = arg;
    for (int i = 0; i < 250; i++) {
        weir_rpc_message request = {0};
        weir_buf_addf(&request.head, "%d", i * 100);
        static const char *const paths[] = {"/t/Echo", "/t/QuickEcho", "/t/Payload"};
        weir_channel_start(many->c, &(weir_channel_call){.path = paths[i % 3],
                                                         .request = &request,
                                                         .payload_offset = after_head,
                                                         .done = one_done,
                                                         .arg = many});
    }
    return NULL;
}

TEST(concurrent_calls)
{
    weir_rpc_server *s = serve(0);
    call_counter m = {.c = open_port(weir_rpc_port(s)),
                      .lock = WEIR_MUTEX_INIT,
                      .all = WEIR_COND_INIT,
                      .left = 1000};
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, start_many, &m);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    weir_mutex_lock(&m.lock);
    while (m.left)
        weir_cond_wait(&m.all, &m.lock);
    weir_mutex_unlock(&m.lock);
    CHECK_EQ(m.bad, 0);
    weir_channel_release(m.c);
    weir_rpc_server_destroy(s);
}

TEST(errors_carry_text_and_marks)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    weir_status st = ask_only(c, "/t/Fail", "");
    CHECK_EQ(weir_status_code(st), WEIR_ABORTED);
    CHECK_STR(weir_status_message(st), "100% of\n\xc3\xa9\t");
    CHECK(weir_status_is(st, WEIR_DERIVED));
    CHECK(weir_status_is(st, WEIR_PEER_RESTARTED));
    weir_status_free(st);
    /* Headers have no room for it; the shm transport has. */
    CHECK_FAILS(ask_only(c, "/t/FailLong", ""), WEIR_INVALID_ARGUMENT,
                TRANSPORT == BY_SHM ? last_words : " ... [truncated]");
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

static void wait_for(atomic_int *what, int value)
{
    for (int i = 0; i < 2000 && atomic_load(what) != value; i++)
        usleep(5000);
    CHECK_EQ(atomic_load(what), value);
}

TEST(deadlines_end_calls_on_both_sides)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    /* On a busy machine a short call may end before it is sent. */
    for (int ms = 50; !atomic_load(&blocked) && ms < 10000; ms *= 2) {
        weir_rpc_message request = {0}, m = {0};
        CHECK_FAILS(
            weir_channel_wait(
                c, &(weir_channel_call){.path = "/t/Block", .request = &request, .timeout_ms = ms},
                &m),
            WEIR_DEADLINE_EXCEEDED, "Deadline Exceeded");
    }
    for (int i = 0; i < 2000 && atomic_load(&cancelled) != atomic_load(&blocked); i++)
        usleep(5000);
    CHECK(atomic_load(&blocked) > 0);
    CHECK_EQ(atomic_load(&cancelled), atomic_load(&blocked));
    CHECK_OK(ask_only(c, "/t/Echo", "x"));
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

typedef struct call_end {
    atomic_int ended;
    weir_code code;
    char text[300];
} call_end;

static void note_end(void *arg, weir_status status, weir_rpc_message *answer)
{
    call_end *ending = arg;
    ending->code = weir_status_code(status);
    snprintf(ending->text, sizeof ending->text, "%s", weir_status_message(status));
    weir_status_free(status);
    atomic_store(&ending->ended, 1);
}

static void start_blocked(weir_channel *channel, weir_cancel *cancel, call_end *ending)
{
    weir_rpc_message request = {0};
    weir_channel_start(channel, &(weir_channel_call){.path = "/t/Block",
                                                     .request = &request,
                                                     .cancel = cancel,
                                                     .done = note_end,
                                                     .arg = ending});
}

TEST(cancelling_reaches_the_server)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    weir_cancel *cancel = weir_cancel_create(NULL);
    call_end e[3] = {0};
    for (int i = 0; i < 2; i++)
        start_blocked(c, cancel, &e[i]);
    wait_for(&blocked, 2);
    weir_cancel_fire(cancel, weir_error(WEIR_ABORTED, "enough"));
    for (int i = 0; i < 2; i++) {
        wait_for(&e[i].ended, 1);
        CHECK_EQ(e[i].code, WEIR_CANCELLED);
    }
    wait_for(&cancelled, 2);
    start_blocked(c, cancel, &e[2]); /* too late: fails at once */
    CHECK_EQ(atomic_load(&e[2].ended), 1);
    CHECK_EQ(e[2].code, WEIR_CANCELLED);
    weir_cancel_release(cancel);
    CHECK_OK(ask_only(c, "/t/Echo", "x"));
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

TEST(large_answers_that_nobody_waits_for)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    for (int i = 0; i < 12; i++) {
        weir_cancel *cancel = weir_cancel_create(NULL);
        weir_rpc_message request = {0};
        weir_buf_adds(&request.head, "20000000");
        call_end e = {0};
        weir_channel_start(c, &(weir_channel_call){.path = "/t/Payload",
                                                   .request = &request,
                                                   .cancel = cancel,
                                                   .payload_offset = i % 3 ? after_head : NULL,
                                                   .done = note_end,
                                                   .arg = &e});
        usleep((useconds_t)i * 4000);
        weir_cancel_fire(cancel, weir_error(WEIR_ABORTED, "enough"));
        wait_for(&e.ended, 1);
        CHECK(e.code == WEIR_CANCELLED || e.code == WEIR_CODE_OK);
        weir_cancel_release(cancel);
    }
    CHECK_OK(ask_only(c, "/t/Echo", "x"));
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

TEST(large_answers_all_in_the_head)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    weir_rpc_message request = {0}, m = {0};
    weir_buf_adds(&request.head, "5000000");
    CHECK_OK(
        weir_channel_wait(c, &(weir_channel_call){.path = "/t/Payload", .request = &request}, &m));
    CHECK(m.payload == NULL);
    CHECK_EQ(m.head.length, 5000005);
    CHECK_EQ((uint8_t)m.head.at[5000004], (uint8_t)(4999999 * 31 >> 3));
    weir_rpc_message_fini(&m);
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

TEST(closing_a_channel_cancels)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    call_end e = {0};
    start_blocked(c, NULL, &e);
    wait_for(&blocked, 1);
    weir_channel_release(c);
    wait_for(&e.ended, 1);
    CHECK_EQ(e.code, WEIR_CANCELLED);
    wait_for(&cancelled, 1);
    weir_rpc_server_destroy(s);
}

TEST(a_server_that_goes_is_unavailable)
{
    weir_rpc_server *s = serve(0);
    int port = weir_rpc_port(s);
    weir_channel *c = open_port(port);
    call_end e = {0};
    start_blocked(c, NULL, &e);
    wait_for(&blocked, 1);
    weir_rpc_server_destroy(s);
    wait_for(&e.ended, 1);
    CHECK_EQ(e.code, WEIR_UNAVAILABLE);
    CHECK_FAILS(ask_only(c, "/t/Echo", "x"), WEIR_UNAVAILABLE,
                "failed to connect to all addresses; last error: ");
    CHECK_FAILS(ask_only(c, "/t/Echo", "x"), WEIR_UNAVAILABLE, "Connection refused");
    s = serve(port);
    weir_rpc_message request = {0}, m = {0};
    weir_buf_adds(&request.head, "back");
    CHECK_OK(weir_channel_wait(
        c, &(weir_channel_call){.path = "/t/Echo", .request = &request, .wait_for_ready = true},
        &m));
    CHECK_STR(m.head.at, "back");
    weir_rpc_message_fini(&m);
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

/* A call sent before the channel has noticed the loss fails with the connection, even with
 * wait_for_ready. */
static void notice_its_end(weir_channel *channel)
{
    for (bool gone = false; !gone; usleep(1000)) {
        weir_status status = ask_only(channel, "/t/Echo", "x");
        gone = strstr(weir_status_message(status), "failed to connect");
        weir_status_free(status);
    }
}

static void *serve_later(void *arg)
{
    usleep(300000);
    return serve(*(int *)arg);
}

TEST(waiting_for_a_server)
{
    weir_rpc_server *s = serve(0);
    int port = weir_rpc_port(s);
    weir_channel *c = open_port(port);
    weir_rpc_server_destroy(s);
    notice_its_end(c);
    weir_rpc_message request = {0}, m = {0};
    CHECK_FAILS(weir_channel_wait(c,
                                  &(weir_channel_call){.path = "/t/Echo",
                                                       .request = &request,
                                                       .wait_for_ready = true,
                                                       .timeout_ms = 100},
                                  &m),
                WEIR_DEADLINE_EXCEEDED, "");
    pthread_t t;
    pthread_create(&t, NULL, serve_later, &port);
    request = (weir_rpc_message){0};
    CHECK_OK(weir_channel_wait(
        c, &(weir_channel_call){.path = "/t/Echo", .request = &request, .wait_for_ready = true},
        &m));
    weir_rpc_message_fini(&m);
    void *server;
    pthread_join(t, &server);
    weir_channel_release(c);
    weir_rpc_server_destroy(server);
}

#include "net/channel_stream_suite.h"
#include "net/channel_wait_suite.h"

#endif
