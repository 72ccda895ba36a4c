/* ops/common/variants_revive.c - deserialises variants. */
#include "ops/common/variants.h"
#include "tensor/opaque.h"
#include "tensor/proto.h"

static const weir_variant_type *const types[] = {
#define WEIR_VARIANT(name) &weir_variant_##name,
#include "ops/common/variants.inc"
#undef WEIR_VARIANT
};

static const weir_variant_type *find(weir_str name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (weir_str_is(name, types[i]->name))
            return types[i];
    return NULL;
}

static weir_status revive(weir_tensor *tensor, int depth);

/* Replaces *|out_variant|, which is owned, by the deserialised object. */
static weir_status revive_one(weir_variant **out_variant, weir_str proto, int depth)
{
    weir_variant_data data;
    WEIR_TRY(weir_variant_data_parse(proto, &data));
    const weir_variant_type *type = find(data.type_name);
    weir_variant *made = NULL;
    weir_status status = WEIR_OK;
    for (int i = 0; type && i < data.count && !status; i++)
        status =
            data.tensors[i].dtype == WEIR_VARIANT ? revive(&data.tensors[i], depth + 1) : WEIR_OK;
    if (type && !status)
        status = type->decode(data.metadata, data.tensors, data.count, &made);
    weir_variant_data_fini(&data);
    if (made) {
        weir_ref_release(&(*out_variant)->ref);
        *out_variant = made;
    }
    return status;
}

static bool has_bytes(const weir_tensor *tensor)
{
    weir_str proto;
    for (int64_t i = 0, count = weir_tensor_count(tensor); i < count; i++)
        if (weir_opaque_get(((weir_variant **)tensor->data)[i], &proto))
            return true;
    return false;
}

static weir_status revive(weir_tensor *tensor, int depth)
{
    if (!has_bytes(tensor))
        return WEIR_OK;
    if (depth > WEIR_VARIANT_DEPTH)
        return weir_error(WEIR_INVALID_ARGUMENT, "variants within variants more than %d deep",
                          WEIR_VARIANT_DEPTH);
    weir_tensor copy;
    weir_str proto;
    WEIR_TRY(weir_tensor_clone(tensor, &copy));
    weir_tensor_release(tensor);
    *tensor = copy;
    weir_variant **at = tensor->data;
    for (int64_t i = 0, count = weir_tensor_count(tensor); i < count; i++)
        if (weir_opaque_get(at[i], &proto))
            WEIR_TRY(revive_one(&at[i], proto, depth));
    return WEIR_OK;
}

weir_status weir_variants_revive(weir_tensor *tensor)
{
    return revive(tensor, 0);
}
