/* dist/recv_tensor.c - writes and parses RecvTensorResponse. */
#include "dist/recv_tensor.h"

#include "base/clock.h"
#include "dist/known.h"
#include "dist/tensor_payload.h"
#include "dist/wire_type.h"
#include "tensor/proto.h"
#include "wire/messages.h"

enum { SMALL = 4096 }; /* bytes below which copying is cheaper than sharing */

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

/* |narrow|: the wire type of a float32 value; WEIR_FLOAT: unchanged. */
static weir_status put_answer(const weir_tensor *tensor, bool dead, weir_dtype narrow, weir_str tag,
                              weir_rpc_message *message)
{
    weir_msg_recv_tensor_response response = {.is_dead = dead, .send_start_micros = weir_wall_us()};
    WEIR_BUF(room);
    weir_msg_any options = weir_wire_options_put(
        &(weir_wire_options){.type = narrow, .tags = tag.length > 0, .tag = tag}, &room);
    if (narrow != WEIR_FLOAT || tag.length)
        response.transport_options = &options;
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

static weir_status encode(const weir_tensor *tensor, bool dead, weir_dtype narrow, weir_str tag,
                          weir_rpc_message *out_answer)
{
    weir_rpc_message message = {0};
    weir_status status = put_answer(tensor, dead, narrow, tag, &message);
    if (status)
        weir_rpc_message_fini(&message);
    else
        *out_answer = message;
    return status;
}

weir_status weir_recv_answer_encode(const weir_tensor *tensor, bool dead,
                                    weir_rpc_message *out_answer)
{
    return encode(tensor, dead, WEIR_FLOAT, (weir_str){0}, out_answer);
}

static weir_status encode_as(const weir_tensor *tensor, bool dead, weir_dtype wire_type,
                             weir_str tag, weir_rpc_message *out_answer)
{
    if (dead || !weir_wire_type_suits(wire_type, tensor))
        return encode(tensor, dead, WEIR_FLOAT, tag, out_answer);
    weir_tensor narrow;
    WEIR_TRY(weir_wire_type_narrow(wire_type, tensor, &narrow));
    weir_status status = encode(&narrow, dead, wire_type, tag, out_answer);
    weir_tensor_release(&narrow);
    return status;
}

/* The receiver has cached the value. */
static void encode_same(weir_str tag, weir_rpc_message *out_answer)
{
    WEIR_BUF(room);
    weir_msg_any options = weir_wire_options_put(
        &(weir_wire_options){.type = WEIR_FLOAT, .tags = true, .same = true, .tag = tag}, &room);
    weir_msg_recv_tensor_response response = {.send_start_micros = weir_wall_us(),
                                              .transport_options = &options};
    weir_msg_recv_tensor_response_write(&response, &out_answer->head);
}

weir_status weir_recv_answer_encode_for(const weir_tensor *tensor, bool dead, weir_dtype wire_type,
                                        weir_str known_tag, weir_rpc_message *out_answer)
{
    WEIR_BUF(tag);
    bool tagged = !dead && weir_known_tag(tensor, wire_type, &tag);
    if (!tagged || !weir_str_eq(weir_view(&tag), known_tag))
        return encode_as(tensor, dead, wire_type, weir_view(&tag), out_answer);
    encode_same(weir_view(&tag), out_answer);
    return WEIR_OK;
}

weir_status weir_recv_answer_encode_as(const weir_tensor *tensor, bool dead, weir_dtype wire_type,
                                       weir_rpc_message *out_answer)
{
    return encode_as(tensor, dead, wire_type, (weir_str){0}, out_answer);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* The first bytes of a response. */
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
        return 0;             /* the whole answer is parsed then, and fails */
    if (!partial.elements.at) /* needs more bytes */
        return partial.response.tensor.at ? 0 : SIZE_MAX;
    int dtype = partial.tensor.dtype;
    bool plain = weir_dtype_valid(dtype) && weir_dtype_is_plain((weir_dtype)dtype);
    return plain && partial.elements.bytes > SMALL ? partial.elements.at : 0;
}

/* Converts a value back to float32. */
static weir_status widen(const weir_msg_recv_tensor_response *response, weir_tensor *tensor)
{
    if (weir_wire_options_get(response->transport_options).type == WEIR_FLOAT)
        return WEIR_OK;
    weir_tensor narrow = *tensor;
    *tensor = (weir_tensor){0};
    weir_status status = weir_wire_type_widen(&narrow, tensor);
    weir_tensor_release(&narrow);
    return status;
}

/* Reads the tag of the answer's value. */
static weir_status read_tag(const weir_msg_recv_tensor_response *response, weir_recv_known *known,
                            weir_tensor *out)
{
    weir_wire_options options = weir_wire_options_get(response->transport_options);
    if (options.same &&
        (!known || !known->kept.buffer || !weir_str_eq(options.tag, weir_view(&known->tag))))
        return weir_error(WEIR_INTERNAL, "a value was left out that this task does not have");
    if (options.same)
        *out = weir_tensor_share(&known->kept);
    if (known) {
        known->tag.length = 0;
        weir_buf_add(&known->tag, options.tag.at, options.tag.length);
    }
    return WEIR_OK;
}

static weir_status parse_flat(weir_str bytes, weir_recv_known *known, weir_tensor *out,
                              bool *out_dead)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_recv_tensor_response response;
    WEIR_TRY(weir_answer_parsed(weir_msg_recv_tensor_response_read(bytes, &arena, &response),
                                "RecvTensor"));
    *out_dead = response.is_dead;
    if (!response.is_dead)
        WEIR_TRY(read_tag(&response, known, out));
    if (response.is_dead || out->buffer)
        return WEIR_OK;
    WEIR_TRY(weir_tensor_parse(response.tensor, out));
    return widen(&response, out);
}

/* Parses the head of an answer whose elements are its payload. If fields follow them, or the value
 * is dead, which is rare, the elements are copied. */
static weir_status parse_with_payload(weir_rpc_message *message, weir_recv_known *known,
                                      weir_tensor *out, bool *out_dead)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(joined);
    partial_response partial;
    WEIR_TRY(weir_answer_parsed(read_partial(weir_view(&message->head), &arena, &partial),
                                "RecvTensor"));
    if (partial.elements.at == message->head.length && partial.elements.ends &&
        partial.elements.bytes == message->payload_bytes && !partial.response.is_dead &&
        !weir_wire_options_get(partial.response.transport_options).same) {
        WEIR_TRY(read_tag(&partial.response, known, out));
        WEIR_TRY(weir_tensor_from_payload(&partial.tensor, message, message->payload_bytes, out));
        return widen(&partial.response, out);
    }
    return parse_flat(weir_rpc_message_join(message, &joined), known, out, out_dead);
}

weir_status weir_recv_answer_parse_known(weir_rpc_message *answer, weir_recv_known *known,
                                         weir_tensor *out_tensor, bool *out_dead)
{
    *out_dead = false;
    *out_tensor = (weir_tensor){0};
    return answer->payload ? parse_with_payload(answer, known, out_tensor, out_dead)
                           : parse_flat(weir_view(&answer->head), known, out_tensor, out_dead);
}

weir_status weir_recv_answer_parse(weir_rpc_message *answer, weir_tensor *out_tensor,
                                   bool *out_dead)
{
    return weir_recv_answer_parse_known(answer, NULL, out_tensor, out_dead);
}
