/* ops/collective/broadcast.c - CollectiveBcastSend, CollectiveBcastRecv and their second versions:
 * broadcast of one member's value. Also the group parameters common to all collective ops.
 */
#include <inttypes.h>

#include "ops/collective/ops_impl.h"
#include "ops/collective/tree.h"
#include "ops/common/infer_util.h"

enum { SHAPE = 4, TIMEOUT_V1 = 6, SEND_V2_TIMEOUT = 2, RECV_V2_TIMEOUT = 3, RECV_V2_SHAPE = 3 };

/* ---- group parameters ------------------------------------------------------------------------ */

weir_status weir_collective_begin(weir_call *call, const int64_t key[3], int timeout_attr,
                                  weir_exchange *out)
{
    enum { LARGEST_GROUP = 1 << 20 };
    *out = (weir_exchange){.call = call, .timeout_s = weir_site_float(call->site, timeout_attr)};
    if (key[0] <= 0 || key[0] > LARGEST_GROUP)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "group_size must be positive integer but got %" PRId64, key[0]);
    out->what = (weir_collective){.name = call->site->name,
                                  .group_size = (int32_t)key[0],
                                  .group_key = (int32_t)key[1],
                                  .instance_key = (int32_t)key[2],
                                  .dtype = weir_site_type(call->site, 0),
                                  .device = call->site->device};
    return WEIR_OK;
}

weir_status weir_collective_of_attrs(weir_call *call, int timeout_attr, weir_exchange *out)
{
    int64_t key[3];
    for (int i = 0; i < 3; i++)
        key[i] = weir_site_int(call->site, i + 1);
    return weir_collective_begin(call, key, timeout_attr, out);
}

weir_status weir_collective_of_inputs(weir_call *call, int first, int timeout_attr,
                                      weir_exchange *out)
{
    static const char *const names[] = {"group_size", "group_key", "instance_key"};
    int64_t key[3] = {1, 0, 0};
    weir_status status = WEIR_OK;
    for (int i = 0; i < 3 && !status; i++) {
        const weir_tensor *tensor = weir_in(call, first + i);
        if (tensor->shape.rank > 0)
            status = weir_error(WEIR_INVALID_ARGUMENT, "Unexpected dimensions on input %s, got %s",
                                names[i], WEIR_SHAPE_STR(&tensor->shape));
        else
            key[i] = *(const int32_t *)tensor->data;
    }
    weir_status begun = weir_collective_begin(call, key, timeout_attr, out);
    if (!status)
        return begun;
    weir_status_free(begun);
    return status;
}

/* ---- broadcasting --------------------------------------------------------------------------- */

static void broadcast(weir_call *call, weir_status status, weir_exchange exchange)
{
    exchange.what.type = WEIR_COLLECTIVE_BROADCAST;
    if (!status && exchange.what.is_source)
        exchange.out = weir_tensor_share(weir_in(call, 0));
    else if (!status)
        status = weir_tensor_alloc(exchange.what.dtype, &exchange.what.shape, &exchange.out);
    if (status)
        weir_call_finish(call, status);
    else
        weir_tree_start(&exchange);
}

static void send_start(weir_call *call)
{
    weir_exchange exchange;
    weir_status status = weir_collective_of_attrs(call, TIMEOUT_V1, &exchange);
    exchange.what.is_source = true;
    exchange.what.shape = weir_in(call, 0)->shape;
    if (!status && !weir_shape_compatible(&exchange.what.shape, weir_site_shape(call->site, SHAPE)))
        status = weir_error(WEIR_INTERNAL,
                            "Declared shape of op %s: Broadcast(1) does not match shape of input",
                            call->site->name);
    broadcast(call, status, exchange);
}

static void recv_start(weir_call *call)
{
    weir_exchange exchange;
    weir_status status = weir_collective_of_attrs(call, TIMEOUT_V1, &exchange);
    exchange.what.shape = *weir_site_shape(call->site, SHAPE);
    if (!status && !weir_shape_known(&exchange.what.shape))
        status =
            weir_error(WEIR_INVALID_ARGUMENT, "the shape of a received value must be known, not %s",
                       WEIR_SHAPE_STR(&exchange.what.shape));
    broadcast(call, status, exchange);
}

static void send_v2_start(weir_call *call)
{
    weir_exchange exchange;
    weir_status status = weir_collective_of_inputs(call, 1, SEND_V2_TIMEOUT, &exchange);
    exchange.what.is_source = true;
    exchange.what.shape = weir_in(call, 0)->shape;
    broadcast(call, status, exchange);
}

static weir_status read_shape(const weir_tensor *tensor, weir_shape *out)
{
    int64_t count = weir_tensor_count(tensor);
    if (tensor->shape.rank > 1 || count > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "a shape must be a vector of at most %d, not %s",
                          WEIR_MAX_RANK, WEIR_SHAPE_STR(&tensor->shape));
    *out = (weir_shape){.rank = (int)count};
    for (int i = 0; i < out->rank; i++) {
        out->dims[i] = tensor->dtype == WEIR_INT32 ? ((const int32_t *)tensor->data)[i]
                                                   : ((const int64_t *)tensor->data)[i];
        if (out->dims[i] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Dimension %" PRId64 " must be >= 0",
                              out->dims[i]);
    }
    return WEIR_OK;
}

static void recv_v2_start(weir_call *call)
{
    weir_exchange exchange;
    weir_status status = weir_collective_of_inputs(call, 0, RECV_V2_TIMEOUT, &exchange);
    if (!status)
        status = read_shape(weir_in(call, RECV_V2_SHAPE), &exchange.what.shape);
    broadcast(call, status, exchange);
}

static weir_status infer_declared(weir_infer *infer)
{
    infer->out[0] = *weir_site_shape(infer->site, SHAPE);
    return WEIR_OK;
}

static weir_status infer_recv_v2(weir_infer *infer)
{
    return weir_infer_new_shape(infer, RECV_V2_SHAPE, &infer->out[0]);
}

/* ---- the ops -------------------------------------------------------------------------------- */

#define ATTRS_V1                                                                                   \
    "T: {bool, float, half, double, int32, int64}; group_size: int; group_key: int; "              \
    "instance_key: int; shape: shape; communication_hint: string = \"auto\"; timeout_seconds: "    \
    "float = 0.0"

const weir_op weir_op_collective_bcast_send = {
    .name = "CollectiveBcastSend",
    .in = "input: T",
    .out = "data: T",
    .attrs = ATTRS_V1,
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = infer_declared,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, send_start}},
};

const weir_op weir_op_collective_bcast_recv = {
    .name = "CollectiveBcastRecv",
    .out = "data: T",
    .attrs = ATTRS_V1,
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = infer_declared,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, recv_start}},
};

const weir_op weir_op_collective_bcast_send_v2 = {
    .name = "CollectiveBcastSendV2",
    .in = "input: T; group_size: int32; group_key: int32; instance_key: int32",
    .out = "data: T",
    .attrs = "T: {bool, float, half, double, int32, int64}; communication_hint: string = "
             "\"auto\"; timeout_seconds: float = 0.0",
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = weir_infer_same_shape,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, send_v2_start}},
};

const weir_op weir_op_collective_bcast_recv_v2 = {
    .name = "CollectiveBcastRecvV2",
    .in = "group_size: int32; group_key: int32; instance_key: int32; shape: Tshape",
    .out = "data: T",
    .attrs = "T: {bool, float, half, double, int32, int64}; Tshape: {int32, int64} = DT_INT32; "
             "communication_hint: string = \"auto\"; timeout_seconds: float = 0.0",
    .host = "shape",
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = infer_recv_v2,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, recv_v2_start}},
};
