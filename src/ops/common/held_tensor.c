/* ops/common/held_tensor.c - a whole tensor as one element of a variant tensor. */
#include "ops/common/held_tensor.h"

typedef struct held_tensor {
    weir_variant base;
    weir_tensor tensor;
} held_tensor;

static const weir_variant_type held_tensor_type = {.name = "tensorflow::Tensor"};

static void destroy(weir_ref *ref)
{
    held_tensor *held = (held_tensor *)ref;
    weir_tensor_release(&held->tensor);
    weir_free(held);
}

void weir_held_tensor_put(weir_variant **element, const weir_tensor *tensor)
{
    held_tensor *held = WEIR_NEW(held_tensor);
    weir_ref_init(&held->base.ref, destroy);
    held->base.type = &held_tensor_type;
    held->tensor = weir_tensor_share(tensor);
    weir_ref_release((weir_ref *)*element);
    *element = &held->base;
}

bool weir_held_tensor_get(const weir_variant *variant, weir_tensor *out)
{
    if (!variant || variant->type != &held_tensor_type)
        return false;
    *out = weir_tensor_share(&((const held_tensor *)variant)->tensor);
    return true;
}
