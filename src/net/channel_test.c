/* net/channel_test.c - channels over gRPC, and how they find a server. */
#define TRANSPORT BY_GRPC
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

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

/* ---- retried calls ----------------------------------------------------------------------------
 */

enum { FRAME_HEAD = 9, PREFACE = 24, DATA_FRAME = 0, HEADERS_FRAME = 1 };

/* A server that refuses the first |refuses| requests when it sees their frame |until|, and closes
 * with the next, if |politely| after a GOAWAY that lists no started request. A real one takes over
 * its port. */
typedef struct false_server {
    int listener, port, until, refuses;
    bool politely;
    weir_rpc_server *real;
} false_server;

static bool read_all(int fd, uint8_t *to, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t got = read(fd, to + done, count - done);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static void refuse(int fd, const uint8_t *head)
{
    uint8_t reset[FRAME_HEAD + 4] = {0, 0, 4, 3, [12] = NGHTTP2_REFUSED_STREAM};
    memcpy(reset + 5, head + 5, 4); /* the stream */
    CHECK_EQ(write(fd, reset, sizeof reset), sizeof reset);
}

static void read_requests(false_server *server, int fd)
{
    static const uint8_t settings[FRAME_HEAD] = {[3] = 4};
    uint8_t head[FRAME_HEAD], body[1 << 14];
    CHECK_EQ(write(fd, settings, sizeof settings), sizeof settings);
    CHECK(read_all(fd, body, PREFACE));
    while (read_all(fd, head, FRAME_HEAD) && read_all(fd, body, (size_t)head[1] << 8 | head[2])) {
        if (head[3] != server->until)
            continue;
        if (server->refuses-- <= 0)
            break;
        refuse(fd, head);
    }
    static const uint8_t goaway[FRAME_HEAD + 8] = {0, 0, 8, 7};
    if (server->politely)
        CHECK_EQ(write(fd, goaway, sizeof goaway), sizeof goaway);
}

static void *serve_falsely(void *arg)
{
    false_server *server = arg;
    int fd = accept(server->listener, NULL, NULL);
    CHECK(fd >= 0);
    read_requests(server, fd);
    close(server->listener);
    shutdown(fd, SHUT_WR);
    uint8_t rest[4096];
    while (read(fd, rest, sizeof rest) > 0) /* a reset would overtake the written bytes */
        ;
    close(fd);
    server->real = serve(server->port);
    return NULL;
}

static void listen_falsely(false_server *server)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    server->listener = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    CHECK_EQ(bind(server->listener, (struct sockaddr *)&at, length), 0);
    CHECK_EQ(listen(server->listener, 1), 0);
    CHECK_EQ(getsockname(server->listener, (struct sockaddr *)&at, &length), 0);
    server->port = ntohs(at.sin_port);
}

/* The status of a call whose first server is a false one. */
static weir_status call_falsely(false_server server, bool repeatable)
{
    pthread_t thread;
    listen_falsely(&server);
    pthread_create(&thread, NULL, serve_falsely, &server);
    weir_channel *channel = open_port(server.port);
    weir_rpc_message request = {0}, answer = {0};
    weir_buf_adds(&request.head, "again");
    weir_status status = weir_channel_wait(channel,
                                           &(weir_channel_call){.path = "/t/Echo",
                                                                .request = &request,
                                                                .wait_for_ready = true,
                                                                .repeatable = repeatable},
                                           &answer);
    if (!status)
        CHECK_STR(answer.head.at, "again");
    weir_rpc_message_fini(&answer);
    weir_channel_release(channel);
    pthread_join(thread, NULL);
    weir_rpc_server_destroy(server.real);
    return status;
}

TEST(refused_calls_are_sent_again)
{
    for (int refuses = 0; refuses < 3; refuses++) {
        CHECK_OK(call_falsely(
            (false_server){.until = HEADERS_FRAME, .refuses = refuses, .politely = true}, false));
        CHECK_OK(call_falsely(
            (false_server){.until = DATA_FRAME, .refuses = refuses, .politely = true}, false));
    }
}

TEST(calls_that_are_always_refused_end)
{
    CHECK_FAILS(call_falsely((false_server){.until = HEADERS_FRAME, .refuses = 9}, false),
                WEIR_UNAVAILABLE, "error code 7");
}

TEST(a_lost_connection_ends_what_may_have_begun)
{
    CHECK_FAILS(call_falsely((false_server){.until = DATA_FRAME}, false), WEIR_UNAVAILABLE, "");
    CHECK_OK(call_falsely((false_server){.until = DATA_FRAME}, true));
}

/* ---- silent peers ------------------------------------------------------------------------------
 */

/* Copies between a client and a server until it is |cut|; then both are silent, but connected. */
typedef struct relay {
    int listener, to; /* |to|: the server's port */
    atomic_bool cut, over;
} relay;

static int connect_to(int port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_EQ(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
    return fd;
}

static void *copy_until_cut(void *arg)
{
    relay *relay = arg;
    struct pollfd ends[2] = {{.events = POLLIN}, {.events = POLLIN}};
    char bytes[4096];
    ends[0].fd = accept(relay->listener, NULL, NULL);
    ends[1].fd = connect_to(relay->to);
    while (!atomic_load(&relay->over)) {
        poll(ends, 2, 10);
        for (int i = 0; i < 2 && !atomic_load(&relay->cut); i++) {
            ssize_t got = ends[i].revents ? read(ends[i].fd, bytes, sizeof bytes) : 0;
            if (got > 0)
                CHECK_EQ(write(ends[!i].fd, bytes, (size_t)got), got);
        }
    }
    close(ends[0].fd);
    close(ends[1].fd);
    return NULL;
}

/* A channel without calls gets no ticks: each kind of call must bring them back. */
TEST(silence_is_noticed_by_a_call_after_idle_time)
{
    weir_rpc_server *server = serve(0);
    false_server door = {0};
    listen_falsely(&door);
    relay relay = {.listener = door.listener, .to = weir_rpc_port(server)};
    pthread_t thread;
    pthread_create(&thread, NULL, copy_until_cut, &relay);
    weir_channel *c = open_port(door.port);
    CHECK_OK(ask_only(c, "/t/Echo", "x"));
    usleep(4 * TICK_MS * 1000); /* more than the tick that notices the idle time */
    atomic_store(&relay.cut, true);
    stream_log heard = {0};
    weir_stream *stream = start_stream(c, &heard, NULL);
    CHECK(stream != NULL);
    wait_for(&heard.ended, 1);
    CHECK_EQ(heard.code, WEIR_UNAVAILABLE);
    weir_stream_release(stream);
    weir_channel_release(c);
    atomic_store(&relay.over, true);
    pthread_join(thread, NULL);
    close(door.listener);
    weir_rpc_server_destroy(server);
}

/* Each end announces its limit for messages. */
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

/* The first is the largest: if they were sent interleaved, it would arrive last. */
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

/* Whether the first arrived before the last. */
static bool arrive_in_turn(weir_channel *channel)
{
    large_order all = {0};
    start_large(channel, &all, NULL, -1);
    for (int i = 0; i < LARGE_CALLS; i++) {
        wait_for(&all.calls[i].ended, 1);
        CHECK_EQ(all.calls[i].code, WEIR_CODE_OK);
    }
    return all.order[LARGE_CALLS - 1] != 0;
}

TEST(large_messages_arrive_one_after_the_other)
{
    enum { TRIALS = 8 }; /* a stalled server may change the order occasionally */
    bool in_turn = false;
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    CHECK_OK(ask_only(c, "/t/Echo", "x")); /* the server's windows are known */
    for (int i = 0; i < TRIALS && !in_turn; i++)
        in_turn = arrive_in_turn(c);
    CHECK(in_turn);
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

/* Otherwise a variable whose value was sent would be copied by its next update. */
TEST(a_payload_that_was_sent_is_let_go_though_no_message_follows)
{
    enum { BYTES = 100000 };
    weir_rpc_server *server = serve(0);
    weir_channel *c = open_port(weir_rpc_port(server));
    CHECK_OK(ask_only(c, "/t/Echo", ""));
    stream_log heard = {0};
    weir_stream *s = start_stream_of(c, "/t/Stream", &heard, NULL);
    CHECK(s != NULL);
    weir_rpc_message message = {.payload_bytes = BYTES};
    CHECK_OK(weir_buffer_alloc(BYTES, &message.payload));
    weir_buffer *payload = weir_buffer_retain(message.payload);
    memset(payload->data, 'x', BYTES);
    CHECK_OK(weir_stream_send(s, WEIR_STR("drop"), &message));
    for (int i = 0; i < 2000 && !weir_ref_unique(&payload->ref); i++)
        usleep(5000);
    CHECK(weir_ref_unique(&payload->ref));
    weir_buffer_release(payload);
    CHECK_OK(send_text(s, "end", "over"));
    wait_for(&heard.ended, 1);
    weir_stream_release(s);
    weir_channel_release(c);
    weir_rpc_server_destroy(server);
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
