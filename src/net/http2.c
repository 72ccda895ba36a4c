/* net/http2.c - connections: nghttp2 between sockets and calls, on one thread.
 *
 * The loop's thread owns every connection and stream. Other threads reach it through the list of
 * answers and the wake-up descriptor.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/rpc_impl.h"

typedef struct connection connection;
struct connection {
    connection *next, *prev;
    weir_rpc_server *server;
    int fd;
    nghttp2_session *session;
    const uint8_t *out; /* what nghttp2 wants sent and the socket did not take yet */
    size_t out_length;
    bool wants_write;
};

enum { WINDOW = 1 << 30, LARGEST_FRAME = 1 << 20, READ_BUFFER = 1 << 18 };

/* ---- headers -------------------------------------------------------------------------------- */

static nghttp2_nv header(const char *name, const char *value)
{
    return (nghttp2_nv){(uint8_t *)name, (uint8_t *)value, strlen(name), strlen(value),
                        NGHTTP2_NV_FLAG_NONE};
}

/* "5010m": a number and a unit, in milliseconds. */
static int64_t parse_timeout(const uint8_t *s, size_t length)
{
    int64_t v = 0;
    size_t i = 0;
    for (; i < length && i < 8 && s[i] >= '0' && s[i] <= '9'; i++)
        v = v * 10 + (s[i] - '0');
    if (i >= length)
        return 0;
    switch (s[i]) {
    case 'H':
        return v * 3600000;
    case 'M':
        return v * 60000;
    case 'S':
        return v * 1000;
    case 'm':
        return v ? v : 1;
    case 'u':
        return v / 1000 + 1;
    default:
        return v / 1000000 + 1;
    }
}

/* grpc-message: bytes outside the printable ASCII, and '%', as %XX. */
static void percent(const char *s, weir_buf *out)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c >= ' ' && c < 0x7f && c != '%')
            weir_buf_addc(out, (char)c);
        else
            weir_buf_addf(out, "%%%02X", c);
    }
    weir_buf_add(out, "", 0);
}

/* ---- answers -------------------------------------------------------------------------------- */

static void submit_status(connection *c, int32_t stream, int code, const char *message)
{
    char number[12];
    snprintf(number, sizeof number, "%d", code);
    weir_buf text = {0};
    percent(message, &text);
    nghttp2_nv nv[] = {header(":status", "200"), header("content-type", "application/grpc"),
                       header("grpc-status", number), header("grpc-message", text.at)};
    nghttp2_submit_response(c->session, stream, nv, *message ? 4 : 3, NULL);
    weir_buf_fini(&text);
}

static ssize_t read_answer(nghttp2_session *session, int32_t stream, uint8_t *to, size_t room,
                           uint32_t *flags, nghttp2_data_source *source, void *arg)
{
    weir_rpc *call = source->ptr;
    size_t total = GRPC_PREFIX + call->answer.length, n = 0;
    for (; call->sent < GRPC_PREFIX && n < room; n++)
        to[n] = call->prefix[call->sent++];
    size_t rest = total - call->sent;
    if (rest > room - n)
        rest = room - n;
    if (rest)
        memcpy(to + n, call->answer.at + call->sent - GRPC_PREFIX, rest);
    call->sent += rest;
    n += rest;
    if (call->sent == total) {
        *flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
        nghttp2_nv nv[] = {header("grpc-status", "0")};
        nghttp2_submit_trailer(session, stream, nv, 1);
    }
    return (ssize_t)n;
}

static void submit_answer(weir_rpc *call)
{
    connection *c = call->conn;
    if (!c)
        return; /* the caller has gone */
    if (call->status) {
        submit_status(c, call->stream, weir_status_code(call->status),
                      weir_status_message(call->status));
        return;
    }
    nghttp2_nv nv[] = {header(":status", "200"), header("content-type", "application/grpc"),
                       header("grpc-accept-encoding", "identity")};
    nghttp2_data_provider body = {.source.ptr = call, .read_callback = read_answer};
    nghttp2_submit_response(c->session, call->stream, nv, 3, &body);
}

void weir_rpc_post_answer(weir_rpc *call)
{
    weir_rpc_server *s = call->server;
    pthread_mutex_lock(&s->lock);
    weir_vec_push(&s->answers, call);
    pthread_mutex_unlock(&s->lock);
    uint64_t one = 1;
    if (write(s->wake, &one, sizeof one) < 0)
        return; /* the counter is full: the loop is awake anyway */
}

/* ---- nghttp2's callbacks -------------------------------------------------------------------- */

static weir_rpc *call_of(nghttp2_session *session, int32_t stream)
{
    return nghttp2_session_get_stream_user_data(session, stream);
}

static int on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *arg)
{
    connection *c = arg;
    if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST)
        return 0;
    weir_rpc *call = weir_rpc_create(c->server, frame->hd.stream_id);
    call->conn = c;
    nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, call);
    return 0;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                     size_t name_length, const uint8_t *value, size_t value_length, uint8_t flags,
                     void *arg)
{
    weir_rpc *call = call_of(session, frame->hd.stream_id);
    weir_str key = {(const char *)name, name_length};
    if (!call)
        return 0;
    if (weir_str_is(key, ":path"))
        weir_buf_add(&call->path, value, value_length);
    else if (weir_str_is(key, "grpc-timeout"))
        call->timeout_ms = parse_timeout(value, value_length);
    return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *data,
                   size_t length, void *arg)
{
    weir_rpc *call = call_of(session, stream);
    if (!call)
        return 0;
    if (call->body.length + length > (size_t)LARGEST_MESSAGE + GRPC_PREFIX)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    weir_buf_add(&call->body, data, length);
    return 0;
}

/* A whole message has come: one uncompressed gRPC frame. */
static void receive(connection *c, weir_rpc *call)
{
    call->dispatched = true;
    call->method = weir_rpc_find(c->server, (weir_str){call->path.at, call->path.length});
    if (!call->method) {
        submit_status(c, call->stream, WEIR_UNIMPLEMENTED, "");
        return;
    }
    const uint8_t *b = (const uint8_t *)call->body.at;
    size_t length = call->body.length;
    bool whole = length >= GRPC_PREFIX && b[0] == 0 &&
                 ((size_t)b[1] << 24 | (size_t)b[2] << 16 | (size_t)b[3] << 8 | b[4]) ==
                     length - GRPC_PREFIX;
    if (!whole) {
        submit_status(c, call->stream, WEIR_INTERNAL, "Unable to parse request");
        return;
    }
    weir_rpc_dispatch(call);
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *arg)
{
    bool end = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    bool of_request = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    weir_rpc *call = end && of_request ? call_of(session, frame->hd.stream_id) : NULL;
    if (call && !call->dispatched)
        receive(arg, call);
    return 0;
}

static int on_stream_close(nghttp2_session *session, int32_t stream, uint32_t code, void *arg)
{
    weir_rpc *call = call_of(session, stream);
    if (!call)
        return 0;
    call->conn = NULL;
    if (code != NGHTTP2_NO_ERROR)
        weir_cancel_fire(call->cancel, weir_error(WEIR_CANCELLED, "The caller cancelled the call"));
    weir_ref_release(&call->ref);
    return 0;
}

static ssize_t data_length(nghttp2_session *session, uint8_t type, int32_t stream,
                           int32_t session_window, int32_t stream_window, uint32_t largest_frame,
                           void *arg)
{
    ssize_t n = session_window < stream_window ? session_window : stream_window;
    return n < (ssize_t)largest_frame ? n : (ssize_t)largest_frame;
}

static nghttp2_session *new_session(connection *c)
{
    nghttp2_session_callbacks *calls;
    nghttp2_session_callbacks_new(&calls);
    nghttp2_session_callbacks_set_on_begin_headers_callback(calls, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback(calls, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(calls, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(calls, on_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(calls, on_stream_close);
    nghttp2_session_callbacks_set_data_source_read_length_callback(calls, data_length);
    nghttp2_session *session = NULL;
    nghttp2_session_server_new(&session, calls, c);
    nghttp2_session_callbacks_del(calls);
    nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, WINDOW},
        {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, LARGEST_FRAME},
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, MOST_THREADS},
    };
    nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings, 3);
    nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, WINDOW);
    return session;
}

/* ---- connections ---------------------------------------------------------------------------- */

static void forget_stream(weir_rpc *call)
{
    call->conn = NULL;
    weir_cancel_fire(call->cancel, weir_error(WEIR_CANCELLED, "The caller went away"));
}

/* nghttp2 frees open streams without a word: their calls are let go here first. */
static void close_streams(connection *c)
{
    for (int32_t id = 1; id <= nghttp2_session_get_last_proc_stream_id(c->session); id += 2) {
        weir_rpc *call = call_of(c->session, id);
        if (!call)
            continue;
        nghttp2_session_set_stream_user_data(c->session, id, NULL);
        forget_stream(call);
        weir_ref_release(&call->ref);
    }
}

static void close_connection(connection *c)
{
    close_streams(c);
    nghttp2_session_del(c->session);
    close(c->fd);
    c->prev->next = c->next;
    c->next->prev = c->prev;
    weir_free(c);
}

static void watch(connection *c, bool write)
{
    if (c->wants_write == write)
        return;
    c->wants_write = write;
    struct epoll_event e = {.events = EPOLLIN | (write ? EPOLLOUT : 0), .data.ptr = c};
    epoll_ctl(c->server->epoll, EPOLL_CTL_MOD, c->fd, &e);
}

/* Sends what there is to send. False: the connection is over. */
static bool flush(connection *c)
{
    for (;;) {
        if (!c->out_length) {
            ssize_t n = nghttp2_session_mem_send(c->session, &c->out);
            if (n < 0)
                return false;
            if (n == 0)
                break;
            c->out_length = (size_t)n;
        }
        ssize_t sent = send(c->fd, c->out, c->out_length, MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) {
            watch(c, true);
            return true;
        }
        if (sent <= 0)
            return false;
        c->out += sent;
        c->out_length -= (size_t)sent;
    }
    watch(c, false);
    return nghttp2_session_want_read(c->session) || nghttp2_session_want_write(c->session);
}

static bool receive_bytes(connection *c)
{
    static uint8_t buffer[READ_BUFFER]; /* the loop's thread is the only one here */
    for (;;) {
        ssize_t n = recv(c->fd, buffer, sizeof buffer, 0);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        if (n == 0 || nghttp2_session_mem_recv(c->session, buffer, (size_t)n) != n)
            return false;
    }
}

static void accept_all(weir_rpc_server *s)
{
    int fd;
    while ((fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        connection *c = WEIR_NEW(connection);
        c->server = s;
        c->fd = fd;
        c->session = new_session(c);
        c->next = s->connections->next;
        c->prev = s->connections;
        c->next->prev = c;
        s->connections->next = c;
        struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
        if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &e) != 0 || !flush(c))
            close_connection(c);
    }
}

/* ---- the loop ------------------------------------------------------------------------------- */

static void send_answers(weir_rpc_server *s)
{
    uint64_t count;
    if (read(s->wake, &count, sizeof count) < 0)
        return;
    pthread_mutex_lock(&s->lock);
    weir_rpc **list = s->answers.at;
    size_t n = s->answers.count;
    s->answers.at = NULL;
    s->answers.count = s->answers.room = 0;
    pthread_mutex_unlock(&s->lock);
    for (size_t i = 0; i < n; i++) {
        connection *c = list[i]->conn;
        submit_answer(list[i]);
        if (c && !flush(c))
            close_connection(c);
        weir_ref_release(&list[i]->ref);
    }
    weir_free(list);
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
    while (!closing(s)) {
        int n = epoll_wait(s->epoll, events, 64, -1);
        for (int i = 0; i < n; i++) {
            connection *c = events[i].data.ptr;
            if (events[i].data.ptr == s) {
                accept_all(s);
            } else if (events[i].data.ptr == &s->wake) {
                send_answers(s);
            } else {
                bool fine =
                    !(events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) || receive_bytes(c);
                if (!fine || !flush(c)) {
                    close_connection(c);
                    break; /* later events may name what was just closed */
                }
            }
        }
    }
    while (s->connections->next != s->connections)
        close_connection(s->connections->next);
    return NULL;
}

/* ---- the server ----------------------------------------------------------------------------- */

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
    s->connections = WEIR_NEW(connection); /* the ring's head */
    s->connections->next = s->connections->prev = s->connections;
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
    uint64_t one = 1;
    if (write(s->wake, &one, sizeof one) < 0) {
        /* full: the loop is awake */
    }
    pthread_join(s->loop, NULL); /* closes connections, which cancels their calls */
    weir_rpc_stop_threads(s);
    for (size_t i = 0; i < s->answers.count; i++)
        weir_ref_release(&s->answers.at[i]->ref);
    weir_vec_fini(&s->answers);
    weir_vec_fini(&s->waiting);
    close(s->listener);
    close(s->wake);
    close(s->epoll);
    weir_free(s->connections);
    pthread_cond_destroy(&s->left);
    pthread_cond_destroy(&s->work);
    pthread_mutex_destroy(&s->lock);
    weir_free(s);
}
