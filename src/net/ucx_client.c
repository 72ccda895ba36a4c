/* net/ucx_client.c - a channel's answers whose payloads come by UCX: agreed on after the first
 * connection, used when the probe has come.
 */
#include <sys/socket.h>

#include "base/blocking.h"
#include "base/clock.h"
#include "net/channel_impl.h"
#include "net/payloads_impl.h"
#include "net/ucx_impl.h"

enum {
    MAX_LOSSES = 3,           /* in a row; then the channel stays with gRPC */
    PATIENCE_S = 10,          /* for a payload after its head */
    SLOWEST_PER_S = 16 << 20, /* and more for every so many bytes */
};

/* ---- opening -------------------------------------------------------------------------------- */

typedef struct attempt {
    weir_channel *channel; /* its memory is held */
    uint64_t connection;   /* which of the channel's */
} attempt;

static void end_attempt(attempt *a)
{
    weir_ref_release(&a->channel->memory);
    weir_free(a);
}

/* On UCX's thread. */
static void on_probe(void *arg, uint64_t id, weir_status s, weir_buffer *payload, size_t bytes)
{
    weir_channel *c = arg;
    pthread_mutex_lock(&c->lock);
    if (c->ucx_probe == id) {
        c->ucx_probe = 0;
        c->ucx = !s && bytes == WEIR_UCX_PROBE;
    }
    pthread_mutex_unlock(&c->lock);
    weir_status_free(s);
    weir_buffer_release(payload);
    weir_ref_release(&c->memory);
}

/* The number of a probe for the attempt's connection; 0 when that is gone. */
static uint64_t expect_probe(attempt *a)
{
    weir_channel *c = a->channel;
    pthread_mutex_lock(&c->lock);
    uint64_t id = 0;
    if (!c->closed && c->state == READY && c->connection == a->connection && !c->ucx_probe) {
        weir_ref_retain(&c->memory);
        id = c->ucx_probe = weir_payload_expect(on_probe, c);
    }
    pthread_mutex_unlock(&c->lock);
    return id;
}

static void on_accepted(void *arg, weir_status s, weir_rpc_message *answer)
{
    attempt *a = arg;
    weir_channel *c = a->channel;
    pthread_mutex_lock(&c->lock);
    if (s && c->connection == a->connection)
        weir_channel_drop_ucx(c); /* no probe will come */
    pthread_mutex_unlock(&c->lock);
    weir_status_free(s);
    end_attempt(a);
}

static void say_hello(attempt *a, bool with_address, uint64_t probe,
                      void (*done)(void *arg, weir_status s, weir_rpc_message *answer))
{
    weir_rpc_message hello = {0};
    weir_ucx_hello(with_address, probe, &hello.head);
    weir_channel_start(
        a->channel,
        &(weir_channel_call){.path = WEIR_UCX_OPEN, .request = &hello, .done = done, .arg = a});
}

static void open_ucx(void *arg)
{
    attempt *a = arg;
    uint64_t probe = weir_ucx_start() ? expect_probe(a) : 0;
    if (probe)
        say_hello(a, true, probe, on_accepted);
    else
        end_attempt(a);
}

static void on_offer(void *arg, weir_status s, weir_rpc_message *answer)
{
    bool offered = !s; /* other servers know no UCX: payloads stay with gRPC */
    weir_status_free(s);
    if (offered)
        weir_blocking_submit(open_ucx, arg);
    else
        end_attempt(arg);
}

static void ask(void *arg)
{
    say_hello(arg, false, 0, on_offer);
}

void weir_channel_negotiate_ucx(weir_channel *c)
{
    if (c->ucx_losses >= MAX_LOSSES)
        return; /* probes come, payloads do not */
    attempt *a = WEIR_NEW(attempt);
    weir_ref_retain(&c->memory);
    a->channel = c;
    a->connection = c->connection;
    weir_client_post(ask, a);
}

void weir_channel_drop_ucx(weir_channel *c)
{
    if (c->ucx_probe && weir_payload_forget(c->ucx_probe))
        weir_ref_release(&c->memory); /* not the last: the caller has one */
    c->ucx_probe = 0;
    c->ucx = false;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Puts head and payload together. */
static weir_status join(call *k)
{
    weir_rpc_message *m = &k->in.m;
    if (!k->payload.bytes || k->payload.bytes != k->payload.promised)
        return weir_error(WEIR_INTERNAL, "the answer's tail has %zu bytes and not %zu",
                          k->payload.bytes, k->payload.promised);
    weir_rpc_message_flatten(m);
    m->payload = k->payload.buffer;
    m->payload_at = 0;
    m->payload_bytes = k->payload.bytes;
    k->payload.buffer = NULL;
    k->channel->ucx_losses = 0;
    return weir_rpc_message_split(m, k->spec.payload_offset);
}

weir_status weir_channel_take_payload(call *k)
{
    weir_status s = k->payload.status;
    k->payload.status = WEIR_OK;
    if (s)
        k->channel->ucx = false; /* the next ones go by gRPC */
    return s ? s : join(k);
}

/* On the client I/O thread; holds a reference to the call. */
static void payload_came(void *arg)
{
    call *k = arg;
    weir_channel *c = k->channel;
    pthread_mutex_lock(&c->lock);
    if (k->listed && k->payload.answered)
        weir_channel_end(c, &c->active, k, weir_channel_take_payload(k));
    weir_channel_unlock(c);
    weir_ref_release(&k->ref);
}

/* On UCX's thread. */
static void on_payload(void *arg, uint64_t id, weir_status s, weir_buffer *payload, size_t bytes)
{
    call *k = arg;
    pthread_mutex_lock(&k->channel->lock);
    k->payload.received = true;
    k->payload.status = s;
    k->payload.buffer = payload;
    k->payload.bytes = bytes;
    pthread_mutex_unlock(&k->channel->lock);
    weir_client_post(payload_came, k);
}

uint64_t weir_channel_expect_payload(weir_channel *c, call *k)
{
    if (!c->ucx || !k->spec.payload_offset)
        return 0;
    weir_ref_retain(&k->ref);
    k->payload.id = weir_payload_expect(on_payload, k);
    return k->payload.id;
}

void weir_channel_forget_payload(weir_channel *c, call *k)
{
    if (k->payload.answered && !k->payload.received)
        c->ucx_losses++;
    if (k->payload.id && weir_payload_forget(k->payload.id))
        weir_ref_release(&k->ref); /* not the last: the caller has one */
    k->payload.id = 0;
}

void weir_channel_await_payload(call *k)
{
    k->payload.answered = true;
    k->payload.due_ns = weir_now_ns() + PATIENCE_S * 1000000000LL +
                        (int64_t)(k->payload.promised / SLOWEST_PER_S) * 1000000000LL;
}

void weir_channel_end_late(weir_channel *c, int64_t now)
{
    for (call *k = c->active.first, *next; k; k = next) {
        next = k->next;
        if (!k->payload.answered || now < k->payload.due_ns)
            continue;
        c->ucx = false;
        weir_channel_end(c, &c->active, k,
                         weir_error(WEIR_UNAVAILABLE, "UCX: a tail of %zu bytes does not come",
                                    k->payload.promised));
    }
}
