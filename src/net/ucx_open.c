/* net/ucx_open.c - how two processes negotiate UCX.
 *
 * A client sends two requests. The first has only its host, so that a server without UCX, or on the
 * same host, can decline before anything is started. The second has its address and a probe's id;
 * UCX is used once the probe has arrived, which proves that it works in both directions.
 */
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/env.h"
#include "net/ucx_impl.h"
#include "wire/messages.h"

/* UCX over TCP uses more processor time than gRPC: use it only where it bypasses the kernel. */
static bool has_rdma(void)
{
    DIR *devices = opendir("/sys/class/infiniband");
    const struct dirent *entry = NULL;
    while (devices && (entry = readdir(devices)) && entry->d_name[0] == '.')
        ;
    if (devices)
        closedir(devices);
    return entry != NULL;
}

/* If shm is disabled, ucx is used within a host as well. */
bool weir_ucx_enabled(bool same_host)
{
    const char *transports = weir_env_get()->transports;
    if (!transports)
        return !same_host && has_rdma();
    return strstr(transports, "ucx") && (!same_host || !strstr(transports, "shm"));
}

/* An id common to all processes of a host, regardless of namespaces. */
static weir_str this_host(char room[64])
{
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, room, 64) : 0;
    if (fd >= 0)
        close(fd);
    return (weir_str){room, got > 0 ? (size_t)got : 0};
}

void weir_ucx_hello(bool with_address, uint64_t probe, weir_buf *out)
{
    char room[64];
    weir_msg_ucx_hello hello = {.host = this_host(room)};
    if (with_address) {
        hello.version = weir_ucx_version();
        hello.address = weir_ucx_address();
        hello.probe = probe;
    }
    weir_msg_ucx_hello_write(&hello, out);
}

static weir_status send_probe(weir_ucx_peer *peer, uint64_t id)
{
    weir_buffer *probe;
    WEIR_TRY(weir_buffer_alloc(WEIR_UCX_PROBE, &probe));
    memset(probe->data, 0, WEIR_UCX_PROBE);
    weir_ucx_send(peer, id, probe, 0, WEIR_UCX_PROBE);
    weir_buffer_release(probe);
    return WEIR_OK;
}

weir_status weir_ucx_accept(weir_str request, void (*broken)(weir_ref *owner), weir_ref *owner,
                            weir_ucx_peer **out_peer)
{
    char room[64];
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_ucx_hello hello;
    *out_peer = NULL;
    WEIR_TRY(weir_msg_ucx_hello_read(request, &arena, &hello));
    if (hello.address.length > WEIR_UCX_MAX_ADDRESS)
        return weir_error(WEIR_INVALID_ARGUMENT, "a UCX address of %zu bytes is too long",
                          hello.address.length);
    if (!weir_ucx_enabled(weir_str_eq(hello.host, this_host(room))) || !weir_ucx_start())
        return weir_error_text(WEIR_UNIMPLEMENTED, "", 0);
    if (!hello.address.length)
        return WEIR_OK;
    if (hello.version != weir_ucx_version())
        return weir_error(WEIR_UNIMPLEMENTED, "UCX of version %llx, not %x",
                          (unsigned long long)hello.version, weir_ucx_version());
    *out_peer = weir_ucx_connect(hello.address, broken, owner);
    return send_probe(*out_peer, hello.probe);
}
