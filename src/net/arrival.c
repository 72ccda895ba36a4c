/* net/arrival.c - a new connection of a server: its first bytes decide between gRPC and HTTP/1.1.
 *
 * Every HTTP/2 client starts with "PRI * HTTP/2.0" and does not wait for the server's settings.
 */
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "net/access.h"
#include "net/http_front_impl.h"
#include "net/limits.h"
#include "net/tls_impl.h"

enum {
    TLS_HANDSHAKE = 22, /* the type of the first record */
    FRAME_HEAD = 9,     /* bytes, of HTTP/2 */
};

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

/* Removes it from the loop; the caller owns the socket. */
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

/* The decrypted bytes are handled like those of a new connection. */
static void decrypt(weir_rpc_server *server, int fd, weir_peer *peer)
{
    int plain = weir_tls_accept(fd, peer);
    peer->encrypted = true;
    if (plain >= 0)
        weir_arrival_create(server, plain, peer);
    else
        weir_peer_release(peer);
}

/* Sends an HTTP/2 client the cause, in a GOAWAY. */
static void refuse_plain(int fd, const weir_peer *peer)
{
    static const char why[] = "this server speaks TLS only (--tls-cert; --allow loopback)";
    static const unsigned char settings_and_goaway[] = {
        0,    0,    0,    4,    0, 0, 0, 0,
        0, /* SETTINGS: none */
        0,    0,    0,    7,    0, 0, 0, 0,
        0, /* GOAWAY: no stream is refused, INADEQUATE_SECURITY */
        0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0xc};
    char frames[sizeof settings_and_goaway + sizeof why - 1], dropped[4096];
    memcpy(frames, settings_and_goaway, sizeof settings_and_goaway);
    memcpy(frames + sizeof settings_and_goaway, why, sizeof why - 1);
    frames[FRAME_HEAD + 2] = 8 + sizeof why - 1;
    while (recv(fd, dropped, sizeof dropped, MSG_DONTWAIT) > 0)
        ; /* unread bytes would reset the connection */
    send(fd, frames, sizeof frames, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(fd, SHUT_WR);
    weir_log(WEIR_LOG_WARNING, "a connection of %s was refused: it does not use TLS",
             peer->address);
    close(fd);
}

static void refuse_tls(int fd, const weir_peer *peer)
{
    static const unsigned char alert[] = {21, 3, 3, 0, 2, 2, 70}; /* fatal: protocol_version */
    char dropped[4096];
    while (recv(fd, dropped, sizeof dropped, MSG_DONTWAIT) > 0)
        ;
    send(fd, alert, sizeof alert, MSG_DONTWAIT | MSG_NOSIGNAL);
    weir_log(WEIR_LOG_WARNING, "a connection of %s was refused: it uses TLS, this server does not",
             peer->address);
    close(fd);
}

/* Requests of HTTP/1.1 carry no token. */
static bool may_read(const weir_peer *peer)
{
    weir_status denied = weir_access_check(peer, false, (weir_str){0});
    weir_status_free(denied);
    return !denied;
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
    else if (first[0] == TLS_HANDSHAKE && !arrival->peer->encrypted && weir_tls_serves())
        decrypt(server, fd, WEIR_TAKE(arrival->peer));
    else if (first[0] == TLS_HANDSHAKE)
        refuse_tls(fd, arrival->peer);
    else if (!arrival->peer->encrypted && !weir_access_takes_plain(arrival->peer))
        refuse_plain(fd, arrival->peer);
    else if (memcmp(first, "PRI", (size_t)count) == 0)
        weir_connection_create(server, fd, WEIR_TAKE(arrival->peer));
    else if (!server->http || !may_read(arrival->peer))
        close(fd);
    else
        weir_http_front_add(server->http, fd);
}

void weir_arrival_create(weir_rpc_server *server, int fd, weir_peer *peer)
{
    if (!server->http && !weir_tls_serves()) {
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
