/* dist/recv_tensor.c - reader and writer of RecvTensor's two messages. */
#include "dist/recv_tensor.h"

#include "base/clock.h"
#include "tensor/proto.h"

enum { SMALL = 4096 }; /* bytes that are cheaper to copy than to share */

/* ---- requests ------------------------------------------------------------------------------- */

void weir_recv_request_encode(const weir_recv_request *q, weir_buf *out)
{
    weir_pb_put_varint_nz(out, 1, (uint64_t)q->step_id);
    weir_pb_put_bytes(out, 2, q->key.at, q->key.length);
    weir_pb_put_varint_nz(out, 7, (uint64_t)q->request_id);
}

weir_status weir_recv_request_parse(weir_str bytes, weir_recv_request *out_request)
{
    weir_recv_request q = {.key = {"", 0}};
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            q.step_id = weir_pb_int(&r);
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            q.key = r.bytes;
        else if (r.field == 7 && r.type == WEIR_PB_VARINT)
            q.request_id = weir_pb_int(&r);
    }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_INTERNAL, "Unable to parse request");
    *out_request = q;
    return WEIR_OK;
}

/* ---- answers, written ----------------------------------------------------------------------- */

static void put_shape(const weir_shape *s, weir_buf *out)
{
    if (s->rank == 0)
        return;
    size_t mark = weir_pb_begin(out, 2);
    for (int i = 0; i < s->rank; i++) {
        size_t dim = weir_pb_begin(out, 2);
        weir_pb_put_varint(out, 1, (uint64_t)s->dims[i]); /* zero too */
        weir_pb_end(out, dim);
    }
    weir_pb_end(out, mark);
}

static void put_plain(const weir_tensor *t, weir_rpc_message *m)
{
    weir_buf inner = {0};
    size_t bytes = weir_tensor_bytes(t);
    weir_pb_put_varint(&inner, 1, t->dtype);
    put_shape(&t->shape, &inner);
    weir_varint_put(&inner, 4 << 3 | WEIR_PB_LEN);
    weir_varint_put(&inner, bytes);
    weir_varint_put(&m->head, 1 << 3 | WEIR_PB_LEN);
    weir_varint_put(&m->head, inner.length + bytes);
    weir_buf_add(&m->head, inner.at, inner.length);
    weir_buf_fini(&inner);
    if (bytes <= SMALL) {
        weir_buf_add(&m->head, t->data, bytes);
        return;
    }
    m->payload = weir_buffer_retain(t->buffer);
    m->payload_at = (size_t)((char *)t->data - (char *)t->buffer->data);
    m->payload_bytes = bytes;
}

/* A dead value is an empty vector of floats, whatever the edge's type. */
static void put_dead(weir_rpc_message *m)
{
    static const uint8_t empty[] = {0x0a, 0x0a, 0x08, 0x01, 0x12, 0x04,
                                    0x12, 0x02, 0x08, 0,    0x22, 0};
    weir_buf_add(&m->head, empty, sizeof empty);
}

weir_status weir_recv_answer_encode(const weir_tensor *t, bool dead, weir_rpc_message *out_answer)
{
    weir_rpc_message m = {0};
    weir_status s = WEIR_OK;
    uint64_t now = (uint64_t)weir_wall_us();
    if (dead || weir_dtype_is_plain(t->dtype)) {
        if (dead)
            weir_pb_put_varint(&m.head, 2, 1);
        weir_pb_put_varint(&m.head, 3, now);
        if (dead)
            put_dead(&m);
        else
            put_plain(t, &m);
    } else {
        size_t mark = weir_pb_begin(&m.head, 1);
        s = weir_tensor_encode_list(t, &m.head);
        weir_pb_end(&m.head, mark);
        weir_pb_put_varint(&m.head, 3, now);
    }
    if (!s && m.head.length + m.payload_bytes > INT32_MAX)
        s = weir_error(WEIR_RESOURCE_EXHAUSTED,
                       "a tensor of %zu bytes is too large for one message between tasks",
                       m.head.length + m.payload_bytes);
    if (s) {
        weir_rpc_message_fini(&m);
        return s;
    }
    *out_answer = m;
    return WEIR_OK;
}

/* ---- answers, read -------------------------------------------------------------------------- */

/* A walk over the first bytes of a message. */
typedef struct walk {
    const uint8_t *at, *end;
    bool cut; /* they ended inside something */
} walk;

static bool next_field(walk *w, uint32_t *field, uint64_t *value)
{
    uint64_t tag;
    const uint8_t *at = w->at;
    w->cut = !weir_varint_get(&at, w->end, &tag) || !weir_varint_get(&at, w->end, value);
    if (w->cut || ((tag & 7) != WEIR_PB_VARINT && (tag & 7) != WEIR_PB_LEN))
        return false;
    *field = (uint32_t)(tag >> 3);
    w->at = at;
    return true;
}

static bool skip(walk *w, uint64_t bytes)
{
    w->cut = bytes > (uint64_t)(w->end - w->at);
    if (!w->cut)
        w->at += bytes;
    return !w->cut;
}

/* Walks to the elements in the layout of our own answers; false on any other. */
static bool find_elements(walk *w, uint64_t *bytes)
{
    uint32_t field;
    uint64_t value, length, dtype = 0;
    do
        if (!next_field(w, &field, &length))
            return false;
    while (field == 2 || field == 3);
    if (field != 1 || !next_field(w, &field, &dtype) || field != 1)
        return false;
    if (!weir_dtype_valid((int)dtype) || !weir_dtype_is_plain((weir_dtype)dtype))
        return false;
    if (!next_field(w, &field, &value))
        return false;
    if (field == 2 && (!skip(w, value) || !next_field(w, &field, &value)))
        return false;
    *bytes = value;
    return field == 4;
}

size_t weir_recv_answer_payload(weir_str first)
{
    walk w = {(const uint8_t *)first.at, (const uint8_t *)first.at + first.length, false};
    uint64_t bytes;
    if (find_elements(&w, &bytes))
        return bytes > SMALL ? (size_t)(w.at - (const uint8_t *)first.at) : 0;
    return w.cut ? SIZE_MAX : 0;
}

static weir_status malformed(void)
{
    return weir_error(WEIR_INTERNAL, "the answer of RecvTensor cannot be parsed");
}

static weir_status parse_flat(weir_str bytes, weir_tensor *out, bool *out_dead)
{
    weir_str tensor = {"", 0};
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            tensor = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_VARINT)
            *out_dead = r.value != 0;
    }
    if (!weir_pb_ok(&r))
        return malformed();
    return *out_dead ? WEIR_OK : weir_tensor_parse(tensor, out);
}

/* More follows the elements, or the value is dead: not worth a way of its own. */
static weir_status parse_joined(const weir_rpc_message *m, weir_tensor *out, bool *out_dead)
{
    weir_buf all = {0};
    weir_buf_add(&all, m->head.at, m->head.length);
    weir_buf_add(&all, (const char *)m->payload->data + m->payload_at, m->payload_bytes);
    weir_status s = parse_flat((weir_str){all.at, all.length}, out, out_dead);
    weir_buf_fini(&all);
    return s;
}

/* The head of an answer whose elements are its payload. */
static weir_status parse_with_payload(weir_rpc_message *m, weir_tensor *out, bool *out_dead)
{
    weir_dtype dtype = WEIR_FLOAT;
    weir_shape shape = WEIR_SCALAR;
    walk w = {(const uint8_t *)m->head.at, (const uint8_t *)m->head.at + m->head.length, false};
    uint32_t field = 0;
    uint64_t value = 0;
    while (field != 1 && next_field(&w, &field, &value))
        if (field == 2)
            *out_dead = value != 0;
    while (field != 4 && next_field(&w, &field, &value)) {
        if (field == 1 && weir_dtype_valid((int)value))
            dtype = (weir_dtype)value;
        if (field != 2)
            continue;
        weir_str dims = {(const char *)w.at, value};
        if (!skip(&w, value))
            return malformed();
        WEIR_TRY(weir_shape_parse(dims, &shape));
    }
    if (*out_dead || (field == 4 && value < m->payload_bytes))
        return parse_joined(m, out, out_dead);
    if (field != 4 || w.at != w.end || !weir_shape_known(&shape))
        return malformed();
    weir_tensor t = {m->payload, (char *)m->payload->data + m->payload_at, dtype, shape};
    size_t bytes;
    if (!weir_size_mul((size_t)weir_tensor_count(&t), weir_dtype_size(dtype), &bytes) ||
        bytes != m->payload_bytes)
        return weir_error(WEIR_INTERNAL, "a tensor of type %s and shape %s came with %zu bytes",
                          weir_dtype_name(dtype), WEIR_SHAPE_STR(&shape), m->payload_bytes);
    if ((uintptr_t)t.data % WEIR_ALIGNMENT)
        return weir_tensor_clone(&t, out);
    m->payload = NULL;
    *out = t;
    return WEIR_OK;
}

weir_status weir_recv_answer_parse(weir_rpc_message *m, weir_tensor *out_tensor, bool *out_dead)
{
    *out_dead = false;
    *out_tensor = (weir_tensor){0};
    return m->payload ? parse_with_payload(m, out_tensor, out_dead)
                      : parse_flat((weir_str){m->head.at, m->head.length}, out_tensor, out_dead);
}
