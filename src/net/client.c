/* net/client.c - gRPC over a channel's connection: requests as HTTP/2 streams, and their
 * answers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "net/access.h"
#include "net/channel_impl.h"
#include "net/grpc_impl.h"
#include "net/shm_handshake_impl.h"
#include "net/ucx_impl.h"

/* An unknown method: every gRPC server answers it, which proves that it is alive. */
#define KEEPALIVE_PATH "/weir.Transport/KeepAlive"

/* ---- requests ------------------------------------------------------------------------------- */

/* Identifies this process to servers. */
static uint64_t client_number(void)
{
    static _Atomic uint64_t number;
    uint64_t known = atomic_load_explicit(&number, memory_order_relaxed), made;
    if (known)
        return known;
    made = weir_random_token() | 1;
    return atomic_compare_exchange_strong(&number, &known, made) ? made : known;
}

/* Payloads that UCX transfers are not sent over streams. */
static size_t limit_message(const weir_channel *channel, size_t limit) WEIR_REQUIRES(channel->lock)
{
    return channel->ucx && limit > WEIR_UCX_MIN_BYTES ? WEIR_UCX_MIN_BYTES : limit;
}

/* |payload|: the id under which the server may send the answer's payload by UCX; 0: by gRPC. A
 * stream has an open body. */
static int32_t submit(weir_channel *channel, const char *path, int64_t timeout_ms, uint64_t payload,
                      weir_outgoing *out, void *user) WEIR_REQUIRES(channel->lock)
{
    char timeout[24], number[24], client[24], wish[24];
    WEIR_BUF(token);
    weir_access_header(&token);
    snprintf(client, sizeof client, "%" PRIx64, client_number());
    nghttp2_nv nv[] = {
        weir_h2_header(":method", WEIR_STR("POST")),
        weir_h2_header(":scheme", WEIR_STR("http")),
        weir_h2_header(":path", weir_str_of(path)),
        weir_h2_header(":authority", weir_str_of(channel->authority)),
        weir_h2_header("te", WEIR_STR("trailers")),
        weir_h2_header("content-type", WEIR_STR("application/grpc")),
        weir_h2_header("user-agent", WEIR_STR("weir")),
        weir_h2_header("grpc-accept-encoding", WEIR_STR("identity")),
        weir_h2_header(WEIR_CLIENT_HEADER, weir_str_of(client)),
        {0},
        {0},
        {0},
        {0},
    };
    size_t count = sizeof nv / sizeof *nv - 4;
    if (token.length)
        nv[count++] = weir_h2_header("authorization", weir_view(&token));
    if (timeout_ms > 0) {
        weir_grpc_timeout(timeout_ms, timeout);
        nv[count++] = weir_h2_header("grpc-timeout", weir_str_of(timeout));
    }
    if (payload) {
        snprintf(number, sizeof number, "%" PRIx64, payload);
        nv[count++] = weir_h2_header(WEIR_PAYLOAD_HEADER, weir_str_of(number));
    }
    if (out->open) {
        snprintf(wish, sizeof wish, "%zu", limit_message(channel, weir_h2_message_wish()));
        nv[count++] = weir_h2_header(WEIR_STREAM_HEADER, weir_str_of(wish));
    }
    nghttp2_data_provider body = weir_h2_body(out);
    return nghttp2_submit_request(channel->h2.session, NULL, nv, count, &body, user);
}

/* Abandons a connection that cannot open further streams; the call uses the next one, or ends with
 * |status|, which is taken over. */
static void send_elsewhere(weir_channel *channel, channel_call *call, weir_status status)
    WEIR_REQUIRES(channel->lock)
{
    if (weir_channel_put_back(channel, call, true))
        weir_status_free(status);
    else
        weir_channel_end(channel, &channel->active, call, status);
    shutdown(channel->h2.fd, SHUT_RDWR); /* the client I/O thread sees it and reconnects */
}

static void await_message(channel_call *call)
{
    call->in = (weir_incoming){.labelled = true, .payload_offset = call->spec.message_payload};
}

void weir_client_submit(weir_channel *channel, channel_call *call)
{
    call->out->open = call->spec.on_message != NULL;
    call->message_limit = limit_message(channel, weir_h2_message_limit(channel->streams));
    if (call->out->open)
        await_message(call);
    uint64_t payload = call->out->open ? 0 : weir_channel_expect_payload(channel, call);
    call->stream =
        submit(channel, call->spec.path, call->spec.timeout_ms, payload, call->out, call);
    if (call->stream > 0)
        return;
    call->stream = 0; /* ids are exhausted after 2^30 calls: use a new connection */
    send_elsewhere(channel, call, weir_error(WEIR_UNAVAILABLE, "Socket closed"));
}

bool weir_client_send_message(weir_channel *channel, channel_call *call, weir_str label,
                              const weir_rpc_message *message)
{
    if (!weir_outgoing_add_message(call->out, label, message))
        return false;
    nghttp2_session_resume_data(channel->h2.session, call->stream);
    weir_channel_flush(channel, weir_rpc_message_bytes(message));
    return true;
}

/* The channel owns the request: no call waits for the answer. */
void weir_client_send_keepalive(weir_channel *channel)
{
    if (!channel->keepalive_request)
        channel->keepalive_request = weir_outgoing_create(&(weir_rpc_message){0});
    channel->keepalive_request->planned = channel->keepalive_request->sent = 0;
    submit(channel, KEEPALIVE_PATH, 0, 0, channel->keepalive_request, NULL);
}

/* Streams whose calls have ended, and that the server is to close. It may leave all of them open:
 * beyond this number the oldest is reset. */
enum { MOST_ORPHANS = 256 };

static void reset_oldest(weir_channel *channel) WEIR_REQUIRES(channel->lock)
{
    size_t i = 0;
    while (i < channel->orphans.count && channel->orphans.at[i].reset)
        i++;
    if (i == channel->orphans.count)
        return;
    channel->orphans.at[i].reset = true;
    nghttp2_submit_rst_stream(channel->h2.session, NGHTTP2_FLAG_NONE, channel->orphans.at[i].stream,
                              NGHTTP2_CANCEL);
}

/* Detaches the stream from its call. */
static void abandon(weir_channel *channel, channel_call *call, bool reset)
    WEIR_REQUIRES(channel->lock)
{
    if (channel->orphans.count >= MOST_ORPHANS)
        reset_oldest(channel);
    nghttp2_session_set_stream_user_data(channel->h2.session, call->stream, NULL);
    weir_ref_retain(&call->out->ref);
    weir_vec_push(&channel->orphans, ((orphan){call->stream, call->out, reset}));
}

void weir_client_reset(weir_channel *channel, channel_call *call)
{
    abandon(channel, call, true);
    nghttp2_submit_rst_stream(channel->h2.session, NGHTTP2_FLAG_NONE, call->stream, NGHTTP2_CANCEL);
}

void weir_client_drop(weir_channel *channel)
{
    if (channel->receiver)
        weir_word_watch_kick(channel->receiver);
    weir_channel_drop_shm(channel);
    weir_channel_drop_ucx(channel);
    weir_h2_fini(&channel->h2);
    for (size_t i = 0; i < channel->orphans.count; i++)
        weir_ref_release(&channel->orphans.at[i].out->ref);
    weir_vec_fini(&channel->orphans);
    if (channel->keepalive_request)
        weir_ref_release(&channel->keepalive_request->ref);
    channel->keepalive_request = NULL;
    weir_tls_link_release(channel->tls);
    channel->tls = NULL;
    weir_buf_fini(&channel->farewell);
    channel->settings_received = channel->goaway = false;
    channel->streams = 0;
}

/* ---- answers -------------------------------------------------------------------------------- */

/* gRPC's status for an HTTP status, or a reset stream, without a grpc-status. */
static weir_status from_http(int status)
{
    weir_code code = status == 401                                       ? WEIR_UNAUTHENTICATED
                     : status == 403                                     ? WEIR_PERMISSION_DENIED
                     : status == 404                                     ? WEIR_UNIMPLEMENTED
                     : status == 429 || (status >= 502 && status <= 504) ? WEIR_UNAVAILABLE
                                                                         : WEIR_UNKNOWN;
    return weir_error(code, "Received http2 header with status: %d", status);
}

static weir_status from_reset(uint32_t why)
{
    weir_code code = why == NGHTTP2_REFUSED_STREAM      ? WEIR_UNAVAILABLE
                     : why == NGHTTP2_CANCEL            ? WEIR_CANCELLED
                     : why == NGHTTP2_ENHANCE_YOUR_CALM ? WEIR_RESOURCE_EXHAUSTED
                                                        : WEIR_INTERNAL;
    return weir_error(code, "Received RST_STREAM with error code %u", why);
}

static bool is_whole(const channel_call *call)
{
    return call->has_status && call->code == 0 && weir_incoming_whole(&call->in);
}

/* The head was received, its payload arrives by UCX. */
static bool lacks_payload(const channel_call *call)
{
    return is_whole(call) && call->payload.promised && !call->payload.received && call->payload.id;
}

static weir_status result_of(channel_call *call)
{
    if (!call->has_status)
        return call->http_status != 200 ? from_http(call->http_status)
                                        : weir_error(WEIR_UNKNOWN, "the answer has no grpc-status");
    if (call->code == 0 && (!is_whole(call) || lacks_payload(call)))
        return weir_error(WEIR_INTERNAL, "the answer is not one whole message");
    if (call->code == 0)
        return call->payload.promised ? weir_channel_take_payload(call) : WEIR_OK;
    weir_code code =
        call->code > 0 && call->code <= WEIR_UNAUTHENTICATED ? call->code : WEIR_UNKNOWN;
    return weir_status_mark(weir_error_text(code, call->error_text.at ? call->error_text.at : "",
                                            call->error_text.length),
                            call->marks);
}

static channel_call *call_of(nghttp2_session *session, int32_t stream)
{
    return nghttp2_session_get_stream_user_data(session, stream);
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                     size_t name_length, const uint8_t *value, size_t value_length, uint8_t flags,
                     void *arg)
{
    channel_call *call = call_of(session, frame->hd.stream_id);
    weir_str key = {(const char *)name, name_length}, text = {(const char *)value, value_length};
    if (!call)
        return 0;
    if (weir_str_is(key, ":status")) {
        call->http_status = atoi(text.at); /* nghttp2 terminates values */
    } else if (weir_str_is(key, "grpc-status")) {
        call->has_status = true;
        call->code = atoi(text.at);
    } else if (weir_str_is(key, "grpc-message")) {
        call->error_text.length = 0;
        weir_grpc_unescape(text, &call->error_text);
    } else if (weir_str_is(key, "grpc-status-details-bin")) {
        call->marks = weir_grpc_parse_details(text);
    } else if (weir_str_is(key, WEIR_PAYLOAD_HEADER)) {
        unsigned long long bytes = strtoull(text.at, NULL, 10);
        call->payload.promised =
            bytes > MAX_MESSAGE_BYTES ? MAX_MESSAGE_BYTES + 1u : bytes; /* too large in any case */
    }
    return 0;
}

static void leave_stream(weir_channel *channel, channel_call *call, bool reset)
    WEIR_REQUIRES(channel->lock)
{
    if (reset)
        weir_client_reset(channel, call);
    else if (call->out->open)
        abandon(channel, call, false); /* the server closes it */
    else
        nghttp2_session_set_stream_user_data(channel->h2.session, call->stream, NULL);
}

static void conclude(weir_channel *channel, channel_call *call, weir_status status, bool reset)
    WEIR_REQUIRES(channel->lock)
{
    leave_stream(channel, call, reset);
    weir_channel_end(channel, &channel->active, call, status);
}

/* The answer was received completely by gRPC, except perhaps a payload. */
static void answered(weir_channel *channel, channel_call *call) WEIR_REQUIRES(channel->lock)
{
    bool reset = call->out->planned < call->out->total && !call->out->open;
    if (lacks_payload(call)) {
        leave_stream(channel, call, reset);
        weir_channel_await_payload(call);
    } else {
        conclude(channel, call, result_of(call), reset);
    }
}

/* One complete gRPC message of a stream: a labelled message, or the answer, which stays in |in|. */
static weir_status receive_of_stream(weir_channel *channel, channel_call *call)
    WEIR_REQUIRES(channel->lock)
{
    weir_buf label = {0};
    if (!weir_incoming_label(&call->in.message, &call->answered, &label))
        return weir_error(WEIR_INTERNAL, "Unable to parse a message of a stream");
    if (call->answered)
        return WEIR_OK; /* it has no label */
    weir_ref_retain(&call->ref);
    weir_vec_push(&channel->received, ((weir_stream_message){call, label, call->in.message}));
    await_message(call);
    return WEIR_OK;
}

static weir_status read_stream(weir_channel *channel, channel_call *call, const uint8_t *data,
                               size_t length) WEIR_REQUIRES(channel->lock)
{
    while (length) {
        size_t taken = 0;
        if (!call->answered)
            WEIR_TRY(weir_incoming_take(&call->in, data, length, &taken));
        if (!taken || call->in.compressed)
            return weir_error(WEIR_INTERNAL, "Received more than the answer to a stream");
        data += taken;
        length -= taken;
        if (weir_incoming_whole(&call->in))
            WEIR_TRY(receive_of_stream(channel, call));
    }
    return WEIR_OK;
}

static weir_status read_answer(weir_channel *channel, channel_call *call, const uint8_t *data,
                               size_t length) WEIR_REQUIRES(channel->lock)
{
    return call->out->open ? read_stream(channel, call, data, length)
                           : weir_incoming_add(&call->in, data, length);
}

/* ---- nghttp2's callbacks: it is only called under the channel's lock --------------------------
 */

WEIR_UNCHECKED_LOCKING static int on_data(nghttp2_session *session, uint8_t flags, int32_t stream,
                                          const uint8_t *data, size_t length, void *arg)
{
    weir_channel *channel = arg;
    channel_call *call = call_of(session, stream);
    weir_status status = call ? read_answer(channel, call, data, length) : WEIR_OK;
    if (status)
        conclude(channel, call, status, true);
    size_t room = 0;
    uint8_t *to = call && !status ? weir_incoming_place(&call->in, &room) : NULL;
    weir_h2_expect(&channel->h2, length, to, room);
    return 0;
}

static void on_settings(weir_channel *channel, const nghttp2_settings *settings)
    WEIR_REQUIRES(channel->lock)
{
    channel->settings_received = true;
    for (size_t i = 0; i < settings->niv; i++)
        if (settings->iv[i].settings_id == WEIR_H2_SETTINGS_STREAMS)
            channel->streams = settings->iv[i].value;
}

static void on_goaway(weir_channel *channel, const nghttp2_goaway *frame)
    WEIR_REQUIRES(channel->lock)
{
    channel->goaway = true;
    channel->farewell.length = 0;
    weir_buf_add_escaped(&channel->farewell,
                         (weir_str){(const char *)frame->opaque_data, frame->opaque_data_len},
                         true);
}

WEIR_UNCHECKED_LOCKING static int on_frame(nghttp2_session *session, const nghttp2_frame *frame,
                                           void *arg)
{
    weir_channel *channel = arg;
    channel->silent_ticks = 0;
    channel->unframed_bytes = 0;
    if (frame->hd.type == NGHTTP2_SETTINGS)
        on_settings(channel, &frame->settings);
    else if (frame->hd.type == NGHTTP2_GOAWAY)
        on_goaway(channel, &frame->goaway);
    bool end = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    bool of_answer = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    channel_call *call = end && of_answer ? call_of(session, frame->hd.stream_id) : NULL;
    if (call)
        answered(channel, call);
    return 0;
}

static void forget_orphan(weir_channel *channel, int32_t stream) WEIR_REQUIRES(channel->lock)
{
    for (size_t i = 0; i < channel->orphans.count; i++)
        if (channel->orphans.at[i].stream == stream) {
            weir_ref_release(&channel->orphans.at[i].out->ref);
            channel->orphans.count--;
            memmove(&channel->orphans.at[i], &channel->orphans.at[i + 1],
                    sizeof *channel->orphans.at * (channel->orphans.count - i));
            return;
        }
}

/* The server reports that it has not started the call: retry it. False: too many retries. */
static bool resubmit(weir_channel *channel, channel_call *call) WEIR_REQUIRES(channel->lock)
{
    if (!weir_channel_put_back(channel, call, true))
        return false;
    if (nghttp2_session_check_request_allowed(channel->h2.session)) {
        weir_calls_remove(&channel->waiting, call);
        weir_calls_add(&channel->active, call);
        weir_client_submit(channel, call);
    }
    return true;
}

WEIR_UNCHECKED_LOCKING static int on_stream_close(nghttp2_session *session, int32_t stream,
                                                  uint32_t code, void *arg)
{
    weir_channel *channel = arg;
    channel_call *call = call_of(session, stream);
    weir_h2_leave_line(&channel->h2, stream);
    if (call && code == NGHTTP2_REFUSED_STREAM && resubmit(channel, call))
        return 0;
    if (call)
        weir_channel_end(channel, &channel->active, call,
                         call->has_status ? result_of(call) : from_reset(code));
    else
        forget_orphan(channel, stream);
    return 0;
}

/* A request that was not sent: nghttp2 opened no stream for it. */
WEIR_UNCHECKED_LOCKING static int on_not_sent(nghttp2_session *session, const nghttp2_frame *frame,
                                              int why, void *arg)
{
    weir_channel *channel = arg;
    if (frame->hd.type != NGHTTP2_HEADERS)
        return 0;
    forget_orphan(channel, frame->hd.stream_id);
    nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, NULL); /* it closes next */
    bool closing = why == NGHTTP2_ERR_SESSION_CLOSING ||
                   why == NGHTTP2_ERR_START_STREAM_NOT_ALLOWED ||
                   why == NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE;
    for (channel_call *call = channel->active.first; call; call = call->next)
        if (call->stream == frame->hd.stream_id) {
            weir_status refused = from_reset(NGHTTP2_REFUSED_STREAM);
            if (closing)
                send_elsewhere(channel, call, refused);
            else
                weir_channel_end(channel, &channel->active, call, refused);
            break;
        }
    return 0;
}

nghttp2_session_callbacks *weir_client_callbacks(void)
{
    nghttp2_session_callbacks *calls = weir_h2_callbacks();
    if (!calls)
        return NULL;
    nghttp2_session_callbacks_set_on_header_callback(calls, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(calls, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(calls, on_frame);
    nghttp2_session_callbacks_set_on_frame_not_send_callback(calls, on_not_sent);
    nghttp2_session_callbacks_set_on_stream_close_callback(calls, on_stream_close);
    return calls;
}
