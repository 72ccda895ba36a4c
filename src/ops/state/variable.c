/* ops/state/variable.c - VariableV2, Variable: a mutable tensor passed by reference. */
#include <string.h>

#include "ops/declare.h"
#include "ops/state/state_impl.h"

enum { SHAPE, DTYPE, CONTAINER, SHARED_NAME };

static weir_status create(void *arg, weir_resource **out)
{
    const weir_site *site = arg;
    weir_var *var = weir_var_create(&weir_legacy_var_type, weir_site_type(site, DTYPE),
                                    weir_site_shape(site, SHAPE));
    *out = &var->base;
    return WEIR_OK;
}

static weir_status prepare(weir_prepare *preparation)
{
    return weir_named_prepare(preparation, CONTAINER, SHARED_NAME, WEIR_BY_NODE_NAME,
                              &weir_legacy_var_type);
}

static weir_status variable(weir_call *call)
{
    weir_resource *found;
    WEIR_TRY(weir_named_open(call, create, (void *)call->site, &found));
    weir_var *var = (weir_var *)found;
    weir_status status = WEIR_OK;
    weir_state_use(call, var);
    if (var->dtype == weir_site_type(call->site, DTYPE))
        weir_call_set_ref(call, 0, var);
    else
        status =
            weir_error(WEIR_INTERNAL,
                       "Output 0 of type %s does not match declared output type %s for node {{node "
                       "%s}}",
                       weir_dtype_name(var->dtype + WEIR_REF_OFFSET),
                       weir_dtype_name(call->site->out_types[0]), call->site->name);
    weir_var_release(var);
    return status;
}

static weir_status infer_v2(weir_infer *infer)
{
    infer->out[0] = *weir_site_shape(infer->site, SHAPE);
    return WEIR_OK;
}

/* In Variable's attr, [] means an unknown shape. */
static weir_status infer_v1(weir_infer *infer)
{
    const weir_shape *shape = weir_site_shape(infer->site, SHAPE);
    infer->out[0] = shape->rank > 0 ? *shape : WEIR_UNKNOWN_SHAPE;
    return WEIR_OK;
}

#define VARIABLE                                                                                   \
    .out = "ref: Ref(dtype)",                                                                      \
    .attrs = "shape: shape; dtype: type; container: string = \"\"; shared_name: string = \"\"",    \
    .kernels = {{WEIR_CPU, "*", variable, WEIR_OWN_OUTPUTS | WEIR_CHEAP, .prepare = prepare,       \
                 .cleanup = weir_named_cleanup}}

WEIR_DEFINE_OP(variable, "Variable", VARIABLE, .flags = WEIR_STATEFUL, .infer = infer_v1);
WEIR_DEFINE_OP(variable_v2, "VariableV2", VARIABLE, .flags = WEIR_STATEFUL | WEIR_NO_EFFECT,
               .infer = infer_v2);

static weir_status is_initialized(weir_call *call)
{
    weir_var *var = weir_call_var(call, 0);
    *(bool *)weir_out(call, 0)->data = var && weir_var_initialized(var);
    return WEIR_OK;
}

const weir_op weir_op_is_variable_initialized = {
    .name = "IsVariableInitialized",
    .in = "ref: Ref(dtype)",
    .out = "is_initialized: bool",
    .attrs = "dtype: type",
    .host = "is_initialized",
    .flags = WEIR_ALLOWS_UNINITIALIZED,
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", is_initialized, WEIR_CHEAP}},
};
