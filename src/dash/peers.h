/* dash/peers.h - concurrent HTTP/1.1 GETs to several addresses, within a time limit. Blocks. */
#ifndef WEIR_DASH_PEERS_H
#define WEIR_DASH_PEERS_H

#include "base/str.h"

typedef struct weir_peer_get {
    const char *address; /* "host:port" */
    const char *path;    /* "/api/task" */
    /* Set by the call: */
    int status; /* of the answer; 0: there was none */
    weir_buf body;
    int64_t sent_ns, first_ns; /* of the request, and of the answer's first byte */
    const char *problem;       /* the error, if there was no answer */
    struct weir_peer_socket *socket;
} weir_peer_get;

void weir_peers_get(weir_peer_get *gets, size_t count, int timeout_ms);

#endif
