/* ops/state/scatter_nd.c - ScatterNd* and ResourceScatterNd*: changes slices of a variable.
 *
 * Each row of the last dimension of indices selects a slice of the variable; it becomes (slice op
 * updates[row]). All indices are checked before anything is written. */
#include "ops/common/scatter_nd.h"
#include "ops/declare.h"
#include "ops/math/types.h"
#include "ops/state/state_impl.h"

enum { POLICY = 3 }; /* attr: policy for indices out of range */

static weir_status scatter_into(weir_call *call, weir_var *var)
{
    const weir_tensor *indices = weir_in(call, 1), *updates = weir_in(call, 2);
    bool skip_bad;
    WEIR_TRY(weir_bad_indices_policy(weir_site_str(call->site, POLICY), &skip_bad));
    weir_tensor *params;
    WEIR_TRY(weir_state_begin(var, updates->dtype, &params));
    weir_status status = weir_scatter_nd_check(&params->shape, &indices->shape, &updates->shape);
    if (!status)
        status = weir_scatter_nd(params, indices, updates, weir_site_mode(call->site), skip_bad);
    weir_var_end(var);
    return status;
}

static weir_status scatter_nd(weir_call *call)
{
    return weir_state_change(call, scatter_into);
}

static weir_status infer(weir_infer *infer)
{
    if (weir_state_at_run(infer))
        return WEIR_OK;
    weir_shape params;
    WEIR_TRY(weir_state_infer_var(infer, 0, weir_dtype_base(infer->site->in_types[2]), &params));
    if (infer->site->out_count)
        infer->out[0] = params;
    if (!weir_shape_known(&params) || !weir_shape_known(infer->in[1]) ||
        !weir_shape_known(infer->in[2]))
        return WEIR_OK;
    return weir_scatter_nd_check(&params, infer->in[1], infer->in[2]);
}

static weir_status prepare(weir_prepare *preparation)
{
    bool skip_bad;
    return weir_bad_indices_policy(weir_site_str(preparation->site, POLICY), &skip_bad);
}

#define BY_REFERENCE(allowed, locking, types)                                                      \
    .in = "ref: Ref(T); indices: Tindices; updates: T", .out = "output_ref: Ref(T)",               \
    .attrs = "T: " allowed "; Tindices: {int32, int64}; use_locking: bool = " locking              \
             "; bad_indices_policy: string = \"\"",                                                \
    .infer = infer, .no_grad = true,                                                               \
    .kernels = {{WEIR_CPU, "T: " types, scatter_nd, WEIR_OWN_OUTPUTS, .prepare = prepare}}
#define BY_HANDLE(types)                                                                           \
    .in = "ref: resource; indices: Tindices; updates: T",                                          \
    .attrs = "T: type; Tindices: {int32, int64}; use_locking: bool = true; "                       \
             "bad_indices_policy: string = \"\"",                                                  \
    .flags = WEIR_STATEFUL, .infer = infer, .no_grad = true,                                       \
    .kernels = {{WEIR_CPU, "T: " types, scatter_nd, .prepare = prepare}}
#define NUMBERS_BY_REFERENCE(types) BY_REFERENCE("{" NUMBERS "}", "false", types)

WEIR_DEFINE_OP(scatter_nd_update, "ScatterNdUpdate", .mode = WEIR_SCATTER_SET,
               BY_REFERENCE("type", "true", WEIR_POD_TYPES ", string"));
WEIR_DEFINE_OP(scatter_nd_add, "ScatterNdAdd", .mode = WEIR_UPDATE_ADD,
               NUMBERS_BY_REFERENCE(WEIR_POD_TYPES));
WEIR_DEFINE_OP(scatter_nd_sub, "ScatterNdSub", .mode = WEIR_UPDATE_SUB,
               NUMBERS_BY_REFERENCE(WEIR_POD_TYPES));
WEIR_DEFINE_OP(scatter_nd_min, "ScatterNdMin", .mode = WEIR_UPDATE_MIN,
               NUMBERS_BY_REFERENCE(WEIR_REAL_TYPES));
WEIR_DEFINE_OP(scatter_nd_max, "ScatterNdMax", .mode = WEIR_UPDATE_MAX,
               NUMBERS_BY_REFERENCE(WEIR_REAL_TYPES));
WEIR_DEFINE_OP(resource_scatter_nd_update, "ResourceScatterNdUpdate", .mode = WEIR_SCATTER_SET,
               BY_HANDLE(WEIR_POD_TYPES ", string"));
WEIR_DEFINE_OP(resource_scatter_nd_add, "ResourceScatterNdAdd", .mode = WEIR_UPDATE_ADD,
               BY_HANDLE(WEIR_POD_TYPES));
WEIR_DEFINE_OP(resource_scatter_nd_sub, "ResourceScatterNdSub", .mode = WEIR_UPDATE_SUB,
               BY_HANDLE(WEIR_POD_TYPES));
WEIR_DEFINE_OP(resource_scatter_nd_min, "ResourceScatterNdMin", .mode = WEIR_UPDATE_MIN,
               BY_HANDLE(WEIR_REAL_TYPES));
WEIR_DEFINE_OP(resource_scatter_nd_max, "ResourceScatterNdMax", .mode = WEIR_UPDATE_MAX,
               BY_HANDLE(WEIR_REAL_TYPES));
