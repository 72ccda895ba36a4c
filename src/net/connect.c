/* net/connect.c - a channel's connection: name resolution, connecting, keep-alive, reconnecting.
 *
 * A silent peer with pending calls is sent a keep-alive request, a call that every gRPC server
 * answers. HTTP/2's PING is not used, because gRPC's servers disconnect clients that ping often.
 * Silence is counted in ticks, so that a pause of this process counts as one only.
 */
#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/blocking.h"
#include "base/clock.h"
#include "base/timer.h"
#include "net/access.h"
#include "net/address.h"
#include "net/channel_impl.h"

enum {
    FIRST_PAUSE_MS = 20, /* after a failed attempt; doubles each time */
    MAX_PAUSE_MS = 1000,
    CONNECT_MS = 5000, /* for the server to accept and to send its settings */
    READS_AT_ONCE = 8,
    KEEPALIVE_TICKS = 1500 / TICK_MS, /* of silence before a keep-alive request */
    ALIVE_BYTES = 2048,               /* more than answers to keep-alive requests of that time */
    DEAD_TICKS = 4500 / TICK_MS,      /* of silence after which the connection is closed */
};

/* ---- attempts ------------------------------------------------------------------------------- */

static void retry(void *arg)
{
    weir_channel *channel = arg;
    weir_mutex_lock(&channel->lock);
    if (channel->state == BACKING_OFF && channel->waiting.first)
        weir_channel_connect(channel);
    weir_channel_unlock(channel);
    weir_ref_release(&channel->memory);
}

static void post_retry(void *arg)
{
    weir_client_post(retry, arg);
}

/* No address could be reached: |last_error| has the cause. Calls with wait_for_ready keep
 * waiting. */
static void attempt_failed(weir_channel *channel) WEIR_REQUIRES(channel->lock)
{
    weir_client_drop(channel);
    weir_address_free(channel->found);
    channel->found = channel->trying = NULL;
    channel->pause_ms = channel->pause_ms ? channel->pause_ms * 2 : FIRST_PAUSE_MS;
    if (channel->pause_ms > MAX_PAUSE_MS)
        channel->pause_ms = MAX_PAUSE_MS;
    channel->state = BACKING_OFF;
    channel->retry_ns = weir_now_ns() + channel->pause_ms * 1000000;
    for (channel_call *call = channel->waiting.first, *next; call; call = next) {
        next = call->next;
        if (!call->spec.wait_for_ready || channel->refused)
            weir_channel_end(channel, &channel->waiting, call,
                             weir_error(channel->refused ? WEIR_UNAUTHENTICATED : WEIR_UNAVAILABLE,
                                        "%s", channel->last_error.at));
    }
    channel->refused = false;
    if (channel->waiting.first) { /* before the next tick */
        weir_ref_retain(&channel->memory);
        weir_timer_add(channel->retry_ns, post_retry, channel);
    }
}

static void note_error(weir_channel *channel, int why) WEIR_REQUIRES(channel->lock)
{
    WEIR_BUF(reason);
    WEIR_BUF(where);
    weir_address_describe(channel->trying, &where);
    channel->refused =
        channel->farewell.length || (channel->tls && weir_tls_link_error(channel->tls, &reason));
    weir_buf_add(&reason, channel->farewell.at, channel->farewell.length);
    channel->last_error.length = 0;
    weir_buf_addf(
        &channel->last_error,
        "failed to connect to all addresses; last error: UNKNOWN: %s: Failed to connect to "
        "remote host: %s",
        where.at, reason.length ? reason.at : strerror(why));
}

/* Starts to connect to |trying|. False: failed, see errno. */
static bool try_address(weir_channel *channel) WEIR_REQUIRES(channel->lock)
{
    const struct addrinfo *address = channel->trying;
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = &channel->source};
    weir_h2_tune(fd);
    if ((connect(fd, address->ai_addr, address->ai_addrlen) != 0 && errno != EINPROGRESS) ||
        epoll_ctl(weir_client_epoll(), EPOLL_CTL_ADD, fd, &event) != 0) {
        int why = errno;
        close(fd);
        errno = why;
        return false;
    }
    channel->h2.fd = fd;
    channel->h2.epoll = weir_client_epoll();
    channel->state = CONNECTING;
    channel->deadline_ns = weir_now_ns() + CONNECT_MS * 1000000LL;
    return true;
}

/* Tries the addresses from |trying| on. */
static void try_addresses(weir_channel *channel) WEIR_REQUIRES(channel->lock)
{
    for (; channel->trying; channel->trying = channel->trying->ai_next) {
        if (try_address(channel))
            return;
        note_error(channel, errno);
    }
    attempt_failed(channel);
}

/* The current address failed with errno |why|. */
static void try_next(weir_channel *channel, int why) WEIR_REQUIRES(channel->lock)
{
    note_error(channel, why);
    weir_client_drop(channel);
    channel->trying = channel->trying->ai_next;
    try_addresses(channel);
}

/* ---- addresses ------------------------------------------------------------------------------ */

static void resolve_failed(weir_channel *channel, const char *why) WEIR_REQUIRES(channel->lock)
{
    channel->last_error.length = 0;
    weir_buf_addf(&channel->last_error, "DNS resolution failed for %s: %s", channel->address, why);
    attempt_failed(channel);
}

static void resolved(void *arg)
{
    weir_channel *channel = arg;
    weir_mutex_lock(&channel->lock);
    if (channel->closed) {
        /* no pending calls */
    } else if (channel->look_up_error) {
        resolve_failed(channel, weir_address_error(channel->look_up_error));
    } else {
        channel->trying = channel->found;
        try_addresses(channel);
    }
    weir_channel_unlock(channel);
    weir_ref_release(&channel->memory);
}

/* Resolves the host name, which may take seconds. */
static void resolve(void *arg)
{
    weir_channel *channel = arg;
    struct addrinfo *found = NULL;
    int failed = weir_address_look_up(channel->address, 0, &found);
    weir_mutex_lock(&channel->lock);
    channel->look_up_error = failed;
    channel->found = found;
    weir_mutex_unlock(&channel->lock);
    weir_client_post(resolved, channel);
}

static void connect_now(void *arg)
{
    weir_channel *channel = arg;
    weir_mutex_lock(&channel->lock);
    bool ask = false;
    int failed = 0;
    weir_status bad;
    if (channel->closed) {
        /* no pending calls */
    } else if ((bad = weir_tls_set_up())) {
        channel->last_error.length = 0;
        weir_buf_adds(&channel->last_error, weir_status_message(bad));
        weir_status_free(bad);
        attempt_failed(channel);
    } else if ((failed = weir_address_look_up(channel->address, AI_NUMERICHOST, &channel->found)) ==
               0) {
        channel->trying = channel->found;
        try_addresses(channel);
    } else if (failed == EAI_SERVICE || failed == EAI_OVERFLOW) {
        resolve_failed(channel, weir_address_error(failed));
    } else {
        ask = true;
    }
    weir_channel_unlock(channel);
    if (ask)
        weir_blocking_submit(resolve, channel); /* takes over the reference */
    else
        weir_ref_release(&channel->memory);
}

void weir_channel_connect(weir_channel *channel)
{
    channel->state = RESOLVING;
    weir_ref_retain(&channel->memory);
    weir_client_post(connect_now, channel);
}

/* ---- a connection --------------------------------------------------------------------------- */

/* Passes the socket to a TLS link; the channel gets the plain end. False: failed, see errno. */
static bool encrypt(weir_channel *channel) WEIR_REQUIRES(channel->lock)
{
    int fd = channel->h2.fd;
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = &channel->source};
    epoll_ctl(weir_client_epoll(), EPOLL_CTL_DEL, fd, NULL);
    channel->h2.fd = weir_tls_connect(fd, channel->host, &channel->tls);
    return channel->h2.fd >= 0 &&
           epoll_ctl(weir_client_epoll(), EPOLL_CTL_ADD, channel->h2.fd, &event) == 0;
}

static void begin_handshake(weir_channel *channel) WEIR_REQUIRES(channel->lock)
{
    int why = 0, fd = channel->h2.fd;
    socklen_t length = sizeof why;
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &length);
    bool is_file = channel->trying->ai_family == AF_UNIX;
    if (!why && !is_file && weir_tls_calls() && !encrypt(channel))
        why = errno;
    if (!why && is_file && (weir_tls_calls() || weir_access_has_token()) && !weir_peer_is_self(fd))
        why = EPERM; /* do not send secrets to another user's server */
    if (why) {
        try_next(channel, why);
        return;
    }
    fd = channel->h2.fd;
    channel->state = HANDSHAKE;
    bool made = weir_h2_init(&channel->h2, false, weir_client_callbacks(), fd, weir_client_epoll(),
                             &channel->source);
    channel->h2.wants_write = true; /* epoll already watches for it */
    if (!made || !weir_h2_flush(&channel->h2))
        try_next(channel, errno ? errno : ECONNRESET);
}

static void become_ready(weir_channel *channel) WEIR_REQUIRES(channel->lock)
{
    weir_address_free(channel->found);
    channel->found = channel->trying = NULL;
    channel->state = READY;
    channel->pause_ms = 0;
    channel->silent_ticks = 0;
    while (channel->waiting.first) {
        channel_call *call = channel->waiting.first;
        weir_calls_remove(&channel->waiting, call);
        weir_calls_add(&channel->active, call);
        weir_channel_submit(channel, call);
    }
    weir_channel_negotiate(channel);
    weir_channel_flush(channel, 0);
}

/* The connection was lost: calls that the server may have started fail; for the others, and those
 * that wait for a connection, the channel reconnects. */
static void connection_lost(weir_channel *channel, const char *why) WEIR_REQUIRES(channel->lock)
{
    for (channel_call *call = channel->active.first, *next; call; call = next) {
        next = call->next;
        weir_channel_put_back(channel, call, false);
    }
    weir_channel_end_all(channel, &channel->active, weir_error(WEIR_UNAVAILABLE, "%s", why));
    weir_client_drop(channel);
    channel->state = IDLE;
    if (channel->waiting.first)
        weir_channel_connect(channel);
}

static const char *reason_of_loss(void)
{
    return errno == ECONNRESET  ? "recvmsg:Connection reset by peer"
           : errno == ETIMEDOUT ? "recvmsg:Connection timed out"
                                : "Socket closed";
}

/* After a frame with a corrupted length, all bytes are lost in a frame that never ends, but the
 * peer still answers keep-alive requests: so few bytes without a frame do not count as life. */
static void show_life(weir_channel *channel) WEIR_REQUIRES(channel->lock)
{
    channel->silent_ticks = 0;
    channel->unframed_bytes = 0;
}

/* Reads once. False: nothing more to read, or no connection. */
static bool read_some(weir_channel *channel, uint8_t *buffer) WEIR_REQUIRES(channel->lock)
{
    size_t count;
    bool more, fine = weir_h2_read(&channel->h2, buffer, &count, &more);
    int why = errno;
    channel->unframed_bytes += count;
    if (channel->unframed_bytes >= ALIVE_BYTES)
        show_life(channel);
    if (fine && channel->state == HANDSHAKE && channel->settings_received && !channel->goaway)
        become_ready(channel);
    if (fine && !channel->goaway)
        return more;
    errno = why;
    if (channel->state == HANDSHAKE)
        try_next(channel, why ? why : ECONNRESET);
    else
        connection_lost(channel, !channel->goaway           ? reason_of_loss()
                                 : channel->farewell.length ? channel->farewell.at
                                                            : "GOAWAY received");
    return false;
}

void weir_channel_read(weir_channel *channel, uint8_t *buffer)
{
    bool more = true;
    for (int i = 0; i < READS_AT_ONCE && more && channel->h2.session; i++) {
        more = read_some(channel, buffer);
        channel->corked = true;
        weir_channel_unlock(
            channel); /* lets other threads run; calls back ended calls and received messages */
        weir_mutex_lock(&channel->lock);
        channel->corked = false;
        weir_channel_flush_now(
            channel); /* window updates, acknowledgements, frames submitted meanwhile */
    }
}

/* Another thread may be reading; the client I/O thread's events do not wake it. */
static void read_if_none_does(weir_channel *channel, unsigned events) WEIR_REQUIRES(channel->lock)
{
    if (channel->receiver) {
        channel->end_told |= (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
        return;
    }
    if (channel->h2.session)
        weir_h2_read_elsewhere(&channel->h2, false);
    channel->is_read = true;
    weir_channel_read(channel, weir_client_buffer());
    channel->is_read = false;
}

void weir_channel_event(weir_source *self, unsigned events)
{
    weir_channel *channel = WEIR_SOURCE_OWNER(self, weir_channel, source);
    bool more = true;
    weir_mutex_lock(&channel->lock);
    if (channel->state == CONNECTING) {
        begin_handshake(channel);
        more = false;
    }
    if (more && (events & EPOLLOUT) && channel->h2.session) {
        size_t before = channel->h2.queued_bytes;
        if (!weir_h2_flush(&channel->h2))
            shutdown(channel->h2.fd, SHUT_RDWR); /* the reader reports the cause */
        if (channel->h2.queued_bytes < before)
            channel->silent_ticks = 0; /* a peer that accepts bytes is alive */
    }
    if (more)
        read_if_none_does(channel, events);
    weir_channel_unlock(channel);
}

/* ---- keep-alive ----------------------------------------------------------------------------- */

static void check_keepalive(weir_channel *channel) WEIR_REQUIRES(channel->lock)
{
    channel->silent_ticks = channel->active.first ? channel->silent_ticks + 1 : 0;
    if (channel->silent_ticks == KEEPALIVE_TICKS) {
        weir_client_send_keepalive(channel);
        weir_channel_flush(channel, 0);
    } else if (channel->silent_ticks >= DEAD_TICKS) {
        connection_lost(channel, "the peer does not answer: keepalive watchdog timeout");
    }
}

static void check_state(weir_channel *channel, int64_t now) WEIR_REQUIRES(channel->lock)
{
    switch (channel->state) {
    case CONNECTING:
    case HANDSHAKE:
        if (now > channel->deadline_ns)
            try_next(channel, ETIMEDOUT);
        break;
    case READY:
        if (!channel->receiver)
            weir_h2_read_elsewhere(&channel->h2, false);
        weir_channel_end_late(channel, now);
        check_keepalive(channel);
        break;
    case BACKING_OFF:
        if (now >= channel->retry_ns && channel->waiting.first)
            weir_channel_connect(channel);
        break;
    default:
        break;
    }
}

/* A channel without calls for a whole tick needs no ticks. */
static bool needs_keepalive(weir_channel *channel) WEIR_REQUIRES(channel->lock)
{
    bool used = channel->was_used || channel->active.first || channel->waiting.first ||
                channel->state == CONNECTING || channel->state == HANDSHAKE;
    channel->was_used = false;
    channel->keepalive = used;
    return used;
}

void weir_channel_tick(weir_channel *channel, int64_t now)
{
    weir_ref_retain(&channel->memory);
    weir_mutex_lock(&channel->lock);
    if (!channel->closed)
        check_state(channel, now);
    bool stays = needs_keepalive(channel);
    weir_channel_unlock(channel);
    if (!stays)
        weir_client_keepalive_remove(channel);
    weir_ref_release(&channel->memory);
}
