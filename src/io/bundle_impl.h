/* io/bundle_impl.h - the messages of a bundle's index, shared by its writer, reader and merger. */
#ifndef WEIR_IO_BUNDLE_IMPL_H
#define WEIR_IO_BUNDLE_IMPL_H

#include "io/bundle.h"

enum {
    WEIR_BUNDLE_MAX_SHARDS = 99999, /* the file names have five digits */
    WEIR_BUNDLE_VERSION = 1,
};

/* BundleHeaderProto, under the key "". */
typedef struct weir_bundle_header {
    int64_t shards;
    bool big_endian;
    int64_t producer, min_consumer; /* its VersionDef */
} weir_bundle_header;

WEIR_CHECKED weir_status weir_bundle_header_parse(weir_str bytes, weir_bundle_header *out_header);
void weir_bundle_header_encode(const weir_bundle_header *header, weir_buf *out);

/* BundleEntryProto. */
typedef struct weir_bundle_entry {
    weir_dtype dtype;
    weir_shape shape;
    int64_t shard, offset, bytes;
    uint32_t crc;     /* masked */
    weir_str message; /* serialised, for its slices; may be empty */
    size_t slice_count;
} weir_bundle_entry;

/* The entry's |message| is a view of |bytes|, which must outlive it. */
WEIR_CHECKED weir_status weir_bundle_entry_parse(weir_str bytes, weir_bundle_entry *out_entry);
/* Writes everything except slices. */
void weir_bundle_entry_encode(const weir_bundle_entry *entry, weir_buf *out);
/* Appends one slice to an encoded entry. */
void weir_bundle_entry_add_slice(weir_buf *entry, const weir_slice *slice);
/* Its |slice_count| slices. */
WEIR_CHECKED weir_status weir_bundle_entry_slices(const weir_bundle_entry *entry, weir_arena *arena,
                                                  weir_slice **out_slices);

char *weir_bundle_index_name(const char *prefix); /* the caller frees */
char *weir_bundle_data_name(const char *prefix, int64_t shard, int64_t shards);

/* Keys of slices start with a zero byte, which no tensor's name does. */
static inline bool weir_bundle_key_is_slice(weir_str key)
{
    return key.length && key.at[0] == 0;
}

#endif
