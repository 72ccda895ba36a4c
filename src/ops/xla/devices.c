/* ops/xla/devices.c - Relayout, RelayoutLike, CopyToMesh, CopyToMeshGrad, NcclAllReduce,
 * NcclBroadcast, NcclReduce, CollectiveAssignGroupV2: layouts of tensors and exchanges between
 * devices.
 *
 * A layout or a mesh does not change values. A reduction over the devices of one CPU has one part,
 * or all of its parts as inputs.
 */
#include <inttypes.h>

#include "ops/common/catalogue.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/inner.h"
#include "ops/declare.h"

static weir_status hand_on(weir_call *call)
{
    weir_call_forward(call, 0, 0, NULL);
    return WEIR_OK;
}

#define SAME                                                                                       \
    .infer = weir_infer_same_shape,                                                                \
    .kernels = {{WEIR_CPU, "*", hand_on, WEIR_OWN_OUTPUTS | WEIR_CHEAP}}
#define ONE .in = "input: T", .out = "output: T"
WEIR_DEFINE_OP(relayout, "Relayout", SAME, ONE, .attrs = "layout: string; T: type",
               .grad = weir_grad_identity);
WEIR_DEFINE_OP(relayout_like, "RelayoutLike", SAME, .in = "input: T; layout_input: U",
               .out = "output: T", .attrs = "T: type; U: type");
WEIR_DEFINE_OP(copy_to_mesh, "CopyToMesh", SAME, ONE, .attrs = "mesh: string; T: type",
               .grad = weir_grad_identity);
WEIR_DEFINE_OP(copy_to_mesh_grad, "CopyToMeshGrad", SAME, .in = "input: T; forward_input: T",
               .out = "output: T", .attrs = "T: type");
WEIR_DEFINE_OP(nccl_broadcast, "NcclBroadcast", SAME, ONE, .flags = WEIR_STATEFUL,
               .attrs = "T: {half, float, double, int32, int64}; shape: shape");

/* ---- NcclAllReduce, NcclReduce --------------------------------------------------------------- */

enum { REDUCTION, TYPE, DEVICES };

static weir_status all_reduce(weir_call *call)
{
    if (weir_site_int(call->site, DEVICES) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "NcclAllReduce over %" PRId64 " devices, but there is one processor",
                          weir_site_int(call->site, DEVICES));
    return hand_on(call);
}

WEIR_DEFINE_OP(nccl_all_reduce, "NcclAllReduce", .in = "input: T", .out = "data: T",
               .attrs = "reduction: {'min', 'max', 'prod', 'sum'}; "
                        "T: {half, float, double, int32, int64}; num_devices: int; "
                        "shared_name: string",
               .flags = WEIR_STATEFUL, .infer = weir_infer_same_shape,
               .kernels = {{WEIR_CPU, "*", all_reduce, WEIR_OWN_OUTPUTS | WEIR_CHEAP}});

static const weir_op *reduction_of(const weir_call *call)
{
    weir_str name = weir_site_str(call->site, REDUCTION);
    return weir_str_is(name, "min")    ? &weir_op_minimum
           : weir_str_is(name, "max")  ? &weir_op_maximum
           : weir_str_is(name, "prod") ? &weir_op_mul
                                       : &weir_op_add_v2;
}

static weir_status reduce_parts(weir_call *call, const weir_inner *inner)
{
    weir_tensor sum = weir_tensor_share(weir_in(call, 0));
    for (int i = 1; i < call->site->in_count; i++) {
        weir_tensor next;
        weir_status status =
            weir_inner_run(inner, call, (const weir_tensor *[]){&sum, weir_in(call, i)}, &next);
        weir_tensor_release(&sum);
        WEIR_TRY(status);
        sum = next;
    }
    weir_call_set(call, 0, sum);
    return WEIR_OK;
}

static weir_status reduce(weir_call *call)
{
    const weir_named_attr attrs[] = {weir_a_type("T", weir_site_type(call->site, TYPE))};
    weir_inner *inner;
    WEIR_TRY(weir_inner_create(reduction_of(call), attrs, 1, &inner));
    weir_status status = reduce_parts(call, inner);
    weir_inner_destroy(inner);
    return status;
}

static weir_status merged_infer(weir_infer *infer)
{
    infer->out[0] = *infer->in[0];
    for (int i = 1; i < infer->in_count; i++)
        WEIR_TRY(weir_infer_merge(&infer->out[0], infer->in[i], &infer->out[0]));
    return WEIR_OK;
}

WEIR_DEFINE_OP(nccl_reduce, "NcclReduce", .in = "input: num_devices * T", .out = "data: T",
               .attrs = "reduction: {'min', 'max', 'prod', 'sum'}; "
                        "T: {half, float, double, int32, int64}; num_devices: int >= 1",
               .flags = WEIR_STATEFUL, .infer = merged_infer,
               .kernels = {{WEIR_CPU, "*", reduce, WEIR_OWN_OUTPUTS}});

/* ---- CollectiveAssignGroupV2 ----------------------------------------------------------------- */

/* The group of the device: its size, and a key relative to the base. */
static weir_status assign_group(weir_call *call)
{
    const weir_tensor *groups = weir_in(call, 0);
    if (groups->shape.rank != 2 || weir_tensor_count(weir_in(call, 1)) != 1 ||
        weir_tensor_count(weir_in(call, 2)) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "group_assignment must be a matrix, device_index and base_key scalars");
    int64_t columns = groups->shape.dims[1], device = weir_int_at(weir_in(call, 1), 0);
    for (int64_t i = 0; i < weir_tensor_count(groups); i++)
        if (weir_int_at(groups, i) == device) {
            weir_int_set(weir_out(call, 0), 0, columns);
            weir_int_set(weir_out(call, 1), 0, weir_int_at(weir_in(call, 2), 0) + i / columns);
            return WEIR_OK;
        }
    return weir_error(WEIR_INVALID_ARGUMENT, "device_index %" PRId64 " is not in group_assignment",
                      device);
}

WEIR_DEFINE_OP(collective_assign_group_v2, "CollectiveAssignGroupV2",
               .in = "group_assignment: int32; device_index: int32; base_key: int32",
               .out = "group_size: int32; group_key: int32",
               .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED, .infer = weir_infer_scalar,
               .kernels = {{WEIR_CPU, "*", assign_group, WEIR_CHEAP}});
