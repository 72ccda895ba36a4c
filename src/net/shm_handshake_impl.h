/* net/shm_handshake_impl.h - opening shm transports; see shm_handshake.c. */
#ifndef WEIR_NET_SHM_HANDSHAKE_IMPL_H
#define WEIR_NET_SHM_HANDSHAKE_IMPL_H

#include "net/shm_impl.h"

#define WEIR_SHM_OPEN "/weir.Transport/Shm" /* answered with 1: the socket's name, 2: a token */
#define WEIR_SHM_MAGIC 0x31646f6152726957u  /* changes with the layout of the rings */

enum { WEIR_SHM_NAME = 64, WEIR_SHM_FDS = 3 };

bool weir_shm_same_user(int fd);  /* the peer process of a unix socket is of this user */
bool weir_shm_enabled(void);      /* unless WEIR_TRANSPORTS excludes shm */
uint64_t weir_random_token(void); /* unguessable */

/* For the server: a listening socket, or -1. */
int weir_shm_listen(char name[WEIR_SHM_NAME]);

typedef struct weir_shm_hello {
    uint64_t token;
    size_t shared_bytes;
    int fds[WEIR_SHM_FDS]; /* a client's: rings, shared memory, eventfd; a server's: the last two */
} weir_shm_hello;
/* False: not a valid hello with |count| descriptors. */
bool weir_shm_hello_receive(int fd, int count, weir_shm_hello *out);
void weir_shm_hello_fini(weir_shm_hello *hello);

/* The server's response to a client's hello, which it consumes. Null: failed. */
weir_shm *weir_shm_accept(int fd, weir_shm_hello *hello);
/* The client's whole handshake; blocks for at most two seconds. Null: failed. */
weir_shm *weir_shm_connect(weir_str name, uint64_t token);

#endif
