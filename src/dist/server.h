/* dist/server.h - one task of a cluster: TensorFlow's services over a port.
 *
 * A task is a master for the clients that connect to it, and a worker for every master of its
 * cluster, its own included.
 */
#ifndef WEIR_DIST_SERVER_H
#define WEIR_DIST_SERVER_H

#include "base/cancel.h"
#include "base/status.h"
#include "dist/cluster.h"

typedef struct weir_server weir_server;

typedef struct weir_server_options {
    weir_cluster *cluster; /* sealed, with an own task; retained. Null: one task, localhost 0 */
    const char *host;      /* address to listen on; null: see weir_listen_host */
    int port;              /* 0: that of the own task's address; if 0, any free one */
    weir_str config;       /* a serialised ConfigProto: defaults of every session, and devices */
    bool allow_reset;      /* Reset may end sessions of other clients */
} weir_server_options;

WEIR_CHECKED weir_status weir_server_start(const weir_server_options *options,
                                           weir_server **out_server);
/* "grpc://HOST:2222"; if no address to listen on was given, the host is that of the task's own
 * address. */
const char *weir_server_target(const weir_server *server);
/* Returns when every other task of the cluster has answered once. DEADLINE_EXCEEDED: one has not
 * within |timeout_ms|; the message has its name and the cause. */
WEIR_CHECKED weir_status weir_server_wait_for_peers(weir_server *server, int64_t timeout_ms,
                                                    weir_cancel *cancel);
void weir_server_destroy(weir_server *server); /* closes every session; takes null */

/* The address that a task listens on: loopback if its own address in the cluster is loopback, else
 * all interfaces, since others may use any of them. The caller frees it. */
char *weir_listen_host(const char *own_address);
/* The wildcard address: "::" if the machine has IPv6, which accepts IPv4
 * too. */
const char *weir_any_host(void);

#endif
