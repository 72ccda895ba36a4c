/* net/arrival.c - a new connection of a server: its first bytes decide between gRPC and HTTP/1.1.
 *
 * Every client of HTTP/2 begins with "PRI * HTTP/2.0" and does not wait for the server's settings.
 */
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/http_front_impl.h"
#include "net/limits.h"

typedef struct weir_arrival weir_arrival;
struct weir_arrival {
    weir_ref ref;
    weir_source source;
    weir_rpc_server *server;
    int fd;
    weir_peer *peer;
    int64_t begun_ns;
    weir_arrival *next, *prev;
};

static void destroy_arrival(weir_ref *ref)
{
    weir_peer_release(((weir_arrival *)ref)->peer);
    weir_free(ref);
}

/* Takes it off the loop; the socket is the caller's. */
static int leave(weir_arrival *arrival)
{
    weir_rpc_server *server = arrival->server;
    int fd = arrival->fd;
    if (arrival->prev)
        arrival->prev->next = arrival->next;
    else
        server->arrivals = arrival->next;
    if (arrival->next)
        arrival->next->prev = arrival->prev;
    server->connection_count--;
    epoll_ctl(server->epoll, EPOLL_CTL_DEL, fd, NULL);
    arrival->fd = -1;
    weir_rpc_release_later(server, &arrival->ref);
    return fd;
}

static void on_first_bytes(weir_source *self, unsigned events)
{
    weir_arrival *arrival = WEIR_SOURCE_OWNER(self, weir_arrival, source);
    weir_rpc_server *server = arrival->server;
    char first[3];
    if (arrival->fd < 0)
        return;
    ssize_t count = recv(arrival->fd, first, sizeof first, MSG_PEEK);
    int fd = leave(arrival);
    if (count <= 0)
        close(fd);
    else if (memcmp(first, "PRI", (size_t)count) == 0)
        weir_connection_create(server, fd, WEIR_TAKE(arrival->peer));
    else
        weir_http_front_add(server->http, fd);
}

void weir_arrival_create(weir_rpc_server *server, int fd, weir_peer *peer)
{
    if (!server->http) {
        weir_connection_create(server, fd, peer);
        return;
    }
    weir_arrival *arrival = WEIR_NEW(weir_arrival);
    weir_ref_init(&arrival->ref, destroy_arrival);
    arrival->source.ready = on_first_bytes;
    arrival->server = server;
    arrival->fd = fd;
    arrival->peer = peer;
    arrival->begun_ns = server->now_ns;
    server->connection_count++;
    arrival->next = server->arrivals;
    if (arrival->next)
        arrival->next->prev = arrival;
    server->arrivals = arrival;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &arrival->source};
    if (epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event) != 0)
        close(leave(arrival));
}

void weir_arrival_close_all(weir_rpc_server *server)
{
    while (server->arrivals)
        close(leave(server->arrivals));
}

void weir_arrival_sweep(weir_rpc_server *server)
{
    int64_t limit_ns = weir_limits_get()->handshake_ms * 1000000LL;
    for (weir_arrival *arrival = server->arrivals, *next; arrival; arrival = next) {
        next = arrival->next;
        if (limit_ns && server->now_ns - arrival->begun_ns > limit_ns)
            close(leave(arrival));
    }
}
