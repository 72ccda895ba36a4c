/* io/bundle.h - checkpoints of format V2: tensors by name in P.index and P.data-SSSSS-of-NNNNN.
 *
 * Writing is atomic: the files get their final names when the bundle is finished, the index last.
 * Reading verifies every checksum. A writer is for one thread; an open bundle is thread-safe.
 */
#ifndef WEIR_IO_BUNDLE_H
#define WEIR_IO_BUNDLE_H

#include "io/slice.h"

/* A checkpoint's information about one tensor. */
typedef struct weir_tensor_info {
    weir_str name;
    weir_dtype dtype;
    weir_shape shape;
} weir_tensor_info;

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct weir_bundle_writer weir_bundle_writer;
WEIR_CHECKED weir_status weir_bundle_writer_create(const char *prefix,
                                                   weir_bundle_writer **out_writer);
void weir_bundle_writer_destroy(weir_bundle_writer *writer); /* discards everything; takes null */
WEIR_OWNABLE(weir_bundle_writer);
/* INVALID_ARGUMENT when the name was added before. */
WEIR_CHECKED weir_status weir_bundle_writer_add(weir_bundle_writer *writer, weir_str name,
                                                const weir_tensor *tensor);
/* Adds slice |slice| of a tensor of shape |full|; |tensor| has the slice's shape. */
WEIR_CHECKED weir_status weir_bundle_writer_add_slice(weir_bundle_writer *writer, weir_str name,
                                                      const weir_shape *full,
                                                      const weir_slice *slice,
                                                      const weir_tensor *tensor);
/* Renames the files to their final names, and destroys the writer. */
WEIR_CHECKED weir_status weir_bundle_writer_finish(weir_bundle_writer *writer);

/* Merges bundles into one at |prefix| by renaming their data files and merging their indices. */
WEIR_CHECKED weir_status weir_bundle_merge(const char *const *prefixes, size_t count,
                                           const char *prefix);

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct weir_bundle weir_bundle;
/* NOT_FOUND when there is no P.index. */
WEIR_CHECKED weir_status weir_bundle_open(const char *prefix, weir_bundle **out_bundle);
void weir_bundle_destroy(weir_bundle *bundle); /* takes null */
WEIR_OWNABLE(weir_bundle);
bool weir_bundle_exists(const char *prefix);

/* The tensors, sorted by name. */
size_t weir_bundle_count(const weir_bundle *bundle);
weir_tensor_info weir_bundle_at(const weir_bundle *bundle, size_t i);
bool weir_bundle_find(const weir_bundle *bundle, weir_str name, weir_tensor_info *out_info);
/* The tensor, or its slice |slice| (null: all). NOT_FOUND, or DATA_LOSS when bytes are
 * corrupted. */
WEIR_CHECKED weir_status weir_bundle_read(weir_bundle *bundle, weir_str name,
                                          const weir_slice *slice, weir_tensor *out_tensor);

#endif
