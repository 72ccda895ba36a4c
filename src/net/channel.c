/* net/channel.c - calls to one server: started, cancelled, out of time, ended. */
#include "net/channel.h"

#include <stddef.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/timer.h"
#include "base/word.h"
#include "net/channel_impl.h"

/* ---- lists ---------------------------------------------------------------------------------- */

void weir_calls_add(call_list *l, call *c)
{
    c->next = NULL;
    c->prev = l->last;
    if (l->last)
        l->last->next = c;
    else
        l->first = c;
    l->last = c;
}

void weir_calls_remove(call_list *l, call *c)
{
    if (c->prev)
        c->prev->next = c->next;
    else
        l->first = c->next;
    if (c->next)
        c->next->prev = c->prev;
    else
        l->last = c->prev;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void destroy_call(weir_ref *ref)
{
    call *k = (call *)ref;
    if (k->out)
        weir_ref_release(&k->out->ref);
    weir_cancel_release(k->spec.cancel);
    weir_incoming_fini(&k->in);
    weir_buffer_release(k->payload.buffer);
    weir_status_free(k->payload.status);
    weir_buf_fini(&k->message);
    weir_status_free(k->early);
    weir_ref_release(&k->channel->memory);
    weir_free(k);
}

void weir_channel_end(weir_channel *c, call_list *from, call *which, weir_status s)
{
    weir_calls_remove(from, which);
    weir_h2_expect_nothing(&c->h2); /* it may have been this call's payload */
    if (which->shm_id)
        weir_channel_free_shm_id(c, which);
    weir_channel_forget_payload(c, which);
    which->listed = false;
    which->result = s;
    weir_calls_add(&c->ended, which);
}

void weir_channel_end_all(weir_channel *c, call_list *from, weir_status s)
{
    while (from->first)
        weir_channel_end(c, from, from->first, weir_status_copy(s));
    weir_status_free(s);
}

/* Takes back what arm registered, where it was not called. */
static void disarm(call *k)
{
    if (k->cancel_token && weir_cancel_remove(k->spec.cancel, k->cancel_token))
        weir_ref_release(&k->ref);
    if (k->timer && weir_timer_remove(k->timer))
        weir_ref_release(&k->ref);
}

/* Calls done, which owns the result from then on. */
static void finish(call *k)
{
    disarm(k);
    weir_rpc_message answer = {0};
    if (!k->result) {
        answer = k->in.m;
        k->in.m = (weir_rpc_message){0};
    }
    k->spec.done(k->spec.arg, k->result, &answer);
    weir_rpc_message_fini(&answer);
    weir_ref_release(&k->ref);
}

static void hand_on(stream_message *p)
{
    call *k = p->of;
    k->spec.on_message(k->spec.arg, (weir_str){p->label.at ? p->label.at : "", p->label.length},
                       &p->m);
    weir_rpc_message_fini(&p->m);
    weir_buf_fini(&p->label);
    weir_ref_release(&k->ref);
}

void weir_channel_unlock(weir_channel *c)
{
    call *k = c->ended.first;
    stream_message *messages = c->received.at;
    size_t message_count = c->received.count;
    c->ended = (call_list){0};
    c->received = (__typeof__(c->received)){0};
    pthread_mutex_unlock(&c->lock);
    for (size_t i = 0; i < message_count; i++)
        hand_on(&messages[i]);
    weir_free(messages);
    while (k) {
        call *next = k->next;
        finish(k);
        k = next;
    }
}

void weir_channel_flush(weir_channel *c, size_t bytes)
{
    if (!c->corked && !weir_h2_flush_soon(&c->h2, bytes))
        shutdown(c->h2.fd, SHUT_RDWR); /* the client I/O thread sees it and closes */
}

/* Ends a call early, on the client I/O thread. Takes over the status and a reference. */
static void stop(call *k, weir_status why)
{
    weir_channel *c = k->channel;
    pthread_mutex_lock(&c->lock);
    if (k->listed) {
        weir_channel_end(c, k->stream || k->shm_id ? &c->active : &c->waiting, k, why);
        if (k->shm_id) {
            weir_channel_cancel_by_shm(c, k);
        } else if (k->stream && !k->payload.answered) {
            weir_client_reset(c, k);
            weir_channel_flush(c, 0);
        }
    } else {
        weir_status_free(k->early);
        k->early = why;
    }
    weir_channel_unlock(c);
    weir_ref_release(&k->ref);
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
    weir_channel *c = arg;
    if (!c->closed)
        weir_client_keepalive_add(c);
    weir_ref_release(&c->memory);
}

void weir_channel_submit(weir_channel *c, call *k)
{
    if (!weir_channel_submit_by_shm(c, k, &k->out->m))
        weir_client_submit(c, k);
}

/* Sends the call, or lists it, or gives the status it ends with at once. Under the lock. */
static weir_status begin(weir_channel *c, call *k)
{
    if (k->early) {
        weir_status s = k->early;
        k->early = WEIR_OK;
        return s;
    }
    if (c->closed) /* one of our own: a hello that was on its way when the last user left */
        return weir_error(WEIR_CANCELLED, "Channel closed");
    bool pausing = c->state == BACKING_OFF && weir_now_ns() < c->retry_ns;
    if (pausing && !k->spec.wait_for_ready)
        return weir_error(WEIR_UNAVAILABLE, "%s", c->last_error.at);
    if (!c->active.first)
        c->silent_ticks = 0;
    c->was_used = true;
    k->listed = true;
    weir_calls_add(c->state == READY ? &c->active : &c->waiting, k);
    if (c->state == READY)
        weir_channel_submit(c, k);
    else if (c->state == IDLE || (c->state == BACKING_OFF && !pausing))
        weir_channel_connect(c);
    if (!c->watched) {
        c->watched = true;
        weir_ref_retain(&c->memory);
        weir_client_post(add_to_keepalive, c);
    }
    return WEIR_OK;
}

static call *new_call(weir_channel *c, const weir_channel_call *spec)
{
    call *k = WEIR_NEW(call);
    weir_ref_init(&k->ref, destroy_call);
    weir_ref_retain(&c->memory);
    k->channel = c;
    k->spec = *spec;
    k->in.payload_offset = spec->payload_offset;
    if (spec->cancel)
        weir_cancel_retain(spec->cancel);
    return k;
}

/* Registers for being stopped; each registration holds a reference. False: cancelled already. */
static bool arm(call *k)
{
    if (k->spec.cancel) {
        weir_ref_retain(&k->ref);
        k->cancel_token = weir_cancel_add(k->spec.cancel, on_cancel, k);
        if (!k->cancel_token) {
            weir_ref_release(&k->ref);
            return false;
        }
    }
    if (k->spec.timeout_ms > 0) {
        weir_ref_retain(&k->ref);
        k->timer = weir_timer_add(weir_now_ns() + k->spec.timeout_ms * 1000000, on_deadline, k);
    }
    return true;
}

void weir_channel_start(weir_channel *c, const weir_channel_call *spec)
{
    call *k = new_call(c, spec);
    size_t bytes = weir_rpc_message_bytes(spec->request);
    if (bytes > MAX_MESSAGE_BYTES) {
        weir_rpc_message_fini(spec->request);
        k->result = weir_error(WEIR_RESOURCE_EXHAUSTED, "Sent message larger than max (%zu vs. %d)",
                               bytes, MAX_MESSAGE_BYTES);
        finish(k);
        return;
    }
    k->out = weir_outgoing_create(spec->request);
    if (!arm(k)) {
        k->result = weir_error(WEIR_CANCELLED, "CANCELLED");
        finish(k);
        return;
    }
    pthread_mutex_lock(&c->lock);
    k->result = begin(c, k);
    bool failed = k->result != WEIR_OK;
    if (!failed && c->state == READY && !k->shm_id)
        weir_channel_flush(c, bytes);
    weir_channel_unlock(c);
    if (failed)
        finish(k);
}

/* ---- streams -------------------------------------------------------------------------------- */

weir_stream *weir_channel_start_stream(weir_channel *c, const weir_channel_call *spec)
{
    call *k = new_call(c, spec);
    if (!arm(k)) { /* the usual way tells why */
        weir_ref_release(&k->ref);
        return NULL;
    }
    weir_ref_retain(&k->ref); /* the caller's */
    pthread_mutex_lock(&c->lock);
    bool can = c->state == READY && !k->early;
    bool by_road = can && weir_channel_submit_by_shm(c, k, spec->request);
    can = by_road ||
          (can && c->streams && weir_rpc_message_bytes(spec->request) <= MAX_MESSAGE_BYTES);
    if (can) {
        if (!c->active.first)
            c->silent_ticks = 0;
        c->was_used = true;
        k->listed = true;
        weir_calls_add(&c->active, k);
    }
    if (can && !by_road) {
        k->out = weir_outgoing_create(spec->request);
        weir_client_submit(c, k);
        weir_channel_flush(c, 0);
    }
    weir_channel_unlock(c);
    if (can) {
        weir_rpc_message_fini(spec->request);
        return (weir_stream *)k;
    }
    disarm(k);
    weir_ref_release(&k->ref);
    weir_ref_release(&k->ref);
    return NULL;
}

void weir_stream_release(weir_stream *s)
{
    weir_ref_release((weir_ref *)s);
}

size_t weir_stream_message_limit(const weir_stream *s)
{
    return ((const call *)s)->shm_id ? SIZE_MAX : WEIR_H2_MESSAGE_LIMIT;
}

weir_status weir_stream_send(weir_stream *s, weir_str label, weir_rpc_message *m)
{
    call *k = (call *)s;
    weir_channel *c = k->channel;
    size_t bytes = weir_rpc_message_bytes(m);
    pthread_mutex_lock(&c->lock);
    bool open = k->listed && (!k->shm_id || c->shm);
    bool sent = open && (k->shm_id ? weir_channel_message_by_shm(c, k, label, m)
                                   : weir_client_send_message(c, k, label, m));
    pthread_mutex_unlock(&c->lock);
    weir_rpc_message_fini(m);
    if (sent || !open)
        return WEIR_OK;
    return weir_error(WEIR_RESOURCE_EXHAUSTED, "no memory for a value of %zu bytes on its way",
                      bytes);
}

/* ---- waiting -------------------------------------------------------------------------------- */

typedef struct waiter {
    atomic_int over;
    weir_status status;
    weir_rpc_message *out;
} waiter;

static void wake(void *arg, weir_status s, weir_rpc_message *answer)
{
    waiter *w = arg;
    if (!s) {
        *w->out = *answer;
        *answer = (weir_rpc_message){0};
    }
    w->status = s;
    atomic_store(&w->over, 1);
    weir_word_wake(&w->over);
}

weir_status weir_channel_wait(weir_channel *c, const weir_channel_call *spec,
                              weir_rpc_message *out_answer)
{
    waiter w = {.out = out_answer};
    weir_channel_call call = *spec;
    call.done = wake;
    call.arg = &w;
    weir_channel_start(c, &call);
    weir_channel_receive_until(c, &w.over);
    return w.status;
}

/* ---- channels ------------------------------------------------------------------------------- */

static void destroy_memory(weir_ref *ref)
{
    weir_channel *c = (weir_channel *)((char *)ref - offsetof(weir_channel, memory));
    if (c->found)
        freeaddrinfo(c->found);
    weir_buf_fini(&c->last_error);
    weir_vec_fini(&c->slots);
    weir_vec_fini(&c->free_slots);
    weir_free(c->address);
    weir_free(c->host);
    weir_free(c->port);
    pthread_mutex_destroy(&c->lock);
    weir_free(c);
}

static void shut(void *arg)
{
    weir_channel *c = arg;
    pthread_mutex_lock(&c->lock);
    bool watched = c->watched;
    c->closed = true;
    weir_channel_end_all(c, &c->waiting, weir_error(WEIR_CANCELLED, "Channel closed"));
    weir_channel_end_all(c, &c->active, weir_error(WEIR_CANCELLED, "Channel closed"));
    weir_client_drop(c);
    c->state = IDLE;
    weir_channel_unlock(c);
    if (watched)
        weir_client_keepalive_remove(c);
    weir_ref_release(&c->memory);
}

static void last_user_left(weir_ref *ref)
{
    weir_client_post(shut, (char *)ref - offsetof(weir_channel, ref));
}

/* "host:port" or "[v6]:port" into its messages; no port leaves |port| null. */
static void split_address(weir_channel *c)
{
    const char *a = c->address, *colon = strrchr(a, ':');
    size_t length = colon ? (size_t)(colon - a) : strlen(a);
    if (length > 1 && a[0] == '[' && a[length - 1] == ']') {
        a++;
        length -= 2;
    }
    c->host = weir_strndup(a, length);
    c->port = colon && colon[1] ? weir_strdup(colon + 1) : NULL;
}

weir_channel *weir_channel_open(const char *address)
{
    weir_channel *c = WEIR_NEW(weir_channel);
    weir_ref_init(&c->ref, last_user_left);
    weir_ref_init(&c->memory, destroy_memory);
    pthread_mutex_init(&c->lock, NULL);
    c->h2.fd = -1;
    c->source.ready = weir_channel_event;
    c->address = weir_strdup(address);
    split_address(c);
    return c;
}

weir_channel *weir_channel_retain(weir_channel *c)
{
    weir_ref_retain(&c->ref);
    return c;
}

void weir_channel_release(weir_channel *c)
{
    if (c)
        weir_ref_release(&c->ref);
}

const char *weir_channel_address(const weir_channel *c)
{
    return c->address;
}
