/* base/sockaddr.c - addresses of TCP sockets. */
#include "base/sockaddr.h"

bool weir_sockaddr_own(int fd, weir_sockaddr *out)
{
    *out = (weir_sockaddr){0};
    return getsockname(fd, &out->any, &(socklen_t){sizeof *out}) == 0;
}

bool weir_sockaddr_peer(int fd, weir_sockaddr *out)
{
    *out = (weir_sockaddr){0};
    return getpeername(fd, &out->any, &(socklen_t){sizeof *out}) == 0;
}

int weir_sockaddr_port(const weir_sockaddr *address)
{
    return ntohs(address->any.sa_family == AF_INET6 ? address->v6.sin6_port : address->v4.sin_port);
}

bool weir_sockaddr_is_loopback(const weir_sockaddr *address)
{
    const struct in6_addr *v6 = &address->v6.sin6_addr;
    if (address->any.sa_family == AF_INET)
        return ntohl(address->v4.sin_addr.s_addr) >> 24 == 127;
    return address->any.sa_family == AF_INET6 &&
           (IN6_IS_ADDR_LOOPBACK(v6) || (IN6_IS_ADDR_V4MAPPED(v6) && v6->s6_addr[12] == 127));
}
