/* ops/common/summarize.h - formats a tensor's first elements, for Assert and Print. */
#ifndef WEIR_OPS_COMMON_SUMMARIZE_H
#define WEIR_OPS_COMMON_SUMMARIZE_H

#include "tensor/tensor.h"

/* Appends up to |most| elements (-1: all) in TensorFlow's format: "1 2 3...", "[1 2][3 4]". */
void weir_tensor_summarize(const weir_tensor *tensor, int64_t most, weir_buf *out);

#endif
