/* wire/varint.h - numbers in files: varints, and fixed little-endian words. */
#ifndef WEIR_WIRE_VARINT_H
#define WEIR_WIRE_VARINT_H

#include "base/str.h"

/* Reads one varint at *at; false when it is cut off or too long. */
bool weir_varint_get(const uint8_t **at, const uint8_t *end, uint64_t *out_value);
size_t weir_varint_size(uint64_t value);
void weir_varint_put(weir_buf *out, uint64_t value);
/* Takes a varint off the front of |in|; false when it is truncated or longer than 64 bits. */
static inline bool weir_varint_take(weir_str *in, uint64_t *out_value)
{
    const uint8_t *at = (const uint8_t *)in->at, *end = at + in->length;
    if (!weir_varint_get(&at, end, out_value))
        return false;
    *in = (weir_str){(const char *)at, (size_t)(end - at)};
    return true;
}

static inline uint32_t weir_fixed32_get(const void *p)
{
    const uint8_t *b = p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
static inline uint64_t weir_fixed64_get(const void *p)
{
    return weir_fixed32_get(p) | (uint64_t)weir_fixed32_get((const char *)p + 4) << 32;
}
static inline void weir_fixed32_put(void *p, uint32_t value)
{
    uint8_t *b = p;
    for (int i = 0; i < 4; i++)
        b[i] = (uint8_t)(value >> (8 * i));
}
static inline void weir_fixed64_put(void *p, uint64_t value)
{
    weir_fixed32_put(p, (uint32_t)value);
    weir_fixed32_put((char *)p + 4, (uint32_t)(value >> 32));
}
static inline void weir_fixed32_add(weir_buf *b, uint32_t value)
{
    char bytes[4];
    weir_fixed32_put(bytes, value);
    weir_buf_add(b, bytes, sizeof bytes);
}
static inline void weir_fixed64_add(weir_buf *b, uint64_t value)
{
    char bytes[8];
    weir_fixed64_put(bytes, value);
    weir_buf_add(b, bytes, sizeof bytes);
}

#endif
