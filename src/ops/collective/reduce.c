/* ops/collective/reduce.c - CollectiveReduce, its V2 and CollectiveReduceV3: reduction over all
 * members. CollectiveGather, CollectiveGatherV2: concatenation of all members' values.
 */
#include "ops/collective/ops_impl.h"
#include "ops/collective/ring.h"

enum { R1_MERGE = 4, R1_FINAL = 5, R1_OFFSETS = 6, R1_TIMEOUT = 9 };
enum { R2_MERGE = 1, R2_FINAL = 2, R2_TIMEOUT = 4, R2_SUBDIVISIONS = 7 };
enum { R3_REDUCTION = 1, R3_TIMEOUT };
enum { G1_TIMEOUT = 6, G2_TIMEOUT = 2 };

/* ---- reductions ----------------------------------------------------------------------------- */

weir_binary_op weir_collective_merge(weir_str name)
{
    return weir_str_is(name, "Min")   ? WEIR_B_minimum
           : weir_str_is(name, "Max") ? WEIR_B_maximum
           : weir_str_is(name, "Mul") ? WEIR_B_mul
                                      : WEIR_B_add;
}

static weir_status leave_spec(weir_prepare *preparation, weir_ring_spec spec)
{
    weir_ring_spec *ring_spec = WEIR_NEW(weir_ring_spec);
    *ring_spec = spec;
    preparation->state = ring_spec;
    return WEIR_OK;
}

static weir_status prepare_reduce(weir_prepare *preparation)
{
    const weir_attr *offsets = weir_site_list(preparation->site, R1_OFFSETS);
    return leave_spec(
        preparation,
        (weir_ring_spec){.reduces = true,
                         .merge = weir_collective_merge(weir_site_str(preparation->site, R1_MERGE)),
                         .divides = weir_str_is(weir_site_str(preparation->site, R1_FINAL), "Div"),
                         .offsets = offsets->is,
                         .offset_count = (int)offsets->count,
                         .most_subdivisions = -1});
}

static weir_status prepare_reduce_v2(weir_prepare *preparation)
{
    return leave_spec(
        preparation,
        (weir_ring_spec){.reduces = true,
                         .merge = weir_collective_merge(weir_site_str(preparation->site, R2_MERGE)),
                         .divides = weir_str_is(weir_site_str(preparation->site, R2_FINAL), "Div"),
                         .most_subdivisions =
                             (int)weir_site_int(preparation->site, R2_SUBDIVISIONS)});
}

static weir_status prepare_reduce_v3(weir_prepare *preparation)
{
    weir_str name = weir_site_str(preparation->site, R3_REDUCTION);
    return leave_spec(preparation, (weir_ring_spec){.reduces = true,
                                                    .merge = weir_collective_merge(name),
                                                    .most_subdivisions = -1});
}

static weir_status prepare_gather(weir_prepare *preparation)
{
    return leave_spec(preparation, (weir_ring_spec){.most_subdivisions = -1});
}

static void cleanup(void *state)
{
    weir_free(state);
}

/* The member's own value, in a buffer that may be overwritten. */
static weir_status own_value(weir_call *call, weir_tensor *out)
{
    if (!weir_call_may_reuse(call, 0))
        return weir_tensor_clone(weir_in(call, 0), out);
    *out = weir_tensor_share(weir_in(call, 0));
    weir_tensor_release(&call->in[0].tensor);
    return WEIR_OK;
}

static void reduce(weir_call *call, weir_status status, weir_exchange exchange)
{
    const weir_ring_spec *spec = call->state;
    exchange.what.type = WEIR_COLLECTIVE_REDUCE;
    exchange.what.offsets = spec->offsets;
    exchange.what.offset_count = spec->offset_count;
    exchange.what.shape = weir_in(call, 0)->shape;
    if (!status)
        status = own_value(call, &exchange.out);
    if (status)
        weir_call_finish(call, status);
    else
        weir_ring_start(&exchange, call->state, NULL);
}

static void reduce_start(weir_call *call)
{
    weir_exchange exchange;
    weir_status status = weir_collective_of_attrs(call, R1_TIMEOUT, &exchange);
    reduce(call, status, exchange);
}

static void reduce_v2_start(weir_call *call)
{
    weir_exchange exchange;
    weir_status status = weir_collective_of_inputs(call, 1, R2_TIMEOUT, &exchange);
    reduce(call, status, exchange);
}

static void reduce_v3_start(weir_call *call)
{
    weir_exchange exchange;
    weir_status status = weir_collective_of_communicator(call, R3_TIMEOUT, &exchange);
    reduce(call, status, exchange);
}

/* ---- gathering ------------------------------------------------------------------------------ */

static weir_status gathered_shape(const weir_shape *in, int64_t size, weir_shape *out)
{
    if (in->rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "input should have rank > 0, received %d",
                          in->rank);
    *out = *in;
    if (in->dims[0] >= 0 && __builtin_mul_overflow(in->dims[0], size, &out->dims[0]))
        return weir_error(WEIR_INVALID_ARGUMENT, "a gathering of shape %s is too large",
                          WEIR_SHAPE_STR(in));
    return WEIR_OK;
}

static void gather(weir_call *call, weir_status status, weir_exchange exchange)
{
    exchange.what.type = WEIR_COLLECTIVE_GATHER;
    if (!status)
        status = gathered_shape(&weir_in(call, 0)->shape, exchange.what.group_size,
                                &exchange.what.shape);
    if (!status)
        status = weir_tensor_alloc(exchange.what.dtype, &exchange.what.shape, &exchange.out);
    if (status)
        weir_call_finish(call, status);
    else
        weir_ring_start(&exchange, call->state, weir_in(call, 0));
}

static void gather_start(weir_call *call)
{
    weir_exchange exchange;
    weir_status status = weir_collective_of_attrs(call, G1_TIMEOUT, &exchange);
    gather(call, status, exchange);
}

static void gather_v2_start(weir_call *call)
{
    weir_exchange exchange;
    weir_status status = weir_collective_of_inputs(call, 1, G2_TIMEOUT, &exchange);
    gather(call, status, exchange);
}

static weir_status infer_gather(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    if (infer->in[0]->rank < 0)
        return WEIR_OK;
    return gathered_shape(infer->in[0], weir_site_int(infer->site, 1), &infer->out[0]);
}

static weir_status infer_gather_v2(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    infer->out[0] = *infer->in[0];
    if (infer->out[0].rank > 0)
        infer->out[0].dims[0] = -1;
    return WEIR_OK;
}

/* ---- the ops -------------------------------------------------------------------------------- */

const weir_op weir_op_collective_reduce = {
    .name = "CollectiveReduce",
    .in = "input: T",
    .out = "data: T",
    .attrs = "T: {bfloat16, float, half, double, int32, int64}; group_size: int; group_key: int; "
             "instance_key: int; merge_op: {'Min', 'Max', 'Mul', 'Add'}; final_op: {'Id', 'Div'}; "
             "subdiv_offsets: list(int); wait_for: list(int) = []; communication_hint: string = "
             "\"auto\"; timeout_seconds: float = 0.0",
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = weir_infer_same_shape,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, reduce_start, prepare_reduce,
                 cleanup}},
};

const weir_op weir_op_collective_reduce_v2 = {
    .name = "CollectiveReduceV2",
    .in = "input: T; group_size: int32; group_key: int32; instance_key: int32; ordering_token: "
          "Nordering_token * resource",
    .out = "data: T",
    .attrs = "T: {bfloat16, float, half, double, int32, int64}; merge_op: {'Min', 'Max', 'Mul', "
             "'Add'}; final_op: {'Id', 'Div'}; communication_hint: string = \"auto\"; "
             "timeout_seconds: float = 0.0; is_stateless: bool = false; Nordering_token: int >= 0 "
             "= 0; max_subdivs_per_device: int = -1",
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = weir_infer_same_shape,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, reduce_v2_start,
                 prepare_reduce_v2, cleanup}},
};

const weir_op weir_op_collective_reduce_v3 = {
    .name = "CollectiveReduceV3",
    .in = "input: T; communicator: resource; group_assignment: int32",
    .out = "data: T",
    .attrs = "T: {bfloat16, float, half, double, int32, int64}; reduction: {'Min', 'Max', 'Mul', "
             "'Add'}; timeout_seconds: float = 0.0",
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = weir_infer_same_shape,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, reduce_v3_start,
                 prepare_reduce_v3, cleanup}},
};

const weir_op weir_op_collective_gather = {
    .name = "CollectiveGather",
    .in = "input: T",
    .out = "data: T",
    .attrs = "T: {float, half, double, int32, int64}; group_size: int; group_key: int; "
             "instance_key: int; shape: shape; communication_hint: string = \"auto\"; "
             "timeout_seconds: float = 0.0",
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = infer_gather,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, gather_start, prepare_gather,
                 cleanup}},
};

const weir_op weir_op_collective_gather_v2 = {
    .name = "CollectiveGatherV2",
    .in = "input: T; group_size: int32; group_key: int32; instance_key: int32; ordering_token: "
          "Nordering_token * resource",
    .out = "data: T",
    .attrs = "T: {float, half, double, int32, int64}; communication_hint: string = \"auto\"; "
             "timeout_seconds: float = 0.0; is_stateless: bool = false; Nordering_token: int >= 0 "
             "= 0",
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = infer_gather_v2,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, gather_v2_start,
                 prepare_gather, cleanup}},
};
