/* base/sockaddr.h - addresses of TCP sockets, of either family. */
#ifndef WEIR_BASE_SOCKADDR_H
#define WEIR_BASE_SOCKADDR_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

typedef union weir_sockaddr {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_storage room;
} weir_sockaddr;

/* A socket's own address, and its peer's; false if it has none. */
bool weir_sockaddr_own(int fd, weir_sockaddr *out);
bool weir_sockaddr_peer(int fd, weir_sockaddr *out);
int weir_sockaddr_port(const weir_sockaddr *address);
/* 127.x.x.x, also as an IPv6 address, and ::1. */
bool weir_sockaddr_is_loopback(const weir_sockaddr *address);

#endif
