/* lab/bench/wire_plain.c - the plain socket program that weir bench wire compares with.
 *
 * Blocking sockets, one connection and one server thread per worker, reused buffers: a lower bound
 * for programs that only move these bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "lab/bench/wire.h"
#include "proc/sockets.h"

enum { PING = 1, NULL_STEP, MEET };
enum { CONNECT_ATTEMPTS = 3000, ATTEMPT_MS = 10 };

typedef struct order {
    int64_t what, bytes;
} order;

struct wire_plain {
    int fd;
    char *memory;
    size_t bytes;
};

/* ---- both ends ------------------------------------------------------------------------------- */

static bool send_all(int fd, const char *at, size_t bytes)
{
    while (bytes) {
        ssize_t count = send(fd, at, bytes, MSG_NOSIGNAL);
        if (count <= 0)
            return false;
        at += count;
        bytes -= (size_t)count;
    }
    return true;
}

static bool receive_all(int fd, char *at, size_t bytes)
{
    while (bytes) {
        ssize_t count = recv(fd, at, bytes, 0);
        if (count <= 0)
            return false;
        at += count;
        bytes -= (size_t)count;
    }
    return true;
}

/* Touches the pages before the first measured step. */
static void make_room(wire_plain *plain, size_t bytes)
{
    if (bytes <= plain->bytes)
        return;
    weir_free(plain->memory);
    plain->memory = weir_alloc(bytes);
    plain->bytes = bytes;
    memset(plain->memory, 1, bytes);
}

static void send_at_once(int fd)
{
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
}

/* ---- the server ------------------------------------------------------------------------------ */

static struct {
    int listener;
    pthread_barrier_t barrier;
} server;

static bool obey(wire_plain *plain, const order *order)
{
    char byte = 1, number[4] = {0};
    switch (order->what) {
    case PING:
        return send_all(plain->fd, number, sizeof number);
    case NULL_STEP:
        make_room(plain, (size_t)order->bytes);
        return send_all(plain->fd, plain->memory, (size_t)order->bytes) &&
               receive_all(plain->fd, plain->memory, (size_t)order->bytes) &&
               send_all(plain->fd, &byte, 1);
    case MEET:
        pthread_barrier_wait(&server.barrier);
        return send_all(plain->fd, &byte, 1);
    default:
        return false;
    }
}

static void *serve_one(void *arg)
{
    wire_plain *plain = arg;
    order order;
    send_at_once(plain->fd);
    while (receive_all(plain->fd, (char *)&order, sizeof order) && obey(plain, &order))
        ;
    wire_plain_close(plain);
    return NULL;
}

static bool start_thread(void *(*run)(void *), void *arg)
{
    pthread_t id;
    return pthread_create(&id, NULL, run, arg) == 0 && pthread_detach(id) == 0;
}

static void *accept_all(void *arg)
{
    int fd;
    while ((fd = accept(server.listener, NULL, NULL)) >= 0 || errno == EINTR) {
        wire_plain *plain = WEIR_NEW(wire_plain);
        plain->fd = fd;
        if (!start_thread(serve_one, plain))
            wire_plain_close(plain);
    }
    return arg;
}

static void wait_for_connections(int listener)
{
    int flags = 0;
    setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0}, sizeof(struct timeval));
    flags = fcntl(listener, F_GETFL);
    fcntl(listener, F_SETFL, flags & ~O_NONBLOCK);
}

weir_status wire_plain_serve(int port, long workers)
{
    WEIR_TRY(run_listen("127.0.0.1", port, &server.listener));
    wait_for_connections(server.listener);
    pthread_barrier_init(&server.barrier, NULL, (unsigned)workers);
    return start_thread(accept_all, NULL) ? WEIR_OK
                                          : weir_error(WEIR_RESOURCE_EXHAUSTED, "no thread");
}

/* ---- a worker -------------------------------------------------------------------------------- */

wire_plain *wire_plain_connect(int port)
{
    int fd = -1;
    for (int i = 0; i < CONNECT_ATTEMPTS && (fd = run_connect("127.0.0.1", port)) < 0; i++)
        nanosleep(&(struct timespec){0, ATTEMPT_MS * 1000000L}, NULL);
    if (fd < 0)
        return NULL;
    send_at_once(fd);
    wire_plain *plain = WEIR_NEW(wire_plain);
    plain->fd = fd;
    return plain;
}

void wire_plain_close(wire_plain *plain)
{
    if (!plain)
        return;
    close(plain->fd);
    weir_free(plain->memory);
    weir_free(plain);
}

static bool request(wire_plain *plain, int64_t what, int64_t bytes)
{
    order order = {what, bytes};
    return send_all(plain->fd, (const char *)&order, sizeof order);
}

bool wire_plain_ping(wire_plain *plain)
{
    char number[4];
    return request(plain, PING, 4) && receive_all(plain->fd, number, sizeof number);
}

bool wire_plain_null(wire_plain *plain, int64_t bytes)
{
    char byte;
    make_room(plain, (size_t)bytes);
    return request(plain, NULL_STEP, bytes) &&
           receive_all(plain->fd, plain->memory, (size_t)bytes) &&
           send_all(plain->fd, plain->memory, (size_t)bytes) && receive_all(plain->fd, &byte, 1);
}

bool wire_plain_meet(wire_plain *plain)
{
    char byte;
    return request(plain, MEET, 0) && receive_all(plain->fd, &byte, 1);
}
