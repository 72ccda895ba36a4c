/* net/road_open_impl.h - making roads; see road_open.c. */
#ifndef WEIR_NET_ROAD_OPEN_IMPL_H
#define WEIR_NET_ROAD_OPEN_IMPL_H

#include "net/road_impl.h"

#define WEIR_ROAD_OPEN "/weir.Road/Open"    /* answered with 1: the socket's name, 2: a token */
#define WEIR_ROAD_MAGIC 0x31646f6152726957u /* changes when what lies in the rings does */

enum { WEIR_ROAD_NAME = 64, WEIR_ROAD_FDS = 3 };

bool weir_roads_on(void); /* unless WEIR_ROADS leaves shm out */
uint64_t weir_road_random(void);

/* The server's: a socket to listen on, or -1. */
int weir_road_listen(char name[WEIR_ROAD_NAME]);

typedef struct weir_road_greeting {
    uint64_t token;
    size_t shared_bytes;
    int fds[WEIR_ROAD_FDS]; /* of a client: rings, shared memory, eventfd; of a server: the last two
                             */
} weir_road_greeting;
/* False: not a good greeting with |count| descriptors. */
bool weir_road_greeting_receive(int fd, int count, weir_road_greeting *out);
void weir_road_greeting_fini(weir_road_greeting *g);

/* The server's answer to a client's greeting, which it uses up. Null: it cannot be. */
weir_road *weir_road_accept(int fd, weir_road_greeting *g);
/* The client's whole part; blocks, for two seconds at most. Null: it cannot be. */
weir_road *weir_road_dial(weir_str name, uint64_t token);

#endif
