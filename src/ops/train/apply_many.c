/* ops/train/apply_many.c - _ApplyMany, _ResourceApplyMany: an optimiser's step on several small
 * variables.
 *
 * A pass creates them from the optimiser ops of a step that share their scalar inputs.
 */
#include "ops/state/state_impl.h"
#include "ops/train/apply_impl.h"

enum { RULE, FLAG, NAMES };     /* of .attrs */
enum { SLOTS, SCALARS, GRADS }; /* of .in */

/* Slots are grouped by variable. */
weir_status weir_apply_many_prepare(weir_prepare *preparation)
{
    const weir_site *site = preparation->site;
    int slots = weir_site_in(site, SLOTS).count, grads = weir_site_in(site, GRADS).count;
    if (slots % grads)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: %d variables for %d gradients",
                          site->def->name, slots, grads);
    weir_apply_layout layout, *kept;
    WEIR_TRY(weir_apply_layout_named(site, weir_site_int(site, RULE), weir_site_in(site, SCALARS),
                                     slots / grads, weir_site_list(site, NAMES), &layout));
    layout.flag = FLAG;
    kept = WEIR_NEW(weir_apply_layout);
    *kept = layout;
    preparation->state = kept;
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    int first = weir_site_in(infer->site, GRADS).start;
    for (int k = 0; k < infer->out_count; k++)
        infer->out[k] = *infer->in[first + k];
    return WEIR_OK;
}

weir_status weir_apply_many_to(weir_call *call, weir_apply *apply)
{
    weir_apply_layout layout = *(const weir_apply_layout *)call->state;
    weir_range grads = weir_site_in(call->site, GRADS);
    weir_train_rule rule = (weir_train_rule)weir_site_int(call->site, RULE);
    for (int k = 0; k < grads.count; k++) {
        layout.first_slot = k * layout.slot_count;
        apply->l = &layout;
        apply->grad = weir_in(call, grads.start + k);
        WEIR_TRY(weir_apply_to(call, rule, apply));
        if (call->site->out_count)
            weir_call_set_ref(call, k, weir_call_var(call, layout.first_slot));
    }
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    weir_apply apply = {.update = weir_apply_dense};
    return weir_apply_many_to(call, &apply);
}

#define ATTRS                                                                                      \
    "rule: int; flag: bool = false; names: list(string); S: int >= 1; N: int >= 0; "               \
    "K: int >= 1; T: {float, double}"

const weir_op weir_op_apply_many = {
    .name = "_ApplyMany",
    .in = "slots: S * Ref(T); scalars: N * T; grads: K * T",
    .out = "out: K * Ref(T)",
    .attrs = ATTRS,
    .flags = WEIR_INTERNAL_OP,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS, .prepare = weir_apply_many_prepare,
                 .cleanup = weir_apply_cleanup}},
};

const weir_op weir_op_resource_apply_many = {
    .name = "_ResourceApplyMany",
    .in = "slots: S * resource; scalars: N * T; grads: K * T",
    .attrs = ATTRS,
    .flags = WEIR_INTERNAL_OP | WEIR_STATEFUL,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, .prepare = weir_apply_many_prepare,
                 .cleanup = weir_apply_cleanup}},
};
