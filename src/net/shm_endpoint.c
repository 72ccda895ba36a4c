/* net/shm_endpoint.c - the server's calls by shared memory: received and answered. */
#include "net/shm_endpoint_impl.h"

#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "net/access.h"
#include "net/limits.h"

typedef struct shm_call shm_call;

struct weir_shm_endpoint {
    weir_ref ref; /* held by the connection and by each call */
    weir_rpc_server *server;
    weir_peer *peer; /* retained */
    weir_shm *shm;
    void (*broken)(void *arg);
    void *arg;
    bool closed; /* the I/O thread only */
    weir_mutex lock;
    shm_call *calls WEIR_GUARDED_BY(lock); /* not answered yet */
    int64_t call_count WEIR_GUARDED_BY(lock);
};

struct shm_call {
    weir_rpc rpc;
    weir_shm_endpoint *endpoint; /* retained */
    uint64_t id;
    bool open; /* in the endpoint's list; under its lock, as are these: */
    shm_call *next, *prev;
};

/* ---- calls ---------------------------------------------------------------------------------- */

static void destroy_endpoint(weir_ref *ref)
{
    weir_shm_endpoint *endpoint = (weir_shm_endpoint *)ref;
    weir_ref_release(&endpoint->shm->ref);
    weir_peer_release(endpoint->peer);
    weir_mutex_fini(&endpoint->lock);
    weir_free(endpoint);
}

static void destroy_call(weir_rpc *rpc)
{
    shm_call *call = (shm_call *)rpc;
    weir_rpc_fini(rpc);
    weir_ref_release(&call->endpoint->ref);
    weir_free(call);
}

/* Removes a call from the endpoint's list. Returns the listener's argument, to be released after
 * unlocking. */
WEIR_CHECKED static weir_ref *unlink_call(weir_shm_endpoint *endpoint, shm_call *call)
    WEIR_REQUIRES(endpoint->lock)
{
    call->open = false;
    endpoint->call_count--;
    if (call->prev)
        call->prev->next = call->next;
    else
        endpoint->calls = call->next;
    if (call->next)
        call->next->prev = call->prev;
    return weir_rpc_take_listener(&call->rpc);
}

static void send_status(shm_call *call, weir_status status)
{
    const char *text = weir_status_message(status);
    size_t length = strnlen(text, RING_MAX_RECORD / 8);
    unsigned marks = (weir_status_is(status, WEIR_DERIVED) ? WEIR_DERIVED : 0) |
                     (weir_status_is(status, WEIR_PEER_RESTARTED) ? WEIR_PEER_RESTARTED : 0);
    weir_shm_send(call->endpoint->shm, &(weir_shm_frame){.kind = SHM_ANSWER,
                                                         .id = call->id,
                                                         .code = (int32_t)weir_status_code(status),
                                                         .marks = marks,
                                                         .text = {(char *)text, length, 0}});
}

static void send_reply(shm_call *call)
{
    weir_shm_frame frame = {.kind = SHM_ANSWER, .id = call->id, .message = call->rpc.reply};
    if (weir_shm_send(call->endpoint->shm, &frame))
        return;
    weir_status status =
        weir_error(WEIR_RESOURCE_EXHAUSTED, "no shared memory for an answer of %zu bytes",
                   weir_rpc_message_bytes(&call->rpc.reply));
    send_status(call, status); /* dropped, too, if the transport is closed */
    weir_status_free(status);
}

/* Answers unless the caller has disconnected; takes over the handler's reference. */
static void send_answer(weir_rpc *rpc)
{
    shm_call *call = (shm_call *)rpc;
    weir_shm_endpoint *endpoint = call->endpoint;
    weir_mutex_lock(&endpoint->lock);
    bool open = call->open;
    weir_ref *listener = open ? unlink_call(endpoint, call) : NULL;
    weir_mutex_unlock(&endpoint->lock);
    weir_ref_release(listener);
    if (open && rpc->status)
        send_status(call, rpc->status);
    else if (open)
        send_reply(call);
    if (open)
        weir_ref_release(&rpc->ref); /* the endpoint's */
    weir_ref_release(&rpc->ref);
}

/* Drops the message if the call was answered or its caller has disconnected. */
static bool send_message(weir_rpc *rpc, weir_str label, const weir_rpc_message *message)
{
    shm_call *call = (shm_call *)rpc;
    weir_mutex_lock(&call->endpoint->lock);
    bool open = call->open;
    weir_mutex_unlock(&call->endpoint->lock);
    weir_shm_frame frame = {.kind = SHM_MESSAGE,
                            .id = call->id,
                            .text = {(char *)label.at, label.length, 0},
                            .message = *message};
    return !open || weir_shm_send(call->endpoint->shm, &frame) ||
           !weir_shm_is_open(call->endpoint->shm);
}

static shm_call *find_call(const weir_shm_endpoint *endpoint, uint64_t id)
    WEIR_REQUIRES(endpoint->lock)
{
    shm_call *call = endpoint->calls;
    while (call && call->id != id)
        call = call->next;
    return call;
}

static shm_call *new_call(weir_shm_endpoint *endpoint, weir_shm_frame *frame)
{
    shm_call *call = WEIR_NEW(shm_call);
    weir_rpc_init(&call->rpc, endpoint->server, endpoint->peer);
    weir_ref_retain(&endpoint->ref);
    call->endpoint = endpoint;
    call->id = frame->id;
    call->rpc.send = send_answer;
    call->rpc.destroy = destroy_call;
    call->rpc.stream_lock = &endpoint->lock;
    call->rpc.message_limit = SIZE_MAX;
    if (frame->marks & SHM_STREAM)
        call->rpc.send_message = send_message;
    call->rpc.timeout_ms = frame->timeout_ms;
    call->rpc.request = frame->message;
    frame->message = (weir_rpc_message){0};
    call->rpc.method = weir_rpc_find(endpoint->server, weir_view(&frame->text));
    return call;
}

/* Why the call is rejected. */
static weir_status check_call(weir_shm_endpoint *endpoint, shm_call *call)
{
    int64_t most = weir_limits_get()->streams;
    if (!call->rpc.method)
        return weir_error_text(WEIR_UNIMPLEMENTED, "", 0);
    if (!atomic_load(&endpoint->peer->is_task) &&
        weir_access_is_for_tasks(weir_str_of(call->rpc.method->path)))
        return weir_error(
            WEIR_PERMISSION_DENIED,
            "Methods of WorkerService are for tasks of the cluster, which have a token");
    WEIR_TRY(weir_rpc_message_flatten(&call->rpc.request));
    weir_mutex_lock(&endpoint->lock);
    bool full = endpoint->call_count >= most;
    weir_mutex_unlock(&endpoint->lock);
    return full ? weir_error(WEIR_RESOURCE_EXHAUSTED,
                             "the connection has %lld calls without an answer (limit: streams)",
                             (long long)most)
                : WEIR_OK;
}

static void list_call(weir_shm_endpoint *endpoint, shm_call *call)
{
    weir_mutex_lock(&endpoint->lock);
    call->open = true;
    endpoint->call_count++;
    call->next = endpoint->calls;
    if (call->next)
        call->next->prev = call;
    endpoint->calls = call;
    weir_mutex_unlock(&endpoint->lock);
}

/* Lists an acceptable call; answers the others. */
static shm_call *take_call(weir_shm_endpoint *endpoint, weir_shm_frame *frame)
{
    shm_call *call = new_call(endpoint, frame);
    weir_status status = check_call(endpoint, call);
    if (status) {
        send_status(call, status);
        weir_status_free(status);
        weir_ref_release(&call->rpc.ref);
        return NULL;
    }
    weir_ref_retain(&call->rpc.ref); /* the answer may release the endpoint's meanwhile */
    list_call(endpoint, call);
    return call;
}

static weir_rpc_delivery claim(weir_shm_endpoint *endpoint, weir_shm_frame *frame)
{
    weir_rpc_delivery to = {0};
    weir_mutex_lock(&endpoint->lock);
    shm_call *call = find_call(endpoint, frame->id);
    if (call)
        to = weir_rpc_claim(&call->rpc, weir_view(&frame->text), &frame->message);
    weir_mutex_unlock(&endpoint->lock);
    return to;
}

static void cancel(weir_shm_endpoint *endpoint, uint64_t id)
{
    weir_mutex_lock(&endpoint->lock);
    shm_call *call = find_call(endpoint, id);
    weir_ref *listener = call ? unlink_call(endpoint, call) : NULL;
    weir_mutex_unlock(&endpoint->lock);
    if (!call)
        return;
    weir_ref_release(listener);
    weir_cancel_fire(call->rpc.cancel, weir_error(WEIR_CANCELLED, "The caller cancelled the call"));
    weir_rpc_hurry(&call->rpc);
    weir_ref_release(&call->rpc.ref);
}

/* ---- the I/O thread -------------------------------------------------------------------------- */

/* The function to call for a frame, determined in order of arrival. */
typedef struct frame_work {
    shm_call *call;       /* retained; null: none */
    weir_rpc_delivery to; /* for a message */
} frame_work;

static frame_work begin_frame(weir_shm_endpoint *endpoint, weir_shm_frame *frame)
{
    frame_work work = {0};
    if (frame->kind == SHM_CALL)
        work.call = take_call(endpoint, frame);
    else if (frame->kind == SHM_MESSAGE)
        work.to = claim(endpoint, frame);
    return work;
}

static void handle_frame(weir_shm_endpoint *endpoint, weir_shm_frame *frame, frame_work *work)
{
    if (work->call) {
        weir_rpc_dispatch(&work->call->rpc);
        weir_ref_release(&work->call->rpc.ref);
    } else if (frame->kind == SHM_CANCEL) {
        cancel(endpoint, frame->id);
    } else {
        weir_rpc_deliver(&work->to, weir_view(&frame->text), &frame->message);
    }
}

/* Handles received frames. False: another thread does so now. */
static bool receive_all(weir_shm_endpoint *endpoint, bool *out_broken)
{
    weir_shm_frame frame;
    *out_broken = false;
    while (!*out_broken && weir_shm_receive(endpoint->shm, &frame, out_broken)) {
        frame_work work = begin_frame(endpoint, &frame);
        weir_loop_call();
        handle_frame(endpoint, &frame, &work);
        weir_shm_frame_fini(&frame);
        if (!weir_loop_back())
            return false;
    }
    return true;
}

static void ready(weir_source *self, unsigned events)
{
    weir_shm_endpoint *endpoint = WEIR_SOURCE_OWNER(self, weir_shm, source)->owner;
    bool broken = false, mine = true;
    if (endpoint->closed)
        return;
    weir_ref_retain(&endpoint->ref); /* a replacement thread may close it */
    do {
        mine = receive_all(endpoint, &broken);
    } while (mine && !broken && !weir_shm_go_idle(endpoint->shm, RING_WAKE_BY_EVENT));
    if (mine && (broken || !weir_shm_is_open(endpoint->shm)))
        endpoint->broken(endpoint->arg);
    weir_ref_release(&endpoint->ref);
}

weir_shm_endpoint *weir_shm_endpoint_create(weir_rpc_server *server, weir_peer *peer, weir_shm *shm,
                                            void (*broken)(void *), void *arg)
{
    weir_shm_endpoint *endpoint = WEIR_NEW(weir_shm_endpoint);
    weir_ref_init(&endpoint->ref, destroy_endpoint);
    weir_mutex_init(&endpoint->lock);
    endpoint->server = server;
    endpoint->peer = weir_peer_retain(peer);
    endpoint->shm = shm;
    endpoint->broken = broken;
    endpoint->arg = arg;
    shm->owner = endpoint;
    shm->source.ready = ready;
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = &shm->source};
    epoll_ctl(server->epoll, EPOLL_CTL_ADD, shm->wake, &event);
    if (!weir_shm_go_idle(shm,
                          RING_WAKE_BY_EVENT)) /* announces that the client has to wake this end */
        eventfd_write(shm->wake, 1);
    return endpoint;
}

void weir_shm_endpoint_retire(weir_shm_endpoint *endpoint)
{
    endpoint->closed = true;
    epoll_ctl(endpoint->server->epoll, EPOLL_CTL_DEL, endpoint->shm->wake, NULL);
    weir_shm_close(endpoint->shm);
    weir_ref_retain(&endpoint->ref); /* weir_shm_endpoint_cancel's */
    weir_rpc_release_later(endpoint->server,
                           &endpoint->ref); /* events of this round may still refer to it */
}

void weir_shm_endpoint_cancel(weir_shm_endpoint *endpoint)
{
    for (;;) {
        weir_mutex_lock(&endpoint->lock);
        shm_call *call = endpoint->calls;
        weir_ref *listener = call ? unlink_call(endpoint, call) : NULL;
        weir_mutex_unlock(&endpoint->lock);
        if (!call)
            break;
        weir_ref_release(listener);
        weir_cancel_fire(call->rpc.cancel, weir_error(WEIR_CANCELLED, "The caller went away"));
        weir_rpc_hurry(&call->rpc);
        weir_ref_release(&call->rpc.ref);
    }
    weir_ref_release(&endpoint->ref);
}
