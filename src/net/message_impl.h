/* net/message_impl.h - gRPC messages that are received or sent in pieces. Pure. */
#ifndef WEIR_NET_MESSAGE_IMPL_H
#define WEIR_NET_MESSAGE_IMPL_H

#include "base/mem.h"
#include "base/ref.h"
#include "net/channel.h"

enum {
    GRPC_PREFIX = 5, /* a flag and the length, before each message */
    MAX_MESSAGE_BYTES = INT32_MAX,
};

/* Releases a payload where a lock may be held. The callback of a wrapped buffer may run the rest of
 * a step, which answers other calls of the same connection: it is called on another thread. Takes
 * null. */
void weir_payload_release_later(weir_buffer *payload);

/* A message that is being received. Zero all but |labelled| and |payload_offset| at first. */
typedef struct weir_incoming {
    uint8_t prefix[GRPC_PREFIX];
    size_t have;   /* bytes so far, including the prefix */
    size_t length; /* of the message, once the prefix was received */
    size_t ask_at; /* payload_offset is called at so many bytes; SIZE_MAX: no more */
    bool compressed;
    bool labelled;                            /* a message of a stream: starts with its label */
    size_t (*payload_offset)(weir_str first); /* may be null */
    weir_rpc_message message;
} weir_incoming;

/* Appends bytes. Fails when the message is too large, longer than announced, or memory is
 * exhausted. */
WEIR_CHECKED weir_status weir_incoming_add(weir_incoming *incoming, const uint8_t *bytes,
                                           size_t count);
/* The same for a sequence of messages: consumes only this one's bytes, and returns their number. */
WEIR_CHECKED weir_status weir_incoming_take(weir_incoming *incoming, const uint8_t *bytes,
                                            size_t count, size_t *out_taken);
/* The destination of the message's next bytes, and its size; null when not known. Bytes added from
 * there are not copied. */
uint8_t *weir_incoming_place(const weir_incoming *incoming, size_t *out_room);
/* True when one complete, uncompressed message was received. */
bool weir_incoming_whole(const weir_incoming *incoming);
void weir_incoming_fini(weir_incoming *incoming);

/* A payload of a stream's message, sent without a copy. */
typedef struct weir_lent_payload {
    weir_ref ref;
    weir_buffer *payload;
} weir_lent_payload;

/* A run of appended bytes: a payload in its buffer, or copied bytes. */
typedef struct weir_outgoing_part {
    weir_lent_payload *payload; /* null: copied bytes, ... */
    size_t at;                  /* ... from this offset in |appended|, or in the payload */
    size_t length;
} weir_outgoing_part;
typedef WEIR_VEC(weir_outgoing_part) weir_vec_of_parts;

/* A message that is being sent, and for a stream those that follow it. Shared by its call and the
 * pieces in the send queue. */
typedef struct weir_outgoing {
    weir_ref ref;
    uint8_t prefix[GRPC_PREFIX];
    weir_rpc_message message;
    size_t whole;       /* bytes of the first message: prefix, head and payload; 0: there is none */
    size_t total;       /* including those that were appended */
    size_t planned;     /* announced to nghttp2 */
    size_t sent;        /* passed to the socket's queue */
    bool open;          /* a stream: more may be appended */
    bool in_line;       /* it is in the queue of large messages */
    bool answer;        /* trailers follow, ... */
    weir_status status; /* ... with this status */
    weir_buf appended;  /* messages that are not all sent, without the payloads that are lent */
    weir_vec_of_parts parts; /* what they consist of, those from |part_at| on */
    size_t part_at;          /* the first that is not all sent; those before it were let go */
    size_t from;             /* the offset in the total of that part */
} weir_outgoing;

weir_outgoing *weir_outgoing_create(weir_rpc_message *message); /* takes the message over */
weir_outgoing *weir_outgoing_create_open(void);                 /* without a first message */
/* Appends a message of a stream with its label, or its answer: a varint, which is 0 for the answer
 * and else the label's length + 1; the label; the message's head and payload. Small payloads are
 * copied, others are retained until they are sent. False: too large. */
bool weir_outgoing_add_message(weir_outgoing *outgoing, weir_str label,
                               const weir_rpc_message *message);
bool weir_outgoing_add_answer(weir_outgoing *outgoing, const weir_rpc_message *message);
/* Removes that prefix from a message of a stream. False: it is malformed. |out_answer|: it has no
 * label; else the label is copied. */
bool weir_incoming_label(weir_rpc_message *message, bool *out_answer, weir_buf *out_label);
/* The longest contiguous run of bytes at |outgoing->sent|, at most |most|. |out_hold| keeps them
 * valid; null: valid until the next message. */
weir_str weir_outgoing_piece(weir_outgoing *outgoing, size_t most, weir_ref **out_hold);
/* The next |length| bytes were copied, or what holds them was retained. */
void weir_outgoing_pass(weir_outgoing *outgoing, size_t length);

/* A received message of a stream that is not delivered yet. */
typedef struct weir_stream_message {
    void *call; /* the owner's; retained */
    weir_buf label;
    weir_rpc_message message;
} weir_stream_message;
/* Frees label and message. */
void weir_stream_message_fini(weir_stream_message *received);

static inline size_t weir_rpc_message_bytes(const weir_rpc_message *message)
{
    return message->head.length + (message->payload ? message->payload_bytes : 0);
}
/* Splits |message| at the receiver's payload offset. */
WEIR_CHECKED weir_status weir_rpc_message_split(weir_rpc_message *message,
                                                size_t (*payload_offset)(weir_str first));
/* Moves the payload to the end of the head. */
WEIR_CHECKED weir_status weir_rpc_message_flatten(weir_rpc_message *message);

#endif
