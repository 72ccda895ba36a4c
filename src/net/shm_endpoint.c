/* net/endpoint.c - calls by shared memory: frames into calls, answers into frames. */
#include "net/shm_endpoint_impl.h"

#include <stddef.h>
#include <sys/epoll.h>

typedef struct shm_call shm_call;

struct weir_shm_endpoint {
    weir_ref ref; /* the connection's, and each call's */
    weir_rpc_server *server;
    weir_shm *shm;
    void (*broken)(void *arg);
    void *arg;
    pthread_mutex_t lock;
    shm_call *calls; /* not answered yet; under lock */
    bool closed;     /* the I/O thread only */
};

struct shm_call {
    weir_rpc rpc;
    weir_shm_endpoint *endpoint; /* retained */
    uint64_t id;
    bool open; /* among the endpoint's; under its lock */
    shm_call *next, *prev;
};

/* ---- calls ---------------------------------------------------------------------------------- */

static void destroy_endpoint(weir_ref *ref)
{
    weir_shm_endpoint *endpoint = (weir_shm_endpoint *)ref;
    weir_ref_release(&endpoint->shm->ref);
    pthread_mutex_destroy(&endpoint->lock);
    weir_free(endpoint);
}

static void destroy_call(weir_rpc *rpc)
{
    shm_call *call = (shm_call *)rpc;
    weir_rpc_fini(rpc);
    weir_ref_release(&call->endpoint->ref);
    weir_free(call);
}

/* Out of the endpoint's list; lock held. What it returns, who heard of messages, is to be released
 * when the lock is free. */
WEIR_CHECKED static weir_ref *unlink_call(shm_call *call)
{
    weir_ref *listener = call->rpc.on_message_arg;
    call->rpc.on_message = NULL;
    call->rpc.on_message_arg = NULL;
    call->open = false;
    if (call->prev)
        call->prev->next = call->next;
    else
        call->endpoint->calls = call->next;
    if (call->next)
        call->next->prev = call->prev;
    return listener;
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

/* Answers unless the caller has gone; takes over the handler's reference. */
static void send_answer(weir_rpc *rpc)
{
    shm_call *call = (shm_call *)rpc;
    pthread_mutex_lock(&call->endpoint->lock);
    bool open = call->open;
    weir_ref *listener = open ? unlink_call(call) : NULL;
    pthread_mutex_unlock(&call->endpoint->lock);
    weir_ref_release(listener);
    if (open && rpc->status) {
        send_status(call, rpc->status);
    } else if (open && !weir_shm_send(call->endpoint->shm, &(weir_shm_frame){.kind = SHM_ANSWER,
                                                                             .id = call->id,
                                                                             .m = rpc->reply})) {
        weir_status status =
            weir_error(WEIR_RESOURCE_EXHAUSTED, "no shared memory for an answer of %zu bytes",
                       weir_rpc_message_bytes(&rpc->reply));
        send_status(call, status); /* a shm transport that is closed does not take it either */
        weir_status_free(status);
    }
    if (open)
        weir_ref_release(&rpc->ref); /* the shm transport's */
    weir_ref_release(&rpc->ref);
}

/* A message goes nowhere when the call is answered or its caller gone. */
static bool send_message(weir_rpc *rpc, weir_str label, const weir_rpc_message *message)
{
    shm_call *call = (shm_call *)rpc;
    pthread_mutex_lock(&call->endpoint->lock);
    bool open = call->open;
    pthread_mutex_unlock(&call->endpoint->lock);
    weir_shm_frame frame = {.kind = SHM_MESSAGE,
                            .id = call->id,
                            .text = {(char *)label.at, label.length, 0},
                            .m = *message};
    return !open || weir_shm_send(call->endpoint->shm, &frame) ||
           !weir_shm_is_open(call->endpoint->shm);
}

static shm_call *find_call(const weir_shm_endpoint *endpoint, uint64_t id)
{
    shm_call *call = endpoint->calls;
    while (call && call->id != id)
        call = call->next;
    return call;
}

/* A message of a call has come. */
static void receive_message(weir_shm_endpoint *endpoint, weir_shm_frame *frame)
{
    pthread_mutex_lock(&endpoint->lock);
    shm_call *call = find_call(endpoint, frame->id);
    void (*on_message)(weir_ref * arg, weir_str label, weir_rpc_message * m) =
        call ? call->rpc.on_message : NULL;
    weir_ref *arg = on_message ? call->rpc.on_message_arg : NULL;
    if (arg)
        weir_ref_retain(arg);
    pthread_mutex_unlock(&endpoint->lock);
    if (!on_message)
        return;
    on_message(arg, (weir_str){frame->text.at ? frame->text.at : "", frame->text.length},
               &frame->m);
    weir_ref_release(arg);
}

/* A call has come. */
static void receive(weir_shm_endpoint *endpoint, weir_shm_frame *frame)
{
    shm_call *call = WEIR_NEW(shm_call);
    weir_rpc_init(&call->rpc, endpoint->server);
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
    weir_rpc_message_flatten(&frame->m);
    call->rpc.request = frame->m;
    frame->m = (weir_rpc_message){0};
    call->rpc.method =
        weir_rpc_find(endpoint->server, (weir_str){frame->text.at, frame->text.length});
    if (!call->rpc.method) {
        weir_status status = weir_error_text(WEIR_UNIMPLEMENTED, "", 0);
        send_status(call, status);
        weir_status_free(status);
        weir_ref_release(&call->rpc.ref);
        return;
    }
    pthread_mutex_lock(&endpoint->lock);
    call->open = true;
    call->next = endpoint->calls;
    if (call->next)
        call->next->prev = call;
    endpoint->calls = call;
    pthread_mutex_unlock(&endpoint->lock);
    weir_ref_retain(&call->rpc.ref); /* the answer may end the shm transport's while this goes on */
    weir_rpc_dispatch(&call->rpc);
    weir_ref_release(&call->rpc.ref);
}

static void cancel(weir_shm_endpoint *endpoint, uint64_t id)
{
    pthread_mutex_lock(&endpoint->lock);
    shm_call *call = find_call(endpoint, id);
    weir_ref *listener = call ? unlink_call(call) : NULL;
    pthread_mutex_unlock(&endpoint->lock);
    if (!call)
        return;
    weir_ref_release(listener);
    weir_cancel_fire(call->rpc.cancel, weir_error(WEIR_CANCELLED, "The caller cancelled the call"));
    weir_ref_release(&call->rpc.ref);
}

/* ---- the loop's side ------------------------------------------------------------------------ */

/* Takes what came. False: it is nonsense. */
static bool receive_all(weir_shm_endpoint *endpoint)
{
    weir_shm_frame frame;
    bool broken = false;
    while (weir_shm_receive(endpoint->shm, &frame, &broken)) {
        if (frame.kind == SHM_CALL)
            receive(endpoint, &frame);
        else if (frame.kind == SHM_CANCEL)
            cancel(endpoint, frame.id);
        else if (frame.kind == SHM_MESSAGE)
            receive_message(endpoint, &frame);
        weir_shm_frame_fini(&frame);
        if (broken)
            break;
    }
    return !broken;
}

static void ready(weir_source *self, unsigned events)
{
    weir_shm_endpoint *endpoint = WEIR_SOURCE_OWNER(self, weir_shm, source)->owner;
    if (endpoint->closed)
        return;
    bool fine;
    do {
        fine = receive_all(endpoint);
    } while (fine && !weir_shm_go_idle(endpoint->shm, RING_WAKE_BY_EVENT));
    if (!fine)
        endpoint->broken(endpoint->arg);
}

weir_shm_endpoint *weir_shm_endpoint_create(weir_rpc_server *server, weir_shm *shm,
                                            void (*broken)(void *), void *arg)
{
    weir_shm_endpoint *endpoint = WEIR_NEW(weir_shm_endpoint);
    weir_ref_init(&endpoint->ref, destroy_endpoint);
    pthread_mutex_init(&endpoint->lock, NULL);
    endpoint->server = server;
    endpoint->shm = shm;
    endpoint->broken = broken;
    endpoint->arg = arg;
    shm->owner = endpoint;
    shm->source.ready = ready;
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = &shm->source};
    epoll_ctl(server->epoll, EPOLL_CTL_ADD, shm->wake, &event);
    ready(&shm->source, 0); /* from here on the client wakes us */
    return endpoint;
}

void weir_shm_endpoint_close(weir_shm_endpoint *endpoint)
{
    if (!endpoint)
        return;
    endpoint->closed = true;
    epoll_ctl(endpoint->server->epoll, EPOLL_CTL_DEL, endpoint->shm->wake, NULL);
    weir_shm_close(endpoint->shm);
    for (;;) {
        pthread_mutex_lock(&endpoint->lock);
        shm_call *call = endpoint->calls;
        weir_ref *listener = call ? unlink_call(call) : NULL;
        pthread_mutex_unlock(&endpoint->lock);
        if (!call)
            break;
        weir_ref_release(listener);
        weir_cancel_fire(call->rpc.cancel, weir_error(WEIR_CANCELLED, "The caller went away"));
        weir_ref_release(&call->rpc.ref);
    }
    weir_rpc_release_later(endpoint->server,
                           &endpoint->ref); /* events of this round may still name it */
}
