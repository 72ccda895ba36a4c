/* io/deflate.h - zlib and gzip streams and their checksum, by the system's zlib, opened on first
 * use.
 *
 * A weir_inflate or weir_deflate is for one thread. When the library is missing, creating one fails
 * with UNIMPLEMENTED; the message names the library.
 */
#ifndef WEIR_IO_DEFLATE_H
#define WEIR_IO_DEFLATE_H

#include "base/str.h"

/* The compression of a whole file. */
typedef enum weir_packing {
    WEIR_PACKING_NONE,
    WEIR_PACKING_GZIP,
    WEIR_PACKING_ZLIB,
    WEIR_PACKING_RAW, /* a deflate stream without a wrapper */
} weir_packing;

/* "", "GZIP" or "ZLIB", as in the options of readers and writers. */
WEIR_CHECKED weir_status weir_packing_parse(weir_str name, weir_packing *out_packing);

typedef struct weir_inflate weir_inflate;
WEIR_CHECKED weir_status weir_inflate_create(weir_packing packing, weir_inflate **out_inflate);
void weir_inflate_destroy(weir_inflate *inflate); /* takes null */
WEIR_OWNABLE(weir_inflate);
/* Decompresses the front of |in| (which advances) into |out|; *out_end is set at the end of the
 * stream. Concatenated gzip members are one stream. DATA_LOSS on malformed input. */
WEIR_CHECKED weir_status weir_inflate_run(weir_inflate *inflate, weir_str *in, void *out,
                                          size_t room, size_t *out_length, bool *out_end);

typedef struct weir_deflate weir_deflate;
WEIR_CHECKED weir_status weir_deflate_create(weir_packing packing, int level,
                                             weir_deflate **out_deflate); /* level -1: default */
void weir_deflate_destroy(weir_deflate *deflate);                         /* takes null */
WEIR_OWNABLE(weir_deflate);
/* Compresses |bytes| onto |out|; |finish| ends the stream, |flush| makes all of it readable. */
typedef enum weir_deflate_how {
    WEIR_DEFLATE_MORE,
    WEIR_DEFLATE_FLUSH,
    WEIR_DEFLATE_FINISH
} weir_deflate_how;
WEIR_CHECKED weir_status weir_deflate_run(weir_deflate *deflate, weir_str bytes,
                                          weir_deflate_how how, weir_buf *out);

/* The CRC-32 of zip and gzip. */
WEIR_CHECKED weir_status weir_crc32(weir_str bytes, uint32_t *out_crc);

/* Decompresses a whole stream of at most |most| uncompressed bytes. */
WEIR_CHECKED weir_status weir_inflate_all(weir_packing packing, weir_str packed, size_t most,
                                          weir_buf *out_bytes);

#endif
