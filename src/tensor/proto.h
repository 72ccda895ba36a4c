/* tensor/proto.h - TensorProto, TensorShapeProto and ResourceHandleProto, both ways. */
#ifndef WEIR_TENSOR_PROTO_H
#define WEIR_TENSOR_PROTO_H

#include "tensor/handle.h"

typedef struct weir_msg_tensor_proto weir_msg_tensor_proto;
typedef struct weir_msg_tensor_shape_proto weir_msg_tensor_shape_proto;

enum { WEIR_PROTO_TENSOR_LIMIT = 1 << 30 }; /* limit in bytes for what repetition expands to */

WEIR_CHECKED weir_status weir_shape_parse(weir_str proto, weir_shape *out_shape);
void weir_shape_encode(const weir_shape *shape, weir_buf *out); /* the message's fields */
/* The same for messages that contain one; a null |proto| is a scalar's. */
WEIR_CHECKED weir_status weir_shape_from_proto(const weir_msg_tensor_shape_proto *proto,
                                               weir_shape *out_shape);
const weir_msg_tensor_shape_proto *weir_shape_to_proto(const weir_shape *shape, weir_arena *arena);

/* Reads a TensorProto: tensor_content wins, the last repeated value fills the rest. */
WEIR_CHECKED weir_status weir_tensor_parse(weir_str proto, weir_tensor *out_tensor);
WEIR_CHECKED weir_status weir_tensor_from_proto(const weir_msg_tensor_proto *proto,
                                                weir_tensor *out_tensor);
/* Writes dtype, shape and tensor_content (strings: string_val; handles: resource_handle_val). */
WEIR_CHECKED weir_status weir_tensor_encode(const weir_tensor *tensor, weir_buf *out);
/* The same, but strings, handles and variants as tasks send them to each other: a list in
 * tensor_content. */
WEIR_CHECKED weir_status weir_tensor_encode_list(const weir_tensor *tensor, weir_buf *out);

/* Writes the fields of a VariantTensorDataProto; UNIMPLEMENTED when |variant| has no serial form. A
 * null variant has no fields. Reading yields an opaque variant (tensor/opaque.h). */
WEIR_CHECKED weir_status weir_variant_encode(const weir_variant *variant, weir_buf *out);

/* The fields of a VariantTensorDataProto. Names and metadata are views of the bytes; variants in
 * the tensors stay serialised. */
typedef struct weir_variant_data {
    weir_str type_name, metadata;
    int count;
    weir_tensor *tensors; /* owned */
} weir_variant_data;

WEIR_CHECKED weir_status weir_variant_data_parse(weir_str proto, weir_variant_data *out_data);
void weir_variant_data_fini(weir_variant_data *data);

void weir_handle_encode(const weir_handle *handle, weir_buf *out);
WEIR_CHECKED weir_status weir_handle_parse(weir_str proto, weir_handle **out_handle);

#endif
