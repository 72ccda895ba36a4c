/* base/bytes.h - little-endian numbers of any width, as in file formats. */
#ifndef WEIR_BASE_BYTES_H
#define WEIR_BASE_BYTES_H

#include <stdint.h>

/* The unsigned number in the |bytes| bytes (1 to 8) at |at|. */
static inline uint64_t weir_le_get(const void *at, int bytes)
{
    const uint8_t *p = at;
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | p[i];
    return value;
}

#endif
