/* dist/recv_tensor.c - reader and writer of RecvTensor's two messages. */
#include "dist/recv_tensor.h"

#include "base/clock.h"
#include "tensor/proto.h"

enum { SMALL = 4096 }; /* bytes that are cheaper to copy than to share */

/* ---- requests ------------------------------------------------------------------------------- */

void weir_recv_request_encode(const weir_recv_request *request, weir_buf *out)
{
    weir_pb_put_varint_nz(out, 1, (uint64_t)request->step_id);
    weir_pb_put_bytes(out, 2, request->key.at, request->key.length);
    weir_pb_put_varint_nz(out, 7, (uint64_t)request->request_id);
}

weir_status weir_recv_request_parse(weir_str bytes, weir_recv_request *out_request)
{
    weir_recv_request request = {.key = {"", 0}};
    weir_pb reader = weir_pb_reader(bytes);
    while (weir_pb_next(&reader)) {
        if (reader.field == 1 && reader.type == WEIR_PB_VARINT)
            request.step_id = weir_pb_int(&reader);
        else if (reader.field == 2 && reader.type == WEIR_PB_LEN)
            request.key = reader.bytes;
        else if (reader.field == 7 && reader.type == WEIR_PB_VARINT)
            request.request_id = weir_pb_int(&reader);
    }
    if (!weir_pb_ok(&reader))
        return weir_error(WEIR_INTERNAL, "Unable to parse request");
    *out_request = request;
    return WEIR_OK;
}

/* ---- answers, written ----------------------------------------------------------------------- */

static void put_shape(const weir_shape *shape, weir_buf *out)
{
    if (shape->rank == 0)
        return;
    size_t mark = weir_pb_begin(out, 2);
    for (int i = 0; i < shape->rank; i++) {
        size_t dim = weir_pb_begin(out, 2);
        weir_pb_put_varint(out, 1, (uint64_t)shape->dims[i]); /* zero too */
        weir_pb_end(out, dim);
    }
    weir_pb_end(out, mark);
}

static void put_plain(const weir_tensor *tensor, weir_rpc_message *message)
{
    weir_buf inner = {0};
    size_t bytes = weir_tensor_bytes(tensor);
    weir_pb_put_varint(&inner, 1, tensor->dtype);
    put_shape(&tensor->shape, &inner);
    weir_varint_put(&inner, 4 << 3 | WEIR_PB_LEN);
    weir_varint_put(&inner, bytes);
    weir_varint_put(&message->head, 1 << 3 | WEIR_PB_LEN);
    weir_varint_put(&message->head, inner.length + bytes);
    weir_buf_add(&message->head, inner.at, inner.length);
    weir_buf_fini(&inner);
    if (bytes <= SMALL) {
        weir_buf_add(&message->head, tensor->data, bytes);
        return;
    }
    message->payload = weir_buffer_retain(tensor->buffer);
    message->payload_at = (size_t)((char *)tensor->data - (char *)tensor->buffer->data);
    message->payload_bytes = bytes;
}

/* A dead value is an empty vector of floats, whatever the edge's type. */
static void put_dead(weir_rpc_message *message)
{
    static const uint8_t empty[] = {0x0a, 0x0a, 0x08, 0x01, 0x12, 0x04,
                                    0x12, 0x02, 0x08, 0,    0x22, 0};
    weir_buf_add(&message->head, empty, sizeof empty);
}

weir_status weir_recv_answer_encode(const weir_tensor *tensor, bool dead,
                                    weir_rpc_message *out_answer)
{
    weir_rpc_message message = {0};
    weir_status status = WEIR_OK;
    uint64_t now = (uint64_t)weir_wall_us();
    if (dead || weir_dtype_is_plain(tensor->dtype)) {
        if (dead)
            weir_pb_put_varint(&message.head, 2, 1);
        weir_pb_put_varint(&message.head, 3, now);
        if (dead)
            put_dead(&message);
        else
            put_plain(tensor, &message);
    } else {
        size_t mark = weir_pb_begin(&message.head, 1);
        status = weir_tensor_encode_list(tensor, &message.head);
        weir_pb_end(&message.head, mark);
        weir_pb_put_varint(&message.head, 3, now);
    }
    if (!status && message.head.length + message.payload_bytes > INT32_MAX)
        status = weir_error(WEIR_RESOURCE_EXHAUSTED,
                            "a tensor of %zu bytes is too large for one message between tasks",
                            message.head.length + message.payload_bytes);
    if (status) {
        weir_rpc_message_fini(&message);
        return status;
    }
    *out_answer = message;
    return WEIR_OK;
}

/* ---- answers, read -------------------------------------------------------------------------- */

/* A walk over the first bytes of a message. */
typedef struct field_walk {
    const uint8_t *at, *end;
    bool cut; /* they ended inside something */
} field_walk;

static bool next_field(field_walk *walk, uint32_t *field, uint64_t *value)
{
    uint64_t tag;
    const uint8_t *at = walk->at;
    walk->cut = !weir_varint_get(&at, walk->end, &tag) || !weir_varint_get(&at, walk->end, value);
    if (walk->cut || ((tag & 7) != WEIR_PB_VARINT && (tag & 7) != WEIR_PB_LEN))
        return false;
    *field = (uint32_t)(tag >> 3);
    walk->at = at;
    return true;
}

static bool skip(field_walk *walk, uint64_t bytes)
{
    walk->cut = bytes > (uint64_t)(walk->end - walk->at);
    if (!walk->cut)
        walk->at += bytes;
    return !walk->cut;
}

/* Walks to the elements in the layout of our own answers; false on any other. */
static bool find_elements(field_walk *walk, uint64_t *bytes)
{
    uint32_t field;
    uint64_t value, length, dtype = 0;
    do
        if (!next_field(walk, &field, &length))
            return false;
    while (field == 2 || field == 3);
    if (field != 1 || !next_field(walk, &field, &dtype) || field != 1)
        return false;
    if (!weir_dtype_valid((int)dtype) || !weir_dtype_is_plain((weir_dtype)dtype))
        return false;
    if (!next_field(walk, &field, &value))
        return false;
    if (field == 2 && (!skip(walk, value) || !next_field(walk, &field, &value)))
        return false;
    *bytes = value;
    return field == 4;
}

size_t weir_recv_answer_payload(weir_str first)
{
    field_walk walk = {(const uint8_t *)first.at, (const uint8_t *)first.at + first.length, false};
    uint64_t bytes;
    if (find_elements(&walk, &bytes))
        return bytes > SMALL ? (size_t)(walk.at - (const uint8_t *)first.at) : 0;
    return walk.cut ? SIZE_MAX : 0;
}

static weir_status malformed(void)
{
    return weir_error(WEIR_INTERNAL, "the answer of RecvTensor cannot be parsed");
}

static weir_status parse_flat(weir_str bytes, weir_tensor *out, bool *out_dead)
{
    weir_str tensor = {"", 0};
    weir_pb reader = weir_pb_reader(bytes);
    while (weir_pb_next(&reader)) {
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            tensor = reader.bytes;
        else if (reader.field == 2 && reader.type == WEIR_PB_VARINT)
            *out_dead = reader.value != 0;
    }
    if (!weir_pb_ok(&reader))
        return malformed();
    return *out_dead ? WEIR_OK : weir_tensor_parse(tensor, out);
}

/* More follows the elements, or the value is dead: not worth a way of its own. */
static weir_status parse_joined(const weir_rpc_message *message, weir_tensor *out, bool *out_dead)
{
    weir_buf all = {0};
    weir_buf_add(&all, message->head.at, message->head.length);
    weir_buf_add(&all, (const char *)message->payload->data + message->payload_at,
                 message->payload_bytes);
    weir_status status = parse_flat(weir_view(&all), out, out_dead);
    weir_buf_fini(&all);
    return status;
}

/* The head of an answer whose elements are its payload. */
static weir_status parse_with_payload(weir_rpc_message *message, weir_tensor *out, bool *out_dead)
{
    weir_dtype dtype = WEIR_FLOAT;
    weir_shape shape = WEIR_SCALAR;
    field_walk walk = {(const uint8_t *)message->head.at,
                       (const uint8_t *)message->head.at + message->head.length, false};
    uint32_t field = 0;
    uint64_t value = 0;
    while (field != 1 && next_field(&walk, &field, &value))
        if (field == 2)
            *out_dead = value != 0;
    while (field != 4 && next_field(&walk, &field, &value)) {
        if (field == 1 && weir_dtype_valid((int)value))
            dtype = (weir_dtype)value;
        if (field != 2)
            continue;
        weir_str dims = {(const char *)walk.at, value};
        if (!skip(&walk, value))
            return malformed();
        WEIR_TRY(weir_shape_parse(dims, &shape));
    }
    if (*out_dead || (field == 4 && value < message->payload_bytes))
        return parse_joined(message, out, out_dead);
    if (field != 4 || walk.at != walk.end || !weir_shape_known(&shape))
        return malformed();
    weir_tensor tensor = {message->payload, (char *)message->payload->data + message->payload_at,
                          dtype, shape};
    size_t bytes;
    if (!weir_size_mul((size_t)weir_tensor_count(&tensor), weir_dtype_size(dtype), &bytes) ||
        bytes != message->payload_bytes)
        return weir_error(WEIR_INTERNAL, "a tensor of type %s and shape %s came with %zu bytes",
                          weir_dtype_name(dtype), WEIR_SHAPE_STR(&shape), message->payload_bytes);
    if ((uintptr_t)tensor.data % WEIR_ALIGNMENT)
        return weir_tensor_clone(&tensor, out);
    message->payload = NULL;
    *out = tensor;
    return WEIR_OK;
}

weir_status weir_recv_answer_parse(weir_rpc_message *message, weir_tensor *out_tensor,
                                   bool *out_dead)
{
    *out_dead = false;
    *out_tensor = (weir_tensor){0};
    return message->payload ? parse_with_payload(message, out_tensor, out_dead)
                            : parse_flat(weir_view(&message->head), out_tensor, out_dead);
}
