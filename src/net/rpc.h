/* net/rpc.h - a gRPC server: unary calls over HTTP/2 on one port.
 *
 * One I/O thread reads and writes sockets; every call is handled on a thread of its own, which may
 * block as long as it likes (a step can wait in a queue for hours). Messages may be as large as
 * gRPC allows (2 GiB).
 */
#ifndef WEIR_NET_RPC_H
#define WEIR_NET_RPC_H

#include "base/cancel.h"
#include "base/ref.h"
#include "base/str.h"
#include "net/channel.h"
#include "net/http.h"
#include "net/peer.h"

typedef struct weir_rpc weir_rpc; /* a call that was received and not answered yet */

typedef struct weir_rpc_method {
    const char *path; /* "/tensorflow.MasterService/RunStep" */
    /* Must answer exactly once, by weir_rpc_reply, _reply_message or _fail, now or later, on any
     * thread. */
    void (*handle)(weir_rpc *call, void *ctx);
    bool quick;  /* the handler never blocks and is short: the I/O thread calls it itself */
    bool urgent; /* it may end calls that block: it has a thread when its peer may have no more */
    /* Where the payload of a stream's message begins, as for a weir_channel_call; may be null. */
    size_t (*message_payload)(weir_str first);
} weir_rpc_method;

weir_str weir_rpc_request(const weir_rpc *call);   /* the message; valid until answered */
int64_t weir_rpc_timeout_ms(const weir_rpc *call); /* what the caller allows for it; 0: no limit */
weir_peer *weir_rpc_peer(const weir_rpc *call);    /* who calls; the call's */
/* Has a thread that may block call fn(arg), which goes on with the call: now, or when the call's
 * peer has fewer of them at work. RESOURCE_EXHAUSTED when the system has no thread: fn is not
 * called. */
WEIR_CHECKED weir_status weir_rpc_continue(weir_rpc *call, void (*fn)(void *arg), void *arg);
/* Fired when the caller gives up: it cancelled, disconnected, or its deadline passed. Owned by the
 * call. */
weir_cancel *weir_rpc_cancel(weir_rpc *call);
/* The answer is written on the calling thread when the connection accepts it at once. */
void weir_rpc_reply(weir_rpc *call, weir_buf *message); /* takes over the bytes */
/* The same with a payload, which is sent from where it lies and must not change until then. */
void weir_rpc_reply_message(weir_rpc *call, weir_rpc_message *message); /* takes it over */
void weir_rpc_fail(weir_rpc *call, weir_status status); /* takes it over; its marks travel too */
/* What a handler answers when a reader of wire/messages.h failed on its request: INTERNAL "Unable
 * to parse request" and why, as gRPC's servers do. OK stays OK. Takes the status over. */
WEIR_CHECKED weir_status weir_rpc_parsed(weir_status read);
/* The one or the other: |message| when |status| is OK. Takes over both. */
void weir_rpc_answer(weir_rpc *call, weir_status status, weir_buf *message);

/* ---- streams: calls whose two ends send each other messages until the answer ------------------
 */

bool weir_rpc_is_stream(const weir_rpc *call);
/* Called for a message that the caller sent; takes it over. */
typedef void weir_rpc_listener(weir_ref *arg, weir_str label, weir_rpc_message *message);
/* |listener| is called for every message of the caller, those that came before included, in their
 * order and one at a time, on the I/O thread or here, until the answer. |arg| is retained until
 * then. */
void weir_rpc_listen_to(weir_rpc *call, weir_rpc_listener *listener, weir_ref *arg);
/* Sends a message, which is taken over; see weir_stream_send. The caller holds the call by
 * weir_rpc_retain, or has not answered it. */
WEIR_CHECKED weir_status weir_rpc_send_message(weir_rpc *call, weir_str label,
                                               weir_rpc_message *message);
size_t weir_rpc_message_limit(const weir_rpc *call); /* see weir_stream_message_limit */
weir_rpc *weir_rpc_retain(weir_rpc *call);
void weir_rpc_release(weir_rpc *call); /* takes null */

typedef struct weir_rpc_server weir_rpc_server;

typedef struct weir_rpc_options {
    const char *host; /* addresses to listen on, or "unix:path", with commas; null: loopback */
    int port;         /* 0: any free one */
    const weir_rpc_method *methods;
    size_t method_count;
    void *ctx;
    const weir_http_site *http; /* answers HTTP/1.1 on the same port; null: nobody does */
} weir_rpc_options;

WEIR_CHECKED weir_status weir_rpc_listen(const weir_rpc_options *options,
                                         weir_rpc_server **out_server);
int weir_rpc_port(const weir_rpc_server *server); /* the bound one; 0: only files */
/* Stops listening, cancels the calls in progress, waits until all are answered and ends. */
void weir_rpc_server_destroy(weir_rpc_server *server);

#endif
