/* net/address.c - addresses as text and as socket addresses. */
#include "net/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/mem.h"

/* ---- texts ---------------------------------------------------------------------------------- */

weir_str weir_address_path(weir_str address)
{
    static const char mark[] = "unix:";
    if (address.length <= sizeof mark - 1 || memcmp(address.at, mark, sizeof mark - 1) != 0)
        return (weir_str){0};
    weir_str path = {address.at + sizeof mark - 1, address.length - (sizeof mark - 1)};
    bool url = path.length > 2 && memcmp(path.at, "//", 2) == 0;
    return url ? (weir_str){path.at + 2, path.length - 2} : path;
}

/* One to five digits; -1: something else. */
static int read_port(weir_str digits)
{
    enum { MOST_DIGITS = 5, LARGEST = 65535 };
    int port = 0;
    for (size_t i = 0; i < digits.length; i++) {
        if (digits.at[i] < '0' || digits.at[i] > '9' || i == MOST_DIGITS)
            return -1;
        port = port * 10 + (digits.at[i] - '0');
    }
    return digits.length && port <= LARGEST ? port : -1;
}

int weir_address_split(weir_str address, weir_str *out_host)
{
    size_t colon = address.length;
    while (colon > 0 && address.at[colon - 1] != ':')
        colon--;
    int port = read_port((weir_str){address.at + colon, address.length - colon});
    if (colon <= 1 || port < 0 || weir_address_path(address).length)
        return -1;
    weir_str host = {address.at, colon - 1};
    bool v6 = host.at[0] == '[' && host.at[host.length - 1] == ']' && host.length > 2;
    if (v6)
        host = (weir_str){host.at + 1, host.length - 2};
    if (!v6 && memchr(host.at, ':', host.length))
        return -1; /* ambiguous */
    *out_host = host;
    return port;
}

bool weir_address_is_valid(weir_str address)
{
    weir_str host, path = weir_address_path(address);
    if (path.length)
        return path.length < sizeof((struct sockaddr_un *)0)->sun_path;
    return weir_address_split(address, &host) >= 0;
}

bool weir_host_is_loopback(weir_str host)
{
    char text[INET_ADDRSTRLEN] = "";
    struct in_addr v4;
    if (host.length < sizeof text)
        memcpy(text, host.at, host.length);
    return weir_str_is(host, "localhost") || weir_str_is(host, "::1") ||
           (inet_pton(AF_INET, text, &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127);
}

/* ---- sockets' addresses --------------------------------------------------------------------- */

typedef struct file_address {
    struct addrinfo info;
    struct sockaddr_un at;
} file_address;

static int look_up_file(weir_str path, struct addrinfo **out_found)
{
    if (path.length >= sizeof((struct sockaddr_un *)0)->sun_path)
        return EAI_OVERFLOW;
    file_address *found = WEIR_NEW(file_address);
    found->at.sun_family = AF_UNIX;
    memcpy(found->at.sun_path, path.at, path.length); /* zeroed behind it */
    found->info = (struct addrinfo){.ai_family = AF_UNIX,
                                    .ai_socktype = SOCK_STREAM,
                                    .ai_addr = (struct sockaddr *)&found->at,
                                    .ai_addrlen = sizeof found->at};
    *out_found = &found->info;
    return 0;
}

int weir_address_look_up(const char *address, int flags, struct addrinfo **out_found)
{
    weir_str all = weir_str_of(address), host, path = weir_address_path(all);
    if (path.length)
        return look_up_file(path, out_found);
    if (weir_address_split(all, &host) < 0)
        return EAI_SERVICE;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV};
    WEIR_FREED char *name = weir_strndup(host.at, host.length);
    return getaddrinfo(name, strrchr(address, ':') + 1, &hints, out_found);
}

void weir_address_free(struct addrinfo *found)
{
    if (found && found->ai_family == AF_UNIX)
        weir_free(found); /* the first field of a file_address */
    else if (found)
        freeaddrinfo(found);
}

const char *weir_address_error(int failed)
{
    return failed == EAI_OVERFLOW  ? "the path of a socket has at most 107 bytes"
           : failed == EAI_SERVICE ? "the address has no port"
                                   : gai_strerror(failed);
}

void weir_address_describe(const struct addrinfo *address, weir_buf *out)
{
    char host[NI_MAXHOST] = "?", port[NI_MAXSERV] = "?";
    bool v6 = address->ai_family == AF_INET6;
    if (address->ai_family == AF_UNIX) {
        weir_buf_addf(out, "unix:%s",
                      ((const struct sockaddr_un *)(void *)address->ai_addr)->sun_path);
        return;
    }
    getnameinfo(address->ai_addr, address->ai_addrlen, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    weir_buf_addf(out, v6 ? "ipv6:[%s]:%s" : "ipv4:%s:%s", host, port);
}

int weir_address_dial(const char *address)
{
    struct addrinfo *found = NULL;
    if (weir_address_look_up(address, 0, &found) != 0)
        return -1;
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0)
        connect(fd, found->ai_addr, found->ai_addrlen);
    weir_address_free(found);
    return fd;
}
