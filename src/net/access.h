/* net/access.h - which clients may call this process's servers without a certificate, and the token
 * of its own calls. Thread-safe.
 */
#ifndef WEIR_NET_ACCESS_H
#define WEIR_NET_ACCESS_H

#include "base/str.h"
#include "net/peer.h"

/* |allow|: clients that need neither TLS nor a token: "loopback", clients of this machine; "unix",
 * other users' clients on a unix socket, which are refused otherwise; or both with a comma; null:
 * none. |token_file|: its first line is the token that other clients must send, and that this
 * process sends; null: WEIR_TOKEN_FILE. */
/* |task_token_file|: instead, a token for tasks only; clients need none. */
WEIR_CHECKED weir_status weir_access_set(const char *allow, const char *token_file,
                                         const char *task_token_file);
/* Reloads the token; on an error the old one stays in use. */
WEIR_CHECKED weir_status weir_access_reload(void);
bool weir_access_has_token(void); /* there is a token file */

bool weir_access_allows_users(void); /* other users, on unix sockets */

/* Whether a connection without TLS is accepted from |peer|. */
bool weir_access_takes_plain(const weir_peer *peer);
bool weir_access_is_for_tasks(weir_str path); /* a method that only tasks of a cluster call */
/* Authorises a call; |for_tasks|: to a method that only tasks of the cluster may call.
 * |authorization| is its header, "Bearer TOKEN" or empty. */
WEIR_CHECKED weir_status weir_access_check(const weir_peer *peer, bool for_tasks,
                                           weir_str authorization);
/* The header's value for outgoing calls; empty: no token. */
void weir_access_header(weir_buf *out);

#endif
