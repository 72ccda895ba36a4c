/* dist/named_tensor.c - a tensor with its name, in requests and responses. */
#include "dist/named_tensor.h"

#include "tensor/proto.h"
#include "wire/messages.h"

weir_status weir_named_tensor_put(weir_buf *out, uint32_t field, weir_str name,
                                  const weir_tensor *tensor)
{
    size_t named = weir_message_open(out, field);
    weir_message_put_bytes(out, WEIR_FIELD_named_tensor_proto_name, name);
    size_t proto = weir_message_open(out, WEIR_FIELD_named_tensor_proto_tensor);
    weir_status status = weir_tensor_encode(tensor, out);
    weir_message_close(out, proto);
    weir_message_close(out, named);
    return status;
}
