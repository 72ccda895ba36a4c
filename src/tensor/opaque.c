/* tensor/opaque.c - variants kept as bytes. */
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
    opaque *o = weir_alloc(sizeof *o + proto.length);
    weir_ref_init(&o->base.ref, destroy);
    o->base.type = &opaque_type;
    o->length = proto.length;
    if (proto.length)
        memcpy(o->bytes, proto.at, proto.length);
    return &o->base;
}

bool weir_opaque_get(const weir_variant *v, weir_str *out_proto)
{
    if (!v || v->type != &opaque_type)
        return false;
    const opaque *o = (const opaque *)v;
    *out_proto = (weir_str){o->bytes, o->length};
    return true;
}
