/* net/access.h - who may call this process's servers without a certificate, and the token of its
 * own calls. Thread-safe.
 */
#ifndef WEIR_NET_ACCESS_H
#define WEIR_NET_ACCESS_H

#include "base/str.h"
#include "net/peer.h"

/* |allow|: who needs neither TLS nor a token: "loopback", clients of this machine; "unix", clients
 * of other users by a unix socket, which are refused otherwise; or both with a comma; null: nobody.
 * |token_file|: its first line is the token that other clients send, and that this process sends;
 * null: as WEIR_TOKEN_FILE says. */
/* |task_token_file|: instead, a token of tasks alone; clients need none. */
WEIR_CHECKED weir_status weir_access_set(const char *allow, const char *token_file,
                                         const char *task_token_file);
/* Reads the token again; on an error the old one stays. */
WEIR_CHECKED weir_status weir_access_reload(void);
bool weir_access_has_token(void); /* there is a token file */

bool weir_access_allows_users(void); /* of other users, by unix sockets */

/* Whether a connection without TLS is taken from |peer|. */
bool weir_access_takes_plain(const weir_peer *peer);
bool weir_access_is_for_tasks(weir_str path); /* a method that only tasks of a cluster call */
/* Whether a call is; |for_tasks|: of a method that only tasks of the cluster call. |authorization|
 * is its header, "Bearer TOKEN" or empty. */
WEIR_CHECKED weir_status weir_access_check(const weir_peer *peer, bool for_tasks,
                                           weir_str authorization);
/* The header's value for calls to others; empty: there is no token. */
void weir_access_header(weir_buf *out);

#endif
