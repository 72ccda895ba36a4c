/* net/http_front.c - connections of HTTP/1.1 on a thread of their own.
 *
 * The thread reads heads, passes requests to threads that may block, and writes answers and streams
 * as the sockets accept them. Every connection has limits: on the time for its head, on the time
 * without progress while bytes are pending, and on the number of pending bytes.
 */
#include "net/http_front_impl.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/blocking.h"
#include "base/clock.h"
#include "base/sockaddr.h"
#include "net/address.h"

enum {
    MAX_CONNECTIONS = 64,
    HEAD_MS = 5000,         /* from the first byte of a head to its last */
    STALL_MS = 5000,        /* without progress while bytes are pending */
    IDLE_MS = 60000,        /* between requests */
    STREAM_MS = 500,        /* between events of a stream */
    STREAM_BYTES = 1 << 18, /* pending bytes of a stream; above, it is closed */
    SEND_BYTES = 1 << 17,   /* socket send buffer */
    TICK_MS = 100,
};

typedef struct http_connection {
    weir_http_front *front;
    int fd;
    weir_http_parser parser;
    weir_http_request request;
    weir_http_reply reply;
    weir_buf pending; /* read after the request that is being answered */
    weir_buf out;
    size_t written;
    int64_t since_ns; /* time of the last progress */
    int64_t next_ns, cursor;
    bool answering, streaming, closing, dead;
} http_connection;

struct weir_http_front {
    weir_http_site site;
    int wake;
    pthread_t thread;
    weir_mutex lock;
    weir_cond quiet;
    bool started WEIR_GUARDED_BY(lock), over WEIR_GUARDED_BY(lock);
    int answering WEIR_GUARDED_BY(lock);
    WEIR_VEC(int) arrived WEIR_GUARDED_BY(lock);
    WEIR_VEC(http_connection *) answered WEIR_GUARDED_BY(lock);
    WEIR_VEC(http_connection *) connections; /* the thread's */
};

/* ---- answers ----------------------------------------------------------------------------------
 */

/* Whether a Host header, with or without a port, names this machine. */
static bool is_loopback(weir_str host)
{
    const char *end = host.length ? memrchr(host.at, ':', host.length) : NULL;
    if (end && !memchr(end, ']', host.length - (size_t)(end - host.at)))
        host.length = (size_t)(end - host.at);
    if (host.length > 2 && *host.at == '[' && host.at[host.length - 1] == ']')
        host = (weir_str){host.at + 1, host.length - 2};
    return weir_host_is_loopback(host);
}

static bool reached_by_loopback(int fd)
{
    weir_sockaddr own;
    return weir_sockaddr_own(fd, &own) && weir_sockaddr_is_loopback(&own);
}

/* Appends the head of an answer; forbids other sites to read or frame it. */
static void put_head(http_connection *connection, const weir_http_reply *reply)
{
    weir_buf *out = &connection->out;
    int status = reply->status ? reply->status : 200;
    weir_buf_addf(out,
                  "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nCache-Control: no-store\r\n"
                  "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
                  "Referrer-Policy: no-referrer\r\nContent-Security-Policy: %s",
                  status, weir_http_reason(status),
                  reply->type ? reply->type : "text/plain; charset=utf-8",
                  reply->policy ? reply->policy : "default-src 'none'; frame-ancestors 'none'");
    weir_buf_addf(out, reply->nonce[0] ? " 'nonce-%s'\r\n" : "%s\r\n", reply->nonce);
    if (!reply->stream)
        weir_buf_addf(out, "Content-Length: %zu\r\n", reply->body.length);
    if (status == 405)
        weir_buf_adds(out, "Allow: GET, HEAD\r\n");
    weir_buf_addf(out, "Connection: %s\r\n\r\n", connection->closing ? "close" : "keep-alive");
}

static void put_answer(http_connection *connection)
{
    weir_http_reply *reply = &connection->reply;
    connection->streaming = reply->stream;
    connection->closing |= reply->stream || !connection->request.keep_alive;
    put_head(connection, reply);
    if (!weir_str_is(connection->request.method, "HEAD"))
        weir_buf_add(&connection->out, reply->body.at, reply->body.length);
    weir_buf_fini(&reply->body);
    *reply = (weir_http_reply){0};
    connection->since_ns = weir_now_ns();
    weir_http_next(&connection->parser);
}

static void put_error(http_connection *connection, int status)
{
    connection->closing = true;
    connection->request = (weir_http_request){0};
    connection->reply = (weir_http_reply){.status = status};
    weir_buf_addf(&connection->reply.body, "%d %s\n", status, weir_http_reason(status));
    put_answer(connection);
}

static void answer(void *arg)
{
    http_connection *connection = arg;
    weir_http_front *front = connection->front;
    front->site.answer(front->site.ctx, &connection->request, &connection->reply);
    weir_mutex_lock(&front->lock);
    weir_vec_push(&front->answered, connection);
    eventfd_write(front->wake, 1);
    if (--front->answering == 0)
        weir_cond_broadcast(&front->quiet);
    weir_mutex_unlock(&front->lock);
}

static void ask(http_connection *connection)
{
    weir_http_front *front = connection->front;
    if (reached_by_loopback(connection->fd) && connection->request.host.at &&
        !is_loopback(connection->request.host)) { /* a page whose name was rebound to this host */
        put_error(connection, 403);
        return;
    }
    connection->answering = true;
    weir_mutex_lock(&front->lock);
    front->answering++;
    weir_mutex_unlock(&front->lock);
    weir_blocking_submit(answer, connection);
}

/* ---- bytes ------------------------------------------------------------------------------------
 */

static void take_bytes(http_connection *connection, const char *bytes, size_t count)
{
    size_t used;
    int status = 0;
    if (!connection->parser.head.length)
        connection->since_ns = weir_now_ns();
    weir_http_state state =
        weir_http_feed(&connection->parser, bytes, count, &used, &connection->request, &status);
    if (state == WEIR_HTTP_BAD)
        put_error(connection, status);
    else if (state == WEIR_HTTP_WHOLE)
        ask(connection);
    if (state == WEIR_HTTP_WHOLE && used < count)
        weir_buf_add(&connection->pending, bytes + used, count - used);
}

/* Parses the bytes after the request that has now been answered. */
static void take_pending(http_connection *connection)
{
    WEIR_BUF(pending);
    pending = connection->pending;
    connection->pending = (weir_buf){0};
    if (pending.length && !connection->closing)
        take_bytes(connection, pending.at, pending.length);
}

static void read_bytes(http_connection *connection)
{
    char bytes[4096];
    ssize_t count = recv(connection->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0 || connection->pending.length > WEIR_HTTP_HEAD_BYTES)
        connection->dead = true;
    else if (connection->answering || connection->out.length)
        weir_buf_add(&connection->pending, bytes, (size_t)count);
    else if (!connection->closing)
        take_bytes(connection, bytes, (size_t)count);
}

static void write_bytes(http_connection *connection)
{
    weir_buf *out = &connection->out;
    ssize_t count = send(connection->fd, out->at + connection->written,
                         out->length - connection->written, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN && errno != EINTR)
        connection->dead = true;
    if (count <= 0)
        return;
    connection->written += (size_t)count;
    connection->since_ns = weir_now_ns();
    if (connection->written < out->length)
        return;
    weir_buf_fini(out);
    connection->written = 0;
    if (connection->closing && !connection->streaming)
        connection->dead = true;
    else
        take_pending(connection);
}

/* Closes a connection with a stuck reader, and discards the system's pending bytes. */
static void drop(http_connection *connection)
{
    setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1},
               sizeof(struct linger));
    connection->dead = true;
}

static void stream_more(http_connection *connection, int64_t now)
{
    const weir_http_site *site = &connection->front->site;
    if (!connection->streaming || now < connection->next_ns)
        return;
    connection->next_ns = now + STREAM_MS * 1000000LL;
    if (connection->out.length - connection->written > STREAM_BYTES)
        drop(connection);
    else
        site->next(site->ctx, &connection->cursor, &connection->out);
}

static void check_time(http_connection *connection, int64_t now)
{
    int64_t quiet_ms = (now - connection->since_ns) / 1000000;
    bool writing = connection->out.length > 0;
    int64_t limit = writing ? STALL_MS : connection->parser.head.length ? HEAD_MS : IDLE_MS;
    if (!connection->answering && (writing || !connection->streaming) && quiet_ms > limit)
        drop(connection);
}

/* ---- the thread -------------------------------------------------------------------------------
 */

static void free_connection(http_connection *connection)
{
    close(connection->fd);
    weir_http_parser_fini(&connection->parser);
    weir_buf_fini(&connection->pending);
    weir_buf_fini(&connection->out);
    weir_buf_fini(&connection->reply.body);
    weir_free(connection);
}

/* Frees closed connections, unless a thread still answers them. */
static void drop_dead(weir_http_front *front)
{
    size_t kept = 0;
    for (size_t i = 0; i < front->connections.count; i++) {
        http_connection *connection = front->connections.at[i];
        if (connection->dead && !connection->answering)
            free_connection(connection);
        else
            front->connections.at[kept++] = connection;
    }
    front->connections.count = kept;
}

/* Makes room for one more by closing the longest idle one. False: none is idle. */
static bool make_room(weir_http_front *front)
{
    http_connection *oldest = NULL;
    if (front->connections.count < MAX_CONNECTIONS)
        return true;
    for (size_t i = 0; i < front->connections.count; i++) {
        http_connection *connection = front->connections.at[i];
        bool idle = !connection->answering && !connection->out.length && !connection->streaming;
        if (idle && (!oldest || connection->since_ns < oldest->since_ns))
            oldest = connection;
    }
    if (oldest)
        oldest->dead = true;
    drop_dead(front);
    return oldest != NULL;
}

static void add_connection(weir_http_front *front, int fd)
{
    if (!make_room(front)) {
        close(fd);
        return;
    }
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){SEND_BYTES}, sizeof(int));
    http_connection *connection = WEIR_NEW(http_connection);
    connection->front = front;
    connection->fd = fd;
    connection->since_ns = weir_now_ns();
    weir_vec_push(&front->connections, connection);
    read_bytes(connection);
}

/* Takes over the other threads' results; false when the thread is to exit. */
static bool take_news(weir_http_front *front)
{
    weir_mutex_lock(&front->lock);
    __typeof__(front->arrived) arrived = front->arrived;
    __typeof__(front->answered) answered = front->answered;
    front->arrived = (__typeof__(front->arrived)){0};
    front->answered = (__typeof__(front->answered)){0};
    bool over = front->over;
    weir_mutex_unlock(&front->lock);
    for (size_t i = 0; i < answered.count; i++) {
        answered.at[i]->answering = false;
        put_answer(answered.at[i]);
    }
    for (size_t i = 0; i < arrived.count; i++)
        add_connection(front, arrived.at[i]);
    weir_vec_fini(&arrived);
    weir_vec_fini(&answered);
    return !over;
}

static int poll_all(weir_http_front *front, struct pollfd *polled)
{
    polled[0] = (struct pollfd){.fd = front->wake, .events = POLLIN};
    int count = 1;
    bool timed = false;
    for (size_t i = 0; i < front->connections.count; i++) {
        const http_connection *connection = front->connections.at[i];
        bool full = connection->pending.length > WEIR_HTTP_HEAD_BYTES;
        short events = (short)((connection->out.length ? POLLOUT : 0) | (full ? 0 : POLLIN));
        polled[count++] =
            (struct pollfd){.fd = connection->dead ? -1 : connection->fd, .events = events};
        timed = true;
    }
    poll(polled, (nfds_t)count, timed ? TICK_MS : -1);
    return count;
}

static void serve_all(weir_http_front *front, const struct pollfd *polled, int count)
{
    int64_t now = weir_now_ns();
    for (int i = 1; i < count; i++) {
        http_connection *connection = front->connections.at[i - 1];
        if (polled[i].revents & (POLLIN | POLLHUP | POLLERR))
            read_bytes(connection);
        if (!connection->dead && connection->out.length)
            write_bytes(connection);
        stream_more(connection, now);
        check_time(connection, now);
    }
}

static void *serve(void *arg)
{
    weir_http_front *front = arg;
    struct pollfd polled[MAX_CONNECTIONS + 1];
    while (take_news(front)) {
        int count = poll_all(front, polled);
        eventfd_t woken;
        if (polled[0].revents)
            eventfd_read(front->wake, &woken);
        serve_all(front, polled, count);
        drop_dead(front);
    }
    return NULL;
}

/* ---- the front --------------------------------------------------------------------------------
 */

weir_http_front *weir_http_front_create(const weir_http_site *site)
{
    weir_http_front *front = WEIR_NEW(weir_http_front);
    front->site = *site;
    front->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    weir_mutex_init(&front->lock);
    weir_cond_init(&front->quiet);
    return front;
}

static bool start_thread(weir_http_front *front) WEIR_REQUIRES(front->lock)
{
    sigset_t all, old;
    sigfillset(&all); /* other threads handle signals */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    front->started = pthread_create(&front->thread, NULL, serve, front) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return front->started;
}

void weir_http_front_add(weir_http_front *front, int fd)
{
    weir_mutex_lock(&front->lock);
    bool taken = (front->started || start_thread(front)) && front->arrived.count < MAX_CONNECTIONS;
    if (taken)
        weir_vec_push(&front->arrived, fd);
    weir_mutex_unlock(&front->lock);
    if (taken)
        eventfd_write(front->wake, 1);
    else
        close(fd);
}

void weir_http_front_destroy(weir_http_front *front)
{
    if (!front)
        return;
    weir_mutex_lock(&front->lock);
    front->over = true;
    bool started = front->started;
    weir_mutex_unlock(&front->lock);
    eventfd_write(front->wake, 1);
    if (started)
        pthread_join(front->thread, NULL);
    weir_mutex_lock(&front->lock);
    while (front->answering)
        weir_cond_wait(&front->quiet, &front->lock);
    weir_mutex_unlock(&front->lock);
    for (size_t i = 0; i < front->connections.count; i++)
        free_connection(front->connections.at[i]);
    for (size_t i = 0; i < front->arrived.count; i++)
        close(front->arrived.at[i]);
    weir_vec_fini(&front->connections);
    weir_vec_fini(&front->arrived);
    weir_vec_fini(&front->answered);
    close(front->wake);
    weir_cond_fini(&front->quiet);
    weir_mutex_fini(&front->lock);
    weir_free(front);
}
