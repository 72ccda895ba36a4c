/* net/message.c - messages: received and sent in pieces, split and joined. */
#include "base/arith.h"
#include "base/blocking.h"
#include "base/mem.h"
#include "base/room.h"
#include "net/message_impl.h"
#include "wire/varint.h"

enum {
    FIRST_ASK = 512,      /* bytes of a message after which payload_offset is called first */
    LENT_FROM = 4 << 10,  /* bytes of a stream's payload above which it is not copied */
    SPLIT_FROM = 4 << 10, /* bytes of a stream's message that is split at its payload, from these */
    SPLIT_MOST = 2 << 20, /* ... up to these: no stream carries more */
    FIRST_ROOM = 1 << 20, /* reserved at most for an announced length */
};

void weir_rpc_message_fini(weir_rpc_message *message)
{
    weir_buf_fini(&message->head);
    weir_buffer_release(message->payload);
    *message = (weir_rpc_message){0};
}

static void release_now(void *arg)
{
    weir_buffer_release(arg);
}

void weir_payload_release_later(weir_buffer *payload)
{
    if (payload && payload->release)
        weir_blocking_submit(release_now, payload);
    else
        weir_buffer_release(payload);
}

void weir_stream_message_fini(weir_stream_message *received)
{
    weir_rpc_message_fini(&received->message);
    weir_buf_fini(&received->label);
}

weir_status weir_rpc_message_flatten(weir_rpc_message *message)
{
    if (!message->payload)
        return WEIR_OK;
    WEIR_TRY(weir_room_grow(&message->head, message->payload_bytes, "a message"));
    weir_buf_add(&message->head, (const char *)message->payload->data + message->payload_at,
                 message->payload_bytes);
    weir_buffer_release(message->payload);
    message->payload = NULL;
    message->payload_at = message->payload_bytes = 0;
    return WEIR_OK;
}

/* The payload's offset in |head|, determined from as few bytes as possible; 0: none. */
static size_t offset_in(const weir_buf *head, size_t (*payload_offset)(weir_str first))
{
    size_t at = SIZE_MAX;
    for (size_t seen = 0; seen < head->length && at == SIZE_MAX;) {
        seen = (size_t)weir_min(head->length, seen ? 2 * seen : FIRST_ASK);
        at = payload_offset((weir_str){head->at, seen});
    }
    return at == SIZE_MAX ? 0 : at;
}

weir_status weir_rpc_message_split(weir_rpc_message *message,
                                   size_t (*payload_offset)(weir_str first))
{
    weir_buf *head = &message->head;
    size_t at = payload_offset ? offset_in(head, payload_offset) : 0;
    bool aligned = message->payload &&
                   ((uintptr_t)message->payload->data + message->payload_at) % WEIR_ALIGNMENT == 0;
    if (aligned && at && at == head->length)
        return WEIR_OK; /* already split there */
    bool joined = message->payload != NULL;
    WEIR_TRY(weir_rpc_message_flatten(message));
    if (payload_offset && joined && !at)
        at = offset_in(head, payload_offset);
    if (!at || at >= head->length)
        return WEIR_OK;
    message->payload_bytes = head->length - at;
    WEIR_TRY(weir_buffer_alloc(message->payload_bytes, &message->payload));
    memcpy(message->payload->data, head->at + at, message->payload_bytes);
    head->length = at;
    head->at[at] = 0;
    return WEIR_OK;
}

/* ---- receiving ------------------------------------------------------------------------------ */

static weir_status begin(weir_incoming *in)
{
    const uint8_t *bytes = in->prefix;
    in->compressed = bytes[0] != 0;
    in->length = (size_t)bytes[1] << 24 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 8 | bytes[4];
    if (in->length > MAX_MESSAGE_BYTES)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "Received message larger than max (%zu vs. %d)",
                          in->length, MAX_MESSAGE_BYTES);
    bool asks = in->payload_offset &&
                (!in->labelled || (in->length >= SPLIT_FROM && in->length <= SPLIT_MOST));
    in->ask_at = !asks ? SIZE_MAX : in->length < FIRST_ASK ? in->length : FIRST_ASK;
    size_t room = asks && in->labelled ? (size_t)in->ask_at : in->length;
    weir_buf_reserve(&in->message.head, room < FIRST_ROOM ? room : FIRST_ROOM);
    return WEIR_OK;
}

/* The payload's offset in a message whose |head| was received; SIZE_MAX: needs more bytes. */
static size_t payload_at(const weir_incoming *in, const weir_buf *head)
{
    const uint8_t *at = (const uint8_t *)head->at, *start = at, *end = at + head->length;
    uint64_t length;
    if (!in->labelled)
        return in->payload_offset(weir_view(head));
    if (!weir_varint_get(&at, end, &length) || !length || length - 1 >= in->length)
        return 0;
    if (length - 1 >= (uint64_t)(end - at))
        return SIZE_MAX;
    at += length - 1;
    size_t found = in->payload_offset((weir_str){(const char *)at, (size_t)(end - at)});
    return found && found < SIZE_MAX ? found + (size_t)(at - start) : found;
}

/* Determines the payload's offset, and moves the received part of it. */
static weir_status ask(weir_incoming *in)
{
    weir_buf *head = &in->message.head;
    size_t at = payload_at(in, head);
    if (at == SIZE_MAX && head->length < in->length) {
        in->ask_at = in->length < head->length * 2 ? in->length : head->length * 2;
        return WEIR_OK;
    }
    in->ask_at = SIZE_MAX;
    if (at == 0 || at == SIZE_MAX || at >= in->length)
        return WEIR_OK;
    in->message.payload_bytes = in->length - at;
    WEIR_TRY(weir_buffer_alloc(in->message.payload_bytes, &in->message.payload));
    if (head->length > at) {
        memcpy(in->message.payload->data, head->at + at, head->length - at);
        head->length = at;
        head->at[at] = 0;
    }
    return WEIR_OK;
}

uint8_t *weir_incoming_place(const weir_incoming *in, size_t *out_room)
{
    *out_room = in->message.payload ? GRPC_PREFIX + in->length - in->have : 0;
    return in->message.payload ? (uint8_t *)in->message.payload->data + in->have - GRPC_PREFIX -
                                     in->message.head.length
                               : NULL;
}

/* Adds bytes of the message itself, at most the missing ones. */
static weir_status add_body(weir_incoming *in, const uint8_t *bytes, size_t count)
{
    while (count) {
        size_t at = in->have - GRPC_PREFIX, chunk = count;
        if (in->message.payload) {
            size_t room;
            uint8_t *to = weir_incoming_place(in, &room);
            if (to != bytes)
                memcpy(to, bytes, chunk);
        } else {
            if (in->ask_at != SIZE_MAX)
                chunk = (size_t)weir_min(chunk, in->ask_at - at);
            WEIR_TRY(weir_room_grow(&in->message.head, chunk, "a message"));
            weir_buf_add(&in->message.head, bytes, chunk);
        }
        in->have += chunk;
        bytes += chunk;
        count -= chunk;
        if (!in->message.payload && at + chunk == in->ask_at)
            WEIR_TRY(ask(in));
    }
    return WEIR_OK;
}

weir_status weir_incoming_take(weir_incoming *in, const uint8_t *bytes, size_t count,
                               size_t *out_taken)
{
    size_t taken = 0;
    while (in->have < GRPC_PREFIX && taken < count) {
        in->prefix[in->have++] = bytes[taken++];
        if (in->have == GRPC_PREFIX)
            WEIR_TRY(begin(in));
    }
    size_t missing = in->have < GRPC_PREFIX ? 0 : GRPC_PREFIX + in->length - in->have;
    size_t chunk = (size_t)weir_min(count - taken, missing);
    *out_taken = taken + chunk;
    return add_body(in, bytes + taken, chunk);
}

weir_status weir_incoming_add(weir_incoming *in, const uint8_t *bytes, size_t count)
{
    size_t taken;
    WEIR_TRY(weir_incoming_take(in, bytes, count, &taken));
    if (taken < count)
        return weir_error(WEIR_INTERNAL,
                          "Received a message longer than the %zu bytes it began with", in->length);
    return WEIR_OK;
}

bool weir_incoming_whole(const weir_incoming *in)
{
    return in->have >= GRPC_PREFIX && !in->compressed && in->have == GRPC_PREFIX + in->length;
}

void weir_incoming_fini(weir_incoming *in)
{
    weir_rpc_message_fini(&in->message);
}

bool weir_incoming_label(weir_rpc_message *message, bool *out_answer, weir_buf *out_label)
{
    const uint8_t *at = (const uint8_t *)message->head.at, *start = at,
                  *end = at + message->head.length;
    uint64_t length;
    if (!weir_varint_get(&at, end, &length) || length > (uint64_t)(end - at) + 1)
        return false;
    *out_answer = length == 0;
    size_t label = length ? (size_t)length - 1 : 0, skip = (size_t)(at - start) + label;
    if (label)
        weir_buf_add(out_label, at, label);
    message->head.length -= skip;
    memmove(message->head.at, message->head.at + skip, message->head.length);
    message->head.at[message->head.length] = 0;
    return true;
}

/* ---- sending -------------------------------------------------------------------------------- */

static void destroy_lent(weir_ref *ref)
{
    weir_lent_payload *lent = (weir_lent_payload *)ref;
    weir_payload_release_later(lent->payload); /* a connection's lock is held */
    weir_free(lent);
}

static void let_part_go(weir_outgoing_part *part)
{
    if (part->payload)
        weir_ref_release(&part->payload->ref);
}

static void destroy_outgoing(weir_ref *ref)
{
    weir_outgoing *outgoing = (weir_outgoing *)ref;
    weir_payload_release_later(outgoing->message.payload); /* a connection's lock is held */
    outgoing->message.payload = NULL;
    weir_rpc_message_fini(&outgoing->message);
    weir_buf_fini(&outgoing->appended);
    for (size_t i = outgoing->part_at; i < outgoing->parts.count; i++)
        let_part_go(&outgoing->parts.at[i]);
    weir_vec_fini(&outgoing->parts);
    weir_status_free(outgoing->status);
    weir_free(outgoing);
}

static void put_length(size_t count, uint8_t *prefix)
{
    for (int i = 1; i < GRPC_PREFIX; i++)
        prefix[i] = (uint8_t)(count >> (8 * (GRPC_PREFIX - 1 - i)));
}

weir_outgoing *weir_outgoing_create(weir_rpc_message *message)
{
    weir_outgoing *outgoing = WEIR_NEW(weir_outgoing);
    weir_ref_init(&outgoing->ref, destroy_outgoing);
    outgoing->message = *message;
    *message = (weir_rpc_message){0};
    if (!outgoing->message.payload)
        outgoing->message.payload_bytes = 0;
    put_length(weir_rpc_message_bytes(&outgoing->message), outgoing->prefix);
    outgoing->whole = outgoing->total = outgoing->from =
        GRPC_PREFIX + weir_rpc_message_bytes(&outgoing->message);
    return outgoing;
}

weir_outgoing *weir_outgoing_create_open(void)
{
    weir_outgoing *outgoing = WEIR_NEW(weir_outgoing);
    weir_ref_init(&outgoing->ref, destroy_outgoing);
    outgoing->open = true;
    return outgoing;
}

static void add_part(weir_outgoing *outgoing, weir_outgoing_part part)
{
    weir_outgoing_part *last = outgoing->parts.count > outgoing->part_at
                                   ? &outgoing->parts.at[outgoing->parts.count - 1]
                                   : NULL;
    outgoing->total += part.length;
    if (last && !last->payload && !part.payload && last->at + last->length == part.at)
        last->length += part.length;
    else
        weir_vec_push(&outgoing->parts, part);
}

static void copy(weir_outgoing *outgoing, const void *bytes, size_t length)
{
    size_t at = outgoing->appended.length;
    weir_buf_add(&outgoing->appended, bytes, length);
    add_part(outgoing, (weir_outgoing_part){NULL, at, length});
}

static void add_payload(weir_outgoing *outgoing, const weir_rpc_message *message)
{
    if (message->payload_bytes < LENT_FROM) {
        copy(outgoing, (char *)message->payload->data + message->payload_at,
             message->payload_bytes);
        return;
    }
    weir_lent_payload *lent = WEIR_NEW(weir_lent_payload);
    weir_ref_init(&lent->ref, destroy_lent);
    lent->payload = weir_buffer_retain(message->payload);
    add_part(outgoing, (weir_outgoing_part){lent, message->payload_at, message->payload_bytes});
}

/* Where all was passed on, the room of it is free again. */
static void forget_sent(weir_outgoing *outgoing)
{
    if (outgoing->sent < outgoing->total)
        return;
    outgoing->parts.count = outgoing->part_at = 0;
    outgoing->appended.length = 0;
}

static bool append(weir_outgoing *outgoing, const weir_buf *begin, const weir_rpc_message *message)
{
    size_t length = begin->length + weir_rpc_message_bytes(message);
    size_t lent =
        message->payload && message->payload_bytes >= LENT_FROM ? message->payload_bytes : 0;
    if (length > MAX_MESSAGE_BYTES)
        return false;
    forget_sent(outgoing);
    weir_status no_room =
        weir_room_grow(&outgoing->appended, GRPC_PREFIX + length - lent, "a message");
    weir_status_free(no_room);
    if (no_room)
        return false;
    uint8_t prefix[GRPC_PREFIX] = {0};
    put_length(length, prefix);
    weir_buf_reserve(&outgoing->appended, GRPC_PREFIX + length - lent);
    copy(outgoing, prefix, GRPC_PREFIX);
    copy(outgoing, begin->at, begin->length);
    copy(outgoing, message->head.at, message->head.length);
    if (message->payload)
        add_payload(outgoing, message);
    return true;
}

bool weir_outgoing_add_message(weir_outgoing *outgoing, weir_str label,
                               const weir_rpc_message *message)
{
    WEIR_BUF(begin);
    weir_varint_put(&begin, label.length + 1);
    weir_buf_add(&begin, label.at, label.length);
    return append(outgoing, &begin, message);
}

bool weir_outgoing_add_answer(weir_outgoing *outgoing, const weir_rpc_message *message)
{
    WEIR_BUF(begin);
    weir_varint_put(&begin, 0);
    return append(outgoing, &begin, message);
}

static weir_str appended_piece(const weir_outgoing *outgoing, size_t most, weir_ref **out_hold)
{
    const weir_outgoing_part *part = &outgoing->parts.at[outgoing->part_at];
    size_t at = outgoing->sent - outgoing->from;
    const char *bytes = part->payload ? part->payload->payload->data : outgoing->appended.at;
    *out_hold = part->payload ? &part->payload->ref : NULL;
    return (weir_str){bytes + part->at + at, (size_t)weir_min(part->length - at, most)};
}

weir_str weir_outgoing_piece(weir_outgoing *outgoing, size_t most, weir_ref **out_hold)
{
    size_t from = outgoing->sent;
    if (from >= outgoing->whole)
        return appended_piece(outgoing, most, out_hold);
    *out_hold = &outgoing->ref;
    const weir_rpc_message *message = &outgoing->message;
    weir_str sections[] = {
        {(const char *)outgoing->prefix, GRPC_PREFIX},
        {message->head.at, message->head.length},
        {message->payload ? (const char *)message->payload->data + message->payload_at : NULL,
         message->payload_bytes},
    };
    for (int i = 0; i < 3; i++) {
        if (from < sections[i].length)
            return (weir_str){sections[i].at + from,
                              (size_t)weir_min(sections[i].length - from, most)};
        from -= sections[i].length;
    }
    return (weir_str){0};
}

void weir_outgoing_pass(weir_outgoing *outgoing, size_t length)
{
    outgoing->sent += length;
    while (outgoing->part_at < outgoing->parts.count &&
           outgoing->sent >= outgoing->from + outgoing->parts.at[outgoing->part_at].length) {
        weir_outgoing_part *part = &outgoing->parts.at[outgoing->part_at++];
        outgoing->from += part->length;
        let_part_go(part);
    }
}
