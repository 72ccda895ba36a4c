/* wire/varint.h - numbers in files: LEB128 varints and fixed little-endian words. */
#ifndef WEIR_WIRE_VARINT_H
#define WEIR_WIRE_VARINT_H

#include "base/str.h"

enum { WEIR_VARINT_ROOM = 10 }; /* the longest varint of 64 bits */

/* Writes |value| at |p| (room for WEIR_VARINT_ROOM bytes) and returns the bytes used. */
static inline size_t weir_varint_put(uint8_t *p, uint64_t value)
{
    size_t n = 0;
    for (; value >= 128; value >>= 7)
        p[n++] = (uint8_t)(value | 128);
    p[n++] = (uint8_t)value;
    return n;
}

static inline void weir_varint_add(weir_buf *b, uint64_t value)
{
    uint8_t bytes[WEIR_VARINT_ROOM];
    weir_buf_add(b, bytes, weir_varint_put(bytes, value));
}

/* Takes a varint off the front of |in|; false when it is cut short or longer than 64 bits. */
static inline bool weir_varint_take(weir_str *in, uint64_t *out_value)
{
    uint64_t value = 0;
    for (size_t n = 0; n < in->length && n < WEIR_VARINT_ROOM; n++) {
        uint8_t byte = (uint8_t)in->at[n];
        value |= (uint64_t)(byte & 127) << (7 * n);
        if (byte < 128) {
            *in = (weir_str){in->at + n + 1, in->length - n - 1};
            *out_value = value;
            return n < 9 || byte < 2;
        }
    }
    return false;
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
