/* tensor/opaque.h - a variant in serialised form: from a file or a client and of a type unknown
 * here, kept so that it can be passed on unchanged.
 */
#ifndef WEIR_TENSOR_OPAQUE_H
#define WEIR_TENSOR_OPAQUE_H

#include "tensor/handle.h"

/* |proto| is a VariantTensorDataProto; its bytes are copied, not parsed. */
weir_variant *weir_opaque_create(weir_str proto);
/* The bytes; false when |variant| (may be null) is of another kind. */
bool weir_opaque_get(const weir_variant *variant, weir_str *out_proto);

#endif
