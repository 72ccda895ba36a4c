/* net/connection.c - the server's connections: nghttp2 between sockets and calls. */
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/connection_impl.h"
#include "net/grpc_impl.h"
#include "net/shm_handshake_impl.h"
#include "wire/messages.h"

enum { READS_AT_ONCE = 8 };

/* ---- connections and calls ------------------------------------------------------------------ */

static void destroy_connection(weir_ref *ref)
{
    weir_connection *connection = (weir_connection *)((char *)ref - offsetof(weir_connection, ref));
    weir_mutex_fini(&connection->lock);
    weir_free(connection);
}

static void destroy_call(weir_rpc *rpc)
{
    h2_call *call = (h2_call *)rpc;
    weir_rpc_fini(rpc);
    weir_incoming_fini(&call->in);
    if (call->out)
        weir_ref_release(&call->out->ref);
    weir_ref_release(&call->connection->ref);
    weir_free(call);
}

static void unlink_call(weir_connection *connection, h2_call *call) WEIR_REQUIRES(connection->lock)
{
    call->open = false;
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
    h2_call *call = WEIR_NEW(h2_call);
    weir_rpc_init(&call->rpc, connection->server);
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
    call->wants_shm = server->shm_listener >= 0 && weir_str_is(path, WEIR_SHM_OPEN);
    call->rpc.method = weir_str_is(path, WEIR_UCX_OPEN) ? &ucx_method : weir_rpc_find(server, path);
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                     size_t name_length, const uint8_t *value, size_t value_length, uint8_t flags,
                     void *arg)
{
    h2_call *call = call_of(session, frame->hd.stream_id);
    weir_str key = {(const char *)name, name_length}, text = {(const char *)value, value_length};
    if (!call)
        return 0;
    if (weir_str_is(key, ":path"))
        choose_method(call, text);
    else if (weir_str_is(key, "grpc-timeout"))
        call->rpc.timeout_ms = weir_grpc_parse_timeout(text);
    else if (weir_str_is(key, WEIR_PAYLOAD_HEADER))
        call->payload_id = strtoull(text.at, NULL, 16);
    else if (weir_str_is(key, WEIR_STREAM_HEADER))
        call->is_stream = true;
    return 0;
}

/* Tells the client how to open a shm transport for this connection. */
static void offer_shm(weir_connection *connection, h2_call *call) WEIR_REQUIRES(connection->lock)
{
    if (!connection->token)
        connection->token = weir_random_token() | 1;
    weir_msg_shared_memory_offer offer = {.name = weir_str_of(connection->server->shm_name),
                                          .token = connection->token};
    weir_msg_shared_memory_offer_write(&offer, &call->rpc.reply.head);
    weir_h2_call_submit_answer(connection, call);
}

/* A payload was lost: the connection is closed, which ends the calls that wait for it. */
static void ucx_broke(weir_ref *owner)
{
    weir_connection *connection =
        (weir_connection *)((char *)owner - offsetof(weir_connection, ref));
    weir_mutex_lock(&connection->lock);
    if (connection->h2.fd >= 0)
        shutdown(connection->h2.fd, SHUT_RDWR); /* the I/O thread sees it and closes */
    weir_mutex_unlock(&connection->lock);
}

/* The client asks for UCX, or whether it could have it. Takes time, so on a handler's thread. */
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
    weir_ucx_close(peer); /* one too many, or too late */
    if (status)
        weir_rpc_fail(rpc, status);
    else
        weir_rpc_reply(rpc, &(weir_buf){0});
}

/* As gRPC wants it; the answer's grpc-accept-encoding says what is understood. */
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
    call->rpc.message_limit = WEIR_H2_MESSAGE_LIMIT;
    if (call->wants_shm) {
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

/* One whole gRPC message of a stream: the request, then labelled messages. */
static weir_status receive_of_stream(weir_connection *connection, h2_call *call)
    WEIR_REQUIRES(connection->lock)
{
    if (!call->complete) {
        receive(connection, call);
        weir_incoming_fini(&call->in);
        call->in = (weir_incoming){0};
        return WEIR_OK;
    }
    weir_stream_message message = {.call = &call->rpc, .message = call->in.message};
    bool answer, fine = weir_incoming_label(&message.message, &answer, &message.label) && !answer;
    call->in = (weir_incoming){0};
    if (!fine) {
        weir_stream_message_fini(&message);
        return weir_error(WEIR_INTERNAL, "Unable to parse a message of a stream");
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
    if (!call || (call->complete && !call->is_stream))
        return 0;
    weir_status status = call->is_stream ? read_stream(connection, call, data, length)
                                         : weir_incoming_add(&call->in, data, length);
    if (status && !call->complete) {
        weir_h2_call_refuse(connection, call, status);
    } else if (status) { /* the handler has the request already */
        weir_status_free(status);
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, stream, NGHTTP2_PROTOCOL_ERROR);
    }
    return 0;
}

WEIR_UNCHECKED_LOCKING static int on_frame(nghttp2_session *session, const nghttp2_frame *frame,
                                           void *arg)
{
    bool end = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    bool of_request = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    h2_call *call = end && of_request ? call_of(session, frame->hd.stream_id) : NULL;
    if (call && !call->complete)
        receive(arg, call);
    return 0;
}

/* The answer to a stream was sent: the stream is closed without waiting for the caller's end. */
static int on_sent(nghttp2_session *session, const nghttp2_frame *frame, void *arg)
{
    bool end = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    bool of_answer = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    h2_call *call = end && of_answer ? call_of(session, frame->hd.stream_id) : NULL;
    if (call && call->is_stream)
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, call->stream, NGHTTP2_NO_ERROR);
    return 0;
}

/* Unlinks a call whose stream is gone. */
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
    if (call)
        drop(arg, call, code != NGHTTP2_NO_ERROR);
    return 0;
}

static nghttp2_session_callbacks *callbacks(void)
{
    nghttp2_session_callbacks *calls;
    nghttp2_session_callbacks_new(&calls);
    nghttp2_session_callbacks_set_on_begin_headers_callback(calls, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback(calls, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(calls, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(calls, on_frame);
    nghttp2_session_callbacks_set_on_frame_send_callback(calls, on_sent);
    nghttp2_session_callbacks_set_on_stream_close_callback(calls, on_stream_close);
    return calls;
}

/* ---- the I/O thread -------------------------------------------------------------------------- */

/* What is to be called without the lock. */
typedef struct delivery {
    weir_rpc *ready;
    weir_stream_message *messages;
    size_t message_count;
    h2_call *broken;
} delivery;

static void deliver_message(weir_stream_message *received)
{
    weir_rpc *rpc = received->call;
    weir_mutex_lock(rpc->stream_lock);
    weir_rpc_listening listening = weir_rpc_retain_listener(rpc);
    weir_mutex_unlock(rpc->stream_lock);
    weir_rpc_deliver(listening, weir_view(&received->label), &received->message);
    weir_stream_message_fini(received);
    weir_ref_release(&rpc->ref);
}

/* Passes complete calls to their handlers and messages to listeners, and cancels broken calls. */
static void deliver(delivery lists)
{
    while (lists.ready) {
        weir_rpc *call = lists.ready;
        lists.ready = call->next;
        weir_rpc_dispatch(call);
        weir_ref_release(&call->ref);
    }
    for (size_t i = 0; i < lists.message_count; i++)
        deliver_message(&lists.messages[i]);
    weir_free(lists.messages);
    while (lists.broken) {
        h2_call *call = lists.broken;
        lists.broken = call->next;
        weir_cancel_fire(call->rpc.cancel,
                         weir_error(WEIR_CANCELLED, "The caller cancelled the call or went away"));
        weir_ref_release(&call->rpc.ref);
    }
}

static delivery take_lists(weir_connection *connection) WEIR_REQUIRES(connection->lock)
{
    *connection->last = NULL;
    delivery lists = {connection->ready, connection->received.at, connection->received.count,
                      connection->broken};
    connection->ready = NULL;
    connection->last = &connection->ready;
    connection->received = (__typeof__(connection->received)){0};
    connection->broken = NULL;
    return lists;
}

/* Reads once and runs quick handlers; their answers are written together. */
static bool read_some(weir_connection *connection, bool *out_more)
{
    size_t count;
    weir_mutex_lock(&connection->lock);
    bool fine = weir_h2_read(&connection->h2, connection->server->buffer, &count, out_more);
    delivery lists = take_lists(connection);
    connection->corked = true;
    weir_mutex_unlock(&connection->lock);
    deliver(lists);
    weir_mutex_lock(&connection->lock);
    connection->corked = false;
    fine = fine && (connection->h2.wants_write || weir_h2_flush(&connection->h2));
    weir_mutex_unlock(&connection->lock);
    return fine;
}

static bool serve(weir_connection *connection, unsigned events)
{
    bool fine = true, more = events & (EPOLLIN | EPOLLHUP | EPOLLERR);
    if (events & EPOLLOUT) {
        weir_mutex_lock(&connection->lock);
        fine = weir_h2_flush(&connection->h2);
        weir_mutex_unlock(&connection->lock);
    }
    for (int i = 0; i < READS_AT_ONCE && fine && more; i++)
        fine = read_some(connection, &more);
    return fine;
}

static void close_connection(weir_connection *connection)
{
    if (connection->prev)
        connection->prev->next = connection->next;
    else
        connection->server->connections = connection->next;
    if (connection->next)
        connection->next->prev = connection->prev;
    connection->closed = true;
    weir_mutex_lock(&connection->lock);
    while (connection->calls)
        drop(connection, connection->calls, true);
    weir_h2_fini(&connection->h2);
    delivery lists = take_lists(connection);
    weir_ucx_close(connection->ucx);
    connection->ucx = NULL;
    weir_mutex_unlock(&connection->lock);
    deliver(lists);
    weir_shm_endpoint_close(connection->endpoint);
    weir_rpc_release_later(connection->server, &connection->ref);
}

static void on_events(weir_source *self, unsigned events)
{
    weir_connection *connection = WEIR_SOURCE_OWNER(self, weir_connection, source);
    if (!connection->closed && !serve(connection, events))
        close_connection(connection);
}

void weir_connection_close_all(weir_rpc_server *server)
{
    while (server->connections)
        close_connection(server->connections);
}

void weir_connection_create(weir_rpc_server *server, int fd)
{
    weir_connection *connection = WEIR_NEW(weir_connection);
    weir_ref_init(&connection->ref, destroy_connection);
    weir_mutex_init(&connection->lock);
    connection->server = server;
    connection->source.ready = on_events;
    connection->last = &connection->ready;
    connection->next = server->connections;
    if (connection->next)
        connection->next->prev = connection;
    server->connections = connection;
    weir_h2_init(&connection->h2, true, callbacks(), fd, server->epoll, &connection->source);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connection->source};
    if (epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event) != 0 ||
        !serve(connection, EPOLLOUT)) /* the settings */
        close_connection(connection);
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
    connection->endpoint = weir_shm_endpoint_create(server, shm, hang_up, connection);
}
