/* ops/data_flow/composite.c - CompositeTensorVariantFromComponents and ...ToComponents: packs the
 * tensors of a client's composite (for example a sparse or ragged tensor) into one variant. */
#include "ops/common/variants.h"
#include "tensor/handle.h"
#include "wire/messages.h"

enum { METADATA, TYPES }; /* attrs */

typedef struct composite {
    weir_variant base;
    weir_buf metadata; /* a CompositeTensorVariantMetadata */
    int count;
    weir_tensor *components;
} composite;

static weir_status encode(const weir_variant *variant, weir_buf *metadata,
                          weir_tensor **out_tensors, int *out_count)
{
    const composite *this_composite = (const composite *)variant;
    weir_buf_add(metadata, this_composite->metadata.at, this_composite->metadata.length);
    *out_tensors = WEIR_NEW_ARRAY(weir_tensor, this_composite->count + 1);
    for (int k = 0; k < this_composite->count; k++)
        (*out_tensors)[k] = weir_tensor_share(&this_composite->components[k]);
    *out_count = this_composite->count;
    return WEIR_OK;
}

static weir_status decode(weir_str metadata, const weir_tensor *tensors, int count,
                          weir_variant **out_variant);

const weir_variant_type weir_variant_composite = {
    .name = "CompositeTensorVariant", .encode = encode, .decode = decode};

static void destroy(weir_ref *ref)
{
    composite *this_composite = (composite *)ref;
    for (int k = 0; k < this_composite->count; k++)
        weir_tensor_release(&this_composite->components[k]);
    weir_free(this_composite->components);
    weir_buf_fini(&this_composite->metadata);
    weir_free(this_composite);
}

/* The kind of composite. False if the bytes are not a valid message. */
static bool class_of(weir_str metadata, int *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_composite_tensor_variant_metadata message;
    weir_status damaged =
        weir_msg_composite_tensor_variant_metadata_read(metadata, &arena, &message);
    weir_status_free(damaged);
    if (damaged)
        return false;
    *out = message.type_spec_proto ? message.type_spec_proto->type_spec_class : 0;
    return true;
}

static const char *class_name(int class)
{
    const char *name =
        weir_enum_name(&weir_enum_types[WEIR_ENUM_INDEX_type_spec_proto_type_spec_class], class);
    return name ? name : "UNKNOWN";
}

/* Creates one with unset components. */
static composite *create(weir_str metadata, int count)
{
    composite *new_composite = WEIR_NEW(composite);
    weir_ref_init(&new_composite->base.ref, destroy);
    new_composite->base.type = &weir_variant_composite;
    weir_buf_add(&new_composite->metadata, metadata.at, metadata.length);
    new_composite->count = count;
    new_composite->components = WEIR_NEW_ARRAY(weir_tensor, count + 1);
    return new_composite;
}

static weir_status decode(weir_str metadata, const weir_tensor *tensors, int count,
                          weir_variant **out_variant)
{
    int class;
    if (!class_of(metadata, &class))
        return weir_error(WEIR_INVALID_ARGUMENT, "Error parsing metadata");
    composite *composite = create(metadata, count);
    for (int k = 0; k < count; k++)
        composite->components[k] = weir_tensor_share(&tensors[k]);
    *out_variant = &composite->base;
    return WEIR_OK;
}

static weir_status from_components(weir_call *call)
{
    int class;
    weir_str metadata = weir_site_str(call->site, METADATA);
    if (!class_of(metadata, &class))
        return weir_error(WEIR_INVALID_ARGUMENT, "Error parsing metadata");
    composite *composite = create(metadata, call->site->in_count);
    for (int k = 0; k < composite->count; k++)
        composite->components[k] = weir_tensor_share(weir_in(call, k));
    weir_call_set(call, 0, weir_tensor_from_variant(&composite->base));
    return WEIR_OK;
}

const weir_op weir_op_composite_tensor_variant_from_components = {
    .name = "CompositeTensorVariantFromComponents",
    .in = "components: Tcomponents",
    .out = "encoded: variant",
    .attrs = "metadata: string; Tcomponents: list(type) >= 0",
    .infer = weir_infer_scalar,
    .kernels = {{WEIR_CPU, "*", from_components, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

static weir_status check_class(const weir_site *site, const composite *composite)
{
    int expected, actual;
    if (!class_of(weir_site_str(site, METADATA), &expected))
        return weir_error(WEIR_INVALID_ARGUMENT, "Error parsing `metadata`");
    class_of((weir_str){composite->metadata.at, composite->metadata.length}, &actual);
    if (expected != actual)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected a %s (based on `type_spec`), but `encoded` contains a %s",
                          class_name(expected), class_name(actual));
    return WEIR_OK;
}

static weir_status to_components(weir_call *call)
{
    const weir_tensor *encoded = weir_in(call, 0);
    if (weir_tensor_count(encoded) == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Input `encoded` must not be an empty variant tensor, but got shape %s",
                          WEIR_SHAPE_STR(&encoded->shape));
    const weir_variant *variant = *(weir_variant *const *)encoded->data;
    if (!variant || variant->type != &weir_variant_composite)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "The input `encoded` is not a valid CompositeTensorVariant tensor, got %s",
            variant ? variant->type->name : "nothing");
    const composite *this_composite = (const composite *)variant;
    WEIR_TRY(check_class(call->site, this_composite));
    if (this_composite->count != call->site->out_count)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Encoded value has %d tensor components; expected %d components based on "
                          "type_spec",
                          this_composite->count, call->site->out_count);
    for (int k = 0; k < this_composite->count; k++)
        if (this_composite->components[k].dtype != weir_dtype_base(call->site->out_types[k]))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Tensor component %d had dtype %s; expected dtype %s", k,
                              weir_dtype_enum(this_composite->components[k].dtype),
                              weir_dtype_enum(call->site->out_types[k]));
    for (int k = 0; k < this_composite->count; k++)
        weir_call_set(call, k, weir_tensor_share(&this_composite->components[k]));
    return WEIR_OK;
}

const weir_op weir_op_composite_tensor_variant_to_components = {
    .name = "CompositeTensorVariantToComponents",
    .in = "encoded: variant",
    .out = "components: Tcomponents",
    .attrs = "metadata: string; Tcomponents: list(type) >= 0",
    .infer = weir_infer_unknown,
    .kernels = {{WEIR_CPU, "*", to_components, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};
