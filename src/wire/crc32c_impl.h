/* wire/crc32c_impl.h - variants of the checksum loop. All take and return the inverted register. */
#ifndef WEIR_WIRE_CRC32C_IMPL_H
#define WEIR_WIRE_CRC32C_IMPL_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t weir_crc32c_fn(uint32_t state, const unsigned char *p, size_t length);

/* The loop for this processor's checksum instruction; null when it has none. */
weir_crc32c_fn *weir_crc32c_hardware(void);

#endif
