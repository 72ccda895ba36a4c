/* tensor/opaque.h - a variant in its serial form: what came from a file or a client and is not
 * understood here, kept so that it can be handed on unchanged.
 */
#ifndef WEIR_TENSOR_OPAQUE_H
#define WEIR_TENSOR_OPAQUE_H

#include "tensor/handle.h"

/* |proto| is a VariantTensorDataProto; its bytes are copied and not looked at. */
weir_variant *weir_opaque_create(weir_str proto);
/* The bytes; false when |variant| (which may be null) is of another kind. */
bool weir_opaque_get(const weir_variant *variant, weir_str *out_proto);

#endif
