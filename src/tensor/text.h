/* tensor/text.h - tensors as readable text: for Print, Assert and StringFormat. */
#ifndef WEIR_TENSOR_TEXT_H
#define WEIR_TENSOR_TEXT_H

#include "tensor/tensor.h"

/* One element. Strings in the new style are quoted and escaped. */
void weir_element_text(const weir_tensor *tensor, int64_t i, bool new_style, weir_buf *out);
/* TensorFlow 2's style: "[[1 2 ... 9]\n [...]]", |ends| elements from each end of each dimension;
 * negative: all. */
void weir_tensor_text(const weir_tensor *tensor, int64_t ends, weir_buf *out);

#endif
