/* ops/train/apply_narrow.c - _ApplyNarrow, _ResourceApplyNarrow: an optimiser's step on float
 * variables with a 16-bit float gradient, for mixed precision (pass/mixed.c).
 */
#include "base/half.h"
#include "ops/state/state_impl.h"
#include "ops/train/apply_impl.h"

enum { RULE, FLAG, NAMES };    /* of .attrs */
enum { SLOTS, SCALARS, GRAD }; /* of .in */

weir_status weir_apply_narrow_prepare(weir_prepare *preparation)
{
    const weir_site *site = preparation->site;
    weir_apply_layout layout, *kept;
    WEIR_TRY(weir_apply_layout_named(site, weir_site_int(site, RULE), weir_site_in(site, SCALARS),
                                     weir_site_in(site, SLOTS).count, weir_site_list(site, NAMES),
                                     &layout));
    layout.flag = FLAG;
    layout.grad = weir_site_in(site, GRAD).start;
    kept = WEIR_NEW(weir_apply_layout);
    *kept = layout;
    preparation->state = kept;
    return WEIR_OK;
}

weir_status weir_apply_narrow_to(weir_call *call, weir_apply *apply)
{
    weir_train_rule rule = (weir_train_rule)weir_site_int(call->site, RULE);
    WEIR_TRY(weir_apply_to(call, rule, apply));
    if (call->site->out_count)
        weir_call_set_ref(call, 0, weir_call_var(call, apply->l->first_slot));
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    if (infer->out_count)
        infer->out[0] = *infer->in[weir_site_in(infer->site, GRAD).start];
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_apply_layout *layout = call->state;
    const weir_tensor *grad = weir_in(call, layout->grad);
    const uint16_t *from = grad->data;
    weir_tensor wide;
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &grad->shape, &wide));
    float *to = wide.data;
    for (int64_t i = 0; i < weir_tensor_count(grad); i++)
        to[i] = grad->dtype == WEIR_HALF ? weir_f16_f32(from[i]) : weir_bf16_f32(from[i]);
    weir_apply apply = {.l = layout, .grad = &wide, .update = weir_apply_dense};
    weir_status status = weir_apply_narrow_to(call, &apply);
    weir_tensor_release(&wide);
    return status;
}

#define ATTRS                                                                                      \
    "rule: int; flag: bool = false; names: list(string); S: int >= 1; N: int >= 0; "               \
    "G: {half, bfloat16}"

const weir_op weir_op_apply_narrow = {
    .name = "_ApplyNarrow",
    .in = "slots: S * Ref(float); scalars: N * float; grad: G",
    .out = "out: Ref(float)",
    .attrs = ATTRS,
    .flags = WEIR_INTERNAL_OP,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS, .prepare = weir_apply_narrow_prepare,
                 .cleanup = weir_apply_cleanup}},
};

const weir_op weir_op_resource_apply_narrow = {
    .name = "_ResourceApplyNarrow",
    .in = "slots: S * resource; scalars: N * float; grad: G",
    .attrs = ATTRS,
    .flags = WEIR_INTERNAL_OP | WEIR_STATEFUL,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, .prepare = weir_apply_narrow_prepare,
                 .cleanup = weir_apply_cleanup}},
};
