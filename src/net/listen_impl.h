/* net/listen_impl.h - what a server listens on: a port, or a unix socket that is a file. */
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
    int port;     /* the bound one; 0: it is a file */
    char *path;   /* of the file; null: it is a port */
    dev_t device; /* the file, ... */
    ino_t inode;  /* ... which may be another's by the end */
} weir_listener;

/* |place| is a host, or "unix:path"; null: loopback. A file of a server that is gone is replaced;
 * ALREADY_EXISTS when one listens there, or when the file is no socket. */
WEIR_CHECKED weir_status weir_listener_open(const char *place, int port, weir_listener *out);
/* Closes it, and removes its file. */
void weir_listener_close(weir_listener *listener);

#endif
