/* net/ucx_impl.h - large payloads by UCX, between hosts.
 *
 * Calls and heads of answers stay with gRPC; a large payload is transferred from where it lies to
 * where it belongs by whatever UCX finds between the two (RDMA, TCP). UCX is a library that is
 * opened when first needed (ucx.c); in a build without its headers ucx_none.c takes its place. One
 * thread per process owns all of it and sleeps when there is nothing to transfer.
 *
 * Thread-safe; a lock of its own is the last to be taken.
 */
#ifndef WEIR_NET_UCX_IMPL_H
#define WEIR_NET_UCX_IMPL_H

#include "base/str.h"
#include "memory/buffer.h"

#define WEIR_UCX_OPEN "/weir.Transport/Ucx" /* the request is a hello, the answer empty */
#define WEIR_PAYLOAD_HEADER "weir-payload"  /* of a request: the number; of an answer: the bytes */

enum {
    WEIR_UCX_MIN_BYTES = 256 << 10,  /* smaller payloads stay with gRPC */
    WEIR_UCX_MAX_ADDRESS = 64 << 10, /* bytes of a peer's address */
    WEIR_UCX_PROBE = 64,             /* bytes of the payload that shows whether UCX works */
};

/* ---- ucx.c or ucx_none.c -------------------------------------------------------------------- */

/* Opens the library and starts the thread, once; may take a while. False: calls stay with gRPC. */
bool weir_ucx_start(void);
weir_str weir_ucx_address(void); /* of this process, once started */
unsigned weir_ucx_version(void); /* both ends must have the same */

/* A receiver of payloads. */
typedef struct weir_ucx_peer weir_ucx_peer;
/* Never fails: what is wrong with it shows when something is sent. |broken|(owner) is called on
 * UCX's thread when a payload was lost after others had arrived; |owner| is retained until the peer
 * is closed. */
weir_ucx_peer *weir_ucx_connect(weir_str address, void (*broken)(weir_ref *owner), weir_ref *owner);
/* False: the peer is known to be broken. Holds the buffer until it is sent. */
bool weir_ucx_send(weir_ucx_peer *peer, uint64_t id, weir_buffer *payload, size_t at, size_t bytes);
void weir_ucx_close(weir_ucx_peer *peer); /* what is not sent yet is dropped; takes null */

/* ---- ucx_open.c: how two processes agree on it ------------------------------------------------
 */

/* Whether this process uses it with a peer, of its own host or of another. */
bool weir_ucx_enabled(bool same_host);
/* A client's hello: first only its host, then its address and the probe's number as well. */
void weir_ucx_hello(bool with_address, uint64_t probe, weir_buf *out);
/* A server's answer to it: an error, or a peer (null when no address was given), to which the probe
 * is sent. May block for a while. */
WEIR_CHECKED weir_status weir_ucx_accept(weir_str request, void (*broken)(weir_ref *owner),
                                         weir_ref *owner, weir_ucx_peer **out_peer);

#endif
