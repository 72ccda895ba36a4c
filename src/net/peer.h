/* net/peer.h - the client at the other end of a server's connection.
 *
 * A peer is reference-counted and may outlive its connection: a session keeps the one that used it
 * last.
 */
#ifndef WEIR_NET_PEER_H
#define WEIR_NET_PEER_H

#include <stdatomic.h>

#include "base/ref.h"
#include "base/str.h"

enum { WEIR_PEER_ADDRESS = 64 };

typedef struct weir_peer {
    weir_ref ref;
    char address[WEIR_PEER_ADDRESS]; /* "10.0.0.7", "::1", "unix:1000": without a port */
    bool local;                      /* on this machine */
    bool by_file;                    /* on a unix socket */
    bool encrypted;                  /* uses TLS */
    atomic_bool is_task;             /* may call methods of tasks by shared memory */
    atomic_bool certified;           /* by its certificate, or of this user */
    _Atomic uint64_t client;         /* the process's secret number, if it sent one; 0 */
    atomic_llong gone_ns;            /* when its connection ended; 0: connected */
    atomic_int sessions;             /* created by it and not closed */
    /* For rpc.c, under the server's lock: */
    int running;                       /* calls with a thread */
    struct weir_rpc *held, **held_end; /* calls that wait for a thread */
    struct weir_peer *next_held;       /* list of peers with such calls */
} weir_peer;

weir_peer *weir_peer_create(void);
weir_peer *weir_peer_retain(weir_peer *peer); /* takes null */
void weir_peer_release(weir_peer *peer);      /* takes null */
/* Whether the peer of a unix socket is a process of this user or of root. */
bool weir_peer_is_self(int fd);
/* Nanoseconds since its connection ended; 0: connected. */
int64_t weir_peer_gone_for(const weir_peer *peer);
/* Whether both are certainly connections of one client. */
bool weir_peer_same_client(const weir_peer *one, const weir_peer *other);
/* Whether both are on the same machine, and so may be the same client on another connection. */
bool weir_peer_same_host(const weir_peer *one, const weir_peer *other);

#endif
