/* net/shm_test.c - channels over shared memory: the suite, and loans. */
#define TRANSPORT BY_SHM
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/word.h"
#include "memory/shared.h"
#include "net/channel_process.h"
#include "net/channel_suite.h"

static size_t loans(weir_channel *channel)
{
    weir_mutex_lock(&channel->lock);
    weir_mutex_lock(&channel->shm->lock);
    size_t count = channel->shm->lent.count - channel->shm->free_loans.count;
    weir_mutex_unlock(&channel->shm->lock);
    weir_mutex_unlock(&channel->lock);
    return count;
}

TEST(large_payloads_are_lent)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    weir_rpc_message m[3] = {0};
    for (int i = 0; i < 3; i++) {
        CHECK_OK(ask(c, "/t/Payload", "1000000", &m[i]));
        CHECK(m[i].payload && m[i].payload->read_only && m[i].payload->release);
        CHECK_EQ(((uint8_t *)m[i].payload->data)[999999], (uint8_t)(999999 * 31 >> 3));
    }
    CHECK(m[0].payload->data != m[1].payload->data && m[1].payload->data != m[2].payload->data);
    void *first = m[0].payload->data;
    weir_rpc_message_fini(&m[0]); /* returned to its owner, who lends it again */
    CHECK_OK(ask_only(c, "/t/Echo", ""));
    CHECK_OK(ask(c, "/t/Payload", "1000000", &m[0]));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK(m[0].payload->data == first);
#endif
    (void)first;
    for (int i = 0; i < 3; i++)
        weir_rpc_message_fini(&m[i]);
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

TEST(large_requests_are_lent_and_come_back)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    for (int round = 0; round < 20; round++) {
        weir_rpc_message request = {.payload_bytes = 300000}, m = {0};
        weir_buf_adds(&request.head, "head:");
        CHECK_OK(weir_buffer_alloc(request.payload_bytes, &request.payload));
        memset(request.payload->data, 'a' + round, request.payload_bytes);
        CHECK_OK(
            weir_channel_wait(c, &(weir_channel_call){.path = "/t/Echo", .request = &request}, &m));
        CHECK_EQ(m.head.length, 300005);
        CHECK_EQ(m.head.at[300004], 'a' + round);
        weir_rpc_message_fini(&m);
    }
    CHECK(loans(c) <= 1); /* the last one's release may be in transit */
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
}

TEST(borrowed_bytes_outlive_the_transport)
{
    weir_rpc_server *s = serve(0);
    weir_channel *c = open_port(weir_rpc_port(s));
    weir_rpc_message m = {0};
    CHECK_OK(ask(c, "/t/Payload", "1000000", &m));
    weir_channel_release(c);
    weir_rpc_server_destroy(s);
    const volatile uint8_t *p = m.payload->data;
    CHECK_EQ(p[0] + p[999999] >= 0, 1); /* mapped */
    weir_rpc_message_fini(&m);
}

/* More bytes than the ring has, in both directions, while the handlers' threads answer. */
TEST(a_full_ring_makes_senders_wait)
{
    weir_rpc_server *s = serve(0);
    call_counter m = {.c = open_port(weir_rpc_port(s)),
                      .lock = WEIR_MUTEX_INIT,
                      .all = WEIR_COND_INIT,
                      .left = 200};
    for (int i = 0; i < 200; i++) {
        weir_rpc_message request = {0};
        for (int k = 0; k < 6000; k++)
            weir_buf_adds(&request.head, "0123456789");
        weir_channel_start(
            m.c, &(weir_channel_call){
                     .path = "/t/Echo", .request = &request, .done = one_done, .arg = &m});
    }
    weir_mutex_lock(&m.lock);
    while (m.left)
        weir_cond_wait(&m.all, &m.lock);
    weir_mutex_unlock(&m.lock);
    CHECK_EQ(m.bad, 0);
    weir_channel_release(m.c);
    weir_rpc_server_destroy(s);
}

/* ---- a backlog --------------------------------------------------------------------------------
 */

/* A channel on which one thread receives and another one sends. */
typedef struct busy_channel {
    waiting receiver;
    atomic_int called_back, returned, ended;
} busy_channel;

static void note_returned(void *arg, weir_str label, weir_rpc_message *message)
{
    busy_channel *busy = arg;
    weir_rpc_message_fini(message);
    atomic_store(&busy->returned, 1);
    weir_word_wake(&busy->returned);
}

static void note_stream_end(void *arg, weir_status status, weir_rpc_message *answer)
{
    weir_status_free(status);
    weir_rpc_message_fini(answer);
    atomic_store(&((busy_channel *)arg)->ended, 1);
}

/* Blocks the receiving thread, which has flushed its backlog and not gone to sleep yet. */
static void end_slowly(void *arg, weir_status status, weir_rpc_message *answer)
{
    busy_channel *busy = arg;
    weir_status_free(status);
    weir_rpc_message_fini(answer);
    atomic_store(&busy->called_back, 1);
    weir_word_wake(&busy->called_back);
    usleep(2000);
}

static void hold_up_receiver(busy_channel *busy)
{
    weir_rpc_message request = {0};
    atomic_store(&busy->called_back, 0);
    weir_channel_start(busy->receiver.c, &(weir_channel_call){.path = "/t/QuickEcho",
                                                              .request = &request,
                                                              .done = end_slowly,
                                                              .arg = busy});
    weir_word_wait(&busy->called_back, 0);
}

/* Twice the ring; the last message is echoed. */
static void send_burst(busy_channel *busy, weir_stream *s)
{
    enum { MESSAGES = 36, BYTES = 60000 };
    static char bytes[BYTES];
    atomic_store(&busy->returned, 0);
    for (int i = 1; i <= MESSAGES; i++) {
        weir_rpc_message message = {0};
        weir_buf_add(&message.head, bytes, BYTES);
        CHECK_OK(weir_stream_send(s, weir_str_of(i < MESSAGES ? "drop" : "back"), &message));
    }
    weir_word_wait(&busy->returned, 0);
}

/* Records that do not fit into the ring are sent when the peer has read. The peer may signal this
 * while the only receiving thread is about to sleep: no wake-up may be lost. */
TEST(a_backlog_is_sent_though_the_receiving_thread_falls_asleep)
{
    int port = 0;
    pid_t pid = start_server(&port);
    busy_channel busy = {.receiver.c = open_port(port)};
    weir_channel *c = busy.receiver.c;
    pthread_t receiving;
    CHECK_EQ(pthread_create(&receiving, NULL, wait_blocked, &busy.receiver), 0);
    weir_rpc_message request = {0};
    weir_stream *s = weir_channel_start_stream(c, &(weir_channel_call){.path = "/t/Stream",
                                                                       .request = &request,
                                                                       .on_message = note_returned,
                                                                       .done = note_stream_end,
                                                                       .arg = &busy});
    CHECK(s != NULL);
    for (int round = 0; round < 100; round++) {
        hold_up_receiver(&busy);
        send_burst(&busy, s);
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    pthread_join(receiving, NULL); /* its call ends with the server */
    CHECK_EQ(busy.receiver.n.code, WEIR_UNAVAILABLE);
    wait_for(&busy.receiver.n.ends, 1);
    wait_for(&busy.ended, 1);
    weir_stream_release(s);
    weir_channel_release(c);
}

/* ---- another process ------------------------------------------------------------------------ */

TEST(a_killed_process_ends_its_calls_and_leaves_what_it_lent)
{
    int port = 0;
    pid_t pid = start_server(&port);
    weir_channel *c = open_port(port);
    weir_rpc_message m = {0};
    CHECK_OK(ask(c, "/t/Payload", "3000000", &m));
    call_end e = {0};
    start_blocked(c, NULL, &e);
    CHECK_OK(ask_only(c, "/t/Echo", "x")); /* the blocked one is there by now */
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    wait_for(&e.ended, 1);
    CHECK_EQ(e.code, WEIR_UNAVAILABLE);
    CHECK(!has_transport(c));
    size_t bad = 0;
    for (size_t i = 0; i < 3000000; i++)
        bad += ((uint8_t *)m.payload->data)[i] != (uint8_t)(i * 31 >> 3);
    CHECK_EQ(bad, 0);
    weir_rpc_message_fini(&m);
    CHECK_FAILS(ask_only(c, "/t/Echo", "x"), WEIR_UNAVAILABLE, "Connection refused");
    weir_channel_release(c);
}

TEST(a_paused_process_is_given_up)
{
    int port = 0;
    pid_t pid = start_server(&port);
    weir_channel *c = open_port(port);
    call_end e = {0};
    start_blocked(c, NULL, &e);
    CHECK_OK(ask_only(c, "/t/Echo", "x"));
    kill(pid, SIGSTOP);
    wait_for(&e.ended, 1);
    CHECK_EQ(e.code, WEIR_UNAVAILABLE);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    weir_channel_release(c);
}

/* A ring whose other side writes invalid records is marked as broken, with no other effect. */
TEST(rings_check_what_they_read)
{
    void *span = mmap(NULL, RING_SPAN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    static const struct {
        uint64_t head;
        uint32_t size, kind;
        bool broken;
    } cases[] = {{0, 0, 0, false},
                 {64, 64, 1, false},
                 {64, 72, 1, true},
                 {64, 4, 1, true},
                 {64, 60, 1, true},
                 {63, 32, 1, true},
                 {RING_BYTES + 8, 64, 1, true},
                 {UINT64_MAX - 7, 64, 1, true},
                 {64, 0xfffffff8, 1, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weir_ring r;
        weir_ring_init(&r, span);
        atomic_store(&r.shared->head, cases[i].head);
        *(weir_ring_record *)r.data = (weir_ring_record){cases[i].size, cases[i].kind};
        uint32_t size;
        bool broken;
        const void *at = weir_ring_peek(&r, &size, &broken);
        CHECK_EQ(broken, cases[i].broken);
        CHECK_EQ(at != NULL, cases[i].head == 64 && !cases[i].broken);
    }
    weir_ring w;
    weir_ring_init(&w, span);
    bool broken;
    atomic_store(&w.shared->tail, 8); /* more was read than written */
    CHECK(!weir_ring_reserve(&w, 64, &broken) && broken);
    munmap(span, RING_SPAN);
}

TEST(shared_memory_is_found)
{
    CHECK(weir_shared_on());
    uint64_t offset;
    weir_buffer *b, *small;
    CHECK_OK(weir_buffer_alloc(1 << 20, &b));
    CHECK_OK(weir_buffer_alloc(1 << 10, &small));
    CHECK(weir_shared_find(b->data, 1 << 20, &offset));
    CHECK(!weir_shared_find(small->data, 1 << 10, &offset));
    CHECK(!weir_shared_find(b->data, weir_shared_bytes(), &offset));
    weir_buffer_release(b);
    weir_buffer_release(small);
}

/* What a peer can do with its descriptor. Root may open any file, so this does not run as
 * root. */
static int try_to_write(void)
{
    enum { NOBODY = 65534 };
    if (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) != 0)
        return 10;
    prctl(PR_SET_DUMPABLE, 1); /* /proc/self is this user's */
    if (!weir_shared_on())
        return 11;
    char path[64];
    int fd = weir_shared_fd();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (write(fd, "x", 1) >= 0 || ftruncate(fd, 0) == 0)
        return 1;
    if (mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED)
        return 2;
    void *at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED || mprotect(at, 4096, PROT_READ | PROT_WRITE) == 0)
        return 3;
    if (open(path, O_RDWR) >= 0 || open(path, O_WRONLY) >= 0)
        return 4;
    return fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) == 0 ? 5 : 0;
}

TEST(a_peer_cannot_write_what_is_lent_to_it)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "shm_test", "--write", NULL);
        _exit(12);
    }
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--write") == 0)
        return try_to_write();
    if (argc == 3 && strcmp(argv[1], "--serve") == 0)
        return be_server(atoi(argv[2]));
    return weir_test_main(argc, argv);
}
