/* net/shm_handshake.c - opening a shm transport: two processes exchange descriptors over a unix
 * socket.
 *
 * The client receives the socket's random name by gRPC, together with a token that identifies the
 * transport's connection. Both ends must run as the same user.
 */
#include "net/shm_handshake_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/env.h"
#include "memory/shared.h"

enum { TIMEOUT_S = 2 };

bool weir_shm_enabled(void)
{
    const char *transports = weir_env_get()->transports;
    return !transports || strstr(transports, "shm");
}

/* ---- sockets -------------------------------------------------------------------------------- */

static socklen_t abstract_name(struct sockaddr_un *address, weir_str name)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX}; /* a first byte of 0: abstract */
    size_t length =
        name.length < sizeof address->sun_path - 1 ? name.length : sizeof address->sun_path - 1;
    memcpy(address->sun_path + 1, name.at, length);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

uint64_t weir_random_token(void)
{
    uint64_t value = 0;
    while (getrandom(&value, sizeof value, 0) != sizeof value && errno == EINTR)
        ;
    return value;
}

int weir_shm_listen(char name[WEIR_SHM_NAME])
{
    struct sockaddr_un address;
    snprintf(name, WEIR_SHM_NAME, "weir-shm-%016llx%016llx",
             (unsigned long long)weir_random_token(), (unsigned long long)weir_random_token());
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    socklen_t length = abstract_name(&address, weir_str_of(name));
    if (fd >= 0 && (bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, 64) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

bool weir_shm_same_user(int fd)
{
    struct ucred who;
    socklen_t length = sizeof who;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 && who.uid == geteuid();
}

/* ---- hellos --------------------------------------------------------------------------------- */

static bool send_hello(int fd, uint64_t token, const int *fds, int count)
{
    struct {
        uint64_t magic, token, shared_bytes;
    } hello = {WEIR_SHM_MAGIC, token, weir_shared_bytes()};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int) * WEIR_SHM_FDS)];
    } control = {0};
    struct iovec vector = {&hello, sizeof hello};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count)};
    struct cmsghdr *control_header = CMSG_FIRSTHDR(&message);
    control_header->cmsg_level = SOL_SOCKET;
    control_header->cmsg_type = SCM_RIGHTS;
    control_header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
    memcpy(CMSG_DATA(control_header), fds, sizeof(int) * (size_t)count);
    return sendmsg(fd, &message, MSG_NOSIGNAL) == sizeof hello;
}

void weir_shm_hello_fini(weir_shm_hello *hello)
{
    for (int i = 0; i < WEIR_SHM_FDS; i++)
        if (hello->fds[i] >= 0)
            close(hello->fds[i]);
}

static void take_fds(struct msghdr *message, weir_shm_hello *out)
{
    int count = 0;
    for (struct cmsghdr *control_header = CMSG_FIRSTHDR(message); control_header;
         control_header = CMSG_NXTHDR(message, control_header)) {
        if (control_header->cmsg_level != SOL_SOCKET || control_header->cmsg_type != SCM_RIGHTS)
            continue;
        size_t size = (control_header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < size && count < WEIR_SHM_FDS; i++)
            memcpy(&out->fds[count++], CMSG_DATA(control_header) + i * sizeof(int), sizeof(int));
    }
}

bool weir_shm_hello_receive(int fd, int count, weir_shm_hello *out)
{
    uint64_t hello[3] = {0};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int) * WEIR_SHM_FDS)];
    } control;
    struct iovec vector = {hello, sizeof hello};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    for (int i = 0; i < WEIR_SHM_FDS; i++)
        out->fds[i] = -1;
    ssize_t got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    if (got > 0)
        take_fds(&message, out);
    out->token = hello[1];
    out->shared_bytes = (size_t)hello[2];
    bool ok = got == sizeof hello && hello[0] == WEIR_SHM_MAGIC && weir_shm_same_user(fd) &&
              out->fds[count - 1] >= 0;
    if (!ok)
        weir_shm_hello_fini(out);
    return ok;
}

/* ---- the two ends --------------------------------------------------------------------------- */

static void *map_rings(int fd)
{
    return mmap(NULL, 2 * RING_SPAN, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static int make_rings(void)
{
    int fd = memfd_create("weir-shm", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && (ftruncate(fd, 2 * RING_SPAN) != 0 || fchmod(fd, S_IRUSR | S_IWUSR) != 0 ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static int dial(weir_str name)
{
    struct sockaddr_un address;
    struct timeval timeout = {.tv_sec = TIMEOUT_S};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    socklen_t length = abstract_name(&address, name);
    if (fd >= 0 &&
        (connect(fd, (struct sockaddr *)&address, length) != 0 || !weir_shm_same_user(fd))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

weir_shm *weir_shm_connect(weir_str name, uint64_t token)
{
    weir_shm *shm = NULL;
    weir_shm_hello hello;
    if (!weir_shared_on())
        return NULL;
    int fd = dial(name), rings = make_rings(), wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    void *at = rings >= 0 ? map_rings(rings) : MAP_FAILED;
    int fds[] = {rings, weir_shared_fd(), wake};
    if (fd >= 0 && at != MAP_FAILED && wake >= 0 && send_hello(fd, token, fds, 3) &&
        weir_shm_hello_receive(fd, 2, &hello)) {
        shm = weir_shm_create(at, true, wake, hello.fds[1], hello.fds[0], hello.shared_bytes);
    } else {
        if (at != MAP_FAILED)
            munmap(at, 2 * RING_SPAN);
        if (wake >= 0)
            close(wake);
    }
    if (rings >= 0)
        close(rings);
    if (fd >= 0)
        close(fd);
    return shm;
}

static bool good_rings(int fd)
{
    int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_SHRINK) && lseek(fd, 0, SEEK_END) == 2 * RING_SPAN;
}

weir_shm *weir_shm_accept(int fd, weir_shm_hello *hello)
{
    void *at = MAP_FAILED;
    int wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (weir_shared_on() && good_rings(hello->fds[0]))
        at = map_rings(hello->fds[0]);
    int fds[] = {weir_shared_fd(), wake};
    if (at == MAP_FAILED || wake < 0 || !send_hello(fd, hello->token, fds, 2)) {
        if (at != MAP_FAILED)
            munmap(at, 2 * RING_SPAN);
        if (wake >= 0)
            close(wake);
        weir_shm_hello_fini(hello);
        return NULL;
    }
    close(hello->fds[0]);
    return weir_shm_create(at, false, wake, hello->fds[2], hello->fds[1], hello->shared_bytes);
}
