/* dist/recv_buf.c - RecvBuf's messages, written and read. */
#include "dist/recv_buf.h"

#include <inttypes.h>

#include "base/clock.h"
#include "wire/pb.h"

static const char type_name[] = "type.googleapis.com/tensorflow.RecvBufRespExtra";

/* ---- requests ------------------------------------------------------------------------------- */

void weir_recv_buf_request_encode(const weir_recv_buf_request *q, weir_buf *out)
{
    weir_pb_put_varint(out, 1, (uint64_t)q->step_id);
    weir_pb_put_bytes(out, 2, q->key.at, q->key.length);
    weir_pb_put_varint_nz(out, 3, (uint64_t)q->bytes);
    weir_pb_put_bytes(out, 8, q->src_device.at, q->src_device.length);
    weir_pb_put_varint(out, 10, (uint64_t)q->request_id);
    weir_pb_put_varint(out, 11, q->src_incarnation);
}

weir_status weir_recv_buf_request_parse(weir_str bytes, weir_recv_buf_request *out)
{
    weir_recv_buf_request q = {.key = {"", 0}, .src_device = {"", 0}};
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            q.step_id = weir_pb_int(&r);
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            q.key = r.bytes;
        else if (r.field == 3 && r.type == WEIR_PB_VARINT)
            q.bytes = weir_pb_int(&r);
        else if (r.field == 8 && r.type == WEIR_PB_LEN)
            q.src_device = r.bytes;
        else if (r.field == 10 && r.type == WEIR_PB_VARINT)
            q.request_id = weir_pb_int(&r);
        else if (r.field == 11 && r.type == WEIR_PB_VARINT)
            q.src_incarnation = r.value;
    }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_INTERNAL, "Unable to parse request");
    *out = q;
    return WEIR_OK;
}

/* ---- answers, written ----------------------------------------------------------------------- */

weir_status weir_recv_buf_encode(const weir_tensor *t, weir_rpc_message *out)
{
    size_t bytes = weir_tensor_bytes(t), name = sizeof type_name - 1;
    size_t extra = 1 + weir_varint_size(bytes) + bytes;
    size_t any = 1 + weir_varint_size(name) + name + 1 + weir_varint_size(extra) + extra;
    if (!weir_dtype_is_plain(t->dtype))
        return weir_error(WEIR_INTERNAL, "a value of type %s is not of a type supported by RecvBuf",
                          weir_dtype_name(t->dtype));
    weir_rpc_message m = {0};
    weir_pb_put_varint(&m.head, 5, (uint64_t)weir_wall_us());
    weir_varint_put(&m.head, 4 << 3 | WEIR_PB_LEN);
    weir_varint_put(&m.head, any);
    weir_pb_put_bytes(&m.head, 1, type_name, name);
    weir_varint_put(&m.head, 2 << 3 | WEIR_PB_LEN);
    weir_varint_put(&m.head, extra);
    weir_varint_put(&m.head, 1 << 3 | WEIR_PB_LEN);
    weir_varint_put(&m.head, bytes);
    if (bytes) {
        m.payload = weir_buffer_retain(t->buffer);
        m.payload_at = (size_t)((char *)t->data - (char *)t->buffer->data);
        m.payload_bytes = bytes;
    }
    *out = m;
    return WEIR_OK;
}

/* ---- answers, read -------------------------------------------------------------------------- */

/* Walks into fields 4, 2 and 1 one after the other; what lies before them is passed over. */
size_t weir_recv_buf_payload(weir_str first)
{
    static const uint32_t path[] = {4, 2, 1};
    const uint8_t *at = (const uint8_t *)first.at, *end = at + first.length;
    for (int depth = 0; depth < 3;) {
        uint64_t tag, value;
        if (!weir_varint_get(&at, end, &tag) || !weir_varint_get(&at, end, &value))
            return SIZE_MAX;
        bool piece = (tag & 7) == WEIR_PB_LEN;
        if (!piece && (tag & 7) != WEIR_PB_VARINT)
            return 0;
        if (piece && tag >> 3 == path[depth])
            depth++;
        else if (piece && value > (uint64_t)(end - at))
            return SIZE_MAX;
        else if (piece)
            at += value;
    }
    return (size_t)(at - (const uint8_t *)first.at);
}

static weir_status wrong_size(size_t bytes, size_t wanted)
{
    return weir_error(WEIR_INTERNAL,
                      "Tensor Size Mismatch: RecvBufResponse returned %zu bytes, expected: %zu",
                      bytes, wanted);
}

/* Adds the pieces of a RecvBufRespExtra. */
static void add_pieces(weir_str extra, weir_buf *out)
{
    for (weir_pb r = weir_pb_reader(extra); weir_pb_next(&r);)
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            weir_buf_add(out, r.bytes.at, r.bytes.length);
}

static void gather_pieces(weir_str answer, weir_buf *out)
{
    for (weir_pb r = weir_pb_reader(answer); weir_pb_next(&r);) {
        if (r.field != 4 || r.type != WEIR_PB_LEN)
            continue;
        for (weir_pb any = weir_pb_reader(r.bytes); weir_pb_next(&any);)
            if (any.field == 2 && any.type == WEIR_PB_LEN)
                add_pieces(any.bytes, out);
    }
}

/* An answer of any layout. */
static weir_status copy_pieces(weir_rpc_message *m, const weir_shape *shape, weir_dtype dtype,
                               weir_tensor *out)
{
    weir_buf whole = {0}, pieces = {0};
    weir_buf_add(&whole, m->head.at, m->head.length);
    if (m->payload)
        weir_buf_add(&whole, (const char *)m->payload->data + m->payload_at, m->payload_bytes);
    gather_pieces((weir_str){whole.at, whole.length}, &pieces);
    weir_buf_fini(&whole);
    size_t wanted = (size_t)shape->dims[0] * weir_dtype_size(dtype);
    weir_status s = pieces.length == wanted ? weir_tensor_alloc(dtype, shape, out)
                                            : wrong_size(pieces.length, wanted);
    if (!s && wanted)
        memcpy(out->data, pieces.at, wanted);
    weir_buf_fini(&pieces);
    return s;
}

weir_status weir_recv_buf_parse(weir_rpc_message *m, weir_dtype dtype, int64_t count,
                                weir_tensor *out_tensor)
{
    weir_shape shape = {.rank = 1, .dims = {count}};
    size_t wanted = (size_t)count * weir_dtype_size(dtype);
    /* The elements in one piece, and nothing after them. */
    bool plain = m->payload && m->payload_bytes == wanted &&
                 weir_recv_buf_payload((weir_str){m->head.at, m->head.length}) == m->head.length;
    if (!plain)
        return copy_pieces(m, &shape, dtype, out_tensor);
    weir_tensor t = {m->payload, (char *)m->payload->data + m->payload_at, dtype, shape};
    if ((uintptr_t)t.data % WEIR_ALIGNMENT)
        return weir_tensor_clone(&t, out_tensor);
    m->payload = NULL;
    *out_tensor = t;
    return WEIR_OK;
}
