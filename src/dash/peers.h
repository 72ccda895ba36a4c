/* dash/peers.h - GET by HTTP/1.1 at several addresses at once, within a time limit. Blocks. */
#ifndef WEIR_DASH_PEERS_H
#define WEIR_DASH_PEERS_H

#include "base/str.h"

typedef struct weir_peer_get {
    const char *address; /* "host:port" */
    const char *path;    /* "/api/task" */
    /* Filled in: */
    int status; /* of the answer; 0: there was none */
    weir_buf body;
    int64_t sent_ns, first_ns; /* when the request went out, and when the answer began to come */
    const char *problem;       /* why there was none */
    struct weir_peer_socket *socket;
} weir_peer_get;

void weir_peers_get(weir_peer_get *gets, size_t count, int timeout_ms);

#endif
