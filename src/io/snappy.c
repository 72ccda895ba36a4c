/*
 * io/snappy.c - Snappy unpacking.
 *
 *   stream   varint32 unpacked length, then elements
 *   tag & 3  0 literal: length - 1 in tag >> 2, or in the next 1..4 bytes when that is 60..63
 *            1 copy: length 4 + (tag >> 2 & 7), offset (tag >> 5) << 8 | next byte
 *            2 copy: length 1 + (tag >> 2), offset in 2 bytes
 *            3 copy: length 1 + (tag >> 2), offset in 4 bytes
 * A copy repeats bytes already unpacked and may overlap what it writes.
 */
#include "io/snappy.h"

#include "wire/varint.h"

typedef struct unpacker {
    const uint8_t *p, *end;
    uint8_t *out;
    size_t done, total;
} unpacker;

static bool take_number(unpacker *unpacker, int bytes, size_t *out)
{
    if (unpacker->end - unpacker->p < bytes)
        return false;
    *out = 0;
    for (int i = 0; i < bytes; i++)
        *out |= (size_t)unpacker->p[i] << (8 * i);
    unpacker->p += bytes;
    return true;
}

static bool literal(unpacker *unpacker, uint8_t tag)
{
    size_t length = tag >> 2;
    if (length >= 60 && !take_number(unpacker, (int)length - 59, &length))
        return false;
    length++;
    if (length > (size_t)(unpacker->end - unpacker->p) || length > unpacker->total - unpacker->done)
        return false;
    memcpy(unpacker->out + unpacker->done, unpacker->p, length);
    unpacker->p += length;
    unpacker->done += length;
    return true;
}

static bool copy(unpacker *unpacker, uint8_t tag)
{
    size_t length, offset;
    if ((tag & 3) == 1) {
        if (!take_number(unpacker, 1, &offset))
            return false;
        length = 4 + (tag >> 2 & 7);
        offset |= (size_t)(tag >> 5) << 8;
    } else {
        if (!take_number(unpacker, (tag & 3) == 2 ? 2 : 4, &offset))
            return false;
        length = 1 + (size_t)(tag >> 2);
    }
    if (offset == 0 || offset > unpacker->done || length > unpacker->total - unpacker->done)
        return false;
    uint8_t *to = unpacker->out + unpacker->done;
    for (size_t i = 0; i < length; i++) /* byte by byte: source and target may overlap */
        to[i] = to[(ptrdiff_t)i - (ptrdiff_t)offset];
    unpacker->done += length;
    return true;
}

weir_status weir_snappy_unpack(weir_str packed, size_t most, weir_buf *out_bytes)
{
    uint64_t total;
    if (!weir_varint_take(&packed, &total) || total > most)
        return weir_error(WEIR_DATA_LOSS, "corrupted snappy compressed block length");
    WEIR_BUF(bytes);
    weir_buf_reserve(&bytes, total);
    unpacker unpacker = {(const uint8_t *)packed.at, (const uint8_t *)packed.at + packed.length,
                         (uint8_t *)bytes.at, 0, total};
    bool good = true;
    while (good && unpacker.p < unpacker.end) {
        uint8_t tag = *unpacker.p++;
        good = (tag & 3) == 0 ? literal(&unpacker, tag) : copy(&unpacker, tag);
    }
    if (!good || unpacker.done != total)
        return weir_error(WEIR_DATA_LOSS, "corrupted snappy compressed block contents");
    bytes.length = total;
    bytes.at[total] = 0;
    *out_bytes = bytes;
    bytes = (weir_buf){0};
    return WEIR_OK;
}
