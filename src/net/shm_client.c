/* net/shm_client.c - a channel's shm transport: asked for after the first connection, used when it
 * is there.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/blocking.h"
#include "base/word.h"
#include "net/channel_impl.h"
#include "net/shm_handshake_impl.h"
#include "net/ucx_impl.h"
#include "wire/pb.h"

/* ---- calls ---------------------------------------------------------------------------------- */

/* A call's id: its place among the channel's, and a number that tells it from earlier ones there.
 */
static void assign_shm_id(weir_channel *c, call *k)
{
    uint32_t place;
    if (c->free_slots.count) {
        place = c->free_slots.at[--c->free_slots.count];
        c->slots.at[place] = k;
    } else {
        place = (uint32_t)c->slots.count;
        weir_vec_push(&c->slots, k);
    }
    k->shm_id = (uint64_t)++c->shm_calls << 32 | (place + 1);
}

void weir_channel_free_shm_id(weir_channel *c, call *k)
{
    uint32_t place = (uint32_t)k->shm_id - 1;
    c->slots.at[place] = NULL;
    weir_vec_push(&c->free_slots, place);
}

static call *find_shm_id(weir_channel *c, uint64_t id)
{
    uint32_t place = (uint32_t)id - 1;
    call *k = place < c->slots.count ? c->slots.at[place] : NULL;
    return k && k->shm_id == id ? k : NULL;
}

bool weir_channel_submit_by_shm(weir_channel *c, call *k, const weir_rpc_message *request)
{
    if (!c->shm)
        return false;
    assign_shm_id(c, k);
    weir_shm_frame p = {.kind = SHM_CALL,
                        .id = k->shm_id,
                        .timeout_ms = k->spec.timeout_ms,
                        .marks = k->spec.on_message ? SHM_STREAM : 0,
                        .text = {(char *)k->spec.path, strlen(k->spec.path), 0},
                        .m = *request};
    if (weir_shm_send(c->shm, &p))
        return true;
    weir_channel_free_shm_id(c, k);
    k->shm_id = 0;
    return false;
}

bool weir_channel_message_by_shm(weir_channel *c, call *k, weir_str label,
                                 const weir_rpc_message *m)
{
    return weir_shm_send(c->shm, &(weir_shm_frame){.kind = SHM_MESSAGE,
                                                   .id = k->shm_id,
                                                   .text = {(char *)label.at, label.length, 0},
                                                   .m = *m});
}

void weir_channel_cancel_by_shm(weir_channel *c, call *k)
{
    weir_shm_send(c->shm, &(weir_shm_frame){.kind = SHM_CANCEL, .id = k->shm_id});
}

/* ---- answers -------------------------------------------------------------------------------- */

static weir_status result_of(call *k, weir_shm_frame *p)
{
    if (p->code) {
        weir_code code = p->code > 0 && p->code <= WEIR_UNAUTHENTICATED ? p->code : WEIR_UNKNOWN;
        return weir_status_mark(weir_error_text(code, p->text.at ? p->text.at : "", p->text.length),
                                p->marks & (WEIR_DERIVED | WEIR_PEER_RESTARTED));
    }
    WEIR_TRY(weir_rpc_message_split(&p->m, k->spec.payload_offset));
    k->in.m = p->m;
    p->m = (weir_rpc_message){0};
    return WEIR_OK;
}

/* Hands a message on, without the lock meanwhile; what ended before it goes first. */
static void receive_message(weir_channel *c, call *k, weir_shm_frame *p)
{
    weir_ref_retain(&k->ref);
    weir_channel_unlock(c);
    weir_rpc_message m = p->m;
    p->m = (weir_rpc_message){0};
    k->spec.on_message(k->spec.arg, (weir_str){p->text.at ? p->text.at : "", p->text.length}, &m);
    weir_rpc_message_fini(&m);
    weir_ref_release(&k->ref);
    pthread_mutex_lock(&c->lock);
}

/* Takes what came. False: it is nonsense. */
static bool receive_all(weir_channel *c, weir_shm *shm)
{
    weir_shm_frame p;
    bool broken = false;
    while (c->shm == shm && weir_shm_receive(shm, &p, &broken)) {
        call *k = p.kind == SHM_ANSWER || p.kind == SHM_MESSAGE ? find_shm_id(c, p.id) : NULL;
        if (k && p.kind == SHM_ANSWER)
            weir_channel_end(c, &c->active, k, result_of(k, &p));
        else if (k && k->spec.on_message)
            receive_message(c, k, &p);
        weir_shm_frame_fini(&p); /* gives back what an answer lent that nobody waits for */
        if (broken)
            break;
    }
    return !broken;
}

/* Receives until nothing is left, and rests. False: the shm transport is no more. */
static bool receive_and_idle(weir_channel *c, weir_shm *shm, enum ring_wake how)
{
    bool fine;
    c->silent_ticks = 0;
    do {
        fine = receive_all(c, shm);
    } while (fine && c->shm == shm && !weir_shm_go_idle(shm, how));
    if (!fine && c->shm == shm)
        shutdown(c->h2.fd, SHUT_RDWR); /* the client I/O thread sees it and closes */
    return fine && c->shm == shm;
}

static void ready(weir_source *self, unsigned events)
{
    weir_shm *shm = WEIR_SOURCE_OWNER(self, weir_shm, source);
    weir_channel *c = shm->owner;
    if (!c) /* closed in this round of events */
        return;
    pthread_mutex_lock(&c->lock);
    if (shm->taken) {
        weir_shm_wake_reader(shm); /* whoever helps sleeps elsewhere, and is not told twice */
    } else {
        shm->taken = true;
        receive_and_idle(c, shm, RING_WAKE_BY_EVENT);
        shm->taken = false;
    }
    weir_channel_unlock(c);
}

/* ---- helping -------------------------------------------------------------------------------- */

void weir_channel_cork(void)
{
    weir_shm_cork();
}

void weir_channel_uncork(void)
{
    weir_shm_uncork();
}

typedef struct awaited {
    atomic_int *word;
    weir_shm *shm;
} awaited;

static bool has_come(const void *arg)
{
    const awaited *a = arg;
    return atomic_load_explicit(a->word, memory_order_acquire) || weir_ring_has(&a->shm->in);
}

/* Waits for the word or for something to receive: awake at first, then asleep. False: this system
 * knows no such sleep. */
static bool wait_for_either(atomic_int *word, weir_shm *shm)
{
    awaited a = {word, shm};
    if (has_come(&a) || weir_spin_until(&shm->spin, has_come, &a) ||
        !weir_ring_sleep(&shm->in, RING_WAKE_BY_WORD))
        return true;
    return weir_word_wait_two(word, 0, &shm->in.shared->asleep, RING_WAKE_BY_WORD);
}

/* Receives until the word changes. Lock held, but not while this thread waits. */
static void receive_until(weir_channel *c, weir_shm *shm, atomic_int *word)
{
    bool can = true;
    while (can && receive_and_idle(c, shm, RING_AWAKE)) {
        weir_channel_unlock(c);
        weir_shm_uncork();
        can = wait_for_either(word, shm) && !atomic_load_explicit(word, memory_order_acquire);
        weir_shm_cork();
        pthread_mutex_lock(&c->lock);
    }
}

void weir_channel_receive_until(weir_channel *c, atomic_int *word)
{
    pthread_mutex_lock(&c->lock);
    weir_shm *shm = c->shm && !c->shm->taken ? c->shm : NULL;
    if (shm) {
        weir_ref_retain(&shm->ref);
        shm->taken = true;
        weir_shm_cork();
        receive_until(c, shm, word);
        receive_and_idle(c, shm, RING_WAKE_BY_EVENT); /* the client I/O thread goes on */
        shm->taken = false;
    }
    weir_channel_unlock(c);
    weir_shm_uncork();
    if (shm)
        weir_ref_release(&shm->ref);
    weir_word_wait(word, 0);
}

/* ---- opening -------------------------------------------------------------------------------- */

typedef struct attempt {
    weir_channel *channel; /* its memory is held */
    uint64_t connection;   /* which of the channel's */
    weir_buf name;
    uint64_t token;
    weir_shm *shm;
} attempt;

static void end_attempt(attempt *a)
{
    if (a->shm)
        weir_ref_release(&a->shm->ref);
    weir_buf_fini(&a->name);
    weir_ref_release(&a->channel->memory);
    weir_free(a);
}

static void use_shm(void *arg)
{
    attempt *a = arg;
    weir_channel *c = a->channel;
    pthread_mutex_lock(&c->lock);
    bool wanted = !c->closed && c->state == READY && c->connection == a->connection && !c->shm;
    if (wanted) {
        c->shm = a->shm;
        a->shm = NULL;
        c->shm->owner = c;
        c->shm->source.ready = ready;
        struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data.ptr = &c->shm->source};
        epoll_ctl(weir_client_epoll(), EPOLL_CTL_ADD, c->shm->wake, &e);
    }
    weir_shm *shm = c->shm;
    pthread_mutex_unlock(&c->lock);
    if (wanted)
        ready(&shm->source, 0); /* from here on the server wakes us */
    end_attempt(a);
}

static void dial(void *arg)
{
    attempt *a = arg;
    a->shm = weir_shm_connect((weir_str){a->name.at, a->name.length}, a->token);
    if (a->shm)
        weir_client_post(use_shm, a);
    else
        end_attempt(a);
}

static void on_offer(void *arg, weir_status s, weir_rpc_message *answer)
{
    attempt *a = arg;
    weir_pb r = weir_pb_reader((weir_str){answer->head.at, answer->head.length});
    while (!s && weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            weir_buf_add(&a->name, r.bytes.at, r.bytes.length);
        else if (r.field == 2)
            a->token = r.value;
    }
    bool offered =
        !s && a->name.length; /* other servers know no shm transports: calls stay with gRPC */
    weir_status_free(s);
    if (offered)
        weir_blocking_submit(dial, a);
    else
        end_attempt(a);
}

static void ask(void *arg)
{
    attempt *a = arg;
    weir_rpc_message nothing = {0};
    weir_channel_start(a->channel,
                       &(weir_channel_call){
                           .path = WEIR_SHM_OPEN, .request = &nothing, .done = on_offer, .arg = a});
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

void weir_channel_negotiate(weir_channel *c)
{
    bool same = same_host(c->h2.fd);
    if (weir_ucx_enabled(same))
        weir_channel_negotiate_ucx(c);
    if (!weir_shm_enabled() || !same)
        return;
    attempt *a = WEIR_NEW(attempt);
    weir_ref_retain(&c->memory);
    a->channel = c;
    a->connection = c->connection;
    weir_client_post(ask, a);
}

static void release_shm(void *arg)
{
    weir_ref_release(&((weir_shm *)arg)->ref);
}

void weir_channel_drop_shm(weir_channel *c)
{
    c->connection++;
    weir_shm *shm = c->shm;
    if (!shm)
        return;
    c->shm = NULL;
    shm->owner = NULL;
    weir_shm_wake_reader(shm);
    epoll_ctl(weir_client_epoll(), EPOLL_CTL_DEL, shm->wake, NULL);
    weir_shm_close(shm);
    weir_client_post(release_shm, shm); /* events of this round may still name it */
}
