/* net/access.h - who may call this process's servers without a certificate, and the token of its
 * own calls. Thread-safe.
 */
#ifndef WEIR_NET_ACCESS_H
#define WEIR_NET_ACCESS_H

#include "base/str.h"
#include "net/peer.h"

/* |allow|: "loopback", clients of this machine that need neither TLS nor a token; null: none.
 * |token_file|: its first line is the token that other clients send, and that this process sends;
 * null: as WEIR_TOKEN_FILE says. */
WEIR_CHECKED weir_status weir_access_set(const char *allow, const char *token_file);
/* Reads the token again; on an error the old one stays. */
WEIR_CHECKED weir_status weir_access_reload(void);
bool weir_access_has_token(void); /* there is a token file */

/* Whether a connection without TLS is taken from |peer|. */
bool weir_access_takes_plain(const weir_peer *peer);
/* Whether a call is; |for_tasks|: of a method that only tasks of the cluster call. |authorization|
 * is its header, "Bearer TOKEN" or empty. */
WEIR_CHECKED weir_status weir_access_check(const weir_peer *peer, bool for_tasks,
                                           weir_str authorization);
/* The header's value for calls to others; empty: there is no token. */
void weir_access_header(weir_buf *out);

#endif
