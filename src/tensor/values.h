/* tensor/values.h - a tensor's values in the repeated fields of a TensorProto, both ways.
 *
 * Checkpoints of the first format and definitions of ops keep them there, and not in
 * tensor_content.
 */
#ifndef WEIR_TENSOR_VALUES_H
#define WEIR_TENSOR_VALUES_H

#include "tensor/tensor.h"

typedef struct weir_msg_tensor_proto weir_msg_tensor_proto;

/* Fills a tensor of plain elements: the last value fills the rest, none at all are zeros. */
void weir_values_read(const weir_msg_tensor_proto *proto, weir_tensor *out);
/* Sets the repeated field of |out_proto| that |tensor|'s values belong to. It lives as long as
 * |tensor| and |arena|. UNIMPLEMENTED for types that have none. */
WEIR_CHECKED weir_status weir_values_write(const weir_tensor *tensor, weir_arena *arena,
                                           weir_msg_tensor_proto *out_proto);

#endif
