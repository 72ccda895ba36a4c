/* net/server.c - a server: it listens, and one thread waits for what its sockets have to say. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/h2_impl.h"
#include "net/rpc_impl.h"

/* ---- the loop ------------------------------------------------------------------------------- */

static void accept_all(weir_rpc_server *s)
{
    int fd;
    while ((fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        weir_h2_tune(fd);
        weir_connection *c = weir_connection_create(s, fd);
        struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
        if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &e) != 0 ||
            !weir_connection_serve(c, EPOLLOUT)) /* sends the settings */
            weir_connection_close(c);
    }
}

static bool closing(weir_rpc_server *s)
{
    pthread_mutex_lock(&s->lock);
    bool c = s->closing;
    pthread_mutex_unlock(&s->lock);
    return c;
}

static void *run_loop(void *arg)
{
    weir_rpc_server *s = arg;
    struct epoll_event events[64];
    bool over = false;
    while (!over) {
        int n = epoll_wait(s->epoll, events, 64, -1);
        for (int i = 0; i < n; i++) {
            void *who = events[i].data.ptr;
            if (who == s)
                accept_all(s);
            else if (who == &s->wake)
                over = closing(s);
            else if (!weir_connection_serve(who, events[i].events))
                weir_connection_close(who); /* it occurs once among the events */
        }
    }
    weir_connection_close_all(s);
    return NULL;
}

/* ---- listening ------------------------------------------------------------------------------ */

static weir_status listen_on(const char *host, int port, int *out_fd)
{
    struct addrinfo hints = {.ai_family = AF_INET,
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
    bool ok = fd >= 0 && bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, 1024) == 0;
    int why = errno;
    freeaddrinfo(found);
    if (!ok) {
        if (fd >= 0)
            close(fd);
        return weir_error(why == EADDRINUSE ? WEIR_ALREADY_EXISTS : WEIR_UNKNOWN,
                          "cannot listen on %s:%d: %s", host ? host : "127.0.0.1", port,
                          strerror(why));
    }
    *out_fd = fd;
    return WEIR_OK;
}

weir_status weir_rpc_listen(const weir_rpc_options *o, weir_rpc_server **out_server)
{
    int listener;
    WEIR_TRY(listen_on(o->host, o->port, &listener));
    struct sockaddr_in bound;
    socklen_t length = sizeof bound;
    getsockname(listener, (struct sockaddr *)&bound, &length);
    weir_rpc_server *s = WEIR_NEW(weir_rpc_server);
    s->methods = o->methods;
    s->method_count = o->method_count;
    s->ctx = o->ctx;
    s->port = ntohs(bound.sin_port);
    s->listener = listener;
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    s->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    s->buffer = weir_alloc(H2_READ_BUFFER);
    s->waiting_end = &s->waiting;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->work, NULL);
    pthread_cond_init(&s->left, NULL);
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = s};
    epoll_ctl(s->epoll, EPOLL_CTL_ADD, listener, &e);
    e.data.ptr = &s->wake;
    epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->wake, &e);
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
    close(s->wake);
    close(s->epoll);
    weir_free(s->buffer);
    pthread_cond_destroy(&s->left);
    pthread_cond_destroy(&s->work);
    pthread_mutex_destroy(&s->lock);
    weir_free(s);
}
