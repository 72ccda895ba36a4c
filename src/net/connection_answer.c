/* net/connection_answer.c - the server's answers and stream messages, as HTTP/2. */
#include <stdio.h>
#include <sys/socket.h>

#include "base/room.h"
#include "net/connection_impl.h"

/* ---- answers -------------------------------------------------------------------------------- */

static void submit_status(weir_connection *connection, int32_t stream, weir_status result)
    WEIR_REQUIRES(connection->lock)
{
    weir_h2_status status;
    weir_h2_status_init(&status, result);
    nghttp2_nv nv[6] = {
        weir_h2_header(":status", WEIR_STR("200")),
        weir_h2_header("content-type", WEIR_STR("application/grpc")),
        weir_h2_header("grpc-accept-encoding", WEIR_STR("identity")),
    };
    memcpy(nv + 3, status.nv, sizeof status.nv);
    nghttp2_submit_response(connection->h2.session, stream, nv, 3 + status.count, NULL);
    weir_h2_status_fini(&status);
}

/* Detaches a large payload from the answer and sends it by UCX, if the caller accepts that. Returns
 * its size; 0: it stays in the answer. */
static size_t send_payload(weir_connection *connection, h2_call *call)
    WEIR_REQUIRES(connection->lock)
{
    weir_rpc_message *message = &call->rpc.reply;
    size_t bytes = message->payload ? message->payload_bytes : 0;
    if (!call->payload_id || !connection->ucx || bytes < WEIR_UCX_MIN_BYTES ||
        !weir_ucx_send(connection->ucx, call->payload_id, message->payload, message->payload_at,
                       bytes))
        return 0;
    weir_payload_release_later(message->payload);
    message->payload = NULL;
    return bytes;
}

/* Submits an answer's body, of which |payload_bytes| are sent by UCX. */
static void submit_body(weir_connection *connection, h2_call *call, size_t payload_bytes)
    WEIR_REQUIRES(connection->lock)
{
    char number[24];
    call->out->answer = true;
    weir_h2_call_count_answer(connection, call);
    nghttp2_nv nv[] = {
        weir_h2_header(":status", WEIR_STR("200")),
        weir_h2_header("content-type", WEIR_STR("application/grpc")),
        weir_h2_header("grpc-accept-encoding", WEIR_STR("identity")),
        {0},
    };
    size_t count = sizeof nv / sizeof *nv - 1;
    if (payload_bytes) {
        snprintf(number, sizeof number, "%zu", payload_bytes);
        nv[count++] = weir_h2_header(WEIR_PAYLOAD_HEADER, weir_str_of(number));
    }
    nghttp2_data_provider body = weir_h2_body(call->out);
    nghttp2_submit_response(connection->h2.session, call->stream, nv, count, &body);
}

/* The answer to a stream follows its messages. */
static void end_stream(weir_connection *connection, h2_call *call) WEIR_REQUIRES(connection->lock)
{
    if (call->rpc.status && !call->out) {
        submit_status(connection, call->stream, call->rpc.status);
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
        nghttp2_session_resume_data(connection->h2.session, call->stream);
    else
        submit_body(connection, call, 0);
}

void weir_h2_call_refuse(weir_connection *connection, h2_call *call, weir_status status)
{
    call->refused = !call->complete;
    call->complete = true;
    weir_incoming_fini(&call->in); /* drops the rest of the request */
    weir_room_drop(&call->held);
    submit_status(connection, call->stream, status);
    weir_status_free(status);
}

void weir_h2_call_submit_answer(weir_connection *connection, h2_call *call)
{
    if (call->is_stream) {
        end_stream(connection, call);
    } else if (call->rpc.status) {
        submit_status(connection, call->stream, call->rpc.status);
    } else {
        size_t payload_bytes = send_payload(connection, call);
        call->out = weir_outgoing_create(&call->rpc.reply);
        submit_body(connection, call, payload_bytes);
    }
}

/* Writes, unless the I/O thread will. */
static void flush(weir_connection *connection, size_t bytes) WEIR_REQUIRES(connection->lock)
{
    if (!connection->corked && !weir_h2_flush_soon(&connection->h2, bytes))
        shutdown(connection->h2.fd, SHUT_RDWR); /* the I/O thread sees it and closes */
}

void weir_h2_call_send_answer(weir_rpc *rpc)
{
    h2_call *call = (h2_call *)rpc;
    weir_connection *connection = call->connection;
    weir_mutex_lock(&connection->lock);
    weir_ref *listener = weir_rpc_take_listener(rpc);
    if (call->open) {
        size_t bytes = weir_rpc_message_bytes(&rpc->reply);
        weir_h2_call_submit_answer(connection, call);
        flush(connection, bytes);
    }
    weir_mutex_unlock(&connection->lock);
    weir_ref_release(listener);
    weir_ref_release(&rpc->ref);
}

/* ---- streams -------------------------------------------------------------------------------- */

/* Drops the message if the call was answered or its caller has disconnected. */
bool weir_h2_call_send_message(weir_rpc *rpc, weir_str label, const weir_rpc_message *message)
{
    h2_call *call = (h2_call *)rpc;
    weir_connection *connection = call->connection;
    weir_mutex_lock(&connection->lock);
    bool begun = call->out != NULL, open = call->open && (!begun || call->out->open);
    if (open && !begun)
        call->out = weir_outgoing_create_open();
    bool sent = open && weir_outgoing_add_message(call->out, label, message);
    if (open && !begun)
        submit_body(connection, call, 0);
    else if (sent)
        nghttp2_session_resume_data(connection->h2.session, call->stream);
    if (open)
        flush(connection, weir_rpc_message_bytes(message));
    weir_mutex_unlock(&connection->lock);
    return sent || !open;
}
