/* net/listen.c - listening sockets: TCP ports and unix sockets. */
#include "net/listen_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sockaddr.h"
#include "net/access.h"
#include "net/address.h"

enum { BACKLOG = 1024 };

static weir_status cannot_listen(const char *where, int why)
{
    weir_code code = why == EADDRINUSE               ? WEIR_ALREADY_EXISTS
                     : why == EACCES || why == EPERM ? WEIR_PERMISSION_DENIED
                                                     : WEIR_UNKNOWN;
    return weir_error(code, "cannot listen on %s: %s", where, strerror(why));
}

/* ---- ports ---------------------------------------------------------------------------------- */

/* IPv4, unless the host is an IPv6 address; "::" accepts both. */
static weir_status open_port(const char *host, int port, weir_listener *out)
{
    bool v6 = host && strchr(host, ':');
    struct addrinfo hints = {.ai_family = v6 ? AF_INET6 : AF_INET,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_PASSIVE | AI_NUMERICSERV},
                    *found;
    char service[16];
    snprintf(service, sizeof service, "%d", port);
    int failed = getaddrinfo(host ? host : "127.0.0.1", service, &hints, &found);
    if (failed)
        return weir_error(WEIR_INVALID_ARGUMENT, "cannot listen on '%s': %s", host,
                          gai_strerror(failed));
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (v6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &(int){0}, sizeof(int));
    bool ok =
        fd >= 0 && bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0;
    int why = errno;
    freeaddrinfo(found);
    if (!ok) {
        WEIR_BUF(where);
        if (fd >= 0)
            close(fd);
        weir_buf_addf(&where, v6 ? "[%s]:%d" : "%s:%d", host ? host : "127.0.0.1", port);
        return cannot_listen(where.at, why);
    }
    out->fd = fd;
    weir_sockaddr bound;
    weir_sockaddr_own(fd, &bound);
    out->port = weir_sockaddr_port(&bound);
    return WEIR_OK;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Serialises concurrently starting servers by a lock on the folder; without it (another holds it
 * for long, or the folder is unreadable) the file is replaced anyway. */
static int lock_folder(const char *path)
{
    enum { TRIES = 100, PAUSE_NS = 10000000 };
    WEIR_FREED char *copy = weir_strdup(path);
    int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; folder >= 0 && i < TRIES && flock(folder, LOCK_EX | LOCK_NB) != 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    return folder;
}

/* A socket that refuses connections is stale: its server is gone. */
static bool is_left_behind(const struct addrinfo *at, const char *path)
{
    struct stat about;
    if (lstat(path, &about) != 0 || !S_ISSOCK(about.st_mode) || about.st_uid != geteuid())
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    bool refused =
        fd >= 0 && connect(fd, at->ai_addr, at->ai_addrlen) != 0 && errno == ECONNREFUSED;
    if (fd >= 0)
        close(fd);
    return refused;
}

/* The file gets the socket's mode when it is created: for its user only, unless others are allowed;
 * then the umask applies. */
static int bind_file(const struct addrinfo *at)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0 && fchmod(fd, weir_access_allows_users() ? 0666 : 0600) == 0 &&
        bind(fd, at->ai_addr, at->ai_addrlen) == 0)
        return fd;
    int why = errno;
    if (fd >= 0)
        close(fd);
    errno = why;
    return -1;
}

static int bind_anew(const struct addrinfo *at, const char *path)
{
    int fd = bind_file(at);
    if (fd >= 0 || errno != EADDRINUSE)
        return fd;
    if (!is_left_behind(at, path)) {
        errno = EADDRINUSE;
        return -1;
    }
    unlink(path);
    return bind_file(at);
}

/* Absolute, so that it can be removed after a change of the working directory. */
static char *whole_path(weir_str path)
{
    WEIR_BUF(whole);
    char here[PATH_MAX];
    if (path.at[0] != '/' && getcwd(here, sizeof here))
        weir_buf_addf(&whole, "%s/", here);
    weir_buf_add(&whole, path.at, path.length);
    return weir_buf_take(&whole);
}

static weir_status open_file(const char *place, weir_str path, weir_listener *out)
{
    struct addrinfo *at;
    int failed = weir_address_look_up(place, 0, &at);
    if (failed)
        return weir_error(WEIR_INVALID_ARGUMENT, "cannot listen on '%s': %s", place,
                          weir_address_error(failed));
    WEIR_FREED char *name = weir_strndup(path.at, path.length);
    int folder = lock_folder(name), fd = bind_anew(at, name), why = errno;
    struct stat about = {0};
    if (fd >= 0 && (listen(fd, BACKLOG) != 0 || lstat(name, &about) != 0)) {
        why = errno;
        unlink(name);
        close(fd);
        fd = -1;
    }
    weir_address_free(at);
    if (folder >= 0)
        close(folder);
    if (fd < 0)
        return cannot_listen(place, why);
    out->fd = fd;
    out->path = whole_path(path);
    out->device = about.st_dev;
    out->inode = about.st_ino;
    return WEIR_OK;
}

weir_status weir_listener_open(const char *place, int port, weir_listener *out)
{
    weir_str path = weir_address_path(weir_str_of(place ? place : ""));
    *out = (weir_listener){.fd = -1};
    return path.length ? open_file(place, path, out) : open_port(place, port, out);
}

void weir_listener_close(weir_listener *listener)
{
    struct stat about;
    if (listener->path && lstat(listener->path, &about) == 0 && about.st_dev == listener->device &&
        about.st_ino == listener->inode)
        unlink(listener->path);
    if (listener->fd >= 0)
        close(listener->fd);
    weir_free(listener->path);
    *listener = (weir_listener){.fd = -1};
}
