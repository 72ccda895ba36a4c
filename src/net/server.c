/* net/server.c - a server: it listens, and one thread waits for what its sockets have to say. */
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
#include "net/rpc_impl.h"
#include "net/shm_handshake_impl.h"
#include "net/shm_impl.h"

/* ---- the loop ------------------------------------------------------------------------------- */

static void watch(weir_rpc_server *s, int fd, weir_source *source)
{
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = source};
    epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &e);
}

static void on_listener(weir_source *self, unsigned events)
{
    weir_rpc_server *s = WEIR_SOURCE_OWNER(self, weir_rpc_server, on_listener);
    int fd;
    while ((fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        weir_h2_tune(fd);
        weir_connection_create(s, fd);
    }
}

static void on_wake(weir_source *self, unsigned events)
{
    weir_rpc_server *s = WEIR_SOURCE_OWNER(self, weir_rpc_server, on_wake);
    pthread_mutex_lock(&s->lock);
    s->over = s->closing;
    pthread_mutex_unlock(&s->lock);
}

void weir_rpc_release_later(weir_rpc_server *s, weir_ref *ref)
{
    weir_vec_push(&s->deferred, ref);
}

static void release_deferred(weir_rpc_server *s)
{
    for (size_t i = 0; i < s->deferred.count; i++)
        weir_ref_release(s->deferred.at[i]);
    s->deferred.count = 0;
}

/* ---- shm transports
 * ---------------------------------------------------------------------------------- */

/* Someone on the unix socket who has not said yet which connection a shm transport is for. */
typedef struct handshake handshake;
struct handshake {
    weir_ref ref;
    weir_source source;
    weir_rpc_server *server;
    int fd;
    handshake *next, *prev;
};

static void destroy_handshake(weir_ref *ref)
{
    weir_free(ref);
}

static void leave(handshake *v)
{
    if (v->prev)
        v->prev->next = v->next;
    else
        v->server->handshakes = v->next;
    if (v->next)
        v->next->prev = v->prev;
    epoll_ctl(v->server->epoll, EPOLL_CTL_DEL, v->fd, NULL);
    close(v->fd);
    v->fd = -1;
    weir_rpc_release_later(v->server, &v->ref);
}

static void on_handshake(weir_source *self, unsigned events)
{
    handshake *v = WEIR_SOURCE_OWNER(self, handshake, source);
    weir_rpc_server *s = v->server;
    weir_shm_hello g;
    if (v->fd < 0)
        return;
    if (weir_shm_hello_receive(v->fd, WEIR_SHM_FDS, &g)) {
        uint64_t token = g.token;
        weir_shm *shm = NULL;
        if (weir_connection_awaits_shm(s, token))
            shm = weir_shm_accept(v->fd, &g);
        else
            weir_shm_hello_fini(&g);
        if (shm)
            weir_connection_attach_shm(s, token, shm);
    }
    leave(v);
}

static void on_shm_listener(weir_source *self, unsigned events)
{
    weir_rpc_server *s = WEIR_SOURCE_OWNER(self, weir_rpc_server, on_shm_listener);
    int fd;
    while ((fd = accept4(s->shm_listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        handshake *v = WEIR_NEW(handshake);
        weir_ref_init(&v->ref, destroy_handshake);
        v->source.ready = on_handshake;
        v->server = s;
        v->fd = fd;
        v->next = s->handshakes;
        if (v->next)
            v->next->prev = v;
        s->handshakes = v;
        watch(s, fd, &v->source);
    }
}

/* ---- the thread ----------------------------------------------------------------------------- */

static void *run_loop(void *arg)
{
    weir_rpc_server *s = arg;
    struct epoll_event events[64];
    while (!s->over) {
        int n = epoll_wait(s->epoll, events, 64, -1);
        weir_shm_cork();
        for (int i = 0; i < n; i++) {
            weir_source *source = events[i].data.ptr;
            source->ready(source, events[i].events);
        }
        weir_shm_uncork();
        release_deferred(s);
    }
    while (s->handshakes)
        leave(s->handshakes);
    weir_connection_close_all(s);
    release_deferred(s);
    return NULL;
}

/* ---- listening ------------------------------------------------------------------------------ */

/* IPv4, unless the host is an IPv6 address; of those, "::" stands for both. */
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

weir_status weir_rpc_listen(const weir_rpc_options *o, weir_rpc_server **out_server)
{
    int listener;
    WEIR_TRY(listen_on(o->host, o->port, &listener));
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } bound = {0};
    socklen_t length = sizeof bound;
    getsockname(listener, &bound.any, &length);
    weir_rpc_server *s = WEIR_NEW(weir_rpc_server);
    s->methods = o->methods;
    s->method_count = o->method_count;
    s->ctx = o->ctx;
    s->port = ntohs(bound.any.sa_family == AF_INET6 ? bound.v6.sin6_port : bound.v4.sin_port);
    s->listener = listener;
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    s->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    s->buffer = weir_alloc(H2_READ_BUFFER);
    s->waiting_end = &s->waiting;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->work, NULL);
    pthread_cond_init(&s->left, NULL);
    s->on_listener.ready = on_listener;
    s->on_wake.ready = on_wake;
    s->on_shm_listener.ready = on_shm_listener;
    watch(s, listener, &s->on_listener);
    watch(s, s->wake, &s->on_wake);
    s->shm_listener = weir_shm_enabled() ? weir_shm_listen(s->shm_name) : -1;
    if (s->shm_listener >= 0)
        watch(s, s->shm_listener, &s->on_shm_listener);
    pthread_create(&s->loop, NULL, run_loop, s);
    *out_server = s;
    return WEIR_OK;
}

int weir_rpc_port(const weir_rpc_server *s)
{
    return s->port;
}

void weir_rpc_server_destroy(weir_rpc_server *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->closing = true;
    pthread_mutex_unlock(&s->lock);
    eventfd_write(s->wake, 1);
    pthread_join(s->loop, NULL); /* closes connections, which cancels their calls */
    weir_rpc_stop_threads(s);
    close(s->listener);
    if (s->shm_listener >= 0)
        close(s->shm_listener);
    weir_vec_fini(&s->deferred);
    close(s->wake);
    close(s->epoll);
    weir_free(s->buffer);
    pthread_cond_destroy(&s->left);
    pthread_cond_destroy(&s->work);
    pthread_mutex_destroy(&s->lock);
    weir_free(s);
}
