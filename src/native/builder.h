/* native/builder.h - extensions of weir/graph.h's builder, for other rooms. */
#ifndef WEIR_NATIVE_BUILDER_H
#define WEIR_NATIVE_BUILDER_H

#include "weir/graph.h"

/* A node with |bytes| of state, for the placer. */
TF_OperationDescription *weir_build_begin_sized(weir_builder *builder, const char *type,
                                                const char *name, int64_t bytes);
/* Deletes a tensor and its strings, which its creator owns. */
void weir_build_delete_tensor(TF_Tensor *tensor);
TF_Tensor *weir_build_string_tensor(const char *const *values, int count, bool scalar);

/* The first element of a numeric tensor, NaN if it is empty. */
double weir_tensor_first_number(const TF_Tensor *value);

#endif
