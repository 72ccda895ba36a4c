/* net/server.c - a server: its listeners, and the I/O thread. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/sockaddr.h"
#include "base/timer.h"
#include "net/access.h"
#include "net/h2_impl.h"
#include "net/http_front_impl.h"
#include "net/limits.h"
#include "net/rpc_impl.h"
#include "net/shm_handshake_impl.h"
#include "net/shm_impl.h"
#include "net/tls.h"

/* ---- the loop ------------------------------------------------------------------------------- */

enum {
    EVENTS = 64,
    SWEEP_MS = 1000, /* interval of checks for time-outs */
    PAUSE_MS = 100,  /* pause of accepting when out of descriptors */
    HELLO_MS = 2000, /* time-out for the hello of a shm transport */
};

static void watch(weir_rpc_server *server, int fd, weir_source *source)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = source};
    epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event);
}

static void watch_listeners(weir_rpc_server *server)
{
    for (int i = 0; i < server->listener_count; i++)
        watch(server, server->listeners[i].fd, &server->listeners[i].source);
}

/* ---- accepting ---------------------------------------------------------------------------------
 */

static weir_peer *peer_at(const weir_sockaddr *address, socklen_t length)
{
    weir_peer *peer = weir_peer_create();
    getnameinfo(&address->any, length, peer->address, sizeof peer->address, NULL, 0,
                NI_NUMERICHOST);
    peer->local = weir_sockaddr_is_loopback(address);
    return peer;
}

static weir_peer *peer_by_file(int fd)
{
    struct ucred who = {.uid = (uid_t)-1};
    socklen_t length = sizeof who;
    weir_peer *peer = weir_peer_create();
    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length);
    snprintf(peer->address, sizeof peer->address, "unix:%ld", (long)who.uid);
    peer->local = peer->by_file = true;
    atomic_store(&peer->certified, weir_peer_is_self(fd));
    return peer;
}

static int open_spare(void)
{
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Out of descriptors for a pending connection: it is refused with the reserved one, and accepting
 * pauses, to avoid a busy loop. */
static void refuse_connection(weir_rpc_server *server, const weir_listener *listener)
{
    if (server->spare_fd >= 0)
        close(server->spare_fd);
    int fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0)
        close(fd);
    server->spare_fd = open_spare();
    server->paused_ns = server->now_ns;
    for (int i = 0; i < server->listener_count; i++)
        epoll_ctl(server->epoll, EPOLL_CTL_DEL, server->listeners[i].fd, NULL);
    weir_log(WEIR_LOG_WARNING,
             "a connection was refused: there are no descriptors left (%d "
             "connections)",
             server->connection_count);
}

static void accept_again(weir_rpc_server *server)
{
    if (!server->paused_ns || server->now_ns - server->paused_ns < PAUSE_MS * 1000000LL)
        return;
    server->paused_ns = 0;
    watch_listeners(server);
}

/* A process of another user, if those are not allowed. */
static bool is_foreign(const weir_listener *listener, int fd)
{
    if (!listener->path || weir_peer_is_self(fd) || weir_access_allows_users())
        return false;
    weir_log(WEIR_LOG_WARNING,
             "a connection by %s was refused: it is another user's (--allow unix)", listener->path);
    return true;
}

static void on_listener(weir_source *self, unsigned events)
{
    weir_listener *listener = WEIR_SOURCE_OWNER(self, weir_listener, source);
    weir_rpc_server *server = listener->server;
    weir_sockaddr from;
    for (;;) {
        socklen_t length = sizeof from;
        int fd = accept4(listener->fd, &from.any, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0 && server->connection_count >= weir_limits_get()->connections) {
            close(fd); /* clients retry, and see that the server is full */
            continue;
        }
        if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS))
            refuse_connection(server, listener);
        if (fd < 0 && errno != ECONNABORTED && errno != EINTR)
            return;
        if (fd < 0)
            continue;
        if (is_foreign(listener, fd)) {
            close(fd);
            continue;
        }
        weir_h2_tune(fd);
        weir_arrival_create(server, fd, listener->path ? peer_by_file(fd) : peer_at(&from, length));
        if (!weir_loop_mine())
            return;
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

/* A connection on the unix socket, before its hello. */
typedef struct shm_handshake shm_handshake;
struct shm_handshake {
    weir_ref ref;
    weir_source source;
    weir_rpc_server *server;
    int fd;
    int64_t begun_ns;
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
    handshake->server->handshake_count--;
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
        if (!weir_shm_same_user(fd) || server->handshake_count >= weir_limits_get()->handshakes) {
            close(fd);
            continue;
        }
        server->handshake_count++;
        shm_handshake *new_handshake = WEIR_NEW(shm_handshake);
        weir_ref_init(&new_handshake->ref, destroy_handshake);
        new_handshake->source.ready = on_handshake;
        new_handshake->server = server;
        new_handshake->fd = fd;
        new_handshake->begun_ns = server->now_ns;
        new_handshake->next = server->handshakes;
        if (new_handshake->next)
            new_handshake->next->prev = new_handshake;
        server->handshakes = new_handshake;
        watch(server, fd, &new_handshake->source);
    }
}

/* ---- the thread ----------------------------------------------------------------------------- */

/* Handles the remaining events of this round. False: another thread does so now. */
static bool handle_events(weir_rpc_server *server)
{
    while (server->event_at < server->event_count) {
        const struct epoll_event *event = &server->events[server->event_at++];
        server->handled = event->data.ptr;
        server->handled->ready(server->handled, event->events);
        if (!weir_loop_mine())
            return false;
    }
    server->handled = NULL;
    return true;
}

/* Handles expired time-outs, once a second. */
static void sweep(weir_rpc_server *server)
{
    accept_again(server);
    if (server->now_ns - server->swept_ns < SWEEP_MS * 1000000LL)
        return;
    server->swept_ns = server->now_ns;
    for (shm_handshake *handshake = server->handshakes, *next; handshake; handshake = next) {
        next = handshake->next;
        if (server->now_ns - handshake->begun_ns > HELLO_MS * 1000000LL)
            end_handshake(handshake);
    }
    weir_arrival_sweep(server);
    weir_connection_sweep(server, server->now_ns);
}

static bool serve_round(weir_rpc_server *server)
{
    bool ticks = server->connections || server->arrivals || server->handshakes || server->paused_ns;
    server->event_at = 0;
    server->event_count = epoll_wait(server->epoll, server->events, EVENTS,
                                     !ticks              ? -1
                                     : server->paused_ns ? PAUSE_MS
                                                         : SWEEP_MS);
    server->now_ns = weir_now_ns();
    weir_shm_cork(&server->corks);
    bool mine = handle_events(server);
    if (!mine)
        weir_shm_cork(NULL); /* the corks belong to another thread */
    else
        weir_shm_uncork(&server->corks);
    if (mine)
        sweep(server);
    if (!weir_loop_mine())
        return false;
    release_deferred(server);
    return true;
}

/* Continues where the blocked thread stopped: with the rest of that source's data, and the events
 * after it. */
static bool take_over(weir_rpc_server *server)
{
    weir_shm_uncork(&server->corks);
    if (server->handled)
        server->handled->ready(server->handled, EPOLLIN);
    return weir_loop_mine() && handle_events(server);
}

static void run_loop(void *arg)
{
    weir_rpc_server *server = arg;
    bool mine = take_over(server);
    while (mine && !server->over)
        mine = serve_round(server);
    if (!mine)
        return;
    while (server->handshakes)
        end_handshake(server->handshakes);
    weir_arrival_close_all(server);
    weir_connection_close_all(server);
    if (weir_loop_mine())
        release_deferred(server);
}

/* ---- listening ------------------------------------------------------------------------------ */

/* Listens on each place of |hosts|, separated by commas. */
static weir_status open_listeners(weir_rpc_server *server, const char *hosts, int port)
{
    for (const char *rest = hosts ? hosts : "127.0.0.1", *end; rest; rest = *end ? end + 1 : NULL) {
        end = rest + strcspn(rest, ",");
        WEIR_FREED char *place = weir_strndup(rest, (size_t)(end - rest));
        if (server->listener_count == MOST_LISTENERS)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "a server listens on at most %d addresses, not on '%s'",
                              MOST_LISTENERS, hosts);
        weir_listener *listener = &server->listeners[server->listener_count];
        WEIR_TRY(weir_listener_open(place, port, listener));
        listener->source.ready = on_listener;
        listener->server = server;
        server->listener_count++;
    }
    return WEIR_OK;
}

static void watch_all(weir_rpc_server *server)
{
    server->on_wake.ready = on_wake;
    server->on_shm_listener.ready = on_shm_listener;
    watch_listeners(server);
    watch(server, server->wake, &server->on_wake);
    if (server->shm_listener >= 0)
        watch(server, server->shm_listener, &server->on_shm_listener);
}

static void free_server(weir_rpc_server *server)
{
    int fds[] = {server->shm_listener, server->wake, server->epoll, server->spare_fd};
    for (int i = 0; i < server->listener_count; i++)
        weir_listener_close(&server->listeners[i]);
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    weir_vec_fini(&server->deferred);
    weir_free(server->buffer);
    weir_free(server->events);
    weir_cond_fini(&server->left);
    weir_cond_fini(&server->work);
    weir_mutex_fini(&server->corks.lock);
    weir_mutex_fini(&server->lock);
    weir_free(server);
}

/* Starts the required parts of a server. */
static weir_status start(weir_rpc_server *server, const weir_rpc_options *options)
{
    WEIR_TRY(open_listeners(server, options->host, options->port));
    if (server->epoll < 0 || server->wake < 0 || server->spare_fd < 0)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "a server needs more descriptors: %s",
                          strerror(errno));
    watch_all(server);
    WEIR_TRY(weir_timer_start());
    return weir_loop_start(&server->loop, run_loop, server);
}

weir_status weir_rpc_listen(const weir_rpc_options *options, weir_rpc_server **out_server)
{
    WEIR_TRY(weir_tls_set_up());
    weir_rpc_server *server = WEIR_NEW(weir_rpc_server);
    server->methods = options->methods;
    server->method_count = options->method_count;
    server->ctx = options->ctx;
    server->http = options->http ? weir_http_front_create(options->http) : NULL;
    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    server->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    server->spare_fd = open_spare();
    server->buffer = weir_alloc(H2_READ_BUFFER);
    server->events = WEIR_NEW_ARRAY(struct epoll_event, EVENTS);
    server->now_ns = weir_now_ns();
    server->waiting_end = &server->waiting;
    server->held_end = &server->held;
    weir_mutex_init(&server->corks.lock);
    weir_mutex_init(&server->lock);
    weir_cond_init(&server->work);
    weir_cond_init(&server->left);
    server->shm_listener = weir_shm_enabled() ? weir_shm_listen(server->shm_name) : -1;
    weir_status status = start(server, options);
    if (status) {
        weir_http_front_destroy(server->http);
        free_server(server);
    } else {
        *out_server = server;
    }
    return status;
}

int weir_rpc_port(const weir_rpc_server *server)
{
    for (int i = 0; i < server->listener_count; i++)
        if (server->listeners[i].port)
            return server->listeners[i].port;
    return 0;
}

void weir_rpc_server_destroy(weir_rpc_server *server)
{
    if (!server)
        return;
    weir_mutex_lock(&server->lock);
    server->closing = true;
    weir_mutex_unlock(&server->lock);
    eventfd_write(server->wake, 1);
    weir_loop_join(&server->loop); /* closes connections, which cancels their calls */
    weir_http_front_destroy(server->http);
    weir_rpc_stop_threads(server);
    free_server(server);
}
