/* tensor/values.h - a tensor's values in the repeated fields of a TensorProto.
 *
 * Most writers put tensor_content instead (tensor/proto.h); old checkpoints are read by programs
 * that look at the repeated fields only.
 */
#ifndef WEIR_TENSOR_VALUES_H
#define WEIR_TENSOR_VALUES_H

#include "tensor/proto.h"

/* Appends the values of |t| and nothing else. UNIMPLEMENTED for resources and variants. */
WEIR_CHECKED weir_status weir_tensor_encode_values(const weir_tensor *t, weir_buf *out);

#endif
