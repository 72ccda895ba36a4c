/* net/ucx_client.c - a channel's payloads by UCX: negotiated after connecting, used once a probe
 * has arrived.
 */
#include <sys/socket.h>

#include "base/blocking.h"
#include "base/clock.h"
#include "net/channel_impl.h"
#include "net/payloads_impl.h"
#include "net/ucx_impl.h"

enum {
    MAX_LOSSES = 3,           /* in a row, after which the channel uses gRPC only */
    PAYLOAD_TIMEOUT_S = 10,   /* for a payload after its head */
    SLOWEST_PER_S = 16 << 20, /* one more second per so many bytes */
};

/* ---- opening -------------------------------------------------------------------------------- */

typedef struct ucx_attempt {
    weir_channel *channel; /* its memory is retained */
    uint64_t connection;   /* number of the channel's connection */
} ucx_attempt;

static void end_attempt(ucx_attempt *attempt)
{
    weir_ref_release(&attempt->channel->memory);
    weir_free(attempt);
}

/* On UCX's thread. */
static void on_probe(void *arg, uint64_t id, weir_status status, weir_buffer *payload, size_t bytes)
{
    weir_channel *channel = arg;
    weir_mutex_lock(&channel->lock);
    if (channel->ucx_probe == id) {
        channel->ucx_probe = 0;
        channel->ucx = !status && bytes == WEIR_UCX_PROBE;
    }
    weir_mutex_unlock(&channel->lock);
    weir_status_free(status);
    weir_buffer_release(payload);
    weir_ref_release(&channel->memory);
}

/* The id of a probe for the attempt's connection; 0 if that was lost. */
static uint64_t expect_probe(ucx_attempt *attempt)
{
    weir_channel *channel = attempt->channel;
    weir_mutex_lock(&channel->lock);
    uint64_t id = 0;
    if (!channel->closed && channel->state == READY && channel->connection == attempt->connection &&
        !channel->ucx_probe) {
        weir_ref_retain(&channel->memory);
        id = channel->ucx_probe = weir_payload_expect(on_probe, channel);
    }
    weir_mutex_unlock(&channel->lock);
    return id;
}

static void on_accepted(void *arg, weir_status status, weir_rpc_message *answer)
{
    ucx_attempt *attempt = arg;
    weir_channel *channel = attempt->channel;
    weir_mutex_lock(&channel->lock);
    if (status && channel->connection == attempt->connection)
        weir_channel_drop_ucx(channel); /* no probe will arrive */
    weir_mutex_unlock(&channel->lock);
    weir_status_free(status);
    end_attempt(attempt);
}

static void say_hello(ucx_attempt *attempt, bool with_address, uint64_t probe,
                      void (*done)(void *arg, weir_status s, weir_rpc_message *answer))
{
    weir_rpc_message hello = {0};
    weir_ucx_hello(with_address, probe, &hello.head);
    weir_channel_start(attempt->channel,
                       &(weir_channel_call){
                           .path = WEIR_UCX_OPEN, .request = &hello, .done = done, .arg = attempt});
}

static void open_ucx(void *arg)
{
    ucx_attempt *attempt = arg;
    uint64_t probe = weir_ucx_start() ? expect_probe(attempt) : 0;
    if (probe)
        say_hello(attempt, true, probe, on_accepted);
    else
        end_attempt(attempt);
}

static void on_offer(void *arg, weir_status status, weir_rpc_message *answer)
{
    bool offered = !status; /* other servers have no UCX: payloads use gRPC */
    weir_status_free(status);
    if (offered)
        weir_blocking_submit(open_ucx, arg);
    else
        end_attempt(arg);
}

static void ask(void *arg)
{
    say_hello(arg, false, 0, on_offer);
}

void weir_channel_negotiate_ucx(weir_channel *channel)
{
    if (channel->ucx_losses >= MAX_LOSSES)
        return; /* probes arrive, payloads do not */
    ucx_attempt *new_attempt = WEIR_NEW(ucx_attempt);
    weir_ref_retain(&channel->memory);
    new_attempt->channel = channel;
    new_attempt->connection = channel->connection;
    weir_client_post(ask, new_attempt);
}

void weir_channel_drop_ucx(weir_channel *channel)
{
    if (channel->ucx_probe && weir_payload_forget(channel->ucx_probe))
        weir_ref_release(&channel->memory); /* not the last: the caller has one */
    channel->ucx_probe = 0;
    channel->ucx = false;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Joins head and payload. */
static weir_status join_payload(channel_call *call)
{
    weir_rpc_message *message = &call->in.message;
    if (!call->payload.bytes || call->payload.bytes != call->payload.promised)
        return weir_error(WEIR_INTERNAL, "the answer's payload has %zu bytes and not %zu",
                          call->payload.bytes, call->payload.promised);
    WEIR_TRY(weir_rpc_message_flatten(message));
    message->payload = call->payload.buffer;
    message->payload_at = 0;
    message->payload_bytes = call->payload.bytes;
    call->payload.buffer = NULL;
    call->channel->ucx_losses = 0;
    return weir_rpc_message_split(message, call->spec.payload_offset);
}

weir_status weir_channel_take_payload(channel_call *call)
{
    weir_status status = call->payload.status;
    call->payload.status = WEIR_OK;
    if (status)
        call->channel->ucx = false; /* the next ones use gRPC */
    return status ? status : join_payload(call);
}

/* On the client I/O thread; holds a reference to the call. */
static void payload_came(void *arg)
{
    channel_call *call = arg;
    weir_channel *channel = call->channel;
    weir_mutex_lock(&channel->lock);
    if (call->listed && call->payload.answered)
        weir_channel_end(channel, &channel->active, call, weir_channel_take_payload(call));
    weir_channel_unlock(channel);
    weir_ref_release(&call->ref);
}

/* On UCX's thread. */
static void on_payload(void *arg, uint64_t id, weir_status status, weir_buffer *payload,
                       size_t bytes)
{
    channel_call *call = arg;
    weir_mutex_lock(&call->channel->lock);
    call->payload.received = true;
    call->payload.status = status;
    call->payload.buffer = payload;
    call->payload.bytes = bytes;
    weir_mutex_unlock(&call->channel->lock);
    weir_client_post(payload_came, call);
}

uint64_t weir_channel_expect_payload(weir_channel *channel, channel_call *call)
{
    if (!channel->ucx || !call->spec.payload_offset)
        return 0;
    weir_ref_retain(&call->ref);
    call->payload.id = weir_payload_expect(on_payload, call);
    return call->payload.id;
}

void weir_channel_forget_payload(weir_channel *channel, channel_call *call)
{
    if (call->payload.answered && !call->payload.received)
        channel->ucx_losses++;
    if (call->payload.id && weir_payload_forget(call->payload.id))
        weir_ref_release(&call->ref); /* not the last: the caller has one */
    call->payload.id = 0;
}

void weir_channel_await_payload(channel_call *call)
{
    call->payload.answered = true;
    call->payload.due_ns = weir_now_ns() + PAYLOAD_TIMEOUT_S * 1000000000LL +
                           (int64_t)(call->payload.promised / SLOWEST_PER_S) * 1000000000LL;
}

void weir_channel_end_late(weir_channel *channel, int64_t now)
{
    for (channel_call *call = channel->active.first, *next; call; call = next) {
        next = call->next;
        if (!call->payload.answered || now < call->payload.due_ns)
            continue;
        channel->ucx = false;
        weir_channel_end(channel, &channel->active, call,
                         weir_error(WEIR_UNAVAILABLE, "UCX: a payload of %zu bytes did not arrive",
                                    call->payload.promised));
    }
}
