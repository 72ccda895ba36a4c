/* net/listen_impl.h - a server's listening sockets: TCP ports and unix sockets. */
#ifndef WEIR_NET_LISTEN_IMPL_H
#define WEIR_NET_LISTEN_IMPL_H

#include <sys/types.h>

#include "base/str.h"
#include "net/source_impl.h"

struct weir_rpc_server;

typedef struct weir_listener {
    weir_source source;
    struct weir_rpc_server *server;
    int fd;
    int port;     /* the bound one; 0: a unix socket */
    char *path;   /* of the unix socket; null: a port */
    dev_t device; /* the socket file, ... */
    ino_t inode;  /* ... which another server may have replaced */
} weir_listener;

/* |place| is a host, or "unix:path"; null: loopback. Replaces a stale socket file; ALREADY_EXISTS
 * when a server listens on it, or when the file is not a socket. */
WEIR_CHECKED weir_status weir_listener_open(const char *place, int port, weir_listener *out);
/* Closes it, and removes its file. */
void weir_listener_close(weir_listener *listener);

#endif
