/* io/zip.h - the members of a zip archive, stored or deflated. An open archive serves any number of
 * threads. */
#ifndef WEIR_IO_ZIP_H
#define WEIR_IO_ZIP_H

#include "base/mem.h"
#include "base/str.h"

/* What the directory says of a member. */
typedef struct weir_zip_member {
    weir_str name;          /* of the archive: lives as long as it */
    uint64_t packed, bytes; /* in the file, and unpacked */
} weir_zip_member;

typedef struct weir_zip weir_zip;
/* Reads the directory. DATA_LOSS when there is none or it is damaged. */
WEIR_CHECKED weir_status weir_zip_open(const char *path, weir_zip **out_zip);
void weir_zip_destroy(weir_zip *zip); /* takes null */
WEIR_OWNABLE(weir_zip);
const char *weir_zip_path(const weir_zip *zip);
size_t weir_zip_count(const weir_zip *zip);
weir_zip_member weir_zip_at(const weir_zip *zip, size_t i); /* in the order of the directory */
bool weir_zip_find(const weir_zip *zip, const char *name, size_t *out_i);
/* The first bytes of a member, unpacked: up to |room| of them, and no more than the first 4 kB of
 * it give. */
WEIR_CHECKED weir_status weir_zip_front(weir_zip *zip, size_t i, char *out, size_t room,
                                        size_t *out_length);
/* All of it, its checksum verified. RESOURCE_EXHAUSTED when that is more than |most| bytes,
 * UNIMPLEMENTED when it is packed by a method other than deflate. */
WEIR_CHECKED weir_status weir_zip_read(weir_zip *zip, size_t i, size_t most, weir_buf *out_bytes);

#endif
