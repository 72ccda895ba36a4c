/* ops/collective/broadcast.c - CollectiveBcastSend, CollectiveBcastRecv and their second versions:
 * one member's value for everybody. And what all collective ops have in common.
 */
#include <inttypes.h>

#include "ops/collective/ops_impl.h"
#include "ops/collective/tree.h"

enum { SHAPE = 4, TIMEOUT_V1 = 6, SEND_V2_TIMEOUT = 2, RECV_V2_TIMEOUT = 3, RECV_V2_SHAPE = 3 };

/* ---- who and with whom ---------------------------------------------------------------------- */

static weir_status begin(weir_call *c, const int64_t key[3], int timeout_attr, weir_exchange *out)
{
    enum { LARGEST_GROUP = 1 << 20 };
    *out = (weir_exchange){.call = c, .timeout_s = weir_site_float(c->site, timeout_attr)};
    if (key[0] <= 0 || key[0] > LARGEST_GROUP)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "group_size must be positive integer but got %" PRId64, key[0]);
    out->what = (weir_collective){.name = c->site->name,
                                  .group_size = (int32_t)key[0],
                                  .group_key = (int32_t)key[1],
                                  .instance_key = (int32_t)key[2],
                                  .dtype = weir_site_type(c->site, 0),
                                  .device = c->site->device};
    return WEIR_OK;
}

weir_status weir_collective_of_attrs(weir_call *c, int timeout_attr, weir_exchange *out)
{
    int64_t key[3];
    for (int i = 0; i < 3; i++)
        key[i] = weir_site_int(c->site, i + 1);
    return begin(c, key, timeout_attr, out);
}

weir_status weir_collective_of_inputs(weir_call *c, int first, int timeout_attr, weir_exchange *out)
{
    static const char *const names[] = {"group_size", "group_key", "instance_key"};
    int64_t key[3] = {1, 0, 0};
    weir_status s = WEIR_OK;
    for (int i = 0; i < 3 && !s; i++) {
        const weir_tensor *t = weir_in(c, first + i);
        if (t->shape.rank > 0)
            s = weir_error(WEIR_INVALID_ARGUMENT, "Unexpected dimensions on input %s, got %s",
                           names[i], WEIR_SHAPE_STR(&t->shape));
        else
            key[i] = *(const int32_t *)t->data;
    }
    weir_status begun = begin(c, key, timeout_attr, out);
    if (!s)
        return begun;
    weir_status_free(begun);
    return s;
}

/* ---- broadcasting --------------------------------------------------------------------------- */

static void broadcast(weir_call *c, weir_status s, weir_exchange x)
{
    x.what.type = WEIR_COLLECTIVE_BROADCAST;
    if (!s && x.what.is_source)
        x.out = weir_tensor_share(weir_in(c, 0));
    else if (!s)
        s = weir_tensor_alloc(x.what.dtype, &x.what.shape, &x.out);
    if (s)
        weir_call_finish(c, s);
    else
        weir_tree_start(&x);
}

static void send_start(weir_call *c)
{
    weir_exchange x;
    weir_status s = weir_collective_of_attrs(c, TIMEOUT_V1, &x);
    x.what.is_source = true;
    x.what.shape = weir_in(c, 0)->shape;
    if (!s && !weir_shape_compatible(&x.what.shape, weir_site_shape(c->site, SHAPE)))
        s = weir_error(WEIR_INTERNAL,
                       "Declared shape of op %s: Broadcast(1) does not match shape of input",
                       c->site->name);
    broadcast(c, s, x);
}

static void recv_start(weir_call *c)
{
    weir_exchange x;
    weir_status s = weir_collective_of_attrs(c, TIMEOUT_V1, &x);
    x.what.shape = *weir_site_shape(c->site, SHAPE);
    if (!s && !weir_shape_known(&x.what.shape))
        s = weir_error(WEIR_INVALID_ARGUMENT, "the shape of a received value must be known, not %s",
                       WEIR_SHAPE_STR(&x.what.shape));
    broadcast(c, s, x);
}

static void send_v2_start(weir_call *c)
{
    weir_exchange x;
    weir_status s = weir_collective_of_inputs(c, 1, SEND_V2_TIMEOUT, &x);
    x.what.is_source = true;
    x.what.shape = weir_in(c, 0)->shape;
    broadcast(c, s, x);
}

static weir_status read_shape(const weir_tensor *t, weir_shape *out)
{
    int64_t count = weir_tensor_count(t);
    if (t->shape.rank > 1 || count > WEIR_MAX_RANK)
        return weir_error(WEIR_INVALID_ARGUMENT, "a shape must be a vector of at most %d, not %s",
                          WEIR_MAX_RANK, WEIR_SHAPE_STR(&t->shape));
    *out = (weir_shape){.rank = (int)count};
    for (int i = 0; i < out->rank; i++) {
        out->dims[i] =
            t->dtype == WEIR_INT32 ? ((const int32_t *)t->data)[i] : ((const int64_t *)t->data)[i];
        if (out->dims[i] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "Dimension %" PRId64 " must be >= 0",
                              out->dims[i]);
    }
    return WEIR_OK;
}

static void recv_v2_start(weir_call *c)
{
    weir_exchange x;
    weir_status s = weir_collective_of_inputs(c, 0, RECV_V2_TIMEOUT, &x);
    if (!s)
        s = read_shape(weir_in(c, RECV_V2_SHAPE), &x.what.shape);
    broadcast(c, s, x);
}

static weir_status infer_declared(weir_infer *i)
{
    i->out[0] = *weir_site_shape(i->site, SHAPE);
    return WEIR_OK;
}

static weir_status infer_recv_v2(weir_infer *i)
{
    return weir_infer_value_as_shape(i, RECV_V2_SHAPE, &i->out[0]);
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
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,
    .infer = infer_recv_v2,
    .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, recv_v2_start}},
};
