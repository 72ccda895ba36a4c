/* proc/sockets.c - see sockets.h. */
#include "proc/sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sockaddr.h"

static int open_socket(int family)
{
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1, off = 0;
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    return fd;
}

char *run_bare_host(const char *host)
{
    char *bare = weir_strdup(host), *to = bare;
    for (; *host; host++)
        if (*host != '[' && *host != ']')
            *to++ = *host;
    *to = 0;
    return bare;
}

/* The result of |use| for the first of the host's addresses that it accepts, else -1 and errno; a
 * name that does not resolve is a separate error. */
static weir_status on_address(const char *host, int port,
                              int (*use)(const struct addrinfo *address), int *out_fd)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *found;
    char service[16], *bare = run_bare_host(host);
    snprintf(service, sizeof service, "%d", port);
    int failed = getaddrinfo(bare, service, &hints, &found);
    weir_free(bare);
    if (failed)
        return weir_error(WEIR_INVALID_ARGUMENT, "there is no host '%s': %s", host,
                          gai_strerror(failed));
    const int families[] = {AF_INET, AF_INET6};
    *out_fd = -1;
    for (int i = 0; i < 2; i++)
        for (const struct addrinfo *address = found; address && *out_fd < 0;
             address = address->ai_next)
            if (address->ai_family == families[i])
                *out_fd = use(address);
    int why = errno;
    freeaddrinfo(found);
    errno = why;
    return WEIR_OK;
}

/* Closes |fd| unless |ok|; preserves errno. */
static int keep_if(bool ok, int fd)
{
    int why = errno;
    if (!ok && fd >= 0)
        close(fd);
    errno = why;
    return ok ? fd : -1;
}

static int bind_to(const struct addrinfo *address)
{
    int fd = open_socket(address->ai_family);
    return keep_if(fd >= 0 && bind(fd, address->ai_addr, address->ai_addrlen) == 0, fd);
}

static int connect_to(const struct addrinfo *address)
{
    int fd = open_socket(address->ai_family);
    return keep_if(fd >= 0 && connect(fd, address->ai_addr, address->ai_addrlen) == 0, fd);
}

weir_status run_free_port(const char *host, int *out_port, int *out_fd)
{
    weir_sockaddr bound;
    int fd;
    WEIR_TRY(on_address(host, 0, bind_to, &fd));
    if (fd < 0 || !weir_sockaddr_own(fd, &bound)) {
        weir_status status =
            weir_error(WEIR_UNAVAILABLE, "no port is free on %s: %s", host, strerror(errno));
        keep_if(false, fd);
        return status;
    }
    *out_port = weir_sockaddr_port(&bound);
    *out_fd = fd;
    return WEIR_OK;
}

weir_status run_listen(const char *host, int port, int *out_fd)
{
    int fd;
    WEIR_TRY(on_address(host, port, bind_to, &fd));
    fd = keep_if(fd >= 0 && listen(fd, 1024) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0, fd);
    if (fd < 0)
        return weir_error(WEIR_UNAVAILABLE, "cannot listen on port %d: %s", port, strerror(errno));
    *out_fd = fd;
    return WEIR_OK;
}

int run_connect(const char *host, int port)
{
    int fd;
    weir_status status = on_address(host, port, connect_to, &fd);
    if (status) {
        weir_status_free(status);
        return -1;
    }
    return fd;
}
