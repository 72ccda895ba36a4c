/* net/road_client.c - a channel's road: asked for after the first connection, used when it is
 * there.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/blocking.h"
#include "base/word.h"
#include "net/channel_impl.h"
#include "net/road_open_impl.h"
#include "net/ucx_impl.h"
#include "wire/pb.h"

/* ---- calls ---------------------------------------------------------------------------------- */

/* A call's id: its place among the channel's, and a number that tells it from earlier ones there.
 */
static void give_id(weir_channel *c, call *k)
{
    uint32_t place;
    if (c->free_places.count) {
        place = c->free_places.at[--c->free_places.count];
        c->places.at[place] = k;
    } else {
        place = (uint32_t)c->places.count;
        weir_vec_push(&c->places, k);
    }
    k->road_id = (uint64_t)++c->road_calls << 32 | (place + 1);
}

void weir_channel_forget_id(weir_channel *c, call *k)
{
    uint32_t place = (uint32_t)k->road_id - 1;
    c->places.at[place] = NULL;
    weir_vec_push(&c->free_places, place);
}

static call *find_id(weir_channel *c, uint64_t id)
{
    uint32_t place = (uint32_t)id - 1;
    call *k = place < c->places.count ? c->places.at[place] : NULL;
    return k && k->road_id == id ? k : NULL;
}

bool weir_channel_submit_by_road(weir_channel *c, call *k, const weir_message *request)
{
    if (!c->road)
        return false;
    give_id(c, k);
    weir_road_parcel p = {.kind = ROAD_CALL,
                          .id = k->road_id,
                          .timeout_ms = k->spec.timeout_ms,
                          .marks = k->spec.part ? ROAD_STREAMS : 0,
                          .text = {(char *)k->spec.path, strlen(k->spec.path), 0},
                          .m = *request};
    if (weir_road_send(c->road, &p))
        return true;
    weir_channel_forget_id(c, k);
    k->road_id = 0;
    return false;
}

bool weir_channel_part_by_road(weir_channel *c, call *k, weir_str label, const weir_message *m)
{
    return weir_road_send(c->road, &(weir_road_parcel){.kind = ROAD_PART,
                                                       .id = k->road_id,
                                                       .text = {(char *)label.at, label.length, 0},
                                                       .m = *m});
}

void weir_channel_cancel_by_road(weir_channel *c, call *k)
{
    weir_road_send(c->road, &(weir_road_parcel){.kind = ROAD_CANCEL, .id = k->road_id});
}

/* ---- answers -------------------------------------------------------------------------------- */

static weir_status result_of(call *k, weir_road_parcel *p)
{
    if (p->code) {
        weir_code code = p->code > 0 && p->code <= WEIR_UNAUTHENTICATED ? p->code : WEIR_UNKNOWN;
        return weir_status_mark(weir_error_text(code, p->text.at ? p->text.at : "", p->text.length),
                                p->marks & (WEIR_DERIVED | WEIR_PEER_RESTARTED));
    }
    WEIR_TRY(weir_message_cut(&p->m, k->spec.tail_begins));
    k->in.m = p->m;
    p->m = (weir_message){0};
    return WEIR_OK;
}

/* Hands a part on, without the lock meanwhile; what ended before it goes first. */
static void receive_part(weir_channel *c, call *k, weir_road_parcel *p)
{
    weir_ref_retain(&k->ref);
    weir_channel_unlock(c);
    weir_message m = p->m;
    p->m = (weir_message){0};
    k->spec.part(k->spec.arg, (weir_str){p->text.at ? p->text.at : "", p->text.length}, &m);
    weir_message_fini(&m);
    weir_ref_release(&k->ref);
    pthread_mutex_lock(&c->lock);
}

/* Takes what came. False: it is nonsense. */
static bool receive_all(weir_channel *c, weir_road *road)
{
    weir_road_parcel p;
    bool broken = false;
    while (c->road == road && weir_road_receive(road, &p, &broken)) {
        call *k = p.kind == ROAD_ANSWER || p.kind == ROAD_PART ? find_id(c, p.id) : NULL;
        if (k && p.kind == ROAD_ANSWER)
            weir_channel_end(c, &c->active, k, result_of(k, &p));
        else if (k && k->spec.part)
            receive_part(c, k, &p);
        weir_road_parcel_fini(&p); /* gives back what an answer lent that nobody waits for */
        if (broken)
            break;
    }
    return !broken;
}

/* Receives until nothing is left, and rests. False: the road is no more. */
static bool receive_and_rest(weir_channel *c, weir_road *road, enum ring_call how)
{
    bool fine;
    c->quiet_ticks = 0;
    do {
        fine = receive_all(c, road);
    } while (fine && c->road == road && !weir_road_rest(road, how));
    if (!fine && c->road == road)
        shutdown(c->h2.fd, SHUT_RDWR); /* the channels' thread sees it and closes */
    return fine && c->road == road;
}

static void ready(weir_source *self, unsigned events)
{
    weir_road *road = WEIR_SOURCE_OWNER(self, weir_road, source);
    weir_channel *c = road->owner;
    if (!c) /* closed in this round of events */
        return;
    pthread_mutex_lock(&c->lock);
    if (road->taken) {
        weir_road_stir(road); /* whoever helps sleeps elsewhere, and is not told twice */
    } else {
        road->taken = true;
        receive_and_rest(c, road, RING_BY_EVENT);
        road->taken = false;
    }
    weir_channel_unlock(c);
}

/* ---- helping -------------------------------------------------------------------------------- */

void weir_channel_hold(void)
{
    weir_road_begin_burst();
}

void weir_channel_let_go(void)
{
    weir_road_end_burst();
}

typedef struct awaited {
    atomic_int *word;
    weir_road *road;
} awaited;

static bool has_come(const void *arg)
{
    const awaited *a = arg;
    return atomic_load_explicit(a->word, memory_order_acquire) || weir_ring_has(&a->road->in);
}

/* Waits for the word or for something to receive: awake at first, then asleep. False: this system
 * knows no such sleep. */
static bool wait_for_either(atomic_int *word, weir_road *road)
{
    awaited a = {word, road};
    if (has_come(&a) || weir_spin_until(&road->spin, has_come, &a) ||
        !weir_ring_sleep(&road->in, RING_BY_WORD))
        return true;
    return weir_word_wait_two(word, 0, &road->in.shared->asleep, RING_BY_WORD);
}

/* Receives until the word changes. Lock held, but not while this thread waits. */
static void receive_until(weir_channel *c, weir_road *road, atomic_int *word)
{
    bool can = true;
    while (can && receive_and_rest(c, road, RING_AWAKE)) {
        weir_channel_unlock(c);
        weir_road_end_burst();
        can = wait_for_either(word, road) && !atomic_load_explicit(word, memory_order_acquire);
        weir_road_begin_burst();
        pthread_mutex_lock(&c->lock);
    }
}

void weir_channel_help(weir_channel *c, atomic_int *word)
{
    pthread_mutex_lock(&c->lock);
    weir_road *road = c->road && !c->road->taken ? c->road : NULL;
    if (road) {
        weir_ref_retain(&road->ref);
        road->taken = true;
        weir_road_begin_burst();
        receive_until(c, road, word);
        receive_and_rest(c, road, RING_BY_EVENT); /* the channels' thread goes on */
        road->taken = false;
    }
    weir_channel_unlock(c);
    weir_road_end_burst();
    if (road)
        weir_ref_release(&road->ref);
    weir_word_wait(word, 0);
}

/* ---- opening -------------------------------------------------------------------------------- */

typedef struct attempt {
    weir_channel *channel; /* its memory is held */
    uint64_t connection;   /* which of the channel's */
    weir_buf name;
    uint64_t token;
    weir_road *road;
} attempt;

static void end_attempt(attempt *a)
{
    if (a->road)
        weir_ref_release(&a->road->ref);
    weir_buf_fini(&a->name);
    weir_ref_release(&a->channel->memory);
    weir_free(a);
}

static void use_road(void *arg)
{
    attempt *a = arg;
    weir_channel *c = a->channel;
    pthread_mutex_lock(&c->lock);
    bool wanted = !c->closed && c->state == READY && c->connection == a->connection && !c->road;
    if (wanted) {
        c->road = a->road;
        a->road = NULL;
        c->road->owner = c;
        c->road->source.ready = ready;
        struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data.ptr = &c->road->source};
        epoll_ctl(weir_client_epoll(), EPOLL_CTL_ADD, c->road->wake, &e);
    }
    weir_road *road = c->road;
    pthread_mutex_unlock(&c->lock);
    if (wanted)
        ready(&road->source, 0); /* from here on the server wakes us */
    end_attempt(a);
}

static void dial(void *arg)
{
    attempt *a = arg;
    a->road = weir_road_dial((weir_str){a->name.at, a->name.length}, a->token);
    if (a->road)
        weir_client_post(use_road, a);
    else
        end_attempt(a);
}

static void on_offer(void *arg, weir_status s, weir_message *answer)
{
    attempt *a = arg;
    weir_pb r = weir_pb_reader((weir_str){answer->head.at, answer->head.length});
    while (!s && weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            weir_buf_add(&a->name, r.bytes.at, r.bytes.length);
        else if (r.field == 2)
            a->token = r.value;
    }
    bool offered = !s && a->name.length; /* other servers know no roads: calls stay with gRPC */
    weir_status_free(s);
    if (offered)
        weir_blocking_submit(dial, a);
    else
        end_attempt(a);
}

static void ask(void *arg)
{
    attempt *a = arg;
    weir_message nothing = {0};
    weir_channel_start(
        a->channel, &(weir_channel_call){
                        .path = WEIR_ROAD_OPEN, .request = &nothing, .done = on_offer, .arg = a});
}

static bool loopback(const struct sockaddr_in *a)
{
    return a->sin_family == AF_INET && ntohl(a->sin_addr.s_addr) >> 24 == 127;
}

/* Both ends of the connection have one address: they are one host. */
static bool same_host(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } here = {0}, there = {0};
    socklen_t n = sizeof here, m = sizeof there;
    if (getsockname(fd, &here.any, &n) != 0 || getpeername(fd, &there.any, &m) != 0)
        return false;
    if (here.any.sa_family == AF_INET6)
        return memcmp(&here.v6.sin6_addr, &there.v6.sin6_addr, sizeof here.v6.sin6_addr) == 0;
    return (loopback(&here.v4) && loopback(&there.v4)) ||
           here.v4.sin_addr.s_addr == there.v4.sin_addr.s_addr;
}

void weir_channel_ask_for_road(weir_channel *c)
{
    bool same = same_host(c->h2.fd);
    if (weir_ucx_wanted(same))
        weir_channel_ask_for_ucx(c);
    if (!weir_roads_on() || !same)
        return;
    attempt *a = WEIR_NEW(attempt);
    weir_ref_retain(&c->memory);
    a->channel = c;
    a->connection = c->connection;
    weir_client_post(ask, a);
}

static void release_road(void *arg)
{
    weir_ref_release(&((weir_road *)arg)->ref);
}

void weir_channel_drop_road(weir_channel *c)
{
    c->connection++;
    weir_road *road = c->road;
    if (!road)
        return;
    c->road = NULL;
    road->owner = NULL;
    weir_road_stir(road);
    epoll_ctl(weir_client_epoll(), EPOLL_CTL_DEL, road->wake, NULL);
    weir_road_close(road);
    weir_client_post(release_road, road); /* events of this round may still name it */
}
