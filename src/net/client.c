/* net/client.c - gRPC over a channel's connection: requests into streams, answers out of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "net/channel_impl.h"
#include "net/grpc_impl.h"
#include "net/ucx_impl.h"

/* An unknown method: every gRPC server answers it, and so shows that it is alive. */
#define PROBE "/weir.Road/Probe"

/* ---- requests ------------------------------------------------------------------------------- */

/* |payload|: the number under which the server may send the answer's payload by UCX; 0: by gRPC. A
 * stream has an open body. */
static int32_t submit(weir_channel *c, const char *path, int64_t timeout_ms, uint64_t payload,
                      weir_outgoing *out, void *user)
{
    char timeout[24], number[24];
    nghttp2_nv nv[] = {
        weir_h2_header(":method", WEIR_STR("POST")),
        weir_h2_header(":scheme", WEIR_STR("http")),
        weir_h2_header(":path", weir_str_of(path)),
        weir_h2_header(":authority", weir_str_of(c->address)),
        weir_h2_header("te", WEIR_STR("trailers")),
        weir_h2_header("content-type", WEIR_STR("application/grpc")),
        weir_h2_header("user-agent", WEIR_STR("weir")),
        weir_h2_header("grpc-accept-encoding", WEIR_STR("identity")),
        {0},
        {0},
        {0},
    };
    size_t n = sizeof nv / sizeof *nv - 3;
    if (timeout_ms > 0) {
        weir_grpc_timeout(timeout_ms, timeout);
        nv[n++] = weir_h2_header("grpc-timeout", weir_str_of(timeout));
    }
    if (payload) {
        snprintf(number, sizeof number, "%" PRIx64, payload);
        nv[n++] = weir_h2_header(WEIR_PAYLOAD_HEADER, weir_str_of(number));
    }
    if (out->open)
        nv[n++] = weir_h2_header(WEIR_STREAM_HEADER, WEIR_STR("1"));
    nghttp2_data_provider body = weir_h2_body(out);
    return nghttp2_submit_request(c->h2.session, NULL, nv, n, &body, user);
}

void weir_client_submit(weir_channel *c, call *k)
{
    k->out->open = k->spec.on_message != NULL;
    if (k->out->open)
        k->in.payload_offset = NULL; /* messages come in a row, and are small */
    uint64_t payload = k->out->open ? 0 : weir_channel_expect_payload(c, k);
    k->stream = submit(c, k->spec.path, k->spec.timeout_ms, payload, k->out, k);
    if (k->stream > 0)
        return;
    k->stream = 0; /* ids are used up after 2^30 calls: a new connection has new ones */
    weir_channel_end(c, &c->active, k, weir_error(WEIR_UNAVAILABLE, "Socket closed"));
    shutdown(c->h2.fd, SHUT_RDWR);
}

bool weir_client_send_message(weir_channel *c, call *k, weir_str label, const weir_rpc_message *m)
{
    if (!weir_outgoing_add_message(k->out, label, m))
        return false;
    nghttp2_session_resume_data(c->h2.session, k->stream);
    weir_channel_flush(c, weir_rpc_message_bytes(m));
    return true;
}

/* The probe's message stays with the channel: no call waits for the answer. */
void weir_client_send_keepalive(weir_channel *c)
{
    if (!c->probe)
        c->probe = weir_outgoing_create(&(weir_rpc_message){0});
    c->probe->planned = c->probe->sent = 0;
    submit(c, PROBE, 0, 0, c->probe, NULL);
}

/* The stream goes on without its call. */
static void abandon(weir_channel *c, call *k)
{
    nghttp2_session_set_stream_user_data(c->h2.session, k->stream, NULL);
    weir_ref_retain(&k->out->ref);
    weir_vec_push(&c->orphans, (orphan){k->stream, k->out});
}

void weir_client_reset(weir_channel *c, call *k)
{
    abandon(c, k);
    nghttp2_submit_rst_stream(c->h2.session, NGHTTP2_FLAG_NONE, k->stream, NGHTTP2_CANCEL);
}

void weir_client_drop(weir_channel *c)
{
    weir_channel_drop_shm(c);
    weir_channel_drop_ucx(c);
    weir_h2_fini(&c->h2);
    for (size_t i = 0; i < c->orphans.count; i++)
        weir_ref_release(&c->orphans.at[i].out->ref);
    weir_vec_fini(&c->orphans);
    if (c->probe)
        weir_ref_release(&c->probe->ref);
    c->probe = NULL;
    c->settings_came = c->goaway = c->streams = false;
}

/* ---- answers -------------------------------------------------------------------------------- */

/* What gRPC makes of an HTTP status, or of a stream's end, that comes without its own. */
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

static bool is_whole(const call *k)
{
    return k->has_status && k->code == 0 && weir_incoming_whole(&k->in);
}

/* The head is there, its payload is on another shm transport. */
static bool lacks_payload(const call *k)
{
    return is_whole(k) && k->payload.promised && !k->payload.received && k->payload.id;
}

static weir_status result_of(call *k)
{
    if (!k->has_status)
        return k->http_status != 200 ? from_http(k->http_status)
                                     : weir_error(WEIR_UNKNOWN, "the answer has no grpc-status");
    if (k->code == 0 && (!is_whole(k) || lacks_payload(k)))
        return weir_error(WEIR_INTERNAL, "the answer is not one whole message");
    if (k->code == 0)
        return k->payload.promised ? weir_channel_take_payload(k) : WEIR_OK;
    weir_code code = k->code > 0 && k->code <= WEIR_UNAUTHENTICATED ? k->code : WEIR_UNKNOWN;
    return weir_status_mark(
        weir_error_text(code, k->message.at ? k->message.at : "", k->message.length), k->marks);
}

static call *call_of(nghttp2_session *session, int32_t stream)
{
    return nghttp2_session_get_stream_user_data(session, stream);
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                     size_t name_length, const uint8_t *value, size_t value_length, uint8_t flags,
                     void *arg)
{
    call *k = call_of(session, frame->hd.stream_id);
    weir_str key = {(const char *)name, name_length}, text = {(const char *)value, value_length};
    if (!k)
        return 0;
    if (weir_str_is(key, ":status")) {
        k->http_status = atoi(text.at); /* nghttp2 terminates values */
    } else if (weir_str_is(key, "grpc-status")) {
        k->has_status = true;
        k->code = atoi(text.at);
    } else if (weir_str_is(key, "grpc-message")) {
        k->message.length = 0;
        weir_grpc_unescape(text, &k->message);
    } else if (weir_str_is(key, "grpc-status-details-bin")) {
        k->marks = weir_grpc_parse_details(text);
    } else if (weir_str_is(key, WEIR_PAYLOAD_HEADER)) {
        unsigned long long bytes = strtoull(text.at, NULL, 10);
        k->payload.promised =
            bytes > MAX_MESSAGE_BYTES ? MAX_MESSAGE_BYTES + 1u : bytes; /* none has */
    }
    return 0;
}

static void leave_stream(weir_channel *c, call *k, bool reset)
{
    if (reset)
        weir_client_reset(c, k);
    else if (k->out->open)
        abandon(c, k); /* the server closes it */
    else
        nghttp2_session_set_stream_user_data(c->h2.session, k->stream, NULL);
}

static void conclude(weir_channel *c, call *k, weir_status s, bool reset)
{
    leave_stream(c, k, reset);
    weir_channel_end(c, &c->active, k, s);
}

/* The whole answer came by gRPC, all but a payload perhaps. */
static void answered(weir_channel *c, call *k)
{
    bool reset = k->out->planned < k->out->total && !k->out->open;
    if (lacks_payload(k)) {
        leave_stream(c, k, reset);
        weir_channel_await_payload(k);
    } else {
        conclude(c, k, result_of(k), reset);
    }
}

/* One whole message of a stream: a message, or the answer, which stays where it is. */
static weir_status receive_of_stream(weir_channel *c, call *k)
{
    weir_buf label = {0};
    bool answer;
    if (!weir_incoming_label(&k->in.m, &answer, &label))
        return weir_error(WEIR_INTERNAL, "Unable to parse a part of a stream");
    k->answered = answer;
    if (answer) {
        weir_buf_fini(&label);
        return WEIR_OK;
    }
    weir_ref_retain(&k->ref);
    weir_vec_push(&c->received, ((stream_message){k, label, k->in.m}));
    k->in = (weir_incoming){0};
    return WEIR_OK;
}

static weir_status read_stream(weir_channel *c, call *k, const uint8_t *data, size_t length)
{
    while (length) {
        size_t taken = 0;
        if (!k->answered)
            WEIR_TRY(weir_incoming_take(&k->in, data, length, &taken));
        if (!taken || k->in.compressed)
            return weir_error(WEIR_INTERNAL, "Received more than the answer to a stream");
        data += taken;
        length -= taken;
        if (weir_incoming_whole(&k->in))
            WEIR_TRY(receive_of_stream(c, k));
    }
    return WEIR_OK;
}

static weir_status read_answer(weir_channel *c, call *k, const uint8_t *data, size_t length)
{
    return k->out->open ? read_stream(c, k, data, length) : weir_incoming_add(&k->in, data, length);
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *data,
                   size_t length, void *arg)
{
    weir_channel *c = arg;
    call *k = call_of(session, stream);
    weir_status s = k ? read_answer(c, k, data, length) : WEIR_OK;
    if (s)
        conclude(c, k, s, true);
    size_t room = 0;
    uint8_t *to = k && !s ? weir_incoming_place(&k->in, &room) : NULL;
    weir_h2_expect(&c->h2, length, to, room);
    return 0;
}

static void on_settings(weir_channel *c, const nghttp2_settings *s)
{
    c->settings_came = true;
    for (size_t i = 0; i < s->niv; i++)
        if (s->iv[i].settings_id == WEIR_H2_TAKES_STREAMS)
            c->streams = s->iv[i].value == 1;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *arg)
{
    weir_channel *c = arg;
    if (frame->hd.type == NGHTTP2_SETTINGS)
        on_settings(c, &frame->settings);
    else if (frame->hd.type == NGHTTP2_GOAWAY)
        c->goaway = true;
    bool end = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    bool of_answer = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    call *k = end && of_answer ? call_of(session, frame->hd.stream_id) : NULL;
    if (k)
        answered(c, k);
    return 0;
}

static void forget_orphan(weir_channel *c, int32_t stream)
{
    for (size_t i = 0; i < c->orphans.count; i++)
        if (c->orphans.at[i].stream == stream) {
            weir_ref_release(&c->orphans.at[i].out->ref);
            c->orphans.at[i] = c->orphans.at[--c->orphans.count];
            return;
        }
}

static int on_stream_close(nghttp2_session *session, int32_t stream, uint32_t code, void *arg)
{
    weir_channel *c = arg;
    call *k = call_of(session, stream);
    if (k)
        weir_channel_end(c, &c->active, k, k->has_status ? result_of(k) : from_reset(code));
    else
        forget_orphan(c, stream);
    return 0;
}

/* A request that never left: nghttp2 opened no stream for it. */
static int on_not_sent(nghttp2_session *session, const nghttp2_frame *frame, int why, void *arg)
{
    weir_channel *c = arg;
    if (frame->hd.type != NGHTTP2_HEADERS)
        return 0;
    forget_orphan(c, frame->hd.stream_id);
    for (call *k = c->active.first; k; k = k->next)
        if (k->stream == frame->hd.stream_id) {
            weir_channel_end(c, &c->active, k, from_reset(NGHTTP2_REFUSED_STREAM));
            break;
        }
    return 0;
}

nghttp2_session_callbacks *weir_client_callbacks(void)
{
    nghttp2_session_callbacks *calls;
    nghttp2_session_callbacks_new(&calls);
    nghttp2_session_callbacks_set_on_header_callback(calls, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(calls, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(calls, on_frame);
    nghttp2_session_callbacks_set_on_frame_not_send_callback(calls, on_not_sent);
    nghttp2_session_callbacks_set_on_stream_close_callback(calls, on_stream_close);
    return calls;
}
