/* net/address.h - a server's address: "host:port", "[IPv6 address]:port", or a unix socket,
 * "unix:run/weir" or "unix:///run/weir".
 */
#ifndef WEIR_NET_ADDRESS_H
#define WEIR_NET_ADDRESS_H

#include <netdb.h>
#include <stdbool.h>

#include "base/str.h"

/* The port in "host:port" or "[IPv6 address]:port", or -1; *out_host is the part before it, without
 * brackets. */
int weir_address_split(weir_str address, weir_str *out_host);
/* The path in "unix:path"; empty for other addresses. */
weir_str weir_address_path(weir_str address);
/* Whether it has one of the three forms. */
bool weir_address_is_valid(weir_str address);
/* Whether packets to |host| stay on this machine: "localhost", 127.x.x.x, "::1". */
bool weir_host_is_loopback(weir_str host);

/* getaddrinfo for a whole address, including |flags|. Freed by weir_address_free. */
int weir_address_look_up(const char *address, int flags, struct addrinfo **out_found);
void weir_address_free(struct addrinfo *found); /* takes null */
const char *weir_address_error(int failed);     /* text of look_up's error */
/* Appends "ipv4:10.0.0.7:2222", "ipv6:[::1]:2222" or "unix:/run/weir". */
void weir_address_describe(const struct addrinfo *address, weir_buf *out);
/* A non-blocking socket that starts to connect to the first address of |address|, blocking for name
 * resolution only; -1. A failure to connect shows when it is polled. */
int weir_address_dial(const char *address);

#endif
