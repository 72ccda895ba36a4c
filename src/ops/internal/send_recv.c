/* ops/internal/send_recv.c - _Send and _Recv: the two ends of an edge that crosses devices.
 *
 * They meet in the step's rendezvous under TensorFlow's key. A dead input is sent as such, so that
 * the receiving side sees the branch that was not taken.
 */
#include "op/rendezvous.h"
#include "ops/common/variants.h"
#include "ops/declare.h"

enum { TYPE, TENSOR_NAME, SEND_DEVICE, INCARNATION, RECV_DEVICE };

/* What .prepare leaves: the key up to the frame, and the whole of it outside loops. */
typedef struct edge {
    weir_buf key; /* "...;0:0" */
    size_t fixed; /* bytes of it that are the same in every frame */
} edge;

static weir_status prepare(weir_prepare *p)
{
    edge *e = WEIR_NEW(edge);
    weir_rendezvous_key(&e->key, weir_site_str(p->site, SEND_DEVICE),
                        (uint64_t)weir_site_int(p->site, INCARNATION),
                        weir_site_str(p->site, RECV_DEVICE), weir_site_str(p->site, TENSOR_NAME));
    e->fixed = e->key.length;
    weir_rendezvous_frame(&e->key, 0, 0);
    p->state = e;
    return WEIR_OK;
}

static void cleanup(void *state)
{
    edge *e = state;
    weir_buf_fini(&e->key);
    weir_free(e);
}

/* The key of this call; |room| holds it inside loops. */
static weir_str key_of(const weir_call *c, weir_buf *room)
{
    const edge *e = c->state;
    if (!c->frame_id && !c->iteration)
        return weir_view(&e->key);
    weir_buf_add(room, e->key.at, e->fixed);
    weir_rendezvous_frame(room, c->frame_id, c->iteration);
    return weir_view(room);
}

static weir_status no_rendezvous(void)
{
    return weir_error(WEIR_INTERNAL, "Op requires a rendezvous, but none was provided.");
}

static weir_status send_run(weir_call *c)
{
    weir_rendezvous *r = c->run->rendezvous;
    if (!r)
        return no_rendezvous();
    WEIR_BUF(key_room);
    weir_tensor t = c->in_dead ? (weir_tensor){0} : weir_tensor_share(weir_in(c, 0));
    return r->send(r, key_of(c, &key_room), t, c->in_dead);
}

static weir_status check_type(const weir_call *c, const weir_tensor *t)
{
    weir_dtype wanted = weir_site_type(c->site, TYPE);
    if (t->dtype == wanted)
        return WEIR_OK;
    return weir_error(WEIR_INTERNAL, "a tensor of type %s was received instead of %s",
                      weir_dtype_name(t->dtype), weir_dtype_name(wanted));
}

static void received(void *arg, weir_status s, weir_tensor t, bool dead)
{
    weir_call *c = arg;
    c->out_dead = dead;
    if (!s && !dead)
        s = check_type(c, &t);
    if (!s && !dead && t.dtype == WEIR_VARIANT)
        s = weir_variants_revive(&t);
    if (!s && !dead)
        weir_call_set(c, 0, t);
    else
        weir_tensor_release(&t);
    weir_call_finish(c, s);
}

static void recv_start(weir_call *c)
{
    weir_rendezvous *r = c->run->rendezvous;
    if (!r) {
        weir_call_finish(c, no_rendezvous());
        return;
    }
    WEIR_BUF(key_room);
    r->recv(r, key_of(c, &key_room), received, c);
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

#define RECV                                                                                       \
    .out = "tensor: tensor_type", .attrs = "tensor_type: type; " ATTRS,                            \
    .flags = WEIR_STATEFUL | WEIR_DISTRIBUTED,                                                     \
    .kernels = {                                                                                   \
        {WEIR_CPU, "*", NULL, WEIR_ASYNC | WEIR_OWN_OUTPUTS, recv_start, prepare, cleanup}}
WEIR_DEFINE_OP(recv, "_Recv", RECV);
WEIR_DEFINE_OP(host_recv, "_HostRecv", RECV);
