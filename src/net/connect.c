/* net/connect.c - a channel's connection: found, made, watched, lost, made again.
 *
 * A peer that owes answers and is silent is asked for a sign of life, by a call that every gRPC
 * server answers (HTTP/2's PING is not used: gRPC's servers hang up on clients that ping often).
 * Silence is counted in ticks, so a pause of this process itself counts as one.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/blocking.h"
#include "base/clock.h"
#include "base/timer.h"
#include "net/channel_impl.h"

enum {
    FIRST_PAUSE_MS = 20, /* after a failed attempt; doubles each time */
    MAX_PAUSE_MS = 1000,
    CONNECT_MS = 5000, /* for the server to accept and to on_settings */
    READS_AT_ONCE = 8,
    KEEPALIVE_TICKS = 2000 / TICK_MS, /* of silence before the peer is asked */
    DEAD_TICKS = 5000 / TICK_MS,      /* of silence after which it is given up */
};

/* ---- attempts ------------------------------------------------------------------------------- */

static void retry(void *arg)
{
    weir_channel *c = arg;
    pthread_mutex_lock(&c->lock);
    if (c->state == BACKING_OFF && c->waiting.first)
        weir_channel_connect(c);
    weir_channel_unlock(c);
    weir_ref_release(&c->memory);
}

static void post_retry(void *arg)
{
    weir_client_post(retry, arg);
}

/* No address could be reached: |last_error| says why. Calls that wait for the server go on waiting.
 */
static void attempt_failed(weir_channel *c)
{
    weir_client_drop(c);
    if (c->found)
        freeaddrinfo(c->found);
    c->found = c->trying = NULL;
    c->pause_ms = c->pause_ms ? c->pause_ms * 2 : FIRST_PAUSE_MS;
    if (c->pause_ms > MAX_PAUSE_MS)
        c->pause_ms = MAX_PAUSE_MS;
    c->state = BACKING_OFF;
    c->retry_ns = weir_now_ns() + c->pause_ms * 1000000;
    for (call *k = c->waiting.first, *next; k; k = next) {
        next = k->next;
        if (!k->spec.wait_for_ready)
            weir_channel_end(c, &c->waiting, k,
                             weir_error(WEIR_UNAVAILABLE, "%s", c->last_error.at));
    }
    if (c->waiting.first) { /* a tick would do, but later */
        weir_ref_retain(&c->memory);
        weir_timer_add(c->retry_ns, post_retry, c);
    }
}

static void note_error(weir_channel *c, int why)
{
    char host[NI_MAXHOST] = "?", port[NI_MAXSERV] = "?";
    getnameinfo(c->trying->ai_addr, c->trying->ai_addrlen, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    bool v6 = c->trying->ai_family == AF_INET6;
    c->last_error.length = 0;
    weir_buf_addf(
        &c->last_error,
        "failed to connect to all addresses; last error: UNKNOWN: %s:%s%s%s:%s: Failed to "
        "connect to remote host: %s",
        v6 ? "ipv6" : "ipv4", v6 ? "[" : "", host, v6 ? "]" : "", port, strerror(why));
}

/* Begins to connect to |trying|. False, with errno: it cannot be. */
static bool try_address(weir_channel *c)
{
    const struct addrinfo *a = c->trying;
    int fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    struct epoll_event e = {.events = EPOLLIN | EPOLLOUT, .data.ptr = &c->source};
    weir_h2_tune(fd);
    if ((connect(fd, a->ai_addr, a->ai_addrlen) != 0 && errno != EINPROGRESS) ||
        epoll_ctl(weir_client_epoll(), EPOLL_CTL_ADD, fd, &e) != 0) {
        int why = errno;
        close(fd);
        errno = why;
        return false;
    }
    c->h2.fd = fd;
    c->h2.epoll = weir_client_epoll();
    c->state = CONNECTING;
    c->deadline_ns = weir_now_ns() + CONNECT_MS * 1000000LL;
    return true;
}

/* Tries the addresses from |trying| on. */
static void try_addresses(weir_channel *c)
{
    for (; c->trying; c->trying = c->trying->ai_next) {
        if (try_address(c))
            return;
        note_error(c, errno);
    }
    attempt_failed(c);
}

/* The address that was tried is no good. */
static void try_next(weir_channel *c, int why)
{
    note_error(c, why);
    weir_client_drop(c);
    c->trying = c->trying->ai_next;
    try_addresses(c);
}

/* ---- addresses ------------------------------------------------------------------------------ */

static int look_up(const weir_channel *c, int flags, struct addrinfo **out_found)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV};
    return getaddrinfo(c->host, c->port, &hints, out_found);
}

static void resolve_failed(weir_channel *c, const char *why)
{
    c->last_error.length = 0;
    weir_buf_addf(&c->last_error, "DNS resolution failed for %s: %s", c->address, why);
    attempt_failed(c);
}

static void resolved(void *arg)
{
    weir_channel *c = arg;
    pthread_mutex_lock(&c->lock);
    if (c->closed) {
        /* nobody waits any more */
    } else if (c->look_up_error) {
        resolve_failed(c, gai_strerror(c->look_up_error));
    } else {
        c->trying = c->found;
        try_addresses(c);
    }
    weir_channel_unlock(c);
    weir_ref_release(&c->memory);
}

/* Asks the system for names, which may take seconds. */
static void resolve(void *arg)
{
    weir_channel *c = arg;
    struct addrinfo *found = NULL;
    int failed = look_up(c, 0, &found);
    pthread_mutex_lock(&c->lock);
    c->look_up_error = failed;
    c->found = found;
    pthread_mutex_unlock(&c->lock);
    weir_client_post(resolved, c);
}

static void connect_now(void *arg)
{
    weir_channel *c = arg;
    pthread_mutex_lock(&c->lock);
    bool ask = false;
    if (c->closed) {
        /* nobody waits any more */
    } else if (!c->port) {
        resolve_failed(c, "the address has no port");
    } else if (look_up(c, AI_NUMERICHOST, &c->found) == 0) {
        c->trying = c->found;
        try_addresses(c);
    } else {
        ask = true;
    }
    weir_channel_unlock(c);
    if (ask)
        weir_blocking_submit(resolve, c); /* the reference goes with it */
    else
        weir_ref_release(&c->memory);
}

void weir_channel_connect(weir_channel *c)
{
    c->state = RESOLVING;
    weir_ref_retain(&c->memory);
    weir_client_post(connect_now, c);
}

/* ---- a connection --------------------------------------------------------------------------- */

static void begin_handshake(weir_channel *c)
{
    int why = 0, fd = c->h2.fd;
    socklen_t length = sizeof why;
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &length);
    if (why) {
        try_next(c, why);
        return;
    }
    c->state = HANDSHAKE;
    weir_h2_init(&c->h2, false, weir_client_callbacks(), fd, weir_client_epoll(), &c->source);
    c->h2.wants_write = true; /* that is what epoll was told */
    if (!weir_h2_flush(&c->h2))
        try_next(c, errno ? errno : ECONNRESET);
}

static void become_ready(weir_channel *c)
{
    freeaddrinfo(c->found);
    c->found = c->trying = NULL;
    c->state = READY;
    c->pause_ms = 0;
    c->silent_ticks = 0;
    while (c->waiting.first) {
        call *k = c->waiting.first;
        weir_calls_remove(&c->waiting, k);
        weir_calls_add(&c->active, k);
        weir_channel_submit(c, k);
    }
    weir_channel_negotiate(c);
    weir_channel_flush(c, 0);
}

/* The connection is gone: calls on it end, those that wait for one want another. */
static void connection_lost(weir_channel *c, const char *why)
{
    weir_channel_end_all(c, &c->active, weir_error(WEIR_UNAVAILABLE, "%s", why));
    weir_client_drop(c);
    c->state = IDLE;
    if (c->waiting.first)
        weir_channel_connect(c);
}

static const char *reason(void)
{
    return errno == ECONNRESET  ? "recvmsg:Connection reset by peer"
           : errno == ETIMEDOUT ? "recvmsg:Connection timed out"
                                : "Socket closed";
}

/* Reads once. False: no more, or no connection. */
static bool read_some(weir_channel *c)
{
    size_t count;
    bool more, fine = weir_h2_read(&c->h2, weir_client_buffer(), &count, &more);
    int why = errno;
    if (count)
        c->silent_ticks = 0;
    if (fine && c->state == HANDSHAKE && c->settings_came)
        become_ready(c);
    if (fine && !c->goaway)
        return more;
    errno = why;
    if (c->state == HANDSHAKE)
        try_next(c, why ? why : ECONNRESET);
    else
        connection_lost(c, c->goaway ? "GOAWAY received" : reason());
    return false;
}

void weir_channel_event(weir_source *self, unsigned events)
{
    weir_channel *c = WEIR_SOURCE_OWNER(self, weir_channel, source);
    bool more = true;
    pthread_mutex_lock(&c->lock);
    if (c->state == CONNECTING) {
        begin_handshake(c);
        more = false;
    }
    if (more && (events & EPOLLOUT) && c->h2.session) {
        size_t before = c->h2.queued_bytes;
        if (!weir_h2_flush(&c->h2))
            shutdown(c->h2.fd, SHUT_RDWR); /* reading tells why */
        if (c->h2.queued_bytes < before)
            c->silent_ticks = 0; /* who takes bytes is alive */
    }
    for (int i = 0; i < READS_AT_ONCE && more && c->h2.session; i++) {
        more = read_some(c);
        c->corked = true;
        weir_channel_unlock(c); /* others get their turn; what ended and what came is called */
        pthread_mutex_lock(&c->lock);
        c->corked = false;
        if (c->h2.session && c->state == READY)
            weir_channel_flush(c, 0); /* windows, acknowledgements, what was sent meanwhile */
    }
    weir_channel_unlock(c);
}

/* ---- the clock ------------------------------------------------------------------------------ */

static void check_keepalive(weir_channel *c)
{
    c->silent_ticks = c->active.first ? c->silent_ticks + 1 : 0;
    if (c->silent_ticks == KEEPALIVE_TICKS) {
        weir_client_send_keepalive(c);
        weir_channel_flush(c, 0);
    } else if (c->silent_ticks >= DEAD_TICKS) {
        connection_lost(c, "the peer does not answer: keepalive watchdog timeout");
    }
}

static void check_state(weir_channel *c, int64_t now)
{
    switch (c->state) {
    case CONNECTING:
    case HANDSHAKE:
        if (now > c->deadline_ns)
            try_next(c, ETIMEDOUT);
        break;
    case READY:
        weir_channel_end_late(c, now);
        check_keepalive(c);
        break;
    case BACKING_OFF:
        if (now >= c->retry_ns && c->waiting.first)
            weir_channel_connect(c);
        break;
    default:
        break;
    }
}

/* A channel without calls for a whole tick needs no more of them. */
static bool needs_keepalive(weir_channel *c)
{
    bool used = c->was_used || c->active.first || c->waiting.first || c->state == CONNECTING ||
                c->state == HANDSHAKE;
    c->was_used = false;
    c->watched = used;
    return used;
}

void weir_channel_tick(weir_channel *c, int64_t now)
{
    weir_ref_retain(&c->memory);
    pthread_mutex_lock(&c->lock);
    if (!c->closed)
        check_state(c, now);
    bool stays = needs_keepalive(c);
    weir_channel_unlock(c);
    if (!stays)
        weir_client_keepalive_remove(c);
    weir_ref_release(&c->memory);
}
