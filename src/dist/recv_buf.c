/* dist/recv_buf.c - writes and parses RecvBufResponse. */
#include "dist/recv_buf.h"

#include "base/clock.h"
#include "dist/tensor_payload.h"
#include "wire/messages.h"

static const char type_name[] = "type.googleapis.com/tensorflow.RecvBufRespExtra";

/* ---- writing -------------------------------------------------------------------------------- */

weir_status weir_recv_buf_encode(const weir_tensor *tensor, weir_rpc_message *out_answer)
{
    if (!weir_dtype_is_plain(tensor->dtype))
        return weir_error(WEIR_INTERNAL, "a value of type %s is not of a type supported by RecvBuf",
                          weir_dtype_name(tensor->dtype));
    size_t bytes = weir_tensor_bytes(tensor);
    WEIR_BUF(extra); /* up to the elements, like |any| */
    WEIR_BUF(any);
    weir_message_open_bytes(&extra, WEIR_FIELD_recv_buf_resp_extra_tensor_content, bytes);
    weir_msg_any_write(&(weir_msg_any){.type_url = weir_str_of(type_name)}, &any);
    weir_message_open_bytes(&any, WEIR_FIELD_any_value, extra.length + bytes);
    weir_buf_add(&any, extra.at, extra.length);
    weir_rpc_message message = {0};
    weir_msg_recv_buf_response response = {.send_start_micros = weir_wall_us()};
    weir_msg_recv_buf_response_write(&response, &message.head);
    weir_message_open_bytes(&message.head, WEIR_FIELD_recv_buf_response_transport_options,
                            any.length + bytes);
    weir_buf_add(&message.head, any.at, any.length);
    if (bytes)
        weir_tensor_share_payload(tensor, &message);
    *out_answer = message;
    return WEIR_OK;
}

/* ---- reading -------------------------------------------------------------------------------- */

size_t weir_recv_buf_payload(weir_str first)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_recv_buf_response response;
    weir_msg_any any;
    weir_msg_recv_buf_resp_extra extra;
    weir_payload_place elements;
    weir_payload_level levels[] = {
        {WEIR_INDEX_recv_buf_response, WEIR_FIELD_recv_buf_response_transport_options, &response},
        {WEIR_INDEX_any, WEIR_FIELD_any_value, &any},
        {WEIR_INDEX_recv_buf_resp_extra, WEIR_FIELD_recv_buf_resp_extra_tensor_content, &extra},
    };
    weir_status status = weir_payload_find(levels, 3, first, &arena, &elements);
    bool failed = status != WEIR_OK;
    weir_status_free(status);
    if (elements.at)
        return elements.at;
    return failed || response.transport_options ? 0 : SIZE_MAX; /* needs more bytes */
}

static weir_status wrong_size(size_t bytes, size_t wanted)
{
    return weir_error(WEIR_INTERNAL,
                      "Tensor Size Mismatch: RecvBufResponse returned %zu bytes, expected: %zu",
                      bytes, wanted);
}

/* Concatenates the pieces of a response. */
static weir_status gather_pieces(weir_str bytes, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_recv_buf_response response;
    weir_msg_recv_buf_resp_extra extra = {0};
    WEIR_TRY(weir_msg_recv_buf_response_read(bytes, &arena, &response));
    if (response.transport_options)
        WEIR_TRY(
            weir_msg_recv_buf_resp_extra_read(response.transport_options->value, &arena, &extra));
    for (size_t i = 0; i < extra.tensor_content.count; i++)
        weir_buf_add(out, extra.tensor_content.at[i].at, extra.tensor_content.at[i].length);
    return WEIR_OK;
}

/* A response of any layout. */
static weir_status copy_pieces(weir_rpc_message *message, const weir_shape *shape, weir_dtype dtype,
                               weir_tensor *out)
{
    WEIR_BUF(whole);
    WEIR_BUF(pieces);
    weir_str bytes = weir_rpc_message_join(message, &whole);
    WEIR_TRY(weir_answer_parsed(gather_pieces(bytes, &pieces), "RecvBuf"));
    size_t wanted = (size_t)shape->dims[0] * weir_dtype_size(dtype);
    if (pieces.length != wanted)
        return wrong_size(pieces.length, wanted);
    WEIR_TRY(weir_tensor_alloc(dtype, shape, out));
    if (wanted)
        memcpy(out->data, pieces.at, wanted);
    return WEIR_OK;
}

weir_status weir_recv_buf_parse(weir_rpc_message *answer, weir_dtype dtype, int64_t count,
                                weir_tensor *out_tensor)
{
    weir_shape shape = {.rank = 1, .dims = {count}};
    size_t wanted = (size_t)count * weir_dtype_size(dtype);
    /* The elements are contiguous, and nothing follows them. */
    bool plain = answer->payload && answer->payload_bytes == wanted &&
                 weir_recv_buf_payload(weir_view(&answer->head)) == answer->head.length;
    if (!plain)
        return copy_pieces(answer, &shape, dtype, out_tensor);
    weir_tensor tensor = {answer->payload, (char *)answer->payload->data + answer->payload_at,
                          dtype, shape};
    if ((uintptr_t)tensor.data % WEIR_ALIGNMENT)
        return weir_tensor_clone(&tensor, out_tensor);
    answer->payload = NULL;
    *out_tensor = tensor;
    return WEIR_OK;
}
