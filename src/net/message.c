/* net/message.c - messages: whole, coming in, going out. */
#include "base/mem.h"
#include "net/message_impl.h"

enum {
    FIRST_ASK = 512,      /* bytes of a message that tell where its tail begins */
    FIRST_ROOM = 1 << 20, /* a peer's word for a length reserves no more than this */
};

void weir_message_fini(weir_message *m)
{
    weir_buf_fini(&m->head);
    weir_buffer_release(m->tail);
    *m = (weir_message){0};
}

/* ---- coming in ------------------------------------------------------------------------------ */

static weir_status begin(weir_incoming *in)
{
    const uint8_t *p = in->prefix;
    in->compressed = p[0] != 0;
    in->length = (size_t)p[1] << 24 | (size_t)p[2] << 16 | (size_t)p[3] << 8 | p[4];
    if (in->length > LARGEST_MESSAGE)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "Received message larger than max (%zu vs. %d)",
                          in->length, LARGEST_MESSAGE);
    in->ask_at = !in->tail_begins ? SIZE_MAX : in->length < FIRST_ASK ? in->length : FIRST_ASK;
    weir_buf_reserve(&in->m.head, in->length < FIRST_ROOM ? in->length : FIRST_ROOM);
    return WEIR_OK;
}

/* Asks where the tail begins, and moves what is there of it. */
static weir_status ask(weir_incoming *in)
{
    weir_buf *head = &in->m.head;
    size_t at = in->tail_begins((weir_str){head->at, head->length});
    if (at == SIZE_MAX && head->length < in->length) {
        in->ask_at = in->length < head->length * 2 ? in->length : head->length * 2;
        return WEIR_OK;
    }
    in->ask_at = SIZE_MAX;
    if (at == 0 || at >= in->length)
        return WEIR_OK;
    in->m.tail_bytes = in->length - at;
    WEIR_TRY(weir_buffer_alloc(in->m.tail_bytes, &in->m.tail));
    if (head->length > at) {
        memcpy(in->m.tail->data, head->at + at, head->length - at);
        head->length = at;
        head->at[at] = 0;
    }
    return WEIR_OK;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

uint8_t *weir_incoming_place(const weir_incoming *in, size_t *out_room)
{
    *out_room = in->m.tail ? GRPC_PREFIX + in->length - in->have : 0;
    return in->m.tail ? (uint8_t *)in->m.tail->data + in->have - GRPC_PREFIX - in->m.head.length
                      : NULL;
}

weir_status weir_incoming_add(weir_incoming *in, const uint8_t *bytes, size_t count)
{
    while (in->have < GRPC_PREFIX && count) {
        in->prefix[in->have++] = *bytes++;
        count--;
        if (in->have == GRPC_PREFIX)
            WEIR_TRY(begin(in));
    }
    if (count > GRPC_PREFIX + in->length - in->have)
        return weir_error(WEIR_INTERNAL,
                          "Received a message longer than the %zu bytes it began with", in->length);
    while (count) {
        size_t at = in->have - GRPC_PREFIX, n = count;
        if (in->m.tail) {
            size_t room;
            uint8_t *to = weir_incoming_place(in, &room);
            if (to != bytes)
                memcpy(to, bytes, n);
        } else {
            if (in->ask_at != SIZE_MAX)
                n = least(n, in->ask_at - at);
            weir_buf_add(&in->m.head, bytes, n);
        }
        in->have += n;
        bytes += n;
        count -= n;
        if (!in->m.tail && at + n == in->ask_at)
            WEIR_TRY(ask(in));
    }
    return WEIR_OK;
}

bool weir_incoming_whole(const weir_incoming *in)
{
    return in->have >= GRPC_PREFIX && !in->compressed && in->have == GRPC_PREFIX + in->length;
}

void weir_incoming_fini(weir_incoming *in)
{
    weir_message_fini(&in->m);
}

/* ---- going out ------------------------------------------------------------------------------ */

static void destroy_outgoing(weir_ref *ref)
{
    weir_outgoing *o = (weir_outgoing *)ref;
    weir_message_fini(&o->m);
    weir_free(o);
}

weir_outgoing *weir_outgoing_create(weir_message *m)
{
    weir_outgoing *o = WEIR_NEW(weir_outgoing);
    weir_ref_init(&o->ref, destroy_outgoing);
    o->m = *m;
    *m = (weir_message){0};
    if (!o->m.tail)
        o->m.tail_bytes = 0;
    size_t n = weir_message_bytes(&o->m);
    for (int i = 1; i < GRPC_PREFIX; i++)
        o->prefix[i] = (uint8_t)(n >> (8 * (GRPC_PREFIX - 1 - i)));
    o->total = GRPC_PREFIX + n;
    return o;
}

weir_str weir_outgoing_piece(const weir_outgoing *o, size_t from, size_t most)
{
    const weir_message *m = &o->m;
    weir_str parts[] = {
        {(const char *)o->prefix, GRPC_PREFIX},
        {m->head.at, m->head.length},
        {m->tail ? (const char *)m->tail->data + m->tail_at : NULL, m->tail_bytes},
    };
    for (int i = 0; i < 3; i++) {
        if (from < parts[i].length)
            return (weir_str){parts[i].at + from, least(parts[i].length - from, most)};
        from -= parts[i].length;
    }
    return (weir_str){0};
}
