/* proc/sockets.h - TCP between tasks, over IPv4 and IPv6.
 *
 * A host is a name or an address, an IPv6 address with or without brackets. If a name has addresses
 * of both families, IPv4 is preferred, as in a weir server.
 */
#ifndef WEIR_PROC_SOCKETS_H
#define WEIR_PROC_SOCKETS_H

#include "base/status.h"

/* |host| without the brackets of an IPv6 address, with its user, if any; the caller frees it. */
char *run_bare_host(const char *host);

/* A free port on |host|, reserved until *out_fd is closed; a server may still bind it.
 */
WEIR_CHECKED weir_status run_free_port(const char *host, int *out_port, int *out_fd);

/* A listening socket with a non-blocking accept. */
WEIR_CHECKED weir_status run_listen(const char *host, int port, int *out_fd);

/* A connection to the first address of |host| that accepts one, or -1. */
int run_connect(const char *host, int port);

#endif
