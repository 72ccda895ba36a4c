/* net/server.c - a server: its listeners, and the I/O thread. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/h2_impl.h"
#include "net/http_front_impl.h"
#include "net/rpc_impl.h"
#include "net/shm_handshake_impl.h"
#include "net/shm_impl.h"

/* ---- the loop ------------------------------------------------------------------------------- */

static void watch(weir_rpc_server *server, int fd, weir_source *source)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = source};
    epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event);
}

static void on_listener(weir_source *self, unsigned events)
{
    weir_rpc_server *server = WEIR_SOURCE_OWNER(self, weir_rpc_server, on_listener);
    int fd;
    while ((fd = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        weir_h2_tune(fd);
        weir_arrival_create(server, fd);
    }
}

static void on_wake(weir_source *self, unsigned events)
{
    weir_rpc_server *server = WEIR_SOURCE_OWNER(self, weir_rpc_server, on_wake);
    weir_mutex_lock(&server->lock);
    server->over = server->closing;
    weir_mutex_unlock(&server->lock);
}

void weir_rpc_release_later(weir_rpc_server *server, weir_ref *ref)
{
    weir_vec_push(&server->deferred, ref);
}

static void release_deferred(weir_rpc_server *server)
{
    for (size_t i = 0; i < server->deferred.count; i++)
        weir_ref_release(server->deferred.at[i]);
    server->deferred.count = 0;
}

/* ---- shm handshakes -------------------------------------------------------------------------- */

/* An incoming connection on the unix socket, until its hello. */
typedef struct shm_handshake shm_handshake;
struct shm_handshake {
    weir_ref ref;
    weir_source source;
    weir_rpc_server *server;
    int fd;
    shm_handshake *next, *prev;
};

static void destroy_handshake(weir_ref *ref)
{
    weir_free(ref);
}

static void end_handshake(shm_handshake *handshake)
{
    if (handshake->prev)
        handshake->prev->next = handshake->next;
    else
        handshake->server->handshakes = handshake->next;
    if (handshake->next)
        handshake->next->prev = handshake->prev;
    epoll_ctl(handshake->server->epoll, EPOLL_CTL_DEL, handshake->fd, NULL);
    close(handshake->fd);
    handshake->fd = -1;
    weir_rpc_release_later(handshake->server, &handshake->ref);
}

static void on_handshake(weir_source *self, unsigned events)
{
    shm_handshake *this_handshake = WEIR_SOURCE_OWNER(self, shm_handshake, source);
    weir_rpc_server *server = this_handshake->server;
    weir_shm_hello hello;
    if (this_handshake->fd < 0)
        return;
    if (weir_shm_hello_receive(this_handshake->fd, WEIR_SHM_FDS, &hello)) {
        uint64_t token = hello.token;
        weir_shm *shm = NULL;
        if (weir_connection_awaits_shm(server, token))
            shm = weir_shm_accept(this_handshake->fd, &hello);
        else
            weir_shm_hello_fini(&hello);
        if (shm)
            weir_connection_attach_shm(server, token, shm);
    }
    end_handshake(this_handshake);
}

static void on_shm_listener(weir_source *self, unsigned events)
{
    weir_rpc_server *server = WEIR_SOURCE_OWNER(self, weir_rpc_server, on_shm_listener);
    int fd;
    while ((fd = accept4(server->shm_listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        shm_handshake *new_handshake = WEIR_NEW(shm_handshake);
        weir_ref_init(&new_handshake->ref, destroy_handshake);
        new_handshake->source.ready = on_handshake;
        new_handshake->server = server;
        new_handshake->fd = fd;
        new_handshake->next = server->handshakes;
        if (new_handshake->next)
            new_handshake->next->prev = new_handshake;
        server->handshakes = new_handshake;
        watch(server, fd, &new_handshake->source);
    }
}

/* ---- the thread ----------------------------------------------------------------------------- */

static void *run_loop(void *arg)
{
    weir_rpc_server *server = arg;
    struct epoll_event events[64];
    while (!server->over) {
        int count = epoll_wait(server->epoll, events, 64, -1);
        weir_shm_cork();
        for (int i = 0; i < count; i++) {
            weir_source *source = events[i].data.ptr;
            source->ready(source, events[i].events);
        }
        weir_shm_uncork();
        release_deferred(server);
    }
    while (server->handshakes)
        end_handshake(server->handshakes);
    weir_arrival_close_all(server);
    weir_connection_close_all(server);
    release_deferred(server);
    return NULL;
}

/* ---- listening ------------------------------------------------------------------------------ */

/* IPv4, unless the host is an IPv6 address; "::" accepts both. */
static weir_status listen_on(const char *host, int port, int *out_fd)
{
    bool v6 = host && strchr(host, ':');
    struct addrinfo hints = {.ai_family = v6 ? AF_INET6 : AF_INET,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_PASSIVE | AI_NUMERICSERV},
                    *found;
    char service[16];
    snprintf(service, sizeof service, "%d", port);
    int failed = getaddrinfo(host ? host : "127.0.0.1", service, &hints, &found);
    if (failed)
        return weir_error(WEIR_INVALID_ARGUMENT, "cannot listen on '%s': %s", host,
                          gai_strerror(failed));
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (v6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &(int){0}, sizeof(int));
    bool ok = fd >= 0 && bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, 1024) == 0;
    int why = errno;
    freeaddrinfo(found);
    if (!ok) {
        if (fd >= 0)
            close(fd);
        return weir_error(why == EADDRINUSE ? WEIR_ALREADY_EXISTS : WEIR_UNKNOWN,
                          "cannot listen on %s%s%s:%d: %s", v6 ? "[" : "",
                          host ? host : "127.0.0.1", v6 ? "]" : "", port, strerror(why));
    }
    *out_fd = fd;
    return WEIR_OK;
}

static int bound_port(int listener)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } bound = {0};
    socklen_t length = sizeof bound;
    getsockname(listener, &bound.any, &length);
    return ntohs(bound.any.sa_family == AF_INET6 ? bound.v6.sin6_port : bound.v4.sin_port);
}

static void watch_all(weir_rpc_server *server)
{
    server->on_listener.ready = on_listener;
    server->on_wake.ready = on_wake;
    server->on_shm_listener.ready = on_shm_listener;
    watch(server, server->listener, &server->on_listener);
    watch(server, server->wake, &server->on_wake);
    if (server->shm_listener >= 0)
        watch(server, server->shm_listener, &server->on_shm_listener);
}

weir_status weir_rpc_listen(const weir_rpc_options *options, weir_rpc_server **out_server)
{
    int listener;
    WEIR_TRY(listen_on(options->host, options->port, &listener));
    weir_rpc_server *server = WEIR_NEW(weir_rpc_server);
    server->methods = options->methods;
    server->method_count = options->method_count;
    server->ctx = options->ctx;
    server->http = options->http ? weir_http_front_create(options->http) : NULL;
    server->port = bound_port(listener);
    server->listener = listener;
    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    server->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    server->buffer = weir_alloc(H2_READ_BUFFER);
    server->waiting_end = &server->waiting;
    weir_mutex_init(&server->lock);
    weir_cond_init(&server->work);
    weir_cond_init(&server->left);
    server->shm_listener = weir_shm_enabled() ? weir_shm_listen(server->shm_name) : -1;
    watch_all(server);
    pthread_create(&server->loop, NULL, run_loop, server);
    *out_server = server;
    return WEIR_OK;
}

int weir_rpc_port(const weir_rpc_server *server)
{
    return server->port;
}

void weir_rpc_server_destroy(weir_rpc_server *server)
{
    if (!server)
        return;
    weir_mutex_lock(&server->lock);
    server->closing = true;
    weir_mutex_unlock(&server->lock);
    eventfd_write(server->wake, 1);
    pthread_join(server->loop, NULL); /* closes connections, which cancels their calls */
    weir_http_front_destroy(server->http);
    weir_rpc_stop_threads(server);
    close(server->listener);
    if (server->shm_listener >= 0)
        close(server->shm_listener);
    weir_vec_fini(&server->deferred);
    close(server->wake);
    close(server->epoll);
    weir_free(server->buffer);
    weir_cond_fini(&server->left);
    weir_cond_fini(&server->work);
    weir_mutex_fini(&server->lock);
    weir_free(server);
}
