/* net/gate.c - calls by road: parcels into calls, answers into parcels. */
#include "net/gate_impl.h"

#include <stddef.h>
#include <sys/epoll.h>

typedef struct road_call road_call;

struct weir_gate {
    weir_ref ref; /* the connection's, and each call's */
    weir_rpc_server *server;
    weir_road *road;
    void (*broken)(void *arg);
    void *arg;
    pthread_mutex_t lock;
    road_call *calls; /* not answered yet; under lock */
    bool closed;      /* the loop's thread only */
};

struct road_call {
    weir_rpc rpc;
    weir_gate *gate; /* retained */
    uint64_t id;
    bool open; /* among the gate's; under its lock */
    road_call *next, *prev;
};

/* ---- calls ---------------------------------------------------------------------------------- */

static void destroy_gate(weir_ref *ref)
{
    weir_gate *g = (weir_gate *)ref;
    weir_ref_release(&g->road->ref);
    pthread_mutex_destroy(&g->lock);
    weir_free(g);
}

static void destroy_call(weir_rpc *rpc)
{
    road_call *k = (road_call *)rpc;
    weir_rpc_fini(rpc);
    weir_ref_release(&k->gate->ref);
    weir_free(k);
}

/* Out of the gate's list; lock held. What it returns, who heard of parts, is to be released when
 * the lock is free. */
WEIR_CHECKED static weir_ref *unlink_call(road_call *k)
{
    weir_ref *listener = k->rpc.part_arg;
    k->rpc.part = NULL;
    k->rpc.part_arg = NULL;
    k->open = false;
    if (k->prev)
        k->prev->next = k->next;
    else
        k->gate->calls = k->next;
    if (k->next)
        k->next->prev = k->prev;
    return listener;
}

static void send_status(road_call *k, weir_status s)
{
    const char *text = weir_status_message(s);
    size_t length = strnlen(text, RING_LARGEST / 8);
    unsigned marks = (weir_status_is(s, WEIR_DERIVED) ? WEIR_DERIVED : 0) |
                     (weir_status_is(s, WEIR_PEER_RESTARTED) ? WEIR_PEER_RESTARTED : 0);
    weir_road_send(k->gate->road, &(weir_road_parcel){.kind = ROAD_ANSWER,
                                                      .id = k->id,
                                                      .code = (int32_t)weir_status_code(s),
                                                      .marks = marks,
                                                      .text = {(char *)text, length, 0}});
}

/* Answers unless the caller has gone; takes over the handler's reference. */
static void send_answer(weir_rpc *rpc)
{
    road_call *k = (road_call *)rpc;
    pthread_mutex_lock(&k->gate->lock);
    bool open = k->open;
    weir_ref *listener = open ? unlink_call(k) : NULL;
    pthread_mutex_unlock(&k->gate->lock);
    weir_ref_release(listener);
    if (open && rpc->status) {
        send_status(k, rpc->status);
    } else if (open && !weir_road_send(k->gate->road, &(weir_road_parcel){.kind = ROAD_ANSWER,
                                                                          .id = k->id,
                                                                          .m = rpc->reply})) {
        weir_status s =
            weir_error(WEIR_RESOURCE_EXHAUSTED, "no shared memory for an answer of %zu bytes",
                       weir_message_bytes(&rpc->reply));
        send_status(k, s); /* a road that is closed does not take it either */
        weir_status_free(s);
    }
    if (open)
        weir_ref_release(&rpc->ref); /* the road's */
    weir_ref_release(&rpc->ref);
}

/* A part goes nowhere when the call is answered or its caller gone. */
static bool send_part(weir_rpc *rpc, weir_str label, const weir_message *m)
{
    road_call *k = (road_call *)rpc;
    pthread_mutex_lock(&k->gate->lock);
    bool open = k->open;
    pthread_mutex_unlock(&k->gate->lock);
    weir_road_parcel p = {
        .kind = ROAD_PART, .id = k->id, .text = {(char *)label.at, label.length, 0}, .m = *m};
    return !open || weir_road_send(k->gate->road, &p) || !weir_road_is_open(k->gate->road);
}

static road_call *find_call(const weir_gate *g, uint64_t id)
{
    road_call *k = g->calls;
    while (k && k->id != id)
        k = k->next;
    return k;
}

/* A part of a call has come. */
static void receive_part(weir_gate *g, weir_road_parcel *p)
{
    pthread_mutex_lock(&g->lock);
    road_call *k = find_call(g, p->id);
    void (*part)(weir_ref * arg, weir_str label, weir_message * m) = k ? k->rpc.part : NULL;
    weir_ref *arg = part ? k->rpc.part_arg : NULL;
    if (arg)
        weir_ref_retain(arg);
    pthread_mutex_unlock(&g->lock);
    if (!part)
        return;
    part(arg, (weir_str){p->text.at ? p->text.at : "", p->text.length}, &p->m);
    weir_ref_release(arg);
}

/* A call has come. */
static void receive(weir_gate *g, weir_road_parcel *p)
{
    road_call *k = WEIR_NEW(road_call);
    weir_rpc_init(&k->rpc, g->server);
    weir_ref_retain(&g->ref);
    k->gate = g;
    k->id = p->id;
    k->rpc.send = send_answer;
    k->rpc.destroy = destroy_call;
    k->rpc.part_lock = &g->lock;
    k->rpc.part_most = SIZE_MAX;
    if (p->marks & ROAD_STREAMS)
        k->rpc.send_part = send_part;
    k->rpc.timeout_ms = p->timeout_ms;
    weir_message_flatten(&p->m);
    k->rpc.request = p->m;
    p->m = (weir_message){0};
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
    weir_ref_retain(&k->rpc.ref); /* the answer may end the road's while this goes on */
    weir_rpc_dispatch(&k->rpc);
    weir_ref_release(&k->rpc.ref);
}

static void cancel(weir_gate *g, uint64_t id)
{
    pthread_mutex_lock(&g->lock);
    road_call *k = find_call(g, id);
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
static bool receive_all(weir_gate *g)
{
    weir_road_parcel p;
    bool broken = false;
    while (weir_road_receive(g->road, &p, &broken)) {
        if (p.kind == ROAD_CALL)
            receive(g, &p);
        else if (p.kind == ROAD_CANCEL)
            cancel(g, p.id);
        else if (p.kind == ROAD_PART)
            receive_part(g, &p);
        weir_road_parcel_fini(&p);
        if (broken)
            break;
    }
    return !broken;
}

static void ready(weir_source *self, unsigned events)
{
    weir_gate *g = WEIR_SOURCE_OWNER(self, weir_road, source)->owner;
    if (g->closed)
        return;
    bool fine;
    do {
        fine = receive_all(g);
    } while (fine && !weir_road_rest(g->road, RING_BY_EVENT));
    if (!fine)
        g->broken(g->arg);
}

weir_gate *weir_gate_create(weir_rpc_server *s, weir_road *road, void (*broken)(void *), void *arg)
{
    weir_gate *g = WEIR_NEW(weir_gate);
    weir_ref_init(&g->ref, destroy_gate);
    pthread_mutex_init(&g->lock, NULL);
    g->server = s;
    g->road = road;
    g->broken = broken;
    g->arg = arg;
    road->owner = g;
    road->source.ready = ready;
    struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data.ptr = &road->source};
    epoll_ctl(s->epoll, EPOLL_CTL_ADD, road->wake, &e);
    ready(&road->source, 0); /* from here on the client wakes us */
    return g;
}

void weir_gate_close(weir_gate *g)
{
    if (!g)
        return;
    g->closed = true;
    epoll_ctl(g->server->epoll, EPOLL_CTL_DEL, g->road->wake, NULL);
    weir_road_close(g->road);
    for (;;) {
        pthread_mutex_lock(&g->lock);
        road_call *k = g->calls;
        weir_ref *listener = k ? unlink_call(k) : NULL;
        pthread_mutex_unlock(&g->lock);
        if (!k)
            break;
        weir_ref_release(listener);
        weir_cancel_fire(k->rpc.cancel, weir_error(WEIR_CANCELLED, "The caller went away"));
        weir_ref_release(&k->rpc.ref);
    }
    weir_rpc_later(g->server, &g->ref); /* events of this round may still name it */
}
