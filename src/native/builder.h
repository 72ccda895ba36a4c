/* native/builder.h - what a builder can do besides weir/graph.h, for other rooms. */
#ifndef WEIR_NATIVE_BUILDER_H
#define WEIR_NATIVE_BUILDER_H

#include "weir/graph.h"

/* A node that keeps |bytes|, for the placer. */
TF_OperationDescription *weir_build_begin_sized(weir_builder *builder, const char *type,
                                                const char *name, int64_t bytes);
/* Strings belong to who made the tensor, and end with it here. */
void weir_build_delete_tensor(TF_Tensor *tensor);
TF_Tensor *weir_build_string_tensor(const char *const *values, int count, bool scalar);

/* The first element of a tensor of numbers, NaN when it has none. */
double weir_tensor_first_number(const TF_Tensor *value);

#endif
