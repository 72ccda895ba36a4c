/* net/rpc.c - calls: from a request to a handler's thread, and back.
 *
 * A call has two owners: its transport and the handler. The last one to release it frees it.
 */
#include "net/rpc.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/timer.h"
#include "net/limits.h"
#include "net/rpc_impl.h"

/* ---- the handler's side --------------------------------------------------------------------- */

weir_str weir_rpc_request(const weir_rpc *call)
{
    const weir_buf *buf = &call->request.head;
    return (weir_str){buf->at ? buf->at : "", buf->length};
}

int64_t weir_rpc_timeout_ms(const weir_rpc *call)
{
    return call->timeout_ms;
}

weir_peer *weir_rpc_peer(const weir_rpc *call)
{
    return call->peer;
}

weir_cancel *weir_rpc_cancel(weir_rpc *call)
{
    return call->cancel;
}

static void destroy_call(weir_ref *ref)
{
    weir_rpc *call = (weir_rpc *)ref;
    call->destroy(call);
}

void weir_rpc_init(weir_rpc *call, weir_rpc_server *server, weir_peer *peer)
{
    weir_ref_init(&call->ref, destroy_call);
    call->server = server;
    call->peer = weir_peer_retain(peer);
    call->cancel = weir_cancel_create(NULL);
}

void weir_rpc_fini(weir_rpc *call)
{
    weir_rpc_message_fini(&call->request);
    weir_rpc_message_fini(&call->reply);
    weir_status_free(call->status);
    weir_cancel_release(call->cancel);
    weir_rpc_streams_fini(call);
    weir_peer_release(call->peer);
}

/* The handler of a call that exceeded its deadline may report only a cancellation. */
static void name_deadline(weir_rpc *call)
{
    if (weir_status_code(call->status) != WEIR_CANCELLED || !weir_cancel_fired(call->cancel))
        return;
    weir_status why = weir_cancel_status(call->cancel), reported = call->status;
    if (weir_status_code(why) == WEIR_DEADLINE_EXCEEDED) {
        call->status = weir_status_note(why, "(%s)", weir_status_message(reported));
        why = reported;
    }
    weir_status_free(why);
}

static void answer(weir_rpc *call)
{
    weir_rpc_server *server = call->server;
    name_deadline(call);
    if (call->timer)
        weir_timer_remove(call->timer);
    call->send(call); /* passes on the handler's reference */
    weir_mutex_lock(&server->lock);
    if (--server->unanswered == 0 && server->ending)
        weir_cond_broadcast(&server->left);
    weir_mutex_unlock(&server->lock);
}

void weir_rpc_reply_message(weir_rpc *call, weir_rpc_message *message)
{
    size_t bytes = weir_rpc_message_bytes(message);
    if (bytes > MAX_MESSAGE_BYTES) {
        weir_rpc_message_fini(message);
        call->status =
            weir_error(WEIR_RESOURCE_EXHAUSTED, "Sent message larger than max (%zu vs. %d)", bytes,
                       MAX_MESSAGE_BYTES);
    } else {
        call->reply = *message;
        *message = (weir_rpc_message){0};
    }
    answer(call);
}

void weir_rpc_reply(weir_rpc *call, weir_buf *message)
{
    weir_rpc_message reply = {.head = *message};
    *message = (weir_buf){0};
    weir_rpc_reply_message(call, &reply);
}

void weir_rpc_fail(weir_rpc *call, weir_status status)
{
    call->status = status;
    answer(call);
}

static void deadline_passed(void *arg)
{
    weir_rpc *call = arg;
    weir_ref_retain(&call->ref); /* a callback may answer the call */
    weir_cancel_fire(call->cancel, weir_error(WEIR_DEADLINE_EXCEEDED, "Deadline Exceeded"));
    weir_rpc_hurry(call);
    weir_ref_release(&call->ref);
}

/* ---- threads for handlers, shared between peers -----------------------------------------------
 */

/* A peer may have as many threads as are left for others: a greedy one gets half of them, the next
 * one half of the rest, and there is always one for a new peer. */
static bool may_run(weir_rpc_server *server, const weir_rpc *call) WEIR_REQUIRES(server->lock)
{
    int64_t left = weir_limits_get()->threads - server->busy;
    bool urgent = call->method->urgent || weir_cancel_fired(call->cancel);
    return urgent ? left > 0 : call->peer->running < left;
}

/* Lists a call for the next free thread. */
static void grant(weir_rpc_server *server, weir_rpc *call) WEIR_REQUIRES(server->lock)
{
    call->next = NULL;
    *server->waiting_end = call;
    server->waiting_end = &call->next;
    server->waiting_count++;
    server->busy++;
    call->peer->running++;
}

static void list_peer(weir_rpc_server *server, weir_peer *peer) WEIR_REQUIRES(server->lock)
{
    peer->next_held = NULL;
    *server->held_end = peer;
    server->held_end = &peer->next_held;
}

/* Holds the call until its peer may have another thread; its connection is still read. */
static void hold(weir_rpc_server *server, weir_rpc *call) WEIR_REQUIRES(server->lock)
{
    weir_peer *peer = call->peer;
    if (!peer->held)
        list_peer(server, weir_peer_retain(peer));
    call->next = NULL;
    call->held_at = peer->held_end;
    *peer->held_end = call;
    peer->held_end = &call->next;
}

/* Removes a call from its peer's list. */
static void release_call(weir_peer *peer, weir_rpc *call)
{
    *call->held_at = call->next;
    if (call->next)
        call->next->held_at = call->held_at;
    else
        peer->held_end = call->held_at;
    call->held_at = NULL;
}

/* Removes the peer's first held call; the peer is requeued if it has more. */
static weir_rpc *release_one(weir_rpc_server *server, weir_peer *peer) WEIR_REQUIRES(server->lock)
{
    weir_rpc *call = peer->held;
    release_call(peer, call);
    if (peer->held)
        list_peer(server, peer);
    else
        weir_peer_release(peer); /* the call holds one, too */
    return call;
}

/* A peer that holds no call any more leaves the list. */
static void unlist_peer(weir_rpc_server *server, weir_peer *peer) WEIR_REQUIRES(server->lock)
{
    weir_peer **at = &server->held;
    while (*at != peer)
        at = &(*at)->next_held;
    *at = peer->next_held;
    if (!*at)
        server->held_end = at;
    weir_peer_release(peer);
}

/* A thread is free: serves peers with held calls in turn, within their limits. */
static void grant_held(weir_rpc_server *server) WEIR_REQUIRES(server->lock)
{
    weir_peer **at = &server->held;
    while (*at) {
        weir_peer *peer = *at;
        if (!may_run(server, peer->held)) {
            at = &peer->next_held;
            continue;
        }
        *at = peer->next_held;
        if (!*at)
            server->held_end = at;
        grant(server, release_one(server, peer));
    }
}

static weir_rpc *take_waiting(weir_rpc_server *server) WEIR_REQUIRES(server->lock)
{
    weir_rpc *call = server->waiting;
    if (!call)
        return NULL;
    server->waiting = call->next;
    server->waiting_count--;
    if (!server->waiting)
        server->waiting_end = &server->waiting;
    return call;
}

/* False: no call for so long that the thread may exit. */
static bool wait_for_call(weir_rpc_server *server) WEIR_REQUIRES(server->lock)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += IDLE_SECONDS;
    server->idle++;
    bool woken = weir_cond_wait_until(&server->work, &server->lock, &until);
    server->idle--;
    return woken || server->waiting;
}

/* Without the lock. The call may be answered and freed when this returns. */
static void run_call(weir_rpc_server *server, weir_rpc *call) WEIR_REQUIRES(server->lock)
{
    weir_peer *peer = weir_peer_retain(call->peer);
    weir_mutex_unlock(&server->lock);
    if (call->work)
        call->work(call->work_arg);
    else
        call->method->handle(call, server->ctx);
    weir_mutex_lock(&server->lock);
    peer->running--;
    server->busy--;
    weir_peer_release(peer);
    grant_held(server);
}

static void *serve(void *arg)
{
    weir_rpc_server *server = arg;
    weir_mutex_lock(&server->lock);
    for (;;) {
        weir_rpc *call = take_waiting(server);
        if (call)
            run_call(server, call);
        else if (server->ending || !wait_for_call(server))
            break;
    }
    server->threads--;
    weir_cond_broadcast(&server->left);
    weir_mutex_unlock(&server->lock);
    return NULL;
}

/* Creates a thread, unless there is an idle one for every waiting call. */
static bool have_thread(weir_rpc_server *server) WEIR_REQUIRES(server->lock)
{
    pthread_t id;
    if (server->waiting_count <= server->idle)
        return true;
    if (pthread_create(&id, NULL, serve, server) != 0)
        return false;
    pthread_detach(id);
    server->threads++;
    return true;
}

/* Undoes the latest grant. */
static void revoke(weir_rpc_server *server, weir_rpc *call) WEIR_REQUIRES(server->lock)
{
    weir_rpc **at = &server->waiting;
    while (*at != call)
        at = &(*at)->next;
    *at = NULL;
    server->waiting_end = at;
    server->waiting_count--;
    server->busy--;
    call->peer->running--;
}

/* Passes the call to a thread: an idle one, or a new one. False: there is none. */
static bool hand_over(weir_rpc_server *server, weir_rpc *call) WEIR_REQUIRES(server->lock)
{
    if (!may_run(server, call)) {
        hold(server, call);
        return true;
    }
    grant(server, call);
    if (have_thread(server))
        return true;
    revoke(server, call);
    return false;
}

void weir_rpc_hurry(weir_rpc *call)
{
    weir_rpc_server *server = call->server;
    weir_peer *peer = call->peer;
    weir_mutex_lock(&server->lock);
    bool held = call->held_at && may_run(server, call);
    if (held) {
        release_call(peer, call);
        grant(server, call);
        have_thread(server); /* if the system refuses one: when another thread is free */
        if (!peer->held)
            unlist_peer(server, peer);
    }
    weir_mutex_unlock(&server->lock);
    if (held)
        weir_cond_signal(&server->work);
}

static weir_status no_thread(void)
{
    return weir_error(WEIR_RESOURCE_EXHAUSTED,
                      "the server cannot start a thread for the call: its system refuses more");
}

weir_status weir_rpc_continue(weir_rpc *call, void (*fn)(void *), void *arg)
{
    weir_rpc_server *server = call->server;
    call->work = fn;
    call->work_arg = arg;
    weir_mutex_lock(&server->lock);
    bool handed = hand_over(server, call);
    weir_mutex_unlock(&server->lock);
    weir_cond_signal(&server->work); /* without the lock, which the woken thread acquires */
    return handed ? WEIR_OK : no_thread();
}

void weir_rpc_dispatch(weir_rpc *call)
{
    weir_rpc_server *server = call->server;
    weir_ref_retain(&call->ref); /* the handler's */
    if (call->timeout_ms > 0)
        call->timer = weir_timer_add(weir_after_ms(call->timeout_ms), deadline_passed, call);
    bool quick = call->method->quick, handed = true;
    weir_mutex_lock(&server->lock);
    server->unanswered++;
    if (!quick)
        handed = hand_over(server, call);
    weir_mutex_unlock(&server->lock);
    if (quick)
        call->method->handle(call, server->ctx);
    else if (handed)
        weir_cond_signal(&server->work);
    else
        weir_rpc_fail(call, no_thread());
}

const weir_rpc_method *weir_rpc_find(const weir_rpc_server *server, weir_str path)
{
    for (size_t i = 0; i < server->method_count; i++)
        if (weir_str_is(path, server->methods[i].path))
            return &server->methods[i];
    return NULL;
}

void weir_rpc_stop_threads(weir_rpc_server *server)
{
    weir_mutex_lock(&server->lock);
    server->ending = true;
    weir_cond_broadcast(&server->work);
    while (server->threads || server->unanswered)
        weir_cond_wait(&server->left, &server->lock);
    weir_mutex_unlock(&server->lock);
}

weir_status weir_rpc_parsed(weir_status read)
{
    if (!read)
        return WEIR_OK;
    weir_status status =
        weir_error(WEIR_INTERNAL, "Unable to parse request: %s", weir_status_message(read));
    weir_status_free(read);
    return status;
}

void weir_rpc_answer(weir_rpc *call, weir_status status, weir_buf *message)
{
    if (!status) {
        weir_rpc_reply(call, message);
        return;
    }
    weir_buf_fini(message);
    weir_rpc_fail(call, status);
}
