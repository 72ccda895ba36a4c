/* net/shm_client.c - a channel's shm transport: negotiated after connecting, used once it is
 * open. */
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/blocking.h"
#include "base/sockaddr.h"
#include "base/word.h"
#include "net/channel_impl.h"
#include "net/shm_handshake_impl.h"
#include "net/ucx_impl.h"
#include "wire/messages.h"

/* ---- calls ---------------------------------------------------------------------------------- */

/* A call's id: its slot, and a number that distinguishes it from earlier calls in that slot. */
static void assign_shm_id(weir_channel *channel, channel_call *call) WEIR_REQUIRES(channel->lock)
{
    uint32_t place;
    if (channel->free_slots.count) {
        place = channel->free_slots.at[--channel->free_slots.count];
        channel->slots.at[place] = call;
    } else {
        place = (uint32_t)channel->slots.count;
        weir_vec_push(&channel->slots, call);
    }
    call->shm_id = (uint64_t)++channel->shm_calls << 32 | (place + 1);
}

void weir_channel_free_shm_id(weir_channel *channel, channel_call *call)
{
    uint32_t place = (uint32_t)call->shm_id - 1;
    channel->slots.at[place] = NULL;
    weir_vec_push(&channel->free_slots, place);
}

static channel_call *find_shm_id(weir_channel *channel, uint64_t id) WEIR_REQUIRES(channel->lock)
{
    uint32_t place = (uint32_t)id - 1;
    channel_call *call = place < channel->slots.count ? channel->slots.at[place] : NULL;
    return call && call->shm_id == id ? call : NULL;
}

bool weir_channel_submit_by_shm(weir_channel *channel, channel_call *call,
                                const weir_rpc_message *request)
{
    if (!channel->shm)
        return false;
    assign_shm_id(channel, call);
    weir_shm_frame frame = {.kind = SHM_CALL,
                            .id = call->shm_id,
                            .timeout_ms = call->spec.timeout_ms,
                            .marks = call->spec.on_message ? SHM_STREAM : 0,
                            .text = {(char *)call->spec.path, strlen(call->spec.path), 0},
                            .message = *request};
    if (weir_shm_send(channel->shm, &frame))
        return true;
    weir_channel_free_shm_id(channel, call);
    call->shm_id = 0;
    return false;
}

bool weir_channel_message_by_shm(weir_channel *channel, channel_call *call, weir_str label,
                                 const weir_rpc_message *message)
{
    return weir_shm_send(channel->shm,
                         &(weir_shm_frame){.kind = SHM_MESSAGE,
                                           .id = call->shm_id,
                                           .text = {(char *)label.at, label.length, 0},
                                           .message = *message});
}

void weir_channel_cancel_by_shm(weir_channel *channel, channel_call *call)
{
    weir_shm_send(channel->shm, &(weir_shm_frame){.kind = SHM_CANCEL, .id = call->shm_id});
}

/* ---- answers -------------------------------------------------------------------------------- */

static weir_status result_of(channel_call *call, weir_shm_frame *frame)
{
    if (frame->code) {
        weir_code code =
            frame->code > 0 && frame->code <= WEIR_UNAUTHENTICATED ? frame->code : WEIR_UNKNOWN;
        return weir_status_mark(
            weir_error_text(code, frame->text.at ? frame->text.at : "", frame->text.length),
            frame->marks & (WEIR_DERIVED | WEIR_PEER_RESTARTED));
    }
    WEIR_TRY(weir_rpc_message_split(&frame->message, call->spec.payload_offset));
    call->in.message = frame->message;
    frame->message = (weir_rpc_message){0};
    return WEIR_OK;
}

/* Delivers a message, without the lock; calls that ended before are called back first. */
static void receive_message(weir_channel *channel, channel_call *call, weir_shm_frame *frame)
    WEIR_REQUIRES(channel->lock)
{
    weir_ref_retain(&call->ref);
    weir_channel_unlock(channel);
    weir_rpc_message message = frame->message;
    frame->message = (weir_rpc_message){0};
    call->spec.on_message(call->spec.arg,
                          (weir_str){frame->text.at ? frame->text.at : "", frame->text.length},
                          &message);
    weir_rpc_message_fini(&message);
    weir_ref_release(&call->ref);
    weir_mutex_lock(&channel->lock);
}

/* Handles received frames. False: one is invalid. */
static bool receive_all(weir_channel *channel, weir_shm *shm) WEIR_REQUIRES(channel->lock)
{
    weir_shm_frame frame;
    bool broken = false;
    while (channel->shm == shm && weir_shm_receive(shm, &frame, &broken)) {
        channel_call *call = frame.kind == SHM_ANSWER || frame.kind == SHM_MESSAGE
                                 ? find_shm_id(channel, frame.id)
                                 : NULL;
        if (call && frame.kind == SHM_ANSWER)
            weir_channel_end(channel, &channel->active, call, result_of(call, &frame));
        else if (call && call->spec.on_message)
            receive_message(channel, call, &frame);
        weir_shm_frame_fini(&frame); /* ends loans of an abandoned answer */
        if (broken)
            break;
    }
    return !broken;
}

/* Receives everything, and goes idle. False: the transport is closed. */
static bool receive_and_idle(weir_channel *channel, weir_shm *shm, enum ring_wake how)
    WEIR_REQUIRES(channel->lock)
{
    bool fine;
    channel->silent_ticks = 0;
    do {
        fine = receive_all(channel, shm);
    } while (fine && channel->shm == shm && !weir_shm_go_idle(shm, how));
    if (!fine && channel->shm == shm)
        shutdown(channel->h2.fd, SHUT_RDWR); /* the client I/O thread sees it and closes */
    return fine && channel->shm == shm;
}

static void ready(weir_source *self, unsigned events)
{
    weir_shm *shm = WEIR_SOURCE_OWNER(self, weir_shm, source);
    weir_channel *channel = shm->owner;
    if (!channel) /* closed in this round of events */
        return;
    weir_mutex_lock(&channel->lock);
    if (shm->receiving) {
        /* The receiving thread sees new records itself. It may miss room that the peer has freed:
         * it can be past its own flush and about to sleep on the ring's word. */
        weir_shm_flush(shm);
    } else {
        shm->receiving = true;
        receive_and_idle(channel, shm, RING_WAKE_BY_EVENT);
        shm->receiving = false;
    }
    weir_channel_unlock(channel);
}

/* ---- receiving on the waiting thread -----------------------------------------------------------
 */

typedef struct awaited_event {
    atomic_int *word;
    weir_shm *shm;
} awaited_event;

static bool has_arrived(const void *arg)
{
    const awaited_event *awaited = arg;
    return atomic_load_explicit(awaited->word, memory_order_acquire) ||
           weir_ring_has(&awaited->shm->in);
}

/* Waits for the word or for frames: spins at first, then sleeps. False: this system cannot wait for
 * two words. */
static bool wait_for_either(atomic_int *word, weir_shm *shm)
{
    awaited_event awaited = {word, shm};
    if (has_arrived(&awaited) || weir_spin_until(&shm->spin, has_arrived, &awaited) ||
        !weir_ring_sleep(&shm->in, RING_WAKE_BY_WORD))
        return true;
    return weir_word_wait_two(word, 0, &shm->in.shared->asleep, RING_WAKE_BY_WORD);
}

/* Receives until the word changes; without the lock while waiting. */
static void receive_until(weir_channel *channel, weir_shm *shm, atomic_int *word)
    WEIR_REQUIRES(channel->lock)
{
    bool can = true;
    while (can && receive_and_idle(channel, shm, RING_AWAKE)) {
        weir_channel_unlock(channel);
        weir_channel_uncork();
        can = wait_for_either(word, shm) && !atomic_load_explicit(word, memory_order_acquire);
        weir_channel_cork();
        weir_mutex_lock(&channel->lock);
    }
}

void weir_channel_receive_by_shm(weir_channel *channel, atomic_int *word)
{
    weir_shm *shm = channel->shm && !channel->shm->receiving ? channel->shm : NULL;
    if (!shm)
        return;
    weir_ref_retain(&shm->ref);
    shm->receiving = true;
    receive_until(channel, shm, word);
    receive_and_idle(channel, shm, RING_WAKE_BY_EVENT); /* return it to the client I/O thread */
    shm->receiving = false;
    weir_ref_release(&shm->ref);
}

/* ---- opening -------------------------------------------------------------------------------- */

typedef struct shm_attempt {
    weir_channel *channel; /* its memory is retained */
    uint64_t connection;   /* number of the channel's connection */
    char name[WEIR_SHM_NAME];
    uint64_t token;
    weir_shm *shm;
} shm_attempt;

static void end_attempt(shm_attempt *attempt)
{
    if (attempt->shm)
        weir_ref_release(&attempt->shm->ref);
    weir_ref_release(&attempt->channel->memory);
    weir_free(attempt);
}

static void use_shm(void *arg)
{
    shm_attempt *attempt = arg;
    weir_channel *channel = attempt->channel;
    weir_mutex_lock(&channel->lock);
    bool wanted = !channel->closed && channel->state == READY &&
                  channel->connection == attempt->connection && !channel->shm;
    if (wanted) {
        channel->shm = attempt->shm;
        attempt->shm = NULL;
        channel->shm->owner = channel;
        channel->shm->under_lock = true;
        channel->shm->source.ready = ready;
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = &channel->shm->source};
        epoll_ctl(weir_client_epoll(), EPOLL_CTL_ADD, channel->shm->wake, &event);
    }
    weir_shm *shm = channel->shm;
    weir_mutex_unlock(&channel->lock);
    if (wanted)
        ready(&shm->source, 0); /* announces that the server has to wake this end */
    end_attempt(attempt);
}

static void connect_shm(void *arg)
{
    shm_attempt *attempt = arg;
    attempt->shm = weir_shm_connect(weir_str_of(attempt->name), attempt->token);
    if (attempt->shm)
        weir_client_post(use_shm, attempt);
    else
        end_attempt(attempt);
}

/* Other servers answer UNIMPLEMENTED: the channel stays with gRPC. */
static void on_offer(void *arg, weir_status status, weir_rpc_message *answer)
{
    shm_attempt *attempt = arg;
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_shared_memory_offer offer = {0};
    if (!status)
        status = weir_msg_shared_memory_offer_read(weir_view(&answer->head), &arena, &offer);
    bool offered = !status && offer.name.length && offer.name.length < WEIR_SHM_NAME;
    weir_status_free(status);
    if (!offered) {
        end_attempt(attempt);
        return;
    }
    memcpy(attempt->name, offer.name.at, offer.name.length); /* zeroed behind it */
    attempt->token = offer.token;
    weir_blocking_submit(connect_shm, attempt);
}

static void request_shm(void *arg)
{
    shm_attempt *attempt = arg;
    weir_rpc_message nothing = {0};
    weir_channel_start(attempt->channel, &(weir_channel_call){.path = WEIR_SHM_OPEN,
                                                              .request = &nothing,
                                                              .done = on_offer,
                                                              .arg = attempt});
}

/* Both ends of the connection have the same address. */
static bool same_host(int fd)
{
    weir_sockaddr here, there;
    if (!weir_sockaddr_own(fd, &here) || !weir_sockaddr_peer(fd, &there))
        return false;
    if (there.any.sa_family == AF_UNIX ||
        (weir_sockaddr_is_loopback(&here) && weir_sockaddr_is_loopback(&there)))
        return true;
    if (here.any.sa_family == AF_INET6)
        return memcmp(&here.v6.sin6_addr, &there.v6.sin6_addr, sizeof here.v6.sin6_addr) == 0;
    return here.v4.sin_addr.s_addr == there.v4.sin_addr.s_addr;
}

void weir_channel_negotiate(weir_channel *channel)
{
    if (channel->tls)
        return; /* other transports would bypass it */
    bool same = same_host(channel->h2.fd);
    if (weir_ucx_enabled(same))
        weir_channel_negotiate_ucx(channel);
    if (!weir_shm_enabled() || !same)
        return;
    shm_attempt *attempt = WEIR_NEW(shm_attempt);
    weir_ref_retain(&channel->memory);
    attempt->channel = channel;
    attempt->connection = channel->connection;
    weir_client_post(request_shm, attempt);
}

static void release_shm(void *arg)
{
    weir_ref_release(&((weir_shm *)arg)->ref);
}

void weir_channel_drop_shm(weir_channel *channel)
{
    channel->connection++;
    weir_shm *shm = channel->shm;
    if (!shm)
        return;
    channel->shm = NULL;
    shm->owner = NULL;
    weir_shm_wake_reader(shm);
    epoll_ctl(weir_client_epoll(), EPOLL_CTL_DEL, shm->wake, NULL);
    weir_shm_close(shm);
    weir_client_post(release_shm, shm); /* events of this round may still refer to it */
}
