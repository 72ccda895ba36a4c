/* net/ucx_impl.h - large payloads by UCX, between hosts.
 *
 * Calls and heads of answers use gRPC; a large payload is transferred from buffer to buffer by the
 * best transport that UCX finds (RDMA, TCP). The UCX library is opened on first use (ucx.c); in a
 * build without its headers ucx_none.c takes its place. One thread per process owns all of it and
 * sleeps when there is nothing to transfer.
 *
 * Thread-safe; its own lock is acquired last.
 */
#ifndef WEIR_NET_UCX_IMPL_H
#define WEIR_NET_UCX_IMPL_H

#include "base/str.h"
#include "memory/buffer.h"

#define WEIR_UCX_OPEN "/weir.Transport/Ucx" /* the request is a hello, the answer empty */
#define WEIR_PAYLOAD_HEADER "weir-payload"  /* of a request: the id; of an answer: the size */

enum {
    WEIR_UCX_MIN_BYTES = 256 << 10,  /* smaller payloads use gRPC */
    WEIR_UCX_MAX_ADDRESS = 64 << 10, /* bytes of a peer's address */
    WEIR_UCX_PROBE = 64,             /* bytes of the payload that tests whether UCX works */
};

/* ---- ucx.c or ucx_none.c -------------------------------------------------------------------- */

/* Opens the library and starts the thread, once; may take a while. False: calls use gRPC. */
bool weir_ucx_start(void);
weir_str weir_ucx_address(void); /* of this process, once started */
unsigned weir_ucx_version(void); /* both ends must have the same */

/* A receiver of payloads. */
typedef struct weir_ucx_peer weir_ucx_peer;
/* Never fails: errors show when something is sent. |broken|(owner) is called on UCX's thread
 * when a payload was lost after others had arrived; |owner| is retained until the peer is
 * closed. */
weir_ucx_peer *weir_ucx_connect(weir_str address, void (*broken)(weir_ref *owner), weir_ref *owner);
/* False: the peer is known to be broken. Retains the buffer until it is sent. */
bool weir_ucx_send(weir_ucx_peer *peer, uint64_t id, weir_buffer *payload, size_t at, size_t bytes);
void weir_ucx_close(weir_ucx_peer *peer); /* drops what is not sent yet; takes null */

/* ---- ucx_open.c: negotiation ------------------------------------------------------------------
 */

/* Whether this process uses it with a peer on its own host or on another one. */
bool weir_ucx_enabled(bool same_host);
/* A client's hello: first only its host, later also its address and the probe's id. */
void weir_ucx_hello(bool with_address, uint64_t probe, weir_buf *out);
/* A server's response to it: an error, or a peer (null when no address was given), to which the
 * probe is sent. May block for a while. */
WEIR_CHECKED weir_status weir_ucx_accept(weir_str request, void (*broken)(weir_ref *owner),
                                         weir_ref *owner, weir_ucx_peer **out_peer);

#endif
