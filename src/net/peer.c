/* net/peer.c - the clients of a server's connections. */
#include "net/peer.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

static void destroy(weir_ref *ref)
{
    weir_free(ref);
}

weir_peer *weir_peer_create(void)
{
    weir_peer *peer = WEIR_NEW(weir_peer);
    weir_ref_init(&peer->ref, destroy);
    peer->held_end = &peer->held;
    return peer;
}

weir_peer *weir_peer_retain(weir_peer *peer)
{
    if (peer)
        weir_ref_retain(&peer->ref);
    return peer;
}

void weir_peer_release(weir_peer *peer)
{
    if (peer)
        weir_ref_release(&peer->ref);
}

bool weir_peer_is_self(int fd)
{
    struct ucred who;
    socklen_t length = sizeof who;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 &&
           (who.uid == geteuid() || who.uid == 0);
}

int64_t weir_peer_gone_for(const weir_peer *peer)
{
    int64_t since = atomic_load(&((weir_peer *)peer)->gone_ns);
    return since ? weir_now_ns() - since + 1 : 0;
}

bool weir_peer_same_host(const weir_peer *one, const weir_peer *other)
{
    return (one->local && other->local) || strcmp(one->address, other->address) == 0;
}

bool weir_peer_same_client(const weir_peer *one, const weir_peer *other)
{
    uint64_t client = atomic_load(&((weir_peer *)one)->client);
    return one == other || (client && client == atomic_load(&((weir_peer *)other)->client));
}
