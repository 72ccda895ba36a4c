/* dist/recv_tensor.c - writer and reader of RecvTensorResponse. */
#include "dist/recv_tensor.h"

#include "base/clock.h"
#include "tensor/proto.h"
#include "wire/messages.h"

enum { SMALL = 4096 }; /* bytes that are cheaper to copy than to share */

/* ---- writing -------------------------------------------------------------------------------- */

static void put_shape(const weir_shape *shape, weir_buf *out)
{
    size_t mark = weir_message_open(out, WEIR_FIELD_tensor_proto_tensor_shape);
    weir_shape_encode(shape, out);
    weir_message_close(out, mark);
}

/* The tensor's fields up to the length of its elements, then the elements: shared if they are many.
 */
static void put_plain(const weir_tensor *tensor, weir_rpc_message *message)
{
    WEIR_BUF(inner);
    size_t bytes = weir_tensor_bytes(tensor);
    weir_msg_tensor_proto_write(&(weir_msg_tensor_proto){.dtype = (int32_t)tensor->dtype}, &inner);
    if (tensor->shape.rank)
        put_shape(&tensor->shape, &inner);
    weir_message_open_bytes(&inner, WEIR_FIELD_tensor_proto_tensor_content, bytes);
    weir_message_open_bytes(&message->head, WEIR_FIELD_recv_tensor_response_tensor,
                            inner.length + bytes);
    weir_buf_add(&message->head, inner.at, inner.length);
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
    put_plain(&(weir_tensor){.dtype = WEIR_FLOAT, .shape = weir_shape_vector(0)}, message);
}

static weir_status put_list(const weir_tensor *tensor, weir_rpc_message *message)
{
    size_t mark = weir_message_open(&message->head, WEIR_FIELD_recv_tensor_response_tensor);
    weir_status status = weir_tensor_encode_list(tensor, &message->head);
    weir_message_close(&message->head, mark);
    return status;
}

static weir_status put_answer(const weir_tensor *tensor, bool dead, weir_rpc_message *message)
{
    weir_msg_recv_tensor_response response = {.is_dead = dead, .send_start_micros = weir_wall_us()};
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

weir_status weir_recv_answer_encode(const weir_tensor *tensor, bool dead,
                                    weir_rpc_message *out_answer)
{
    weir_rpc_message message = {0};
    weir_status status = put_answer(tensor, dead, &message);
    if (status)
        weir_rpc_message_fini(&message);
    else
        *out_answer = message;
    return status;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* The first bytes of a response whose tensor is cut inside its elements. */
typedef struct cut_response {
    weir_msg_recv_tensor_response response;
    weir_msg_tensor_proto tensor;
    weir_message_cut outer, inner; /* of the tensor; of its elements */
} cut_response;

static weir_status read_cut(weir_str head, weir_arena *arena, cut_response *out)
{
    const weir_message_type *types = weir_message_types;
    WEIR_TRY(weir_message_read_head(&types[WEIR_INDEX_recv_tensor_response], head, arena,
                                    &out->response, &out->outer));
    out->inner = (weir_message_cut){0};
    if (out->outer.field != WEIR_FIELD_recv_tensor_response_tensor)
        return WEIR_OK;
    weir_str tensor = {head.at + out->outer.at, head.length - out->outer.at};
    return weir_message_read_head(&types[WEIR_INDEX_tensor_proto], tensor, arena, &out->tensor,
                                  &out->inner);
}

size_t weir_recv_answer_payload(weir_str first)
{
    WEIR_MESSAGE_ARENA(arena);
    cut_response cut;
    weir_status status = read_cut(first, &arena, &cut);
    bool failed = status != WEIR_OK;
    weir_status_free(status);
    if (failed)
        return 0; /* the whole answer is read then, and fails */
    if (cut.inner.field != WEIR_FIELD_tensor_proto_tensor_content) /* more bytes may decide */
        return cut.response.tensor.at ? 0 : SIZE_MAX;
    bool plain =
        weir_dtype_valid(cut.tensor.dtype) && weir_dtype_is_plain((weir_dtype)cut.tensor.dtype);
    return plain && cut.inner.length > SMALL ? cut.outer.at + cut.inner.at : 0;
}

static weir_status malformed(weir_status why)
{
    weir_status status =
        weir_error(WEIR_INTERNAL, "the answer of RecvTensor cannot be parsed: %s",
                   why ? weir_status_message(why) : "its elements do not follow its head");
    weir_status_free(why);
    return status;
}

static weir_status parse_flat(weir_str bytes, weir_tensor *out, bool *out_dead)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_recv_tensor_response response;
    weir_status status = weir_msg_recv_tensor_response_read(bytes, &arena, &response);
    if (status)
        return malformed(status);
    *out_dead = response.is_dead;
    return response.is_dead ? WEIR_OK : weir_tensor_parse(response.tensor, out);
}

/* Fields follow the elements, or the value is dead: rare, so that a copy does not matter. */
static weir_status parse_joined(const weir_rpc_message *message, weir_tensor *out, bool *out_dead)
{
    WEIR_BUF(all);
    weir_buf_add(&all, message->head.at, message->head.length);
    weir_buf_add(&all, (const char *)message->payload->data + message->payload_at,
                 message->payload_bytes);
    return parse_flat(weir_view(&all), out, out_dead);
}

/* A tensor whose elements are the payload. */
static weir_status take_payload(weir_rpc_message *message, const weir_msg_tensor_proto *proto,
                                weir_tensor *out)
{
    weir_tensor tensor = {message->payload, (char *)message->payload->data + message->payload_at,
                          (weir_dtype)proto->dtype, WEIR_SCALAR};
    WEIR_TRY(weir_shape_from_proto(proto->tensor_shape, &tensor.shape));
    size_t bytes;
    if (!weir_dtype_valid(proto->dtype) || !weir_shape_known(&tensor.shape))
        return malformed(WEIR_OK);
    if (!weir_size_mul((size_t)weir_tensor_count(&tensor), weir_dtype_size(tensor.dtype), &bytes) ||
        bytes != message->payload_bytes)
        return weir_error(WEIR_INTERNAL, "a tensor of type %s and shape %s came with %zu bytes",
                          weir_dtype_name(tensor.dtype), WEIR_SHAPE_STR(&tensor.shape),
                          message->payload_bytes);
    if ((uintptr_t)tensor.data % WEIR_ALIGNMENT)
        return weir_tensor_clone(&tensor, out);
    message->payload = NULL;
    *out = tensor;
    return WEIR_OK;
}

/* The head of an answer whose elements are its payload. */
static weir_status parse_with_payload(weir_rpc_message *message, weir_tensor *out, bool *out_dead)
{
    WEIR_MESSAGE_ARENA(arena);
    cut_response cut;
    weir_status status = read_cut(weir_view(&message->head), &arena, &cut);
    if (status)
        return malformed(status);
    bool last = cut.inner.field == WEIR_FIELD_tensor_proto_tensor_content &&
                cut.outer.at + cut.inner.at == message->head.length;
    if (last && !cut.response.is_dead && cut.inner.length == message->payload_bytes)
        return take_payload(message, &cut.tensor, out);
    return parse_joined(message, out, out_dead);
}

weir_status weir_recv_answer_parse(weir_rpc_message *answer, weir_tensor *out_tensor,
                                   bool *out_dead)
{
    *out_dead = false;
    *out_tensor = (weir_tensor){0};
    return answer->payload ? parse_with_payload(answer, out_tensor, out_dead)
                           : parse_flat(weir_view(&answer->head), out_tensor, out_dead);
}
