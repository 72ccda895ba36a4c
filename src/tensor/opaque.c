/* tensor/opaque.c - variants stored as bytes. */
#include "tensor/opaque.h"

typedef struct opaque {
    weir_variant base;
    size_t length;
    char bytes[];
} opaque;

static const weir_variant_type opaque_type = {.name = "weir::Opaque"};

static void destroy(weir_ref *ref)
{
    weir_free(ref);
}

weir_variant *weir_opaque_create(weir_str proto)
{
    opaque *opaque = weir_alloc(sizeof *opaque + proto.length);
    weir_ref_init(&opaque->base.ref, destroy);
    opaque->base.type = &opaque_type;
    opaque->length = proto.length;
    if (proto.length)
        memcpy(opaque->bytes, proto.at, proto.length);
    return &opaque->base;
}

bool weir_opaque_get(const weir_variant *variant, weir_str *out_proto)
{
    if (!variant || variant->type != &opaque_type)
        return false;
    const opaque *this_opaque = (const opaque *)variant;
    *out_proto = (weir_str){this_opaque->bytes, this_opaque->length};
    return true;
}
