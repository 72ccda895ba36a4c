/* net/connection_memory.c - memory of a server's calls: counted per connection, and against the
 * limit of the process (base/room.h) from the headers until the call is freed. */
#include "base/room.h"
#include "net/connection_impl.h"
#include "net/limits.h"

enum {
    CALL_BYTES = 2048,       /* of a call here and of its stream in nghttp2 */
    MOST_HEADERS = 64 << 10, /* bytes of a request's headers; gRPC's servers refuse 16 KiB */
    EACH_HEADER = 32,        /* as RFC 9113 counts them, besides name and value */
};

weir_status weir_h2_call_begin_memory(size_t *held)
{
    return weir_room_hold(held, CALL_BYTES, "a call");
}

weir_status weir_h2_call_count_header(h2_call *call, size_t name, size_t value)
{
    call->header_bytes += name + value + EACH_HEADER;
    if (call->header_bytes <= MOST_HEADERS)
        return WEIR_OK;
    return weir_error(WEIR_RESOURCE_EXHAUSTED, "the request has more than %d bytes of headers",
                      MOST_HEADERS);
}

weir_status weir_h2_call_count(weir_connection *connection, h2_call *call, size_t bytes)
{
    size_t most = (size_t)weir_limits_get()->request_mib << 20;
    call->counted += bytes;
    connection->request_bytes += bytes;
    if (connection->request_bytes > most)
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "the connection has %zu bytes of requests that are not whole or wait, "
                          "more than the limit of %zu (request_mib)",
                          connection->request_bytes, most);
    if (call->in.message.payload) /* a buffer, which counts itself */
        return WEIR_OK;
    return weir_room_hold(&call->held, CALL_BYTES + call->counted, "a request");
}

void weir_h2_call_uncount(weir_connection *connection, h2_call *call)
{
    connection->request_bytes -= call->counted;
    call->counted = 0;
}

void weir_h2_call_count_answer(weir_connection *connection, h2_call *call)
{
    size_t head = call->out->message.head.length;
    call->answer_counted = call->out->total;
    connection->answer_bytes += call->answer_counted;
    call->held += head;
    weir_room_add(head); /* it exists: what is refused is what comes next */
}

/* What of a message is not a payload, which is a buffer and counts itself. */
static size_t own_bytes(const weir_stream_message *message)
{
    return sizeof *message + message->label.length + message->message.head.length;
}

static size_t all_bytes(const weir_stream_message *message)
{
    return sizeof *message + message->label.length + weir_rpc_message_bytes(&message->message);
}

weir_status weir_h2_message_count(weir_connection *connection, const weir_stream_message *message)
{
    size_t most = (size_t)weir_limits_get()->request_mib << 20, bytes = all_bytes(message);
    if (bytes > most || connection->request_bytes > most - bytes ||
        !weir_room_take(own_bytes(message)))
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "a message of %zu bytes is more than the limits of memory and of the "
                          "connection's requests (request_mib) leave",
                          bytes);
    connection->request_bytes += bytes;
    return WEIR_OK;
}

void weir_h2_message_uncount(weir_connection *connection, const weir_stream_message *message)
{
    connection->request_bytes -= all_bytes(message);
    weir_room_give(own_bytes(message));
}
