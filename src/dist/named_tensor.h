/* dist/named_tensor.h - NamedTensorProto, written without a struct for its elements. */
#ifndef WEIR_DIST_NAMED_TENSOR_H
#define WEIR_DIST_NAMED_TENSOR_H

#include "base/str.h"
#include "tensor/tensor.h"

/* Appends it as |field| of a message. On an error the field is incomplete. */
WEIR_CHECKED weir_status weir_named_tensor_put(weir_buf *out, uint32_t field, weir_str name,
                                               const weir_tensor *tensor);

#endif
