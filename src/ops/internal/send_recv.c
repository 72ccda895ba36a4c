/* ops/internal/send_recv.c - _Send and _Recv, Send and Recv: the two ends of an edge that crosses
 * devices.
 *
 * They meet in the step's rendezvous under TensorFlow's key. A dead input is sent as dead, so that
 * deadness propagates to the receiver.
 */
#include "op/rendezvous.h"
#include "ops/common/variants.h"
#include "ops/declare.h"

enum { TYPE, TENSOR_NAME, SEND_DEVICE, INCARNATION, RECV_DEVICE };

/* Stored by .prepare: the key up to the frame, and the complete key outside loops. */
typedef struct edge {
    weir_buf key; /* "...;0:0" */
    size_t fixed; /* bytes of it that do not depend on the frame */
} edge;

static weir_status prepare(weir_prepare *preparation)
{
    edge *new_edge = WEIR_NEW(edge);
    weir_rendezvous_key(&new_edge->key, weir_site_str(preparation->site, SEND_DEVICE),
                        (uint64_t)weir_site_int(preparation->site, INCARNATION),
                        weir_site_str(preparation->site, RECV_DEVICE),
                        weir_site_str(preparation->site, TENSOR_NAME));
    new_edge->fixed = new_edge->key.length;
    weir_rendezvous_frame(&new_edge->key, 0, 0);
    preparation->state = new_edge;
    return WEIR_OK;
}

static void cleanup(void *state)
{
    edge *edge = state;
    weir_buf_fini(&edge->key);
    weir_free(edge);
}

/* The key of this call; |workspace| is its buffer inside loops. */
static weir_str key_of(const weir_call *call, weir_buf *workspace)
{
    const edge *edge = call->state;
    if (!call->frame_id && !call->iteration)
        return weir_view(&edge->key);
    weir_buf_add(workspace, edge->key.at, edge->fixed);
    weir_rendezvous_frame(workspace, call->frame_id, call->iteration);
    return weir_view(workspace);
}

static weir_status no_rendezvous(void)
{
    return weir_error(WEIR_INTERNAL, "Op requires a rendezvous, but none was provided.");
}

static weir_status send_run(weir_call *call)
{
    weir_rendezvous *rendezvous = call->run->rendezvous;
    if (!rendezvous)
        return no_rendezvous();
    WEIR_BUF(key_buffer);
    weir_tensor tensor = call->in_dead ? (weir_tensor){0} : weir_tensor_share(weir_in(call, 0));
    return rendezvous->send(rendezvous, key_of(call, &key_buffer), tensor, call->in_dead);
}

static weir_status check_type(const weir_call *call, const weir_tensor *tensor)
{
    weir_dtype wanted = weir_site_type(call->site, TYPE);
    if (tensor->dtype == wanted)
        return WEIR_OK;
    return weir_error(WEIR_INTERNAL, "a tensor of type %s was received instead of %s",
                      weir_dtype_name(tensor->dtype), weir_dtype_name(wanted));
}

static void received(void *arg, weir_status status, weir_tensor tensor, bool dead)
{
    weir_call *call = arg;
    call->out_dead = dead;
    if (!status && !dead)
        status = check_type(call, &tensor);
    if (!status && !dead && tensor.dtype == WEIR_VARIANT)
        status = weir_variants_revive(&tensor);
    if (!status && !dead)
        weir_call_set(call, 0, tensor);
    else
        weir_tensor_release(&tensor);
    weir_call_finish(call, status);
}

static void recv_start(weir_call *call)
{
    weir_rendezvous *rendezvous = call->run->rendezvous;
    if (!rendezvous) {
        weir_call_finish(call, no_rendezvous());
        return;
    }
    WEIR_BUF(key_buffer);
    rendezvous->recv(rendezvous, key_of(call, &key_buffer), received, call);
}

#define ATTRS                                                                                      \
    "tensor_name: string; send_device: string; send_device_incarnation: int; recv_device: "        \
    "string; "                                                                                     \
    "client_terminated: bool = false"

#define SEND                                                                                       \
    .in = "tensor: T", .attrs = "T: type; " ATTRS, .flags = WEIR_STATEFUL, .flow = WEIR_FLOW_SEND, \
    .kernels = {{WEIR_CPU, "*", send_run, .prepare = prepare, .cleanup = cleanup}}
WEIR_DEFINE_OP(send, "_Send", SEND);
WEIR_DEFINE_OP(host_send, "_HostSend", SEND);
WEIR_DEFINE_OP(plain_send, "Send", SEND);

#define RECV                                                                                       \
    .out = "tensor: tensor_type", .attrs = "tensor_type: type; " ATTRS,                            \
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,                                                     \
    .kernels = {                                                                                   \
        {WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, recv_start, prepare, cleanup}}
WEIR_DEFINE_OP(recv, "_Recv", RECV);
WEIR_DEFINE_OP(host_recv, "_HostRecv", RECV);
WEIR_DEFINE_OP(plain_recv, "Recv", RECV);
