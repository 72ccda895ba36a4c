/* net/rpc.h - a gRPC server: unary calls over HTTP/2 on one port.
 *
 * One I/O thread reads and writes sockets; every call is handled on a thread of its own, which may
 * block indefinitely (a step can wait in a queue for hours). Messages may be as large as gRPC
 * allows (2 GiB).
 */
#ifndef WEIR_NET_RPC_H
#define WEIR_NET_RPC_H

#include "base/cancel.h"
#include "base/ref.h"
#include "base/str.h"
#include "net/channel.h"
#include "net/http.h"
#include "net/peer.h"

typedef struct weir_rpc weir_rpc; /* a received call that is not answered yet */

typedef struct weir_rpc_method {
    const char *path; /* "/tensorflow.MasterService/RunStep" */
    /* Must answer exactly once, by weir_rpc_reply, _reply_message or _fail, now or later, on any
     * thread. */
    void (*handle)(weir_rpc *call, void *ctx);
    bool quick;  /* never blocks and is short: called on the I/O thread */
    bool urgent; /* may end blocked calls: gets a thread even if its peer is at its limit */
    /* Offset of the payload in a stream's message, as in weir_channel_call; may be null. */
    size_t (*message_payload)(weir_str first);
} weir_rpc_method;

weir_str weir_rpc_request(const weir_rpc *call);   /* the message; valid until answered */
int64_t weir_rpc_timeout_ms(const weir_rpc *call); /* the caller's time limit; 0: none */
weir_peer *weir_rpc_peer(const weir_rpc *call);    /* the caller; owned by the call */
/* Continues the call by fn(arg) on a thread that may block: now, or when the call's peer has
 * fewer threads at work. RESOURCE_EXHAUSTED when no thread can be created: fn is not
 * called. */
WEIR_CHECKED weir_status weir_rpc_continue(weir_rpc *call, void (*fn)(void *arg), void *arg);
/* Fired when the caller cancels or disconnects, or its deadline passes. Owned by the
 * call. */
weir_cancel *weir_rpc_cancel(weir_rpc *call);
/* The answer is written on the calling thread if the connection accepts it at once. */
void weir_rpc_reply(weir_rpc *call, weir_buf *message); /* takes over the bytes */
/* The same with a payload, which is sent without a copy and must not change until then. */
void weir_rpc_reply_message(weir_rpc *call, weir_rpc_message *message); /* takes it over */
void weir_rpc_fail(weir_rpc *call, weir_status status); /* takes it over; its flags are sent, too */
/* Converts a parser's error (wire/messages.h) for a request: INTERNAL "Unable to parse request" and
 * the cause, as gRPC's servers do. OK stays OK. Takes the status over. */
WEIR_CHECKED weir_status weir_rpc_parsed(weir_status read);
/* Replies with |message| if |status| is OK, else fails. Takes over both. */
void weir_rpc_answer(weir_rpc *call, weir_status status, weir_buf *message);

/* ---- streams: calls whose two ends send each other messages until the answer ------------------
 */

bool weir_rpc_is_stream(const weir_rpc *call);
/* Called for a message that the caller sent; takes it over. */
typedef void weir_rpc_listener(weir_ref *arg, weir_str label, weir_rpc_message *message);
/* |listener| is called for every message of the caller, earlier ones included, in order and
 * one at a time, on the I/O thread or here, until the answer. |arg| is retained until
 * then. */
void weir_rpc_listen_to(weir_rpc *call, weir_rpc_listener *listener, weir_ref *arg);
/* Sends a message, which is taken over; see weir_stream_send. The caller must have retained the
 * call by weir_rpc_retain, or not have answered it. */
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
    const weir_http_site *http; /* serves HTTP/1.1 on the same port; null: off */
} weir_rpc_options;

WEIR_CHECKED weir_status weir_rpc_listen(const weir_rpc_options *options,
                                         weir_rpc_server **out_server);
int weir_rpc_port(const weir_rpc_server *server); /* the bound one; 0: only files */
/* Stops listening, cancels the calls in progress and waits until all are answered. */
void weir_rpc_server_destroy(weir_rpc_server *server);

#endif
