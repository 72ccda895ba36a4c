/* dist/server.h - one task of a cluster: TensorFlow's services over a port.
 *
 * Today a task is a master for its clients and runs their graphs on its own devices.
 */
#ifndef WEIR_DIST_SERVER_H
#define WEIR_DIST_SERVER_H

#include "base/status.h"

typedef struct weir_server weir_server;

typedef struct weir_server_options {
    const char *job; /* null: "localhost" */
    int task;
    const char *host; /* address to listen on; null: loopback */
    int port;         /* 0: any free one */
} weir_server_options;

WEIR_CHECKED weir_status weir_server_start(const weir_server_options *options,
                                           weir_server **out_server);
const char *weir_server_target(const weir_server *s); /* "grpc://127.0.0.1:2222" */
void weir_server_destroy(weir_server *s);             /* closes every session; takes null */

#endif
