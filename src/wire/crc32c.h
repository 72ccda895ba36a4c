/* wire/crc32c.h - CRC-32C (Castagnoli), the checksum of records, tables and checkpoints. */
#ifndef WEIR_WIRE_CRC32C_H
#define WEIR_WIRE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of what |crc| covers followed by |bytes|; start from 0. Thread-safe. */
uint32_t weir_crc32c_extend(uint32_t crc, const void *bytes, size_t length);

static inline uint32_t weir_crc32c(const void *bytes, size_t length)
{
    return weir_crc32c_extend(0, bytes, length);
}

/* Files store checksums masked: a CRC of bytes that contain their own CRC is
 * weak. */
static inline uint32_t weir_crc32c_mask(uint32_t crc)
{
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}
static inline uint32_t weir_crc32c_unmask(uint32_t masked)
{
    uint32_t rotated = masked - 0xa282ead8u;
    return (rotated >> 17) | (rotated << 15);
}

#endif
