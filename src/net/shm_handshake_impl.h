/* net/shm_handshake_impl.h - making shm transports; see shm_handshake.c. */
#ifndef WEIR_NET_SHM_HANDSHAKE_IMPL_H
#define WEIR_NET_SHM_HANDSHAKE_IMPL_H

#include "net/shm_impl.h"

#define WEIR_SHM_OPEN "/weir.Road/Open"    /* answered with 1: the socket's name, 2: a token */
#define WEIR_SHM_MAGIC 0x31646f6152726957u /* changes when what lies in the rings does */

enum { WEIR_SHM_NAME = 64, WEIR_SHM_FDS = 3 };

bool weir_shm_enabled(void); /* unless WEIR_ROADS leaves shm out */
uint64_t weir_random_token(void);

/* The server's: a socket to listen on, or -1. */
int weir_shm_listen(char name[WEIR_SHM_NAME]);

typedef struct weir_shm_hello {
    uint64_t token;
    size_t shared_bytes;
    int fds[WEIR_SHM_FDS]; /* of a client: rings, shared memory, eventfd; of a server: the last two
                            */
} weir_shm_hello;
/* False: not a good greeting with |count| descriptors. */
bool weir_shm_hello_receive(int fd, int count, weir_shm_hello *out);
void weir_shm_hello_fini(weir_shm_hello *hello);

/* The server's answer to a client's greeting, which it uses up. Null: it cannot be. */
weir_shm *weir_shm_accept(int fd, weir_shm_hello *hello);
/* The client's whole part; blocks, for two seconds at most. Null: it cannot be. */
weir_shm *weir_shm_connect(weir_str name, uint64_t token);

#endif
