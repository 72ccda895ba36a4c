/* net/channel.h - a client's connection to one server: unary gRPC calls to one address.
 *
 * A channel connects when it is first used and again after a loss, with growing pauses (at most a
 * second). All channels of a process share one I/O thread; callbacks run on it, or on a thread that
 * waits for a call of the channel, and must not block. Thread-safe.
 *
 * A message is a head and, behind it, a payload that is shared rather than copied: the bytes of a
 * large tensor. On the wire they follow one another; the receiver of a message may say where the
 * payload begins, so that it lands aligned in a buffer of its own.
 */
#ifndef WEIR_NET_CHANNEL_H
#define WEIR_NET_CHANNEL_H

#include <stdatomic.h>

#include "base/cancel.h"
#include "base/str.h"
#include "memory/buffer.h"

typedef struct weir_rpc_message {
    weir_buf head;
    weir_buffer *payload; /* null: none; a reference is held */
    size_t payload_at;    /* offset of the payload's first byte in |payload| */
    size_t payload_bytes;
} weir_rpc_message;

void weir_rpc_message_fini(weir_rpc_message *message); /* frees the head, releases the payload */

typedef struct weir_channel weir_channel;

/* |address| is "host:port". Never fails: what is wrong with it is the status of its calls. */
weir_channel *weir_channel_open(const char *address);
/* Takes null. Calls in progress end as CANCELLED when the last reference goes. */
void weir_channel_release(weir_channel *channel);
const char *weir_channel_address(const weir_channel *channel);
/* Adds why the last attempt to connect failed, "Connection refused"; nothing when none did. */
void weir_channel_reason(weir_channel *channel, weir_buf *out);

typedef struct weir_channel_call {
    const char *path;          /* "/tensorflow.WorkerService/RunGraph"; must outlive the call */
    weir_rpc_message *request; /* taken over */
    int64_t timeout_ms;        /* 0: none. DEADLINE_EXCEEDED after it, and the server is told */
    bool wait_for_ready;       /* waits for a server that is not there instead of UNAVAILABLE */
    bool repeatable;           /* changes nothing: sent again when its connection is lost */
    weir_cancel *cancel;       /* ends the call (RST_STREAM) when fired; may be null; retained */
    /* Where the payload of an answer begins, from its first bytes (at most 512): 0 for no payload,
     * SIZE_MAX to be asked again with more. Null: the answer is all head. */
    size_t (*payload_offset)(weir_str first);
    /* The same of the messages of a stream. */
    size_t (*message_payload)(weir_str first);
    /* Called once, on the client I/O thread or one that waits (on this one when the call fails at
     * once). Takes over the status and the answer (empty unless the status is OK). */
    void (*done)(void *arg, weir_status status, weir_rpc_message *answer);
    /* Of a stream: called for every message that the server sends, before done, on the same thread.
     * Takes over the message. */
    void (*on_message)(void *arg, weir_str label, weir_rpc_message *message);
    void *arg;
} weir_channel_call;

void weir_channel_start(weir_channel *channel, const weir_channel_call *call);
/* The same, waited for; |call|'s done and arg are not used. */
WEIR_CHECKED weir_status weir_channel_wait(weir_channel *channel, const weir_channel_call *call,
                                           weir_rpc_message *out_answer);

/* What a caller makes of an answer that a reader of wire/messages.h failed on: INTERNAL, with the
 * method's name. OK stays OK. Takes the status over. */
WEIR_CHECKED weir_status weir_answer_parsed(weir_status read, const char *method);

/* Returns when |word|, which is 0 until then, was changed and weir_word_wake was called for it by a
 * callback of this channel. Meanwhile this thread receives what arrives and runs the callbacks of
 * all calls of the channel, so that no other thread has to wake up in between. */
void weir_channel_receive_until(weir_channel *channel, atomic_int *word);
/* From cork to uncork (or weir_channel_receive_until), what this thread sends wakes no receiver;
 * then each receiver is woken once. One of both must follow. */
void weir_channel_cork(void);
void weir_channel_uncork(void);

/* A stream: a call whose two ends send each other labelled messages until it is answered. Messages
 * arrive in the order in which they were sent, after the request and before the answer. Weir's
 * servers support streams, others do not. */
typedef struct weir_stream weir_stream;
/* Starts |call| as a stream. Null: it cannot be one now; nothing was started, and the request is
 * still the caller's. */
weir_stream *weir_channel_start_stream(weir_channel *channel, const weir_channel_call *call);
void weir_stream_release(weir_stream *stream); /* takes null; the call goes on */
/* Bytes that a message should have at most: a larger one arrives too, but is copied and delays
 * those behind it. */
size_t weir_stream_message_limit(const weir_stream *stream);
/* Messages that are sent to this process should be no larger; of connections and streams that begin
 * from now on. */
void weir_stream_accept(size_t bytes);
/* Sends a message, which is taken over. One for a call that has ended is dropped silently.
 * RESOURCE_EXHAUSTED: it is large and there is no shared memory for it. */
WEIR_CHECKED weir_status weir_stream_send(weir_stream *stream, weir_str label,
                                          weir_rpc_message *message);

#endif
