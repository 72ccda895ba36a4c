/* net/h2.c - bytes between a socket and nghttp2. Large messages are written from where they lie. */
#include "net/h2_impl.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/grpc_impl.h"

enum {
    WINDOW = 1 << 30,               /* flow control is TCP's business */
    MAX_FRAME_BYTES = 4 << 20,      /* accepted */
    MAX_SENT_FRAME_BYTES = 1 << 20, /* so that other streams get their turn */
    MAX_STREAMS = 1 << 16,          /* a client's calls at once */
    COPY_UP_TO = 4096,              /* smaller pieces are staged, larger ones referred to */
    QUEUE_BYTES = 2 << 20,          /* asks nghttp2 for more below this */
    MAX_PIECES = 64,                /* per write */
    DIRECT_READ_BYTES = 16 << 10,   /* fewer bytes are not read to their place directly */
    COALESCE_NS = 20000,            /* who writes again so soon will do so once more ... */
    SMALL = 32 << 10,               /* ... if it is so little */
};

/* ---- the queue of what is to be written ----------------------------------------------------- */

static void stage(weir_h2 *h, const void *bytes, size_t length)
{
    weir_h2_piece *last = h->queue.count > h->written ? &h->queue.at[h->queue.count - 1] : NULL;
    if (last && !last->at && last->offset + last->length == h->staged.length)
        last->length += length;
    else
        weir_vec_push(&h->queue, (weir_h2_piece){NULL, h->staged.length, length, NULL});
    weir_buf_add(&h->staged, bytes, length);
    h->queued_bytes += length;
}

static void refer(weir_h2 *h, weir_str piece, weir_ref *hold)
{
    weir_ref_retain(hold);
    weir_vec_push(&h->queue, (weir_h2_piece){piece.at, 0, piece.length, hold});
    h->queued_bytes += piece.length;
}

static void take_off(weir_h2 *h, size_t bytes)
{
    h->queued_bytes -= bytes;
    while (bytes) {
        weir_h2_piece *p = &h->queue.at[h->written];
        size_t n = bytes < p->length ? bytes : p->length;
        p->at = p->at ? p->at + n : NULL;
        p->offset += n;
        p->length -= n;
        bytes -= n;
        if (p->length)
            return;
        weir_ref_release(p->hold);
        h->written++;
    }
    if (h->written == h->queue.count) {
        h->queue.count = h->written = 0;
        h->staged.length = 0;
    }
}

/* Moves frames from nghttp2 into the queue until there is enough to write. */
static bool pull(weir_h2 *h)
{
    while (h->queued_bytes < QUEUE_BYTES) {
        const uint8_t *bytes;
        ssize_t n = nghttp2_session_mem_send(h->session, &bytes);
        if (n < 0)
            return false;
        if (n == 0)
            return true;
        stage(h, bytes, (size_t)n);
    }
    return true;
}

static ssize_t write_pieces(weir_h2 *h)
{
    struct iovec v[MAX_PIECES];
    int n = 0;
    for (size_t i = h->written; i < h->queue.count && n < MAX_PIECES; i++, n++) {
        weir_h2_piece *p = &h->queue.at[i];
        v[n] = (struct iovec){p->at ? (char *)p->at : h->staged.at + p->offset, p->length};
    }
    struct msghdr m = {.msg_iov = v, .msg_iovlen = (size_t)n};
    return sendmsg(h->fd, &m, MSG_NOSIGNAL);
}

static void watch(weir_h2 *h, bool write)
{
    if (h->wants_write == write)
        return;
    h->wants_write = write;
    struct epoll_event e = {.events = EPOLLIN | (write ? EPOLLOUT : 0), .data.ptr = h->source};
    epoll_ctl(h->epoll, EPOLL_CTL_MOD, h->fd, &e);
}

bool weir_h2_flush(weir_h2 *h)
{
    for (;;) {
        if (!pull(h))
            return false;
        if (!h->queued_bytes)
            break;
        ssize_t sent = write_pieces(h);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno == EAGAIN) {
            watch(h, true);
            return true;
        }
        if (sent <= 0)
            return false;
        take_off(h, (size_t)sent);
        h->flushed_ns = weir_now_ns();
    }
    watch(h, false);
    errno = 0;
    return nghttp2_session_want_read(h->session) || nghttp2_session_want_write(h->session);
}

bool weir_h2_flush_soon(weir_h2 *h, size_t bytes)
{
    if (h->wants_write)
        return true;
    if (bytes > SMALL || weir_now_ns() - h->flushed_ns >= COALESCE_NS)
        return weir_h2_flush(h);
    watch(h, true);
    return true;
}

/* ---- messages into frames ------------------------------------------------------------------- */

nghttp2_nv weir_h2_header(const char *name, weir_str value)
{
    return (nghttp2_nv){(uint8_t *)name, (uint8_t *)value.at, strlen(name), value.length,
                        NGHTTP2_NV_FLAG_NONE};
}

void weir_h2_status_init(weir_h2_status *h, weir_status s)
{
    *h = (weir_h2_status){0};
    snprintf(h->number, sizeof h->number, "%d", weir_status_code(s));
    weir_grpc_escape(s ? weir_status_message(s) : "", &h->text);
    weir_grpc_details(s, &h->details);
    h->nv[h->count++] = weir_h2_header("grpc-status", weir_str_of(h->number));
    if (h->text.length)
        h->nv[h->count++] = weir_h2_header("grpc-message", (weir_str){h->text.at, h->text.length});
    if (h->details.length)
        h->nv[h->count++] =
            weir_h2_header("grpc-status-details-bin", (weir_str){h->details.at, h->details.length});
}

void weir_h2_status_fini(weir_h2_status *h)
{
    weir_buf_fini(&h->text);
    weir_buf_fini(&h->details);
}

static ssize_t plan_body(nghttp2_session *session, int32_t stream, uint8_t *to, size_t room,
                         uint32_t *flags, nghttp2_data_source *source, void *arg)
{
    weir_outgoing *o = source->ptr;
    size_t n = o->total - o->planned < room ? o->total - o->planned : room;
    if (n == 0 && o->open)
        return NGHTTP2_ERR_DEFERRED;
    o->planned += n;
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (o->planned < o->total || o->open)
        return (ssize_t)n;
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (o->answer) {
        *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        weir_h2_status status;
        weir_h2_status_init(&status, o->status);
        nghttp2_submit_trailer(session, stream, status.nv, status.count);
        weir_h2_status_fini(&status);
    }
    return (ssize_t)n;
}

static int queue_body(nghttp2_session *session, nghttp2_frame *frame, const uint8_t *head,
                      size_t length, nghttp2_data_source *source, void *arg)
{
    weir_h2 *h = arg;
    weir_outgoing *o = source->ptr;
    stage(h, head, 9); /* a frame's header */
    for (size_t end = o->sent + length; o->sent < end;) {
        weir_str piece = weir_outgoing_piece(o, o->sent, end - o->sent);
        if (piece.length <= COPY_UP_TO || o->sent >= o->whole) /* what was appended may move */
            stage(h, piece.at, piece.length);
        else
            refer(h, piece, &o->ref);
        o->sent += piece.length;
    }
    return h->queued_bytes < QUEUE_BYTES ? 0 : NGHTTP2_ERR_PAUSE;
}

nghttp2_data_provider weir_h2_body(weir_outgoing *o)
{
    return (nghttp2_data_provider){.source.ptr = o, .read_callback = plan_body};
}

static ssize_t frame_length(nghttp2_session *session, uint8_t type, int32_t stream,
                            int32_t session_window, int32_t stream_window, uint32_t largest_frame,
                            void *arg)
{
    ssize_t n = session_window < stream_window ? session_window : stream_window;
    if (n > (ssize_t)largest_frame)
        n = (ssize_t)largest_frame;
    return n < MAX_SENT_FRAME_BYTES ? n : MAX_SENT_FRAME_BYTES;
}

/* ---- reading -------------------------------------------------------------------------------- */

static int on_begin_frame(nghttp2_session *session, const nghttp2_frame_hd *head, void *arg)
{
    weir_h2 *h = arg;
    bool plain = head->type == NGHTTP2_DATA && !(head->flags & NGHTTP2_FLAG_PADDED);
    h->frame_left = plain ? head->length : 0;
    return 0;
}

void weir_h2_expect(weir_h2 *h, size_t chunk, uint8_t *to, size_t room)
{
    h->frame_left = h->frame_left > chunk ? h->frame_left - chunk : 0;
    h->direct = to;
    h->direct_room = h->frame_left < room ? h->frame_left : room;
    if (h->direct_room < DIRECT_READ_BYTES)
        h->direct_room = 0;
}

static bool feed(weir_h2 *h, const uint8_t *bytes, size_t count)
{
    return !count || nghttp2_session_mem_recv(h->session, bytes, count) == (ssize_t)count;
}

bool weir_h2_read(weir_h2 *h, uint8_t *buffer, size_t *out_count, bool *out_more)
{
    *out_count = 0;
    *out_more = false;
    struct iovec v[] = {{h->direct, h->direct_room}, {buffer, H2_READ_BUFFER}};
    struct msghdr m = {.msg_iov = h->direct_room ? v : v + 1, .msg_iovlen = h->direct_room ? 2 : 1};
    ssize_t n = recvmsg(h->fd, &m, 0);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR;
    errno = 0;
    if (n == 0)
        return false;
    *out_count = (size_t)n;
    *out_more = (size_t)n == h->direct_room + H2_READ_BUFFER;
    size_t first = (size_t)n < h->direct_room ? (size_t)n : h->direct_room;
    const uint8_t *direct = h->direct;
    h->direct_room = 0;
    if (feed(h, direct, first) && feed(h, buffer, (size_t)n - first))
        return true;
    errno = EPROTO;
    return false;
}

/* ---- the connection ------------------------------------------------------------------------- */

/* gRPC's servers announce no bound on streams; nghttp2 would begin with 100. It would also keep as
 * many closed ones as there may be open ones, for priorities that nobody uses. */
static void new_session(weir_h2 *h, bool server, nghttp2_session_callbacks *calls)
{
    nghttp2_option *option;
    nghttp2_option_new(&option);
    nghttp2_option_set_peer_max_concurrent_streams(option, MAX_STREAMS);
    nghttp2_option_set_no_closed_streams(option, 1);
    if (server)
        nghttp2_session_server_new2(&h->session, calls, h, option);
    else
        nghttp2_session_client_new2(&h->session, calls, h, option);
    nghttp2_option_del(option);
}

void weir_h2_init(weir_h2 *h, bool server, nghttp2_session_callbacks *calls, int fd, int epoll,
                  weir_source *source)
{
    h->fd = fd;
    h->epoll = epoll;
    h->source = source;
    nghttp2_session_callbacks_set_send_data_callback(calls, queue_body);
    nghttp2_session_callbacks_set_data_source_read_length_callback(calls, frame_length);
    nghttp2_session_callbacks_set_on_begin_frame_callback(calls, on_begin_frame);
    new_session(h, server, calls);
    nghttp2_session_callbacks_del(calls);
    nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, WINDOW},
        {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, MAX_FRAME_BYTES},
        {server ? NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS : NGHTTP2_SETTINGS_ENABLE_PUSH,
         server ? MAX_STREAMS : 0},
        {WEIR_H2_TAKES_STREAMS, 1}, /* the server's; others do not know it and ignore it */
    };
    nghttp2_submit_settings(h->session, NGHTTP2_FLAG_NONE, settings, server ? 4 : 3);
    nghttp2_session_set_local_window_size(h->session, NGHTTP2_FLAG_NONE, 0, WINDOW);
}

void weir_h2_fini(weir_h2 *h)
{
    nghttp2_session_del(h->session);
    if (h->fd >= 0) {
        epoll_ctl(h->epoll, EPOLL_CTL_DEL, h->fd, NULL); /* a child that was forked keeps it open */
        close(h->fd);
    }
    for (size_t i = h->written; i < h->queue.count; i++)
        weir_ref_release(h->queue.at[i].hold);
    weir_vec_fini(&h->queue);
    weir_buf_fini(&h->staged);
    *h = (weir_h2){.fd = -1};
}

void weir_h2_tune(int fd)
{
    int on = 1, idle = 30, every = 10, times = 3;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}
