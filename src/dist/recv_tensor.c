/* dist/recv_tensor.c - writer and reader of RecvTensorResponse. */
#include "dist/recv_tensor.h"

#include "base/clock.h"
#include "dist/tensor_payload.h"
#include "dist/wire_type.h"
#include "tensor/proto.h"
#include "wire/messages.h"

enum { SMALL = 4096 }; /* bytes that are cheaper to copy than to share */

/* ---- writing -------------------------------------------------------------------------------- */

/* The elements come last: shared if they are many. */
static void put_plain(const weir_tensor *tensor, weir_rpc_message *message)
{
    WEIR_BUF(inner);
    size_t bytes = weir_tensor_bytes(tensor);
    weir_tensor_head_put(tensor, &inner);
    weir_message_open_bytes(&message->head, WEIR_FIELD_recv_tensor_response_tensor,
                            inner.length + bytes);
    weir_buf_add(&message->head, inner.at, inner.length);
    if (bytes > SMALL)
        weir_tensor_share_payload(tensor, message);
    else
        weir_buf_add(&message->head, tensor->data, bytes);
}

/* A dead value is an empty vector of floats, whatever the edge's type. */
static void put_dead(weir_rpc_message *message)
{
    put_plain(&(weir_tensor){.dtype = WEIR_FLOAT, .shape = weir_shape_vector(0)}, message);
}

static weir_status put_list(const weir_tensor *tensor, weir_rpc_message *message)
{
    size_t mark = weir_message_open(&message->head, WEIR_FIELD_recv_tensor_response_tensor);
    weir_status status = weir_tensor_encode_list(tensor, &message->head);
    weir_message_close(&message->head, mark);
    return status;
}

/* |narrow|: how the value travels in place of float32; WEIR_FLOAT: as it is. */
static weir_status put_answer(const weir_tensor *tensor, bool dead, weir_dtype narrow,
                              weir_rpc_message *message)
{
    weir_msg_recv_tensor_response response = {.is_dead = dead, .send_start_micros = weir_wall_us()};
    weir_msg_any wire_type = weir_wire_type_put(narrow);
    if (narrow != WEIR_FLOAT)
        response.transport_options = &wire_type;
    weir_msg_recv_tensor_response_write(&response, &message->head);
    if (dead)
        put_dead(message);
    else if (weir_dtype_is_plain(tensor->dtype))
        put_plain(tensor, message);
    else
        WEIR_TRY(put_list(tensor, message));
    size_t bytes = message->head.length + message->payload_bytes;
    if (bytes > INT32_MAX)
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "a tensor of %zu bytes is too large for one message between tasks",
                          bytes);
    return WEIR_OK;
}

static weir_status encode(const weir_tensor *tensor, bool dead, weir_dtype narrow,
                          weir_rpc_message *out_answer)
{
    weir_rpc_message message = {0};
    weir_status status = put_answer(tensor, dead, narrow, &message);
    if (status)
        weir_rpc_message_fini(&message);
    else
        *out_answer = message;
    return status;
}

weir_status weir_recv_answer_encode(const weir_tensor *tensor, bool dead,
                                    weir_rpc_message *out_answer)
{
    return encode(tensor, dead, WEIR_FLOAT, out_answer);
}

weir_status weir_recv_answer_encode_as(const weir_tensor *tensor, bool dead, weir_dtype wire_type,
                                       weir_rpc_message *out_answer)
{
    if (dead || !weir_wire_type_suits(wire_type, tensor))
        return encode(tensor, dead, WEIR_FLOAT, out_answer);
    weir_tensor narrow;
    WEIR_TRY(weir_wire_type_narrow(wire_type, tensor, &narrow));
    weir_status status = encode(&narrow, dead, wire_type, out_answer);
    weir_tensor_release(&narrow);
    return status;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* A response whose first bytes were received. */
typedef struct partial_response {
    weir_msg_recv_tensor_response response;
    weir_msg_tensor_proto tensor;
    weir_payload_place elements;
} partial_response;

static weir_status read_partial(weir_str head, weir_arena *arena, partial_response *out)
{
    weir_payload_level levels[] = {
        {WEIR_INDEX_recv_tensor_response, WEIR_FIELD_recv_tensor_response_tensor, &out->response},
        {WEIR_INDEX_tensor_proto, WEIR_FIELD_tensor_proto_tensor_content, &out->tensor},
    };
    return weir_payload_find(levels, 2, head, arena, &out->elements);
}

size_t weir_recv_answer_payload(weir_str first)
{
    WEIR_MESSAGE_ARENA(arena);
    partial_response partial;
    weir_status status = read_partial(first, &arena, &partial);
    bool failed = status != WEIR_OK;
    weir_status_free(status);
    if (failed)
        return 0;             /* the whole answer is read then, and fails */
    if (!partial.elements.at) /* more bytes may decide */
        return partial.response.tensor.at ? 0 : SIZE_MAX;
    int dtype = partial.tensor.dtype;
    bool plain = weir_dtype_valid(dtype) && weir_dtype_is_plain((weir_dtype)dtype);
    return plain && partial.elements.bytes > SMALL ? partial.elements.at : 0;
}

/* Makes float32 of a value that was sent in its place. */
static weir_status widen(const weir_msg_recv_tensor_response *response, weir_tensor *tensor)
{
    if (weir_wire_type_get(response->transport_options) == WEIR_FLOAT)
        return WEIR_OK;
    weir_tensor narrow = *tensor;
    *tensor = (weir_tensor){0};
    weir_status status = weir_wire_type_widen(&narrow, tensor);
    weir_tensor_release(&narrow);
    return status;
}

static weir_status parse_flat(weir_str bytes, weir_tensor *out, bool *out_dead)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_recv_tensor_response response;
    WEIR_TRY(weir_answer_parsed(weir_msg_recv_tensor_response_read(bytes, &arena, &response),
                                "RecvTensor"));
    *out_dead = response.is_dead;
    if (response.is_dead)
        return WEIR_OK;
    WEIR_TRY(weir_tensor_parse(response.tensor, out));
    return widen(&response, out);
}

/* The head of an answer whose elements are its payload. Where fields follow them, or the value is
 * dead, which is rare, the elements are copied. */
static weir_status parse_with_payload(weir_rpc_message *message, weir_tensor *out, bool *out_dead)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(joined);
    partial_response partial;
    WEIR_TRY(weir_answer_parsed(read_partial(weir_view(&message->head), &arena, &partial),
                                "RecvTensor"));
    if (partial.elements.at == message->head.length && partial.elements.ends &&
        partial.elements.bytes == message->payload_bytes && !partial.response.is_dead) {
        WEIR_TRY(weir_tensor_from_payload(&partial.tensor, message, message->payload_bytes, out));
        return widen(&partial.response, out);
    }
    return parse_flat(weir_rpc_message_join(message, &joined), out, out_dead);
}

weir_status weir_recv_answer_parse(weir_rpc_message *answer, weir_tensor *out_tensor,
                                   bool *out_dead)
{
    *out_dead = false;
    *out_tensor = (weir_tensor){0};
    return answer->payload ? parse_with_payload(answer, out_tensor, out_dead)
                           : parse_flat(weir_view(&answer->head), out_tensor, out_dead);
}
