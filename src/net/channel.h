/* net/channel.h - a client's connection to one server: unary gRPC calls to one address.
 *
 * A channel connects on first use and reconnects after a loss, with exponential back-off (at most a
 * second). All channels of a process share one I/O thread; callbacks run on it, or on a thread that
 * waits for a call of the channel, and must not block. Thread-safe.
 *
 * A message is a head followed by a payload that is shared rather than copied: the bytes of a large
 * tensor. On the wire they are contiguous; the receiver of a message may determine where the
 * payload begins, so that it is received aligned into a buffer of its own.
 */
#ifndef WEIR_NET_CHANNEL_H
#define WEIR_NET_CHANNEL_H

#include <stdatomic.h>

#include "base/cancel.h"
#include "base/str.h"
#include "memory/buffer.h"

typedef struct weir_rpc_message {
    weir_buf head;
    weir_buffer *payload; /* null: none; retained */
    size_t payload_at;    /* offset of the payload's first byte in |payload| */
    size_t payload_bytes;
} weir_rpc_message;

void weir_rpc_message_fini(weir_rpc_message *message); /* frees the head, releases the payload */

typedef struct weir_channel weir_channel;

/* |address| is "host:port". Never fails: calls report errors in the address. */
weir_channel *weir_channel_open(const char *address);
/* Takes null. The last release cancels the calls in progress (CANCELLED). */
void weir_channel_release(weir_channel *channel);
/* Appends the last error of connecting, "Connection refused"; nothing if there was none. */
void weir_channel_reason(weir_channel *channel, weir_buf *out);

typedef struct weir_channel_call {
    const char *path;          /* "/tensorflow.WorkerService/RunGraph"; must outlive the call */
    weir_rpc_message *request; /* taken over */
    int64_t timeout_ms;        /* after it DEADLINE_EXCEEDED, and the server is notified; 0: none */
    bool wait_for_ready;       /* waits for an unreachable server instead of UNAVAILABLE */
    bool repeatable;           /* idempotent: retried when its connection is lost */
    weir_cancel *cancel;       /* cancels the call (RST_STREAM) when fired; may be null; retained */
    /* The offset of the payload in an answer, from its first bytes (at most 512): 0 for no payload,
     * SIZE_MAX to be called again with more. Null: the answer is all head. */
    size_t (*payload_offset)(weir_str first);
    /* The same for the messages of a stream. */
    size_t (*message_payload)(weir_str first);
    /* Called once, on the client I/O thread or a waiting one (on the caller's when the call fails
     * at once). Takes over the status and the answer (empty unless the status is OK). */
    void (*done)(void *arg, weir_status status, weir_rpc_message *answer);
    /* For a stream: called for every message of the server, before done, on the same thread. Takes
     * over the message. */
    void (*on_message)(void *arg, weir_str label, weir_rpc_message *message);
    void *arg;
} weir_channel_call;

void weir_channel_start(weir_channel *channel, const weir_channel_call *call);
/* The same, synchronously; |call|'s done and arg are not used. */
WEIR_CHECKED weir_status weir_channel_wait(weir_channel *channel, const weir_channel_call *call,
                                           weir_rpc_message *out_answer);

/* Converts a parser's error (wire/messages.h) for an answer: INTERNAL, with the method's name. OK
 * stays OK. Takes the status over. */
WEIR_CHECKED weir_status weir_answer_parsed(weir_status read, const char *method);

/* Returns when a callback of this channel has changed |word|, which is 0 until then, and called
 * weir_word_wake for it. Meanwhile this thread receives and runs the callbacks of all calls of the
 * channel, which saves waking another thread. */
void weir_channel_receive_until(weir_channel *channel, atomic_int *word);
/* Between cork and uncork (or weir_channel_receive_until), this thread's sends wake no receiver;
 * then each receiver is woken once. Each cork needs one of the two. */
void weir_channel_cork(void);
void weir_channel_uncork(void);

/* A stream: a call whose two ends exchange labelled messages until it is answered. Messages
 * arrive in order, after the request and before the answer. Only Weir's servers support
 * streams. */
typedef struct weir_stream weir_stream;
/* Starts |call| as a stream. Null: not possible now; nothing was started, and the caller keeps the
 * request. */
weir_stream *weir_channel_start_stream(weir_channel *channel, const weir_channel_call *call);
void weir_stream_release(weir_stream *stream); /* takes null; the call continues */
/* Recommended maximum size of a message: a larger one is delivered too, but is copied and delays
 * those behind it. */
size_t weir_stream_message_limit(const weir_stream *stream);
/* Sets the recommended maximum size of messages to this process, for connections and streams that
 * are opened from now on. */
void weir_stream_accept(size_t bytes);
/* Sends a message, which is taken over. After the end of the call it is dropped silently.
 * RESOURCE_EXHAUSTED: it is large and there is no shared memory for it. */
WEIR_CHECKED weir_status weir_stream_send(weir_stream *stream, weir_str label,
                                          weir_rpc_message *message);

#endif
