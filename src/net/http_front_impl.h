/* net/http_front_impl.h - the HTTP/1.1 thread, and the dispatch of connections to it. */
#ifndef WEIR_NET_HTTP_FRONT_IMPL_H
#define WEIR_NET_HTTP_FRONT_IMPL_H

#include "net/http.h"
#include "net/rpc_impl.h"

/* Its thread starts with the first connection. The I/O thread never waits for it: slow readers are
 * disconnected. */
typedef struct weir_http_front weir_http_front;

weir_http_front *weir_http_front_create(const weir_http_site *site);
void weir_http_front_destroy(
    weir_http_front *front); /* waits for answers in progress; takes null */
void weir_http_front_add(weir_http_front *front, int fd); /* takes the socket over; thread-safe */

/* New connections, until their first bytes show the protocol (arrival.c); for the I/O thread. */
void weir_arrival_create(weir_rpc_server *server, int fd, weir_peer *peer); /* takes over both */
/* Closes those that were silent for too long (limits.inc, handshake_ms). */
void weir_arrival_sweep(weir_rpc_server *server);
void weir_arrival_close_all(weir_rpc_server *server);

#endif
