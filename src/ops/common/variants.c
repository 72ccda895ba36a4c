/* ops/common/variants.c - element-wise sums and zeros of variants. */
#include "ops/common/variants.h"

#include <inttypes.h>

#include "tensor/handle.h"

static weir_variant **elements(const weir_tensor *tensor)
{
    return tensor->data;
}

/* Replaces *|sum|, which is owned, by its sum with |by|. */
static weir_status add_one(weir_variant **sum, const weir_variant *by)
{
    if (!*sum || !by || (*sum)->type != by->type || !by->type->add)
        return weir_error(WEIR_INTERNAL, "No sum of variants of types '%s' and '%s'",
                          *sum ? (*sum)->type->name : "", by ? by->type->name : "");
    weir_variant *next;
    WEIR_TRY(by->type->add(*sum, by, &next));
    weir_ref_release(&(*sum)->ref);
    *sum = next;
    return WEIR_OK;
}

weir_status weir_variants_add(weir_call *call)
{
    const weir_tensor *first = weir_in(call, 0);
    WEIR_TRY(weir_call_alloc(call, 0, &first->shape));
    weir_variant **sum = elements(weir_out(call, 0));
    int64_t count = weir_tensor_count(first);
    weir_elements_copy(WEIR_VARIANT, sum, first->data, count);
    for (int k = 1; k < call->site->in_count; k++)
        for (int64_t i = 0; i < count; i++)
            WEIR_TRY(add_one(&sum[i], elements(weir_in(call, k))[i]));
    return WEIR_OK;
}

weir_status weir_variants_zero(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    WEIR_TRY(weir_call_alloc(call, 0, &x->shape));
    for (int64_t i = 0; i < weir_tensor_count(x); i++) {
        const weir_variant *variant = elements(x)[i];
        if (!variant || !variant->type->zero)
            return weir_error(WEIR_INTERNAL, "No zero for a variant of type '%s'",
                              variant ? variant->type->name : "");
        WEIR_TRY(variant->type->zero(variant, &elements(weir_out(call, 0))[i]));
    }
    return WEIR_OK;
}
