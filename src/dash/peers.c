/* dash/peers.c - non-blocking sockets in one poll loop. */
#include "dash/peers.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "net/address.h"

enum { MOST_BYTES = 128 << 20, MOST_AT_ONCE = 512 };

typedef struct weir_peer_socket {
    int fd;
    bool sent;
    weir_buf request, answer;
} weir_peer_socket;

static void end_get(weir_peer_get *get, const char *problem)
{
    close(get->socket->fd);
    get->socket->fd = -1;
    get->problem = problem;
}

static void begin(weir_peer_get *get)
{
    struct addrinfo *found = NULL;
    get->socket = WEIR_NEW(weir_peer_socket);
    get->socket->fd = -1;
    if (weir_address_look_up(get->address, 0, &found) != 0) {
        get->problem = "its name is not known";
        return;
    }
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    get->socket->fd = fd;
    if (fd < 0)
        get->problem = "no socket";
    else if (connect(fd, found->ai_addr, found->ai_addrlen) != 0 && errno != EINPROGRESS)
        end_get(get, "it does not listen");
    weir_address_free(found);
    weir_buf_addf(&get->socket->request,
                  "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", get->path);
}

/* Splits head and body after the last byte. */
static void take_answer(weir_peer_get *get)
{
    weir_buf *answer = &get->socket->answer;
    const char *end = answer->length ? memmem(answer->at, answer->length, "\r\n\r\n", 4) : NULL;
    if (!end || answer->length < 12 || memcmp(answer->at, "HTTP/1.1 ", 9) != 0) {
        get->problem = "it does not speak HTTP";
        return;
    }
    get->status = atoi(answer->at + 9);
    weir_buf_add(&get->body, end + 4, answer->length - (size_t)(end + 4 - answer->at));
}

static void send_request(weir_peer_get *get)
{
    const weir_buf *request = &get->socket->request;
    get->sent_ns = weir_now_ns();
    get->socket->sent = true;
    if (send(get->socket->fd, request->at, request->length, MSG_NOSIGNAL) !=
        (ssize_t)request->length)
        end_get(get, "it does not listen");
}

static void read_answer(weir_peer_get *get)
{
    char bytes[65536];
    ssize_t count = recv(get->socket->fd, bytes, sizeof bytes, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (!get->first_ns)
        get->first_ns = weir_now_ns();
    if (count < 0 || get->socket->answer.length > MOST_BYTES) {
        end_get(get, "the connection was lost");
    } else if (count == 0) {
        end_get(get, NULL);
        take_answer(get);
    } else {
        weir_buf_add(&get->socket->answer, bytes, (size_t)count);
    }
}

/* One round of polling; false when all have ended. */
static bool go_on(weir_peer_get *gets, size_t count, int timeout_ms)
{
    struct pollfd polled[MOST_AT_ONCE];
    bool open = false;
    for (size_t i = 0; i < count; i++) {
        weir_peer_socket *socket = gets[i].socket;
        polled[i] = (struct pollfd){.fd = socket->fd, .events = socket->sent ? POLLIN : POLLOUT};
        open |= socket->fd >= 0;
    }
    if (!open || poll(polled, (nfds_t)count, timeout_ms) < 0)
        return open;
    for (size_t i = 0; i < count; i++) {
        if (polled[i].fd < 0 || !polled[i].revents)
            continue;
        if (gets[i].socket->sent)
            read_answer(&gets[i]);
        else
            send_request(&gets[i]);
    }
    return true;
}

static void finish(weir_peer_get *get)
{
    if (get->socket->fd >= 0)
        end_get(get, "it does not answer");
    weir_buf_fini(&get->socket->request);
    weir_buf_fini(&get->socket->answer);
    weir_free(get->socket);
    get->socket = NULL;
}

void weir_peers_get(weir_peer_get *gets, size_t count, int timeout_ms)
{
    for (size_t first = 0; first < count; first += MOST_AT_ONCE) {
        size_t some = count - first < MOST_AT_ONCE ? count - first : MOST_AT_ONCE;
        int64_t until = weir_now_ns() + timeout_ms * 1000000LL;
        for (size_t i = 0; i < some; i++)
            begin(&gets[first + i]);
        for (int64_t left = timeout_ms; left > 0; left = (until - weir_now_ns()) / 1000000)
            if (!go_on(gets + first, some, (int)left))
                break;
        for (size_t i = 0; i < some; i++)
            finish(&gets[first + i]);
    }
}
