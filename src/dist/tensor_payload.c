/* dist/tensor_payload.c - tensor elements, separate from the messages that contain them. */
#include "dist/tensor_payload.h"

#include "tensor/proto.h"

void weir_tensor_head_put(const weir_tensor *tensor, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_tensor_proto proto = {.dtype = (int32_t)tensor->dtype};
    if (tensor->shape.rank)
        proto.tensor_shape = weir_shape_to_proto(&tensor->shape, &arena);
    weir_msg_tensor_proto_write(&proto, out);
    weir_message_open_bytes(out, WEIR_FIELD_tensor_proto_tensor_content, weir_tensor_bytes(tensor));
}

void weir_tensor_share_payload(const weir_tensor *tensor, weir_rpc_message *message)
{
    message->payload = weir_buffer_retain(tensor->buffer);
    message->payload_at = (size_t)((char *)tensor->data - (char *)tensor->buffer->data);
    message->payload_bytes = weir_tensor_bytes(tensor);
}

weir_status weir_payload_find(const weir_payload_level *levels, int count, weir_str first,
                              weir_arena *arena, weir_payload_place *out_place)
{
    weir_payload_place place = {.ends = true};
    uint64_t end = 0; /* of the level's field, in the whole message */
    *out_place = (weir_payload_place){0};
    for (int i = 0; i < count; i++) {
        weir_message_cut cut;
        weir_str rest = {first.at + place.at, first.length - place.at};
        WEIR_TRY(weir_message_read_head(&weir_message_types[levels[i].type], rest, arena,
                                        levels[i].message, &cut));
        if (cut.field != levels[i].field)
            return WEIR_OK;
        place.at += cut.at;
        place.bytes = cut.length;
        place.ends &= i == 0 || place.at + cut.length == end;
        end = place.at + cut.length;
    }
    *out_place = place;
    return WEIR_OK;
}

weir_status weir_tensor_from_payload(const weir_msg_tensor_proto *proto,
                                     const weir_rpc_message *message, size_t bytes,
                                     weir_tensor *out_tensor)
{
    weir_tensor tensor = {message->payload, (char *)message->payload->data + message->payload_at,
                          (weir_dtype)proto->dtype, WEIR_SCALAR};
    WEIR_TRY(weir_shape_from_proto(proto->tensor_shape, &tensor.shape));
    if (!weir_dtype_valid(proto->dtype) || !weir_dtype_is_plain(tensor.dtype))
        return weir_error(WEIR_INTERNAL, "a tensor of type %d came as plain elements",
                          proto->dtype);
    size_t wanted = 0;
    if (!weir_shape_known(&tensor.shape) ||
        !weir_size_mul((size_t)weir_tensor_count(&tensor), weir_dtype_size(tensor.dtype),
                       &wanted) ||
        wanted != bytes)
        return weir_error(WEIR_INTERNAL,
                          "a tensor of type %s and shape %s does not fit the %zu bytes it came "
                          "with",
                          weir_dtype_name(tensor.dtype), WEIR_SHAPE_STR(&tensor.shape), bytes);
    if ((uintptr_t)tensor.data % WEIR_ALIGNMENT)
        return weir_tensor_clone(&tensor, out_tensor);
    weir_buffer_retain(tensor.buffer);
    *out_tensor = tensor;
    return WEIR_OK;
}

weir_str weir_rpc_message_join(const weir_rpc_message *message, weir_buf *room)
{
    if (!message->payload)
        return weir_view(&message->head);
    weir_buf_add(room, message->head.at, message->head.length);
    weir_buf_add(room, (const char *)message->payload->data + message->payload_at,
                 message->payload_bytes);
    return weir_view(room);
}
