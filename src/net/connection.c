/* net/http2.c - the server's connections: nghttp2 between sockets and calls.
 *
 * The I/O thread reads. Whoever answers a call writes, under the connection's lock. Under that
 * lock nothing of the outside is called: calls that are complete and calls that are broken are put
 * on lists, and the I/O thread goes through them afterwards.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/grpc_impl.h"
#include "net/h2_impl.h"
#include "net/rpc_impl.h"
#include "net/shm_endpoint_impl.h"
#include "net/shm_handshake_impl.h"
#include "net/ucx_impl.h"
#include "wire/pb.h"

typedef struct h2_call h2_call;
typedef struct weir_connection connection;

/* A message of a stream that has come. */
typedef struct stream_message {
    h2_call *call; /* retained */
    weir_buf label;
    weir_rpc_message m;
} stream_message;

struct weir_connection {
    weir_h2 h2; /* first: what nghttp2's callbacks get; under lock */
    weir_ref ref;
    weir_source source;
    pthread_mutex_t lock;
    weir_rpc_server *server;
    uint64_t token;     /* what a shm transport for it names; 0: none was asked for; under lock */
    weir_ucx_peer *ucx; /* where large payloads go; null: by gRPC; under lock */
    weir_shm_endpoint *endpoint;       /* the shm transport's end; the I/O thread only */
    bool closed;                       /* the I/O thread only */
    weir_connection *next, *prev;      /* the I/O thread only */
    h2_call *calls;                    /* with an open stream; under lock */
    weir_rpc *ready, **last;           /* complete, for handlers; under lock */
    h2_call *broken;                   /* for their cancel to be fired; under lock */
    WEIR_VEC(stream_message) received; /* of streams, for who listens; under lock */
    bool corked;                       /* the I/O thread will flush soon; under lock */
};

struct h2_call {
    weir_rpc rpc;
    weir_connection *conn; /* retained */
    int32_t stream;
    uint64_t
        payload_id; /* the caller takes the answer's payload by UCX, under this number; 0: not */
    bool open, complete;  /* under the connection's lock */
    bool streams;         /* messages may go and come; the request ends where its message does */
    h2_call *next, *prev; /* among the connection's open ones; next also among its broken ones */
    weir_buf path;
    weir_incoming in;
    weir_outgoing *out;
};

enum { READS_AT_ONCE = 8 };

/* ---- connections and calls ------------------------------------------------------------------ */

static void destroy_connection(weir_ref *ref)
{
    weir_connection *this_connection =
        (weir_connection *)((char *)ref - offsetof(weir_connection, ref));
    pthread_mutex_destroy(&this_connection->lock);
    weir_free(this_connection);
}

static void destroy_call(weir_rpc *rpc)
{
    h2_call *call = (h2_call *)rpc;
    weir_rpc_fini(rpc);
    weir_buf_fini(&call->path);
    weir_incoming_fini(&call->in);
    if (call->out)
        weir_ref_release(&call->out->ref);
    weir_ref_release(&call->conn->ref);
    weir_free(call);
}

static void unlink_call(h2_call *call)
{
    call->open = false;
    if (call->prev)
        call->prev->next = call->next;
    else
        call->conn->calls = call->next;
    if (call->next)
        call->next->prev = call->prev;
}

/* ---- answers -------------------------------------------------------------------------------- */

static void submit_status(weir_connection *connection, int32_t stream, weir_status result)
{
    weir_h2_status status;
    weir_h2_status_init(&status, result);
    nghttp2_nv nv[5] = {
        weir_h2_header(":status", WEIR_STR("200")),
        weir_h2_header("content-type", WEIR_STR("application/grpc")),
    };
    memcpy(nv + 2, status.nv, sizeof status.nv);
    nghttp2_submit_response(connection->h2.session, stream, nv, 2 + status.count, NULL);
    weir_h2_status_fini(&status);
}

/* Takes a large payload off the answer and sends it by UCX, if the caller wants that. Its bytes. */
static size_t send_payload(h2_call *call)
{
    weir_rpc_message *message = &call->rpc.reply;
    size_t bytes = message->payload ? message->payload_bytes : 0;
    if (!call->payload_id || !call->conn->ucx || bytes < WEIR_UCX_MIN_BYTES ||
        !weir_ucx_send(call->conn->ucx, call->payload_id, message->payload, message->payload_at,
                       bytes))
        return 0;
    weir_buffer_release(message->payload);
    message->payload = NULL;
    return bytes;
}

/* The body of an answer, with |payload_bytes| by UCX. */
static void submit_body(h2_call *call, size_t payload_bytes)
{
    weir_connection *connection = call->conn;
    char number[24];
    call->out->answer = true;
    nghttp2_nv nv[] = {
        weir_h2_header(":status", WEIR_STR("200")),
        weir_h2_header("content-type", WEIR_STR("application/grpc")),
        weir_h2_header("grpc-accept-encoding", WEIR_STR("identity")),
        {0},
    };
    size_t size = sizeof nv / sizeof *nv - 1;
    if (payload_bytes) {
        snprintf(number, sizeof number, "%zu", payload_bytes);
        nv[size++] = weir_h2_header(WEIR_PAYLOAD_HEADER, weir_str_of(number));
    }
    nghttp2_data_provider body = weir_h2_body(call->out);
    nghttp2_submit_response(connection->h2.session, call->stream, nv, size, &body);
}

/* The answer to a stream goes behind its messages. */
static void end_stream(h2_call *call)
{
    if (call->rpc.status && !call->out) {
        submit_status(call->conn, call->stream, call->rpc.status);
        return;
    }
    bool begun = call->out != NULL;
    if (!begun)
        call->out = weir_outgoing_create_open();
    if (call->rpc.status)
        call->out->status = weir_status_copy(call->rpc.status);
    else if (!weir_outgoing_add_answer(call->out, &call->rpc.reply))
        call->out->status = weir_error(WEIR_RESOURCE_EXHAUSTED, "the answer is too large");
    call->out->open = false;
    if (begun)
        nghttp2_session_resume_data(call->conn->h2.session, call->stream);
    else
        submit_body(call, 0);
}

static void submit_answer(h2_call *call)
{
    if (call->streams) {
        end_stream(call);
    } else if (call->rpc.status) {
        submit_status(call->conn, call->stream, call->rpc.status);
    } else {
        size_t payload_bytes = send_payload(call);
        call->out = weir_outgoing_create(&call->rpc.reply);
        submit_body(call, payload_bytes);
    }
}

/* Writes unless the I/O thread is about to; lock held. */
static void flush(weir_connection *connection, size_t bytes)
{
    if (!connection->corked && !weir_h2_flush_soon(&connection->h2, bytes))
        shutdown(connection->h2.fd, SHUT_RDWR); /* the I/O thread sees it and closes */
}

static void send_answer(weir_rpc *rpc)
{
    h2_call *call = (h2_call *)rpc;
    weir_connection *connection = call->conn;
    pthread_mutex_lock(&connection->lock);
    weir_ref *listener = rpc->on_message_arg; /* it may hold the call */
    rpc->on_message = NULL;
    rpc->on_message_arg = NULL;
    if (call->open) {
        size_t bytes = weir_rpc_message_bytes(&rpc->reply);
        submit_answer(call);
        flush(connection, bytes);
    }
    pthread_mutex_unlock(&connection->lock);
    weir_ref_release(listener);
    weir_ref_release(&rpc->ref);
}

/* ---- streams -------------------------------------------------------------------------------- */

/* A message goes nowhere when the call is answered or its caller gone. */
static bool send_message(weir_rpc *rpc, weir_str label, const weir_rpc_message *message)
{
    h2_call *call = (h2_call *)rpc;
    weir_connection *connection = call->conn;
    pthread_mutex_lock(&connection->lock);
    bool begun = call->out != NULL, open = call->open && (!begun || call->out->open);
    if (open && !begun)
        call->out = weir_outgoing_create_open();
    bool sent = open && weir_outgoing_add_message(call->out, label, message);
    if (open && !begun)
        submit_body(call, 0);
    else if (sent)
        nghttp2_session_resume_data(connection->h2.session, call->stream);
    if (open)
        flush(connection, weir_rpc_message_bytes(message));
    pthread_mutex_unlock(&connection->lock);
    return sent || !open;
}

static void hand_on(stream_message *message)
{
    weir_rpc *rpc = &message->call->rpc;
    pthread_mutex_lock(rpc->stream_lock);
    void (*on_message)(weir_ref * arg, weir_str label, weir_rpc_message * m) = rpc->on_message;
    weir_ref *arg = on_message ? rpc->on_message_arg : NULL;
    if (arg)
        weir_ref_retain(arg);
    pthread_mutex_unlock(rpc->stream_lock);
    if (on_message)
        on_message(arg,
                   (weir_str){message->label.at ? message->label.at : "", message->label.length},
                   &message->m);
    weir_ref_release(arg);
    weir_rpc_message_fini(&message->m);
    weir_buf_fini(&message->label);
    weir_ref_release(&rpc->ref);
}

/* ---- nghttp2's callbacks -------------------------------------------------------------------- */

static h2_call *call_of(nghttp2_session *session, int32_t stream)
{
    return nghttp2_session_get_stream_user_data(session, stream);
}

static int on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *arg)
{
    weir_connection *connection = arg;
    if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST)
        return 0;
    h2_call *call = WEIR_NEW(h2_call);
    weir_rpc_init(&call->rpc, connection->server);
    call->rpc.send = send_answer;
    call->rpc.destroy = destroy_call;
    weir_ref_retain(&connection->ref);
    call->conn = connection;
    call->stream = frame->hd.stream_id;
    call->open = true;
    call->next = connection->calls;
    if (call->next)
        call->next->prev = call;
    connection->calls = call;
    nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, call);
    return 0;
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
        weir_buf_add(&call->path, text.at, text.length);
    else if (weir_str_is(key, "grpc-timeout"))
        call->rpc.timeout_ms = weir_grpc_parse_timeout(text);
    else if (weir_str_is(key, WEIR_PAYLOAD_HEADER))
        call->payload_id = strtoull(text.at, NULL, 16);
    else if (weir_str_is(key, WEIR_STREAM_HEADER))
        call->streams = true;
    return 0;
}

static void refuse(weir_connection *connection, h2_call *call, weir_status status)
{
    call->complete = true;
    submit_status(connection, call->stream, status);
    weir_status_free(status);
}

/* Tells the client where it finds a shm transport for this connection. */
static void offer_shm(weir_connection *connection, h2_call *call)
{
    if (!connection->token)
        connection->token = weir_random_token() | 1;
    weir_pb_put_str(&call->rpc.reply.head, 1, connection->server->shm_name);
    weir_pb_put_varint(&call->rpc.reply.head, 2, connection->token);
    submit_answer(call);
}

/* A payload got lost: so does the connection, and with it whoever waits for the payload. */
static void ucx_broke(weir_ref *owner)
{
    weir_connection *this_connection =
        (weir_connection *)((char *)owner - offsetof(weir_connection, ref));
    pthread_mutex_lock(&this_connection->lock);
    if (this_connection->h2.fd >= 0)
        shutdown(this_connection->h2.fd, SHUT_RDWR); /* the I/O thread sees it and closes */
    pthread_mutex_unlock(&this_connection->lock);
}

/* Opens UCX for this connection, or says that it may be. On a thread of its own: it takes time. */
static void open_ucx(weir_rpc *rpc, void *ctx)
{
    weir_connection *connection = ((h2_call *)rpc)->conn;
    weir_ucx_peer *peer;
    weir_status status = weir_ucx_accept(weir_rpc_request(rpc), ucx_broke, &connection->ref, &peer);
    pthread_mutex_lock(&connection->lock);
    if (peer && !connection->ucx && connection->h2.fd >= 0) {
        connection->ucx = peer;
        peer = NULL;
    }
    pthread_mutex_unlock(&connection->lock);
    weir_ucx_close(peer); /* one too many, or too late */
    if (status)
        weir_rpc_fail(rpc, status);
    else
        weir_rpc_reply(rpc, &(weir_buf){0});
}

static const weir_rpc_method ucx_method = {WEIR_UCX_OPEN, open_ucx};

/* The request has ended. */
static void receive(weir_connection *connection, h2_call *call)
{
    weir_str path = {call->path.at, call->path.length};
    call->complete = true;
    call->rpc.stream_lock = &connection->lock;
    if (call->streams)
        call->rpc.send_message = send_message;
    call->rpc.message_limit = WEIR_H2_MESSAGE_LIMIT;
    call->rpc.method =
        weir_str_is(path, WEIR_UCX_OPEN) ? &ucx_method : weir_rpc_find(connection->server, path);
    if (connection->server->shm_listener >= 0 && weir_str_is(path, WEIR_SHM_OPEN)) {
        offer_shm(connection, call);
    } else if (!call->rpc.method) {
        refuse(connection, call, weir_error_text(WEIR_UNIMPLEMENTED, "", 0));
    } else if (!weir_incoming_whole(&call->in)) {
        refuse(connection, call, weir_error(WEIR_INTERNAL, "Unable to parse request"));
    } else {
        call->rpc.request = call->in.m;
        call->in.m = (weir_rpc_message){0};
        weir_ref_retain(&call->rpc.ref);
        *connection->last = &call->rpc;
        connection->last = &call->rpc.next;
    }
}

/* One whole message of a stream: the request, then messages. */
static weir_status receive_of_stream(weir_connection *connection, h2_call *call)
{
    if (!call->complete) {
        receive(connection, call);
        weir_incoming_fini(&call->in);
        call->in = (weir_incoming){0};
        return WEIR_OK;
    }
    stream_message message = {.call = call, .m = call->in.m};
    bool answer, fine = weir_incoming_label(&message.m, &answer, &message.label) && !answer;
    call->in = (weir_incoming){0};
    if (!fine) {
        weir_rpc_message_fini(&message.m);
        weir_buf_fini(&message.label);
        return weir_error(WEIR_INTERNAL, "Unable to parse a part of a stream");
    }
    weir_ref_retain(&call->rpc.ref);
    weir_vec_push(&connection->received, message);
    return WEIR_OK;
}

static weir_status read_stream(weir_connection *connection, h2_call *call, const uint8_t *data,
                               size_t length)
{
    while (length) {
        size_t taken;
        WEIR_TRY(weir_incoming_take(&call->in, data, length, &taken));
        data += taken;
        length -= taken;
        if (call->in.compressed)
            return weir_error(WEIR_INTERNAL, "Received a compressed part of a stream");
        if (weir_incoming_whole(&call->in))
            WEIR_TRY(receive_of_stream(connection, call));
    }
    return WEIR_OK;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *data,
                   size_t length, void *arg)
{
    weir_connection *connection = arg;
    h2_call *call = call_of(session, stream);
    if (!call || (call->complete && !call->streams))
        return 0;
    weir_status status = call->streams ? read_stream(connection, call, data, length)
                                       : weir_incoming_add(&call->in, data, length);
    if (status && !call->complete) {
        refuse(connection, call, status);
    } else if (status) { /* nobody can go on with it */
        weir_status_free(status);
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, stream, NGHTTP2_PROTOCOL_ERROR);
    }
    return 0;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *arg)
{
    bool end = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    bool of_request = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    h2_call *call = end && of_request ? call_of(session, frame->hd.stream_id) : NULL;
    if (call && !call->complete)
        receive(arg, call);
    return 0;
}

/* The answer to a stream has left. Its caller, who says nothing more, need not say so. */
static int on_sent(nghttp2_session *session, const nghttp2_frame *frame, void *arg)
{
    bool end = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    bool of_answer = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    h2_call *call = end && of_answer ? call_of(session, frame->hd.stream_id) : NULL;
    if (call && call->streams)
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, call->stream, NGHTTP2_NO_ERROR);
    return 0;
}

/* Lets go of a call whose stream is gone. */
static void drop(weir_connection *connection, h2_call *call, bool broken)
{
    unlink_call(call);
    if (broken && call->rpc.method) { /* passes the stream's reference on */
        call->next = connection->broken;
        connection->broken = call;
    } else {
        weir_ref_release(&call->rpc.ref);
    }
}

static int on_stream_close(nghttp2_session *session, int32_t stream, uint32_t code, void *arg)
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

/* ---- the loop's side ------------------------------------------------------------------------ */

/* What is to be called without the lock. */
typedef struct to_deliver {
    weir_rpc *ready;
    stream_message *messages;
    size_t message_count;
    h2_call *broken;
} to_deliver;

/* Gives complete calls to their handlers, messages to who listens, and fires what broken ones wait
 * for. */
static void deliver(to_deliver to_deliver)
{
    while (to_deliver.ready) {
        weir_rpc *call = to_deliver.ready;
        to_deliver.ready = call->next;
        weir_rpc_dispatch(call);
        weir_ref_release(&call->ref);
    }
    for (size_t i = 0; i < to_deliver.message_count; i++)
        hand_on(&to_deliver.messages[i]);
    weir_free(to_deliver.messages);
    while (to_deliver.broken) {
        h2_call *call = to_deliver.broken;
        to_deliver.broken = call->next;
        weir_cancel_fire(call->rpc.cancel,
                         weir_error(WEIR_CANCELLED, "The caller cancelled the call or went away"));
        weir_ref_release(&call->rpc.ref);
    }
}

static to_deliver take_lists(weir_connection *connection)
{
    *connection->last = NULL;
    to_deliver deliver = {connection->ready, connection->received.at, connection->received.count,
                          connection->broken};
    connection->ready = NULL;
    connection->last = &connection->ready;
    connection->received = (__typeof__(connection->received)){0};
    connection->broken = NULL;
    return deliver;
}

/* Reads once and lets handlers run; their answers go out together. */
static bool read_some(weir_connection *connection, bool *out_more)
{
    size_t count;
    pthread_mutex_lock(&connection->lock);
    bool fine = weir_h2_read(&connection->h2, connection->server->buffer, &count, out_more);
    to_deliver to_deliver = take_lists(connection);
    connection->corked = true;
    pthread_mutex_unlock(&connection->lock);
    deliver(to_deliver);
    pthread_mutex_lock(&connection->lock);
    connection->corked = false;
    fine = fine && (connection->h2.wants_write || weir_h2_flush(&connection->h2));
    pthread_mutex_unlock(&connection->lock);
    return fine;
}

static bool serve(weir_connection *connection, unsigned events)
{
    bool fine = true, more = events & (EPOLLIN | EPOLLHUP | EPOLLERR);
    if (events & EPOLLOUT) {
        pthread_mutex_lock(&connection->lock);
        fine = weir_h2_flush(&connection->h2);
        pthread_mutex_unlock(&connection->lock);
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
    pthread_mutex_lock(&connection->lock);
    while (connection->calls)
        drop(connection, connection->calls, true);
    weir_h2_fini(&connection->h2);
    to_deliver to_deliver = take_lists(connection);
    weir_ucx_close(connection->ucx);
    connection->ucx = NULL;
    pthread_mutex_unlock(&connection->lock);
    deliver(to_deliver);
    weir_shm_endpoint_close(connection->endpoint);
    weir_rpc_release_later(connection->server, &connection->ref);
}

static void on_events(weir_source *self, unsigned events)
{
    weir_connection *this_connection = WEIR_SOURCE_OWNER(self, weir_connection, source);
    if (!this_connection->closed && !serve(this_connection, events))
        close_connection(this_connection);
}

void weir_connection_close_all(weir_rpc_server *server)
{
    while (server->connections)
        close_connection(server->connections);
}

void weir_connection_create(weir_rpc_server *server, int fd)
{
    weir_connection *new_connection = WEIR_NEW(weir_connection);
    weir_ref_init(&new_connection->ref, destroy_connection);
    pthread_mutex_init(&new_connection->lock, NULL);
    new_connection->server = server;
    new_connection->source.ready = on_events;
    new_connection->last = &new_connection->ready;
    new_connection->next = server->connections;
    if (new_connection->next)
        new_connection->next->prev = new_connection;
    server->connections = new_connection;
    weir_h2_init(&new_connection->h2, true, callbacks(), fd, server->epoll,
                 &new_connection->source);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &new_connection->source};
    if (epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event) != 0 ||
        !serve(new_connection, EPOLLOUT)) /* the settings */
        close_connection(new_connection);
}

/* ---- shm transports
 * ---------------------------------------------------------------------------------- */

static weir_connection *find_token(weir_rpc_server *server, uint64_t token)
{
    weir_connection *found = NULL;
    for (weir_connection *connection = server->connections; connection && token && !found;
         connection = connection->next) {
        pthread_mutex_lock(&connection->lock);
        if (connection->token == token && !connection->endpoint)
            found = connection;
        pthread_mutex_unlock(&connection->lock);
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
