/* net/tls_impl.h - a TLS connection as a plain socket.
 *
 * A link is a thread that owns the socket to the peer and one end of a socket pair; the owner of
 * the pair's other end sends and receives plain bytes, unaware of TLS.
 */
#ifndef WEIR_NET_TLS_IMPL_H
#define WEIR_NET_TLS_IMPL_H

#include <stdint.h>
#include <stdio.h>

#include "base/ref.h"
#include "base/str.h"
#include "net/peer.h"
#include "net/tls.h"

enum {
    SSL_FILE_PEM = 1,
    SSL_SET_MIN_VERSION = 123,
    SSL_TLS_1_2 = 0x0303,
    SSL_SET_MODE = 33,
    SSL_MODES = 1 | 2 | 4 | 16, /* partial writes, moving buffers, automatic retries, small idle */
    SSL_SET_HOST_NAME = 55,
    SSL_FAILED = 1,
    SSL_WANT_READ = 2,
    SSL_WANT_WRITE = 3,
    SSL_CLOSED = 6,
    SSL_DEMAND_CERT = 1 | 2,
    SSL_VERIFY_PEER_ONLY = 1,
    SSL_ALPN_FAILED = 2,
    SSL_NO_ATEXIT = 0x00080000,
};

/* The functions of openssl.inc. */
typedef struct weir_openssl {
#define WEIR_SSL(result, name, arguments) result(*name) arguments;
#include "net/openssl.inc"
#undef WEIR_SSL
} weir_openssl;

const weir_openssl *weir_openssl_get(void); /* null: no libssl */
/* A connection with the current certificates; null: there are none. */
void *weir_tls_new(bool server);

typedef struct weir_tls_link weir_tls_link;

/* Both take over |fd| and return the plain end, or -1 with errno. A server's |peer| is marked as
 * certified when its certificate is accepted, before any byte arrives. */
int weir_tls_accept(int fd, weir_peer *peer);
int weir_tls_connect(int fd, const char *host, weir_tls_link **out_link);
/* Appends the cause of a failed connection; nothing when there is none. True: permanent, one end
 * rejects the other; false: a retry may succeed. */
bool weir_tls_link_error(weir_tls_link *link, weir_buf *out);
void weir_tls_link_release(weir_tls_link *link); /* takes null */

#endif
