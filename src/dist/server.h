/* dist/server.h - one task of a cluster: TensorFlow's services over a port.
 *
 * A task is a master for the clients that connect to it, and a worker for every master of its
 * cluster, its own included.
 */
#ifndef WEIR_DIST_SERVER_H
#define WEIR_DIST_SERVER_H

#include "base/status.h"
#include "dist/cluster.h"

typedef struct weir_server weir_server;

typedef struct weir_server_options {
    weir_cluster *cluster; /* sealed, with an own task; retained. Null: one task, localhost 0 */
    const char *host;      /* address to listen on; null: loopback */
    int port;              /* 0: that of the own task's address; where that is 0, any free one */
    weir_str config;       /* a serialised ConfigProto: defaults of every session, and devices */
} weir_server_options;

WEIR_CHECKED weir_status weir_server_start(const weir_server_options *options,
                                           weir_server **out_server);
const char *weir_server_target(const weir_server *server); /* "grpc://127.0.0.1:2222" */
void weir_server_destroy(weir_server *server);             /* closes every session; takes null */

#endif
