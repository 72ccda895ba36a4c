/* dist/master_table.c - the table of client sessions: ownership, limits, leases.
 *
 * A session's handle is random, and is valid only from the machine that created it. The session
 * belongs to the connection that used it last; when that is closed, the client must reconnect
 * before the lease expires.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/blocking.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/timer.h"
#include "dist/ids.h"
#include "dist/master_impl.h"
#include "net/limits.h"

void weir_master_new_handle(char handle[MASTER_HANDLE])
{
    snprintf(handle, MASTER_HANDLE, "%016" PRIx64 "%016" PRIx64, weir_secret_id(),
             weir_secret_id());
}

/* The session is used by |peer| from now on. */
static void note_user(master_session *session, weir_peer *peer)
{
    if (peer == session->user)
        return;
    if (session->user)
        atomic_fetch_sub(&session->user->sessions, 1);
    weir_peer_release(session->user);
    session->user = weir_peer_retain(peer);
    if (peer)
        atomic_fetch_add(&peer->sessions, 1);
}

/* Null: no such session for this peer. A call in this process has no peer. */
static master_session *find(weir_server *server, weir_str handle, weir_peer *peer)
    WEIR_REQUIRES(server->lock)
{
    master_session *session = weir_map_get(&server->sessions, handle);
    if (session && peer && session->user && !weir_peer_same_host(peer, session->user))
        return NULL;
    return session;
}

weir_status weir_master_find_session(weir_server *server, weir_str handle, weir_peer *peer,
                                     master_session **out)
{
    weir_mutex_lock(&server->lock);
    master_session *session = find(server, handle, peer);
    if (session) {
        weir_ref_retain(&session->ref);
        if (peer)
            note_user(session, peer);
    }
    weir_mutex_unlock(&server->lock);
    if (!session)
        return weir_error(WEIR_ABORTED, "Session %.*s is not found.", WEIR_STR_ARG(handle));
    *out = session;
    return WEIR_OK;
}

static weir_status check_count(weir_server *server, const weir_peer *peer)
    WEIR_REQUIRES(server->lock)
{
    const weir_limits *limits = weir_limits_get();
    if (server->ending) /* it would never be closed */
        return weir_error(WEIR_UNAVAILABLE, "%s is ending", server->task);
    if (server->session_count >= limits->sessions)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "%s has %" PRId64 " sessions (limit: sessions)",
                          server->task, server->session_count);
    if (peer && atomic_load(&((weir_peer *)peer)->sessions) >= limits->connection_sessions)
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "the connection has %" PRId64
                          " sessions on %s (limit: connection_sessions)",
                          limits->connection_sessions, server->task);
    return WEIR_OK;
}

weir_status weir_master_list_session(weir_server *server, master_session *session, weir_peer *peer)
{
    weir_mutex_lock(&server->lock);
    weir_status status = check_count(server, peer);
    if (!status) {
        weir_map_put(&server->sessions, weir_str_of(session->handle), session);
        server->session_count++;
        note_user(session, peer);
    }
    weir_mutex_unlock(&server->lock);
    return status;
}

static void unlist(weir_server *server, master_session *session) WEIR_REQUIRES(server->lock)
{
    weir_map_remove(&server->sessions, weir_str_of(session->handle));
    server->session_count--;
    note_user(session, NULL);
}

master_session *weir_master_unlist_session(weir_server *server, weir_str handle, weir_peer *peer)
{
    weir_mutex_lock(&server->lock);
    master_session *session = find(server, handle, peer);
    if (session)
        unlist(server, session);
    weir_mutex_unlock(&server->lock);
    return session;
}

/* ---- many at once ------------------------------------------------------------------------------
 */

typedef WEIR_VEC(master_session *) session_list;

/* Unlists every session for which |which| is true. */
static session_list take(weir_server *server,
                         bool (*which)(const master_session *, const weir_peer *),
                         const weir_peer *peer)
{
    session_list taken = {0};
    size_t at = 0;
    void *session;
    weir_mutex_lock(&server->lock);
    while (weir_map_next(&server->sessions, &at, NULL, &session))
        if (which(session, peer))
            weir_vec_push(&taken, (master_session *)session);
    for (size_t i = 0; i < taken.count; i++)
        unlist(server, taken.at[i]);
    weir_mutex_unlock(&server->lock);
    return taken;
}

static void end_all(session_list list)
{
    for (size_t i = 0; i < list.count; i++)
        weir_master_end_session(list.at[i]);
    weir_vec_fini(&list);
}

static bool is_any(const master_session *session, const weir_peer *peer)
{
    return true;
}

void weir_master_close_all(weir_server *server)
{
    end_all(take(server, is_any, NULL));
}

/* ---- Reset -------------------------------------------------------------------------------------
 */

/* Owned by another, connected client. */
static bool is_foreign(const master_session *session, const weir_peer *peer)
{
    const weir_peer *user = session->user;
    return user && peer && !weir_peer_same_client(user, peer) &&
           (!weir_peer_gone_for(user) || !weir_peer_same_host(user, peer));
}

weir_status weir_master_check_reset(weir_server *server, const weir_peer *peer)
{
    int foreign = 0;
    size_t at = 0;
    void *session;
    weir_mutex_lock(&server->lock);
    while (!server->allow_reset && weir_map_next(&server->sessions, &at, NULL, &session))
        foreign += is_foreign(session, peer);
    weir_mutex_unlock(&server->lock);
    if (!foreign)
        return WEIR_OK;
    return weir_error(
        WEIR_PERMISSION_DENIED,
        "Reset would end %d sessions of other clients of %s; a server that was started "
        "with --allow_reset permits that",
        foreign, server->task);
}

/* ---- leases ------------------------------------------------------------------------------------
 */

static bool has_expired(const master_session *session, const weir_peer *peer)
{
    int64_t lease_ms = weir_limits_get()->lease_ms;
    return lease_ms && session->user && weir_peer_gone_for(session->user) > lease_ms * 1000000;
}

static void end_expired(void *arg)
{
    session_list *expired = arg;
    end_all(*expired);
    weir_free(expired);
}

static void arm(weir_server *server);

/* On the timer's thread, which must not block: other tasks have to be notified. */
static void look_for_expired(void *arg)
{
    weir_server *server = arg;
    session_list taken = take(server, has_expired, NULL);
    if (taken.count) {
        weir_log(WEIR_LOG_INFO, "%zu sessions were closed whose clients are gone", taken.count);
        session_list *expired = WEIR_NEW(session_list);
        *expired = taken;
        weir_blocking_submit(end_expired, expired);
    }
    arm(server);
}

static void arm(weir_server *server)
{
    int64_t lease_ms = weir_limits_get()->lease_ms,
            ms = lease_ms / 4 < 10000 ? lease_ms / 4 : 10000;
    weir_mutex_lock(&server->lock);
    if (!server->ending && lease_ms)
        server->lease_timer = weir_timer_add(weir_after_ms(ms + 1), look_for_expired, server);
    weir_mutex_unlock(&server->lock);
}

void weir_master_watch_leases(weir_server *server)
{
    arm(server);
}

void weir_master_forget_leases(weir_server *server)
{
    weir_mutex_lock(&server->lock);
    int64_t timer = server->lease_timer;
    weir_mutex_unlock(&server->lock);
    if (timer)
        weir_timer_remove(timer);
}
