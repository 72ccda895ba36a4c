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
    weir_shm_endpoint *g = (weir_shm_endpoint *)ref;
    weir_ref_release(&g->shm->ref);
    pthread_mutex_destroy(&g->lock);
    weir_free(g);
}

static void destroy_call(weir_rpc *rpc)
{
    shm_call *k = (shm_call *)rpc;
    weir_rpc_fini(rpc);
    weir_ref_release(&k->endpoint->ref);
    weir_free(k);
}

/* Out of the endpoint's list; lock held. What it returns, who heard of messages, is to be released
 * when the lock is free. */
WEIR_CHECKED static weir_ref *unlink_call(shm_call *k)
{
    weir_ref *listener = k->rpc.on_message_arg;
    k->rpc.on_message = NULL;
    k->rpc.on_message_arg = NULL;
    k->open = false;
    if (k->prev)
        k->prev->next = k->next;
    else
        k->endpoint->calls = k->next;
    if (k->next)
        k->next->prev = k->prev;
    return listener;
}

static void send_status(shm_call *k, weir_status s)
{
    const char *text = weir_status_message(s);
    size_t length = strnlen(text, RING_MAX_RECORD / 8);
    unsigned marks = (weir_status_is(s, WEIR_DERIVED) ? WEIR_DERIVED : 0) |
                     (weir_status_is(s, WEIR_PEER_RESTARTED) ? WEIR_PEER_RESTARTED : 0);
    weir_shm_send(k->endpoint->shm, &(weir_shm_frame){.kind = SHM_ANSWER,
                                                      .id = k->id,
                                                      .code = (int32_t)weir_status_code(s),
                                                      .marks = marks,
                                                      .text = {(char *)text, length, 0}});
}

/* Answers unless the caller has gone; takes over the handler's reference. */
static void send_answer(weir_rpc *rpc)
{
    shm_call *k = (shm_call *)rpc;
    pthread_mutex_lock(&k->endpoint->lock);
    bool open = k->open;
    weir_ref *listener = open ? unlink_call(k) : NULL;
    pthread_mutex_unlock(&k->endpoint->lock);
    weir_ref_release(listener);
    if (open && rpc->status) {
        send_status(k, rpc->status);
    } else if (open && !weir_shm_send(
                           k->endpoint->shm,
                           &(weir_shm_frame){.kind = SHM_ANSWER, .id = k->id, .m = rpc->reply})) {
        weir_status s =
            weir_error(WEIR_RESOURCE_EXHAUSTED, "no shared memory for an answer of %zu bytes",
                       weir_rpc_message_bytes(&rpc->reply));
        send_status(k, s); /* a shm transport that is closed does not take it either */
        weir_status_free(s);
    }
    if (open)
        weir_ref_release(&rpc->ref); /* the shm transport's */
    weir_ref_release(&rpc->ref);
}

/* A message goes nowhere when the call is answered or its caller gone. */
static bool send_message(weir_rpc *rpc, weir_str label, const weir_rpc_message *m)
{
    shm_call *k = (shm_call *)rpc;
    pthread_mutex_lock(&k->endpoint->lock);
    bool open = k->open;
    pthread_mutex_unlock(&k->endpoint->lock);
    weir_shm_frame p = {
        .kind = SHM_MESSAGE, .id = k->id, .text = {(char *)label.at, label.length, 0}, .m = *m};
    return !open || weir_shm_send(k->endpoint->shm, &p) || !weir_shm_is_open(k->endpoint->shm);
}

static shm_call *find_call(const weir_shm_endpoint *g, uint64_t id)
{
    shm_call *k = g->calls;
    while (k && k->id != id)
        k = k->next;
    return k;
}

/* A message of a call has come. */
static void receive_message(weir_shm_endpoint *g, weir_shm_frame *p)
{
    pthread_mutex_lock(&g->lock);
    shm_call *k = find_call(g, p->id);
    void (*on_message)(weir_ref * arg, weir_str label, weir_rpc_message * m) =
        k ? k->rpc.on_message : NULL;
    weir_ref *arg = on_message ? k->rpc.on_message_arg : NULL;
    if (arg)
        weir_ref_retain(arg);
    pthread_mutex_unlock(&g->lock);
    if (!on_message)
        return;
    on_message(arg, (weir_str){p->text.at ? p->text.at : "", p->text.length}, &p->m);
    weir_ref_release(arg);
}

/* A call has come. */
static void receive(weir_shm_endpoint *g, weir_shm_frame *p)
{
    shm_call *k = WEIR_NEW(shm_call);
    weir_rpc_init(&k->rpc, g->server);
    weir_ref_retain(&g->ref);
    k->endpoint = g;
    k->id = p->id;
    k->rpc.send = send_answer;
    k->rpc.destroy = destroy_call;
    k->rpc.stream_lock = &g->lock;
    k->rpc.message_limit = SIZE_MAX;
    if (p->marks & SHM_STREAM)
        k->rpc.send_message = send_message;
    k->rpc.timeout_ms = p->timeout_ms;
    weir_rpc_message_flatten(&p->m);
    k->rpc.request = p->m;
    p->m = (weir_rpc_message){0};
    k->rpc.method = weir_rpc_find(g->server, (weir_str){p->text.at, p->text.length});
    if (!k->rpc.method) {
        weir_status s = weir_error_text(WEIR_UNIMPLEMENTED, "", 0);
        send_status(k, s);
        weir_status_free(s);
        weir_ref_release(&k->rpc.ref);
        return;
    }
    pthread_mutex_lock(&g->lock);
    k->open = true;
    k->next = g->calls;
    if (k->next)
        k->next->prev = k;
    g->calls = k;
    pthread_mutex_unlock(&g->lock);
    weir_ref_retain(&k->rpc.ref); /* the answer may end the shm transport's while this goes on */
    weir_rpc_dispatch(&k->rpc);
    weir_ref_release(&k->rpc.ref);
}

static void cancel(weir_shm_endpoint *g, uint64_t id)
{
    pthread_mutex_lock(&g->lock);
    shm_call *k = find_call(g, id);
    weir_ref *listener = k ? unlink_call(k) : NULL;
    pthread_mutex_unlock(&g->lock);
    if (!k)
        return;
    weir_ref_release(listener);
    weir_cancel_fire(k->rpc.cancel, weir_error(WEIR_CANCELLED, "The caller cancelled the call"));
    weir_ref_release(&k->rpc.ref);
}

/* ---- the loop's side ------------------------------------------------------------------------ */

/* Takes what came. False: it is nonsense. */
static bool receive_all(weir_shm_endpoint *g)
{
    weir_shm_frame p;
    bool broken = false;
    while (weir_shm_receive(g->shm, &p, &broken)) {
        if (p.kind == SHM_CALL)
            receive(g, &p);
        else if (p.kind == SHM_CANCEL)
            cancel(g, p.id);
        else if (p.kind == SHM_MESSAGE)
            receive_message(g, &p);
        weir_shm_frame_fini(&p);
        if (broken)
            break;
    }
    return !broken;
}

static void ready(weir_source *self, unsigned events)
{
    weir_shm_endpoint *g = WEIR_SOURCE_OWNER(self, weir_shm, source)->owner;
    if (g->closed)
        return;
    bool fine;
    do {
        fine = receive_all(g);
    } while (fine && !weir_shm_go_idle(g->shm, RING_WAKE_BY_EVENT));
    if (!fine)
        g->broken(g->arg);
}

weir_shm_endpoint *weir_shm_endpoint_create(weir_rpc_server *s, weir_shm *shm,
                                            void (*broken)(void *), void *arg)
{
    weir_shm_endpoint *g = WEIR_NEW(weir_shm_endpoint);
    weir_ref_init(&g->ref, destroy_endpoint);
    pthread_mutex_init(&g->lock, NULL);
    g->server = s;
    g->shm = shm;
    g->broken = broken;
    g->arg = arg;
    shm->owner = g;
    shm->source.ready = ready;
    struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data.ptr = &shm->source};
    epoll_ctl(s->epoll, EPOLL_CTL_ADD, shm->wake, &e);
    ready(&shm->source, 0); /* from here on the client wakes us */
    return g;
}

void weir_shm_endpoint_close(weir_shm_endpoint *g)
{
    if (!g)
        return;
    g->closed = true;
    epoll_ctl(g->server->epoll, EPOLL_CTL_DEL, g->shm->wake, NULL);
    weir_shm_close(g->shm);
    for (;;) {
        pthread_mutex_lock(&g->lock);
        shm_call *k = g->calls;
        weir_ref *listener = k ? unlink_call(k) : NULL;
        pthread_mutex_unlock(&g->lock);
        if (!k)
            break;
        weir_ref_release(listener);
        weir_cancel_fire(k->rpc.cancel, weir_error(WEIR_CANCELLED, "The caller went away"));
        weir_ref_release(&k->rpc.ref);
    }
    weir_rpc_release_later(g->server, &g->ref); /* events of this round may still name it */
}
