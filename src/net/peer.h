/* net/peer.h - who calls: the other end of one connection of a server.
 *
 * A peer outlives its connection as long as somebody holds it: a session remembers who used it
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
    bool local;                      /* of this machine */
    bool by_file;                    /* by a unix socket */
    bool encrypted;                  /* its bytes come by TLS */
    atomic_bool is_task;             /* may call methods of tasks by shared memory */
    atomic_bool certified;           /* by its certificate, or it is of this user */
    _Atomic uint64_t client; /* the process, where it says so: a number that only it knows; 0 */
    atomic_llong gone_ns;    /* when its connection ended; 0: it is there */
    atomic_int sessions;     /* that it created and that are not closed */
    /* Of rpc.c, under the server's lock: */
    int running;                       /* calls with a thread */
    struct weir_rpc *held, **held_end; /* calls that wait until it may have another */
    struct weir_peer *next_held;       /* among the peers with such calls */
} weir_peer;

weir_peer *weir_peer_create(void);
weir_peer *weir_peer_retain(weir_peer *peer); /* takes null */
void weir_peer_release(weir_peer *peer);      /* takes null */
/* Whether the other end of a unix socket is a process of this user, or root's. */
bool weir_peer_is_self(int fd);
/* Nanoseconds since its connection ended; 0: it is there. */
int64_t weir_peer_gone_for(const weir_peer *peer);
/* Whether both are certainly connections of one client. */
bool weir_peer_same_client(const weir_peer *one, const weir_peer *other);
/* Whether both are the same machine, and so perhaps the same client on another connection. */
bool weir_peer_same_host(const weir_peer *one, const weir_peer *other);

#endif
