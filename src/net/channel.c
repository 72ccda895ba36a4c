/* net/channel.c - calls to one server: start, cancellation, time-out, end. */
#include "net/channel.h"

#include <stddef.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/timer.h"
#include "base/word.h"
#include "net/address.h"
#include "net/channel_impl.h"

/* ---- lists ---------------------------------------------------------------------------------- */

void weir_calls_add(call_list *list, channel_call *call)
{
    call->next = NULL;
    call->prev = list->last;
    if (list->last)
        list->last->next = call;
    else
        list->first = call;
    list->last = call;
}

void weir_calls_remove(call_list *list, channel_call *call)
{
    if (call->prev)
        call->prev->next = call->next;
    else
        list->first = call->next;
    if (call->next)
        call->next->prev = call->prev;
    else
        list->last = call->prev;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void destroy_call(weir_ref *ref)
{
    channel_call *call = (channel_call *)ref;
    if (call->out)
        weir_ref_release(&call->out->ref);
    weir_cancel_release(call->spec.cancel);
    weir_incoming_fini(&call->in);
    weir_buffer_release(call->payload.buffer);
    weir_status_free(call->payload.status);
    weir_buf_fini(&call->error_text);
    weir_status_free(call->early);
    weir_ref_release(&call->channel->memory);
    weir_free(call);
}

void weir_channel_end(weir_channel *channel, call_list *from, channel_call *call,
                      weir_status status)
{
    if (!call->listed) { /* already ended: nghttp2 reports refused streams twice */
        weir_status_free(status);
        return;
    }
    weir_calls_remove(from, call);
    weir_h2_expect_nothing(&channel->h2); /* it may have been this call's payload */
    if (call->shm_id)
        weir_channel_free_shm_id(channel, call);
    weir_channel_forget_payload(channel, call);
    call->listed = false;
    call->result = status;
    weir_calls_add(&channel->ended, call);
}

void weir_channel_end_all(weir_channel *channel, call_list *from, weir_status status)
{
    while (from->first)
        weir_channel_end(channel, from, from->first, weir_status_copy(status));
    weir_status_free(status);
}

/* A server does not start a call before it has the whole body. */
static bool may_repeat(const channel_call *call, bool refused)
{
    enum { MOST_PUT_BACK = 3 };
    bool by_grpc = call->out && !call->out->open && !call->shm_id;
    return by_grpc && call->put_back < MOST_PUT_BACK && !call->payload.promised &&
           (call->spec.repeatable || refused || !call->out->planned);
}

bool weir_channel_put_back(weir_channel *channel, channel_call *call, bool refused)
{
    if (!call->listed || !may_repeat(call, refused))
        return false;
    weir_calls_remove(&channel->active, call);
    weir_h2_leave_line(&channel->h2, call->stream);
    weir_h2_expect_nothing(&channel->h2);
    weir_channel_forget_payload(channel, call);
    weir_incoming_fini(&call->in);
    call->in = (weir_incoming){.payload_offset = call->spec.payload_offset};
    call->out->planned = call->out->sent = 0;
    call->out->in_line = false;
    call->error_text.length = 0;
    call->has_status = false;
    call->stream = call->http_status = call->code = 0;
    call->marks = 0;
    call->put_back++;
    weir_calls_add(&channel->waiting, call);
    return true;
}

/* Removes the registrations of arm that have not fired. */
static void disarm(channel_call *call)
{
    if (call->cancel_token && weir_cancel_remove(call->spec.cancel, call->cancel_token))
        weir_ref_release(&call->ref);
    if (call->timer && weir_timer_remove(call->timer))
        weir_ref_release(&call->ref);
}

/* Calls done, which takes over the result. */
static void finish(channel_call *call)
{
    disarm(call);
    weir_rpc_message answer = {0};
    if (!call->result) {
        answer = call->in.message;
        call->in.message = (weir_rpc_message){0};
    }
    call->spec.done(call->spec.arg, call->result, &answer);
    weir_rpc_message_fini(&answer);
    weir_ref_release(&call->ref);
}

static void deliver(weir_stream_message *received)
{
    channel_call *call = received->call;
    weir_str label = {received->label.at ? received->label.at : "", received->label.length};
    call->spec.on_message(call->spec.arg, label, &received->message);
    weir_stream_message_fini(received);
    weir_ref_release(&call->ref);
}

void weir_channel_unlock(weir_channel *channel)
{
    channel_call *call = channel->ended.first;
    weir_stream_message *messages = channel->received.at;
    size_t message_count = channel->received.count;
    channel->ended = (call_list){0};
    channel->received = (__typeof__(channel->received)){0};
    weir_mutex_unlock(&channel->lock);
    for (size_t i = 0; i < message_count; i++)
        deliver(&messages[i]);
    weir_free(messages);
    while (call) {
        channel_call *next = call->next;
        finish(call);
        call = next;
    }
}

void weir_channel_flush(weir_channel *channel, size_t bytes)
{
    if (channel->corked || (weir_h2_may_wait(bytes) && weir_channel_defers(channel)))
        return;
    if (!weir_h2_flush_soon(&channel->h2, bytes))
        shutdown(channel->h2.fd, SHUT_RDWR); /* the reading thread sees it and closes */
}

void weir_channel_flush_now(weir_channel *channel)
{
    if (channel->h2.session && channel->state == READY && !channel->h2.wants_write &&
        !weir_h2_flush(&channel->h2))
        shutdown(channel->h2.fd, SHUT_RDWR); /* the reading thread sees it and closes */
}

/* Ends a call early, on the client I/O thread. Takes over the status and a reference. */
static void stop(channel_call *call, weir_status why)
{
    weir_channel *channel = call->channel;
    weir_mutex_lock(&channel->lock);
    if (call->listed) {
        weir_channel_end(channel,
                         call->stream || call->shm_id ? &channel->active : &channel->waiting, call,
                         why);
        if (call->shm_id) {
            weir_channel_cancel_by_shm(channel, call);
        } else if (call->stream && !call->payload.answered) {
            weir_client_reset(channel, call);
            weir_channel_flush(channel, 0);
        }
    } else {
        weir_status_free(call->early);
        call->early = why;
    }
    weir_channel_unlock(channel);
    weir_ref_release(&call->ref);
}

static void stop_cancelled(void *arg)
{
    stop(arg, weir_error(WEIR_CANCELLED, "CANCELLED"));
}

static void stop_expired(void *arg)
{
    stop(arg, weir_error(WEIR_DEADLINE_EXCEEDED, "Deadline Exceeded"));
}

static void on_cancel(void *arg)
{
    weir_client_post(stop_cancelled, arg);
}

static void on_deadline(void *arg)
{
    weir_client_post(stop_expired, arg);
}

static void add_to_keepalive(void *arg)
{
    weir_channel *channel = arg;
    if (!channel->closed)
        weir_client_keepalive_add(channel);
    weir_ref_release(&channel->memory);
}

void weir_channel_submit(weir_channel *channel, channel_call *call)
{
    if (!weir_channel_submit_by_shm(channel, call, &call->out->message))
        weir_client_submit(channel, call);
}

/* Appends a call to one of the channel's lists, and has the channel ticked. */
static void list_call(weir_channel *channel, call_list *list, channel_call *call)
    WEIR_REQUIRES(channel->lock)
{
    if (!channel->active.first)
        channel->silent_ticks = 0;
    channel->was_used = true;
    call->listed = true;
    weir_calls_add(list, call);
    if (!channel->keepalive) {
        channel->keepalive = true;
        weir_ref_retain(&channel->memory);
        weir_client_post(add_to_keepalive, channel);
    }
    if (channel->h2.read_elsewhere && !channel->receiver && !weir_channel_defers(channel))
        weir_h2_read_elsewhere(&channel->h2, false);
}

void weir_channel_reason(weir_channel *channel, weir_buf *out)
{
    static const char host[] = "remote host: "; /* prefix of system error texts */
    weir_mutex_lock(&channel->lock);
    const char *text = channel->last_error.at, *cause = text ? strstr(text, host) : NULL;
    if (text && channel->state != READY)
        weir_buf_adds(out, cause ? cause + sizeof host - 1 : text);
    weir_mutex_unlock(&channel->lock);
}

/* Sends or lists the call, or returns the status with which it fails at once. */
static weir_status begin(weir_channel *channel, channel_call *call) WEIR_REQUIRES(channel->lock)
{
    if (call->early) {
        weir_status status = call->early;
        call->early = WEIR_OK;
        return status;
    }
    if (channel->closed) /* internal: a negotiation begun before the last user's release */
        return weir_error(WEIR_CANCELLED, "Channel closed");
    bool pausing = channel->state == BACKING_OFF && weir_now_ns() < channel->retry_ns;
    if (pausing && !call->spec.wait_for_ready)
        return weir_error(WEIR_UNAVAILABLE, "%s", channel->last_error.at);
    list_call(channel, channel->state == READY ? &channel->active : &channel->waiting, call);
    if (channel->state == READY)
        weir_channel_submit(channel, call);
    else if (channel->state == IDLE || (channel->state == BACKING_OFF && !pausing))
        weir_channel_connect(channel);
    return WEIR_OK;
}

static channel_call *new_call(weir_channel *channel, const weir_channel_call *spec)
{
    channel_call *call = WEIR_NEW(channel_call);
    weir_ref_init(&call->ref, destroy_call);
    weir_ref_retain(&channel->memory);
    call->channel = channel;
    call->spec = *spec;
    call->in.payload_offset = spec->payload_offset;
    if (spec->cancel)
        weir_cancel_retain(spec->cancel);
    return call;
}

/* Registers for cancellation and time-out, each with a reference. False: already cancelled. */
static bool arm(channel_call *call)
{
    if (call->spec.cancel) {
        weir_ref_retain(&call->ref);
        call->cancel_token = weir_cancel_add(call->spec.cancel, on_cancel, call);
        if (!call->cancel_token) {
            weir_ref_release(&call->ref);
            return false;
        }
    }
    if (call->spec.timeout_ms > 0) {
        weir_ref_retain(&call->ref);
        call->timer = weir_timer_add(weir_after_ms(call->spec.timeout_ms), on_deadline, call);
    }
    return true;
}

void weir_channel_start(weir_channel *channel, const weir_channel_call *spec)
{
    channel_call *call = new_call(channel, spec);
    size_t bytes = weir_rpc_message_bytes(spec->request);
    if (bytes > MAX_MESSAGE_BYTES) {
        weir_rpc_message_fini(spec->request);
        call->result =
            weir_error(WEIR_RESOURCE_EXHAUSTED, "Sent message larger than max (%zu vs. %d)", bytes,
                       MAX_MESSAGE_BYTES);
        finish(call);
        return;
    }
    call->out = weir_outgoing_create(spec->request);
    if (!arm(call)) {
        call->result = weir_error(WEIR_CANCELLED, "CANCELLED");
        finish(call);
        return;
    }
    weir_mutex_lock(&channel->lock);
    call->result = begin(channel, call);
    bool failed = call->result != WEIR_OK;
    if (!failed && channel->state == READY && !call->shm_id)
        weir_channel_flush(channel, bytes);
    weir_channel_unlock(channel);
    if (failed)
        finish(call);
}

/* ---- streams -------------------------------------------------------------------------------- */

/* Sends the call as a stream. False: not possible now. */
static bool begin_stream(weir_channel *channel, channel_call *call) WEIR_REQUIRES(channel->lock)
{
    weir_rpc_message *request = call->spec.request;
    if (channel->state != READY || call->early)
        return false;
    bool by_shm = weir_channel_submit_by_shm(channel, call, request);
    if (!by_shm && (!channel->streams || weir_rpc_message_bytes(request) > MAX_MESSAGE_BYTES))
        return false;
    list_call(channel, &channel->active, call);
    if (!by_shm) {
        call->out = weir_outgoing_create(request);
        weir_client_submit(channel, call);
        weir_channel_flush(channel, 0);
    }
    return true;
}

weir_stream *weir_channel_start_stream(weir_channel *channel, const weir_channel_call *spec)
{
    channel_call *call = new_call(channel, spec);
    if (!arm(call)) { /* weir_channel_start will report why */
        weir_ref_release(&call->ref);
        return NULL;
    }
    weir_ref_retain(&call->ref); /* the caller's */
    weir_mutex_lock(&channel->lock);
    bool begun = begin_stream(channel, call);
    weir_channel_unlock(channel);
    if (begun) {
        weir_rpc_message_fini(spec->request);
        return (weir_stream *)call;
    }
    disarm(call);
    weir_ref_release(&call->ref);
    weir_ref_release(&call->ref);
    return NULL;
}

void weir_stream_release(weir_stream *stream)
{
    weir_ref_release((weir_ref *)stream);
}

size_t weir_stream_message_limit(const weir_stream *stream)
{
    const channel_call *call = (const channel_call *)stream;
    return call->shm_id ? SIZE_MAX : call->message_limit;
}

weir_status weir_stream_send(weir_stream *stream, weir_str label, weir_rpc_message *message)
{
    channel_call *call = (channel_call *)stream;
    weir_channel *channel = call->channel;
    size_t bytes = weir_rpc_message_bytes(message);
    weir_mutex_lock(&channel->lock);
    bool open = call->listed && (!call->shm_id || channel->shm);
    bool sent = open && (call->shm_id ? weir_channel_message_by_shm(channel, call, label, message)
                                      : weir_client_send_message(channel, call, label, message));
    weir_mutex_unlock(&channel->lock);
    weir_rpc_message_fini(message);
    if (sent || !open)
        return WEIR_OK;
    return weir_error(WEIR_RESOURCE_EXHAUSTED, "cannot buffer %zu bytes for sending", bytes);
}

/* ---- waiting -------------------------------------------------------------------------------- */

typedef struct call_waiter {
    atomic_int over;
    weir_status status;
    weir_rpc_message *out;
} call_waiter;

static void wake(void *arg, weir_status status, weir_rpc_message *answer)
{
    call_waiter *waiter = arg;
    if (!status) {
        *waiter->out = *answer;
        *answer = (weir_rpc_message){0};
    }
    waiter->status = status;
    atomic_store(&waiter->over, 1);
    weir_word_wake(&waiter->over);
}

weir_status weir_channel_wait(weir_channel *channel, const weir_channel_call *spec,
                              weir_rpc_message *out_answer)
{
    call_waiter waiter = {.out = out_answer};
    weir_channel_call call = *spec;
    call.done = wake;
    call.arg = &waiter;
    weir_channel_cork();
    weir_channel_start(channel, &call);
    weir_channel_receive_until(channel, &waiter.over);
    return waiter.status;
}

weir_status weir_answer_parsed(weir_status read, const char *method)
{
    if (!read)
        return WEIR_OK;
    weir_status status = weir_error(WEIR_INTERNAL, "Unable to parse the answer of %s: %s", method,
                                    weir_status_message(read));
    weir_status_free(read);
    return status;
}

/* ---- channels ------------------------------------------------------------------------------- */

static void destroy_memory(weir_ref *ref)
{
    weir_channel *channel = (weir_channel *)((char *)ref - offsetof(weir_channel, memory));
    if (channel->found)
        weir_address_free(channel->found);
    weir_buf_fini(&channel->last_error);
    weir_vec_fini(&channel->slots);
    weir_vec_fini(&channel->free_slots);
    weir_free(channel->address);
    weir_free(channel->host);
    weir_mutex_fini(&channel->lock);
    weir_free(channel);
}

static void close_channel(void *arg)
{
    weir_channel *channel = arg;
    weir_mutex_lock(&channel->lock);
    bool keepalive = channel->keepalive;
    channel->closed = true;
    weir_channel_end_all(channel, &channel->waiting, weir_error(WEIR_CANCELLED, "Channel closed"));
    weir_channel_end_all(channel, &channel->active, weir_error(WEIR_CANCELLED, "Channel closed"));
    weir_client_drop(channel);
    channel->state = IDLE;
    weir_channel_unlock(channel);
    if (keepalive)
        weir_client_keepalive_remove(channel);
    weir_ref_release(&channel->memory);
}

static void last_user_left(weir_ref *ref)
{
    weir_client_post(close_channel, (char *)ref - offsetof(weir_channel, ref));
}

static char *host_of(const char *address)
{
    weir_str host = WEIR_STR("localhost"); /* also for unix sockets */
    weir_address_split(weir_str_of(address), &host);
    return weir_strndup(host.at, host.length);
}

weir_channel *weir_channel_open(const char *address)
{
    weir_channel *channel = WEIR_NEW(weir_channel);
    weir_ref_init(&channel->ref, last_user_left);
    weir_ref_init(&channel->memory, destroy_memory);
    weir_mutex_init(&channel->lock);
    channel->h2.fd = -1;
    channel->source.ready = weir_channel_event;
    channel->address = weir_strdup(address);
    channel->host = host_of(address);
    channel->authority =
        weir_address_path(weir_str_of(address)).length ? channel->host : channel->address;
    return channel;
}

void weir_channel_release(weir_channel *channel)
{
    if (channel)
        weir_ref_release(&channel->ref);
}
