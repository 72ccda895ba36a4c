/* net/ucx_test.c - channels whose large payloads use UCX, over TCP on one host: the suite, and lost
 * payloads.
 */
#define TRANSPORT BY_UCX
#include "net/channel_process.h"
#include "net/channel_suite.h"
#include "net/payloads_impl.h"
#include "net/ucx_impl.h"
#include "wire/messages.h"

/* Before anything reads the environment; the server in another process has it too. */
__attribute__((constructor)) static void choose_transport(void)
{
    setenv("WEIR_TRANSPORTS", "ucx,grpc", 1);
    setenv("UCX_TLS", "tcp", 1);
    setenv("UCX_NET_DEVICES", "lo", 1);
    setenv("UCX_MEM_EVENTS", "n", 1);
    setenv("UCX_LOG_LEVEL", "fatal", 1);
}

TEST(only_large_payloads_arrive_by_ucx)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    static const struct {
        const char *bytes;
        int by_ucx;
    } cases[] = {{"1000", 0}, {"262143", 0}, {"262144", 1}, {"5000000", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t before = weir_payload_count();
        weir_rpc_message m = {0};
        CHECK_OK(ask(c, "/t/Payload", cases[i].bytes, &m));
        CHECK_EQ(m.payload_bytes, (size_t)atoll(cases[i].bytes));
        CHECK_EQ(weir_payload_count() - before, cases[i].by_ucx);
        weir_rpc_message_fini(&m);
    }
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

TEST(many_payloads_at_once)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    call_end e[64] = {0};
    for (int i = 0; i < 64; i++) {
        weir_rpc_message request = {0};
        weir_buf_adds(&request.head, "1000000");
        weir_channel_start(c, &(weir_channel_call){.path = "/t/Payload",
                                                   .request = &request,
                                                   .payload_offset = after_head,
                                                   .done = note_end,
                                                   .arg = &e[i]});
    }
    for (int i = 0; i < 64; i++) {
        wait_for(&e[i].ended, 1);
        CHECK_EQ(e[i].code, WEIR_CODE_OK);
    }
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

/* ---- lost payloads -----------------------------------------------------------------------------
 */

/* Makes a call look as if everything but its payload had arrived, long ago. */
TEST(a_lost_payload_ends_the_call_and_the_use_of_ucx)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    call_end e = {0};
    start_blocked(c, NULL, &e);
    wait_for(&blocked, 1);
    weir_mutex_lock(&c->lock);
    c->active.first->payload.answered = true;
    c->active.first->payload.promised = 1000000;
    nghttp2_session_set_stream_user_data(c->h2.session, c->active.first->stream, NULL);
    weir_mutex_unlock(&c->lock);
    wait_for(&e.ended, 1);
    CHECK_EQ(e.code, WEIR_UNAVAILABLE);
    CHECK(strstr(e.text, "UCX: a payload of 1000000 bytes did not arrive"));
    CHECK(!has_transport(c));
    uint64_t before = weir_payload_count();
    CHECK_OK(ask_only(c, "/t/Payload", "1000000"));
    CHECK_EQ(weir_payload_count(), before);
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

TEST(a_process_killed_while_it_sends)
{
    size_t before = weir_buffer_get_stats().live_bytes;
    for (int round = 0; round < 4; round++) {
        int port = 0;
        pid_t pid = start_server(&port);
        weir_channel *c = open_port(port);
        call_end e[6] = {0};
        for (int i = 0; i < 6; i++) {
            weir_rpc_message request = {0};
            weir_buf_adds(&request.head, "60000000");
            weir_channel_start(c, &(weir_channel_call){.path = "/t/Payload",
                                                       .request = &request,
                                                       .payload_offset = after_head,
                                                       .done = note_end,
                                                       .arg = &e[i]});
        }
        for (int i = 0; i < 1000 && round && !atomic_load(&e[0].ended); i++)
            usleep(1000 * (useconds_t)round);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        for (int i = 0; i < 6; i++) {
            wait_for(&e[i].ended, 1);
            CHECK(e[i].code == WEIR_CODE_OK || e[i].code == WEIR_UNAVAILABLE);
        }
        for (int i = 0; i < 1000 && has_transport(c); i++)
            usleep(5000); /* all may have arrived before it was killed */
        CHECK(!has_transport(c));
        CHECK_FAILS(ask_only(c, "/t/Echo", "x"), WEIR_UNAVAILABLE, "");
        weir_channel_release(c);
    }
    for (int i = 0; i < 400 && weir_buffer_get_stats().live_bytes > before; i++)
        usleep(5000); /* UCX releases its receive buffers */
    CHECK_EQ(weir_buffer_get_stats().live_bytes, before);
}

/* The peer's end of the shm transport is gone, its connection is not: the server
 * recovers. */
TEST(a_client_killed_while_it_receives_leaves_the_server_well)
{
    weir_rpc_server *s = serve(0);
    char port[16];
    snprintf(port, sizeof port, "%d", weir_rpc_port(s));
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execl("/proc/self/exe", "client", "--ask", port, NULL);
        _exit(127);
    }
    usleep(700000);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    weir_channel *c = open_port(weir_rpc_port(s));
    CHECK_OK(ask_only(c, "/t/Payload", "3000000"));
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

/* Requests large payloads until it is killed. */
static int be_client(int port)
{
    weir_channel *channel = open_port(port);
    for (;;)
        weir_status_free(ask_only(channel, "/t/Payload", "30000000"));
    return 0;
}

/* ---- messages ----------------------------------------------------------------------------------
 */

static void count_payload(void *arg, uint64_t id, weir_status status, weir_buffer *payload,
                          size_t bytes)
{
    *(size_t *)arg += bytes;
    weir_status_free(status);
    weir_buffer_release(payload);
}

TEST(payloads_are_delivered_once)
{
    size_t got = 0;
    weir_buffer *b;
    uint64_t id = weir_payload_expect(count_payload, &got),
             other = weir_payload_expect(count_payload, &got);
    CHECK(id && id != other);
    CHECK(!weir_payload_claim(id ^ other ^ 1));
    CHECK(weir_payload_claim(id));
    CHECK(!weir_payload_claim(id));
    CHECK_OK(weir_buffer_alloc(100, &b));
    weir_payload_deliver(id, WEIR_OK, weir_buffer_retain(b), 100);
    weir_payload_deliver(id, WEIR_OK, weir_buffer_retain(b), 100);
    CHECK_EQ(got, 100);
    CHECK(!weir_payload_forget(id));
    CHECK(weir_payload_claim(other));
    CHECK(weir_payload_forget(other));
    weir_payload_deliver(other, WEIR_OK, b, 100);
    CHECK_EQ(got, 100);
}

TEST(hellos_are_checked)
{
    weir_ucx_peer *peer;
    WEIR_BUF(bytes);
    CHECK_FAILS(weir_ucx_accept(WEIR_STR("\x0a\x7f"), NULL, NULL, &peer), WEIR_INVALID_ARGUMENT,
                "Unparseable UcxHello");
    weir_msg_ucx_hello hello = {.version = 0xffffffff, .address = WEIR_STR("nowhere")};
    weir_msg_ucx_hello_write(&hello, &bytes);
    CHECK_FAILS(weir_ucx_accept(weir_view(&bytes), NULL, NULL, &peer), WEIR_UNIMPLEMENTED,
                "UCX of version ffffffff");
    bytes.length = 0;
    char *long_one = weir_zalloc(WEIR_UCX_MAX_ADDRESS + 1);
    hello.address = (weir_str){long_one, WEIR_UCX_MAX_ADDRESS + 1};
    weir_msg_ucx_hello_write(&hello, &bytes);
    CHECK_FAILS(weir_ucx_accept(weir_view(&bytes), NULL, NULL, &peer), WEIR_INVALID_ARGUMENT,
                "too long");
    CHECK(peer == NULL);
    weir_free(long_one);
}

int main(int argc, char **argv)
{
    if (!weir_ucx_start()) {
        printf("skipped: built without UCX, or its library is not here\n");
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "--serve") == 0)
        return be_server(atoi(argv[2]));
    if (argc == 3 && strcmp(argv[1], "--ask") == 0)
        return be_client(atoi(argv[2]));
    return weir_test_main(argc, argv);
}
