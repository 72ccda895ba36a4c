/* net/ucx_none.c - replaces ucx.c in a build without UCX's headers. */
#include "net/ucx_impl.h"

bool weir_ucx_start(void)
{
    return false;
}

weir_str weir_ucx_address(void)
{
    return WEIR_STR("");
}

unsigned weir_ucx_version(void)
{
    return 0;
}

weir_ucx_peer *weir_ucx_connect(weir_str address, void (*broken)(weir_ref *owner), weir_ref *owner)
{
    return NULL;
}

bool weir_ucx_send(weir_ucx_peer *peer, uint64_t id, weir_buffer *payload, size_t at, size_t bytes)
{
    return false;
}

void weir_ucx_close(weir_ucx_peer *peer)
{
}
