/* dist/recv_buf.c - RecvBuf's messages, written and read. */
#include "dist/recv_buf.h"

#include <inttypes.h>

#include "base/clock.h"
#include "wire/pb.h"

static const char type_name[] = "type.googleapis.com/tensorflow.RecvBufRespExtra";

/* ---- requests ------------------------------------------------------------------------------- */

void weir_recv_buf_request_encode(const weir_recv_buf_request *request, weir_buf *out)
{
    weir_pb_put_varint(out, 1, (uint64_t)request->step_id);
    weir_pb_put_bytes(out, 2, request->key.at, request->key.length);
    weir_pb_put_varint_nz(out, 3, (uint64_t)request->bytes);
    weir_pb_put_bytes(out, 8, request->src_device.at, request->src_device.length);
    weir_pb_put_varint(out, 10, (uint64_t)request->request_id);
    weir_pb_put_varint(out, 11, request->src_incarnation);
}

weir_status weir_recv_buf_request_parse(weir_str bytes, weir_recv_buf_request *out)
{
    weir_recv_buf_request request = {.key = {"", 0}, .src_device = {"", 0}};
    weir_pb reader = weir_pb_reader(bytes);
    while (weir_pb_next(&reader)) {
        if (reader.field == 1 && reader.type == WEIR_PB_VARINT)
            request.step_id = weir_pb_int(&reader);
        else if (reader.field == 2 && reader.type == WEIR_PB_LEN)
            request.key = reader.bytes;
        else if (reader.field == 3 && reader.type == WEIR_PB_VARINT)
            request.bytes = weir_pb_int(&reader);
        else if (reader.field == 8 && reader.type == WEIR_PB_LEN)
            request.src_device = reader.bytes;
        else if (reader.field == 10 && reader.type == WEIR_PB_VARINT)
            request.request_id = weir_pb_int(&reader);
        else if (reader.field == 11 && reader.type == WEIR_PB_VARINT)
            request.src_incarnation = reader.value;
    }
    if (!weir_pb_ok(&reader))
        return weir_error(WEIR_INTERNAL, "Unable to parse request");
    *out = request;
    return WEIR_OK;
}

/* ---- answers, written ----------------------------------------------------------------------- */

weir_status weir_recv_buf_encode(const weir_tensor *tensor, weir_rpc_message *out)
{
    size_t bytes = weir_tensor_bytes(tensor), name = sizeof type_name - 1;
    size_t extra = 1 + weir_varint_size(bytes) + bytes;
    size_t any = 1 + weir_varint_size(name) + name + 1 + weir_varint_size(extra) + extra;
    if (!weir_dtype_is_plain(tensor->dtype))
        return weir_error(WEIR_INTERNAL, "a value of type %s is not of a type supported by RecvBuf",
                          weir_dtype_name(tensor->dtype));
    weir_rpc_message message = {0};
    weir_pb_put_varint(&message.head, 5, (uint64_t)weir_wall_us());
    weir_varint_put(&message.head, 4 << 3 | WEIR_PB_LEN);
    weir_varint_put(&message.head, any);
    weir_pb_put_bytes(&message.head, 1, type_name, name);
    weir_varint_put(&message.head, 2 << 3 | WEIR_PB_LEN);
    weir_varint_put(&message.head, extra);
    weir_varint_put(&message.head, 1 << 3 | WEIR_PB_LEN);
    weir_varint_put(&message.head, bytes);
    if (bytes) {
        message.payload = weir_buffer_retain(tensor->buffer);
        message.payload_at = (size_t)((char *)tensor->data - (char *)tensor->buffer->data);
        message.payload_bytes = bytes;
    }
    *out = message;
    return WEIR_OK;
}

/* ---- answers, read -------------------------------------------------------------------------- */

/* Walks into fields 4, 2 and 1 one after the other; what lies before them is passed over. */
size_t weir_recv_buf_payload(weir_str first)
{
    static const uint32_t path[] = {4, 2, 1};
    const uint8_t *at = (const uint8_t *)first.at, *end = at + first.length;
    for (int depth = 0; depth < 3;) {
        uint64_t tag, value;
        if (!weir_varint_get(&at, end, &tag) || !weir_varint_get(&at, end, &value))
            return SIZE_MAX;
        bool piece = (tag & 7) == WEIR_PB_LEN;
        if (!piece && (tag & 7) != WEIR_PB_VARINT)
            return 0;
        if (piece && tag >> 3 == path[depth])
            depth++;
        else if (piece && value > (uint64_t)(end - at))
            return SIZE_MAX;
        else if (piece)
            at += value;
    }
    return (size_t)(at - (const uint8_t *)first.at);
}

static weir_status wrong_size(size_t bytes, size_t wanted)
{
    return weir_error(WEIR_INTERNAL,
                      "Tensor Size Mismatch: RecvBufResponse returned %zu bytes, expected: %zu",
                      bytes, wanted);
}

/* Adds the pieces of a RecvBufRespExtra. */
static void add_pieces(weir_str extra, weir_buf *out)
{
    for (weir_pb reader = weir_pb_reader(extra); weir_pb_next(&reader);)
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            weir_buf_add(out, reader.bytes.at, reader.bytes.length);
}

static void gather_pieces(weir_str answer, weir_buf *out)
{
    for (weir_pb reader = weir_pb_reader(answer); weir_pb_next(&reader);) {
        if (reader.field != 4 || reader.type != WEIR_PB_LEN)
            continue;
        for (weir_pb any = weir_pb_reader(reader.bytes); weir_pb_next(&any);)
            if (any.field == 2 && any.type == WEIR_PB_LEN)
                add_pieces(any.bytes, out);
    }
}

/* An answer of any layout. */
static weir_status copy_pieces(weir_rpc_message *message, const weir_shape *shape, weir_dtype dtype,
                               weir_tensor *out)
{
    weir_buf whole = {0}, pieces = {0};
    weir_buf_add(&whole, message->head.at, message->head.length);
    if (message->payload)
        weir_buf_add(&whole, (const char *)message->payload->data + message->payload_at,
                     message->payload_bytes);
    gather_pieces(weir_view(&whole), &pieces);
    weir_buf_fini(&whole);
    size_t wanted = (size_t)shape->dims[0] * weir_dtype_size(dtype);
    weir_status status = pieces.length == wanted ? weir_tensor_alloc(dtype, shape, out)
                                                 : wrong_size(pieces.length, wanted);
    if (!status && wanted)
        memcpy(out->data, pieces.at, wanted);
    weir_buf_fini(&pieces);
    return status;
}

weir_status weir_recv_buf_parse(weir_rpc_message *message, weir_dtype dtype, int64_t count,
                                weir_tensor *out_tensor)
{
    weir_shape shape = {.rank = 1, .dims = {count}};
    size_t wanted = (size_t)count * weir_dtype_size(dtype);
    /* The elements in one piece, and nothing after them. */
    bool plain = message->payload && message->payload_bytes == wanted &&
                 weir_recv_buf_payload(weir_view(&message->head)) == message->head.length;
    if (!plain)
        return copy_pieces(message, &shape, dtype, out_tensor);
    weir_tensor tensor = {message->payload, (char *)message->payload->data + message->payload_at,
                          dtype, shape};
    if ((uintptr_t)tensor.data % WEIR_ALIGNMENT)
        return weir_tensor_clone(&tensor, out_tensor);
    message->payload = NULL;
    *out_tensor = tensor;
    return WEIR_OK;
}
