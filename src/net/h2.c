/* net/h2.c - bytes between a socket and nghttp2. Large messages are written without a copy. */
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
#include "net/channel.h"
#include "net/grpc_impl.h"
#include "net/limits.h"

enum {
    WINDOW = 1 << 30,               /* flow control is left to TCP */
    MAX_FRAME_BYTES = 4 << 20,      /* accepted */
    MAX_SENT_FRAME_BYTES = 1 << 20, /* so that streams share the connection */
    COPY_UP_TO = 4096,              /* smaller pieces are copied, larger ones referenced */
    QUEUE_BYTES = 2 << 20,          /* below this, more frames are fetched from nghttp2 */
    MAX_PIECES = 64,                /* per write */
    KEPT_PIECES = 64,               /* minimum number of written ones to discard at once */
    KEPT_BYTES = 64 << 10,          /* staged and written bytes, likewise */
    DIRECT_READ_BYTES = 16 << 10,   /* smaller reads use the buffer */
    BEHIND_DIRECT = 1 << 10,        /* read into the buffer after a direct read, and copied */
    LINE_FROM = 64 << 10,           /* minimum size of messages that are sent one after another */
    LINE_WINDOW = 16 << 20,         /* of streams, so large that a peer's window never blocks one */
    COALESCE_NS = 20000, /* a write so soon after the last one is left to the I/O thread, ... */
    COALESCE_BYTES = 32 << 10, /* ... if it is that small */
};

/* ---- messages of streams ------------------------------------------------------------------------
 */

static atomic_size_t message_wish = WEIR_H2_MESSAGE_LIMIT;

size_t weir_h2_message_wish(void)
{
    return atomic_load_explicit(&message_wish, memory_order_relaxed);
}

void weir_stream_accept(size_t bytes)
{
    atomic_store(&message_wish, weir_h2_message_limit(bytes));
}

/* ---- the send queue ------------------------------------------------------------------------- */

static void stage(weir_h2 *h2, const void *bytes, size_t length)
{
    weir_h2_piece *last = h2->queue.count > h2->written ? &h2->queue.at[h2->queue.count - 1] : NULL;
    if (last && !last->at && last->offset + last->length == h2->staged.length)
        last->length += length;
    else
        weir_vec_push(&h2->queue, (weir_h2_piece){NULL, h2->staged.length, length, NULL});
    weir_buf_add(&h2->staged, bytes, length);
    h2->queued_bytes += length;
}

static void refer(weir_h2 *h2, weir_str piece, weir_ref *hold)
{
    weir_ref_retain(hold);
    weir_vec_push(&h2->queue, (weir_h2_piece){piece.at, 0, piece.length, hold});
    h2->queued_bytes += piece.length;
}

/* Number of staged bytes that were written. */
static size_t staged_done(const weir_h2 *h2)
{
    for (size_t i = h2->written; i < h2->queue.count; i++)
        if (!h2->queue.at[i].at)
            return h2->queue.at[i].offset;
    return h2->staged.length;
}

/* Discards written pieces, so that a slow reader occupies no more memory than its pending
 * bytes. */
static void forget_written(weir_h2 *h2)
{
    size_t left = h2->queue.count - h2->written, staged = staged_done(h2);
    if ((h2->written < KEPT_PIECES || h2->written < left) &&
        (staged < KEPT_BYTES || staged < h2->staged.length - staged))
        return;
    memmove(h2->queue.at, h2->queue.at + h2->written, sizeof *h2->queue.at * left);
    h2->queue.count = left;
    h2->written = 0;
    h2->staged.length -= staged;
    memmove(h2->staged.at, h2->staged.at + staged, h2->staged.length);
    for (size_t i = 0; i < left; i++)
        if (!h2->queue.at[i].at)
            h2->queue.at[i].offset -= staged;
}

static void take_off(weir_h2 *h2, size_t bytes)
{
    h2->queued_bytes -= bytes;
    h2->sent_bytes += bytes;
    while (bytes) {
        weir_h2_piece *piece = &h2->queue.at[h2->written];
        size_t length = bytes < piece->length ? bytes : piece->length;
        piece->at = piece->at ? piece->at + length : NULL;
        piece->offset += length;
        piece->length -= length;
        bytes -= length;
        if (piece->length)
            break;
        weir_ref_release(piece->hold);
        h2->written++;
    }
    if (h2->written == h2->queue.count) {
        h2->queue.count = h2->written = 0;
        h2->staged.length = 0;
    }
    forget_written(h2);
}

/* ---- the line of large messages -------------------------------------------------------------
 *
 * nghttp2 shares a connection fairly: of several tensors, each would get every n-th frame, and all
 * would be there at the end only. Large messages leave one after the other instead, in the order in
 * which they were submitted, so that the receiver uses the first while the next one travels. Small
 * ones still go between their frames. A peer with small windows, as TensorFlow's tasks have, could
 * hold up the first and with it all others: there nghttp2 decides. */

static bool keeps_line(const weir_h2 *h2)
{
    return nghttp2_session_get_remote_settings(h2->session, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE) >=
           LINE_WINDOW;
}

/* True when another large message must be sent first. */
static bool must_wait(weir_h2 *h2, int32_t stream, weir_outgoing *outgoing)
{
    if (outgoing->open || outgoing->total < LINE_FROM || outgoing->planned || !keeps_line(h2))
        return false;
    if (!outgoing->in_line)
        weir_vec_push(&h2->line, stream);
    outgoing->in_line = true;
    return h2->line.at[0] != stream;
}

void weir_h2_leave_line(weir_h2 *h2, int32_t stream)
{
    size_t at = 0;
    while (at < h2->line.count && h2->line.at[at] != stream)
        at++;
    if (at == h2->line.count)
        return;
    h2->line.count--;
    memmove(h2->line.at + at, h2->line.at + at + 1, sizeof *h2->line.at * (h2->line.count - at));
    h2->line_moved |= at == 0;
}

/* Resumes the first message in line. */
static void call_next(weir_h2 *h2)
{
    if (h2->line_moved && h2->line.count)
        nghttp2_session_resume_data(h2->session, h2->line.at[0]);
    h2->line_moved = false;
}

/* Fetches frames from nghttp2 until there is enough to write. */
static bool pull(weir_h2 *h2)
{
    while (h2->queued_bytes < QUEUE_BYTES) {
        const uint8_t *bytes;
        call_next(h2);
        ssize_t sent = nghttp2_session_mem_send(h2->session, &bytes);
        if (sent < 0)
            return false;
        if (sent == 0 && !h2->line_moved)
            return true;
        if (sent)
            stage(h2, bytes, (size_t)sent);
    }
    return true;
}

static ssize_t write_pieces(weir_h2 *h2)
{
    struct iovec iovecs[MAX_PIECES];
    int count = 0;
    for (size_t i = h2->written; i < h2->queue.count && count < MAX_PIECES; i++, count++) {
        weir_h2_piece *piece = &h2->queue.at[i];
        iovecs[count] = (struct iovec){
            piece->at ? (char *)piece->at : h2->staged.at + piece->offset, piece->length};
    }
    struct msghdr msghdr = {.msg_iov = iovecs, .msg_iovlen = (size_t)count};
    return sendmsg(h2->fd, &msghdr, MSG_NOSIGNAL);
}

/* If another thread reads the connection, events are edge-triggered: this epoll's thread may not
 * have to handle them. */
static void watch_for(weir_h2 *h2)
{
    struct epoll_event event = {.events = (h2->read_elsewhere ? EPOLLRDHUP | EPOLLET : EPOLLIN) |
                                          (h2->wants_write ? EPOLLOUT : 0),
                                .data.ptr = h2->source};
    epoll_ctl(h2->epoll, EPOLL_CTL_MOD, h2->fd, &event);
}

static void watch(weir_h2 *h2, bool write)
{
    if (h2->wants_write == write)
        return;
    h2->wants_write = write;
    watch_for(h2);
}

void weir_h2_read_elsewhere(weir_h2 *h2, bool elsewhere)
{
    if (h2->read_elsewhere == elsewhere)
        return;
    h2->read_elsewhere = elsewhere;
    watch_for(h2);
}

bool weir_h2_flush(weir_h2 *h2)
{
    for (;;) {
        if (!pull(h2))
            return false;
        if (!h2->queued_bytes)
            break;
        ssize_t sent = write_pieces(h2);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno == EAGAIN) {
            watch(h2, true);
            return true;
        }
        if (sent <= 0)
            return false;
        take_off(h2, (size_t)sent);
        h2->flushed_ns = weir_now_ns();
    }
    watch(h2, false);
    errno = 0;
    return nghttp2_session_want_read(h2->session) || nghttp2_session_want_write(h2->session);
}

bool weir_h2_may_wait(size_t bytes)
{
    return bytes <= COALESCE_BYTES;
}

bool weir_h2_flush_soon(weir_h2 *h2, size_t bytes)
{
    if (h2->wants_write)
        return true;
    if (!weir_h2_may_wait(bytes) || weir_now_ns() - h2->flushed_ns >= COALESCE_NS)
        return weir_h2_flush(h2);
    watch(h2, true);
    return true;
}

/* ---- messages into frames ------------------------------------------------------------------- */

nghttp2_nv weir_h2_header(const char *name, weir_str value)
{
    return (nghttp2_nv){(uint8_t *)name, (uint8_t *)value.at, strlen(name), value.length,
                        NGHTTP2_NV_FLAG_NONE};
}

void weir_h2_status_init(weir_h2_status *headers, weir_status status)
{
    *headers = (weir_h2_status){0};
    weir_buf *values = &headers->values;
    snprintf(headers->number, sizeof headers->number, "%d", weir_status_code(status));
    weir_grpc_escape(status ? weir_status_message(status) : "", values);
    size_t text = values->length;
    weir_grpc_details(status, values);
    size_t details = values->length - text;
    headers->nv[headers->count++] = weir_h2_header("grpc-status", weir_str_of(headers->number));
    if (text)
        headers->nv[headers->count++] =
            weir_h2_header("grpc-message", (weir_str){values->at, text});
    if (details)
        headers->nv[headers->count++] =
            weir_h2_header("grpc-status-details-bin", (weir_str){values->at + text, details});
}

void weir_h2_status_fini(weir_h2_status *headers)
{
    weir_buf_fini(&headers->values);
}

static ssize_t plan_body(nghttp2_session *session, int32_t stream, uint8_t *to, size_t room,
                         uint32_t *flags, nghttp2_data_source *source, void *arg)
{
    weir_outgoing *outgoing = source->ptr;
    size_t count =
        outgoing->total - outgoing->planned < room ? outgoing->total - outgoing->planned : room;
    if ((count == 0 && outgoing->open) || must_wait(arg, stream, outgoing))
        return NGHTTP2_ERR_DEFERRED;
    outgoing->planned += count;
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (outgoing->planned < outgoing->total || outgoing->open)
        return (ssize_t)count;
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    weir_h2_leave_line(arg, stream);
    if (outgoing->answer) {
        *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        weir_h2_status status;
        weir_h2_status_init(&status, outgoing->status);
        nghttp2_submit_trailer(session, stream, status.nv, status.count);
        weir_h2_status_fini(&status);
    }
    return (ssize_t)count;
}

static int queue_body(nghttp2_session *session, nghttp2_frame *frame, const uint8_t *head,
                      size_t length, nghttp2_data_source *source, void *arg)
{
    weir_h2 *h2 = arg;
    weir_outgoing *outgoing = source->ptr;
    stage(h2, head, 9); /* the frame's header */
    for (size_t end = outgoing->sent + length; outgoing->sent < end;) {
        weir_ref *hold;
        weir_str piece = weir_outgoing_piece(outgoing, end - outgoing->sent, &hold);
        if (piece.length <= COPY_UP_TO || !hold)
            stage(h2, piece.at, piece.length);
        else
            refer(h2, piece, hold);
        weir_outgoing_pass(outgoing, piece.length);
    }
    return h2->queued_bytes < QUEUE_BYTES ? 0 : NGHTTP2_ERR_PAUSE;
}

nghttp2_data_provider weir_h2_body(weir_outgoing *outgoing)
{
    return (nghttp2_data_provider){.source.ptr = outgoing, .read_callback = plan_body};
}

static ssize_t frame_length(nghttp2_session *session, uint8_t type, int32_t stream,
                            int32_t session_window, int32_t stream_window, uint32_t largest_frame,
                            void *arg)
{
    ssize_t count = session_window < stream_window ? session_window : stream_window;
    if (count > (ssize_t)largest_frame)
        count = (ssize_t)largest_frame;
    return count < MAX_SENT_FRAME_BYTES ? count : MAX_SENT_FRAME_BYTES;
}

/* ---- reading -------------------------------------------------------------------------------- */

static int on_begin_frame(nghttp2_session *session, const nghttp2_frame_hd *head, void *arg)
{
    weir_h2 *h2 = arg;
    bool plain = head->type == NGHTTP2_DATA && !(head->flags & NGHTTP2_FLAG_PADDED);
    h2->frame_left = plain ? head->length : 0;
    return 0;
}

void weir_h2_expect(weir_h2 *h2, size_t chunk, uint8_t *to, size_t room)
{
    h2->frame_left = h2->frame_left > chunk ? h2->frame_left - chunk : 0;
    h2->direct = to;
    h2->direct_room = h2->frame_left < room ? h2->frame_left : room;
    if (h2->direct_room < DIRECT_READ_BYTES)
        h2->direct_room = 0;
}

static bool feed(weir_h2 *h2, const uint8_t *bytes, size_t count)
{
    return !count || nghttp2_session_mem_recv(h2->session, bytes, count) == (ssize_t)count;
}

bool weir_h2_read(weir_h2 *h2, uint8_t *buffer, size_t *out_count, bool *out_more)
{
    *out_count = 0;
    *out_more = false;
    size_t behind = h2->direct_room ? BEHIND_DIRECT : H2_READ_BUFFER;
    struct iovec iovecs[] = {{h2->direct, h2->direct_room}, {buffer, behind}};
    struct msghdr msghdr = {.msg_iov = h2->direct_room ? iovecs : iovecs + 1,
                            .msg_iovlen = h2->direct_room ? 2 : 1};
    ssize_t got = recvmsg(h2->fd, &msghdr, 0);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    errno = 0;
    if (got == 0)
        return false;
    *out_count = (size_t)got;
    *out_more = (size_t)got == h2->direct_room + behind;
    size_t first = (size_t)got < h2->direct_room ? (size_t)got : h2->direct_room;
    const uint8_t *direct = h2->direct;
    h2->direct_room = 0;
    if (feed(h2, direct, first) && feed(h2, buffer, (size_t)got - first))
        return true;
    errno = EPROTO;
    return false;
}

/* ---- the connection ------------------------------------------------------------------------- */

/* nghttp2 uses this process's allocator, which retries when the system is out of memory:
 * half-created streams need not be undone. */
static void *take_memory(size_t bytes, void *arg)
{
    return weir_alloc(bytes);
}

static void give_memory(void *ptr, void *arg)
{
    weir_free(ptr);
}

static void *take_cleared(size_t count, size_t bytes, void *arg)
{
    return weir_zalloc(count * bytes);
}

static void *grow_memory(void *ptr, size_t bytes, void *arg)
{
    return weir_realloc(ptr, bytes);
}

/* gRPC's servers announce no limit on streams; nghttp2 would start with 100. It would also keep as
 * many closed streams as there may be open ones, for unused priorities. */
static bool new_session(weir_h2 *h2, bool server, nghttp2_session_callbacks *calls)
{
    nghttp2_mem memory = {NULL, take_memory, give_memory, take_cleared, grow_memory};
    nghttp2_option *option;
    if (nghttp2_option_new(&option) != 0)
        return false;
    nghttp2_option_set_peer_max_concurrent_streams(option, (uint32_t)weir_limits_get()->streams);
    nghttp2_option_set_no_closed_streams(option, 1);
    int failed = (server ? nghttp2_session_server_new3
                         : nghttp2_session_client_new3)(&h2->session, calls, h2, option, &memory);
    nghttp2_option_del(option);
    return !failed;
}

nghttp2_session_callbacks *weir_h2_callbacks(void)
{
    nghttp2_session_callbacks *calls;
    if (nghttp2_session_callbacks_new(&calls) != 0)
        return NULL;
    nghttp2_session_callbacks_set_send_data_callback(calls, queue_body);
    nghttp2_session_callbacks_set_data_source_read_length_callback(calls, frame_length);
    nghttp2_session_callbacks_set_on_begin_frame_callback(calls, on_begin_frame);
    return calls;
}

bool weir_h2_init(weir_h2 *h2, bool server, nghttp2_session_callbacks *calls, int fd, int epoll,
                  weir_source *source)
{
    h2->fd = fd;
    h2->epoll = epoll;
    h2->source = source;
    bool made = calls && new_session(h2, server, calls);
    nghttp2_session_callbacks_del(calls);
    errno = ENOMEM;
    if (!made)
        return false;
    nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, WINDOW},
        {NGHTTP2_SETTINGS_MAX_FRAME_SIZE, MAX_FRAME_BYTES},
        {server ? NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS : NGHTTP2_SETTINGS_ENABLE_PUSH,
         server ? (uint32_t)weir_limits_get()->streams : 0},
        /* of servers; clients that do not know it ignore it */
        {WEIR_H2_SETTINGS_STREAMS, (uint32_t)weir_h2_message_wish()},
    };
    nghttp2_submit_settings(h2->session, NGHTTP2_FLAG_NONE, settings, server ? 4 : 3);
    nghttp2_session_set_local_window_size(h2->session, NGHTTP2_FLAG_NONE, 0, WINDOW);
    return true;
}

void weir_h2_fini(weir_h2 *h2)
{
    nghttp2_session_del(h2->session);
    if (h2->fd >= 0) {
        epoll_ctl(h2->epoll, EPOLL_CTL_DEL, h2->fd, NULL); /* a forked child keeps it open */
        close(h2->fd);
    }
    for (size_t i = h2->written; i < h2->queue.count; i++)
        weir_ref_release(h2->queue.at[i].hold);
    weir_vec_fini(&h2->queue);
    weir_vec_fini(&h2->line);
    weir_buf_fini(&h2->staged);
    *h2 = (weir_h2){.fd = -1};
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
