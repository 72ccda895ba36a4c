/* tensor/values.h - a tensor's values in the repeated fields of a TensorProto, both ways.
 *
 * V1 checkpoints and op definitions store values there instead of in
 * tensor_content.
 */
#ifndef WEIR_TENSOR_VALUES_H
#define WEIR_TENSOR_VALUES_H

#include "tensor/tensor.h"

typedef struct weir_msg_tensor_proto weir_msg_tensor_proto;

/* Fills a tensor of plain elements: the last value is repeated; without values it is zero. */
void weir_values_read(const weir_msg_tensor_proto *proto, weir_tensor *out);
/* Sets the repeated field of |out_proto| for |tensor|'s dtype. It is valid as long as |tensor| and
 * |arena|. UNIMPLEMENTED for types that have none. */
WEIR_CHECKED weir_status weir_values_write(const weir_tensor *tensor, weir_arena *arena,
                                           weir_msg_tensor_proto *out_proto);

#endif
