/* net/message_impl.h - gRPC messages on their way: coming in by pieces, going out by pieces. */
#ifndef WEIR_NET_MESSAGE_IMPL_H
#define WEIR_NET_MESSAGE_IMPL_H

#include "base/ref.h"
#include "net/channel.h"

enum {
    GRPC_PREFIX = 5, /* a flag and the length, before each message */
    MAX_MESSAGE_BYTES = INT32_MAX,
};

/* A message that is being received. Zeroed but for |payload_offset| at first. */
typedef struct weir_incoming {
    uint8_t prefix[GRPC_PREFIX];
    size_t have;   /* bytes so far, the prefix among them */
    size_t length; /* of the message, once the prefix is there */
    size_t ask_at; /* payload_offset is asked when so much of the message is there; SIZE_MAX: no
                      more */
    bool compressed;
    size_t (*payload_offset)(weir_str first); /* may be null */
    weir_rpc_message m;
} weir_incoming;

/* More bytes. An error when the message cannot be taken: too large, no memory, more than it said.
 */
WEIR_CHECKED weir_status weir_incoming_add(weir_incoming *in, const uint8_t *bytes, size_t count);
/* The same for a run of several messages: takes no more than this one, and tells how much. */
WEIR_CHECKED weir_status weir_incoming_take(weir_incoming *in, const uint8_t *bytes, size_t count,
                                            size_t *out_taken);
/* Where the next bytes of the message will lie, and how many of them; null when that is not known.
 * Bytes that are added from there are not copied. */
uint8_t *weir_incoming_place(const weir_incoming *in, size_t *out_room);
/* True when one whole, uncompressed message is there. */
bool weir_incoming_whole(const weir_incoming *in);
void weir_incoming_fini(weir_incoming *in);

/* A message that is being sent, and of a stream those that follow it. Shared by its call and by the
 * pieces that wait for the socket. */
typedef struct weir_outgoing {
    weir_ref ref;
    uint8_t prefix[GRPC_PREFIX];
    weir_rpc_message m;
    size_t whole;       /* bytes of the first message: prefix, head and payload; 0: there is none */
    size_t total;       /* with those that were appended */
    size_t planned;     /* promised to nghttp2 */
    size_t sent;        /* handed to the socket's queue */
    bool open;          /* a stream: more may be appended */
    bool answer;        /* trailers follow, ... */
    weir_status status; /* ... with this status */
    weir_buf appended;  /* messages that are not all sent */
    size_t from;        /* where the first of these bytes lies in the total */
} weir_outgoing;

weir_outgoing *weir_outgoing_create(weir_rpc_message *message); /* takes the message over */
weir_outgoing *weir_outgoing_create_open(void);                 /* without a first message */
/* Appends a message of a stream with its label, or its answer; they are copied. False: too large.
 *   varint    0: the answer; else the label's length + 1
 *   the label, the message's head and payload */
bool weir_outgoing_add_message(weir_outgoing *outgoing, weir_str label,
                               const weir_rpc_message *message);
bool weir_outgoing_add_answer(weir_outgoing *outgoing, const weir_rpc_message *message);
/* Takes the beginning off a message of a stream. False: it is nonsense. |out_answer|: it has no
 * label; else the label is copied. */
bool weir_incoming_label(weir_rpc_message *message, bool *out_answer, weir_buf *out_label);
/* The longest run of contiguous bytes at |from|, at most |most|. */
weir_str weir_outgoing_piece(const weir_outgoing *outgoing, size_t from, size_t most);

static inline size_t weir_rpc_message_bytes(const weir_rpc_message *message)
{
    return message->head.length + (message->payload ? message->payload_bytes : 0);
}

#endif
