/* net/connection.c - the server's connections: nghttp2 between sockets and calls. */
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/room.h"
#include "net/access.h"
#include "net/connection_impl.h"
#include "net/grpc_impl.h"
#include "net/limits.h"
#include "net/shm_handshake_impl.h"
#include "wire/messages.h"

enum {
    READS_AT_ONCE = 8,
    SLOWEST_PER_S = 16 << 10, /* minimum rate of a request; slower ones are refused */
};

/* ---- connections and calls ------------------------------------------------------------------ */

static void destroy_connection(weir_ref *ref)
{
    weir_connection *connection = (weir_connection *)((char *)ref - offsetof(weir_connection, ref));
    weir_peer_release(connection->peer);
    weir_vec_fini(&connection->received);
    weir_mutex_fini(&connection->lock);
    weir_free(connection);
}

static void destroy_call(weir_rpc *rpc)
{
    h2_call *call = (h2_call *)rpc;
    weir_rpc_fini(rpc);
    weir_incoming_fini(&call->in);
    weir_buf_fini(&call->authorization);
    if (call->out)
        weir_ref_release(&call->out->ref);
    weir_ref_release(&call->connection->ref);
    weir_room_drop(&call->held);
    weir_free(call);
}

static void unlink_call(weir_connection *connection, h2_call *call) WEIR_REQUIRES(connection->lock)
{
    call->open = false;
    weir_h2_call_uncount(connection, call);
    connection->answer_bytes -= call->answer_counted;
    call->answer_counted = 0;
    if (call->prev)
        call->prev->next = call->next;
    else
        connection->calls = call->next;
    if (call->next)
        call->next->prev = call->prev;
}

/* ---- requests; nghttp2, which calls these, is only called under the connection's lock -------- */

static h2_call *call_of(nghttp2_session *session, int32_t stream)
{
    return nghttp2_session_get_stream_user_data(session, stream);
}

WEIR_UNCHECKED_LOCKING static int on_begin_headers(nghttp2_session *session,
                                                   const nghttp2_frame *frame, void *arg)
{
    weir_connection *connection = arg;
    if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST)
        return 0;
    size_t held = 0;
    weir_status refused = weir_h2_call_begin_memory(&held);
    if (refused) {
        weir_status_free(refused);
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id,
                                  NGHTTP2_ENHANCE_YOUR_CALM);
        return 0;
    }
    h2_call *call = WEIR_NEW(h2_call);
    call->held = held;
    weir_rpc_init(&call->rpc, connection->server, connection->peer);
    call->begun_ns = connection->server->now_ns;
    call->rpc.send = weir_h2_call_send_answer;
    call->rpc.destroy = destroy_call;
    weir_ref_retain(&connection->ref);
    call->connection = connection;
    call->stream = frame->hd.stream_id;
    call->open = true;
    call->next = connection->calls;
    if (call->next)
        call->next->prev = call;
    connection->calls = call;
    nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, call);
    return 0;
}

static void open_ucx(weir_rpc *rpc, void *ctx);
static const weir_rpc_method ucx_method = {WEIR_UCX_OPEN, open_ucx};

static void choose_method(h2_call *call, weir_str path)
{
    weir_rpc_server *server = call->rpc.server;
    call->for_tasks = weir_access_is_for_tasks(path);
    call->wants_shm = server->shm_listener >= 0 && weir_str_is(path, WEIR_SHM_OPEN);
    call->rpc.method = weir_str_is(path, WEIR_UCX_OPEN) ? &ucx_method : weir_rpc_find(server, path);
}

static void take_header(h2_call *call, weir_str key, weir_str text)
{
    if (weir_str_is(key, ":path"))
        choose_method(call, text);
    else if (weir_str_is(key, "grpc-timeout"))
        call->rpc.timeout_ms = weir_grpc_parse_timeout(text);
    else if (weir_str_is(key, WEIR_PAYLOAD_HEADER))
        call->payload_id = strtoull(text.at, NULL, 16);
    else if (weir_str_is(key, WEIR_STREAM_HEADER)) {
        call->is_stream = true;
        call->message_wish = strtoull(text.at, NULL, 10);
    } else if (weir_str_is(key, "authorization") && !call->authorization.length)
        weir_buf_add(&call->authorization, text.at, text.length);
    else if (weir_str_is(key, WEIR_CLIENT_HEADER))
        atomic_store(&call->rpc.peer->client, strtoull(text.at, NULL, 16));
}

/* Headers after the body (trailers) mean nothing in a request. */
WEIR_UNCHECKED_LOCKING static int on_header(nghttp2_session *session, const nghttp2_frame *frame,
                                            const uint8_t *name, size_t name_length,
                                            const uint8_t *value, size_t value_length,
                                            uint8_t flags, void *arg)
{
    h2_call *call = call_of(session, frame->hd.stream_id);
    if (!call || call->complete || frame->headers.cat != NGHTTP2_HCAT_REQUEST)
        return 0;
    weir_status status = weir_h2_call_count_header(call, name_length, value_length);
    if (status)
        weir_h2_call_refuse(arg, call, status);
    else
        take_header(call, (weir_str){(const char *)name, name_length},
                    (weir_str){(const char *)value, value_length});
    return 0;
}

/* Answers with the parameters of a shm transport for this connection. */
static void offer_shm(weir_connection *connection, h2_call *call) WEIR_REQUIRES(connection->lock)
{
    weir_status denied = weir_access_check(connection->peer, true, weir_view(&call->authorization));
    atomic_store(&connection->peer->is_task, !denied);
    weir_status_free(denied);
    if (!connection->token)
        connection->token = weir_random_token() | 1;
    weir_msg_shared_memory_offer offer = {.name = weir_str_of(connection->server->shm_name),
                                          .token = connection->token};
    weir_msg_shared_memory_offer_write(&offer, &call->rpc.reply.head);
    weir_h2_call_submit_answer(connection, call);
}

/* A payload was lost: closes the connection, which ends the calls that wait for it. */
static void ucx_broke(weir_ref *owner)
{
    weir_connection *connection =
        (weir_connection *)((char *)owner - offsetof(weir_connection, ref));
    weir_mutex_lock(&connection->lock);
    if (connection->h2.fd >= 0)
        shutdown(connection->h2.fd, SHUT_RDWR); /* the I/O thread sees it and closes */
    weir_mutex_unlock(&connection->lock);
}

/* The client requests UCX, or asks whether it is available. Slow, so on a handler's thread. */
static void open_ucx(weir_rpc *rpc, void *ctx)
{
    weir_connection *connection = ((h2_call *)rpc)->connection;
    weir_ucx_peer *peer;
    weir_status status = weir_ucx_accept(weir_rpc_request(rpc), ucx_broke, &connection->ref, &peer);
    weir_mutex_lock(&connection->lock);
    if (peer && !connection->ucx && connection->h2.fd >= 0) {
        connection->ucx = peer;
        peer = NULL;
    }
    weir_mutex_unlock(&connection->lock);
    weir_ucx_close(peer); /* a duplicate, or too late */
    if (status)
        weir_rpc_fail(rpc, status);
    else
        weir_rpc_reply(rpc, &(weir_buf){0});
}

/* As gRPC requires; the answer's grpc-accept-encoding lists the supported encodings. */
static weir_status compressed(void)
{
    return weir_error(WEIR_UNIMPLEMENTED, "Compressed messages are not supported");
}

/* The request has ended. */
static void receive(weir_connection *connection, h2_call *call) WEIR_REQUIRES(connection->lock)
{
    call->complete = true;
    call->rpc.stream_lock = &connection->lock;
    if (call->is_stream)
        call->rpc.send_message = weir_h2_call_send_message;
    call->rpc.message_limit = weir_h2_message_limit(call->message_wish);
    weir_status denied =
        weir_access_check(connection->peer, call->for_tasks, weir_view(&call->authorization));
    if (denied) {
        weir_h2_call_refuse(connection, call, denied);
    } else if (call->wants_shm) {
        offer_shm(connection, call);
    } else if (!call->rpc.method) {
        weir_h2_call_refuse(connection, call, weir_error_text(WEIR_UNIMPLEMENTED, "", 0));
    } else if (call->in.compressed) {
        weir_h2_call_refuse(connection, call, compressed());
    } else if (!weir_incoming_whole(&call->in)) {
        weir_h2_call_refuse(connection, call, weir_error(WEIR_INTERNAL, "Unable to parse request"));
    } else {
        call->rpc.request = call->in.message;
        call->in.message = (weir_rpc_message){0};
        weir_ref_retain(&call->rpc.ref);
        *connection->last = &call->rpc;
        connection->last = &call->rpc.next;
    }
}

static void await_message(h2_call *call)
{
    const weir_rpc_method *method = call->rpc.method;
    call->in = (weir_incoming){.labelled = true,
                               .payload_offset = method ? method->message_payload : NULL};
}

/* One complete gRPC message of a stream: the request, then labelled messages. */
static weir_status receive_of_stream(weir_connection *connection, h2_call *call)
    WEIR_REQUIRES(connection->lock)
{
    if (!call->complete) {
        receive(connection, call);
        weir_incoming_fini(&call->in);
        await_message(call);
        return WEIR_OK;
    }
    weir_stream_message message = {.call = &call->rpc, .message = call->in.message};
    bool answer, fine = weir_incoming_label(&message.message, &answer, &message.label) && !answer;
    await_message(call);
    weir_status status = fine ? weir_h2_message_count(connection, &message)
                              : weir_error(WEIR_INTERNAL, "Unable to parse a message of a stream");
    if (status) {
        weir_stream_message_fini(&message);
        return status;
    }
    weir_ref_retain(&call->rpc.ref);
    weir_vec_push(&connection->received, message);
    return WEIR_OK;
}

static weir_status read_stream(weir_connection *connection, h2_call *call, const uint8_t *data,
                               size_t length) WEIR_REQUIRES(connection->lock)
{
    while (length) {
        size_t taken;
        WEIR_TRY(weir_incoming_take(&call->in, data, length, &taken));
        data += taken;
        length -= taken;
        if (call->in.compressed)
            return compressed();
        if (weir_incoming_whole(&call->in))
            WEIR_TRY(receive_of_stream(connection, call));
    }
    return WEIR_OK;
}

WEIR_UNCHECKED_LOCKING static int on_data(nghttp2_session *session, uint8_t flags, int32_t stream,
                                          const uint8_t *data, size_t length, void *arg)
{
    weir_connection *connection = arg;
    h2_call *call = call_of(session, stream);
    if (!call || call->refused || (call->complete && !call->is_stream))
        return 0;
    weir_status status = call->complete ? WEIR_OK : weir_h2_call_count(connection, call, length);
    if (!status)
        status = call->is_stream ? read_stream(connection, call, data, length)
                                 : weir_incoming_add(&call->in, data, length);
    if (status && !call->complete) {
        weir_h2_call_refuse(connection, call, status);
    } else if (status) { /* the handler already has the request */
        weir_status_free(status);
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, stream, NGHTTP2_PROTOCOL_ERROR);
    }
    return 0;
}

WEIR_UNCHECKED_LOCKING static int on_frame(nghttp2_session *session, const nghttp2_frame *frame,
                                           void *arg)
{
    if (frame->hd.type == NGHTTP2_SETTINGS)
        ((weir_connection *)arg)->greeted = true;
    bool end = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    bool of_request = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    h2_call *call = end && of_request ? call_of(session, frame->hd.stream_id) : NULL;
    if (call && !call->complete)
        receive(arg, call);
    return 0;
}

/* The answer to a stream, or to an incomplete request, was sent: closes the stream without waiting
 * for the caller's end. */
static int on_sent(nghttp2_session *session, const nghttp2_frame *frame, void *arg)
{
    bool end = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    bool of_answer = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    h2_call *call = end && of_answer ? call_of(session, frame->hd.stream_id) : NULL;
    if (call && (call->is_stream || call->refused))
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, call->stream, NGHTTP2_NO_ERROR);
    return 0;
}

/* Unlinks a call whose stream has closed. */
static void drop(weir_connection *connection, h2_call *call, bool broken)
    WEIR_REQUIRES(connection->lock)
{
    unlink_call(connection, call);
    if (broken && call->rpc.method) { /* passes the stream's reference on */
        call->next = connection->broken;
        connection->broken = call;
    } else {
        weir_ref_release(&call->rpc.ref);
    }
}

WEIR_UNCHECKED_LOCKING static int on_stream_close(nghttp2_session *session, int32_t stream,
                                                  uint32_t code, void *arg)
{
    h2_call *call = call_of(session, stream);
    weir_h2_leave_line(arg, stream);
    if (call)
        drop(arg, call, code != NGHTTP2_NO_ERROR);
    return 0;
}

static nghttp2_session_callbacks *callbacks(void)
{
    nghttp2_session_callbacks *calls = weir_h2_callbacks();
    if (!calls)
        return NULL;
    nghttp2_session_callbacks_set_on_begin_headers_callback(calls, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback(calls, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(calls, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(calls, on_frame);
    nghttp2_session_callbacks_set_on_frame_send_callback(calls, on_sent);
    nghttp2_session_callbacks_set_on_stream_close_callback(calls, on_stream_close);
    return calls;
}

/* ---- the I/O thread -------------------------------------------------------------------------- */

/* The next callback to call, without the lock: one of these. */
typedef struct delivery {
    weir_rpc *ready; /* a complete call, for its handler */
    bool is_message;
    weir_stream_message message;
    weir_rpc_delivery to; /* of the message */
    h2_call *broken;      /* its cancellation is to be fired */
} delivery;

static void deliver_message(delivery *next)
{
    weir_stream_message *received = &next->message;
    weir_rpc *rpc = received->call;
    weir_rpc_deliver(&next->to, weir_view(&received->label), &received->message);
    weir_stream_message_fini(received);
    weir_ref_release(&rpc->ref);
}

static void deliver(delivery *next)
{
    if (next->ready) {
        weir_rpc_dispatch(next->ready);
        weir_ref_release(&next->ready->ref);
    } else if (next->is_message) {
        deliver_message(next);
    } else {
        weir_cancel_fire(next->broken->rpc.cancel,
                         weir_error(WEIR_CANCELLED, "The caller cancelled the call or went away"));
        weir_rpc_hurry(&next->broken->rpc);
        weir_ref_release(&next->broken->rpc.ref);
    }
}

static void take_message(weir_connection *connection, delivery *out) WEIR_REQUIRES(connection->lock)
{
    out->is_message = true;
    out->message = connection->received.at[connection->received_at++];
    if (connection->received_at == connection->received.count)
        connection->received.count = connection->received_at = 0;
    weir_stream_message *received = &out->message;
    weir_h2_message_uncount(connection, received);
    out->to = weir_rpc_claim(received->call, weir_view(&received->label), &received->message);
}

static weir_rpc *take_ready(weir_connection *connection) WEIR_REQUIRES(connection->lock)
{
    weir_rpc *call = connection->ready;
    connection->ready = call->next;
    if (!connection->ready)
        connection->last = &connection->ready;
    weir_h2_call_uncount(connection, (h2_call *)call);
    return call;
}

/* While a client leaves many answers unread, its next calls are held back. */
static bool must_wait(const weir_connection *connection) WEIR_REQUIRES(connection->lock)
{
    return connection->answer_bytes > (size_t)weir_limits_get()->answer_mib << 20;
}

/* Calls first, then messages, which may belong to them; cancellations last. False: nothing to
 * call. */
static bool take_next(weir_connection *connection, delivery *out) WEIR_REQUIRES(connection->lock)
{
    *out = (delivery){0};
    if (connection->ready && !must_wait(connection)) {
        out->ready = take_ready(connection);
    } else if (!connection->ready && connection->received.count) {
        take_message(connection, out);
    } else if (connection->broken) {
        out->broken = connection->broken;
        connection->broken = out->broken->next;
    } else {
        return false;
    }
    return true;
}

/* Calls everything that is due. False: another thread serves the connection now. */
static bool deliver_all(weir_connection *connection) WEIR_REQUIRES(connection->lock)
{
    delivery next;
    while (take_next(connection, &next)) {
        connection->corked = true;
        weir_mutex_unlock(&connection->lock);
        weir_loop_call();
        deliver(&next);
        bool mine = weir_loop_back();
        weir_mutex_lock(&connection->lock);
        if (!mine)
            return false;
    }
    connection->corked = false;
    return true;
}

/* The state of a connection after it was served. */
typedef enum served { FINE, BROKEN, TAKEN_OVER } served;

/* Runs quick handlers, and writes their answers together. Then handles the calls held back by
 * unread answers: if all answers were sent, no further event would trigger that. */
static served deliver_and_flush(weir_connection *connection) WEIR_REQUIRES(connection->lock)
{
    do {
        if (!deliver_all(connection))
            return TAKEN_OVER;
        if (!connection->h2.wants_write && !weir_h2_flush(&connection->h2))
            return BROKEN;
    } while (connection->ready && !must_wait(connection));
    return FINE;
}

static served read_some(weir_connection *connection, bool *out_more)
{
    size_t count;
    weir_mutex_lock(&connection->lock);
    bool fine = weir_h2_read(&connection->h2, connection->server->buffer, &count, out_more);
    if (count)
        connection->active_ns = connection->server->now_ns;
    served result = deliver_and_flush(connection);
    weir_mutex_unlock(&connection->lock);
    return fine || result == TAKEN_OVER ? result : BROKEN;
}

static served write_some(weir_connection *connection)
{
    weir_mutex_lock(&connection->lock);
    served result = weir_h2_flush(&connection->h2) ? deliver_and_flush(connection) : BROKEN;
    weir_mutex_unlock(&connection->lock);
    return result;
}

static served serve(weir_connection *connection, unsigned events)
{
    served result = events & EPOLLOUT ? write_some(connection) : FINE;
    bool more = events & (EPOLLIN | EPOLLHUP | EPOLLERR);
    for (int i = 0; i < READS_AT_ONCE && result == FINE && more; i++)
        result = read_some(connection, &more);
    return result;
}

static void unlink_connection(weir_connection *connection)
{
    if (connection->prev)
        connection->prev->next = connection->next;
    else
        connection->server->connections = connection->next;
    if (connection->next)
        connection->next->prev = connection->prev;
    connection->server->connection_count--;
    connection->closed = true;
    atomic_store(&connection->peer->gone_ns, weir_now_ns());
}

/* Calls that were held back because of unread answers are dropped. */
static void forget_held(weir_connection *connection) WEIR_REQUIRES(connection->lock)
{
    while (connection->ready && must_wait(connection))
        weir_ref_release(&take_ready(connection)->ref);
}

/* Its callbacks come last: this thread may be replaced during them. */
static void close_connection(weir_connection *connection)
{
    weir_ref_retain(&connection->ref);
    unlink_connection(connection);
    weir_shm_endpoint *endpoint = connection->endpoint;
    if (endpoint)
        weir_shm_endpoint_retire(endpoint);
    weir_rpc_release_later(connection->server, &connection->ref);
    weir_mutex_lock(&connection->lock);
    forget_held(connection);
    while (connection->calls)
        drop(connection, connection->calls, true);
    weir_h2_fini(&connection->h2);
    weir_ucx_close(connection->ucx);
    connection->ucx = NULL;
    connection->answer_bytes = 0; /* do not hold back calls any more */
    while (!deliver_all(connection))
        ; /* it is no longer listed: a replacement thread would not see the rest */
    weir_mutex_unlock(&connection->lock);
    if (endpoint) {
        weir_loop_call();
        weir_shm_endpoint_cancel(endpoint);
        weir_loop_back(); /* the caller checks weir_loop_mine */
    }
    weir_ref_release(&connection->ref);
}

static void on_events(weir_source *self, unsigned events)
{
    weir_connection *connection = WEIR_SOURCE_OWNER(self, weir_connection, source);
    if (connection->closed)
        return;
    weir_ref_retain(&connection->ref); /* a replacement thread may close it */
    if (serve(connection, events) == BROKEN)
        close_connection(connection);
    weir_ref_release(&connection->ref);
}

void weir_connection_close_all(weir_rpc_server *server)
{
    while (server->connections && weir_loop_mine())
        close_connection(server->connections);
}

void weir_connection_create(weir_rpc_server *server, int fd, weir_peer *peer)
{
    weir_connection *connection = WEIR_NEW(weir_connection);
    weir_ref_init(&connection->ref, destroy_connection);
    weir_mutex_init(&connection->lock);
    connection->server = server;
    connection->peer = peer;
    connection->begun_ns = connection->active_ns = connection->sent_ns = server->now_ns;
    connection->source.ready = on_events;
    connection->last = &connection->ready;
    connection->next = server->connections;
    if (connection->next)
        connection->next->prev = connection;
    server->connections = connection;
    server->connection_count++;
    bool made =
        weir_h2_init(&connection->h2, true, callbacks(), fd, server->epoll, &connection->source);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connection->source};
    if (!made || epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event) != 0 ||
        serve(connection, EPOLLOUT) != FINE) /* the settings */
        close_connection(connection);
}

/* ---- time-outs ---------------------------------------------------------------------------------
 */

static bool is_late(int64_t since_ns, int64_t now_ns, int64_t limit_ms)
{
    return limit_ms && now_ns - since_ns > limit_ms * 1000000;
}

/* Refuses requests that do not arrive in time. */
static void refuse_stalled(weir_connection *connection, int64_t now_ns)
    WEIR_REQUIRES(connection->lock)
{
    int64_t limit_ms = weir_limits_get()->request_ms;
    for (h2_call *call = connection->calls; call; call = call->next) {
        int64_t grace_ms = (int64_t)(call->counted / SLOWEST_PER_S) * 1000;
        if (call->complete || !is_late(call->begun_ns, now_ns, limit_ms ? limit_ms + grace_ms : 0))
            continue;
        weir_h2_call_refuse(connection, call,
                            weir_error(WEIR_DEADLINE_EXCEEDED,
                                       "the request did not arrive whole in time (request_ms)"));
        weir_h2_call_uncount(connection, call);
    }
}

/* Whether the client has not read any pending bytes for too long. */
static bool is_unread(weir_connection *connection, int64_t now_ns) WEIR_REQUIRES(connection->lock)
{
    weir_h2 *h2 = &connection->h2;
    bool waits = h2->queued_bytes || connection->answer_bytes;
    if (!waits || h2->sent_bytes != connection->sent_before) {
        connection->sent_before = h2->sent_bytes;
        connection->sent_ns = now_ns;
    }
    return waits && is_late(connection->sent_ns, now_ns, weir_limits_get()->answer_ms);
}

static bool is_out_of_time(weir_connection *connection, int64_t now_ns)
    WEIR_REQUIRES(connection->lock)
{
    const weir_limits *limits = weir_limits_get();
    if (!connection->greeted)
        return is_late(connection->begun_ns, now_ns, limits->handshake_ms);
    bool used =
        connection->calls || connection->endpoint || atomic_load(&connection->peer->sessions);
    return is_unread(connection, now_ns) ||
           (!used && is_late(connection->active_ns, now_ns, limits->idle_ms));
}

void weir_connection_sweep(weir_rpc_server *server, int64_t now_ns)
{
    for (weir_connection *connection = server->connections, *next; connection; connection = next) {
        next = connection->next;
        weir_mutex_lock(&connection->lock);
        refuse_stalled(connection, now_ns);
        bool over = is_out_of_time(connection, now_ns) || !weir_h2_flush(&connection->h2);
        weir_mutex_unlock(&connection->lock);
        if (over)
            close_connection(connection);
        if (!weir_loop_mine())
            return;
    }
}

/* ---- shared memory ----------------------------------------------------------------------------
 */

static weir_connection *find_token(weir_rpc_server *server, uint64_t token)
{
    weir_connection *found = NULL;
    for (weir_connection *connection = server->connections; connection && token && !found;
         connection = connection->next) {
        weir_mutex_lock(&connection->lock);
        if (connection->token == token && !connection->endpoint)
            found = connection;
        weir_mutex_unlock(&connection->lock);
    }
    return found;
}

bool weir_connection_awaits_shm(weir_rpc_server *server, uint64_t token)
{
    return find_token(server, token) != NULL;
}

/* The I/O thread sees the end of the socket and closes. */
static void hang_up(void *arg)
{
    weir_connection *connection = arg;
    shutdown(connection->h2.fd, SHUT_RDWR);
}

void weir_connection_attach_shm(weir_rpc_server *server, uint64_t token, weir_shm *shm)
{
    weir_connection *connection = find_token(server, token);
    connection->endpoint =
        weir_shm_endpoint_create(server, connection->peer, shm, hang_up, connection);
}
