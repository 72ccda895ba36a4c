/* ops/internal/send_recv.c - _Send and _Recv: the two ends of an edge that crosses devices.
 *
 * They meet in the step's rendezvous under TensorFlow's key. A dead input is sent as such, so that
 * the receiving side sees the branch that was not taken.
 */
#include <stdio.h>

#include "op/op.h"
#include "op/rendezvous.h"

enum { TYPE, TENSOR_NAME, SEND_DEVICE, INCARNATION, RECV_DEVICE };

static void make_key(const weir_call *c, weir_buf *key)
{
    const weir_site *s = c->site;
    char send[256], recv[256], name[512];
    weir_str a = weir_site_str(s, SEND_DEVICE), b = weir_site_str(s, RECV_DEVICE);
    weir_str n = weir_site_str(s, TENSOR_NAME);
    snprintf(send, sizeof send, "%.*s", WEIR_STR_ARG(a));
    snprintf(recv, sizeof recv, "%.*s", WEIR_STR_ARG(b));
    snprintf(name, sizeof name, "%.*s", WEIR_STR_ARG(n));
    weir_rendezvous_key(key, send, (uint64_t)weir_site_int(s, INCARNATION), recv, name, c->frame_id,
                        c->iteration);
}

static weir_status send_run(weir_call *c)
{
    weir_rendezvous *r = c->run->rendezvous;
    if (!r)
        return weir_error(WEIR_INTERNAL, "Op requires a rendezvous, but none was provided.");
    weir_buf key = {0};
    make_key(c, &key);
    weir_tensor t = c->in_dead ? (weir_tensor){0} : weir_tensor_share(weir_in(c, 0));
    weir_status s = r->send(r, (weir_str){key.at, key.length}, t, c->in_dead);
    weir_buf_fini(&key);
    return s;
}

static void received(void *arg, weir_status s, weir_tensor t, bool dead)
{
    weir_call *c = arg;
    c->out_dead = dead;
    if (!s && !dead)
        weir_call_set(c, 0, t);
    weir_call_finish(c, s);
}

static void recv_start(weir_call *c)
{
    weir_rendezvous *r = c->run->rendezvous;
    if (!r) {
        weir_call_finish(
            c, weir_error(WEIR_INTERNAL, "Op requires a rendezvous, but none was provided."));
        return;
    }
    weir_buf key = {0};
    make_key(c, &key);
    r->recv(r, (weir_str){key.at, key.length}, received, c);
    weir_buf_fini(&key);
}

#define ATTRS                                                                                      \
    "tensor_name: string; send_device: string; send_device_incarnation: int; recv_device: "        \
    "string; "                                                                                     \
    "client_terminated: bool = false"

#define SEND_OP(id, op_name)                                                                       \
    const weir_op weir_op_##id = {                                                                 \
        .name = op_name,                                                                           \
        .in = "tensor: T",                                                                         \
        .attrs = "T: type; " ATTRS,                                                                \
        .flags = WEIR_STATEFUL,                                                                    \
        .kernels = {{WEIR_CPU, "*", send_run}},                                                    \
    };
#define RECV_OP(id, op_name)                                                                       \
    const weir_op weir_op_##id = {                                                                 \
        .name = op_name,                                                                           \
        .out = "tensor: tensor_type",                                                              \
        .attrs = "tensor_type: type; " ATTRS,                                                      \
        .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,                                                 \
        .kernels = {{WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, recv_start}},             \
    };

SEND_OP(send, "_Send")
SEND_OP(host_send, "_HostSend")
RECV_OP(recv, "_Recv")
RECV_OP(host_recv, "_HostRecv")
