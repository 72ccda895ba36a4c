/* io/zip.h - the members of a zip archive, stored or deflated. An open archive is
 * thread-safe. */
#ifndef WEIR_IO_ZIP_H
#define WEIR_IO_ZIP_H

#include "base/mem.h"
#include "base/str.h"

/* A member's entry in the directory. */
typedef struct weir_zip_member {
    weir_str name;          /* owned by the archive */
    uint64_t packed, bytes; /* sizes: compressed, uncompressed */
} weir_zip_member;

typedef struct weir_zip weir_zip;
/* Reads the directory. DATA_LOSS when it is missing or malformed. */
WEIR_CHECKED weir_status weir_zip_open(const char *path, weir_zip **out_zip);
void weir_zip_destroy(weir_zip *zip); /* takes null */
WEIR_OWNABLE(weir_zip);
const char *weir_zip_path(const weir_zip *zip);
size_t weir_zip_count(const weir_zip *zip);
weir_zip_member weir_zip_at(const weir_zip *zip, size_t i); /* in the order of the directory */
bool weir_zip_find(const weir_zip *zip, const char *name, size_t *out_i);
/* The first bytes of a member, decompressed: at most |room|, and at most as many as its first 4 kB
 * decompress to. */
WEIR_CHECKED weir_status weir_zip_front(weir_zip *zip, size_t i, char *out, size_t room,
                                        size_t *out_length);
/* The whole member, its checksum verified. RESOURCE_EXHAUSTED when it exceeds |most| bytes,
 * UNIMPLEMENTED for compression methods other than deflate. */
WEIR_CHECKED weir_status weir_zip_read(weir_zip *zip, size_t i, size_t most, weir_buf *out_bytes);

#endif
