/* wire/pb.c - parses fields; varints. */
#include "wire/pb_impl.h"

bool weir_varint_get(const uint8_t **at, const uint8_t *end, uint64_t *out_value)
{
    const uint8_t *p = *at;
    if (p < end && *p < 0x80) {
        *out_value = *p;
        *at = p + 1;
        return true;
    }
    uint64_t v = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        if (p == end)
            return false;
        uint8_t b = *p++;
        if (shift < 64)
            v |= (uint64_t)(b & 0x7f) << shift;
        if (!(b & 0x80)) {
            *at = p;
            *out_value = v;
            return true;
        }
    }
    return false;
}

static bool fixed(const uint8_t **at, const uint8_t *end, size_t bytes, uint64_t *out_value)
{
    if ((size_t)(end - *at) < bytes)
        return false;
    uint64_t v = 0;
    memcpy(&v, *at, bytes);
    *at += bytes;
    *out_value = v;
    return true;
}

static bool number(const uint8_t **at, const uint8_t *end, int type, uint64_t *out_value)
{
    switch (type) {
    case WEIR_PB_VARINT:
        return weir_varint_get(at, end, out_value);
    case WEIR_PB_I64:
        return fixed(at, end, 8, out_value);
    case WEIR_PB_I32:
        return fixed(at, end, 4, out_value);
    default:
        return false;
    }
}

static bool fail(weir_pb *r)
{
    r->failed = true;
    return false;
}

static bool tag_get(const uint8_t **at, const uint8_t *end, uint32_t *out_field, uint8_t *out_type)
{
    uint64_t tag;
    if (!weir_varint_get(at, end, &tag))
        return false;
    *out_field = (uint32_t)(tag >> 3);
    *out_type = tag & 7;
    return tag >> 3 != 0 && tag >> 3 <= 0x1fffffff;
}

static bool length_get(const uint8_t **at, const uint8_t *end, uint64_t *out_length)
{
    return weir_varint_get(at, end, out_length) && *out_length <= (uint64_t)(end - *at);
}

/* Moves |at| past the end of the group |field|, which contains it. */
static bool skip_group(const uint8_t **at, const uint8_t *end, uint32_t field)
{
    enum { GROUP_END = 4, DEPTH = 100 };
    uint32_t open[DEPTH] = {field}, next;
    uint8_t type;
    uint64_t value;
    for (int depth = 1; depth;) {
        if (!tag_get(at, end, &next, &type))
            return false;
        if (type == GROUP_END) {
            if (open[--depth] != next)
                return false;
        } else if (type == WEIR_PB_GROUP) {
            if (depth == DEPTH)
                return false;
            open[depth++] = next;
        } else if (type == WEIR_PB_LEN) {
            if (!length_get(at, end, &value))
                return false;
            *at += value;
        } else if (!number(at, end, type, &value)) {
            return false;
        }
    }
    return true;
}

bool weir_pb_next(weir_pb *r)
{
    if (r->failed || r->at == r->end)
        return false;
    r->begin = r->at;
    if (!tag_get(&r->at, r->end, &r->field, &r->type))
        return fail(r);
    if (r->type == WEIR_PB_GROUP)
        return skip_group(&r->at, r->end, r->field) || fail(r);
    if (r->type != WEIR_PB_LEN)
        return number(&r->at, r->end, r->type, &r->value) || fail(r);
    uint64_t length;
    if (!length_get(&r->at, r->end, &length))
        return fail(r);
    r->bytes = (weir_str){(const char *)r->at, (size_t)length};
    r->at += length;
    return true;
}

bool weir_pb_each(weir_pb *r, weir_pb_type element, weir_pb_packed *p)
{
    if (r->failed)
        return false;
    if (r->type != WEIR_PB_LEN) {
        if (p->started)
            return false;
        p->started = true;
        p->value = r->value;
        return r->type == element || fail(r);
    }
    if (!p->started) {
        p->started = true;
        p->at = (const uint8_t *)r->bytes.at;
    }
    const uint8_t *end = (const uint8_t *)r->bytes.at + r->bytes.length;
    if (p->at == end)
        return false;
    return number(&p->at, end, element, &p->value) || fail(r);
}

size_t weir_varint_size(uint64_t v)
{
    size_t n = 1;
    while (v >= 0x80) {
        v >>= 7;
        n++;
    }
    return n;
}

void weir_varint_put(weir_buf *out, uint64_t v)
{
    if (v < 0x80) {
        weir_buf_addc(out, (char)v);
        return;
    }
    uint8_t b[10];
    size_t n = 0;
    while (v >= 0x80) {
        b[n++] = (uint8_t)v | 0x80;
        v >>= 7;
    }
    b[n++] = (uint8_t)v;
    weir_buf_add(out, b, n);
}
